"""Arrays in, Plotly figures out: every curve and bar of the explainer. No Streamlit, no scheme's name, no maths.

Colours and ranges are explicit, so that a figure looks the same on a page, in a slide and in a file.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from explain.palette import SERIES

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid")
HEIGHT = 340


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
    dots: bool = False


class Mark(NamedTuple):
    """A labelled vertical line, or a shaded stretch where it says until where."""

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
) -> go.Figure:
    """Curves over one axis. Colour and dash differ together, so that neither is needed alone."""
    figure = go.Figure(layout=_layout(x_title, y_title))
    strong = 0
    for one in series:
        colour = "rgba(128,128,128,0.45)" if one.faint else SERIES[strong % len(SERIES)]
        dash = "solid" if one.faint else DASHES[strong % len(DASHES)]
        strong += not one.faint
        if one.low is not None and one.high is not None:
            figure.add_trace(_band(one, colour))
        figure.add_trace(
            go.Scatter(
                x=_light(one.x),
                y=_light(one.y),
                name=one.name,
                mode="lines+markers" if one.dots else "lines",
                marker={"size": 6},
                line={"color": colour, "dash": dash, "width": 1 if one.faint else 2.2, "shape": "hv" if one.steps else "linear"},
                hovertemplate="%{x:,}: %{y:.4g}",
                hoverinfo="skip" if one.faint else None,
                connectgaps=False,
            )
        )
    figure.update_xaxes(type="log" if log_x else "linear")
    figure.update_yaxes(type="log" if log_y else "linear", rangemode="tozero" if from_zero and not log_y else "normal")
    if log_x:
        figure.update_xaxes(dtick=1, exponentformat="power")
    if log_y:
        figure.update_yaxes(exponentformat="power", nticks=6)
    for mark in marks:
        at = np.log10(mark.x) if log_x else mark.x
        figure.add_shape(type="line", x0=mark.x, x1=mark.x, y0=0, y1=1, yref="paper", line={"dash": "dot", "width": 1.5, "color": "gray"})
        if mark.until is not None:
            shade = {"fillcolor": "rgba(128,128,128,0.18)", "line": {"width": 0}, "layer": "below"}
            figure.add_shape(type="rect", x0=mark.x, x1=mark.until, y0=0, y1=1, yref="paper", **shade)
        figure.add_annotation(
            x=at, y=1, yref="paper", text=mark.label, showarrow=False, xanchor="left", yanchor="top", xshift=3, font={"size": 11}
        )
    return figure


def bars(groups: Sequence[tuple[str, np.ndarray, np.ndarray]], *, x_title: str, y_title: str, log_y: bool = False) -> go.Figure:
    """Bars in named groups (name, x, height), which differ by colour and by hatching; bars at the same x stand beside each other."""
    figure = go.Figure(layout=_layout(x_title, y_title))
    for number, (name, x, height) in enumerate(groups):
        figure.add_trace(
            go.Bar(
                x=_light(x),
                y=_light(height),
                name=name,
                marker={"color": SERIES[number], "pattern": {"shape": ("", "/", "x")[number % 3], "size": 6, "solidity": 0.35}},
                hovertemplate="%{x}: %{y:.6g}",
            )
        )
    crowded = len(np.unique(np.concatenate([x for _, x, _ in groups]))) < sum(len(x) for _, x, _ in groups)
    figure.update_layout(bargap=0.25, barmode="group" if crowded else "overlay")
    figure.update_yaxes(type="log" if log_y else "linear", exponentformat="power")
    figure.update_xaxes(dtick=1 if max(len(x) for _, x, _ in groups) <= 16 else None)
    return figure


def apart(rows: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Several curves (m, n) over the same x (n,) as one with gaps: many thin lines for the price of one."""
    gaps = np.full((len(rows), 1), np.nan)
    return np.tile(np.append(x, np.nan), len(rows)), np.concatenate([rows, gaps], axis=1).ravel()


def _band(one: Series, colour: str) -> go.Scatter:
    return go.Scatter(
        x=_light(np.concatenate([one.x, one.x[::-1]])),
        y=_light(np.concatenate([one.high, one.low[::-1]])),  # type: ignore[index]
        fill="toself",
        fillcolor=_clear(colour),
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
    )


def _layout(x_title: str, y_title: str) -> go.Layout:
    axis = {"showline": True, "ticks": "outside", "automargin": True, "title": {"standoff": 8}}
    return go.Layout(
        template="none",
        height=HEIGHT,
        margin={"l": 56, "r": 12, "t": 40, "b": 48},
        font={"size": 13},
        hovermode="x unified",
        hoverlabel={"namelength": -1},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0, "xanchor": "left"},
        showlegend=True,
        uirevision="kept",
        xaxis=axis | {"title": {"text": x_title, "standoff": 8}},
        yaxis=axis | {"title": {"text": y_title, "standoff": 8}},
    )


def _clear(colour: str) -> str:
    red, green, blue = (int(colour[c : c + 2], 16) for c in (1, 3, 5)) if colour.startswith("#") else (128, 128, 128)
    return f"rgba({red},{green},{blue},0.18)"


def _light(values: np.ndarray) -> np.ndarray:
    """float32 halves what travels; Plotly sends it as bytes. Whole numbers stay exact to 2^24."""
    return np.asarray(values, dtype=np.float32)
