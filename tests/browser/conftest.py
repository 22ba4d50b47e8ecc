"""A server of the app and a browser for it, both ended when the tests are over."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from tests.browser import chromium
from tests.browser.serving import Server, free_port, serving
from tests.browser.visit import Visit


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium.path(), args=list(chromium.FLAGS))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that don't need a fresh one. Nothing that they do may be an error of the server's."""
    with serving(tmp_path_factory.mktemp("elsewhere")) as server:
        yield server
        log = server.log.read_text()
    assert "Traceback" not in log, log


@pytest.fixture(scope="session")
def port() -> int:
    """Where fresh servers are, one after the other: the browser knows the scripts of that address."""
    return free_port()


@pytest.fixture(scope="session")
def context(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """One profile for all visits, in files, so that scripts are fetched and compiled once; pages share nothing that the app looks at."""
    context = playwright.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=chromium.path(),
        args=list(chromium.FLAGS),
        viewport={"width": 1440, "height": 500},
        color_scheme="light",
        reduced_motion="reduce",
    )
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    yield page
    page.close()


@pytest.fixture(scope="session")
def shaw(context: BrowserContext, server: Server) -> Iterator[Visit]:
    """Shaw's page for tests that only look at it: it is loaded once. Nine tokens, width 8."""
    page = context.new_page()
    yield Visit(page, server.url).open("shaw", length=9, width=8)
    page.close()


@pytest.fixture
def visit(page: Page, server: Server) -> Callable[..., Visit]:
    """visit(path, knob=value, …) opens a page of the shared server and waits until everything on it is painted."""
    return lambda path="", **query: Visit(page, server.url).open(path, **query)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A failing browser test shows what the server said."""
    report = (yield).get_result()
    server = getattr(item, "funcargs", {}).get("server")
    if report.failed and isinstance(server, Server):
        report.sections.append(("server log", server.log.read_text()[-4000:]))
