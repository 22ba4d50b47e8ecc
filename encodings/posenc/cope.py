"""Position is counted in words that matter to the query: each key between opens a gate a little or a lot, and the gates are added up.

g_it = σ(q_i·k_t/√d), p_ij = min(Σ_{t=j…i} g_it, npos − 1), ℓ_ij = q_i·(k_j + e[p_ij])/√d. p_ij is a fraction, so e[p] lies on the
line between the two learned vectors around it. With every gate open p_ij = i − j + 1; a head whose gates open at full stops counts
sentences. Positions differ by query, word and head: the interpolated q·e[p] is content–position.

- *divided*: the released code divides both parts by √d; the paper's listing, and the code's option `nodiv`, only q·k.
- *separate_key*: gates with keys of their own, x W_gate, instead of the attention's.
- The code counts the key itself: at distance 0 p is g_ii, not 0, so e[0] is reached only where gates are shut.

Sums run from the key to the query: every key between has to be there, in order, and the future is never seen.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, like
from posenc.attention import dot, offsets, visible
from posenc.check import at_least, whole
from posenc.references import Reference
from posenc.tables import Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Olga Golovneva, Tianlu Wang, Jason Weston, Sainbayar Sukhbaatar",
        2024,
        "Contextual Position Encoding: Learning to Count What's Important",
        "2405.18719",
        "eq. 3–5",
    ),
)
CAUSAL_ONLY = True
CONTIGUOUS = True


def tables(width: int, heads: int, npos: int = 64, separate_key: bool = False) -> dict[str, Table]:
    """e (npos, d), shared by all heads, and for separate gate keys w_gate (h, d, d).

    The released code starts e at 0, where there is no position at all; here it has deviation 1, so that there is something to see.
    w_gate starts like the keys' own projection.
    """
    at_least("npos", npos, 1)
    at_least("heads", heads, 1)
    learned = {"e": Table((npos, width), normal(1.0))}
    if separate_key:
        learned["w_gate"] = Table((heads, width, width), normal(width**-0.5), head_axis=0)
    return learned


def vectors(positions: np.ndarray, e: Array) -> Array:
    """e[p] (n, d) at positions p (n,) that may be fractions; beyond the last row, the last row. ValueError below 0."""
    positions = np.asarray(positions, dtype=float)
    at_least("position", positions.min(initial=0), 0)
    positions = np.minimum(positions, e.shape[0] - 1)
    low, high = np.floor(positions).astype(int), np.ceil(positions).astype(int)
    share = like((positions - low)[:, None], e)
    return e[like(low, e)] * (1 - share) + e[like(high, e)] * share


def gates(q: Array, k: Array, i: np.ndarray, j: np.ndarray) -> Array:
    """g (h, n_q, n_k): how much each key counts for each query, from 0 to 1, and 0 in the future.

    ValueError unless the keys follow each other one by one up to the last query.
    """
    _all_keys(i, j)
    xp = array_namespace(q)
    opened = (1 + xp.tanh(dot(q, k) / 2)) / 2
    return opened * like(visible(i, j, causal=True).astype(float), q)


def gate_keys(k: Array, x_k: Array = None, w_gate: Array = None) -> Array:
    """What gates look at (h, n_k, d): the attention's keys k, or with w_gate (h, d, d) keys of their own, x_k W_gate, x_k (n_k, d)."""
    return k if w_gate is None else x_k @ w_gate


def contextual_positions(gates: Array, npos: int = 64) -> Array:
    """p (h, n_q, n_k): the gates from each key to the query added up, at most npos − 1."""
    at_least("npos", npos, 1)
    xp = array_namespace(gates)
    return xp.clip(xp.flip(xp.cumulative_sum(xp.flip(gates, axis=-1), axis=-1), axis=-1), None, npos - 1)


def interpolated(by_row: Array, positions: Array) -> Array:
    """by_row (h, n_q, npos) read at fractional positions (h, n_q, n_k): on the straight line between the two rows around each."""
    xp = array_namespace(by_row)
    low, high = (xp.astype(rounded(positions), xp.int64) for rounded in (xp.floor, xp.ceil))
    share = positions - xp.floor(positions)
    return xp.take_along_axis(by_row, low, axis=-1) * (1 - share) + xp.take_along_axis(by_row, high, axis=-1) * share


def terms(
    q: Array, k: Array, i: np.ndarray, j: np.ndarray, e: Array, divided: bool = True, x_k: Array = None, w_gate: Array = None
) -> Terms:
    """q_i·k_j/√d and the interpolated q_i·e[p_ij], over √d when divided; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), e (npos, d).

    x_k and w_gate as in `gate_keys`.
    """
    opened = gates(q, gate_keys(k, x_k, w_gate), i, j)
    by_pair = interpolated(q @ e.mT, contextual_positions(opened, e.shape[0]))
    return Terms(content_content=dot(q, k), content_position=by_pair / q.shape[-1] ** 0.5 if divided else by_pair)


def scores(
    q: Array, k: Array, i: np.ndarray, j: np.ndarray, e: Array, divided: bool = True, x_k: Array = None, w_gate: Array = None
) -> Array:
    """Logits (h, n_q, n_k) with sums as products: a triangle of ones adds up the gates, each row of e counts by its nearness to p."""
    _all_keys(i, j)
    xp = array_namespace(q)
    gate_logits = dot(q, gate_keys(k, x_k, w_gate))
    opened = xp.exp(-xp.logaddexp(xp.zeros_like(gate_logits), -gate_logits))
    opened = xp.where(like(offsets(i, j) <= 0, q), opened, xp.zeros_like(opened))
    counted = opened @ like(np.tri(len(j)), q)
    row = like(np.arange(e.shape[0], dtype=float), q)
    near = xp.clip(1 - xp.abs(xp.clip(counted, None, e.shape[0] - 1)[..., None] - row), 0, None)
    by_pair = xp.sum(near * (q @ e.mT)[:, :, None, :], axis=-1)
    return dot(q, k) + (by_pair / q.shape[-1] ** 0.5 if divided else by_pair)


def _all_keys(i: np.ndarray, j: np.ndarray) -> None:
    """ValueError where a key between is missing."""
    i, j = whole("position", i), whole("position", j)
    gaps = np.flatnonzero(np.diff(j) != 1)
    if gaps.size:
        before, after = j[gaps[0]], j[gaps[0] + 1]
        raise ValueError(f"key position {after} follows {before}; CoPE counts over every key, so it must be {before + 1}")
    if i.size and j.size and i.max() > j[-1]:
        raise ValueError(f"query position is {i.max()}; the keys end at {j[-1]} and CoPE counts over every key up to the query")
