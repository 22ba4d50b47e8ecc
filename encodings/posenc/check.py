"""Refusals, in one wording: the name, the value, the limit."""

from collections.abc import Collection

import numpy as np

RULES = {
    "at_least": "{name} is {value}; it must be at least {limit}",
    "exact": "{name} is {value}; it must be greater than the {exact} exact buckets of a side",
    "between": "{name} is {value}; it must be from {low} to {high}",
    "even": "{name} is {value}; it must be even and at least 2, because dimensions are taken in pairs",
    "shared": "{name} is {value}; it must be even when both directions share them",
    "one_of": "{name} is {value}; it must be one of {choices}",
    "inside": "{name} is {value}; the table holds rows 0 to {last}",
    "whole": "{name} is {value}; it must be a whole number",
}


class LimitError(ValueError):
    """A value beyond its limit. It keeps the rule and the values apart, for those who say it in another language."""

    def __init__(self, rule: str, **values: object) -> None:
        super().__init__(RULES[rule].format(**values))
        self.rule, self.values = rule, values


def at_least(name: str, value: float, limit: float) -> None:
    """ValueError unless value ≥ limit (NaN is refused too)."""
    if not value >= limit:
        raise LimitError("at_least", name=name, value=value, limit=limit)


def between(name: str, value: float, low: float, high: float) -> None:
    """ValueError unless low ≤ value ≤ high (NaN is refused too)."""
    if not low <= value <= high:
        raise LimitError("between", name=name, value=value, low=low, high=high)


def even(name: str, value: int) -> None:
    """ValueError unless value is even and at least 2: pairs of dimensions are needed."""
    if value < 2 or value % 2:
        raise LimitError("even", name=name, value=value)


def one_of(name: str, value: object, choices: Collection[object]) -> None:
    """ValueError unless value is one of choices."""
    if value not in choices:
        raise LimitError("one_of", name=name, value=repr(value), choices=", ".join(map(repr, choices)))


def inside(name: str, index: np.ndarray, rows: int) -> None:
    """ValueError unless 0 ≤ index < rows everywhere: NumPy would wrap a negative index without a word."""
    index = np.asarray(index)
    if index.size and (index.min() < 0 or index.max() >= rows):
        wrong = index.min() if index.min() < 0 else index.max()
        raise LimitError("inside", name=name, value=wrong, last=rows - 1)


def whole(name: str, positions: np.ndarray) -> np.ndarray:
    """`positions` as int64; ValueError where they are not whole numbers."""
    array = np.asarray(positions)
    wrong = array[~(np.isfinite(array) & (array == np.round(array)))]
    if wrong.size:
        raise LimitError("whole", name=name, value=wrong[0])
    return array.astype(np.int64)
