"""Arrays in, Plotly figures out: every curve and bar of the explainer. No Streamlit, no scheme's name, no maths.

A figure is Plotly's own description of one, a plain dict of `data` and `layout` with float32 arrays for numbers: plotly.graph_objects would
check every property of it at every move of a slider, at a hundred times the cost of making it. Tests put each figure through that check.
Colours and ranges are explicit, so that a figure looks the same on a page, in a slide and in a file.
"""

import base64
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from explain.palette import OF_TONE, SERIES

Figure = dict[str, Any]
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")
HATCHES = ("", "/", "x", ".")
FAINT = "rgba(128,128,128,0.6)"
HEIGHT = 340
MARKED = 64
"""Points of a curve up to which each is marked: nothing was computed between them."""


class Series(NamedTuple):
    """One curve: its name, its points, and a band around it where there is a spread."""

    name: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    faint: bool = False
    """For what only gives the background of another curve."""
    steps: bool = False
    """For values that hold from one point to the next."""
    tone: str = ""
    """For what is content or position, or both: "content", "position" or "mixed"."""


class Mark(NamedTuple):
    """A labelled vertical line, or a shaded stretch from there where it has an end."""

    x: float
    label: str
    until: float | None = None


def curves(
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    from_zero: bool = False,
    marks: Sequence[Mark] = (),
) -> Figure:
    """Curves over one axis. Colour and dash differ together, so that neither is needed alone."""
    data: list[dict[str, Any]] = []
    strong = 0
    for one in series:
        colour = FAINT if one.faint else OF_TONE.get(one.tone, SERIES[strong % len(SERIES)])
        dash = "solid" if one.faint else DASHES[strong % len(DASHES)]
        strong += not one.faint
        if one.low is not None and one.high is not None:
            data.append(_band(one.x, one.low, one.high, colour))
        data.append(
            {
                "type": "scatter",
                "x": _light(one.x),
                "y": _light(one.y),
                "name": one.name,
                "mode": "lines+markers" if len(one.x) <= MARKED and not (one.faint or one.steps) else "lines",
                "marker": {"size": 6},
                "line": {"color": colour, "dash": dash, "width": 1 if one.faint else 2.2, "shape": "hv" if one.steps else "linear"},
                "connectgaps": False,
                **({"hoverinfo": "skip"} if one.faint else {"hovertemplate": "%{x:,}: %{y:.4g}"}),
            }
        )
    layout = _layout(x_title, y_title)
    if log_x:
        layout["xaxis"] |= {"type": "log", "dtick": 1, "exponentformat": "power"}
    if log_y:
        layout["yaxis"] |= {"type": "log", **_log_ticks(np.concatenate([one.y for one in series]))}
    elif from_zero:
        layout["yaxis"] |= {"rangemode": "tozero"}
    # A NumPy number would travel as an array; a logarithmic axis has no place at or below 0.
    marks = [mark._replace(x=float(mark.x)) for mark in marks if not log_x or mark.x > 0]
    layout["shapes"] = [_line(mark.x) if mark.until is None else _shade(mark.x, mark.until) for mark in marks]
    layout["annotations"] = [_label(float(np.log10(mark.x)) if log_x else mark.x, mark.label) for mark in marks]
    return {"data": data, "layout": layout}


def bars(
    groups: Sequence[tuple[str, np.ndarray, np.ndarray]], *, x_title: str, y_title: str, log_y: bool = False, tones: Sequence[str] = ()
) -> Figure:
    """Bars in named groups (name, x, height), which differ by colour and by hatching; bars at the same x stand beside each other.

    Groups that are content or position, or both, say so by `tones`, as a curve does.
    """
    data = [
        {
            "type": "bar",
            "x": _light(x),
            "y": _light(height),
            "name": name,
            "marker": _marker(number, tones[number] if tones else ""),
            "hovertemplate": "%{x}: %{y:.6g}",
        }
        for number, (name, x, height) in enumerate(groups)
    ]
    crowded = len(np.unique(np.concatenate([x for _, x, _ in groups]))) < sum(len(x) for _, x, _ in groups)
    layout = _layout(x_title, y_title) | {"bargap": 0.25, "barmode": "group" if crowded else "overlay"}
    if log_y:
        layout["yaxis"] |= {"type": "log", **_log_ticks(np.concatenate([height for _, _, height in groups]))}
    if max(len(x) for _, x, _ in groups) <= 16:
        layout["xaxis"] |= {"dtick": 1}
    return {"data": data, "layout": layout}


