"""Where the parts of a page put what they have: onto the Streamlit page that is running, or, asked over plain HTTP, into a list of figures.

Parts speak to a page only through this module and `panels`, so that every figure of every page can leave the app as it stands there.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from explain.view import View


@dataclass
class Request:
    """A page asked for without Streamlit: the knobs' values, and the figures that come of them."""

    knobs: Mapping[str, Any]
    language: str
    theme: str
    views: dict[str, View] = field(default_factory=dict)
    heading: str = ""
    told: Callable[[View], None] | None = None
    """Called with each figure as soon as it is there."""

    def take(self, view: View) -> None:
        """Takes a figure down."""
        self.views[view.name] = view
        if self.told:
            self.told(view)


_request: ContextVar[Request | None] = ContextVar("request", default=None)


def request() -> Request | None:
    """The request over HTTP that is being answered, or None on a Streamlit page."""
    return _request.get()


@contextmanager
def answering(asked: Request) -> Iterator[Request]:
    """Within this context a page's script fills `asked.views` and draws nothing."""
    token = _request.set(asked)
    try:
        yield asked
    finally:
        _request.reset(token)


def address(path: str) -> str:
    """Where one of our own routes is, as the browser sees it."""
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}/{path}" if base else f"/{path}"


def heading(title: str, anchor: str) -> None:
    """The title of a part."""
    if asked := request():
        asked.heading = title
    else:
        st.header(title, anchor=anchor)


def prose(text: str) -> None:
    """Paragraphs of Markdown."""
    if not request():
        st.markdown(text)


def note(text: str) -> None:
    """A remark in small type."""
    if not request():
        st.caption(text)


def verdict(good: bool, text: str) -> None:
    """What a comparison came to."""
    if not request():
        st.success(text, icon=":material/check_circle:") if good else st.info(text, icon=":material/call_split:")


def columns(*widths: int) -> list[AbstractContextManager[object]]:
    """Places beside each other, one below the other on a phone."""
    return [nullcontext() for _ in widths] if request() else list(st.columns(widths, gap="medium"))
