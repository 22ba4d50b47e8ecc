"""One figure on a page: the figure, what to look at in it (which is also its text alternative), and its data to take away."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from explain import board, chart
from explain.palette import Range
from explain.words import text

MOST = board.LIMIT
"""Cells a side that a matrix figure draws at most."""


def matrices(
    panels: Sequence[board.Panel],
    axes: Mapping[str, board.Axis],
    scales: Mapping[str, board.Scale],
    *,
    key: str,
    caption: str,
    readout: Sequence[str] = (),
    first: int = 0,
    masked: str = "",
    columns: int = 3,
    wide: Sequence[str] = (),
) -> None:
    """Matrices that share a cell, painted by the board; a kept cell goes into the URL as `cell=i,j`, tokens counted from 0.

    `first` is the position of the first token, for axes that count positions.
    """
    there = {axis: board.nearest(axes[axis], token + first) for axis, token in kept_cell().items() if axis in axes}
    payload = board.pack(
        panels,
        axes,
        scales,
        cell=there,
        readout=readout,
        spoken=" ".join(readout),
        name=caption,
        masked_label=masked or text("page", "masked"),
        columns=columns,
        wide=wide,
        keys_help=text("page", "keys"),
    )
    board.draw(payload, key=key, on_cell=lambda: keep_cell(key, first))
    caption_and_data(caption, lambda: matrices_as_table(panels, axes), key)


def curve(figure: go.Figure, *, key: str, caption: str) -> None:
    """A Plotly figure of curves or bars."""
    chart.draw(figure, key=key, alt=caption)
    caption_and_data(caption, lambda: curves_as_table(figure), key)


def caption_and_data(caption: str, table: Callable[[], pd.DataFrame], key: str) -> None:
    """What to look at, and the numbers: the table is made when somebody opens it."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small", wrap=False):
        st.caption(caption, width="stretch")
        box = st.popover(text("page", "data"), icon=":material/table:", on_change="rerun", key=f"{key}-data", type="tertiary")
    with box:
        if box.open:
            rows = table()
            st.dataframe(rows.head(1000), hide_index=True, height=320)
            name = f"{key}.csv"
            st.download_button(text("page", "download"), rows.to_csv(index=False), name, "text/csv", key=f"{key}-csv", on_click="ignore")


def kept_cell() -> dict[str, int]:
    """The cell that the URL names, as drawn row and column; the third token looking back at the first where it names none."""
    given = st.query_params.get("cell", "")
    parts = given.split(",")
    if len(parts) == 2 and all(part.isdecimal() and len(part) <= 7 for part in parts):
        return {"i": int(parts[0]), "j": int(parts[1])}
    return {"i": 2, "j": 0}


def keep_cell(key: str, first: int) -> None:
    """Puts the cell that the reader chose on a board into the URL."""
    cell = st.session_state[key].cell
    if cell and {"i", "j"} <= set(cell):
        st.query_params["cell"] = f"{cell['i'] - first},{cell['j'] - first}"


def scale(title: str, colours: Range) -> board.Scale:
    """A colour bar of the board."""
    return board.Scale(title, colours.low, colours.high, colours.stops)


def matrices_as_table(panels: Sequence[board.Panel], axes: Mapping[str, board.Axis]) -> pd.DataFrame:
    """One row per cell of every panel that is there."""
    tables = []
    for panel in panels:
        if panel.values is None:
            continue
        rows, columns = axes[panel.rows], axes[panel.cols]
        shape = panel.values.shape
        tables.append(
            pd.DataFrame(
                {
                    "figure": panel.title,
                    "row": np.repeat(rows.index, shape[1]),
                    "row_label": np.repeat(np.asarray(rows.labels, dtype=object), shape[1]),
                    "column": np.tile(columns.index, shape[0]),
                    "column_label": np.tile(np.asarray(columns.labels, dtype=object), shape[0]),
                    "value": panel.values.ravel(),
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def curves_as_table(figure: go.Figure) -> pd.DataFrame:
    """One row per point of every named trace."""
    tables = [pd.DataFrame({"series": trace.name, "x": trace.x, "y": trace.y}) for trace in figure.data if trace.name]
    return pd.concat(tables, ignore_index=True).dropna()
