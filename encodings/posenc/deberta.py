"""Content and distance kept apart: two vectors per word, and of the four products all but position–position.

q_i·k_j + q_i·kr_δ(i,j) + k_j·qr_δ(j,i), divided by √(3d) (√((1 + types)·d) with fewer types), where kr = P W_kr, qr = P W_qr, and
δ(i, j) = clip(i − j + k, 0, 2k − 1) picks one of 2k rows of P: query minus key lies in [−k, k), one row fewer than Shaw's 2k + 1.

- *position → content*: the paper (eq. 4, algorithm 1) takes qr at δ(j, i); every released implementation takes it at δ(i, j). `form`
  chooses.
- *log buckets* (v3: 256 buckets, distances to 512): exact up to half the buckets, then geometric; P has 2·buckets rows. The official code
  clamps the distance to ±(max_relative_positions − 1), so row 0 is never used; Hugging Face does not, and reaches it (`clamped=False`).
- *share_att_key* (v2, v3): P goes through the content's own W_Q and W_K. *normalized* (v2, v3): each row of P through LayerNorm first,
  here with its learned gain and shift at their start, 1 and 0.
- v1 has biases on q and qr but none on k and kr. Rows of padded queries are 0 throughout, not uniform.

Absolute positions enter once, late: the enhanced mask decoder applies the last layer twice with shared weights, and adds them to the
first query only. Relative attention stays on.
"""

from collections.abc import Callable

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, gather, like
from posenc.attention import offsets
from posenc.check import at_least, one_of, whole
from posenc.references import Reference
from posenc.tables import Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Pengcheng He, Xiaodong Liu, Jianfeng Gao, Weizhu Chen",
        2021,
        "DeBERTa: Decoding-enhanced BERT with Disentangled Attention",
        "2006.03654",
        "§3.1, eq. 2–4, algorithm 1; §3.2",
    ),
    Reference(
        "Pengcheng He, Jianfeng Gao, Weizhu Chen",
        2023,
        "DeBERTaV3: Improving DeBERTa using ELECTRA-Style Pre-Training with Gradient-Disentangled Embedding Sharing",
        "2111.09543",
        "the log buckets are in the released code",
    ),
)
FORMS = ("paper", "code")
TYPES = ("c2p|p2c", "c2p", "p2c")


def span(clip: int = 512, log_buckets: int = 0) -> int:
    """Half the rows of P: the clip distance k, or the number of log buckets where there are any (0: none).

    ValueError for clip < 1, log_buckets < 0 or 1.
    """
    at_least("clip", clip, 1)
    at_least("log_buckets", log_buckets, 2 if log_buckets else 0)
    return log_buckets or clip


def tables(
    width: int,
    heads: int,
    clip: int = 512,
    log_buckets: int = 0,
    pos_att_type: str = "c2p|p2c",
    share_att_key: bool = False,
) -> dict[str, Table]:
    """rel_embeddings, P (2·span, d), shared by heads and layers; w_kr and w_qr (h, d, d) where they are not W_K and W_Q.

    All start at deviation 0.02, as in the released code. Row r stands for i − j = r − span.
    """
    one_of("pos_att_type", pos_att_type, TYPES)
    at_least("heads", heads, 1)
    rows = span(clip, log_buckets)
    start = normal(0.02)
    needed = {"w_kr": "c2p" in pos_att_type, "w_qr": "p2c" in pos_att_type}
    own = {} if share_att_key else {name: Table((heads, width, width), start, head_axis=0) for name in needed if needed[name]}
    return {"rel_embeddings": Table((2 * rows, width), start, first=-rows), **own}


