"""A learned vector for every clipped distance, added to the key (and to the value).

e_ij = q_i · (k_j + a^K_ij) / √d and z_i = Σ_j α_ij (v_j + a^V_ij), with a_ij = w[clip(j − i, −k, k)]: 2k + 1 vectors each, shared by all
heads.
Beyond the clip distance k every key still attends, with the edge vector: k is no attention window.
The offset is the paper's own, key minus query.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, gather, like
from posenc.attention import dot, offsets
from posenc.check import at_least, whole
from posenc.references import Reference
from posenc.tables import Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Peter Shaw, Jakob Uszkoreit, Ashish Vaswani",
        2018,
        "Self-Attention with Relative Position Representations",
        "1803.02155",
        "eq. 3–5",
    ),
)


def tables(width: int, clip: int) -> dict[str, Table]:
    """a_k and a_v (2k + 1, d); row r stands for offset r − k. They start at deviation 1, as OpenNMT-py's embeddings do."""
    at_least("clip", clip, 0)
    rows = Table((2 * clip + 1, width), normal(1.0), first=-clip)
    return {"a_k": rows, "a_v": rows}


def index(offset: np.ndarray, clip: int) -> np.ndarray:
    """The table row of each offset j − i: clip(j − i, −k, k) + k, from 0 to 2k. ValueError for k < 0."""
    at_least("clip", clip, 0)
    return np.clip(whole("offset", offset), -clip, clip) + clip


def vectors(offset: np.ndarray, a_k: Array, clip: int) -> Array:
    """The vectors a^K (n, d) that keys at these offsets (n,) get."""
    return _rows(a_k, clip)[like(index(offset, clip), a_k)]


def terms(q: Array, k: Array, i: np.ndarray, j: np.ndarray, a_k: Array, clip: int) -> Terms:
    """q_i·k_j/√d and q_i·a^K_ij/√d; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), a_k (2k + 1, d).

    Every query is multiplied by the 2k + 1 vectors once, then the products are picked by offset (the efficient way of §3.3).
    """
    by_row = q @ _rows(a_k, clip).mT / q.shape[-1] ** 0.5
    return Terms(content_content=dot(q, k), content_position=gather(by_row, index(offsets(i, j), clip)))


def scores(q: Array, k: Array, i: np.ndarray, j: np.ndarray, a_k: Array, clip: int) -> Array:
    """Logits (h, n_q, n_k) as eq. 4 has them: the vector is added to each key, then one product is taken."""
    xp = array_namespace(q)
    keys = k[:, None, :, :] + vectors(offsets(i, j), a_k, clip)
    return xp.sum(q[:, :, None, :] * keys, axis=-1) / q.shape[-1] ** 0.5


def mix(weights: Array, v: Array, i: np.ndarray, j: np.ndarray, a_v: Array, clip: int) -> Array:
    """Outputs z (h, n_q, d), eq. 3: weights (h, n_q, n_k) times the values v (h, n_k, d) and their vectors a^V."""
    xp = array_namespace(weights)
    by_offset = vectors(offsets(i, j), a_v, clip)
    return weights @ v + xp.sum(weights[..., None] * by_offset, axis=-2)


def _rows(table: Array, clip: int) -> Array:
    """The table itself, once its number of rows is what the clip distance asks for."""
    if table.shape[0] != 2 * clip + 1:
        raise ValueError(f"the table has {table.shape[0]} rows; clip {clip} needs 2·{clip} + 1 = {2 * clip + 1}")
    return table
