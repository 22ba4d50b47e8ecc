"""The app as it is, with one more page that is empty: both are measured on one server in one run."""

import sys
from pathlib import Path

import streamlit as st

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "encodings"), str(HERE.parents[1])]

from app import warm  # noqa: E402
from explain.routes import MIDDLEWARE, ROUTES  # noqa: E402

app = st.App(HERE / "frame.py", lifespan=warm, routes=ROUTES, middleware=MIDDLEWARE)