def bucket(offset: np.ndarray, log_buckets: int = 256, max_relative_positions: int = 512, clamped: bool = True) -> np.ndarray:
    """The log bucket of the distance i − j for offsets j − i, int64, of the distance's sign.

    Up to m = log_buckets // 2 the distance itself; beyond, m + ⌈log(|i − j|/m) / log((M − 1)/m) · (m − 1)⌉ with M = max_relative_positions,
    ties exact.
    Not clamped, distances from max_relative_positions on run past the last bucket. ValueErrors as in `last_distances`.
    """
    edges = last_distances(log_buckets, max_relative_positions)
    middle, limit = log_buckets // 2, max_relative_positions - 1
    signed = -whole("offset", offset)
    distance = np.abs(signed)
    far = middle + np.searchsorted(edges, np.minimum(distance, limit))
    if not clamped:
        steps = np.ceil(np.log(np.maximum(distance, limit) / middle) / np.log(limit / middle) * (middle - 1)).astype(np.int64)
        far = np.where(distance > limit, middle + steps, far)
    return np.sign(signed) * np.where(distance <= middle, distance, far)


def last_distances(log_buckets: int = 256, max_relative_positions: int = 512) -> np.ndarray:
    """The largest distance of bucket m, m + 1, …, 2m − 1, int64, with m = log_buckets // 2: from m to max_relative_positions − 1.

    In whole numbers, so that no rounding of a logarithm moves an edge: distance r is in step s or before when
    (r/m)^(m − 1) ≤ ((max_relative_positions − 1)/m)^s. ValueError unless log_buckets ≥ 2 and max_relative_positions > m + 1.
    """
    at_least("log_buckets", log_buckets, 2)
    middle, limit = log_buckets // 2, max_relative_positions - 1
    at_least("max_relative_positions", max_relative_positions, middle + 2)
    edges = []
    for step in range(middle - 1):
        distance = int(middle * (limit / middle) ** (step / (middle - 1))) + 1
        while distance ** (middle - 1) > limit**step * middle ** (middle - 1 - step):
            distance -= 1
        edges.append(distance)
    return np.array([*edges, limit], dtype=np.int64)


def delta(offset: np.ndarray, clip: int = 512, log_buckets: int = 0, max_relative_positions: int = 512, clamped: bool = True) -> np.ndarray:
    """The row δ(i, j) of P for offsets j − i: clip(i − j + k, 0, 2k − 1); δ(j, i) is delta(−offset).

    Where there are log buckets, i − j is replaced by its bucket and k by their number.
    """
    half = span(clip, log_buckets)
    distance = bucket(offset, log_buckets, max_relative_positions, clamped) if log_buckets else -whole("offset", offset)
    return np.clip(distance + half, 0, 2 * half - 1)


def vectors(
    offset: np.ndarray,
    rel_embeddings: Array,
    clip: int = 512,
    log_buckets: int = 0,
    max_relative_positions: int = 512,
    clamped: bool = True,
    normalized: bool = False,
) -> Array:
    """The rows of P (n, d) at offsets j − i (n,), before any projection."""
    rows = delta(offset, clip, log_buckets, max_relative_positions, clamped)
    return prepared(rel_embeddings, span(clip, log_buckets), normalized)[like(rows, rel_embeddings)]


def prepared(rel_embeddings: Array, half: int, normalized: bool = False) -> Array:
    """P (2·half, d) as attention uses it, `normalized` or as it is; ValueError for another number of rows."""
    if rel_embeddings.shape[0] != 2 * half:
        raise ValueError(f"the table has {rel_embeddings.shape[0]} rows; a span of {half} needs 2·{half} = {2 * half}")
    if not normalized:
        return rel_embeddings
    xp = array_namespace(rel_embeddings)
    centred = rel_embeddings - xp.mean(rel_embeddings, axis=-1, keepdims=True)
    return centred / (xp.mean(centred * centred, axis=-1, keepdims=True) + 1e-7) ** 0.5


