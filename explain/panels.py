"""One figure on a page: the figure, what to look at in it (which is also its text alternative), and its data to take away."""

from collections.abc import Mapping
from types import ModuleType

import streamlit as st

from explain import board, chart, stage
from explain.export import share
from explain.figures import Figure
from explain.palette import Range
from explain.view import Matrices, View
from explain.words import text

MOST = board.LIMIT
"""Cells a side that a matrix figure draws at most."""


def show(
    page: str,
    name: str,
    caption: str,
    drawn: Matrices | Figure,
    title: str = "",
    about: tuple[ModuleType, ...] | None = None,
) -> None:
    """Draws a figure on the page, or hands it to the request that asked for the page's figures."""
    if asked := stage.request():
        asked.take(View(page, name, title or asked.heading, caption, drawn, about))
        return
    view = View(page, name, title, caption, drawn, about)
    if isinstance(drawn, Matrices):
        _board(view, drawn)
    else:
        chart.draw(drawn, key=view.key, alt=caption)
    with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False, key=f"{view.key}-foot"):
        st.caption(caption, width="stretch")
        box = st.popover(text("page", "data"), icon=":material/table:", on_change="rerun", key=f"{view.key}-data", type="tertiary")
    if box.open:
        with box:
            share.offer(view)


def scale(title: str, colours: Range) -> board.Scale:
    """A colour bar of the board."""
    return board.Scale(title, colours.low, colours.high, colours.stops)


def _board(view: View, drawn: Matrices) -> None:
    """The matrices on the board; a cell that the reader keeps goes into the URL as `cell=i,j`, tokens counted from 0."""
    board.draw(packed(view, drawn, kept_cell()), key=view.key, on_cell=lambda: _keep_cell(view.key, drawn.first))


def packed(view: View, drawn: Matrices, cell: Mapping[str, int]) -> bytes:
    """The message to the board. `cell` says which tokens stand on the axes i and j, counted from 0."""
    return board.pack(
        drawn.panels,
        drawn.axes,
        drawn.scales,
        cell={axis: board.nearest(drawn.axes[axis], token + drawn.first) for axis, token in cell.items() if axis in drawn.axes},
        readout=drawn.readout,
        spoken=" ".join(drawn.readout),
        name=view.caption,
        masked_label=drawn.masked or text("page", "masked"),
        columns=drawn.columns,
        wide=drawn.wide,
        keys_help=text("page", "keys"),
    )


def kept_cell() -> dict[str, int]:
    """The tokens i and j that the URL names."""
    return cell(st.query_params.get("cell", ""))


def cell(given: str) -> dict[str, int]:
    """The tokens i and j that an address names as `i,j`; the third token looking back at the first where it names none."""
    parts = given.split(",")
    if len(parts) == 2 and all(part.isdecimal() and len(part) <= 7 for part in parts):
        return {"i": int(parts[0]), "j": int(parts[1])}
    return {"i": 2, "j": 0}


def _keep_cell(key: str, first: int) -> None:
    cell = st.session_state[key].cell
    if cell and {"i", "j"} <= set(cell):
        st.query_params["cell"] = f"{cell['i'] - first},{cell['j'] - first}"
