"""RoPE with the distances beyond a window cut off, so that a model never meets a distance it was not trained on.

Keys less than w positions away are turned by the true distance; keys farther away all by w (ReRoPE), or by w + (D − w)/s (Leaky ReRoPE, D
= i − j). Queries are also multiplied by max(1, ln(i + 1)/ln L), L the training length, which keeps attention focused when there are more
keys than in training; that factor belongs to content–content.

A pair of turns cannot express a distance that is no difference of positions: the released code computes two attention matrices and picks
by window, and it keeps unturned keys in the cache, turning them anew for every query. Half-split pairing, and made for a causal mask: a
key ahead by w or more would get the turn of a past one. ReRoPE is Leaky ReRoPE with s = ∞; Leaky ReRoPE with s = 1, or any window beyond
the text, is RoPE.
"""

from math import log

import numpy as np
from array_api_compat import array_namespace

from posenc import rope
from posenc.arrays import Array, like
from posenc.attention import dot, offsets
from posenc.check import at_least
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Jianlin Su",
        2023,
        "Rectified Rotary Position Embeddings",
        "",
        "rerope_patch.py, leaky_rerope_patch.py",
        "code at github.com/bojone/rerope, described at kexue.fm/archives/9706 and 9708",
    ),
)
CAUSAL_ONLY = True


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def effective_distance(distance: np.ndarray, window: int = 512, leaky: bool = False, factor: float = 16.0) -> np.ndarray:
    """The distance that a key at i − j is turned by: itself when |i − j| < w, otherwise w, or w + (i − j − w)/s when leaky.

    ValueError for window < 1 or factor < 1.
    """
    at_least("window", window, 1)
    at_least("factor", factor, 1)
    distance = np.asarray(distance, dtype=np.float64)
    beyond = window + (distance - window) / factor if leaky else np.full_like(distance, window)
    return np.where(np.abs(distance) < window, distance, beyond)


def log_factor(positions: np.ndarray, trained_length: int = 4096) -> np.ndarray:
    """max(1, ln(i + 1)/ln L), (n,), for positions (n,). ValueError for trained_length < 2 or a negative position."""
    at_least("trained_length", trained_length, 2)
    positions = np.asarray(positions)
    if positions.size:
        at_least("position", positions.min(), 0)
    return np.maximum(1.0, np.log(positions + 1) / log(trained_length))


def vectors(
    offset: np.ndarray, width: int, base: float = 10000.0, window: int = 512, leaky: bool = False, factor: float = 16.0
) -> np.ndarray:
    """The turn that a key at each offset j − i (n,) gets, (n, d): all cosines, then all sines of the effective distance."""
    distance = effective_distance(-np.asarray(offset), window, leaky, factor)
    return np.concatenate(rope.cos_sin(distance, rope.angular_frequencies(width, base=base)), axis=1)


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    window: int = 512,
    trained_length: int = 4096,
    leaky: bool = False,
    factor: float = 16.0,
    base: float = 10000.0,
) -> Terms:
    """q_i·k_j/√d times the log factor, and what turning by the effective distance changes of that.

    q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,).
    """
    theta = rope.angular_frequencies(q.shape[-1], base=base)
    q = q * like(log_factor(i, trained_length)[:, None], q)
    distance = effective_distance(-offsets(i, j), window, leaky, factor)
    return Terms(content_content=dot(q, k), interaction=rope.turning(q, k, distance, theta, "half"))


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    window: int = 512,
    trained_length: int = 4096,
    leaky: bool = False,
    factor: float = 16.0,
    base: float = 10000.0,
) -> Array:
    """Logits (h, n_q, n_k) as the released code has them: one product turned by positions, one for beyond the window, picked by distance.

    Beyond it ReRoPE turns every query by w and leaves keys unturned; Leaky ReRoPE divides positions by s and puts queries
    w(s − 1) further on.
    """
    at_least("window", window, 1)
    at_least("factor", factor, 1)
    theta = rope.angular_frequencies(q.shape[-1], base=base)
    i, j = np.asarray(i), np.asarray(j)
    far_i, far_j = ((i + window * (factor - 1)) / factor, j / factor) if leaky else (np.full(i.shape, window), np.zeros(j.shape))
    near = rope.rotate(q, i, theta, "half") @ rope.rotate(k, j, theta, "half").mT
    far = rope.rotate(q, far_i, theta, "half") @ rope.rotate(k, far_j, theta, "half").mT
    inside = np.abs(offsets(i, j)) < window
    picked = array_namespace(q).where(like(inside, q), near, far)
    return picked * like(log_factor(i, trained_length)[:, None], q) / q.shape[-1] ** 0.5