def disentangled(q: Array, k: Array, q_r: Array | None, k_r: Array | None, rows: np.ndarray, rows_back: np.ndarray) -> Terms:
    """q_i·k_j, q_i·kr and k_j·qr at given rows, over √((1 + types)·d): products with P once per row, then picked (algorithm 1).

    q (h, n_q, d), k (h, n_k, d), q_r and k_r (h, 2·span, d) or None for a type that is left out; rows (n_q, n_k) pick from k_r,
    rows_back (n_q, n_k) from q_r.
    """
    scale = ((1 + (k_r is not None) + (q_r is not None)) * q.shape[-1]) ** 0.5
    return Terms(
        content_content=q @ k.mT / scale,
        content_position=None if k_r is None else gather(q @ k_r.mT / scale, rows),
        position_content=None if q_r is None else gather(k @ q_r.mT / scale, rows_back.T).mT,
    )


def terms(
    q: Array,
    k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    rel_embeddings: Array,
    w_kr: Array = None,
    w_qr: Array = None,
    clip: int = 512,
    log_buckets: int = 0,
    max_relative_positions: int = 512,
    clamped: bool = True,
    form: str = "paper",
    pos_att_type: str = "c2p|p2c",
    share_att_key: bool = False,
    normalized: bool = False,
) -> Terms:
    """The three terms; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), P (2·span, d), w_kr, w_qr and the content's w_q, w_k (h, d, d)."""
    one_of("pos_att_type", pos_att_type, TYPES)
    rows, rows_back = _rows(i, j, clip, log_buckets, max_relative_positions, clamped, form)
    p = prepared(rel_embeddings, span(clip, log_buckets), normalized)
    k_r = p @ (w_k if share_att_key else w_kr) if "c2p" in pos_att_type else None
    q_r = p @ (w_q if share_att_key else w_qr) if "p2c" in pos_att_type else None
    return disentangled(q, k, q_r, k_r, rows, rows_back)


def scores(
    q: Array,
    k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    rel_embeddings: Array,
    w_kr: Array = None,
    w_qr: Array = None,
    clip: int = 512,
    log_buckets: int = 0,
    max_relative_positions: int = 512,
    clamped: bool = True,
    form: str = "paper",
    pos_att_type: str = "c2p|p2c",
    share_att_key: bool = False,
    normalized: bool = False,
) -> Array:
    """Logits (h, n_q, n_k) as eq. 4 has them, pair by pair: each pair has its rows of P, which meet q_i W_krᵀ and k_j W_qrᵀ."""
    one_of("pos_att_type", pos_att_type, TYPES)
    rows, rows_back = _rows(i, j, clip, log_buckets, max_relative_positions, clamped, form)
    p = prepared(rel_embeddings, span(clip, log_buckets), normalized)
    logits = q @ k.mT
    if "c2p" in pos_att_type:
        query = q @ (w_k if share_att_key else w_kr).mT
        logits = logits + (p[like(rows, p)] @ query[..., None])[..., 0]
    if "p2c" in pos_att_type:
        key = k @ (w_q if share_att_key else w_qr).mT
        logits = logits + (p[like(rows_back.T, p)] @ key[..., None])[..., 0].mT
    return logits / ((2 + (pos_att_type == "c2p|p2c")) * q.shape[-1]) ** 0.5


def mask_decoder(hidden: Array, absolute: Array, layer: Callable[[Array, Array], Array]) -> tuple[Array, Array]:
    """The enhanced mask decoder, §3.2: (first, second) output (n, d) of the last layer, applied twice.

    hidden (n, d) comes from the layer before the last, absolute (n, d) are position vectors, layer(query, keys) is the last layer.
    """
    first = layer(hidden + absolute, hidden)
    return first, layer(first, hidden)


def _rows(
    i: np.ndarray, j: np.ndarray, clip: int, log_buckets: int, max_relative_positions: int, clamped: bool, form: str
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of P for content → position, δ(i, j), and for position → content, δ(j, i) in the paper, δ(i, j) in the code."""
    one_of("form", form, FORMS)
    offset = offsets(i, j)
    rows = delta(offset, clip, log_buckets, max_relative_positions, clamped)
    return rows, rows if form == "code" else delta(-offset, clip, log_buckets, max_relative_positions, clamped)
