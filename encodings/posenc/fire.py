"""A small network learns the bias from distance, and the distance is measured against how far there is to look back.

b_ij = f(ψ(i − j) / ψ(max(i, L))), ψ(x) = ln(|c·x| + 1), f a two-layer network with one output per head. Once a query stands beyond
the threshold L, its own position divides: the distances of all its keys fill [0, 1] at any length, so nothing is new in a longer text
(progressive interpolation). Up to L the bias depends on i − j alone; beyond, on i as well. c and a factor on L are learned.

The code adds 10⁻⁶ to the denominator and takes |c·(i − j)|, so it also has values for the future, the mirror image of the past, where
the ratio may exceed 1; the paper is about the past alone. The bias is not divided by √d.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, like
from posenc.attention import dot
from posenc.check import at_least
from posenc.references import Reference
from posenc.tables import Table, constant, uniform
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Shanda Li, Chong You, Guru Guruganesh, Joshua Ainslie, Santiago Ontanon, Manzil Zaheer, Sumit Sanghai, Yiming Yang, Sanjiv Kumar, "
        "Srinadh Bhojanapalli",
        2024,
        "Functional Interpolation for Relative Positions Improves Long Context Transformers",
        "2310.04418",
        "§3; code in the appendix",
    ),
)


def tables(heads: int, mlp_width: int = 32) -> dict[str, Table]:
    """w1 (1, m), b1 (m,), w2 (m, h), b2 (h,), c (1,), multiplier (1,).

    They start as in the paper's code: layers uniform within ±1/√(inputs), as torch has them, c = 0.1, multiplier = 1.
    """
    at_least("heads", heads, 1)
    at_least("mlp_width", mlp_width, 1)
    bound = mlp_width**-0.5
    return {
        "w1": Table((1, mlp_width), uniform(-1.0, 1.0)),
        "b1": Table((mlp_width,), uniform(-1.0, 1.0)),
        "w2": Table((mlp_width, heads), uniform(-bound, bound), head_axis=1),
        "b2": Table((heads,), uniform(-bound, bound), head_axis=0),
        "c": Table((1,), constant(0.1)),
        "multiplier": Table((1,), constant(1.0)),
    }


def normalized_distance(i: np.ndarray, j: np.ndarray, c: Array, multiplier: Array, threshold: float = 512.0) -> Array:
    """ψ(i − j) / (ψ(max(i, |multiplier·threshold|)) + 10⁻⁶) for positions that broadcast, (…). ValueError for threshold < 1."""
    at_least("threshold", threshold, 1)
    xp = array_namespace(c)
    distance, query = (like(np.asarray(x, dtype=float), c) for x in (np.subtract(i, j), i))
    reach = xp.maximum(query, xp.abs(multiplier[0] * threshold))
    return _psi(distance, c) / (_psi(reach, c) + 1e-6)


def bias(
    i: np.ndarray,
    j: np.ndarray,
    w1: Array,
    b1: Array,
    w2: Array,
    b2: Array,
    c: Array,
    multiplier: Array,
    threshold: float = 512.0,
) -> Array:
    """f of the normalised distance, (h, …), for positions i and j that broadcast against each other; tables as in `tables`.

    Hidden units are added one by one: a million keys times 32 units would not fit in a small memory.
    """
    z = normalized_distance(i, j, c, multiplier, threshold)
    by_head = (-1, *(1,) * z.ndim)
    total = b2.reshape(by_head)
    for unit in range(w1.shape[1]):
        hidden = z * w1[0, unit] + b1[unit]
        total = total + w2[unit].reshape(by_head) * (hidden * (hidden > 0))
    return total


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    w1: Array,
    b1: Array,
    w2: Array,
    b2: Array,
    c: Array,
    multiplier: Array,
    threshold: float = 512.0,
) -> Terms:
    """q_i·k_j/√d and the bias; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), tables as in `tables`."""
    by_pair = bias(np.asarray(i)[:, None], np.asarray(j)[None, :], w1, b1, w2, b2, c, multiplier, threshold)
    return Terms(content_content=dot(q, k), position_position=by_pair)


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    w1: Array,
    b1: Array,
    w2: Array,
    b2: Array,
    c: Array,
    multiplier: Array,
    threshold: float = 512.0,
) -> Array:
    """Logits (h, n_q, n_k) as the paper's code has them: a number per pair goes through Linear, ReLU, Linear; the outputs are heads."""
    at_least("threshold", threshold, 1)
    xp = array_namespace(q)
    reach = xp.clip(like(np.asarray(i, dtype=float), q), xp.abs(multiplier * threshold), None)
    far = xp.log1p(xp.abs(c) * like(np.abs(np.subtract.outer(i, j)).astype(float), q))
    z = far / (xp.log1p(xp.abs(c) * reach) + 1e-6)[:, None]
    network = xp.clip(z[..., None] @ w1 + b1, 0, None) @ w2 + b2
    return dot(q, k) + xp.permute_dims(network, (2, 0, 1))


def _psi(x: Array, c: Array) -> Array:
    """ln(|c·x| + 1): near distances are told apart more finely than far ones."""
    xp = array_namespace(c)
    return xp.log(xp.abs(c[0] * x) + 1)
