"""The server as `streamlit run app.py` starts it from somewhere else: our settings, our headers, nothing from outside."""

import tomllib
import urllib.request
from pathlib import Path

from explain.headers import HEADERS
from tests.browser.serving import ROOT, Server
from tests.browser.visit import Visit

CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())


def fetched(url: str, **headers: str) -> tuple[dict[str, str], bytes]:
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}, answer.read()


def test_settings_are_read_from_beside_the_app(server: Server, shaw: Visit) -> None:
    """The working directory is another one. A theme of ours on the page tells that the file was found."""
    assert not (server.log.parent / ".streamlit").exists()
    primary = shaw.board("shaw-terms").board.evaluate("(board) => getComputedStyle(board).getPropertyValue('--st-primary-color')")
    assert primary.strip() == CONFIG["theme"]["light"]["primaryColor"]
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["client"]["showErrorDetails"] == "none"
    assert "usage statistics" not in server.log.read_text()


def test_nothing_is_asked_of_any_other_server(server: Server, shaw: Visit) -> None:
    assert any(url.startswith(server.url) for url in shaw.asked)
    assert {url for url in shaw.asked if not url.startswith((server.url, "data:", "blob:"))} == set()


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
