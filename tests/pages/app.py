"""A page of the app without a browser: opened at given knobs, with what it drew read back out of the messages."""

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test

from explain import board, words

SECONDS = 120
"""A page that takes longer hangs; ordinary ones take half a second, the largest sizes some seconds on a loaded machine."""
FORMULA = re.compile(r"\$[^$]*\$")
UNFILLED = re.compile(r"\{\{|\}\}|\bnan\b|\bNone\b|\binf\b")

# A server looks once for components among the installed packages, and compiles a script once; AppTest would at each opening, at each run.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
app_test.ScriptCache = cache(app_test.ScriptCache)


class Board(NamedTuple):
    """One matrix board: what its message declares, and the numbers of each panel that is there."""

    head: dict
    arrays: dict[str, np.ndarray]


class Chart(NamedTuple):
    """One chart: Plotly's figure as it was sent, and its text alternative."""

    figure: dict
    alt: str


def opened(page: str, **query: object) -> AppTest:
    """The page as a link with these parameters opens it; a list stands for a parameter that is given several times."""
    at = AppTest.from_file("../../explain/frame.py", default_timeout=SECONDS)
    at.switch_page(f"../pages/{page}.py")
    for name, value in query.items():
        at.query_params[name] = [str(one) for one in value] if isinstance(value, list) else str(value)
    return at.run()


@contextmanager
def asking() -> Iterator[set[tuple[str, str]]]:
    """The texts that are asked for meanwhile, each as its page and its key; one that is not there raises KeyError, as always."""
    asked: set[tuple[str, str]] = set()
    found = words.texts

    class Recorded(dict[str, str]):
        page = ""

        def __getitem__(self, key: str) -> str:
            asked.add((self.page, key))
            return super().__getitem__(key)

    def recorded(language: str, page: str) -> dict[str, str]:
        texts = Recorded(found(language, page))
        texts.page = page
        return texts

    with patch.object(words, "texts", recorded):
        yield asked


def boards(at: AppTest) -> dict[str, Board]:
    """The page's boards by key."""
    return {_key(one): Board(*board.unpack(one.bytes)) for one in _components(at, "board")}


def charts(at: AppTest) -> dict[str, Chart]:
    """The page's charts by key."""
    sent = {_key(one): json.loads(one.json) for one in _components(at, "chart")}
    return {key: Chart(**json.loads(data["message"])) for key, data in sent.items()}


def unfilled(prose: str) -> bool:
    """Whether something is left in a text that no reader should see: a placeholder, a number that is none."""
    return UNFILLED.search(FORMULA.sub("", prose)) is not None


def said(at: AppTest) -> list[str]:
    """All prose of the page, captions and text alternatives included."""
    kinds = (at.title, at.header, at.subheader, at.markdown, at.caption, at.error, at.warning, at.info, at.success)
    prose = [element.value for kind in kinds for element in kind]
    return [*prose, *(one.head["name"] for one in boards(at).values()), *(one.alt for one in charts(at).values())]


def anchors(at: AppTest) -> list[str]:
    """The anchors of the page's parts, in order."""
    return [header.proto.anchor for header in at.header]


def array(sent: object) -> np.ndarray:
    """The numbers of one side of a trace, which Plotly sends as bytes."""
    assert isinstance(sent, dict), f"sent as {type(sent).__name__}, not as bytes"
    return np.frombuffer(base64.b64decode(sent["bdata"]), dtype=sent["dtype"])


def _components(at: AppTest, name: str) -> list:
    return [element.proto for element in at.get("bidi_component") if element.proto.component_name == name]


def _key(proto: object) -> str:
    return re.sub(r"^\$\$ID-[0-9a-f]+-", "", proto.id)
