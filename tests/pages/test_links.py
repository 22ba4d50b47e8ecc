"""Links that ask for what there is not: a usable page, and a sentence that names the knob, the value and the limit."""

import pytest

from explain import controls
from explain.controls import Choice, Number, Switch, Text
from explain.words import text
from posenc import catalogue
from tests.pages import app

ONE = next(name for name in catalogue.SCHEMES if hasattr(catalogue.load(name), "bias"))
"""Links are read before any page runs, so that one page tells for all: one of those that draw fastest."""
NUMBERS = [name for name, knob in controls.KNOBS.items() if isinstance(knob, Number)]
NAMED = [name for name, knob in controls.KNOBS.items() if isinstance(knob, Choice | Switch)]


def usable(at: object) -> None:
    assert not at.exception
    assert not at.error
    assert app.boards(at)


def test_unknown_parameters_are_ignored() -> None:
    at = app.opened(ONE, nonsense="1", lenght="5", utm_source="x")
    usable(at)
    assert not at.warning


@pytest.mark.parametrize("junk", ["abc", "NaN", "inf", "-inf", "-1", "99999999999", "", "1;2", "0x10", "1e400"])
def test_numbers_out_of_range_or_none_at_all(junk: str) -> None:
    """All number knobs at once."""
    at = app.opened(ONE, **dict.fromkeys(NUMBERS, junk))
    usable(at)
    told = [one.value.replace("\\", "") for one in at.warning]
    assert len(told) == len(NUMBERS)
    for name, warning in zip(NUMBERS, told, strict=True):
        knob = controls.KNOBS[name]
        assert text("controls", name) in warning
        assert junk in warning
        assert f"from {knob.low} to {knob.high}" in warning
        assert name not in at.session_state or knob.low <= at.session_state[name] <= knob.high


def test_choices_that_do_not_exist() -> None:
    at = app.opened(ONE, **dict.fromkeys(NAMED, "<b>perhaps</b>"))
    usable(at)
    told = [one.value for one in at.warning]
    assert len(told) == len(NAMED)
    for name, warning in zip(NAMED, told, strict=True):
        assert text("controls", name) in warning
        assert "<b>" not in warning
        assert name not in at.session_state or at.session_state[name] == controls.KNOBS[name].start


def test_a_fraction_for_a_whole_number_is_not_rounded_in_silence() -> None:
    at = app.opened(ONE, length="4.5")
    usable(at)
    assert len(at.warning) == 1
    assert "4.5" in at.warning[0].value.replace("\\", "")


def test_every_parameter_given_twice() -> None:
    at = app.opened(ONE, **{name: [str(knob.start), str(knob.start)] for name, knob in controls.KNOBS.items()})
    usable(at)
    assert len(at.warning) == len(controls.KNOBS)


def test_a_sentence_of_ten_thousand_characters() -> None:
    at = app.opened(ONE, sentence="x y " * 2500)
    usable(at)
    assert len(at.warning) == 1
    assert "10000" in at.warning[0].value
    assert str(controls.LONGEST_SENTENCE) in at.warning[0].value
    assert len(at.session_state["sentence"]) <= controls.LONGEST_SENTENCE


def test_a_sentence_at_the_limit_is_kept() -> None:
    at = app.opened(ONE, sentence="é" * controls.LONGEST_SENTENCE)
    usable(at)
    assert not at.warning
    assert at.session_state["sentence"] == "é" * controls.LONGEST_SENTENCE


CELLS = ["junk", "", ",", "1", "1,2,3", "-1,0", "1e3,0", "999999,999999", "99999999999999999999,0", "١,٢", "²,1", "<b>,$x$"]


@pytest.mark.parametrize("cell", CELLS)
def test_any_cell(cell: str) -> None:
    at = app.opened(ONE, cell=cell, length=6, width=8)
    usable(at)
    for board in app.boards(at).values():
        for axis, place in board.head["cell"].items():
            assert 0 <= place < len(board.head["axes"][axis]["index"])


def test_a_cell_that_is_there() -> None:
    at = app.opened(ONE, cell="4,1", first=100, width=8)
    cell = app.boards(at)[f"{ONE}-terms"].head["cell"]
    assert cell == {"i": 4, "j": 1}


def test_refusals_are_in_the_language_of_the_page() -> None:
    at = app.opened("rope", width=3, lang="zh")
    assert [one.value for one in at.error] == [
        "这组设置画不出来：宽度 d = 3，必须是不小于 2 的偶数，因为维度成对使用。其余一切照旧：把控件调回可用的范围，页面就会继续。"
    ]


def test_complaints_go_when_the_reader_moves_a_knob() -> None:
    at = app.opened(ONE, length="abc", width=8)
    assert len(at.warning) == 1
    at = at.slider(key="length").set_value(9).run()
    usable(at)
    assert not at.warning


