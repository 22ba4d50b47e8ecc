"""Knobs are shown where they act, and nowhere else: every one that is drawn changes a number of its page."""

from collections.abc import Iterator
from itertools import islice
from types import SimpleNamespace

import pytest

from explain import controls, navigation, stage
from explain.controls import Choice, Knob, Number, Switch, Text
from explain.export import answer
from explain.export.query import Asked, parse
from explain.figures import to_json
from explain.view import Matrices
from posenc import catalogue
from posenc.setting import learned
from posenc.tables import size
from tests.pages import app

BASE: dict[str, object] = {"length": 12, "width": 8, "max_positions": 160}
"""Where knobs are tried: small, so that it is quick."""


def asked(page: str, **knobs: object) -> Asked:
    return parse(page, "", "json", [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in knobs.items()])


def shown(page: str, **knobs: object) -> list[object] | None:
    """All numbers and words of a page's figures, and of a scheme the number of its parameters; None where it refuses the knobs."""
    at = asked(page, **knobs)
    try:
        views = answer.run(at).values()
    except ValueError:
        return None
    numbers = [matrices(view.drawn) if isinstance(view.drawn, Matrices) else to_json(view.drawn) for view in views]
    with stage.answering(stage.Request(at.knobs, at.language, at.theme)):
        schemes = [catalogue.load(page)] if page in catalogue.SCHEMES else []
        counts = [size(learned(scheme, controls.setting(scheme))) for scheme in schemes]
    return [numbers, [view.caption for view in views], counts]


def matrices(board: Matrices) -> list[object]:
    """All numbers of a board, those on its axes included."""
    values = [None if panel.values is None else panel.values.tobytes() for panel in board.panels]
    return [values, [(axis.index.tolist(), axis.labels) for axis in board.axes.values()]]


def drawn(page: str, **knobs: object) -> set[str]:
    """The knobs that the page draws."""
    at = asked(page, **knobs)
    with stage.answering(stage.Request(at.knobs, at.language, at.theme)):
        return navigation.knobs(SimpleNamespace(url_path=page))


def others(knob: Knob, now: object) -> Iterator[object]:
    """Other values of a knob than the present one."""
    match knob:
        case Number(low=low, high=high, start=start, step=step):
            found = [low, start + step, start + 2 * step, high]
        case Choice(options=options):
            found = [*options]
        case Switch():
            found = [True, False]
        case Text():
            found = ["man bit dog"]
    return (value for value in found if value != now)


def settings(page: str) -> Iterator[dict[str, object]]:
    """The page at its defaults, and at each other option that makes some knob appear or disappear."""
    yield BASE
    own = navigation.acting(page, lambda name: controls.KNOBS[name].start)
    deciding = {other for name in own & controls.ONLY_WITH.keys() for other in controls.ONLY_WITH[name] if other in own}
    for other in sorted(deciding):
        knob = controls.KNOBS[other]
        values = [knob.start + 4 * knob.step] if isinstance(knob, Number) else others(knob, knob.start)
        yield from (BASE | {other: value} for value in values)


PAGES = [*catalogue.SCHEMES, "order"]
CASES = [pytest.param(page, at, id=f"{page}-{at}") for page in PAGES for at in settings(page)]


@pytest.mark.parametrize(("page", "at"), CASES)
def test_a_knob_that_is_drawn_changes_something_and_one_that_waits_does_not(page: str, at: dict[str, object]) -> None:
    before, there = shown(page, **at), drawn(page, **at)
    assert before is not None, "defaults can be drawn together"
    waiting = navigation.acting(page) - there
    assert waiting <= controls.ONLY_WITH.keys() | {"trained"}
    for name in there | waiting:
        if at is not BASE and name not in waiting | controls.ONLY_WITH.keys():
            continue  # tried at the defaults
        knob = controls.KNOBS[name]
        values = others(knob, at.get(name, knob.start))
        tried = (shown(page, **at | {name: value}) for value in (values if name in there else islice(values, 2)))
        changed = any(after not in (None, before) for after in tried)
        assert changed == (name in there), name


@pytest.mark.parametrize("at", [{"causal": True}, {"num_buckets": 16}, {"max_distance": 64}])
def test_the_trained_table_can_be_switched_off_only_where_it_fits(at: dict[str, object]) -> None:
    assert "trained" in drawn("t5", **BASE)
    assert "trained" not in drawn("t5", **BASE | at)
    assert shown("t5", **BASE | at, trained=True) == shown("t5", **BASE | at, trained=False)


def test_the_trained_table_is_not_wider_than_it_is() -> None:
    assert "trained" in drawn("learned", width=384)
    assert "trained" not in drawn("learned", width=386)


def test_a_knob_of_several_schemes_waits_only_where_it_acts_in_none() -> None:
    assert "num_buckets" not in drawn("compare", first_scheme="tupe", second_scheme="nope", third_scheme="none")
    assert "num_buckets" in drawn("compare", first_scheme="tupe", second_scheme="t5", third_scheme="none")


def test_a_link_wakes_the_knobs_that_act_with_what_it_gives() -> None:
    """In the first run already, before any widget has read the link."""
    at = app.opened("deberta", **BASE, log_buckets=8)
    assert {"max_relative_positions", "clamped"} <= {one.key for one in (*at.sidebar.slider, *at.sidebar.toggle)}
    at = at.sidebar.slider(key="log_buckets").set_value(0).run()
    assert not {"max_relative_positions", "clamped"} & {one.key for one in (*at.sidebar.slider, *at.sidebar.toggle)}
