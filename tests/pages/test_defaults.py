"""Every page as a first visitor meets it: all its parts, no complaint, and the very numbers that posenc computes."""

from collections.abc import Iterator

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explain import controls, navigation, panels, weights
from explain.controls import Choice, Switch
from explain.export import answer
from explain.export.query import parse
from explain.parts.overview import tiles
from explain.words import DEFAULT, has, text, texts
from posenc import catalogue, content
from posenc import setting as evaluate
from posenc.attention import softmax
from posenc.measure import drawn
from posenc.setting import Setting
from tests.pages import app

ANCHORS = ["vectors", "terms", "bias", "decay", "properties", "question", "code"]
TERMS = {"cc": "content_content", "cp": "content_position", "pc": "position_content", "pp": "position_position", "ia": "interaction"}
OTHER_SIDE = {"your_model": ("upload-kind-example-0", "rows")}
"""A widget of the page's own and the option at which it shows what it does not show as it opens."""


@pytest.fixture(scope="module", params=catalogue.SCHEMES)
def scheme(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def visit(scheme: str) -> tuple[AppTest, set[tuple[str, str]]]:
    """The page, and the texts that it asked for."""
    with app.asking() as asked:
        return app.opened(scheme), asked


@pytest.fixture(scope="module")
def page(visit: tuple[AppTest, set[tuple[str, str]]]) -> AppTest:
    return visit[0]


def close(found: np.ndarray, wanted: np.ndarray) -> None:
    """Equal, masked cells included, to what float32 holds of the largest entry."""
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-5 * max(1e-30, np.nanmax(np.abs(wanted), initial=0)))


def same_as_posenc(at: AppTest, name: str, setting: Setting) -> None:
    """The board of terms holds what posenc computes, and its sum the logits by the scheme's direct way."""
    module = catalogue.load(name)
    kept = drawn(setting.length, panels.MOST)
    mask = evaluate.seen(module, setting, kept)
    rows = evaluate.terms(module, setting, kept)
    board = app.boards(at)[f"{name}-terms"]
    for panel, term in TERMS.items():
        part = getattr(rows, term)
        assert (part is None) == (panel not in board.arrays), f"{term} of {name}"
        if part is not None:
            close(board.arrays[panel], np.where(mask, part[0], np.nan)[:, kept])
    logits = evaluate.scores(module, setting, kept)[0]
    close(board.arrays["sum"], np.where(mask, logits, np.nan)[:, kept])
    close(board.arrays["att"], np.where(mask, softmax(logits, mask), np.nan)[:, kept])
    assert board.head["axes"]["i"]["index"] == board.head["axes"]["j"]["index"] == [*map(int, kept + setting.first)]
    assert board.head["axes"]["i"]["labels"] == [setting.words[token] for token in kept]


def test_nothing_goes_wrong(page: AppTest) -> None:
    assert not page.exception
    assert [one.value for one in (*page.error, *page.warning)] == []


def test_ten_parts(page: AppTest, scheme: str) -> None:
    assert [one.value for one in page.title] == [text(scheme, "title")]
    prose = app.said(page)
    assert text(scheme, "sentence") in prose
    assert any(text(scheme, "answers") in one for one in prose)
    assert len(page.latex) == 1
    anchors = [anchor for anchor in app.anchors(page) if anchor in ANCHORS]  # pages have parts of their own between these
    assert anchors == ANCHORS
    assert len(page.table) == 1
    assert len(page.radio) == 1
    assert page.radio[0].value is None


def test_every_part_shows_a_figure(page: AppTest, scheme: str) -> None:
    boards, charts = app.boards(page), app.charts(page)
    assert {f"{scheme}-terms", f"{scheme}-bias"} <= set(boards)
    assert {f"{scheme}-offsets", f"{scheme}-decay", f"{scheme}-logits"} <= set(charts)
    assert any(key in boards or key in charts for key in (f"{scheme}-vectors", f"{scheme}-instead"))
    others = {element.proto.component_name for element in page.get("bidi_component")} - {"board", "chart"}
    assert others == {"language", "live"}
    assert len({*boards, *charts}) == len(boards) + len(charts) == len(page.get("bidi_component")) - len(others)


def test_figures_are_described_in_words(page: AppTest) -> None:
    captions = [one.value for one in page.caption]
    for key, described in [
        *((key, one.head["name"]) for key, one in app.boards(page).items()),
        *((key, one.alt) for key, one in app.charts(page).items()),
    ]:
        assert len(described) > 20, key
        assert described in captions, f"{key}: the caption is also the text alternative"
    for one in app.said(page):
        assert not app.unfilled(one), one


