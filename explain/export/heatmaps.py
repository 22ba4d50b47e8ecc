"""The board's matrices as one Plotly figure: the same arrangement, colours and ranges, for images.

Coordinates are drawn positions, counted from 0, so that every cell has the same size; the ticks say which token or number stands there.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from explain.board import Axis, Panel, Scale
from explain.export.look import LOOKS
from explain.figures import Figure
from explain.palette import MASKED, TONES
from explain.view import Matrices
from explain.words import markup

LEFT, RIGHT, TOP, BOTTOM = 84, 16, 34, 106
LEGEND = 22
GAP_X, GAP_Y = 92, 96
"""Pixels between two plots, room for titles and labels."""
NARROWEST, TALLEST, FLATTEST, SMALLEST = 220, 560, 90, 60
"""Pixels: below the first there are fewer plots beside each other; matrices that are not square are between the next two high; no plot
is made smaller than the last to fit a height."""
LABEL = 11
"""Pixels that a label needs across its direction."""
LONGEST = 9
"""Signs of a label that are shown."""
TYPE = {"size": 13}
SMALL = {"size": 11}
BAR = 0.3
"""A colour bar's share of the width."""


def default_width(drawn: Matrices) -> int:
    """The width at which its plots have room: more for three beside each other than for one."""
    beside = min(drawn.columns, len(drawn.panels))
    return LEFT + RIGHT + (beside - 1) * GAP_X + beside * (420 if beside == 1 else 330 if beside == 2 else 290)


