"""Every page at the ends of every knob: a figure, or one plain refusal that names the value and the limit; never a crash."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explain import controls, panels
from explain.controls import Choice, Number, Switch
from posenc import catalogue, content
from tests.pages import app

REFUSAL = re.compile(r"\w[\w ]* (is|has) .+; .*(must|needs|holds|there (is|are)|at (most|least))")
"""How posenc refuses: the name, the value, the limit."""
STRANGE = (
    "🐈‍⬛ 👩‍👩‍👧 🇨🇳 e\u0301 🙂 הכלב נשך את האיש والرجل عضّ الكلب <b>x</b> <script>alert(1)</script> &amp; $x$ $$y$$ [a](javascript:1)"
    " ![i](http://x) :smile: `c` **b** {{cc}} {i} %{x} \\content{z} one\ntwo\r\nthree\u2028four"
)
SENTENCES = {"empty": "", "white space only": " \n\t ", "strange": STRANGE, "longest": "字" * controls.LONGEST_SENTENCE}
# Each of these sizes at once where they don't multiply into a large one; every one is met by some row.
SHARED: dict[str, dict[str, object]] = {
    "one token": {"length": 1, "width": 2, "heads": 1, "loud": 0, "clip": 0, "causal": "true"},
    "one token, both ways": {"length": 1, "width": 4, "axes": "log"},
    "two tokens": {"length": 2, "width": 2, "heads": 3, "head": 3},
    "odd width": {"width": 3, "length": 7},
    "silent": {"loud": 0, "length": 9},
    "loud": {"loud": 4, "length": 9, "causal": "true"},
    "far away": {"first": 32_768, "length": 9, "seed": 9_999},
    "long": {"length": 512, "width": 8, "heads": 64, "head": 64, "clip": 64, "axes": "log"},
    "long and causal": {"length": 512, "width": 8, "causal": "true"},
    "wide": {"width": 512, "length": 4},
}


BASE = {"length": 12, "width": 8}
"""Where the knobs of a scheme are tried: small, so that it is quick."""


EVERYWHERE = ("one token", "odd width", "far away", "long")
"""Tried with every scheme; the others with the first of each family."""


def own_extremes(scheme: str) -> Iterator[dict[str, object]]:
    """All number knobs that only some schemes have at their low ends, at their high ends; each other option; each switch turned."""
    own = [controls.KNOBS[name] for name in sorted(controls.acting(catalogue.load(scheme)) - {*controls.SHARED})]
    numbers = [knob for knob in own if isinstance(knob, Number)]
    if numbers:
        yield {knob.name: knob.low for knob in numbers} | {"causal": True, "axes": "log"}
        yield {knob.name: knob.high for knob in numbers}
    for knob in own:
        match knob:
            case Choice(options=options):
                yield from ({knob.name: option} for option in options[1:])
            case Switch(start=start):
                yield {knob.name: not start}


def cases() -> Iterator[pytest.ParameterSet]:
    first_ones = {names[0] for names in catalogue.FAMILIES.values()}
    for scheme in catalogue.SCHEMES:
        for label, query in SHARED.items():
            if label in EVERYWHERE or scheme in first_ones:
                yield pytest.param(scheme, query, id=f"{scheme}-{label}")


def holds(at: AppTest, scheme: str) -> None:
    """Content, or one plain refusal; and whatever is drawn adds up."""
    assert not at.exception, [one.value for one in at.exception]
    assert [one.value for one in at.warning] == []
    for one in app.said(at):
        assert not app.unfilled(one), one
    if at.error:
        assert len(at.error) == 1
        assert REFUSAL.search(at.error[0].value), at.error[0].value
        return
    boards = app.boards(at)
    assert f"{scheme}-terms" in boards
    for key, board in boards.items():
        for panel, values in board.arrays.items():
            assert max(values.shape) <= panels.MOST, (key, panel)
    for key, chart in app.charts(at).items():
        for trace in chart.figure["data"]:
            assert len(app.array(trace["x"])) == len(app.array(trace["y"])), key
            assert not np.isinf(app.array(trace["y"])).any(), key
    adds_up(boards[f"{scheme}-terms"].arrays)


def adds_up(arrays: dict[str, np.ndarray]) -> None:
    """The terms drawn sum to the logits drawn, and each row of attention to no more than 1: all of it where all keys are drawn."""
    parts = [arrays[panel].astype(np.float64) for panel in ("cc", "cp", "pc", "pp", "ia") if panel in arrays]
    largest = max(float(np.nanmax(np.abs(part))) for part in parts)
    np.testing.assert_allclose(sum(parts), arrays["sum"], rtol=0, atol=1e-5 * max(1.0, largest))
    shares = np.nansum(arrays["att"], axis=1, dtype=np.float64)
    assert (shares <= 1 + 1e-5).all()
    assert (np.nan_to_num(arrays["att"]) >= 0).all()


@pytest.mark.parametrize(("scheme", "query"), [*cases()])
def test_ends_of_the_shared_knobs(scheme: str, query: dict[str, object]) -> None:
    at = app.opened(scheme, **query)
    if not at.exception:
        assert {name: str(at.session_state[name]).lower().removesuffix(".0") for name in query} == {
            name: str(value).lower().removesuffix(".0") for name, value in query.items()
        }
    holds(at, scheme)


@pytest.mark.parametrize("scheme", catalogue.SCHEMES)
def test_ends_of_the_knobs_of_its_own(scheme: str) -> None:
    """One visit, one after the other moved and put back."""
    at = app.opened(scheme, **BASE)
    for moved in own_extremes(scheme):
        for name, value in moved.items():
            at.session_state[name] = value
        at = at.run()
        assert {name: at.session_state[name] for name in moved} == moved
        holds(at, scheme)
        for name in moved:
            at.session_state[name] = controls.KNOBS[name].start


@pytest.mark.parametrize("scheme", catalogue.SCHEMES)
def test_any_sentence(scheme: str) -> None:
    """One visit, one sentence typed after the other."""
    length = len(content.tokens(STRANGE))
    at = app.opened(scheme, length=length, width=8)
    for label, sentence in SENTENCES.items():
        at = at.text_input(key="sentence").set_value(sentence).run()
        assert not at.error, label
        holds(at, scheme)
        words = app.boards(at)[f"{scheme}-terms"].head["axes"]["j"]["labels"]
        assert len(words) == length
        assert all(word.strip() and "\n" not in word for word in words), label


def test_every_shared_knob_is_taken_to_both_ends() -> None:
    """A knob that is added later is tried too."""
    for name in controls.SHARED:
        tried = {str(value).lower() for query in SHARED.values() for value in [query.get(name)] if value is not None}
        match controls.KNOBS[name]:
            case Number(low=low, high=high) as knob:
                ends = {low, high} - {knob.start}
            case Choice(options=options):
                ends = {*options[1:]}
            case Switch(start=start):
                ends = {not start}
            case _:
                ends = set()
        assert {f"{end:g}" if isinstance(end, float) else str(end).lower() for end in ends} <= tried, name