def test_charts_travel_as_float32(page: AppTest) -> None:
    for key, chart in app.charts(page).items():
        assert chart.figure["data"], key
        for trace in chart.figure["data"]:
            assert {app.array(trace[side]).dtype for side in "xy"} == {np.dtype("<f4")}, key
            assert np.isfinite(app.array(trace["y"])).any(), key


def test_the_board_shows_what_posenc_computes(page: AppTest, scheme: str) -> None:
    same_as_posenc(page, scheme, controls.default_setting(catalogue.load(scheme)))


def test_the_board_follows_the_knobs(scheme: str) -> None:
    """Longer than can be drawn cell by cell, moved, masked, another head: the drawn pairs are still the real ones."""
    module = catalogue.load(scheme)
    words = tuple(content.fit(content.tokens(controls.SENTENCE), 300))
    setting = controls.default_setting(module).change(
        words=words, first=11, causal=True, head=1, seed=3, loud=0.5, width=32, trained={}, content=1.0
    )
    at = app.opened(scheme, length=300, first=11, causal="true", head=2, seed=3, loud=0.5, width=32, trained="false")
    assert not at.exception
    assert not at.error
    same_as_posenc(at, scheme, weights.with_trained(module, setting) if at.session_state["trained"] else setting)
    board = app.boards(at)[f"{scheme}-terms"]
    assert board.arrays["sum"].shape == (150, 150)
    assert text("page", "strided", step=2) in board.head["name"]


def test_the_question_is_answered(scheme: str) -> None:
    """Only the right option is greeted as such, and every option is followed by the explanation."""
    right = int(text(scheme, "question.right")) - 1
    at = app.opened(scheme, length=4, width=8)
    before = [len(at.success), len(at.info)]  # what conventions came to
    for place, option in enumerate(at.radio[0].options):
        at = at.radio[0].set_value(option).run()
        assert [len(at.success), len(at.info)] == [before[0] + (place == right), before[1] + (place != right)]
        (told,) = [box.value for box in (*at.success, *at.info) if text(scheme, "question.answer") in box.value]
        assert at.radio[0].options[right] in told


def options(scheme: str) -> Iterator[tuple[str, str]]:
    """Each option of each choice and each switch of a scheme, as links give them."""
    for name in sorted(controls.acting(catalogue.load(scheme))):
        match controls.KNOBS[name]:
            case Choice(options=found):
                yield from ((name, option) for option in found)
            case Switch():
                yield from ((name, state) for state in ("true", "false"))


def test_every_text_is_shown(visit: tuple[AppTest, set[tuple[str, str]]], scheme: str) -> None:
    """By the page as it opens, at one of its options, or when the question is answered; and no text is missing there."""
    with app.asking() as asked:
        for option in options(scheme):
            answer.run(parse(scheme, "", "json", [("length", "8"), ("width", "8"), option]))
    shown = {key for page, key in visit[1] | asked if page == scheme} | {"question.answer"}
    assert texts(DEFAULT, scheme).keys() - shown == set()


@pytest.mark.parametrize("name", navigation.IDEAS)
def test_pages_between_the_schemes(name: str) -> None:
    """They open without complaint, describe their figures, and show all their texts."""
    tiles.cache_clear()
    with app.asking() as asked:
        at = app.opened(name)
        if name in OTHER_SIDE:
            key, option = OTHER_SIDE[name]
            app.opened(name).segmented_control(key=key).set_value(option).run()
    assert not at.exception
    assert [one.value for one in (*at.error, *at.warning)] == []
    for one in app.said(at):
        assert not app.unfilled(one), one
    assert texts(DEFAULT, name).keys() - {key for page, key in asked if page == name} - {"question.answer"} == set()


def test_corrections_are_there_for_pages_that_have_one(page: AppTest, scheme: str) -> None:
    labels = [one.label for one in page.expander]
    assert (text("page", "correction") in labels) == has(scheme, "correction")


def test_the_start_page_has_a_card_for_every_scheme() -> None:
    at = app.opened("start")
    assert not at.exception
    assert [one.value for one in (*at.error, *at.warning)] == []
    assert [one.value for one in at.title] == [text("start", "headline")]
    links = [element.proto.page for element in at.get("page_link")]
    assert links == [*navigation.path()]
    assert len(at.get("image")) == len(catalogue.SCHEMES)
    for one in app.said(at):
        assert not app.unfilled(one), one
