"""A link straight to a page, as the very first request of a fresh server: one page of each heading, and what is there works.

tests/pages/test_addresses.py opens every page's address without a browser.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext

from explain import navigation
from explain.words import text
from posenc import catalogue
from posenc import setting as evaluate
from posenc.attention import softmax
from tests.browser.serving import Server, forked
from tests.browser.test_board import QUERY, setting_of, wait_for_cell
from tests.browser.visit import Visit

FAMILIES = [names[0] for names in catalogue.FAMILIES.values()]


@pytest.fixture(scope="module")
def link(
    request: pytest.FixtureRequest, context: BrowserContext, port: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Visit, Server]]:
    """The page of that name, opened by its address, and the server that was asked for nothing else."""
    page = context.new_page()
    with forked(tmp_path_factory.mktemp("fresh"), port) as server:
        yield Visit(page, server.url).open(request.param.removeprefix(navigation.START), **QUERY), server
        page.close()


@pytest.mark.parametrize("link", [navigation.START, next(iter(navigation.IDEAS)), *FAMILIES], indirect=True)
def test_a_link_leads_to_its_page(link: tuple[Visit, Server], request: pytest.FixtureRequest) -> None:
    name = request.node.callspec.params["link"]
    seen, server = link
    assert seen.headings()[0] == text(name, "headline" if name == navigation.START else "title")
    assert seen.page.get_by_text("Page not found").count() == 0
    assert len(seen.navigation().all()) >= len(catalogue.FAMILIES)
    assert seen.page.get_by_test_id("stSidebar").is_visible() == (name != navigation.START), "only the start page has no knobs"
    assert seen.complaints() == []
    log = server.log.read_text()
    assert "Traceback" not in log, log
    assert not re.search("usage statistics|Email:", log), "the app's own settings were not read"


@pytest.mark.parametrize("link", FAMILIES, indirect=True)
def test_the_numbers_of_a_cell_add_up(link: tuple[Visit, Server], request: pytest.FixtureRequest) -> None:
    """As displayed, wherever the pointer is; and no message goes to the server for it."""
    (seen, _), scheme = link, request.node.callspec.params["link"]
    board = seen.board(f"{scheme}-terms")
    module, setting = catalogue.load(scheme), setting_of(scheme)
    logits = evaluate.scores(module, setting)[0]
    shares = softmax(logits, evaluate.seen(module, setting))
    line = board.sentences()[-1]
    shown = re.findall(r"data-of=\"(\w+)\"", board.board.locator(".readout .sentence").last.inner_html())
    parts = shown[: shown.index("sum")]
    assert " = " in line
    with seen.silence():
        for row, column in ((0, 0), (8, 0), (3, 6)):
            board.point("sum", row, column)
            assert wait_for_cell(board, {"i": row, "j": column}) == {"i": row, "j": column}
            total = sum(board.value(part) for part in parts)
            assert board.value("sum") == pytest.approx(total, abs=5e-5 * (len(parts) + 1) + 1e-9)
            assert board.value("sum") == pytest.approx(logits[row, column], rel=1e-3, abs=6e-5)
            assert board.value("att") == pytest.approx(shares[row, column], rel=1e-3, abs=6e-5)
