"""The explainer as an ASGI application. Run it with: streamlit run app.py"""

import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

# Matrices here are small: threads of their own would only get in the way of other readers. Has to be said before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

ROOT = Path(__file__).resolve().parent
# encodings/ is a source root and not a package: Python's standard library has a package of that name.
sys.path[:0] = [str(ROOT / "encodings"), str(ROOT)]

from explain.routes import MIDDLEWARE, ROUTES  # noqa: E402


@asynccontextmanager
async def warm(_app: st.App) -> AsyncIterator[None]:
    """Imports what pages import and hides it from the garbage collector: collecting after each rerun cost more than the rerun."""
    import explain.parts  # noqa: F401, PLC0415

    gc.collect()
    gc.freeze()
    yield


app = st.App(ROOT / "explain" / "frame.py", lifespan=warm, routes=ROUTES, middleware=MIDDLEWARE)
