"""Curves and bars: the same look everywhere, numbers as float32, nothing said by colour alone."""

import base64
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from explain import figures
from explain.figures import Mark, Series
from explain.palette import OF_TONE, SERIES

X = np.arange(5)


def curve(name: str = "a", **changed: object) -> Series:
    return Series(name, X, X**2 / 10, **changed)


def drawn(*series: Series, **options: object) -> go.Figure:
    return go.Figure(figures.curves(series or (curve(),), **({"x_title": "distance", "y_title": "attention"} | options)))


def colours_of_fonts(node: object) -> list[object]:
    """Every font colour that a layout hard-codes."""
    if isinstance(node, dict):
        own = [node["font"]["color"]] if isinstance(node.get("font"), dict) and "color" in node["font"] else []
        return own + [colour for part in node.values() for colour in colours_of_fonts(part)]
    return [colour for part in node for colour in colours_of_fonts(part)] if isinstance(node, list) else []


ALL = [
    drawn(),
    drawn(curve(low=X - 1.0, high=X + 1.0), curve("b", faint=True), curve("c", steps=True), marks=[Mark(2, "k")]),
    drawn(log_x=True, log_y=True, marks=[Mark(100, "far")]),
    go.Figure(figures.bars([("one", X, X + 1.0), ("two", X + 5, X + 1.0)], x_title="head", y_title="slope", log_y=True)),
    go.Figure(figures.ranked([("family", ["A", "B"], X[:2] + 1.0, ["1", "2"])], x_title="change")),
]


@pytest.mark.parametrize("figure", ALL)
def test_one_look(figure: go.Figure) -> None:
    """Plotly accepts every property, and no font colour is fixed: a page's own may be light or dark."""
    layout = {name: part for name, part in figure.to_dict()["layout"].items() if name != "template"}
    assert colours_of_fonts(layout) == []
    assert figure.layout.xaxis.title.text
    assert figure.layout.height > 0
    for trace in figure.data:
        assert trace.fillcolor or trace.line.color if isinstance(trace, go.Scatter) else trace.marker.color


def test_numbers_travel_as_bytes_of_float32() -> None:
    figure = figures.curves([curve(low=X - 1.0, high=X + 1.0)], x_title="x", y_title="y", marks=[Mark(2, "k")])
    for trace in json.loads(figures.to_json(figure))["data"]:
        for side in "xy":
            assert trace[side]["dtype"] == "f4"
    sent = np.frombuffer(base64.b64decode(json.loads(figures.to_json(figure))["data"][1]["y"]["bdata"]), "<f4")
    np.testing.assert_array_equal(sent, (X**2 / 10).astype(np.float32))


def test_positions_stay_exact_to_a_million() -> None:
    far = np.array([1_048_575, 1_048_576, 2**24])
    assert drawn(Series("far", far, far)).data[0].x.tolist() == far.tolist()


def test_colour_and_dash_differ_together() -> None:
    many = drawn(*(curve(str(number)) for number in range(len(SERIES))))
    assert len({(trace.line.color, trace.line.dash) for trace in many.data}) == len(SERIES)
    assert len({trace.line.color for trace in many.data[:6]}) == len({trace.line.dash for trace in many.data[:6]}) == 6


def test_more_series_than_colours() -> None:
    count = 2 * len(SERIES) + 1
    assert len(drawn(*(curve(str(number)) for number in range(count))).data) == count
    assert len(figures.bars([(str(number), X, X) for number in range(count)], x_title="x", y_title="y")["data"]) == count


def test_a_background_curve_takes_no_colour_from_the_others() -> None:
    figure = drawn(curve("thin", faint=True), curve("chosen"))
    assert figure.data[1].line.color == SERIES[0]
    assert figure.data[0].line.color.startswith("rgba(128,128,128")
    assert figure.data[0].hoverinfo == "skip"


