"""The app itself, told as a browser tells it which address was opened: every page's address leads to that page."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from app import app
from explain import navigation
from explain.words import text


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(app) as opened:
        yield opened


def answered(client: TestClient, page: str) -> list[ForwardMsg]:
    """All that the server says to a browser whose first word is that it has opened this page."""
    told = BackMsg()
    told.rerun_script.page_name = page
    told.rerun_script.query_string = "length=7&width=8"
    messages = []
    with client.websocket_connect("/_stcore/stream", subprotocols=["streamlit"]) as browser:
        browser.send_bytes(told.SerializeToString())
        while not messages or messages[-1].WhichOneof("type") != "script_finished":
            messages.append(ForwardMsg.FromString(browser.receive_bytes()))
    return messages


@pytest.mark.parametrize("name", [navigation.START, *navigation.path()])
def test_an_address_leads_to_its_page(name: str, client: TestClient) -> None:
    messages = answered(client, "" if name == navigation.START else name)
    assert "page_not_found" not in {message.WhichOneof("type") for message in messages}
    elements = [message.delta.new_element for message in messages if message.WhichOneof("type") == "delta"]
    titles = [element.heading.body for element in elements if element.WhichOneof("type") == "heading" and element.heading.tag == "h1"]
    assert titles == [text(name, "headline" if name == navigation.START else "title")]


def test_an_address_that_there_is_not(client: TestClient) -> None:
    """The reader is told so."""
    assert "page_not_found" in {message.WhichOneof("type") for message in answered(client, "shav")}
