"""A Plotly chart that keeps its place in the page: only what changed is redrawn, and zoom survives a change of data.

Streamlit's own st.plotly_chart makes a new chart out of every change, which costs as much as the rest of a page's update.
"""

from pathlib import Path

import streamlit as st

from explain import stage
from explain.figures import Figure, to_json

PLOTLY = Path(__file__).parents[2] / "assets" / "plotly" / "plotly-basic.min.js"
"""Plotly.js with curves and bars alone, which is all that pages draw with it: a quarter of what plotly's Python package carries."""

_FOLDER = Path(__file__).parent
_chart = st.components.v2.component(
    "chart", html='<div class="chart"></div>', js=(_FOLDER / "chart.js").read_text("utf-8"), isolate_styles=False
)


def message(figure: Figure, alt: str) -> str:
    """What chart.js is told of a figure."""
    return to_json({"figure": figure, "alt": alt})


def draw(figure: Figure, *, key: str, alt: str) -> None:
    """The figure, with `alt` as its accessible name; font and grid colours come from the page's theme."""
    _chart(key=key, data={"key": key, "message": message(figure, alt), "script": stage.address("plotly.min.js")})
