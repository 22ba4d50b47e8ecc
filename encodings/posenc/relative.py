"""What Transformer-XL, XLNet and TENER share: a vector per distance takes the key's side of position, two learned vectors the query's.

(x_i + p_i) W_Q · (x_j + p_j) W_K has four products. Here the key's p_j becomes r, a vector of the distance, and the query's p_i, wherever
it would stand, becomes a learned vector that is the same for every position: u towards contents, v towards distances.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, gather, like
from posenc.attention import offsets
from posenc.terms import Terms


def distinct(i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The offsets j − i that occur, (m,), and which of them each pair has, (n_q, n_k): vectors are made per offset, not per pair."""
    found, index = np.unique(offsets(i, j), return_inverse=True)
    return found, index


def four_terms(q: Array, k: Array, r: Array, index: np.ndarray, bias_u: Array, bias_v: Array, scale: float) -> Terms:
    """q_i·k_j, q_i·r_ij, u·k_j, v·r_ij, each divided by `scale`; r_ij is row index[i, j] of r.

    q (h, n_q, d), k (h, n_k, d) or (n_k, d), r (h, m, d) or (m, d), index (n_q, n_k), bias_u, bias_v (h, d).
    """
    xp = array_namespace(q)
    shape = (*q.shape[:-1], k.shape[-2])
    return Terms(
        content_content=q @ k.mT / scale,
        content_position=gather(q @ r.mT / scale, index),
        position_content=xp.broadcast_to(bias_u[:, None, :] @ k.mT / scale, shape),
        position_position=(bias_v[:, None, :] @ r.mT / scale)[:, 0, :][:, like(index, q)],
    )


def paired_scores(q: Array, k: Array, r: Array, bias_u: Array, bias_v: Array, scale: float, w_kr: Array | None = None) -> Array:
    """((q_i + u)·k_j + (q_i + v)·r_ij W)/scale, (h, n_q, n_k), with a vector r_ij for every pair: r (n_q, n_k, d).

    w_kr (h, d, d), where there is one, is applied to the query: (q_i + v) Wᵀ · r_ij.
    """
    query = q + bias_v[:, None, :]
    if w_kr is not None:
        query = query @ w_kr.mT
    return ((q + bias_u[:, None, :]) @ k.mT + (like(r, q) @ query[..., None])[..., 0]) / scale
