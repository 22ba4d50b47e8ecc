"""The board's matrices as Plotly's: row 0 on top, the board's colours and ranges, masked and absent cells seen as what they are."""

import numpy as np
import plotly.graph_objects as go
import pytest

from explain import palette, panels
from explain.board import Axis, Panel
from explain.export import heatmaps
from explain.export.look import LOOKS, dressed
from explain.figures import Series, curves
from explain.palette import MASKED
from explain.view import Matrices

VALUES = np.array([[1.0, -2.0, np.nan], [0.5, 0.25, 4.0], [3.0, np.nan, 0.0]])


def matrices(**changed: object) -> Matrices:
    words = ["the", "<b>", "猫"]
    axes = {"i": Axis("query i ↓", words, np.arange(3)), "j": Axis("key j →", words, np.arange(3)), "c": Axis("c", ["0", "1"], [0, 1])}
    shown = [
        Panel("a", "one & two", "i", "j", "logit", VALUES, "content"),
        Panel("b", "none", "i", "j", "logit", None, "position", "not there"),
        Panel("p", "wide", "i", "c", "share", np.abs(VALUES[:, :2])),
    ]
    scales = {"logit": panels.scale("logit", palette.signed(VALUES)), "share": panels.scale("attention", palette.share(VALUES))}
    return Matrices(shown, axes, scales, **({"wide": ["a", "p", "b"]} | changed))


def drawn(**changed: object) -> dict:
    return heatmaps.figure(matrices(**changed), "light", "masked: the future")


def test_plotly_takes_it() -> None:
    for theme in LOOKS:
        go.Figure(dressed(heatmaps.figure(matrices(), theme, "masked"), theme))


def test_row_0_is_on_top_and_column_0_at_the_left() -> None:
    figure = drawn()
    assert figure["layout"]["yaxis"]["range"] == [2.5, -0.5]
    assert figure["layout"]["xaxis"]["range"] == [-0.5, 2.5]
    np.testing.assert_array_equal(figure["data"][0]["z"], VALUES.astype(np.float32))
    assert figure["data"][0]["z"].dtype == np.float32


def test_colours_and_ranges_are_the_boards() -> None:
    figure, board = drawn(), matrices().scales
    for trace, name in ((figure["data"][0], "logit"), (figure["data"][1], "share")):
        colours = figure["layout"][trace["coloraxis"]]
        assert (colours["cmin"], colours["cmax"]) == (board[name].low, board[name].high)
        assert [tuple(stop) for stop in colours["colorscale"]] == list(board[name].stops)
        assert "autocolorscale" not in colours


def test_masked_cells_have_a_colour_and_an_entry() -> None:
    figure = drawn()
    assert figure["layout"]["plot_bgcolor"] == MASKED
    assert figure["layout"]["showlegend"] is True
    entry = figure["data"][-1]
    assert entry["name"] == "masked: the future"
    assert entry["marker"]["color"] == MASKED


def test_without_masked_cells_there_is_no_entry() -> None:
    whole = matrices()
    full = Matrices([Panel("a", "a", "i", "j", "logit", np.ones((3, 3)))], whole.axes, whole.scales)
    figure = heatmaps.figure(full, "light", "masked")
    assert figure["layout"]["showlegend"] is False
    assert len(figure["data"]) == 1


def test_absent_terms_are_hatched_and_say_why() -> None:
    figure = drawn()
    hatching = figure["data"][2]
    assert hatching["fillpattern"]["shape"] == "/"
    assert hatching["xaxis"] == "x3"
    assert [note["text"] for note in figure["layout"]["annotations"] if note["xref"] == "x3 domain"] == ["<b>none</b>", "not there"]


def test_order_is_the_boards() -> None:
    assert [trace.get("meta") for trace in drawn()["data"][:3]] == ["a", "p", "b"]
    narrow = heatmaps.figure(matrices(), "light", "m", 500)
    assert [trace.get("meta") for trace in narrow["data"][:3]] == ["a", "b", "p"]
    assert [trace.get("meta") for trace in drawn(wide=())["data"][:3]] == ["a", "b", "p"]


def test_words_are_no_markup() -> None:
    layout = drawn()["layout"]
    assert layout["yaxis"]["ticktext"] == ["the", "&lt;b&gt;", "猫"]
    assert layout["annotations"][0]["text"] == "<b>one &amp; two</b>"


@pytest.mark.parametrize("width", [320, 500, 960, 2400])
@pytest.mark.parametrize("height", [None, 240, 900])
def test_cells_are_square_at_any_size(width: int, height: int | None) -> None:
    layout = heatmaps.figure(matrices(), "light", "masked", width, height)["layout"]
    margin = layout["margin"]
    inner = width - margin["l"] - margin["r"], layout["height"] - margin["t"] - margin["b"]
    across, down = (
        (layout[f"{side}axis"]["domain"][1] - layout[f"{side}axis"]["domain"][0]) * of for side, of in zip("xy", inner, strict=True)
    )
    assert across == pytest.approx(down, abs=1)
    assert down >= heatmaps.SMALLEST - 1
    if height == 900 and width == 960:
        assert layout["height"] <= height


def test_narrow_figures_have_fewer_beside_each_other() -> None:
    lefts = [
        {heatmaps.figure(matrices(), "light", "m", width)["layout"][f"xaxis{n}"]["domain"][0] for n in ("", 2, 3)} for width in (320, 1400)
    ]
    assert [len(found) for found in lefts] == [1, 3]


@pytest.mark.parametrize("count", [1, 2, 24, 100, 256])
@pytest.mark.parametrize("room", [60, 300, 600])
def test_ticks_never_crowd(count: int, room: int) -> None:
    for first in (0, 7, 32_000):
        labels = [f"word{number}" for number in range(count)]
        for lying in (True, False):
            ticks = heatmaps._ticks(Axis("a", labels, np.arange(count) * 2 + first), room, lying)
            assert ticks["tickvals"]
            assert len(ticks["tickvals"]) == len(ticks["ticktext"])
            assert len(ticks["tickvals"]) * 9 <= max(room, 20)
            assert all(0 <= at < count for at in ticks["tickvals"])


def test_numbers_stand_at_round_positions() -> None:
    index = np.arange(-30, 31)
    ticks = heatmaps._ticks(Axis("offset", [str(one) for one in index], index), 300, True)
    for at, shown in zip(ticks["tickvals"], ticks["ticktext"], strict=True):
        assert shown == str(index[at]).replace("-", "−")
    assert "−20" in ticks["ticktext"]


@pytest.mark.parametrize("theme", LOOKS)
def test_a_theme_is_explicit(theme: str) -> None:
    """Nothing is left to a template or to the page around it."""
    curve = curves([Series("a", np.arange(3), np.arange(3))], x_title="x", y_title="y")
    for figure in (curve, drawn()):
        layout = dressed(figure, theme)["layout"]
        assert layout["template"] == {}
        assert layout["paper_bgcolor"] == LOOKS[theme].paper
        assert layout["font"]["color"] == LOOKS[theme].ink
        assert layout["font"]["family"]
        assert all("linecolor" in layout[name] for name in layout if name.startswith(("xaxis", "yaxis")))
    assert "template" not in curve["layout"]
    assert "color" not in curve["layout"]["font"]


def test_larger_type() -> None:
    curve = curves([Series("a", np.arange(3), np.arange(3))], x_title="x", y_title="y")
    assert dressed(curve, "light", 2.0)["layout"]["font"]["size"] == 2 * curve["layout"]["font"]["size"]
    assert dressed(curve, "light", 2.0)["layout"]["margin"]["l"] == 2 * curve["layout"]["margin"]["l"]
