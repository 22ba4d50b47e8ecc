"""`/figure/<page>/<view>`: every figure of every page over plain HTTP, with the page's own knobs as parameters."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from explain import stage, words
from explain.export import answer, chromium, documents
from explain.export.documents import Document
from explain.export.query import FORMATS, IMAGES, Asked, RefusedError, pages, parse
from explain.words import text

ROOT = Path(__file__).parents[2]
MEDIA = {
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
}
POLICY = {
    "html": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data: blob:; base-uri 'none'",
    "svg": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox allow-popups",
}
"""No frame-ancestors: anyone may embed a figure. Styles are Plotly's, which writes them into its page."""
FRESH = "public, max-age=3600"
COMPUTING = 2
"""Pages that run at the same time."""
WAITING = 64
"""Requests that may wait for one."""
KEPT = 64_000_000
"""Bytes of images that are kept."""
SOURCES = ("encodings/posenc", "explain", "pages", "assets/text", "assets/weights", "assets/models.csv")


class MissingError(LookupError):
    """There is no such page, figure or form; says which there are."""


class Images:
    """Images by what was asked, the least lately wanted dropped where they become too many bytes."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> bytes | None:
        """The image, or None."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: str, image: bytes) -> None:
        """Keeps an image, unless it alone is too large."""
        with self._lock:
            if key in self._kept or len(image) > self.most:
                return
            self._kept[key] = image
            self.size += len(image)
            while self.size > self.most:
                self.size -= len(self._kept.popitem(last=False)[1])


images = Images(KEPT)
Found = TypeVar("Found")


def computing() -> CapacityLimiter:
    """Who runs a page waits for a place here; BusyError where too many do."""
    limit = _limit("pages", COMPUTING)
    if limit.statistics().tasks_waiting >= WAITING:
        raise chromium.BusyError
    return limit


@cache
def _limit(_name: str, count: int) -> CapacityLimiter:
    return CapacityLimiter(count)


async def figure(request: Request) -> Response:
    """One figure; 400 for a parameter and 404 for a name that there is not, 304 where the client has it already."""
    base = str(request.base_url)
    asking = partial(understood, request.path_params["path"], request.query_params.multi_items())
    try:
        asked = await to_thread.run_sync(asking, limiter=_limit("short", 8))
        tag = _tag(asked, base)
        headers = _headers(asked, tag)
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        document = await to_thread.run_sync(_document, asked, base, limiter=computing())
        body = b"" if request.method == "HEAD" else await to_thread.run_sync(_body, document, tag, limiter=_limit("forms", 8))
    except RefusedError as refusal:
        return told(400, str(refusal))
    except MissingError as missing:
        return told(404, str(missing))
    except (chromium.UnavailableError, chromium.BusyError) as reason:
        busy = isinstance(reason, chromium.BusyError)
        message = await to_thread.run_sync(_in_language, asked.language, partial(_no_image, busy, str(reason)))
        return told(429 if busy else 503, message, {"retry-after": "10"} if busy else {})
    response = Response(body, headers=headers)
    if request.method == "HEAD":
        del response.headers["content-length"]  # only making the figure would tell it
    return response


def understood(path: str, given: list[tuple[str, str]]) -> Asked:
    """What an address `<page>/<view>.<form>` asks for; a refusal is in the language that it asks for."""
    language = next((value for name, value in given if name == "lang" and value in words.LANGUAGES), words.DEFAULT)
    return _in_language(language, partial(_parsed, path, given))


def _parsed(path: str, given: list[tuple[str, str]]) -> Asked:
    page, _, name = path.partition("/")
    view, _, form = name.partition(".")
    form = form or "html"
    if page not in pages():
        raise MissingError(text("figure", "unknown.page", name=page[:40], valid=", ".join(pages())))
    if form not in FORMATS:
        raise MissingError(text("figure", "unknown.form", name=form[:40], valid=", ".join(FORMATS)))
    return parse(page, view, form, given)