def figure(drawn: Matrices, theme: str, masked: str, width: int | None = None, height: int | None = None) -> Figure:
    """A grid of heatmaps, row 0 on top, as high as it needs or as given. `masked` is what cells without a number are, for the legend."""
    width = width or default_width(drawn)
    beside = max(1, min(drawn.columns, len(drawn.panels), (width - LEFT - RIGHT + GAP_X) // (NARROWEST + GAP_X)))
    panels = _in_order(drawn, beside)
    side = (width - LEFT - RIGHT - (beside - 1) * GAP_X) / beside
    rows = [panels[start : start + beside] for start in range(0, len(panels), beside)]
    heights = [_height(row, drawn, side) for row in rows]
    holes = any(panel.values is not None and bool(np.isnan(panel.values).any()) for panel in panels)
    below = BOTTOM + (LEGEND if holes else 0)
    if height:
        room = height - TOP - below - GAP_Y * (len(rows) - 1)
        smaller = min(1.0, max(SMALLEST / side, room / sum(heights)))
        side, heights = side * smaller, [one * smaller for one in heights]
    across, inner = width - LEFT - RIGHT, sum(heights) + GAP_Y * (len(rows) - 1)
    start = (across - beside * side - (beside - 1) * GAP_X) / 2
    scales = [key for key in drawn.scales if any(panel.values is not None and panel.scale == key for panel in panels)]
    layout: dict[str, Any] = {
        "width": width,
        "height": round(TOP + inner + below),
        "margin": {"l": LEFT, "r": RIGHT, "t": TOP, "b": below},
        "font": dict(TYPE),
        "plot_bgcolor": MASKED,
        "showlegend": holes,
        "legend": {"orientation": "h", "x": 1, "xanchor": "right", "y": 0, "yref": "container", "yanchor": "bottom", "font": dict(SMALL)},
        "annotations": [],
    }
    data: list[dict[str, Any]] = []
    for place, key in enumerate(scales):
        lifted = LEGEND / layout["height"] if holes else 0.0
        layout[f"coloraxis{place + 1 if place else ''}"] = _colours(drawn.scales[key], place, len(scales), lifted)
    number, top = 0, 0.0
    for row, high in zip(rows, heights, strict=True):
        for column, panel in enumerate(row):
            number += 1
            nth = str(number) if number > 1 else ""
            left = start + column * (side + GAP_X)
            lying, standing = [left / across, (left + side) / across], [(inner - top - high) / inner, (inner - top) / inner]
            _axes(layout, nth, panel, drawn, (lying, standing), (side, high))
            layout["annotations"].append(_title(panel, nth, theme))
            if panel.values is None:
                data.append(_hatching(panel, nth, theme))
                layout["annotations"].append(_note(panel, nth, side))
            else:
                data.append(_heatmap(panel, nth, scales.index(panel.scale)))
        top += high + GAP_Y
    if holes:
        data.append(_legend(masked))
    return {"data": data, "layout": layout}


def _in_order(drawn: Matrices, beside: int) -> Sequence[Panel]:
    """As on the board: in their wide order where all columns have room, in their own otherwise."""
    by_id = {panel.id: panel for panel in drawn.panels}
    return [by_id[name] for name in drawn.wide] if drawn.wide and beside == drawn.columns else drawn.panels


def _height(row: Sequence[Panel], drawn: Matrices, side: float) -> float:
    """Square matrices are square; the others as high as their cells would be, within limits, or as the square ones beside them."""
    shapes = [(len(drawn.axes[panel.rows].index), len(drawn.axes[panel.cols].index)) for panel in row]
    if any(height == width for height, width in shapes):
        return side
    return min(TALLEST, max(FLATTEST, *(side * height / width for height, width in shapes)))


def _heatmap(panel: Panel, nth: str, scale: int) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "z": np.asarray(panel.values, dtype=np.float32),
        "name": markup(panel.title),
        "meta": panel.id,
        "xaxis": f"x{nth}",
        "yaxis": f"y{nth}",
        "coloraxis": f"coloraxis{scale + 1 if scale else ''}",
        "zsmooth": False,
    }


def _hatching(panel: Panel, nth: str, theme: str) -> dict[str, Any]:
    """The ground of a term that a scheme has not."""
    look = LOOKS[theme]
    return {
        "type": "scatter",
        "x": [-0.5, 0.5, 0.5, -0.5, -0.5],
        "y": [-0.5, -0.5, 0.5, 0.5, -0.5],
        "xaxis": f"x{nth}",
        "yaxis": f"y{nth}",
        "mode": "lines",
        "line": {"width": 1, "color": look.line},
        "fill": "toself",
        "fillcolor": look.paper,
        "fillpattern": {"shape": "/", "bgcolor": look.paper, "fgcolor": look.line, "size": 9, "solidity": 0.18},
        "meta": panel.id,
        "showlegend": False,
    }


def _legend(masked: str) -> dict[str, Any]:
    """An entry for masked cells, which are the plots' own ground."""
    square = {"symbol": "square", "size": 12, "color": MASKED, "line": {"width": 1, "color": "#565b66"}}
    return {"type": "scatter", "x": [None], "y": [None], "mode": "markers", "marker": square, "name": markup(masked)}


def _axes(
    layout: dict[str, Any],
    nth: str,
    panel: Panel,
    drawn: Matrices,
    domains: tuple[list[float], list[float]],
    pixels: tuple[float, float],
) -> None:
    axes = drawn.axes[panel.cols], drawn.axes[panel.rows]
    absent = panel.values is None
    shared = {"showgrid": False, "zeroline": False, "showline": True, "mirror": True, "ticks": "" if absent else "outside", "ticklen": 3}
    for letter, axis, domain, room in zip("xy", axes, domains, pixels, strict=True):
        low, high = -0.5, (1 if absent else len(axis.index)) - 0.5
        layout[f"{letter}axis{nth}"] = {
            **shared,
            "anchor": f"{'y' if letter == 'x' else 'x'}{nth}",
            "domain": [min(1.0, max(0.0, edge)) for edge in domain],
            "range": [low, high] if letter == "x" else [high, low],
            "title": {"text": markup(axis.title), "font": dict(SMALL), "standoff": 4},
            "tickfont": {"size": 10},
            **({"showticklabels": False} if absent else _ticks(axis, room, letter == "x")),
        }


def _ticks(axis: Axis, room: float, lying: bool) -> dict[str, Any]:
    """Every label where they all fit, else numbers at round steps."""
    index = np.asarray(axis.index)
    numbers = all(label.lstrip("-−").isdecimal() for label in axis.labels)
    labels = [label if len(label) <= LONGEST else label[: LONGEST - 1] + "…" for label in axis.labels]
    labels = [label.replace("-", "−") for label in labels] if numbers else labels
    if len(index) * LABEL <= room and not (numbers and lying):
        standing = lying and max(map(len, labels)) * 6.5 > room / len(index)
        return {"tickvals": list(range(len(index))), "ticktext": [markup(label) for label in labels], "tickangle": -90 if standing else 0}
    most = max(2, int(room / (max(len(str(number)) for number in index) * 7 + 14 if lying else 2 * LABEL)))
    step = next(step for power in range(8) for step in (10**power, 2 * 10**power, 5 * 10**power) if (index % step == 0).sum() <= most)
    at = np.flatnonzero(index % step == 0)
    at = at if len(at) else np.array([0])
    return {"tickvals": at.tolist(), "ticktext": [str(number).replace("-", "−") for number in index[at]], "tickangle": 0}


def _title(panel: Panel, nth: str, theme: str) -> dict[str, Any]:
    """Above its plot, in its tone. The tone says again what the words say."""
    place = {"xref": f"x{nth} domain", "yref": f"y{nth} domain", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom", "yshift": 4}
    colour = TONES[panel.tone][theme] if panel.tone != "neutral" else LOOKS[theme].ink
    return place | {"text": f"<b>{markup(panel.title)}</b>", "showarrow": False, "align": "left", "font": {"size": 13, "color": colour}}


def _note(panel: Panel, nth: str, side: float) -> dict[str, Any]:
    place = {"xref": f"x{nth} domain", "yref": f"y{nth} domain", "x": 0.5, "y": 0.5, "xanchor": "center", "yanchor": "middle"}
    lines = "<br>".join(markup(line) for line in wrap(panel.note, max(12, int(side / 7.5))))
    return place | {"text": lines, "showarrow": False, "font": {"size": 12}}


def _colours(scale: Scale, place: int, count: int, lifted: float) -> dict[str, Any]:
    left = (1 - count * BAR) / 2 if count * BAR < 0.7 else 0.0
    return {
        "cmin": float(scale.low),
        "cmax": float(scale.high),
        "colorscale": [[float(at), colour] for at, colour in scale.stops],
        "colorbar": {
            "orientation": "h",
            "title": {"text": markup(scale.title) + "<br>\u200b", "side": "top", "font": dict(SMALL)},  # or it touches the bar
            "x": left + place * (BAR + 0.06),
            "xanchor": "left",
            "len": BAR,
            "y": lifted,
            "yref": "container",
            "yanchor": "bottom",
            "thickness": 12,
            "nticks": 5,
            "tickfont": {"size": 10},
            "outlinewidth": 0,
            "ypad": 4,
        },
    }
