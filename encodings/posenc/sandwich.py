"""The sinusoids' own similarity as a bias: what p_i·p_j of Vaswani's vectors says about distance, and nothing is learned.

b_ij = (p_i·p_j − d̄/2) / h = (Σ_c cos((i − j)·w_c) − d̄/2) / h, w_c = base^(−2c/d̄), c = 1 … d̄/2. It is 0 at distance 0 and negative
elsewhere; it sinks about as a logarithm does, but in waves: with d̄ = 128 the key at distance 14 is the first that gets more than the one
before it. Of the four terms of the sinusoidal scheme only position–position is kept, without projections.

- The compression h is 8n/H for head n = 1 … H: ALiBi's exponents; the larger, the flatter the head.
- c starts at 1 here, at 0 in Vaswani et al.: the fastest wave is left out and the slowest is exactly 2π·base.
- d̄ is a number of the scheme's own, not the width of the model. The bias is not divided by √d.
"""

from collections.abc import Sequence

import numpy as np

from posenc.arrays import Array, like
from posenc.attention import dot, offsets
from posenc.check import at_least, even, inside, whole
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Ta-Chung Chi, Ting-Han Fan, Alexander I. Rudnicky, Peter J. Ramadge",
        2023,
        "Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis",
        "2212.10356",
        "the definition of Sandwich",
    ),
)


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def compression(heads: int, head: Sequence[int] | None = None) -> np.ndarray:
    """The compression h = 8n/H of each of H heads, n = 1 … H, or of those in `head`. ValueError for H < 1 or a head that is not there."""
    at_least("heads", heads, 1)
    chosen = np.arange(heads) if head is None else np.asarray(head)
    inside("head", chosen, heads)
    return 8 * (chosen + 1) / heads


def angular_frequencies(sinusoid_width: int = 128, base: float = 10000.0) -> np.ndarray:
    """w_c = base^(−2c/d̄) for c = 1 … d̄/2, (d̄/2,). ValueError for an odd d̄ and base ≤ 1."""
    even("sinusoid_width", sinusoid_width)
    if not base > 1:
        raise ValueError(f"base is {base}; it must be greater than 1")
    return base ** (-2 * np.arange(1, sinusoid_width // 2 + 1) / sinusoid_width)


def vectors(positions: np.ndarray, sinusoid_width: int = 128, base: float = 10000.0) -> np.ndarray:
    """Position vectors p (n, d̄) for positions (n,): all sines, then all cosines."""
    angles = np.asarray(positions)[:, None] * angular_frequencies(sinusoid_width, base)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def similarity(offset: np.ndarray, sinusoid_width: int = 128, base: float = 10000.0) -> np.ndarray:
    """p_i·p_j at each offset j − i, same shape: at most d̄/2, which it is at 0. The same in both directions.

    It depends on the offset alone, so any two positions that far apart will do: p(m·a)·p(−b) serves distance m·a + b, and a million
    distances cost two thousand vectors.
    """
    distance = np.abs(whole("offset", offset))
    step = int(distance.max(initial=0) ** 0.5) + 1
    far, near = (vectors(positions, sinusoid_width, base) for positions in (step * np.arange(step), -np.arange(step)))
    return (far @ near.T)[distance // step, distance % step]


def bias(
    i: np.ndarray, j: np.ndarray, heads: int, head: Sequence[int] | None = None, sinusoid_width: int = 128, base: float = 10000.0
) -> np.ndarray:
    """(p_i·p_j − d̄/2) / h for positions i and j that broadcast against each other, (h, …), for the heads of `head` (default: all)."""
    below = similarity(np.subtract(j, i), sinusoid_width, base) - sinusoid_width / 2
    return below / compression(heads, head).reshape(-1, *(1,) * below.ndim)


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    heads: int,
    head: Sequence[int] | None = None,
    sinusoid_width: int = 128,
    base: float = 10000.0,
) -> Terms:
    """q_i·k_j/√d and the bias; q (h, n_q, d), k (h, n_k, d) of the heads `head` out of H, i (n_q,), j (n_k,)."""
    by_pair = bias(np.asarray(i)[:, None], np.asarray(j)[None, :], heads, head, sinusoid_width, base)
    return Terms(content_content=dot(q, k), position_position=like(by_pair, q))


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    heads: int,
    head: Sequence[int] | None = None,
    sinusoid_width: int = 128,
    base: float = 10000.0,
) -> Array:
    """Logits (h, n_q, n_k) with the bias wave by wave: cosines of the offset, and no vectors."""
    waves = [np.cos(offsets(i, j) * frequency) for frequency in angular_frequencies(sinusoid_width, base)]
    by_pair = (np.sum(waves, axis=0) - sinusoid_width / 2) / compression(heads, head)[:, None, None]
    return dot(q, k) + like(by_pair, q)
