"""Every page in a real browser: nothing on the console, nothing wider than the screen, readable in light and dark."""

from collections.abc import Callable

import pytest

from explain import navigation
from explain.words import text
from posenc import catalogue
from tests.browser.visit import Visit

SIZES = {"desktop": (1440, 1000), "phone": (375, 740)}
ENOUGH = 4.5
"""WCAG's contrast for text."""
CONTRASTS = """(() => {
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgb = (colour, over = [255, 255, 255]) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = `rgb(${over})`;
    probe.fillRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => colour
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = rgb(getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor);
  const deep = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? deep(node.shadowRoot) : [])]);
  const texts = deep(document).filter((node) =>
    node.matches(".chart text, .board :is(.axis, .tick, .name, .sentence, .bar-title), [data-testid=stMain] :is(h1, h2, p)") &&
    node.textContent.trim() && node.getClientRects().length);
  return texts.map((node) => {
    const style = getComputedStyle(node);
    const ink = rgb(node instanceof SVGElement ? style.fill : style.color, ground);
    const [low, high] = [light(ink), light(ground)].sort((a, b) => a - b);
    return [(high + 0.05) / (low + 0.05), node.textContent.trim().slice(0, 40), `${node.tagName}.${node.getAttribute("class")}`];
  });
})()"""


@pytest.mark.parametrize("name", [navigation.START, *catalogue.SCHEMES])
def test_a_page(name: str, visit: Callable[..., Visit]) -> None:
    """One visit: wide and narrow, light and dark."""
    path = "" if name == navigation.START else name
    seen = visit(path)
    page = seen.page
    assert seen.headings()[0] == text(name, "headline" if name == navigation.START else "title")
    assert page.get_by_text("Page not found").count() == 0
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        seen.until("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        assert seen.overflow() <= 0, f"wider than a {size}"
    page.set_viewport_size({"width": 1440, "height": 1000})
    readable(seen)
    ground = seen.js("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
    page.emulate_media(color_scheme="dark")
    seen.until(f"() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor !== {ground!r}")
    page.wait_for_timeout(500)
    seen.settled()
    readable(seen)
    page.emulate_media(color_scheme="light")
    assert seen.complaints() == []


def readable(seen: Visit) -> None:
    """Every text of page, boards and charts stands out from the page's ground."""
    found = seen.js(CONTRASTS)
    assert len(found) > 3
    assert [one for one in found if one[0] < ENOUGH] == []


def test_the_pages_follow_each_other(visit: Callable[..., Visit]) -> None:
    """The link at a page's end leads to the next, with the knobs as they are; and back again."""
    first, second = catalogue.SCHEMES[:2]
    seen = visit(first, length=5, width=8)
    seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").last.click()
    seen.page.get_by_role("heading", name=text(second, "title"), exact=True).wait_for()
    seen.settled(3)
    seen.wait_for_query(length="5", width="8")
    assert seen.board(f"{second}-terms").pixels("sum").shape[:2] == (5, 5)
    seen.page.go_back()
    seen.page.get_by_role("heading", name=text(first, "title"), exact=True).wait_for()
    seen.settled(3)
    seen.wait_for_query(length="5", width="8")
    assert seen.complaints() == []
