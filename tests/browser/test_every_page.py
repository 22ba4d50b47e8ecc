"""Every page in a browser: nothing on the console, nothing wider than the screen, readable in light and dark, nothing for axe to mind."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext

from explain import controls, navigation
from explain.words import text
from posenc import catalogue
from tests.browser import axe
from tests.browser.serving import Server
from tests.browser.visit import Visit

DESKTOP, PHONE = {"width": 1440, "height": 500}, {"width": 375, "height": 500}
"""Widths matter; what is higher takes longer to paint."""
ENOUGH = 4.5
"""WCAG's contrast for text."""
GROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
CONTRASTS = """(() => {
  const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgb = (colour, over) => {
    const name = `${colour} over ${over}`;
    if (!known.has(name)) {
      for (probe.fillStyle of [`rgb(${over})`, colour]) probe.fillRect(0, 0, 1, 1);
      known.set(name, [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3));
    }
    return known.get(name);
  };
  const light = (colour) => colour
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const grounds = new Map([[null, [255, 255, 255]]]);
  const ground = (node) => {
    const around = node && (node.parentElement ?? node.getRootNode().host ?? null);
    if (!grounds.has(node)) grounds.set(node, rgb(getComputedStyle(node).backgroundColor, ground(around)));
    return grounds.get(node);
  };
  const deep = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? deep(node.shadowRoot) : [])]);
  const written = (node) => [...node.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  // Not to be seen, or not where its parent is: a slider's value stands above the knob that it is a child of.
  const left = "style, script, .katex-mathml *, [data-testid=stIconMaterial], :disabled, [data-testid=stSliderThumbValue] *";
  const texts = deep(document.body).filter((node) => written(node) && !node.matches(left) && node.getClientRects().length);
  return texts.map((node) => {
    const { fill, color } = getComputedStyle(node);
    const under = ground(node instanceof SVGElement ? node.closest("div") : node);
    const ink = rgb(node instanceof SVGElement ? fill : color, under);
    const [low, high] = [light(ink), light(under)].sort((a, b) => a - b);
    return [(high + 0.05) / (low + 0.05), node.textContent.trim().slice(0, 40), `${node.tagName}.${node.getAttribute("class")}`];
  });
})()"""


def address(name: str) -> str:
    return "" if name == navigation.START else name


def title(name: str) -> str:
    return text(name, "headline" if name == navigation.START else "title")


@pytest.fixture(scope="module")
def reach(context: BrowserContext, server: Server) -> Iterator[Callable[[str], Visit]]:
    """A reader who follows the link to the next page at each page's end, and types the address of any other page."""
    seen, at = Visit(context.new_page(), server.url), None

    def go(name: str) -> Visit:
        nonlocal at
        seen.console.clear()
        if at in navigation.path() and navigation.neighbours(at)[1] == name:
            seen.page.locator("[data-testid=stMain] [data-testid=stPageLink-NavLink]").last.click()
            seen.page.get_by_role("heading", name=title(name), exact=True, level=1).wait_for()
            seen.settled()
        else:
            seen.open(address(name))
        at = name
        return seen

    yield go
    seen.page.close()


@pytest.mark.parametrize("name", [navigation.START, *navigation.path()])
def test_a_page(name: str, reach: Callable[[str], Visit]) -> None:
    """In both themes, wide and narrow; the next page begins with the theme and the width that this one ends with."""
    seen = reach(name)
    assert seen.headings()[0] == title(name)
    assert seen.overflow() <= 0, seen.page.viewport_size
    assert axe.findings(seen.page) == []
    readable(seen)
    other_theme(seen)
    readable(seen)
    seen.page.set_viewport_size(PHONE if seen.page.viewport_size == DESKTOP else DESKTOP)
    seen.until("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    assert seen.overflow() <= 0, seen.page.viewport_size
    assert seen.complaints() == []


def other_theme(seen: Visit) -> None:
    ground = seen.js(GROUND)
    seen.page.emulate_media(color_scheme="light" if seen.js("matchMedia('(prefers-color-scheme: dark)').matches") else "dark")
    seen.until(f"() => {GROUND} !== {ground!r}")
    seen.page.wait_for_timeout(300)
    seen.settled()


def test_the_code_can_be_read(shaw: Visit) -> None:
    """Once it is unfolded."""
    few = len(shaw.js(CONTRASTS))
    shaw.page.locator(".st-key-shaw-code summary").click()
    shaw.page.locator("[data-testid=stCode] .token.boolean").first.wait_for()
    assert len(shaw.js(CONTRASTS)) > 1.5 * few
    readable(shaw)
    other_theme(shaw)
    readable(shaw)
    other_theme(shaw)


def readable(seen: Visit) -> None:
    """Every text of page, boards and charts stands out from what it stands on."""
    found = seen.js(CONTRASTS)
    assert len(found) > 20
    assert [one for one in found if one[0] < ENOUGH] == []


FOCUSED = """(() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  const { outlineStyle, boxShadow } = getComputedStyle(node);
  const keyed = [...document.querySelectorAll("[class*=st-key-]:focus-within")].at(-1);
  const key = [...(keyed?.classList ?? [])].find((name) => name.startsWith("st-key-")) ?? "";
  const shown = outlineStyle !== "none" || boxShadow !== "none" || node.matches("input, main");
  return { key: key.slice(7), test: node.dataset.testid ?? "", plot: node.matches(".plot"), shown };
})()"""
"""What has the focus, and whether that is seen. The border of a text field takes another colour; the page itself is no control."""


TOP = "((top) => { top.tabIndex = -1; document.body.prepend(top); top.focus(); top.remove(); })(document.createElement('a'))"
"""From the top of the page, whatever had the focus."""


def test_all_is_reached_by_keyboard(shaw: Visit) -> None:
    """Tab goes through knobs, navigation, the choice of a language, every board and every menu of a page, and one sees where it is."""
    shaw.js(TOP)
    met = []
    while not met or met[-1]["key"] != "shaw-logits-data":
        shaw.page.keyboard.press("Tab")
        met.append(shaw.js(FOCUSED))
        assert len(met) < 150, met
    assert [one for one in met if not one["shown"]] == []
    keys = {one["key"] for one in met}
    assert {*controls.acting(catalogue.load("shaw")), "lang"} <= keys
    assert {f"shaw-{name}-data" for name in ("vectors", "dimensions", "terms", "bias", "offsets", "decay", "logits")} <= keys
    assert {"stTopNavLink", "stTopNavSection", "stPopoverButton"} <= {one["test"] for one in met}
    assert {one["key"] for one in met if one["plot"]} == {"shaw-vectors", "shaw-terms", "shaw-bias"}
