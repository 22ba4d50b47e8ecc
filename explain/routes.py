"""What the server offers over plain HTTP beside the pages, and what everything goes through."""

import gzip
from functools import cache

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explain import chart, live
from explain.export import routes as export
from explain.headers import Headers


@cache
def _plotly() -> tuple[bytes, bytes]:
    plain = chart.PLOTLY.read_bytes()
    return plain, gzip.compress(plain, compresslevel=6)


def plotly_script(request: Request) -> Response:
    """Plotly's own script: charts work with no internet."""
    plain, small = _plotly()
    packed = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": "public, max-age=86400", "vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packed else {})
    return Response(small if packed else plain, media_type="text/javascript", headers=headers)


ROUTES = [Route("/plotly.min.js", plotly_script), *export.ROUTES, *live.ROUTES]
MIDDLEWARE = [Middleware(Headers), Middleware(live.Patience)]
