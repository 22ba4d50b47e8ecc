"""Figures outside of the app, in a real browser: in a slide deck without a network, on a slide, on a phone; and the way to them."""

import csv
import html
import json
import re
import threading
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route

from explain.words import text
from tests.browser.serving import Server, serving
from tests.browser.visit import Visit

KNOBS = "length=9&width=16&causal=true"
DECK = ("shaw/terms.html?" + KNOBS, "t5/decay.html?theme=dark", "rope/bias.html?present=true&length=12")
PAINTED = "#figure[data-painted]"


def fetched(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read().decode()


@pytest.fixture
def cut_off(browser: Browser, server: Server) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A browser that reaches nothing but the server, and what it tried to reach besides."""
    context, tried = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce"), []
    context.set_default_timeout(120_000)

    def only_ours(route: Route) -> None:
        if route.request.url.startswith((server.url, "file:")):
            route.continue_()
        else:
            tried.append(route.request.url)
            route.abort()

    context.route(re.compile("^(?!data:|blob:)"), only_ours)
    yield context, tried
    context.close()


@pytest.fixture
def complaints() -> list[str]:
    return []


@pytest.fixture
def alone(cut_off: tuple[BrowserContext, list[str]], complaints: list[str]) -> Page:
    """An empty page of that browser, whose complaints are collected."""
    page = cut_off[0].new_page()
    page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    return page


def test_a_figure_is_the_first_thing_that_a_fresh_server_is_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path) as fresh:
        assert fetched(f"{fresh.url}/figure/shaw/terms.csv?{KNOBS}").startswith("# title: ")


def test_a_deck_of_three_frames_without_a_network(
    alone: Page, cut_off: tuple[BrowserContext, list[str]], complaints: list[str], server: Server, tmp_path: Path
) -> None:
    """Opened as a file; one of the frames is closed in by a sandbox."""
    frames = "".join(
        f'<iframe src="{server.url}/figure/{html.escape(path)}" width="600" height="500"{" sandbox=allow-scripts" * number}></iframe>'
        for number, path in enumerate(DECK[:2])
    )
    (tmp_path / "deck.html").write_text(f'{frames}<iframe src="{server.url}/figure/{DECK[2]}" width="1200" height="500"></iframe>')
    alone.goto((tmp_path / "deck.html").as_uri())
    assert len(alone.frames) == 4
    for frame in alone.frames[1:]:
        frame.wait_for_selector(PAINTED)
    assert cut_off[1] == []
    assert complaints == []


def test_a_page_in_a_page_of_another_server(page: Page, server: Server, tmp_path: Path) -> None:
    """A course page embeds one of ours: the page alone, nothing to navigate or to set, and nothing clipped."""
    (tmp_path / "course.html").write_text(
        f'<iframe src="{server.url}/alibi?embed=true&lang=zh&length=9" width="700" height="900" style="border:0"></iframe>'
    )
    course = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    threading.Thread(target=course.serve_forever, daemon=True).start()
    try:
        page.goto(f"http://127.0.0.1:{course.server_port}/course.html")
        embedded = page.frames[1]
        embedded.locator(".st-key-alibi-terms .board[data-painted]").wait_for()
        title = embedded.get_by_role("heading", name=text("alibi", "title"), exact=True)
        assert title.bounding_box()["y"] < 100
        assert embedded.locator("html").get_attribute("lang") == "zh"
        for chrome in ("[data-testid=stHeader]", "[data-testid=stSidebar]", ".st-key-language", ".st-key-length"):
            assert not embedded.locator(chrome).first.is_visible(), chrome
        main = embedded.get_by_test_id("stMain")
        assert main.evaluate("node => node.scrollWidth - node.clientWidth") <= 0
    finally:
        course.shutdown()
        course.server_close()


def test_the_numbers_under_the_pointer_are_the_figures(alone: Page, server: Server) -> None:
    record = json.loads(fetched(f"{server.url}/figure/shaw/terms.json?{KNOBS}"))
    values = {matrix["id"]: matrix["values"] for matrix in record["matrices"]}
    alone.goto(f"{server.url}/figure/shaw/terms.html?{KNOBS}&cell=7,2")
    alone.wait_for_selector(PAINTED)
    assert shown(alone, "sum") == pytest.approx(values["sum"][7][2], abs=5e-5)
    plot = alone.locator("[data-panel=cp] .plot")
    plot.focus()
    for key in ("ArrowUp", "ArrowRight"):
        plot.press(key)
    alone.wait_for_selector(".board[data-cell^='i=6,j=3']")  # it is drawn with the next frame
    for name in ("cc", "cp", "sum", "att"):
        assert shown(alone, name) == pytest.approx(values[name][6][3], abs=5e-5)


def shown(page: Page, name: str) -> float:
    return float(page.locator(f".readout .value[data-of={name}]").inner_text().replace("−", "-"))


@pytest.mark.parametrize("path", ["shaw/terms", "rope/terms", "t5/bias", "shaw/vectors", "t5/decay"])
@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_on_a_slide_all_is_seen_at_once(alone: Page, server: Server, path: str, size: tuple[int, int]) -> None:
    alone.set_viewport_size({"width": size[0], "height": size[1]})
    alone.goto(f"{server.url}/figure/{path}.html?present=true&length=10")
    alone.wait_for_selector(PAINTED)
    assert overflow(alone) == [0, 0]


@pytest.mark.parametrize("path", ["shaw/terms", "t5/decay"])
def test_on_a_phone(alone: Page, server: Server, path: str, complaints: list[str]) -> None:
    alone.set_viewport_size({"width": 375, "height": 800})
    alone.goto(f"{server.url}/figure/{path}.html")
    alone.wait_for_selector(PAINTED)
    assert overflow(alone)[0] == 0
    assert complaints == []


def overflow(page: Page) -> list[int]:
    """By how much the page is wider and higher than the screen."""
    session = page.context.new_cdp_session(page)
    sizes = "[root.scrollWidth - innerWidth, root.scrollHeight - innerHeight]"
    expression = f"(root => JSON.stringify({sizes}.map((over) => Math.max(0, over))))(document.documentElement)"
    return json.loads(session.send("Runtime.evaluate", {"expression": expression})["result"]["value"])


def test_from_a_panel_to_its_figure(visit: Callable[..., Visit]) -> None:
    """The menu's links lead to the figure with the knobs and the cell that are on the screen."""
    page = visit("shaw", length=9, clip=2, cell="4,1").page
    page.set_viewport_size({"width": 1440, "height": 1000})
    page.locator(".st-key-shaw-terms-data button").click()
    body = page.locator("[data-testid=stPopoverBody]")
    body.locator("code").last.wait_for()
    files = {link.inner_text(): link.get_attribute("href") for link in body.locator("a").all()}
    assert {"SVG", "PNG", "CSV", "JSON"} < set(files)
    rows = [row for row in csv.reader(StringIO(fetched(files["CSV"]))) if not row[0].startswith("# ")]
    assert len(rows) == 1 + 4 * 9 * 9
    assert json.loads(fetched(files["JSON"]))["parameters"]["clip"] == 2
    snippet = body.locator("code").last.inner_text()
    address = html.unescape(re.search(r'src="([^"]*)"', snippet)[1])
    assert "cell=4%2C1" in address
    assert "present=true" in files[text("figure", "slide")]
    assert "<figcaption>" in fetched(address)
    link = body.locator("code").first.inner_text()
    assert re.fullmatch(r"http://[\d.:]+/shaw\?length=9&clip=2&lang=en&cell=4%2C1&v=1", link)
    for limit, knob in (("only", "length"), ("locked", "clip")):
        body.get_by_role("combobox", name=text("controls", limit)).fill(text("controls", knob))  # of a long list only a part is there
        page.get_by_role("option", name=text("controls", knob)).click()
        body.locator("code", has_text=f"{limit}={knob}").first.wait_for()
    link = body.locator("code").first.inner_text()
    assert link.endswith("&lang=en&cell=4%2C1&only=length&locked=clip&v=1")


def test_the_way_back_has_the_same_settings(visit: Callable[..., Visit], server: Server) -> None:
    """Also those that are chosen by name."""
    record = json.loads(fetched(f"{server.url}/figure/deberta/terms.json?{KNOBS}&axes=log&pos_att_type=p2c&share_att_key=false"))
    path, _, query = record["link"].removeprefix(f"{server.url}/").partition("?")
    page = visit(path, **dict(parse_qsl(query)))
    assert page.page.locator("[data-testid=stAlert]").filter(has_text="link_off").count() == 0
    page.page.locator(".st-key-deberta-terms-data button").click()
    body = page.page.locator("[data-testid=stPopoverBody]")
    body.locator("code").last.wait_for()
    assert json.loads(fetched(body.get_by_text("JSON").get_attribute("href")))["parameters"] == record["parameters"]
