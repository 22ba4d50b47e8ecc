"""Scaled dot products, masks, softmax: what every scheme shares."""

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, like


def dot(q: Array, k: Array) -> Array:
    """Scaled dot products q·k/√d: (h, n_q, d), (h, n_k, d) → (h, n_q, n_k). Vaswani et al. 2017, eq. 1."""
    return q @ k.mT / q.shape[-1] ** 0.5


def offsets(i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """j − i for every pair: positions (n_q,) and (n_k,) → (n_q, n_k), key minus query."""
    return np.asarray(j)[None, :] - np.asarray(i)[:, None]


def visible(i: np.ndarray, j: np.ndarray, causal: bool) -> np.ndarray:
    """Which keys a query may attend to, (n_q, n_k) booleans: all of them, or under a causal mask those with j ≤ i."""
    return offsets(i, j) <= 0 if causal else np.ones((len(i), len(j)), dtype=bool)


def softmax(logits: Array, seen: np.ndarray | None = None) -> Array:
    """Attention weights over the last axis, (…, n_k); unseen keys get exactly 0, and so does a row that sees none."""
    xp = array_namespace(logits)
    if seen is not None:
        logits = xp.where(like(np.broadcast_to(seen, logits.shape), logits), logits, -xp.inf)
    top = xp.max(logits, axis=-1, keepdims=True)
    weights = xp.exp(logits - xp.where(xp.isfinite(top), top, xp.zeros_like(top)))
    total = xp.sum(weights, axis=-1, keepdims=True)
    return weights / xp.where(total > 0, total, xp.ones_like(total))