def ranked(groups: Sequence[tuple[str, Sequence[str], np.ndarray, Sequence[str]]], *, x_title: str) -> Figure:
    """Lying bars in named groups (name, what each bar is, its length, what is written at its end), from the top down."""
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "x": _light(length),
            "y": list(names),
            "name": group,
            "text": list(written),
            "textposition": "outside",
            "cliponaxis": False,
            "marker": _marker(number),
            "hoverinfo": "skip",
        }
        for number, (group, names, length, written) in enumerate(groups)
    ]
    names = [name for _, of_group, _, _ in groups for name in of_group]
    layout = _layout(x_title, "") | {"hovermode": False, "bargap": 0.3, "barmode": "overlay", "height": 110 + 22 * len(names)}
    longest = max((float(np.nanmax(length, initial=0.0)) for _, _, length, _ in groups), default=0.0) or 1.0
    layout["xaxis"] |= {"range": [0, 1.18 * longest]}
    # How much room names take, only the browser knows.
    order = {"autorange": "reversed", "categoryorder": "array", "categoryarray": names}
    layout["yaxis"] |= order | {"automargin": True, "ticks": "", "tickfont": {"size": 12}}
    return {"data": data, "layout": layout}


def apart(rows: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Several curves (m, n) over the same x (n,) as one with gaps: many thin lines for the price of one."""
    gaps = np.full((len(rows), 1), np.nan)
    return np.tile(np.append(x, np.nan), len(rows)), np.concatenate([rows, gaps], axis=1).ravel()


def to_json(figure: Figure) -> str:
    """The figure as JSON, its arrays as Plotly's typed arrays: bytes in base64."""
    return json.dumps(figure, default=_typed, ensure_ascii=False)


def _marker(number: int, tone: str = "") -> dict[str, Any]:
    """Bars of a group: colour and hatching differ together."""
    return {
        "color": OF_TONE.get(tone, SERIES[number % len(SERIES)]),
        "pattern": {"shape": HATCHES[number % len(HATCHES)], "size": 6, "solidity": 0.35},
    }


def _typed(array: np.ndarray) -> dict[str, str]:
    shape = {"shape": ", ".join(map(str, array.shape))} if array.ndim > 1 else {}
    return {"dtype": "f4", "bdata": base64.b64encode(np.ascontiguousarray(array, dtype="<f4").tobytes()).decode(), **shape}


def _band(x: np.ndarray, low: np.ndarray, high: np.ndarray, colour: str) -> dict[str, Any]:
    red, green, blue = (int(colour[c : c + 2], 16) for c in (1, 3, 5)) if colour.startswith("#") else (128, 128, 128)
    return {
        "type": "scatter",
        "x": _light(np.concatenate([x, x[::-1]])),
        "y": _light(np.concatenate([high, low[::-1]])),
        "fill": "toself",
        "fillcolor": f"rgba({red},{green},{blue},0.18)",
        "line": {"width": 0},
        "mode": "lines",
        "hoverinfo": "skip",
        "showlegend": False,
        "zorder": -1,  # below all curves, also those before it
    }


def _layout(x_title: str, y_title: str) -> dict[str, Any]:
    axis = {"showline": True, "ticks": "outside", "ticklabeloverflow": "allow"}
    return {
        "height": HEIGHT,
        "margin": {"l": 72, "r": 12, "t": 40, "b": 48},
        "font": {"size": 13},
        "hovermode": "x unified",
        "hoverlabel": {"namelength": -1},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0, "xanchor": "left"},
        "showlegend": True,
        "uirevision": "kept",
        "xaxis": axis | {"title": {"text": x_title, "standoff": 8}},
        "yaxis": axis | {"title": {"text": y_title, "standoff": 4}, "exponentformat": "power"},
    }


def _log_ticks(values: np.ndarray) -> dict[str, Any]:
    """Powers of ten, at most six; over less than three decades 2 and 5 in between, all written out: Plotly would leave bare 2s and 5s."""
    drawn = _light(values)
    powers = np.log10(drawn[np.isfinite(drawn) & (drawn > 0)])
    decades = float(np.ptp(powers)) if len(powers) else 0.0
    return {"tickformat": ",~r", "nticks": 6} if decades < 3 else {"dtick": int(np.ceil(decades / 6))}


def _line(x: float) -> dict[str, Any]:
    dotted = {"dash": "dot", "width": 1.5, "color": "gray"}
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": dotted}


def _shade(x: float, until: float) -> dict[str, Any]:
    grey = {"fillcolor": "rgba(128,128,128,0.18)", "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", "x0": x, "x1": until, "y0": 0, "y1": 1, "yref": "paper", **grey}


def _label(x: float, label: str) -> dict[str, Any]:
    place = {"x": x, "y": 1, "yref": "paper", "xanchor": "left", "yanchor": "top", "xshift": 3}
    return place | {"text": label, "showarrow": False, "font": {"size": 11}}


def _light(values: np.ndarray) -> np.ndarray:
    """float32 halves what travels. Whole numbers stay exact to 2^24."""
    return np.asarray(values, dtype=np.float32)
