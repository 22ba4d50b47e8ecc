"""Knobs: each declared once, named in words, refused by name, value and limit; and shown only where they act."""

from types import ModuleType, SimpleNamespace

import pytest

from explain import controls, words
from explain.controls import KNOBS, Choice, Entry, Number, Switch, Text
from explain.navigation import IDEAS, START, knobs, neighbours
from posenc import catalogue, setting
from posenc.setting import parameters


@pytest.fixture(params=catalogue.SCHEMES)
def scheme(request: pytest.FixtureRequest) -> ModuleType:
    return catalogue.load(request.param)


@pytest.mark.parametrize("name", KNOBS)
def test_every_knob_has_words(name: str) -> None:
    assert words.text("controls", name)
    assert len(words.text("controls", f"{name}.help")) > 10
    for option in getattr(KNOBS[name], "options", ()):
        assert KNOBS[name].shown(option)


def test_names_are_unique() -> None:
    assert [knob.name for knob in KNOBS.values()] == [*KNOBS]
    labels = [words.text("controls", name) for name in KNOBS]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("knob", [knob for knob in KNOBS.values() if isinstance(knob, Number)], ids=lambda knob: knob.name)
def test_numbers_start_inside_their_range_and_are_of_one_kind(knob: Number) -> None:
    assert knob.low <= knob.start <= knob.high
    assert len({type(value) for value in (knob.low, knob.high, knob.start, knob.step)}) == 1


@pytest.mark.parametrize("knob", [knob for knob in KNOBS.values() if isinstance(knob, Choice)], ids=lambda knob: knob.name)
def test_links_name_an_option_as_any_language_does(knob: Choice) -> None:
    """Streamlit puts what a choice shows into the URL: a link has to hold in every language, and by the option's own name."""
    for option in knob.options:
        assert {knob.parse(name) for name in (option, *knob.names(option))} == {option}
    with pytest.raises(ValueError, match="nothing of the kind"):
        knob.parse("nothing of the kind")


def test_acting_knobs_are_those_a_scheme_asks_for(scheme: ModuleType) -> None:
    asked = {name for function in controls.ASKING if hasattr(scheme, function) for name in parameters(getattr(scheme, function))}
    acting = controls.acting(scheme)
    assert acting <= KNOBS.keys()
    assert asked & KNOBS.keys() - {"causal"} <= acting
    assert acting - asked - {*controls.SHARED} <= {"trained"}
    assert ("trained" in acting) == hasattr(scheme, "TRAINED")
    assert ("causal" in acting) == (not getattr(scheme, "CAUSAL_ONLY", False))


def test_each_knob_acts_somewhere() -> None:
    used = {name for scheme in catalogue.SCHEMES for name in controls.acting(catalogue.load(scheme))}
    assert used | {name for names in IDEAS.values() for name in names} == KNOBS.keys()


def test_defaults_can_be_drawn(scheme: ModuleType) -> None:
    default = controls.default_setting(scheme)
    assert default.length == KNOBS["length"].start
    assert default.head == 0
    assert setting.terms(scheme, default).total().shape == (1, default.length, default.length)
    assert {*default.arguments} <= controls.acting(scheme)


def test_the_sentence_fills_the_default_length() -> None:
    """No filler on any page as it opens."""
    for scheme in catalogue.SCHEMES:
        assert not [word for word in controls.default_setting(catalogue.load(scheme)).words if word.startswith("▫")]


@pytest.mark.parametrize("given", ["0", "513", "-1", "abc", "NaN", "inf", "-inf", "", "1;2", "1e9", "4.5", "<b>", "$x$"])
def test_numbers_that_are_refused(given: str) -> None:
    """By name, value and limit; the value as plain text."""
    complaint = KNOBS["length"].refusal(given)
    assert complaint is not None
    assert words.text("controls", "length") in complaint
    assert words.plain(given) in complaint
    assert "1" in complaint
    assert "512" in complaint


@pytest.mark.parametrize("given", ["1", "512", "24"])
def test_numbers_that_are_taken(given: str) -> None:
    assert KNOBS["length"].refusal(given) is None


def test_real_numbers_may_be_fractions() -> None:
    assert KNOBS["loud"].refusal("0.35") is None
    assert KNOBS["base"].refusal("123.4") is not None
    assert KNOBS["loud"].refusal("4.01") is not None


def test_a_long_value_is_cut_in_the_complaint() -> None:
    assert len(KNOBS["length"].refusal("9" * 10_000)) < 400


def test_choices_and_switches() -> None:
    assert Choice("axes", ("linear", "log"), "linear").refusal("log") is None
    complaint = Choice("axes", ("linear", "log"), "linear").refusal("cubic")
    assert "cubic" in complaint
    assert "linear, log" in complaint
    assert Switch("causal", False).refusal("true") is Switch("causal", False).refusal("False") is None
    assert "perhaps" in Switch("causal", False).refusal("perhaps")


def test_texts() -> None:
    knob = Text("sentence", "a", 5)
    assert knob.refusal("12345") is None
    assert "6" in knob.refusal("123456")
    assert "5" in knob.refusal("123456")


def test_entries_are_numbers() -> None:
    assert Entry("first", 0, 10, 0).refusal("11") is not None


def test_knobs_of_the_pages() -> None:
    assert knobs(SimpleNamespace(url_path="")) == set()
    for name in catalogue.SCHEMES:
        assert knobs(SimpleNamespace(url_path=name)) == controls.awake(catalogue.load(name))


def test_neighbours_run_through_all_schemes() -> None:
    """The ideas first."""
    order, at = [], next(iter(IDEAS))
    assert neighbours(at)[0] is None
    while at is not None:
        order.append(at)
        at = neighbours(at)[1]
    assert order == [*IDEAS, *catalogue.SCHEMES]
    assert START not in order
