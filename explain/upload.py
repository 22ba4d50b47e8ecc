"""A table out of the reader's own model: the file, which tensor, how its rows are to be read. Until there is one, a shipped model's."""

from typing import BinaryIO, NamedTuple

import numpy as np
import streamlit as st

from explain import checkpoint, stage, weights
from explain.checkpoint import LARGEST, MEGABYTE, Entry, Refused
from explain.words import number, plain, text

EXAMPLE = "all-mpnet-base-v2"
MOST_LISTED = 300
ABOVE = 256
"""What the browser may send, in 1,048,576 bytes: above our limit, so that our message, which names size and limit, is the one read."""
MOST_ROWS_OF_BUCKETS = 1024


class Own(NamedTuple):
    """One table and how to read it."""

    name: str
    kind: str
    values: np.ndarray
    """NaN where the file holds no usable number."""
    usable: np.ndarray
    """The rows that have none of these."""


def table() -> Own:
    """The table that the reader chose, out of their own file or, while there is none that can be read, out of a shipped one."""
    if stage.request():
        return _example(None)
    sent = st.file_uploader(
        text("upload", "file", limit=LARGEST // MEGABYTE),
        type="safetensors",
        key="upload",
        max_upload_size=ABOVE,
        help=text("upload", "file.help"),
    )
    if sent is None:
        return _example(text("upload", "example", name=EXAMPLE))
    try:
        return _chosen(sent, sent.size, sent.file_id)
    except Refused as refusal:
        facts = {name: plain(str(value)) for name, value in refusal.facts.items()}
        st.error(text("upload", f"refused.{refusal.reason}", **facts), icon=":material/block:")
        return _example(text("upload", "example.instead", name=EXAMPLE))


def _example(told: str | None) -> Own:
    path = weights.FOLDER / f"{EXAMPLE}.safetensors"
    if told:
        stage.note(told)
    with path.open("rb") as file:
        return _chosen(file, path.stat().st_size, "example")


def _chosen(file: BinaryIO, size: int, key: str) -> Own:
    """The tensor that the reader picks of those a file has, the first known one at first."""
    there = checkpoint.choices(checkpoint.entries(file, size))
    entry, kind = _asked(there, key)
    found = checkpoint.values(file, entry)
    height, width = entry.sides
    facts = {"name": plain(entry.name), "rows": number(height), "columns": number(width), "dtype": entry.dtype}
    said = [text("upload", "read", **facts)]
    if entry.known:
        said.append(text("upload", f"known.{entry.known.removesuffix('.weight')}"))
    if len(found.rows) < found.of:
        said.append(text("upload", "first", shown=number(len(found.rows)), **facts))
    if found.broken:
        said.append(text("upload", "broken", count=number(found.broken), all=number(found.rows.size)))
    usable = np.flatnonzero(np.isfinite(found.rows).all(axis=1))
    if kind == "rows" and len(usable) < 2:
        raise Refused("no_vectors", name=checkpoint.shown(entry.name))
    stage.note(" ".join(said))
    return Own(entry.name, kind, found.rows, usable)


def _asked(there: list[Entry], key: str) -> tuple[Entry, str]:
    """The tensor and its kind: the first one and what its name says, unless the reader asks for others."""
    if stage.request():
        return there[0], there[0].kind or checkpoint.KINDS[0]
    which, read_as = st.columns([3, 2], gap="medium")
    with which:
        shown = range(min(len(there), MOST_LISTED))
        picked = st.selectbox(text("upload", "tensor"), shown, format_func=lambda at: _label(there[at]), key=f"upload-tensor-{key}")
        if len(there) > MOST_LISTED:
            st.caption(text("upload", "more", count=number(len(there) - MOST_LISTED)))
    entry = there[picked]
    kinds = checkpoint.KINDS if entry.sides[0] <= MOST_ROWS_OF_BUCKETS else checkpoint.KINDS[:1]
    with read_as:
        kind = st.segmented_control(
            text("upload", "kind"),
            kinds,
            default=entry.kind if entry.kind in kinds else kinds[0],
            required=True,
            format_func=lambda one: text("upload", f"kind.{one}"),
            help=text("upload", "kind.help"),
            key=f"upload-kind-{key}-{picked}",
        )
    return entry, str(kind)


def _label(entry: Entry) -> str:
    return f"{entry.name}  ({' × '.join(number(side) for side in entry.sides)}, {entry.dtype})"
