"""Each word vector is multiplied by its position vector, dimension by dimension, instead of adding it.

Two forms go by that name, and they differ in what "no position" means:

- "one_plus", x ⊗ (1 + p): what bert4keras computes for merge_mode="mul". It is x + x ⊗ p, so its logits split into the four products of an
  added encoding, whose "position" is x ⊗ p: it carries content, and no part is position alone.
- "plain", x ⊗ p as the idea is usually written. Position is off at p = 1: content–content is x_i W_Q · x_j W_K / √d, and all the rest is
  interaction. With sinusoids half of the word is lost at position 0, where every sine is 0.

p is the sinusoid, interleaved. The split is a choice: x ⊗ p is also x ⊗ (1 + (p − 1)), but p − 1 is no one's position vector.
"""

import numpy as np

from posenc import sinusoidal
from posenc.absolute import added
from posenc.arrays import Array, like
from posenc.attention import dot
from posenc.check import one_of
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Jianlin Su",
        2021,
        "让研究人员绞尽脑汁的Transformer位置编码",
        "",
        "相乘式 (the product fusion); x ⊗ (1 + p) is in the code of bert4keras",
        "kexue.fm/archives/8130",
    ),
)
FUSIONS = ("one_plus", "plain")


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def vectors(positions: np.ndarray, width: int, base: float = 10000.0) -> np.ndarray:
    """Position vectors p (n, d) for positions (n,): the sinusoid, interleaved."""
    return sinusoidal.vectors(positions, width, base=base)


def product(x: Array, p: Array, fusion: str = "one_plus") -> Array:
    """x ⊗ (1 + p) or x ⊗ p; x and p (n, d). ValueError for an unknown fusion."""
    one_of("fusion", fusion, FUSIONS)
    p = like(p, x)
    return x * p if fusion == "plain" else x * (1 + p)


def split(x_q: Array, x_k: Array, p_q: Array, p_k: Array, w_q: Array, w_k: Array, fusion: str = "one_plus") -> Terms:
    """The logits of `product` taken apart, for any position vectors; x_q, p_q (n_q, d), x_k, p_k (n_k, d), w_q, w_k (h, d, d).

    "plain": p_i p_j − 1 = (p_i − 1) p_j + (p_j − 1) for every pair of dimensions, which makes the interaction two products.
    """
    one_of("fusion", fusion, FUSIONS)
    p_q, p_k = like(p_q, x_q), like(p_k, x_q)
    if fusion == "one_plus":
        return added(x_q, x_k, x_q * p_q, x_k * p_k, w_q, w_k)
    content_q, content_k = x_q @ w_q, x_k @ w_k
    by_query = dot((x_q * (p_q - 1)) @ w_q, (x_k * p_k) @ w_k)
    by_key = dot(content_q, (x_k * (p_k - 1)) @ w_k)
    return Terms(content_content=dot(content_q, content_k), interaction=by_query + by_key)


def terms(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    fusion: str = "one_plus",
    base: float = 10000.0,
) -> Terms:
    """The logits of `product` with the sinusoid, taken apart (see `split`).

    x_q (n_q, d), x_k (n_k, d) content at positions i (n_q,) and j (n_k,); w_q, w_k (h, d, d).
    """
    p_q, p_k = (vectors(positions, x_q.shape[-1], base) for positions in (i, j))
    return split(x_q, x_k, p_q, p_k, w_q, w_k, fusion)


def scores(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    fusion: str = "one_plus",
    base: float = 10000.0,
) -> Array:
    """The logits (h, n_q, n_k) as the model computes them: multiply, project, take the product."""
    p_q, p_k = (vectors(positions, x_q.shape[-1], base) for positions in (i, j))
    return product(x_q, p_q, fusion) @ w_q @ (product(x_k, p_k, fusion) @ w_k).mT / w_q.shape[-1] ** 0.5


def mix(weights: Array, x_k: Array, w_v: Array, j: np.ndarray, fusion: str = "one_plus", base: float = 10000.0) -> Array:
    """Outputs (h, n_q, d): weights (h, n_q, n_k) times the values of the products; x_k (n_k, d), w_v (h, d, d), j (n_k,)."""
    return weights @ (product(x_k, vectors(j, x_k.shape[-1], base), fusion) @ w_v)
