"""One figure: what it shows, and its numbers as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import pandas as pd

from explain.board import Axis, Panel, Scale
from explain.figures import Figure


@dataclass(frozen=True)
class Matrices:
    """Matrices that share a cell."""

    panels: Sequence[Panel]
    axes: Mapping[str, Axis]
    scales: Mapping[str, Scale]
    readout: Sequence[str] = ()
    masked: str = ""
    columns: int = 3
    wide: Sequence[str] = ()
    first: int = 0
    """The position of the first token, for axes that count positions."""


@dataclass(frozen=True)
class View:
    """A figure of a page: its name in addresses, its title, what to look at (also its text alternative), and what is drawn."""

    page: str
    name: str
    title: str
    caption: str
    drawn: Matrices | Figure
    about: tuple[ModuleType, ...] | None = None
    """The schemes that it shows; None: those that the page is about, or that are picked there."""

    @property
    def key(self) -> str:
        """Its key among all figures of the app."""
        return f"{self.page}-{self.name}"

    def table(self) -> pd.DataFrame:
        """Its numbers as they are drawn, in float32: a row per cell of every matrix, or per point of every curve."""
        return _cells(self.drawn) if isinstance(self.drawn, Matrices) else _points(self.drawn)


def _cells(drawn: Matrices) -> pd.DataFrame:
    tables = []
    for panel in drawn.panels:
        if panel.values is None:
            continue
        rows, columns = drawn.axes[panel.rows], drawn.axes[panel.cols]
        height, width = np.shape(panel.values)
        tables.append(
            pd.DataFrame(
                {
                    "figure": panel.title,
                    "row": np.repeat(rows.index, width),
                    "row_label": np.repeat(np.asarray(rows.labels, dtype=object), width),
                    "column": np.tile(columns.index, height),
                    "column_label": np.tile(np.asarray(columns.labels, dtype=object), height),
                    "value": np.ravel(panel.values).astype(np.float32) + 0.0,  # no −0 in a file
                }
            )
        )
    return pd.concat(tables, ignore_index=True)


def _points(figure: Figure) -> pd.DataFrame:
    """A band is drawn out along its top and back along its bottom, before the curve that it belongs to."""
    tables, band = [], None
    for trace in figure["data"]:
        if "name" not in trace:
            band = trace["y"]
            continue
        table = pd.DataFrame({"series": trace["name"], "x": trace["x"], "y": trace["y"]})
        if band is not None:
            table["low"], table["high"] = band[len(table) :][::-1], band[: len(table)]
        tables.append(table)
        band = None
    return pd.concat(tables, ignore_index=True).dropna(subset=["x", "y"])
