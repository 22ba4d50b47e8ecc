"""The server as `streamlit run app.py` starts it from somewhere else: our settings, our headers, nothing from outside."""

import tomllib
import urllib.request
from pathlib import Path

from playwright.sync_api import Page

from explain.headers import HEADERS
from tests.browser.serving import ROOT, Server
from tests.browser.visit import Visit

CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())


def fetched(url: str, **headers: str) -> tuple[dict[str, str], bytes]:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}, answer.read()


def test_settings_are_read_from_beside_the_app(server: Server, page: Page) -> None:
    """The working directory is another one. A theme of ours on the page tells that the file was found; nothing comes from elsewhere."""
    assert not (server.log.parent / ".streamlit").exists()
    asked: set[str] = set()
    page.on("request", lambda request: asked.add(request.url))
    seen = Visit(page, server.url).open("alibi", length=4, width=8)
    assert {url for url in asked if not url.startswith((server.url, "data:", "blob:"))} == set()
    board = "(() => { const d = (r) => [...r.querySelectorAll('*')].flatMap((n) => [n, ...(n.shadowRoot ? d(n.shadowRoot) : [])]);"
    primary = seen.js(
        board + "return getComputedStyle(d(document).find((n) => n.matches('.board'))).getPropertyValue('--st-primary-color') })()"
    )
    assert primary.strip() == CONFIG["theme"]["light"]["primaryColor"]
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert "usage statistics" not in server.log.read_text()


def test_headers_of_pages_and_of_our_own_routes(server: Server) -> None:
    for path in ("/", "/shaw", "/plotly.min.js", "/_stcore/health"):
        headers, _ = fetched(server.url + path)
        assert {name: headers.get(name) for name in HEADERS} == HEADERS, path


def test_plotly_travels_compressed(server: Server) -> None:
    headers, body = fetched(f"{server.url}/plotly.min.js", **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert len(body) < 2_000_000
    assert "max-age" in headers["cache-control"]


def test_no_file_of_the_app_is_served(server: Server) -> None:
    for path in ("/app.py", "/explain/frame.py", "/.streamlit/config.toml", "/app/static/../app.py", "/%2e%2e/app.py"):
        try:
            _, body = fetched(server.url + path)
        except urllib.error.HTTPError as refused:
            assert refused.code in (400, 403, 404)  # noqa: PT017
        else:
            assert b"<title>" in body, "Streamlit answers an unknown path with its own page"
            assert Path(ROOT / "app.py").read_bytes()[:40] not in body
