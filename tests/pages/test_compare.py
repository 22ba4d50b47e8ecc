"""Schemes side by side: the same words and projections, one scale, one cell; and what the page says of them."""

import numpy as np
import pytest

from explain import controls, navigation
from explain.words import amount, text
from posenc import catalogue
from posenc import setting as evaluate
from posenc.attention import softmax
from posenc.decay import FAR, curve
from posenc.setting import Setting
from tests.pages import app

FOUR = dict(zip(navigation.PICKERS, ("sinusoidal", "rope", "alibi", "nope"), strict=True))
SMALL = {"length": 10, "width": 8}
BOARDS = ("compare-added", "compare-attention", "compare-terms")


def setting(name: str) -> Setting:
    scheme = catalogue.load(name)
    start = controls.default_setting(scheme)
    return start.change(words=start.words[:10], width=8, trained={}, content=1.0)


@pytest.fixture(scope="module")
def four() -> object:
    return app.opened("compare", **SMALL, **FOUR)


def test_four_schemes_show_what_posenc_computes(four: object) -> None:
    boards = app.boards(four)
    assert not four.exception
    assert not four.error
    for name in FOUR.values():
        scheme, given = catalogue.load(name), setting(name)
        for board, wanted in (
            ("compare-added", evaluate.terms(scheme, given).positional()[0]),
            ("compare-attention", evaluate.attention(scheme, given)[0]),
        ):
            np.testing.assert_allclose(boards[board].arrays[name], wanted, rtol=0, atol=1e-6 * max(1, np.abs(wanted).max()))


def test_words_and_projections_are_the_same(four: object) -> None:
    """Content–content is the same wherever a scheme scales it in the same way."""
    parts = app.boards(four)["compare-terms"].arrays
    assert {name for name in FOUR.values() if f"{name}_cc" in parts} == {*FOUR.values()}
    for name in FOUR.values():
        np.testing.assert_array_equal(parts[f"{name}_cc"], parts["nope_cc"])
    assert {panel for panel in parts if panel.startswith("rope_")} == {"rope_cc", "rope_ia"}


def test_one_scale_and_one_cell_for_all(four: object) -> None:
    for key in BOARDS:
        head = app.boards(four)[key].head
        panels = [panel for panel in head["panels"] if panel["id"] != "apart"]
        assert len({panel["scale"] for panel in panels}) == 1, key
        assert {(panel["rows"], panel["cols"]) for panel in head["panels"]} == {("i", "j")}, key
        assert head["cell"] == {"i": 2, "j": 0}


def test_a_kept_cell_holds_on_every_board() -> None:
    boards = app.boards(app.opened("compare", **SMALL, **FOUR, cell="7,3"))
    assert [boards[key].head["cell"] for key in BOARDS] == [{"i": 7, "j": 3}] * 3


def test_the_difference_is_that_of_the_first_two(four: object) -> None:
    for key in ("compare-added", "compare-attention"):
        head, arrays = app.boards(four)[key]
        np.testing.assert_allclose(arrays["apart"], arrays["sinusoidal"] - arrays["rope"], rtol=0, atol=1e-6)
        assert amount(float(np.abs(arrays["sinusoidal"].astype(float) - arrays["rope"]).max())) in head["name"]


def test_decay_of_each_scheme(four: object) -> None:
    charts = app.charts(four)
    near, far = (charts[key].figure["data"] for key in ("compare-decay", "compare-decay_far"))
    names = [text(name, "title") for name in FOUR.values()]
    assert [trace["name"] for trace in near] == [trace["name"] for trace in far] == names
    for trace, name in zip(near, FOUR.values(), strict=True):
        np.testing.assert_allclose(app.array(trace["y"]), curve(catalogue.load(name), setting(name)), rtol=0, atol=1e-6)
    assert all(app.array(trace["x"])[-1] == FAR - 1 for trace in far)


def test_a_scheme_picked_twice_is_shown_once_and_nobody_not_at_all() -> None:
    twice = dict(zip(navigation.PICKERS, ("alibi", "alibi", "none", "none"), strict=True))
    boards = app.boards(app.opened("compare", **SMALL, **twice))
    assert {*boards["compare-added"].arrays} == {"alibi"}


def test_one_that_refuses_says_so() -> None:
    """RoPE turns pairs: an odd width is none of its."""
    at = app.opened("compare", length=10, width=7, **FOUR)
    assert not at.exception
    assert len(at.error) == 1
    assert "it must be even" in at.error[0].value.replace("\\", "")


@pytest.mark.parametrize("name", ["alibi", "t5", "sandwich", "fire", "kerple"])
def test_a_bias_ten_times_paler_decides_less_of_attention(name: str) -> None:
    """The page's question."""
    found = evaluate.terms(catalogue.load(name), setting(name))
    words, place = found.content_content, found.position_position
    changed = [np.abs(softmax(words + place * part) - softmax(words)).sum() for part in (1, 0.1)]
    assert changed[1] < changed[0]
