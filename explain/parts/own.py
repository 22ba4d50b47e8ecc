"""The reader's own table on a page, and the snippet that cuts it out of a large checkpoint."""

import re

import streamlit as st

from explain import checkpoint, controls, stage, upload
from explain.parts.trained import Buckets, Rows
from explain.upload import Own
from explain.words import text


def own_table() -> Own:
    """The table that the reader uploaded and chose, or a shipped model's."""
    return upload.table()


def as_rows(table: Own) -> list[Rows]:
    """The table as vectors, if that is how it is to be read."""
    return [Rows(_short(table.name), table.values[table.usable], table.usable)] if table.kind == "rows" else []


def as_buckets(table: Own) -> list[Buckets]:
    """The table as a number per bucket and head, for the max distance and the direction of the knobs, if that is how it is to be read."""
    given = int(controls.value("max_distance")), bool(controls.value("causal"))
    return [Buckets(_short(table.name), table.values, *given)] if table.kind == "buckets" else []


def cutter() -> None:
    """Python that makes a small file of a large one's position tables."""
    if not stage.request():
        st.code(checkpoint.cutter(), language="python", wrap_lines=True)


def _short(name: str) -> str:
    """The end of a tensor's name, which tells what it is, with nothing in it that a caption, a chart or the board could read as more."""
    end = name.removesuffix(".weight").rpartition(".")[2]
    return re.sub(r"[^\w-]+", "_", end).strip("_")[:40] or text("upload", "tensor")
