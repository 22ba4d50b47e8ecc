"""What training made of a table: rows of vectors, one a position, or a number per bucket of distances and head."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from explain import figures, palette, panels, stage
from explain.board import Panel
from explain.figures import Mark, Series
from explain.parts.convention import numbered
from explain.parts.opening import Topic
from explain.view import Matrices
from explain.words import listed, number, text
from posenc import spectrum, t5
from posenc.decay import points
from posenc.measure import drawn

MOST_TABLES = 2
MOST_HEADS = 64
HELD = 0.9
NEAR = (1, 6, 64)
"""Distances whose rows' likeness is put into numbers."""
SIDES = (("i", "j"), ("k", "l"))
PEAKS = 4


class Rows(NamedTuple):
    """A table with a vector in each row."""

    name: str
    values: np.ndarray
    """(m, d), every entry a number."""
    index: np.ndarray
    """Which rows of the whole table these are, (m,)."""


class Buckets(NamedTuple):
    """A table with a number per bucket and head."""

    name: str
    values: np.ndarray
    """(buckets, heads); NaN where there is no number."""
    max_distance: int
    causal: bool


def rows(page: Topic, tables: Sequence[Rows]) -> None:
    """One or two tables of vectors: how alike their rows are, how long, how many directions they use, which waves run through them."""
    _similarity(page, tables)
    left, right = stage.columns(1, 1)
    with left:
        lengths = [Series(name, index, np.linalg.norm(values, axis=1)) for name, values, index in tables]
        drawn_lengths = figures.curves(lengths, x_title=text("trained", "row"), y_title=text("trained", "length"), from_zero=True)
        panels.show(page.name, "lengths", _caption("lengths", map(_length, tables)), drawn_lengths)
    with right:
        shares = [spectrum.strengths(table.values) for table in tables]
        held = [Series(table.name, np.arange(len(one)) + 1, 100 * np.cumsum(one)) for table, one in zip(tables, shares, strict=True)]
        facts = [
            text("trained", "directions.of", name=table.name, needed=spectrum.needed(one, HELD), all=len(one))
            for table, one in zip(tables, shares, strict=True)
        ]
        figure = figures.curves(held, x_title=text("trained", "directions"), y_title=text("trained", "held"), log_x=True, from_zero=True)
        panels.show(page.name, "directions", _caption("directions", facts, part=f"{100 * HELD:.0f} %"), figure)
    found = [spectrum.waves(table.values) for table in tables]
    waves = [Series(table.name, periods, 100 * share) for table, (periods, share) in zip(tables, found, strict=True)]
    facts = [_strongest(table.name, *one) for table, one in zip(tables, found, strict=True)]
    figure = figures.curves(waves, x_title=text("trained", "period"), y_title=text("trained", "share"), log_x=True, from_zero=True)
    panels.show(page.name, "waves", _caption("waves", facts), figure)


def _similarity(page: Topic, tables: Sequence[Rows]) -> None:
    axes, shown, facts = {}, [], []
    for number_, (table, (down, across)) in enumerate(zip(tables, SIDES, strict=False)):
        kept = drawn(len(table.values), panels.MOST)
        for side, arrow in ((down, "↓"), (across, "→")):
            axes[side] = numbered(f"{text('trained', 'row')} {arrow}", table.index[kept])
        alike = spectrum.similarity(table.values - table.values.mean(axis=0))
        shown.append(Panel(f"t{number_}", table.name, down, across, "cosine", alike[np.ix_(kept, kept)], "position"))
        likeness = [np.median(np.diagonal(alike, apart)) if len(alike) > apart else None for apart in NEAR]
        one, six, far = (number(value, 2) for value in likeness)
        facts.append(text("trained", "similarity.of", name=table.name, one=one, six=six, far=far) + _strided(len(table.values)))
    scale = {"cosine": panels.scale(text("trained", "cosine"), palette.signed(np.ones(1)))}
    lines = [f"{panel.title}: {{{panel.rows}.label}} · {{{panel.cols}.label}} = {{{panel.id}}}" for panel in shown]
    panels.show(page.name, "similarity", _caption("similarity", facts), Matrices(shown, axes, scale, lines, columns=MOST_TABLES))


def _strided(count: int) -> str:
    step = -(-count // panels.MOST)
    return "" if step == 1 else " " + text("trained", "strided", step=step)


def _length(table: Rows) -> str:
    norms = np.linalg.norm(table.values, axis=1)
    odd = spectrum.odd(table.values)
    named = [f"{table.index[row]} ({number(norms[row])})" for row in odd[:8]]
    more = text("trained", "more", count=len(odd) - 8) if len(odd) > 8 else ""
    return text("trained", "lengths.of", name=table.name, median=number(np.median(norms)), odd=listed(named) + more)


def _strongest(name: str, periods: np.ndarray, share: np.ndarray) -> str:
    strongest = np.argsort(-share, kind="stable")[:PEAKS]
    named = [f"{number(periods[at])} ({100 * share[at]:.0f} %)" for at in strongest if share[at] > 0]
    return text("trained", "waves.of", name=name, periods=listed(named))


def _caption(key: str, of_tables: Iterable[str], **facts: object) -> str:
    return " ".join([text("trained", f"{key}.caption", **facts), *of_tables])


def buckets(page: Topic, table: Buckets, head: int) -> None:
    """A number per bucket: the heads' biases by offset, the drawn one's by distance, which heads rise on the way out, which look where."""
    values = table.values[:, :MOST_HEADS]
    far, heads = table.max_distance, values.shape[1]
    offsets = np.arange(-far - 16, 1 if table.causal else far + 17)
    bias = t5.bias(0, offsets, values, len(values), far, table.causal)
    others = [one for one in range(heads) if one != head]
    thin = [Series(text("page", "heads.others"), *figures.apart(bias[others], offsets), faint=True)] if others else []
    chosen = Series(text("page", "head", head=head + 1), offsets, bias[head])
    marks = [Mark(-far, f"−{far}"), *([] if table.causal else [Mark(far, f"{far}")])]
    drawn_bias = figures.curves([*thin, chosen], x_title=text("page", "offset"), y_title=text("trained", "bias"), marks=marks)
    panels.show(page.name, "by_offset", text("trained", "by_offset.caption", **_ends(bias, offsets, head)), drawn_bias)

    steps = np.arange(1, far + 1)
    signs = {"past": -1} if table.causal else {"past": -1, "future": 1}
    sides = {side: t5.bias(0, sign * steps, values, len(values), far, table.causal) for side, sign in signs.items()}
    rises = {side: spectrum.rises(rows_) for side, rows_ in sides.items()}
    counted = np.arange(heads) + 1
    left, right = stage.columns(1, 1)
    with left:
        distances = points(4 * far + 1)[1:]
        series = [
            Series(text("page", side), distances, t5.bias(0, sign * distances, values, len(values), far, table.causal)[head])
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
