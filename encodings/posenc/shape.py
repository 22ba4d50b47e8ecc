"""Shifted absolute positions: training moves each whole sequence by a random shift k, so that a model cannot lean on absolute position.

x_t + p_{t+k}, with p the sinusoid and the same k for every token of a sequence. Nothing is learned, and nothing in it is relative:
differences of positions stay, so p_i·p_j stays, while every p_i moves. That logits come to depend on differences alone is left to training.

The paper draws k from 0 … K. The released code draws from 0 … K − 1, fewer where the table would end, and evaluates with the shift K, which
training never showed it. Here `shift` is the k in force, by default that of the released evaluation with K = 500; 0 is the sinusoid itself.
"""

import numpy as np

from posenc import sinusoidal
from posenc.absolute import added, added_mix, added_scores
from posenc.arrays import Array
from posenc.check import at_least, between, whole
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Shun Kiyono, Sosuke Kobayashi, Jun Suzuki, Kentaro Inui",
        2021,
        "SHAPE: Shifted Absolute Position Embedding for Transformers",
        "2109.05644",
        "the proposed method; the shift at evaluation is in the released code",
    ),
)


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def shifts(rng: np.random.Generator, sequences: int, length: int, max_shift: int = 500, max_length: int = 5000) -> np.ndarray:
    """A random shift per sequence, (sequences,) int64, as the released code draws them in training.

    Uniform in 0 … min(K, max_length − length) − 1, and 0 where that leaves nothing to draw.
    ValueError for K < 0 or a length outside 1 … max_length.
    """
    at_least("max_shift", max_shift, 0)
    between("length", length, 1, max_length)
    return rng.integers(0, max(1, min(max_shift, max_length - length)), size=sequences)


def vectors(positions: np.ndarray, width: int, shift: int = 500) -> np.ndarray:
    """Position vectors p (n, d) for positions (n,): the sinusoid of position + shift. ValueError unless shift is 0, 1, 2, …"""
    at_least("shift", shift, 0)
    return sinusoidal.vectors(np.asarray(positions) + whole("shift", np.asarray(shift)), width)


def terms(x_q: Array, x_k: Array, w_q: Array, w_k: Array, i: np.ndarray, j: np.ndarray, shift: int = 500) -> Terms:
    """(x_i + p_{i+k}) W_Q · (x_j + p_{j+k}) W_K / √d, multiplied out.

    x_q (n_q, d), x_k (n_k, d) content at positions i (n_q,) and j (n_k,); w_q, w_k (h, d, d).
    """
    p_q, p_k = (vectors(positions, x_q.shape[-1], shift) for positions in (i, j))
    return added(x_q, x_k, p_q, p_k, w_q, w_k)


def scores(x_q: Array, x_k: Array, w_q: Array, w_k: Array, i: np.ndarray, j: np.ndarray, shift: int = 500) -> Array:
    """The logits (h, n_q, n_k) as the model computes them: add first, project, then take the product."""
    p_q, p_k = (vectors(positions, x_q.shape[-1], shift) for positions in (i, j))
    return added_scores(x_q, x_k, p_q, p_k, w_q, w_k)


def mix(weights: Array, x_k: Array, w_v: Array, j: np.ndarray, shift: int = 500) -> Array:
    """Outputs (h, n_q, d): weights (h, n_q, n_k) times the values (x_j + p_{j+k}) W_V; x_k (n_k, d), w_v (h, d, d), j (n_k,)."""
    return added_mix(weights, x_k, vectors(j, x_k.shape[-1], shift), w_v)