def test_knobs_keep_their_value_from_page_to_page() -> None:
    """Those that the next page has not are kept too, for the one after it."""
    at = app.opened(ONE, length=9, width=8, seed=5, num_buckets=16, clip=2)
    for scheme in catalogue.SCHEMES[1:5]:
        at = at.switch_page(f"../pages/{scheme}.py").run()
        assert not at.exception
        assert {name: at.session_state[name] for name in ("length", "width", "seed", "num_buckets", "clip")} == {
            "length": 9,
            "width": 8,
            "seed": 5,
            "num_buckets": 16,
            "clip": 2,
        }
        assert app.boards(at)[f"{scheme}-terms"].arrays["sum"].shape == (9, 9)


def test_reset_puts_every_knob_back() -> None:
    ends = {"length": 5, "width": 8, "loud": 2.0, "causal": "true", "axes": "log", "sentence": "short"}
    at = app.opened(ONE, **ends)
    button = next(one for one in at.button if one.label == text("controls", "reset"))
    at = button.click().run()
    assert not at.exception
    for name, knob in controls.KNOBS.items():
        assert name not in at.session_state or at.session_state[name] == knob.start


def knobs_of(at: object) -> dict[str, bool]:
    """The knobs that the page draws, and whether each is locked. Hidden ones are not counted."""
    drawn = [one for kind in (at.slider, at.number_input, at.text_input, at.toggle, at.selectbox, at.button_group) for one in kind]
    styles = " ".join(one.proto.body for one in at.get("html"))
    return {one.key: one.disabled for one in drawn if one.key in controls.KNOBS and f".st-key-{one.key} " not in styles.replace(",", " ")}


def test_a_link_to_a_class_shows_some_knobs_only() -> None:
    """The others stand as it says, shown or not."""
    at = app.opened("shaw", only="clip, length", clip=2, width=8, seed=5)
    usable(at)
    assert knobs_of(at) == {"clip": False, "length": False}
    assert {name: at.session_state[name] for name in ("clip", "width", "seed")} == {"clip": 2, "width": 8, "seed": 5}
    assert app.boards(at)["shaw-terms"].arrays["sum"].shape == (24, 24)
    at = at.slider(key="length").set_value(9).run()
    assert knobs_of(at) == {"clip": False, "length": False}
    assert app.boards(at)["shaw-terms"].arrays["sum"].shape == (9, 9)


def test_a_link_to_a_class_locks_some_knobs() -> None:
    at = app.opened("shaw", locked="clip,causal,axes,seed,sentence", clip=2, width=8)
    usable(at)
    found = knobs_of(at)
    assert found.keys() == controls.acting(catalogue.load("shaw"))
    assert {name for name, locked in found.items() if locked} == {"clip", "causal", "axes", "seed", "sentence"}
    assert at.session_state["clip"] == 2


def test_reset_leaves_what_a_link_holds() -> None:
    """Locked knobs, and those that are not shown."""
    at = app.opened("shaw", locked="clip", only="clip,length", clip=2, width=8, length=9)
    at = next(one for one in at.button if one.label == text("controls", "reset")).click().run()
    usable(at)
    assert {name: at.session_state[name] for name in ("clip", "width", "length")} == {"clip": 2, "width": 8, "length": 24}
    assert knobs_of(at) == {"clip": True, "length": False}


def test_what_a_link_holds_no_button_moves() -> None:
    at = app.opened("order", locked="sentence")
    held = [one for one in at.button if one.key and one.key.startswith("order-")]
    assert held
    assert all(one.disabled for one in held)
    assert not any(one.disabled for one in app.opened("order").button)


@pytest.mark.parametrize("limit", controls.LIMITS)
def test_a_name_that_is_no_knob(limit: str) -> None:
    """It is said; the other names hold. Where none is left, nothing is held."""
    at = app.opened("shaw", **{limit: "clip,<b>,lenght", "clip": 2, "width": 8})
    usable(at)
    assert len(at.warning) == 1
    assert limit in at.warning[0].value
    assert "lenght" in at.warning[0].value
    assert "<b>" not in at.warning[0].value
    assert at.query_params[limit] == "clip"
    assert at.session_state["clip"] == 2
    assert knobs_of(at)["clip"] == (limit == "locked")
    at = app.opened("shaw", **{limit: "lenght", "width": 8})
    usable(at)
    assert len(at.warning) == 1
    assert knobs_of(at) == dict.fromkeys(controls.acting(catalogue.load("shaw")), False)


def test_a_limit_given_twice() -> None:
    at = app.opened("shaw", only=["clip", "length"], width=8)
    usable(at)
    assert len(at.warning) == 1
    assert "only" not in at.query_params


def test_a_head_beyond_the_last_is_said_to_give_way() -> None:
    """Where the number of heads decides, the last head stands in for those beyond it, and the page says so."""
    scheme = next(name for name in catalogue.SCHEMES if "heads" in controls.acting(catalogue.load(name)))
    at = app.opened(scheme, heads=4, head=9)
    usable(at)
    assert text("controls", "heads.given_way", head=9, heads=4) in app.said(at)


def test_links_hold_text_only_where_a_knob_is_text() -> None:
    assert [name for name, knob in controls.KNOBS.items() if isinstance(knob, Text)] == ["sentence", "reordered"]
