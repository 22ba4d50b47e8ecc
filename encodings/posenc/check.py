"""Refusals, in one wording: the name, the value, the limit."""

from collections.abc import Collection

import numpy as np


def at_least(name: str, value: float, limit: float) -> None:
    """ValueError unless value ≥ limit (NaN is refused too)."""
    if not value >= limit:
        raise ValueError(f"{name} is {value}; it must be at least {limit}")


def between(name: str, value: float, low: float, high: float) -> None:
    """ValueError unless low ≤ value ≤ high (NaN is refused too)."""
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}; it must be from {low} to {high}")


def even(name: str, value: int) -> None:
    """ValueError unless value is even and at least 2: pairs of dimensions are needed."""
    if value < 2 or value % 2:
        raise ValueError(f"{name} is {value}; it must be even and at least 2, because dimensions are taken in pairs")


def one_of(name: str, value: object, choices: Collection[object]) -> None:
    """ValueError unless value is one of choices."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, choices))}")


def inside(name: str, index: np.ndarray, rows: int) -> None:
    """ValueError unless 0 ≤ index < rows everywhere: NumPy would wrap a negative index without a word."""
    index = np.asarray(index)
    if index.size and (index.min() < 0 or index.max() >= rows):
        wrong = index.min() if index.min() < 0 else index.max()
        raise ValueError(f"{name} is {wrong}; the table holds rows 0 to {rows - 1}")


def whole(name: str, positions: np.ndarray) -> np.ndarray:
    """`positions` as int64; ValueError where they are not whole numbers."""
    array = np.asarray(positions)
    wrong = array[~(np.isfinite(array) & (array == np.round(array)))]
    if wrong.size:
        raise ValueError(f"{name} is {wrong[0]}; it must be a whole number")
    return array.astype(np.int64)
