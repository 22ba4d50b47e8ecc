"""RoPE with keys of length 1: only a key's direction counts.

q_i·R_{j−i}k̃_j with k̃ = k/‖k‖, and no 1/√d: a key of unit variance has length about √d, so at the start the logits are those of scaled
attention. A model that may not grow its keys has to train their angles, which is what carries over to longer texts: the author's
explanation of why this helps RoPE to extrapolate (and does nothing without RoPE). Turning leaves lengths alone, so normalising before or
after it is the same.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import rope
from posenc.arrays import Array
from posenc.attention import offsets
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Jianlin Su", 2023, "Transformer升级之路：15、Key归一化助力长度外推", "", "definition of KNA", "blog post, kexue.fm/archives/9859"
    ),
)


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def normalised(k: Array) -> Array:
    """k/‖k‖ for every row (…, n, d); a row of zeros stays zero."""
    xp = array_namespace(k)
    norm = xp.linalg.vector_norm(k, axis=-1, keepdims=True)
    return k / xp.where(norm > 0, norm, xp.ones_like(norm))


def terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, pairing: str = "interleaved", base: float = 10000.0) -> Terms:
    """q_i·k̃_j and what turning by (i − j)·θ changes of it, neither divided by √d; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,)."""
    width = q.shape[-1]
    theta, k = rope.angular_frequencies(width, base=base), normalised(k)
    return Terms(content_content=q @ k.mT, interaction=rope.turning(q, k, -offsets(i, j), theta, pairing) * width**0.5)


def scores(q: Array, k: Array, i: np.ndarray, j: np.ndarray, pairing: str = "interleaved", base: float = 10000.0) -> Array:
    """Logits (h, n_q, n_k) the other way round: turn first, then normalise the turned keys, one product."""
    theta = rope.angular_frequencies(q.shape[-1], base=base)
    return rope.rotate(q, i, theta, pairing) @ normalised(rope.rotate(k, j, theta, pairing)).mT
