"""What training made of a table: rows of vectors, one a position, or a number per bucket of distances and head."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from explain import figures, palette, panels, stage
from explain.board import Panel
from explain.figures import Mark, Series
from explain.parts.convention import numbered
from explain.parts.curves import among_heads
from explain.parts.opening import Topic
from explain.view import Matrices
from explain.words import listed, number, percent, text
from posenc import spectrum, t5
from posenc.decay import points
from posenc.measure import drawn

MOST_HEADS = 64
MOST_COMPARED = 2048
"""Rows up to which all are compared before some are drawn, so that the mean row is that of all."""
MOST_NAMED = 8
HELD = 0.9
NEAR = (1, 6, 64)
"""Distances whose rows' likeness is put into numbers."""
SIDES = (("i", "j"), ("k", "l"))
PEAKS = 4
HERE = np.array(0)


class Rows(NamedTuple):
    """A table with a vector in each row."""

    name: str
    values: np.ndarray
    """(m, d), every entry a number."""
    numbers: np.ndarray
    """Which rows of the whole table these are, (m,)."""


class Buckets(NamedTuple):
    """A table with a number per bucket and head."""

    name: str
    values: np.ndarray
    """(buckets, heads); NaN where there is no number."""
    max_distance: int
    causal: bool


class _Measured(NamedTuple):
    """What is drawn of one table."""

    alike: np.ndarray
    near: tuple[float | None, ...]
    strengths: np.ndarray
    periods: np.ndarray
    waves: np.ndarray
    odd: np.ndarray


def _digest(values: np.ndarray) -> bytes:
    """Every entry counts: Streamlit's own way looks at some of a large array."""
    return hashlib.sha256(np.ascontiguousarray(values).data).digest() + str(values.shape).encode()


@st.cache_data(max_entries=8, hash_funcs={np.ndarray: _digest}, show_spinner=False)  # a second for the largest, and the same at every head
def _measure(values: np.ndarray) -> _Measured:
    kept = drawn(len(values), panels.MOST)
    found = [spectrum.apart(values, distance) for distance in NEAR]
    near = tuple(float(np.median(one)) if len(one) else None for one in found)
    alike = spectrum.similarity(values)[np.ix_(kept, kept)] if len(values) <= MOST_COMPARED else spectrum.similarity(values[kept])
    return _Measured(alike, near, spectrum.strengths(values), *spectrum.waves(values), spectrum.odd(values))


def rows(page: Topic, tables: Sequence[Rows]) -> None:
    """One or two tables of vectors: how alike their rows are, how long, how many directions they use, which waves run through them."""
    found = [_measure(table.values) for table in tables]
    both = list(zip(tables, found, strict=True))
    _similarity(page, both)
    left, right = stage.columns(1, 1)
    with left:
        lengths = [Series(table.name, table.numbers, np.linalg.norm(table.values, axis=1)) for table in tables]
        figure = figures.curves(lengths, x_title=text("trained", "row"), y_title=text("trained", "length"), from_zero=True)
        panels.show(page.name, "lengths", _caption("lengths", (_lengths(table, one.odd) for table, one in both)), figure)
    with right:
        held = [Series(table.name, np.arange(len(one.strengths)) + 1, 100 * np.cumsum(one.strengths)) for table, one in both]
        facts = [
            text("trained", "directions.of", name=table.name, needed=spectrum.needed(one.strengths, HELD), all=len(one.strengths))
            for table, one in both
        ]
        figure = figures.curves(held, x_title=text("trained", "directions"), y_title=text("trained", "held"), log_x=True, from_zero=True)
        panels.show(page.name, "directions", _caption("directions", facts, part=percent(HELD)), figure)
    waves = [Series(table.name, one.periods, 100 * one.waves) for table, one in both]
    figure = figures.curves(waves, x_title=text("trained", "period"), y_title=text("trained", "share"), log_x=True, from_zero=True)
    panels.show(page.name, "waves", _caption("waves", (_strongest(table.name, one) for table, one in both)), figure)


def _similarity(page: Topic, both: Sequence[tuple[Rows, _Measured]]) -> None:
    axes, shown, facts = {}, [], []
    for place, ((table, found), (down, across)) in enumerate(zip(both, SIDES, strict=False)):
        index = table.numbers[drawn(len(table.numbers), panels.MOST)]
        for side, arrow in ((down, "↓"), (across, "→")):
            axes[side] = numbered(f"{text('trained', 'row')} {arrow}", index)
        shown.append(Panel(f"t{place}", table.name, down, across, "cosine", found.alike, "position"))
        one, six, far = (number(value, 2) for value in found.near)
        facts.append(text("trained", "similarity.of", name=table.name, one=one, six=six, far=far) + _strided(len(table.numbers)))
    scale = {"cosine": panels.scale(text("trained", "cosine"), palette.signed(np.ones(1)))}
    lines = [
        text("page", "readout.named", name=panel.title, value=f"{{{panel.rows}.label}} · {{{panel.cols}.label}} = {{{panel.id}}}")
        for panel in shown
    ]
    panels.show(page.name, "similarity", _caption("similarity", facts), Matrices(shown, axes, scale, lines, columns=len(shown)))


