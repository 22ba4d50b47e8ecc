"""Knobs, the address, and what is drawn: they go together, whatever way a reader takes."""

from collections.abc import Callable

import numpy as np

from explain import controls
from explain.navigation import neighbours
from explain.words import text
from posenc import alibi, catalogue
from tests.browser.visit import Visit

ONE = next(name for name in catalogue.SCHEMES if hasattr(catalogue.load(name), "bias"))
SMALL = {"length": 6, "width": 8}


def pressed(seen: Visit, knob: str, key: str = "ArrowRight", times: int = 1) -> None:
    """Moves a slider by keyboard."""
    slider = seen.slider(knob)
    slider.focus()
    for _ in range(times):
        seen.page.keyboard.press(key)


def terms(seen: Visit, scheme: str) -> tuple[int, int]:
    """The size of the board of terms."""
    return seen.board(f"{scheme}-terms").pixels("sum").shape[:2]


def wait_for_size(seen: Visit, scheme: str, size: int) -> None:
    for _ in range(300):
        if terms(seen, scheme) == (size, size):
            return
        seen.page.wait_for_timeout(50)
    raise AssertionError(f"the board shows {terms(seen, scheme)}, not {size}")


def test_a_slider_changes_figure_and_address_and_the_picture_stays(visit: Callable[..., Visit]) -> None:
    """By keyboard; whatever way the reader comes back: by reloading the page, from another page, and forward to that one again."""
    seen = visit(ONE, **SMALL)
    pressed(seen, "length", times=3)
    seen.wait_for_query(length="9", width="8")
    wait_for_size(seen, ONE, 9)
    before = seen.board(f"{ONE}-terms").pixels("sum")
    seen.page.reload()
    seen.settled(3)
    np.testing.assert_array_equal(seen.board(f"{ONE}-terms").pixels("sum"), before)
    _, after = neighbours(ONE)
    seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").last.click()
    arrived(seen, after)
    seen.wait_for_query(length="9", width="8")
    assert terms(seen, after) == (9, 9)
    seen.page.go_back()
    arrived(seen, ONE)
    seen.wait_for_query(length="9", width="8")
    np.testing.assert_array_equal(seen.board(f"{ONE}-terms").pixels("sum"), before)
    seen.page.go_forward()
    arrived(seen, after)
    assert terms(seen, after) == (9, 9)
    assert seen.complaints() == []


def arrived(seen: Visit, scheme: str) -> None:
    """Until that page is there."""
    seen.page.get_by_role("heading", name=text(scheme, "title"), exact=True).wait_for()
    seen.settled(3)


def test_a_page_does_not_inherit_what_only_another_has(visit: Callable[..., Visit]) -> None:
    """Going from a page with its own knob to one without, and back: the value is kept, and neither page is disturbed by it."""
    with_own = "shaw"
    seen = visit(with_own, clip=2, **SMALL)
    assert seen.slider("clip").input_value() == "2"
    seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").last.click()
    _, after = neighbours(with_own)
    arrived(seen, after)
    assert not seen.slider("clip").is_visible()
    assert seen.page.get_by_test_id("stAlertContentWarning").count() == 0
    pressed(seen, "length")
    wait_for_size(seen, after, 7)
    seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").first.click()
    arrived(seen, with_own)
    assert seen.slider("clip").input_value() == "2"
    wait_for_size(seen, with_own, 7)
    seen.wait_for_query(clip="2", length="7")
    seen.open(with_own, **SMALL)  # a link without it shows the default, whatever the visit before had
    assert seen.slider("clip").input_value() == str(controls.KNOBS["clip"].start)
    assert "clip" not in seen.query()


def test_a_bad_value_is_said_and_taken_out_of_the_address(visit: Callable[..., Visit]) -> None:
    seen = visit(ONE, length="abc", width=8)
    alert = seen.page.get_by_test_id("stAlert")
    assert "abc" in alert.inner_text()
    assert "512" in alert.inner_text()
    seen.wait_for_query(length=None, width="8")
    pressed(seen, "length")
    wait_for_size(seen, ONE, 25)
    assert alert.count() == 0


