"""What happens to any scheme when words are reordered, exchanged or added, or when the whole text moves on: each as numbers."""

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from posenc.check import at_least, inside
from posenc.content import fit
from posenc.decay import positional_logits
from posenc.measure import SHIFT, drawn
from posenc.setting import Setting, attention, causal, outputs, terms

GROWTH = 8
"""By how many tokens a text grows."""
ROWS = 64
"""How many queries stand for all where a matrix of each scheme is compared."""


def swapped(count: int, a: int, b: int) -> list[int]:
    """The order 0 … count − 1 with places a and b exchanged."""
    inside("place", np.array([a, b]), count)
    order = list(range(count))
    order[a], order[b] = b, a
    return order


def arranged(words: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Places of `words` in the order in which `wanted` names them: a permutation whatever is wanted.

    What the sentence does not have is passed over; what nobody asked for follows at the end.
    """
    left = list(range(len(words)))
    order = []
    for word in wanted:
        place = next((place for place in left if words[place] == word), None)
        if place is not None:
            left.remove(place)
            order.append(place)
    return order + left


def reordered(scheme: ModuleType, setting: Setting, order: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Outputs of the drawn head (n, d): of the sentence, and of its words in another order, each word's row back in its place."""
    words = tuple(setting.words[place] for place in order)
    return outputs(scheme, setting)[0], outputs(scheme, setting.change(words=words))[0][np.argsort(order)]


def order_effect(scheme: ModuleType, setting: Setting, order: Sequence[int]) -> float:
    """The largest change of any word's output, in any dimension, when the words take another order: 0 where attention is blind to it."""
    one, other = reordered(scheme, setting, order)
    return float(np.abs(one - other).max())


def same_word(setting: Setting) -> Setting:
    """The setting with its first word everywhere, so that only position tells tokens apart."""
    return setting.change(words=(setting.words[0],) * setting.length)


def averaged(values: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Each number replaced by the mean of its group; NaN stays NaN and counts nowhere. Both (n, m)."""
    known = ~np.isnan(values)
    _, group = np.unique(groups, return_inverse=True)
    group = group.reshape(values.shape)
    count = np.bincount(group[known], minlength=group.max() + 1)
    total = np.bincount(group[known], values[known], minlength=group.max() + 1)
    means = total / np.maximum(count, 1)
    return np.where(known, means[group], np.nan)


def explained(values: np.ndarray, means: np.ndarray) -> float | None:
    """The part of the values' variance that their group means have: 1 where the group decides. None where nothing varies."""
    known = ~np.isnan(values)
    return float(means[known].var() / values[known].var()) if known.any() and values[known].var() > 1e-24 else None


def growth_effect(scheme: ModuleType, setting: Setting, more: int = GROWTH) -> float:
    """The largest change of any logit of the text when more tokens follow it: 0 where what was computed for a cache stays right."""
    at_least("more", more, 1)
    longer = setting.change(words=tuple(fit(setting.words, setting.length + more)))
    here = np.arange(setting.length)
    rows = drawn(setting.length, ROWS)
    if causal(scheme, setting):
        before, after = (np.tril(terms(scheme, text, here, here).total()[0]) for text in (setting, longer))
    else:
        before, after = (terms(scheme, text, rows, here).total()[0] for text in (setting, longer))
    return float(np.abs(before - after).max())


def shift_effect(scheme: ModuleType, setting: Setting, by: int = SHIFT) -> float:
    """The largest change of any attention weight when every position moves on: 0 for a scheme that knows only distances."""
    rows = drawn(setting.length, ROWS)
    moved = setting.change(first=setting.first + by)
    return float(np.abs(attention(scheme, setting, rows) - attention(scheme, moved, rows)).max())


def exchanged(setting: Setting, place: int, word: str = "▫") -> Setting:
    """The setting with another word at one place (counted from 0)."""
    inside("place", np.array([place]), setting.length)
    return setting.change(words=(*setting.words[:place], word, *setting.words[place + 1 :]))


def other_words(setting: Setting) -> Setting:
    """The setting with other words at all places, each different from any word there was."""
    return setting.change(words=tuple(f"◦{place}" for place in range(setting.length)))


def term_effects(scheme: ModuleType, setting: Setting, other: Setting) -> dict[str, float]:
    """The largest change of each term that there is, from one setting to another of the same length, by its name; of 64 queries at most."""
    rows = drawn(setting.length, ROWS)
    one, two = terms(scheme, setting, rows), terms(scheme, other, rows)
    return {name: float(np.abs(part - getattr(two, name)).max()) for name, part in one.present()}


def largest(change: np.ndarray) -> float | None:
    """The largest change, whatever its sign, of those that are numbers; None where none is."""
    known = np.abs(change[~np.isnan(change)])
    return float(known.max()) if known.size else None


def trace(change: np.ndarray) -> np.ndarray:
    """Changes as shares of the largest of them; all 0 where nothing but rounding has changed. NaN stays."""
    most = largest(change)
    return change / most if most is not None and most > 1e-12 else 0 * change


def words_share(scheme: ModuleType, setting: Setting) -> float | None:
    """How much of what position adds to the last token's logits the words decide: 0 for a bias, 1 where the offset alone says nothing.

    Of the variance over 64 contents and all offsets, the part within offsets. None where position adds nothing.
    """
    samples = positional_logits(scheme, setting, np.arange(1 - setting.length, 1), setting.first + setting.length - 1)
    samples = samples[:, ~np.isnan(samples).any(axis=0)]
    return float(samples.var(axis=0).mean() / samples.var()) if samples.size and samples.var() > 1e-24 else None
