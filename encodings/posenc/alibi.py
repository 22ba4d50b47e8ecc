"""No vectors and nothing learned: each head subtracts a fixed slope times the distance from its logits.

The slopes of n heads are 2^(−8h/n), h = 1 … n, when n is a power of two. For other counts the released code takes the slopes of the next
lower power of two, then every second slope of twice that number until n are there: they are not monotone in the head's index.
Under a causal mask −m(i − j) and the key-only +m·j of the code differ by a constant per row, which softmax does not see. Encoders use
−m|i − j|. The bias is not divided by √d.
"""

from collections.abc import Sequence

import numpy as np

from posenc.arrays import Array, like
from posenc.attention import dot
from posenc.check import at_least, inside
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Ofir Press, Noah A. Smith, Mike Lewis",
        2022,
        "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
        "2108.12409",
        "§3",
    ),
)


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def slopes(heads: int, head: Sequence[int] | None = None) -> np.ndarray:
    """The slope m of each of n heads, (n,), in the released order, or of those in `head`.

    ValueError for n < 1 or a head that is not there.
    """
    at_least("heads", heads, 1)
    power = 2 ** (int(heads).bit_length() - 1)
    m = np.concatenate([_geometric(power), _geometric(2 * power)[0::2][: heads - power]])
    chosen = np.arange(heads) if head is None else np.asarray(head)
    inside("head", chosen, heads)
    return m[chosen]


def _geometric(heads: int) -> np.ndarray:
    """2^(−8h/n) for h = 1 … n."""
    return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)


def bias(i: np.ndarray, j: np.ndarray, heads: int, head: Sequence[int] | None = None) -> np.ndarray:
    """−m|i − j| for positions i and j that broadcast against each other, (h, …), h counting the heads of `head` (default: all)."""
    distance = np.abs(np.asarray(i) - np.asarray(j))
    return -slopes(heads, head).reshape(-1, *(1,) * distance.ndim) * distance


def key_only_bias(j: np.ndarray, heads: int) -> np.ndarray:
    """+m·j, the form of the released code, (h, n_k): under a causal mask the same attention as `bias`, without one not.

    BLOOM counts j on the attention mask: `posenc.padding.counted`.
    """
    return slopes(heads)[:, None] * np.asarray(j)


def terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, heads: int, head: Sequence[int] | None = None) -> Terms:
    """q_i·k_j/√d and the bias; q (h, n_q, d), k (h, n_k, d) of the heads `head` out of n, i (n_q,), j (n_k,)."""
    by_pair = bias(np.asarray(i)[:, None], np.asarray(j)[None, :], heads, head)
    return Terms(content_content=dot(q, k), position_position=like(by_pair, q))


def scores(q: Array, k: Array, i: np.ndarray, j: np.ndarray, heads: int, head: Sequence[int] | None = None) -> Array:
    """Logits (h, n_q, n_k) with the distance taken up step by step: −m for every position between the query and the key."""
    low, high = np.minimum.outer(i, j), np.maximum.outer(i, j)
    m = slopes(heads, head)[:, None, None]
    return dot(q, k) - like(m * high - m * low, q)
