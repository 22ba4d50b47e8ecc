"""How much each part of the logits decides: what softmax can see of it, and what attention becomes without it."""

from collections.abc import Mapping, Sequence

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array
from posenc.attention import softmax
from posenc.check import one_of
from posenc.terms import Terms


def spread(part: Array) -> Array:
    """Row-centred standard deviation of a part of the logits: (h, n_q, n_k) → (h,).

    Each query's own mean is taken away first: what is the same for all keys of a query, softmax cannot see. 0 is a uniform part.
    """
    xp = array_namespace(part)
    centred = part - xp.mean(part, axis=-1, keepdims=True)
    return xp.sqrt(xp.mean(centred**2, axis=(-2, -1)))


def moved(terms: Terms, without: Mapping[str, Sequence[str]]) -> dict[str, Array]:
    """How much attention moves when some parts are left out, (h,) for each named group of parts.

    The share of a query's attention that goes to other keys, mean over queries. 0: nothing changes, those parts were uniform. 1: every
    query looks at other keys altogether. ValueError if a part is not there.
    """
    parts = dict(terms.present())
    for name in (name for group in without.values() for name in group):
        one_of("part", name, parts)
    logits = terms.total()
    xp = array_namespace(logits)
    whole = softmax(logits)
    left = {key: softmax(logits - sum(parts[name] for name in group)) for key, group in without.items()}
    return {key: xp.mean(xp.sum(xp.abs(whole - weights), axis=-1), axis=-1) / 2 for key, weights in left.items()}


def by_offset(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of each diagonal of (h, n, n): offsets j − i = −(n − 1) … n − 1, (2n − 1,), and means (h, 2n − 1)."""
    n = matrix.shape[-1]
    offsets = np.arange(-(n - 1), n)
    place = (np.arange(n)[None, :] - np.arange(n)[:, None] + n - 1).ravel()
    sums = [np.bincount(place, weights=head.ravel(), minlength=2 * n - 1) for head in matrix]
    return offsets, np.stack(sums) / (n - np.abs(offsets))
