"""Learned tables: their names and shapes, how they start, and seeded draws of them that stay put when a size changes."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

Start = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


class Table(NamedTuple):
    """One learned array: its shape, how it is initialised, and which axis counts heads."""

    shape: tuple[int, ...]
    start: Start
    head_axis: int | None = None
    """The axis with one entry per head, or None when heads share the table."""
    first: int = 0
    """What row 0 stands for (−k in a table of clipped offsets), so that a row keeps its values when the table grows."""


class Trained(NamedTuple):
    """A published model's own table, drawn in place of an initialisation when the named arguments are as given."""

    model: str
    tensor: str
    table: str
    """The name of the learned table that it fills."""
    when: Mapping[str, object]
    """The named arguments the model was trained with."""
    content: float = 1.0
    """The deviation of the model's own word vectors, where they meet the table directly: content of loudness 1 takes it."""


@cache  # the same start is the same function, so that rows drawn with it are found again
def normal(std: float) -> Start:
    """Normal numbers of mean 0."""
    return lambda rng, shape: std * rng.standard_normal(shape)


@cache
def uniform(low: float, high: float) -> Start:
    """Uniform numbers in [low, high)."""
    return lambda rng, shape: low + (high - low) * rng.random(shape)


@cache
def constant(value: float) -> Start:
    """The same number everywhere."""
    return lambda rng, shape: np.full(shape, value)


def stream(*labels: object) -> np.random.Generator:
    """A random generator that depends on nothing but its labels, on any machine (Python's own hash() would)."""
    digest = hashlib.sha256("\x1f".join(map(str, labels)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


@lru_cache(maxsize=8192)  # a page asks for the same rows in each of its figures
def _row(start: Start, seed: int, name: str, label: int, shape: tuple[int, ...]) -> np.ndarray:
    """One row of a table at its start. Read-only."""
    row = np.asarray(start(stream(seed, name, label), shape))
    row.flags.writeable = False
    return row


def draw(tables: Mapping[str, Table], seed: int, head: Sequence[int]) -> dict[str, np.ndarray]:
    """Every table at its seeded start, float64, with the heads of `head` alone along its head axis.

    Each row has its own stream, labelled by what it stands for: when a size grows, rows are added, none changes.
    """
    drawn = {}
    for name, table in tables.items():
        rows = head if table.head_axis == 0 else range(table.shape[0])
        parts = [_row(table.start, seed, name, row + table.first, table.shape[1:]) for row in rows]
        array = np.stack(parts) if parts else np.zeros((0, *table.shape[1:]))
        drawn[name] = array if table.head_axis in (None, 0) else array.take(head, axis=table.head_axis)
    return drawn


def size(tables: Mapping[str, Table]) -> int:
    """How many learned parameters the tables hold."""
    return sum(int(np.prod(table.shape)) for table in tables.values())
