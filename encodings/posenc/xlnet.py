"""Transformer-XL's formula in both directions, with a learned vector for "same segment" and one for "another segment".

((q_i + u)·k_j + (q_i + v)·(R_{i−j} W_kR) + (q_i + s)·E_{ij}) / √d. R has rows for future keys as well, distances n_k … −n_q + 1
(`distances`), so no number of the shift is garbage, and the clamp is symmetric. E_{ij} is one of two vectors per head: whether i and j
are in the same segment, not which segment they are in. q·E counts as content–position, s·E as position–position.

In pre-training half of each batch reads the text backwards (`bi_data`): with `backward` the distance changes sign, R_{j−i}.
The code calls u r_w_bias, v r_r_bias and s r_s_bias.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import sinusoidal
from posenc.arrays import Array, gather, like
from posenc.attention import offsets
from posenc.check import at_least, one_of, whole
from posenc.references import Reference
from posenc.relative import distinct, four_terms, paired_scores
from posenc.tables import Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Zhilin Yang, Zihang Dai, Yiming Yang, Jaime Carbonell, Ruslan Salakhutdinov, Quoc V. Le",
        2019,
        "XLNet: Generalized Autoregressive Pretraining for Language Understanding",
        "1906.08237",
        "§2.4 and §2.5; the position sequences are in the released code",
    ),
)
DIRECTIONS = ("bi", "uni")


def tables(width: int, heads: int) -> dict[str, Table]:
    """w_kr (h, d, d), bias_u, bias_v, bias_s (h, d), segments (2, h, d): same, other. All start at deviation 0.02, as in the code."""
    at_least("heads", heads, 1)
    start = normal(0.02)
    row = Table((heads, width), start, head_axis=0)
    return {
        "w_kr": Table((heads, width, width), start, head_axis=0),
        "bias_u": row,
        "bias_v": row,
        "bias_s": row,
        "segments": Table((2, heads, width), start, head_axis=1),
    }


def vectors(offset: np.ndarray, width: int, clamp_len: int = 0, backward: bool = False) -> np.ndarray:
    """R_{i−j} (n, d) for offsets j − i (n,), or R_{j−i} when reading backward, the distance clamped to ±clamp_len (0: not at all)."""
    at_least("clamp_len", clamp_len, 0)
    distance = whole("offset", offset) if backward else -whole("offset", offset)
    return sinusoidal.vectors(np.clip(distance, -clamp_len, clamp_len) if clamp_len else distance, width, "concatenated")


def distances(queries: int, keys: int, attn_type: str = "bi") -> np.ndarray:
    """The distances i − j in the order of the code's rows, before any clamp: n_k, …, −n_q + 1 for "bi", n_k, …, 0 for "uni"."""
    one_of("attn_type", attn_type, DIRECTIONS)
    return np.arange(keys, -queries if attn_type == "bi" else -1, -1)


def shift(values: Array, keys: int) -> Array:
    """Values (h, n_q, m) by those distances → by key (h, n_q, n_k): rows read one entry shorter, no zeros needed.

    Right everywhere for "bi"; for "uni" what stands right of a query's own key is the start of the next query's row.
    """
    xp = array_namespace(values)
    *heads, queries, rows = values.shape
    cut = xp.reshape(values, (*heads, rows, queries))[..., 1:, :]
    return xp.reshape(cut, (*heads, queries, rows - 1))[..., :keys]


def other_segment(i: np.ndarray, j: np.ndarray, boundary: int, first: int = 0) -> np.ndarray:
    """Whether query and key are in different segments, (n_q, n_k), when the second begins `boundary` tokens after the first token."""
    at_least("boundary", boundary, 0)
    return np.not_equal.outer(np.asarray(i) - first >= boundary, np.asarray(j) - first >= boundary)


def segment_terms(q: Array, other: np.ndarray, segments: Array, bias_s: Array) -> tuple[Array, Array]:
    """q_i·E_ij/√d and s·E_ij/√d, (h, n_q, n_k); q (h, n_q, d), other (n_q, n_k) booleans, segments (2, h, d), bias_s (h, d)."""
    xp = array_namespace(q)
    e = xp.permute_dims(segments, (1, 2, 0)) / q.shape[-1] ** 0.5
    index = other.astype(np.int64)
    return gather(q @ e, index), (bias_s[:, None, :] @ e)[:, 0, :][:, like(index, q)]


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    w_kr: Array,
    bias_u: Array,
    bias_v: Array,
    bias_s: Array,
    segments: Array,
    clamp_len: int = 0,
    backward: bool = False,
    boundary: int = 0,
    first: int = 0,
) -> Terms:
    """The four terms, divided by √d; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), w_kr (h, d, d).

    boundary 0 is one segment: E would be the same for every key, which softmax does not see, and is left out.
    """
    offset, index = distinct(i, j)
    r = like(vectors(offset, w_kr.shape[-2], clamp_len, backward), q) @ w_kr
    parts = four_terms(q, k, r, index, bias_u, bias_v, q.shape[-1] ** 0.5)
    other = other_segment(i, j, boundary, first)
    if not boundary:
        return parts
    by_query, by_pair = segment_terms(q, other, segments, bias_s)
    return parts._replace(content_position=parts.content_position + by_query, position_position=parts.position_position + by_pair)


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    w_kr: Array,
    bias_u: Array,
    bias_v: Array,
    bias_s: Array,
    segments: Array,
    clamp_len: int = 0,
    backward: bool = False,
    boundary: int = 0,
    first: int = 0,
) -> Array:
    """Logits (h, n_q, n_k) pair by pair: u, v and s join the query first, every pair has its own R and chooses its E."""
    xp = array_namespace(q)
    offset = offsets(i, j)
    scale = q.shape[-1] ** 0.5
    r = vectors(offset.ravel(), w_kr.shape[-2], clamp_len, backward).reshape(*offset.shape, -1)
    logits = paired_scores(q, k, r, bias_u, bias_v, scale, w_kr)
    other = like(other_segment(i, j, boundary, first), q)
    if not boundary:
        return logits
    same_e, other_e = (xp.sum((q + bias_s[:, None, :]) * e[:, None, :], axis=-1)[..., None] for e in (segments[0], segments[1]))
    return logits + xp.where(other, other_e, same_e) / scale
