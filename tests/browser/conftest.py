"""A server of the app and a browser for it, both ended when the tests are over."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser import chromium
from tests.browser.visit import Visit

ROOT = Path(__file__).parents[2]
PATIENCE = 90
"""Seconds until a server that does not answer counts as broken."""


@contextmanager
def serving(folder: Path, script: Path = ROOT / "app.py", cwd: Path | None = None) -> Iterator["Server"]:
    """`streamlit run` on a free port, its log in `folder`; there too its working directory, which is none of the app's own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / f"server-{port}.log"
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(script), *options],
            cwd=cwd or folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")},
        )
    server = Server(f"http://127.0.0.1:{port}", log, process.pid)
    try:
        server.wait(process)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Server:
    """A running server: where it is, what it said, its process."""

    def __init__(self, url: str, log: Path, pid: int) -> None:
        self.url, self.log, self.pid = url, log, pid

    def wait(self, process: subprocess.Popen) -> None:
        """Until it says that it is well. This is no request for a page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None:
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=list(chromium.FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that don't need a fresh one."""
    with serving(tmp_path_factory.mktemp("elsewhere")) as server:
        yield server


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One profile for all visits, so that scripts are fetched once; pages don't share anything that the app looks at."""
    context = browser.new_context(viewport={"width": 1440, "height": 1000}, color_scheme="light", reduced_motion="reduce")
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    yield page
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