def test_clip_distance_changes_every_figure_it_decides(visit: Callable[..., Visit]) -> None:
    """Shaw's k: the vectors, the terms, what position adds, the curve by offset, the decay, and the text below each."""
    seen = visit("shaw", length=16, width=8)
    keys = ("shaw-vectors", "shaw-terms", "shaw-bias")
    panel = {"shaw-vectors": "p", "shaw-terms": "cp", "shaw-bias": "b"}
    before = {key: seen.board(key).pixels(panel[key]) for key in keys}
    content = seen.board("shaw-terms").pixels("cc")
    charts = ("shaw-dimensions", "shaw-offsets", "shaw-decay", "shaw-logits")
    drawn = {key: paths(seen, key) for key in charts}
    captions = {seen.page.locator(f".st-key-{key} .chart").get_attribute("aria-label") for key in charts}
    pressed(seen, "clip", "ArrowLeft")
    seen.wait_for_query(clip="3")
    seen.until(f"() => document.querySelector('.st-key-{charts[-1]} .chart').dataset.painted > 1")
    seen.settled(7)
    assert seen.board("shaw-vectors").pixels("p").shape[0] == before["shaw-vectors"].shape[0] - 2
    for key in keys[1:]:
        assert (seen.board(key).pixels(panel[key]) != before[key]).any(), key
    assert {key for key in charts if paths(seen, key) == drawn[key]} == set()
    assert {seen.page.locator(f".st-key-{key} .chart").get_attribute("aria-label") for key in charts} != captions
    assert seen.board("shaw-terms").pixels("cc").shape == content.shape


def paths(seen: Visit, key: str) -> list[str]:
    """The lines that a chart shows."""
    return seen.js(
        f"[...document.querySelectorAll('.st-key-{key} .chart .scatterlayer path.js-line')].map((line) => line.getAttribute('d'))"
    )


def bars(seen: Visit, key: str) -> list[float]:
    """The heights of a chart's bars."""
    script = f"[...document.querySelectorAll('.st-key-{key} .chart .bars .point path')].map((bar) => bar.getBBox().height)"
    return seen.js(script)


def test_head_count_redraws_the_slopes(visit: Callable[..., Visit]) -> None:
    """Twelve heads have two series, eight have one: a bar for every head, as high as its slope on a logarithmic axis."""
    seen = visit("alibi", heads=12, **SMALL)
    assert len(bars(seen, "alibi-instead")) == 12
    pressed(seen, "heads", "ArrowLeft", times=4)
    seen.wait_for_query(heads="8")
    seen.until("() => document.querySelectorAll('.st-key-alibi-instead .chart .bars .point path').length === 8")
    heights = np.array(bars(seen, "alibi-instead"))
    steps = np.diff(heights)
    assert (steps < 0).all()
    np.testing.assert_allclose(steps, steps.mean(), rtol=0.02)
    assert np.allclose(np.diff(np.log2(alibi.slopes(8))), -1)


def test_knobs_without_effect_are_hidden(shaw: Visit) -> None:
    acting = controls.acting(catalogue.load("shaw"))
    for name in controls.KNOBS:
        shown = shaw.page.locator(f".st-key-{name}").first.is_visible()
        assert shown == (name in acting), name


def test_a_link_to_a_class(visit: Callable[..., Visit]) -> None:
    """It shows some knobs and locks one of them, while the reader moves others; the next page is free again."""
    seen = visit("shaw", clip=2, seed=5, only="clip,length", locked="clip", **SMALL)
    visible = {name for name in controls.KNOBS if seen.page.locator(f".st-key-{name}").first.is_visible()}
    assert visible == {"clip", "length"}
    assert seen.slider("clip").is_disabled()
    assert seen.slider("clip").input_value() == "2"
    pressed(seen, "length")
    wait_for_size(seen, "shaw", 7)
    held = {"clip": "2", "seed": "5", "only": "clip,length", "locked": "clip", "width": "8"}
    seen.wait_for_query(length="7", **held)
    seen.page.get_by_role("button", name=text("controls", "reset")).click()
    wait_for_size(seen, "shaw", controls.KNOBS["length"].start)
    seen.wait_for_query(length=None, **held)
    seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").first.click()
    before, _ = neighbours("shaw")
    arrived(seen, before)
    seen.wait_for_query(seed="5", width="8", only=None, locked=None)
    assert seen.slider("width").is_enabled()
    assert seen.complaints() == []
