"""A learned, ever growing penalty for distance: a kernel of |i − j| with two numbers per head.

- *log*: −p·ln(1 + a|i − j|), the paper's best: it flattens, so far keys fade without vanishing.
- *power*: −a|i − j|^p with p ≤ 2. With p = 1 it is ALiBi with learned slopes.

Both are conditionally positive definite kernels (the power form only up to p = 2): adding a constant, which softmax does not see, makes
them inner products, so that attention stays a comparison of vectors. The released code keeps p and a at 0.01 or more, and so do we.
It is a language model's scheme: the future is masked. The bias is not divided by √d.
"""

from collections.abc import Sequence

import numpy as np
from array_api_compat import array_namespace

from posenc import alibi
from posenc.arrays import Array, like
from posenc.attention import dot
from posenc.check import at_least, one_of
from posenc.references import Reference
from posenc.tables import Table, uniform
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Ta-Chung Chi, Ting-Han Fan, Peter J. Ramadge, Alexander I. Rudnicky",
        2022,
        "KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation",
        "2205.09921",
        "§4",
    ),
)
CAUSAL_ONLY = True
KERNELS = ("log", "power")
LEAST = 0.01
"""What the released code lets no p, a or slope fall below."""


def tables(heads: int) -> dict[str, Table]:
    """p and a (h,). They start uniform, p in [0, 2) and a in [0, 1), as in the released code."""
    at_least("heads", heads, 1)
    return {"p": Table((heads,), uniform(0.0, 2.0), head_axis=0), "a": Table((heads,), uniform(0.0, 1.0), head_axis=0)}


def bias(i: np.ndarray, j: np.ndarray, p: Array, a: Array, kernel: str = "log") -> Array:
    """The penalty (h, …) for positions i and j that broadcast against each other; p, a (h,). ValueError for an unknown kernel."""
    xp = array_namespace(p)
    distance = like(np.abs(np.asarray(i) - np.asarray(j)).astype(float), p)
    p, a = (number.reshape(-1, *(1,) * distance.ndim) for number in clamped(p, a, kernel))
    return -p * xp.log(1 + a * distance) if kernel == "log" else -a * distance**p


def clamped(p: Array, a: Array, kernel: str = "log") -> tuple[Array, Array]:
    """p and a (h,) inside what the released code allows: at least 0.01, and p at most 2 in the power form."""
    one_of("kernel", kernel, KERNELS)
    xp = array_namespace(p)
    return xp.clip(p, LEAST, 2.0 if kernel == "power" else None), xp.clip(a, LEAST, None)


def original_bias(i: np.ndarray, j: np.ndarray, heads: int, head: Sequence[int] | None = None) -> np.ndarray:
    """What the released code calls "original", (h, …): ALiBi, but no slope is below 0.01; with 8 heads the last two are alike."""
    distance = np.abs(np.asarray(i) - np.asarray(j))
    return -np.maximum(alibi.slopes(heads, head), LEAST).reshape(-1, *(1,) * distance.ndim) * distance


def terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, p: Array, a: Array, kernel: str = "log") -> Terms:
    """q_i·k_j/√d and the bias; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), p, a (h,)."""
    by_pair = bias(np.asarray(i)[:, None], np.asarray(j)[None, :], p, a, kernel)
    return Terms(content_content=dot(q, k), position_position=by_pair)


def scores(q: Array, k: Array, i: np.ndarray, j: np.ndarray, p: Array, a: Array, kernel: str = "log") -> Array:
    """Logits (h, n_q, n_k) from another form of each kernel: the logarithm of the weight (1 + a|i − j|)^(−p), or −a·e^(p·ln|i − j|)."""
    xp = array_namespace(q)
    apart = np.maximum.outer(i, j) - np.minimum.outer(i, j)
    p, a = (number[:, None, None] for number in clamped(p, a, kernel))
    if kernel == "log":
        return dot(q, k) + xp.log((1 + a * like(apart.astype(float), q)) ** -p)
    grown = xp.exp(p * like(np.log(np.maximum(apart, 1)), q))
    return dot(q, k) - a * grown * like((apart > 0).astype(float), q)
