"""The first layer of a trained BERT, taken apart: which part of each logit is content, which position.

The embedding is LayerNorm(word + type + position). With s_i the LayerNorm's deviation at token i it splits exactly, into content
c_i = γ∘(w_i + t − mean)/s_i + β and position p_i = γ∘(p_i − mean)/s_i (`learned.after_layer_norm`); the biases of the projections go with
the content. Each head's logit (c_i + p_i) W_Q · (c_j + p_j) W_K / √e then opens into four products, e = d/heads. Weights are as models
store them: a projection is x Wᵀ + b, and head h owns the h-th group of e rows of W.

That holds for the first layer alone: from the second on every vector is already a mixture of all the words and all the places.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from array_api_compat import array_namespace

from posenc.absolute import four_products
from posenc.arrays import Array
from posenc.attention import dot, softmax
from posenc.check import at_least, inside
from posenc.influence import by_offset, moved, spread
from posenc.learned import BERT, after_layer_norm
from posenc.references import Reference
from posenc.terms import Terms

REFERENCES = (
    BERT,
    Reference(
        "Guolin Ke, Di He, Tie-Yan Liu", 2021, "Rethinking Positional Encoding in Language Pre-training", "2006.15595", "§3.1, fig. 2"
    ),
    Reference(
        "Wenhui Wang, Furu Wei, Li Dong, Hangbo Bao, Nan Yang, Ming Zhou",
        2020,
        "MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained Transformers",
        "2002.10957",
        "the family of models; the one measured here is sentence-transformers/all-MiniLM-L6-v2",
    ),
)
MIDDLE = ("content_position", "position_content")
WITHOUT = {name: (name,) for name in Terms._fields[:4]} | {"middle": MIDDLE}
"""What is left out of the logits to see what it did: each term, and both middle ones."""


def terms(
    words: Array,
    positions: Array,
    gamma: Array,
    beta: Array,
    w_q: Array,
    b_q: Array,
    w_k: Array,
    b_k: Array,
    heads: int,
    head: Sequence[int] | None = None,
    eps: float = 1e-12,
) -> Terms:
    """The four products of some heads (default: all), (h, n, n) each.

    words (n, d): word and type rows added up; positions (n, d): each token's row of the table; gamma, beta (d,) of the LayerNorm;
    w_q, w_k (d, d) and b_q, b_k (d,) as stored.
    """
    content, position = after_layer_norm(words, positions, gamma, beta, eps)
    q, k = ([_heads(content, w, heads, head, b), _heads(position, w, heads, head)] for w, b in ((w_q, b_q), (w_k, b_k)))
    return four_products(*q, *k)


def scores(
    words: Array,
    positions: Array,
    gamma: Array,
    beta: Array,
    w_q: Array,
    b_q: Array,
    w_k: Array,
    b_k: Array,
    heads: int,
    head: Sequence[int] | None = None,
    eps: float = 1e-12,
) -> Array:
    """The logits (h, n, n) as the model computes them: add, normalise, project, then take the product. Arguments as for `terms`."""
    xp = array_namespace(words)
    x = words + positions
    x = (x - xp.mean(x, axis=-1, keepdims=True)) / xp.sqrt(xp.var(x, axis=-1, keepdims=True) + eps) * gamma + beta
    return dot(_heads(x, w_q, heads, head, b_q), _heads(x, w_k, heads, head, b_k))


class Anatomy(NamedTuple):
    """Every head of the layer on one text, in numbers of (h,) or (h, 2n − 1)."""

    spread: dict[str, np.ndarray]
    """Each term's row-centred standard deviation: what softmax can see of it."""
    moved: dict[str, np.ndarray]
    """How much attention moves without that term; `middle` is without content–position and position–content."""
    offsets: np.ndarray
    by_offset: np.ndarray
    """The mean position–position term at each offset."""
    attention: np.ndarray
    """The mean attention weight at each offset."""


def anatomy(
    words: np.ndarray,
    positions: np.ndarray,
    gamma: np.ndarray,
    beta: np.ndarray,
    w_q: np.ndarray,
    b_q: np.ndarray,
    w_k: np.ndarray,
    b_k: np.ndarray,
    heads: int,
    eps: float = 1e-12,
) -> Anatomy:
    """What each head is made of; arguments as for `terms`. One head at a time: all of them at once would need 12 × 4 matrices of n × n."""
    spreads, moves, places, weights = [], [], [], []
    for head in range(heads):
        found = terms(words, positions, gamma, beta, w_q, b_q, w_k, b_k, heads, [head], eps)
        parts = dict(found.present())
        spreads.append({name: spread(part) for name, part in parts.items()})
        moves.append(moved(found, WITHOUT))
        places.append(by_offset(parts["position_position"])[1])
        weights.append(by_offset(softmax(found.total()))[1])
    n = len(words)
    return Anatomy(_together(spreads), _together(moves), np.arange(-(n - 1), n), np.concatenate(places), np.concatenate(weights))


def _together(of_heads: Sequence[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: np.concatenate([one[name] for one in of_heads]) for name in of_heads[0]}


def _heads(x: Array, weight: Array, heads: int, head: Sequence[int] | None, bias: Array | None = None) -> Array:
    """x Wᵀ + b of some heads, (h, n, e)."""
    at_least("heads", heads, 1)
    if weight.shape[0] % heads:
        raise ValueError(f"the projection has {weight.shape[0]} rows; it must be a multiple of the {heads} heads")
    some = list(range(heads)) if head is None else list(head)
    inside("head", np.asarray(some), heads)
    e = weight.shape[0] // heads
    projected = x @ weight.reshape(heads, e, -1)[some].mT
    return projected if bias is None else projected + bias.reshape(heads, 1, e)[some]
