"""`/live/<page>`: what a page would draw at an address's knobs, figure by figure, as boards and charts are sent it by the page itself."""

import asyncio
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from explain import chart, live, panels, stage
from explain.export import answer, query, routes
from explain.view import Matrices
from tests.explain import served

SMALL = {"length": "5", "width": "8"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served.client() as opened:
        yield opened


def messages(body: bytes) -> dict[str, bytes]:
    """Keys and bytes, in the order in which they came."""
    found = {}
    while body:
        length = int.from_bytes(body[:4], "little")
        key, body = body[4 : 4 + length].decode(), body[4 + length :]
        length = int.from_bytes(body[:4], "little")
        found[key], body = body[4 : 4 + length], body[4 + length :]
    return found


@pytest.mark.parametrize("page", ["alibi", "shaw", "compare", "real_model"])
@pytest.mark.parametrize("look", [{}, {"lang": "zh", "theme": "dark"}])
def test_the_same_bytes_as_on_the_page(client: TestClient, page: str, look: dict[str, str]) -> None:
    """In the order of the page: a component that is sent them twice has nothing to draw."""
    given = SMALL | look | {"cell": "3,1"}
    asked = query.parse(page, "", "html", given.items())
    views = answer.run(asked)
    answered = client.get(f"/live/{page}", params=given)
    assert answered.status_code == 200
    found = messages(answered.content)
    assert list(found) == [view.key for view in views.values()]
    with stage.answering(stage.Request(asked.knobs, asked.language, asked.theme)):
        for view in views.values():
            if isinstance(view.drawn, Matrices):
                assert found[view.key] == panels.packed(view, view.drawn, panels.cell("3,1")), view.key
            else:
                assert found[view.key].decode() == chart.message(view.drawn, view.caption), view.key


def test_each_figure_as_soon_as_it_is_made() -> None:
    """The first is told before the last is computed."""
    order = []
    answer.run(query.parse("shaw", "", "html", SMALL.items()), lambda view: order.append(view.name))
    assert order[:2] == ["vectors", "dimensions"]
    assert len(order) > 5


def test_it_is_kept_by_nobody_and_not_compressed(client: TestClient) -> None:
    """Compressing a large board took longer than making it."""
    answered = client.get("/live/alibi", params=SMALL, headers={"accept-encoding": "gzip"})
    assert answered.headers["cache-control"] == "no-store"
    assert answered.headers["content-encoding"] == "identity"


def test_what_can_not_be_drawn(client: TestClient) -> None:
    """A knob out of range is refused; a setting that the scheme refuses has no figures, and the page itself says why."""
    assert client.get("/live/alibi", params={"length": "513"}).status_code == 400
    assert client.get("/live/alibi", params={"nothing": "1"}).status_code == 400
    refused = client.get("/live/rope", params={"width": "7"})
    assert refused.status_code == 200
    assert refused.content == b""


@pytest.mark.parametrize("page", ["start", "your_model", "shav", "alibi.html"])
def test_pages_that_there_are_not(client: TestClient, page: str) -> None:
    assert client.get(f"/live/{page}").status_code == 404


def test_too_many_who_wait(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are sent away, as those who ask for a single figure are."""
    monkeypatch.setattr(routes, "WAITING", 0)
    assert client.get("/live/alibi", params=SMALL).status_code == 429
    assert client.get("/figure/alibi/terms.json", params=SMALL).status_code == 429


def test_lengths_are_little_endian() -> None:
    """As live.js reads them."""
    view = answer.run(query.parse("alibi", "", "html", SMALL.items()))["terms"]
    message = live.message(view, "")
    assert message[:4] == b"\x0b\x00\x00\x00"
    assert message[4:15] == b"alibi-terms"
    assert int.from_bytes(message[15:19], "little") == len(message) - 19


@pytest.mark.parametrize(("patience", "order"), [(60, ["http", "answered", "websocket"]), (0.01, ["http", "websocket", "answered"])])
def test_streamlit_waits_for_figures_that_are_being_made(patience: float, order: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """But not for ever, and nobody else does."""
    happened = []

    async def app(scope: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        happened.append(scope["type"])

    async def told() -> Message:
        return {"type": "websocket.receive"}

    async def nothing(_message: Message) -> None: ...

    async def run() -> None:
        answered = asyncio.get_running_loop().create_future()
        monkeypatch.setattr(live, "_answering", {answered})
        waiting = asyncio.create_task(live.Patience(app)({"type": "websocket"}, told, nothing))
        await live.Patience(app)({"type": "http"}, told, nothing)
        await asyncio.sleep(0.1)
        happened.append("answered")
        answered.set_result(None)
        await waiting

    monkeypatch.setattr(live, "PATIENCE", patience)
    asyncio.run(run())
    assert happened == order


def test_nothing_is_waited_for_after_an_answer(client: TestClient) -> None:
    for length in ("5", "513"):
        client.get("/live/alibi", params={"length": length})
    assert live._answering == set()
