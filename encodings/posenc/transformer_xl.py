"""Each key gets a sinusoid of its distance in place of its position, so that a memory of earlier segments can be attended to.

A_ij = (a) q_i·k_j + (b) q_i·(R_{i−j} W_kR) + (c) u·k_j + (d) v·(R_{i−j} W_kR), divided by √d: the four products of absolute positions,
with p_j → R_{i−j}, a key projection of its own for it, and p_i W_Q → u or v, learned once for all positions. (c) counts as
position–content, because it stands where p_i·k_j stood, though it holds no position: it is a preference for contents ("global content
bias").

R is a fixed sinusoid, sines then cosines, with the paper's frequencies (§3.5 of Vaswani et al.). Queries are the last n_q of the n_k
positions, what is before them is memory. The model only looks back: its code makes R for the distances n_k − 1 … 0, and `shift` leaves
other queries' numbers where j > i; XLNet gives those pairs rows of their own. `clamp_len` gives all distances beyond it the same R; 0
clamps none, as published.

The code adds u and v to the query before the products; it calls u r_w_bias and v r_r_bias. Here they are bias_u and bias_v.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import sinusoidal
from posenc.arrays import Array, gather, like
from posenc.attention import offsets, visible
from posenc.check import at_least, whole
from posenc.references import Reference
from posenc.relative import distinct, four_terms, paired_scores
from posenc.tables import Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Zihang Dai, Zhilin Yang, Yiming Yang, Jaime Carbonell, Quoc V. Le, Ruslan Salakhutdinov",
        2019,
        "Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context",
        "1901.02860",
        "§3.3; the relative shift is in appendix B",
    ),
)
CAUSAL_ONLY = True


def tables(width: int, heads: int) -> dict[str, Table]:
    """w_kr (h, d, d), bias_u and bias_v (h, d): u and v. All start at deviation 0.02, as in the released code."""
    at_least("heads", heads, 1)
    start = normal(0.02)
    row = Table((heads, width), start, head_axis=0)
    return {"w_kr": Table((heads, width, width), start, head_axis=0), "bias_u": row, "bias_v": row}


def vectors(offset: np.ndarray, width: int, clamp_len: int = 0) -> np.ndarray:
    """R_{i−j} (n, d) for offsets j − i (n,): the sinusoid of min(i − j, clamp_len). ValueError for clamp_len < 0."""
    at_least("clamp_len", clamp_len, 0)
    distance = -whole("offset", offset)
    return sinusoidal.vectors(np.minimum(distance, clamp_len) if clamp_len else distance, width, "concatenated")


def terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, w_kr: Array, bias_u: Array, bias_v: Array, clamp_len: int = 0) -> Terms:
    """(a), (b), (c), (d), divided by √d, in the order of the four terms; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), w_kr (h, d, d).

    R is projected once per distance, then looked up by pair. Where j > i this is R of a negative distance, behind the mask.
    """
    offset, index = distinct(i, j)
    r = like(vectors(offset, w_kr.shape[-2], clamp_len), q) @ w_kr
    return four_terms(q, k, r, index, bias_u, bias_v, q.shape[-1] ** 0.5)


def scores(q: Array, k: Array, i: np.ndarray, j: np.ndarray, w_kr: Array, bias_u: Array, bias_v: Array, clamp_len: int = 0) -> Array:
    """Logits (h, n_q, n_k) pair by pair: u and v join the query first, and every pair has its own R_{i−j}."""
    offset = offsets(i, j)
    r = vectors(offset.ravel(), w_kr.shape[-2], clamp_len).reshape(*offset.shape, -1)
    return paired_scores(q, k, r, bias_u, bias_v, q.shape[-1] ** 0.5, w_kr)


def by_distance(q: Array, length: int, w_kr: Array, bias_v: Array, clamp_len: int = 0) -> Array:
    """(q_i + v)·(R_s W_kR) for s = n − 1, …, 0, (h, n_q, n), not scaled: what the code multiplies before it shifts."""
    r = like(vectors(np.arange(length) - (length - 1), w_kr.shape[-2], clamp_len), q)
    return (q + bias_v[:, None, :]) @ (r @ w_kr).mT


def shift_steps(values: Array) -> dict[str, Array]:
    """The relative shift, step by step, of values (h, n_q, n) by distance n − 1, …, 0; "shifted" holds them by key.

    A column of zeros in front makes rows one longer; read with that length, each row starts one entry later than the one before it.
    """
    xp = array_namespace(values)
    *heads, queries, keys = values.shape
    padded = xp.concat([xp.zeros_like(values[..., :1]), values], axis=-1)
    reshaped = xp.reshape(padded, (*heads, keys + 1, queries))
    cut = reshaped[..., 1:, :]
    return {"padded": padded, "reshaped": reshaped, "cut": cut, "shifted": xp.reshape(cut, values.shape)}


def shift(values: Array) -> Array:
    """The relative shift (h, n_q, n) → (h, n_q, n): from distances n − 1, …, 0 to keys 0, …, n − 1. Right where j ≤ i, the rest is garbage.

    Right of a query's own key come a 0 and then the *next* query's numbers for the farthest distances.
    """
    return shift_steps(values)["shifted"]


def picked(values: Array) -> Array:
    """The same (h, n_q, n) by looking up distance i − j for each pair, with 0 where j > i: there is no garbage to mask."""
    queries, keys = values.shape[-2:]
    j = np.arange(keys)
    i = j[keys - queries :]
    seen = visible(i, j, causal=True)
    found = gather(values, np.where(seen, keys - 1 + offsets(i, j), 0))
    return array_namespace(values).where(like(seen, values), found, 0 * found)


def same_length(i: np.ndarray, j: np.ndarray, mem_len: int) -> np.ndarray:
    """The mask of the code's `same_length`, (n_q, n_k): a query sees the last mem_len keys, itself among them, fewer only at the start."""
    at_least("mem_len", mem_len, 1)
    return visible(i, j, causal=True) & (offsets(i, j) > -mem_len)