def test_a_band_runs_out_along_the_top_and_back_along_the_bottom() -> None:
    band, line = drawn(curve(low=X - 1.0, high=X + 2.0)).data
    assert band.x.tolist() == [*X, *X[::-1]]
    assert band.y.tolist() == [*(X + 2.0), *(X - 1.0)[::-1]]
    assert band.fill == "toself"
    assert band.showlegend is False
    assert band.name is None
    assert line.y.tolist() == pytest.approx((X**2 / 10).tolist())
    red, green, blue = (int(SERIES[0][at : at + 2], 16) for at in (1, 3, 5))
    assert band.fillcolor == f"rgba({red},{green},{blue},0.18)"


def test_one_side_of_a_band_is_no_band() -> None:
    assert len(drawn(curve(low=X - 1.0)).data) == 1


def test_marks_stand_where_they_say() -> None:
    """Plotly wants a line's place as a number and its label's place as a logarithm on logarithmic axes."""
    plain, log = drawn(marks=[Mark(100, "k = 100")]), drawn(log_x=True, marks=[Mark(100, "k = 100")])
    assert [(figure.layout.shapes[0].x0, figure.layout.shapes[0].x1) for figure in (plain, log)] == [(100, 100)] * 2
    assert [figure.layout.annotations[0].x for figure in (plain, log)] == [100, 2]
    assert plain.layout.annotations[0].text == "k = 100"


@pytest.mark.parametrize("place", [0, -4])
def test_a_mark_that_a_logarithmic_axis_has_no_place_for_is_left_out(place: int) -> None:
    figure = drawn(log_x=True, marks=[Mark(place, "k")])
    assert not figure.layout.shapes
    assert not figure.layout.annotations


def test_axes() -> None:
    assert [drawn().layout[axis].type for axis in ("xaxis", "yaxis")] == [None] * 2
    log = drawn(log_x=True, log_y=True, from_zero=True)
    assert [log.layout[axis].type for axis in ("xaxis", "yaxis")] == ["log"] * 2
    assert log.layout.yaxis.rangemode is None
    assert drawn(from_zero=True).layout.yaxis.rangemode == "tozero"


def test_steps() -> None:
    assert drawn(curve(steps=True)).data[0].line.shape == "hv"


@pytest.mark.parametrize(("points", "mode"), [(figures.MARKED, "lines+markers"), (figures.MARKED + 1, "lines")])
def test_few_points_are_marked(points: int, mode: str) -> None:
    x = np.arange(points)
    assert drawn(Series("a", x, x)).data[0].mode == mode
    assert drawn(Series("a", x, x, faint=True)).data[0].mode == drawn(Series("a", x, x, steps=True)).data[0].mode == "lines"


def test_groups_of_bars_differ_by_hatching_too() -> None:
    figure = go.Figure(figures.bars([(name, X, X) for name in "abc"], x_title="x", y_title="y"))
    assert len({trace.marker.color for trace in figure.data}) == len({trace.marker.pattern.shape for trace in figure.data}) == 3


def test_what_is_content_or_position_keeps_its_colour_and_still_differs_by_dash_and_hatching() -> None:
    tones = ("content", "mixed", "mixed", "position")
    curves = drawn(*(curve(str(number), tone=tone) for number, tone in enumerate(tones))).data
    bars = go.Figure(figures.bars([(str(number), X, X) for number in range(4)], x_title="x", y_title="y", tones=tones)).data
    assert [one.line.color for one in curves] == [one.marker.color for one in bars] == [OF_TONE[tone] for tone in tones]
    assert len({one.line.dash for one in curves}) == 4
    assert bars[1].marker.pattern.shape != bars[2].marker.pattern.shape


def test_apart() -> None:
    x, y = figures.apart(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10, 20]))
    np.testing.assert_array_equal(x, [10, 20, np.nan, 10, 20, np.nan])
    np.testing.assert_array_equal(y, [1, 2, np.nan, 3, 4, np.nan])
    assert drawn(Series("thin", x, y)).data[0].connectgaps is False