def _document(asked: Asked, base: str) -> Document:
    """Runs the page, unless that is known."""
    return _in_language(asked.language, partial(_found, asked, base), asked)


def _found(asked: Asked, base: str) -> Document:
    try:
        views = answer.views(asked)
    except ValueError as refusal:  # posenc refuses what it can't compute and says which value and limit
        raise RefusedError(text("figure", "refused.setting", reason=words.refusal(refusal))) from refusal
    if asked.view not in views:
        raise MissingError(text("figure", "unknown.view", page=asked.page, name=asked.view[:40], valid=words.listed(views)))
    return Document(views[asked.view], asked, base)


def _body(document: Document, tag: str) -> bytes:
    form = document.asked.form
    kept = images.get(tag) if form in IMAGES else None
    if kept is None:
        kept = _in_language(document.asked.language, partial(made, document), document.asked)
        if form in IMAGES:
            images.put(tag, kept)
    return kept


def made(document: Document, root: str = "../../") -> bytes:
    """The document in the form that was asked for."""
    match document.asked.form:
        case "html":
            return documents.page(document, root).encode()
        case "svg":
            return documents.picture(document).encode()
        case "png":
            return documents.photograph(document)
        case "csv":
            return documents.table(document).encode()
    return documents.record(document).encode()


def _in_language(language: str, work: Callable[[], Found], asked: Asked | None = None) -> Found:
    with stage.answering(stage.Request(asked.knobs if asked else {}, language, asked.theme if asked else "light")):
        return work()


def _no_image(busy: bool, reason: str) -> str:
    return text("figure", "busy") if busy else text("figure", "no_browser", reason=reason)


def _headers(asked: Asked, tag: str) -> dict[str, str]:
    headers = {"content-type": MEDIA[asked.form], "etag": tag, "cache-control": FRESH, "access-control-allow-origin": "*"}
    if asked.form in POLICY:
        headers["content-security-policy"] = POLICY[asked.form]
    if asked.download:
        headers["content-disposition"] = f'attachment; filename="{asked.page}-{asked.view}.{asked.form}"'
    return headers


def told(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return Response(message + "\n", status, {"cache-control": "no-store"} | (headers or {}), "text/plain")


def _tag(asked: Asked, base: str) -> str:
    """Changes when anything does that the answer depends on: parameters, where the app is, code, texts, packages.

    Weak, because the same answer also goes out compressed.
    """
    looks = (asked.view, asked.form, asked.width, asked.height, asked.present, asked.download, asked.cell, base)
    return f'W/"{hashlib.sha256(repr((asked.identity, looks, fingerprint())).encode()).hexdigest()[:32]}"'


@cache
def fingerprint() -> str:
    """Of everything that figures are made from, as it was when the server started."""
    digest = hashlib.sha256()
    for name in SOURCES:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix != ".pyc":
                stat = file.stat()
                digest.update(f"{file.relative_to(ROOT)} {stat.st_size} {stat.st_mtime_ns}".encode())
    for package in ("numpy", "pandas", "plotly"):
        digest.update(version(package).encode())
    return digest.hexdigest()


SCRIPTS: dict[str, Callable[[str], str]] = {
    "board.js": partial(re.sub, r"^export default function", "window.drawBoard = function", flags=re.MULTILINE),
    "board.css": str,
    "figure.js": str,
    "figure.css": str,
}
"""What the web pages need beside Plotly, and how it is changed: pages opened as files can't load modules."""


def script(name: str) -> str:
    """One of them."""
    folder = "board" if name.startswith("board") else "export"
    return SCRIPTS[name]((ROOT / "explain" / folder / name).read_text("utf-8"))


def beside(request: Request) -> Response:
    """One of them, to the browser."""
    name = request.url.path.rpartition("/")[2]
    kind = {"js": "text/javascript", "css": "text/css"}[name.rpartition(".")[2]]
    return Response(script(name), media_type=kind, headers={"cache-control": "public, max-age=300"})


ROUTES = [Route("/figure/{path:path}", figure), *(Route(f"/{name}", beside) for name in SCRIPTS)]
