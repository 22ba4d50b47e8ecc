"""Figures that follow a slider while it moves: `/live/<page>` sends a page's figures as they are made, and live.js hands them on.

Streamlit tells of a slider only when it is let go of, and a run of a page costs the browser several times what a figure costs.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import streamlit as st
from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explain import chart, controls, panels, stage
from explain.controls import Entry, Number
from explain.export import answer
from explain.export.chromium import BusyError
from explain.export.query import Asked, RefusedError, pages
from explain.export.routes import MissingError, computing, told, understood
from explain.view import Matrices, View

_live = st.components.v2.component("live", html="<span></span>", js=(Path(__file__).parent / "live.js").read_text("utf-8"))

PATIENCE = 0.3
"""Seconds that Streamlit waits at most for answers that are being made."""
_answering: set[asyncio.Future[None]] = set()


def draw(page: str, language: str, theme: str) -> None:
    """Lets the figures of a page follow its sliders; `page` is the page's name."""
    if page not in pages():
        return
    sliders = {name for name, knob in controls.KNOBS.items() if isinstance(knob, Number) and not isinstance(knob, Entry)}
    data = {
        "address": stage.address(f"live/{page}"),
        "values": {name: controls.value(name) for name in sliders},
        "look": f"lang={language}&theme={theme}",
    }
    with st.container(key="live"):
        _live(key="follows", data=data)


class Patience:
    """What a browser tells Streamlit has to wait while figures are being made: they show what the run of the page will show, but sooner.

    Both at once would take twice as long, and the browser would be busy with what Streamlit says when the figures come.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def later() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and _answering:
                await asyncio.wait(tuple(_answering), timeout=PATIENCE)
            return message

        await self.app(scope, later if scope["type"] == "websocket" else receive, send)


async def figures(request: Request) -> Response:
    """The figures of a page at the address's knobs, each as soon as it is made; refused as a single figure is, 429 where too many wait."""
    try:
        asked = await to_thread.run_sync(understood, request.path_params["page"], request.query_params.multi_items())
        place = computing()
    except RefusedError as refusal:
        return told(400, str(refusal))
    except MissingError as missing:
        return told(404, str(missing))
    except BusyError:
        return told(429, "busy", {"retry-after": "10"})
    # "identity" keeps the server from compressing it: floats hardly shrink, and it takes longer than to make them.
    headers = {"cache-control": "no-store", "content-encoding": "identity"}
    return StreamingResponse(_messages(asked, place), media_type="application/octet-stream", headers=headers)


async def _messages(asked: Asked, place: CapacityLimiter) -> AsyncIterator[bytes]:
    """One message per figure, in the order of the page."""
    loop, made = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

    def tell(message: bytes | None) -> None:
        loop.call_soon_threadsafe(made.put_nowait, message)

    answered = loop.create_future()
    _answering.add(answered)
    try:
        running = asyncio.create_task(to_thread.run_sync(_run, asked, tell, limiter=place))
        while message := await made.get():
            yield message
        await running
    finally:
        _answering.discard(answered)
        answered.set_result(None)


def _run(asked: Asked, tell: Callable[[bytes | None], None]) -> None:
    try:
        answer.run(asked, lambda view: tell(message(view, asked.cell)))
    except ValueError:
        pass  # posenc refuses the knobs: the page itself says why
    finally:
        tell(None)


def message(view: View, cell: str) -> bytes:
    """A figure as live.js reads it: length of the key, the key, length of the bytes, the bytes. Lengths are uint32, little-endian."""
    key = view.key.encode()
    if isinstance(view.drawn, Matrices):
        bytes_ = panels.packed(view, view.drawn, panels.cell(cell))
    else:
        bytes_ = chart.message(view.drawn, view.caption).encode()
    return b"".join([len(key).to_bytes(4, "little"), key, len(bytes_).to_bytes(4, "little"), bytes_])


ROUTES = [Route("/live/{page}", figures)]
