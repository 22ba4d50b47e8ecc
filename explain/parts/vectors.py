"""Part 4: position vectors, as a heatmap, as curves of single dimensions, as similarities; or what a scheme has instead."""

import numpy as np

from explain import figures, palette, panels, stage
from explain.board import Axis, Panel
from explain.figures import Figure
from explain.parts.grid import strided
from explain.parts.opening import Page
from explain.view import Matrices
from explain.words import number, text
from posenc import setting as evaluate
from posenc.measure import drawn


def position_vectors(page: Page, **more: object) -> None:
    """Part 4 where each position has a vector: those of the sentence's tokens."""
    positions = np.arange(page.setting.length) + page.setting.first
    vectors(page, evaluate.vectors(page.scheme, page.setting), positions, text("page", "position"), **more)


def offset_vectors(page: Page, offsets: np.ndarray, **more: object) -> None:
    """Part 4 where each offset has a vector."""
    vectors(page, evaluate.vectors(page.scheme, page.setting, offsets), offsets, text("page", "offset"), **more)


def vectors(page: Page, values: np.ndarray, rows: np.ndarray, row_title: str, **more: object) -> None:
    """Vectors (m, d), one for each of `rows` (positions or offsets): heatmap, similarity p·p, and four of their dimensions.

    Rows of NaN stand for positions that have no vector. `more` are further numbers for the caption.
    """
    stage.heading(text("page", "vectors"), "vectors")
    stage.prose(page.say("vectors"))
    kept = drawn(len(rows), panels.MOST)
    shown, columns = values[kept], drawn(values.shape[1], panels.MOST)
    labels = [str(row) for row in rows[kept]]
    axes = {
        "i": Axis(f"{row_title} ↓", labels, rows[kept]),
        "c": Axis(text("page", "dimension") + " →", [str(c) for c in columns], columns),
        "j": Axis(f"{row_title} →", labels, rows[kept]),
    }
    alike = shown @ shown.T
    scales = {
        "entry": panels.scale(text("page", "entry"), palette.signed(shown)),
        "alike": panels.scale(text("page", "product"), palette.signed(alike)),
    }
    norms = np.linalg.norm(shown, axis=1)
    norms = norms[~np.isnan(norms)]
    low, high = (number(end(norms) if norms.size else None) for end in (np.min, np.max))
    facts = {"low": low, "high": high, "lengths": low if low == high else text("page", "range", low=low, high=high)}
    panels.show(
        page.name,
        "vectors",
        page.say("vectors.caption", **facts | more) + strided(len(rows)),
        Matrices(
            [
                Panel("p", text("page", "panel.vectors"), "i", "c", "entry", shown[:, columns], "position"),
                Panel("pp", text("page", "panel.similarity"), "i", "j", "alike", alike, "position"),
            ],
            axes,
            scales,
            readout=[text("page", "readout.vectors")],
            masked=text("page", "undefined.vectors"),
            first=int(rows[0]),
            columns=2,
        ),
    )
    some = np.unique(np.linspace(0, values.shape[1] - 1, 4).round().astype(int))
    series = [figures.Series(text("page", "dimension.c", c=c), rows, values[:, c]) for c in some]
    panels.show(
        page.name,
        "dimensions",
        page.say("dimensions.caption", dimensions=", ".join(map(str, some))),
        figures.curves(series, x_title=row_title, y_title=text("page", "entry")),
    )


def instead(page: Page, figure: Figure, **facts: object) -> None:
    """What a scheme without position vectors has instead: one figure, with the numbers its caption names."""
    stage.heading(page.say("instead.title"), "vectors")
    stage.prose(page.say("vectors"))
    panels.show(page.name, "instead", page.say("vectors.caption", **facts), figure)
