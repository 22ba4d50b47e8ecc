"""A link straight to a page, as the very first request of a fresh server: one page of each family, and the start page."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from explain.words import text
from posenc import catalogue
from tests.browser.conftest import serving
from tests.browser.visit import Visit

FIRST = {"start": ""} | {names[0]: names[0] for names in catalogue.FAMILIES.values()}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_request_of_a_server(name: str, context: BrowserContext, tmp_path: Path) -> None:
    page = context.new_page()
    with serving(tmp_path) as server:
        visit = Visit(page, server.url).open(FIRST[name], length=7)
        wanted = text("start", "headline") if name == "start" else text(name, "title")
        assert visit.headings()[0] == wanted
        assert page.get_by_text("Page not found").count() == 0
        assert len(visit.navigation().all()) >= len(catalogue.FAMILIES)
        assert visit.complaints() == []
        log = server.log.read_text()
        page.close()
    assert "Traceback" not in log, log
    assert not re.search("usage statistics|Email:", log), "the app's own settings were not read"
