"""What the server sends beside pages, and the security headers on everything."""

import asyncio
import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from typing import NamedTuple

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers as Received
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from explain import chart
from explain.headers import HEADERS, Headers
from explain.routes import ROUTES

APP = Starlette(routes=[*ROUTES, Route("/page", lambda _request: PlainTextResponse("page"))], middleware=[Middleware(Headers)])


class Response(NamedTuple):
    status: int
    headers: Received
    body: bytes


def asked(path: str, method: str = "GET", **headers: str) -> Response:
    """What the application answers to one request."""
    sent = []
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }

    async def receive() -> dict:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict) -> None:
        sent.append(message)

    with ThreadPoolExecutor(1) as pool:  # a browser test in the same process keeps a loop running in this thread
        pool.submit(asyncio.run, APP(scope, receive, send)).result()
    body = b"".join(message.get("body", b"") for message in sent)
    return Response(sent[0]["status"], Received(raw=sent[0]["headers"]), body)


@pytest.mark.parametrize("path", ["/page", "/nowhere", "/plotly.min.js"])
def test_every_response_has_the_headers(path: str) -> None:
    response = asked(path)
    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    assert len(response.headers.getlist("content-security-policy")) == 1


def test_the_policy() -> None:
    rules = {rule.split()[0]: rule.split()[1:] for rule in HEADERS["content-security-policy"].split("; ")}
    assert rules["default-src"] == ["'self'"]
    assert "'unsafe-inline'" not in rules["script-src"]
    assert "'unsafe-eval'" not in rules["script-src"]
    assert rules["object-src"] == ["'none'"]
    assert not [source for sources in rules.values() for source in sources if "*" in source or source.startswith("http")]
    assert "frame-ancestors" not in rules  # slide decks opened as files embed pages


def test_the_other_headers() -> None:
    assert HEADERS["x-content-type-options"] == "nosniff"
    assert "camera=()" in HEADERS["permissions-policy"]


def test_plotly_travels_compressed() -> None:
    plain = chart.PLOTLY.read_bytes()
    response = asked("/plotly.min.js", accept_encoding="gzip, br")
    assert response.headers["content-encoding"] == "gzip"
    assert response.headers["vary"] == "accept-encoding"
    assert response.headers["content-type"].startswith("text/javascript")
    assert len(response.body) < len(plain) / 2
    assert int(response.headers["content-length"]) == len(response.body)
    assert gzip.decompress(response.body) == plain


def test_plotly_for_clients_that_do_not_unpack() -> None:
    response = asked("/plotly.min.js", accept_encoding="identity")
    assert "content-encoding" not in response.headers
    assert response.body.startswith(b"/**")


def test_other_methods_are_refused() -> None:
    assert asked("/plotly.min.js", "POST").status == 405


def test_plotly_is_of_the_version_that_the_figures_are_checked_against() -> None:
    """Pages load a small build; the whole one is in the Python package."""
    whole = files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8")
    version = re.compile(r"^\* plotly\.js .*?v([\d.]+)$", re.MULTILINE)
    assert version.search(chart.PLOTLY.read_text("utf-8"))[1] == version.search(whole)[1]
