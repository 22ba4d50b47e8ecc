"""Where published forms of a scheme differ: the proof that two are one, or both beside each other where they are not; and a page's own figures."""

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from explain import palette, panels
from explain.board import Axis, Panel
from explain.parts.opening import Page
from explain.words import number, text

SAME = 1e-12
"""Two float64 results no further apart than this, relative to the larger, are the same but for rounding."""


def convention(page: Page, key: str, one: np.ndarray, other: np.ndarray, **facts: object) -> None:
    """Two published forms, computed: says whether they are the same, and by how much they differ at most.

    The page's text `convention.<key>` names them and says what was done before comparing (a permutation, a softmax); it may use {{difference}}.
    """
    gap = float(np.abs(one - other).max(initial=0.0))
    same = gap <= SAME * max(1.0, float(np.abs(one).max(initial=0.0)))
    verdict = text("page", "same" if same else "different")
    icon = ":material/check_circle:" if same else ":material/call_split:"
    told = st.success if same else st.info
    told(f"**{verdict}** {page.say(f'convention.{key}', difference=number(gap, 2), **facts)}", icon=icon)


def beside(
    page: Page, key: str, matrices: Mapping[str, np.ndarray], axes: Mapping[str, Axis], *, share: bool = False, **facts: object
) -> None:
    """A page's own matrices beside each other on one scale: id → values (rows "i", columns "j" of `axes`).

    The page's texts `<key>.<id>` name them, `<key>.caption` says what to look at.
    """
    colours = palette.share(*matrices.values()) if share else palette.signed(*matrices.values())
    names = {name: page.say(f"{key}.{name}") for name in matrices}
    panels.matrices(
        [Panel(name, names[name], "i", "j", "value", values) for name, values in matrices.items()],
        axes,
        {"value": panels.scale(text("page", "attention" if share else "logit"), colours)},
        key=f"{page.name}-{key}",
        caption=page.say(f"{key}.caption", **facts),
        readout=["   ".join(f"{title}: {{{name}}}" for name, title in names.items())],
        columns=min(len(matrices), 3),
    )


def figure(page: Page, key: str, drawn: go.Figure, **facts: object) -> None:
    """A page's own curve or bar chart, with its text `<key>.caption`."""
    panels.curve(drawn, key=f"{page.name}-{key}", caption=page.say(f"{key}.caption", **facts))


def heading(page: Page, key: str) -> None:
    """A page's own part: its title `<key>.title` and its words `<key>`."""
    st.header(page.say(f"{key}.title"), anchor=key)
    st.markdown(page.say(key))