def _strided(count: int) -> str:
    step = -(-count // panels.MOST)
    return "" if step == 1 else " " + text("trained", "strided", step=step)


def _lengths(table: Rows, odd: np.ndarray) -> str:
    norms = np.linalg.norm(table.values, axis=1)
    named = [f"{table.numbers[row]} ({number(norms[row])})" for row in odd[:MOST_NAMED]]
    more = text("trained", "more", count=len(odd) - MOST_NAMED) if len(odd) > MOST_NAMED else ""
    return text("trained", "lengths.of", name=table.name, median=number(np.median(norms)), odd=listed(named) + more)


def _strongest(name: str, found: _Measured) -> str:
    strongest = np.argsort(-found.waves, kind="stable")[:PEAKS]
    named = [f"{number(found.periods[at])} ({percent(found.waves[at])})" for at in strongest if found.waves[at] > 0]
    return text("trained", "waves.of", name=name, periods=listed(named))


def _caption(key: str, of_tables: Iterable[str], **facts: object) -> str:
    return " ".join([text("trained", f"{key}.caption", **facts), *of_tables])


def buckets(page: Topic, table: Buckets, head: int) -> None:
    """A number per bucket: the heads' biases by offset, the drawn one's by distance, which heads rise on the way out, which look where."""
    values = table.values[:, :MOST_HEADS]
    far, heads = table.max_distance, values.shape[1]
    offsets = np.arange(-far - 16, 1 if table.causal else far + 17)
    bias = t5.bias(HERE, offsets, values, len(values), far, table.causal)
    marks = [Mark(-far, f"−{far}"), *([] if table.causal else [Mark(far, f"{far}")])]
    drawn_bias = figures.curves(
        among_heads(offsets, bias, head), x_title=text("page", "offset"), y_title=text("trained", "bias"), marks=marks
    )
    panels.show(page.name, "by_offset", text("trained", "by_offset.caption", **_ends(bias, offsets, head)), drawn_bias)

    steps = np.arange(1, far + 1)
    signs = {"past": -1} if table.causal else {"past": -1, "future": 1}
    sides = {side: t5.bias(HERE, sign * steps, values, len(values), far, table.causal) for side, sign in signs.items()}
    rises = {side: spectrum.rises(rows_) for side, rows_ in sides.items()}
    counted = np.arange(heads) + 1
    left, right = stage.columns(1, 1)
    with left:
        distances = points(4 * far + 1)[1:]
        series = [
            Series(text("page", side), distances, t5.bias(HERE, sign * distances, values, len(values), far, table.causal)[head])
            for side, sign in signs.items()
        ]
        figure = figures.curves(
            series, x_title=text("page", "distance"), y_title=text("trained", "bias"), log_x=True, marks=[Mark(far, f"{far}")]
        )
        told = listed([text("trained", f"rises.{side}", count=int(found[head])) for side, found in rises.items()])
        panels.show(page.name, "by_distance", text("trained", "by_distance.caption", head=head + 1, rises=told), figure)
    with right:
        figure = figures.bars(
            [(text("page", side), counted, found) for side, found in rises.items()],
            x_title=text("page", "head.title"),
            y_title=text("trained", "rises"),
        )
        turning = counted[np.sum([*rises.values()], axis=0) > 0]
        facts = {"count": len(turning), "heads": heads, "falling": listed([str(one) for one in counted if one not in turning])}
        panels.show(page.name, "rises", text("trained", "rises.caption", **facts), figure)
    if not table.causal:
        ahead = (sides["future"] - sides["past"]).mean(axis=1)
        figure = figures.bars(
            [(text("trained", "direction"), counted, ahead)], x_title=text("page", "head.title"), y_title=text("trained", "direction")
        )
        facts = {
            "ahead": listed([str(one) for one in counted[ahead > 0.1]]),
            "back": listed([str(one) for one in counted[ahead < -0.1]]),
        }
        panels.show(page.name, "direction", text("trained", "direction.caption", far=far, **facts), figure)


def _ends(bias: np.ndarray, offsets: np.ndarray, head: int) -> dict[str, str]:
    """Where the drawn head's bias is largest and smallest."""
    curve = bias[head]
    if not np.isfinite(curve).any():
        return dict.fromkeys(("high", "at_high", "low", "at_low"), "–") | {"head": str(head + 1)}
    top, bottom = int(np.nanargmax(curve)), int(np.nanargmin(curve))
    return {
        "head": str(head + 1),
        "high": number(curve[top]),
        "at_high": number(int(offsets[top])),
        "low": number(curve[bottom]),
        "at_low": number(int(offsets[bottom])),
    }
