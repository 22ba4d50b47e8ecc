"""The figures' own routes as a client sees them, without a server."""

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.testclient import TestClient

from explain.headers import Headers
from explain.routes import ROUTES


@contextmanager
def client() -> Iterator[TestClient]:
    """A client of these routes behind the app's own headers."""
    with TestClient(Starlette(routes=ROUTES, middleware=[Middleware(Headers)]), base_url="http://app.example") as opened:
        yield opened
