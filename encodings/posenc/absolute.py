"""What the absolute schemes share: a vector per position joins the word vector before the projections."""

from posenc.arrays import Array, like
from posenc.attention import dot
from posenc.terms import Terms


def added(x_q: Array, x_k: Array, p_q: Array, p_k: Array, w_q: Array, w_k: Array) -> Terms:
    """(x_i + p_i) W_Q · (x_j + p_j) W_K / √d multiplied out into its four products.

    x_q, p_q (n_q, d) and x_k, p_k (n_k, d); w_q, w_k (h, d, d). p may be NumPy where x is torch: then it is a constant.
    """
    p_q, p_k = like(p_q, x_q), like(p_k, x_q)
    return four_products(x_q @ w_q, p_q @ w_q, x_k @ w_k, p_k @ w_k)


def four_products(content_q: Array, position_q: Array, content_k: Array, position_k: Array) -> Terms:
    """(content + position of a query) · (content + position of a key) / √d multiplied out; (h, n_q, d) and (h, n_k, d)."""
    return Terms(
        content_content=dot(content_q, content_k),
        content_position=dot(content_q, position_k),
        position_content=dot(position_q, content_k),
        position_position=dot(position_q, position_k),
    )


def added_scores(x_q: Array, x_k: Array, p_q: Array, p_k: Array, w_q: Array, w_k: Array) -> Array:
    """The same logits (h, n_q, n_k) as a model computes them: add, project, one product. Shapes as in `added`."""
    p_q, p_k = like(p_q, x_q), like(p_k, x_q)
    return (x_q + p_q) @ w_q @ ((x_k + p_k) @ w_k).mT / w_q.shape[-1] ** 0.5


def added_mix(weights: Array, x_k: Array, p_k: Array, w_v: Array) -> Array:
    """Outputs (h, n_q, d): weights (h, n_q, n_k) times the values (x_j + p_j) W_V, which hold the position too."""
    return weights @ ((x_k + like(p_k, x_k)) @ w_v)
