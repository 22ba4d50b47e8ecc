"""Figures follow a slider while it moves, and what Streamlit sends later changes nothing of them."""

from collections.abc import Callable

import numpy as np

from explain.words import text
from tests.browser.visit import Visit

SMALL = {"length": 6, "width": 8}
RECORD = """(() => {
  const deep = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? deep(node.shadowRoot) : [])]);
  const board = deep(document.querySelector(".st-key-alibi-terms")).find((node) => node.matches(".board"));
  window.sizes = [];
  new MutationObserver(() => window.sizes.push(board.querySelector("[data-panel=sum] canvas").width))
    .observe(board, { attributeFilter: ["data-painted"] });
})()"""


def size(seen: Visit) -> int:
    return seen.board("alibi-terms").pixels("sum").shape[0]


def thumb(seen: Visit) -> tuple[float, float]:
    """Where the length's slider is taken hold of."""
    box = seen.page.locator(".st-key-length [data-testid=stSliderThumbValue]").locator("..").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_slider_that_is_dragged(visit: Callable[..., Visit]) -> None:
    """The board and the chart beside it show the new length before the slider is let go of, while nothing is said to Streamlit."""
    seen = visit("alibi", **SMALL)
    drawn = seen.page.locator(".st-key-alibi-decay .chart")
    before = drawn.get_attribute("data-painted")
    middle = thumb(seen)
    seen.page.mouse.move(*middle)
    seen.page.mouse.down()
    with seen.silence():
        seen.page.mouse.move(middle[0] + 6, middle[1], steps=3)
        seen.until("() => new URLSearchParams(location.search).get('length') === '6'")
        for _ in range(200):
            if size(seen) > SMALL["length"] and drawn.get_attribute("data-painted") != before:
                break
            seen.page.wait_for_timeout(20)
        assert size(seen) > SMALL["length"]
        assert drawn.get_attribute("data-painted") != before
    seen.page.mouse.up()
    reached = seen.slider("length").input_value()
    seen.wait_for_query(length=reached)
    seen.settled()
    assert size(seen) == int(reached)
    assert seen.complaints() == []


def test_it_is_drawn_once_and_never_goes_back(visit: Callable[..., Visit]) -> None:
    """The run of the page sends the same bytes again. Keys pressed faster than pages run: no length is shown after a larger one."""
    seen = visit("alibi", **SMALL)
    seen.js(RECORD)
    seen.slider("length").focus()
    seen.page.keyboard.press("ArrowRight")
    seen.wait_for_query(length="7")
    seen.page.wait_for_timeout(1500)
    seen.settled()
    assert seen.js("window.sizes") == [7]
    for _ in range(8):
        seen.page.keyboard.press("ArrowRight")
        seen.page.wait_for_timeout(90)
    seen.wait_for_query(length="15")
    seen.page.wait_for_timeout(1500)
    seen.settled()
    shown = seen.js("window.sizes")
    assert shown == sorted(shown)
    assert shown[-1] == size(seen) == 15


def test_there_and_back_and_then_something_else(visit: Callable[..., Visit]) -> None:
    """A slider that was dragged and is where it was keeps nothing back: what the next run sends is drawn."""
    seen = visit("alibi", **SMALL)
    x, y = thumb(seen)
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x + 6, y, steps=3)
    seen.page.wait_for_timeout(300)
    seen.page.mouse.move(x, y, steps=3)
    seen.page.mouse.up()
    assert seen.slider("length").input_value() == "6"
    seen.page.locator(".st-key-causal label").click()
    seen.wait_for_query(causal="true")
    for _ in range(40):
        if not seen.board("alibi-terms").pixels("att")[..., 3].all():
            break
        seen.page.wait_for_timeout(50)
    np.testing.assert_array_equal(seen.board("alibi-terms").pixels("att")[..., 3] > 0, np.tri(6, dtype=bool))


def test_charts_are_as_wide_as_their_place(visit: Callable[..., Visit]) -> None:
    """Also when the side bar goes, which the window is not told of."""
    seen = visit("alibi", **SMALL)
    wide = "[...document.querySelectorAll('.chart')].every((chart) => chart.querySelector('svg').clientWidth === chart.clientWidth)"
    assert seen.js(wide)
    before = seen.js("document.querySelector('.chart').clientWidth")
    seen.page.get_by_test_id("stSidebarCollapseButton").locator("button").click()
    seen.until(f"() => document.querySelector('.chart').clientWidth > {before} && {wide}", 10)


def test_a_page_that_was_gone_to(visit: Callable[..., Visit]) -> None:
    """It is this page's figures that are asked for then, with what both pages share and with its own knobs."""
    seen = visit("transformer_xl", **SMALL)
    seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").first.click()
    seen.page.get_by_role("heading", name=text("shaw", "title"), exact=True).wait_for()
    seen.settled(7)
    rows = seen.board("shaw-vectors").pixels("p").shape[0]
    with seen.page.expect_request("**/live/shaw?**") as asked:
        seen.slider("clip").focus()
        seen.page.keyboard.press("ArrowLeft")
    assert "clip=3" in asked.value.url
    assert "length=6" in asked.value.url
    seen.wait_for_query(clip="3")
    seen.settled(7)
    assert seen.board("shaw-vectors").pixels("p").shape[0] == rows - 2
