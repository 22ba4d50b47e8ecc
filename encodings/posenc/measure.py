"""Properties of a scheme, each a number measured on a setting."""

from types import ModuleType

import numpy as np

from posenc.decay import FAR, curve
from posenc.setting import Setting, attention, causal, defined, reach, terms

SHIFT = 7


def drawn(length: int, most: int) -> np.ndarray:
    """At most `most` of the indices 0 … length − 1, evenly strided from 0: the real ones, never averages."""
    return np.arange(0, length, -(-length // most))


def translation_error(scheme: ModuleType, setting: Setting) -> float | None:
    """max |attention change| when every position moves on by 7: 0 for a scheme that knows only distances.

    None where the scheme has no place for the positions moved to.
    """
    if not defined(scheme, setting.change(first=setting.first + SHIFT), np.array([setting.length - 1]))[0]:
        return None
    rows = drawn(setting.length, 64)
    moved = attention(scheme, setting.change(first=setting.first + SHIFT), rows)
    return float(np.abs(attention(scheme, setting, rows) - moved).max())


def direction(scheme: ModuleType, setting: Setting) -> float | None:
    """max |ℓ(+δ) − ℓ(−δ)| of the middle token with the same word everywhere: 0 for a scheme blind to left and right.

    None where the question makes no sense: only the past is seen, fewer than three tokens, or no place for the last of them.
    """
    if causal(scheme, setting) or setting.length < 3:
        return None
    if not defined(scheme, setting, np.array([setting.length - 1]))[0]:
        return None
    same = setting.change(words=(setting.words[0],) * setting.length)
    middle = (setting.length - 1) // 2
    row = terms(scheme, same, [middle]).total()[0, 0]
    return float(np.abs(row[middle + 1 : 2 * middle + 1] - row[:middle][::-1]).max())


def rises(attention_by_distance: np.ndarray) -> int:
    """How often attention rises from one distance to the next: 0 for a monotone decay."""
    return int(np.sum(np.diff(attention_by_distance) > 1e-12 * np.max(attention_by_distance)))


def half_distance(attention_by_distance: np.ndarray) -> int | None:
    """The first distance with at most half the attention at distance 0, or None if there is none."""
    below = np.flatnonzero(attention_by_distance <= attention_by_distance[0] / 2)
    return int(below[0]) if below.size else None


def defined_at(scheme: ModuleType, setting: Setting, position: int = FAR) -> bool:
    """Whether the scheme has a logit for a token at that position, far beyond any training length."""
    limit = reach(scheme, setting)
    return limit is None or position < limit


def properties(scheme: ModuleType, setting: Setting, by_distance: np.ndarray | None = None) -> dict[str, float | int | bool | None]:
    """All of them by name; None stands for "not applicable" (translation_error, direction) and "never" (half_distance).

    `by_distance` is `curve(scheme, setting)`, for those who have it already.
    """
    by_distance = curve(scheme, setting) if by_distance is None else by_distance
    return {
        "translation_error": translation_error(scheme, setting),
        "direction": direction(scheme, setting),
        "rises": rises(by_distance),
        "half_distance": half_distance(by_distance),
        "defined": defined_at(scheme, setting),
    }
