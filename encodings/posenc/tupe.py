"""Words are compared with words, positions with positions, each with projections of their own; the two middle terms are gone.

ℓ_ij = (x_i W_Q · x_j W_K + p_i U_Q · p_j U_K) / √(2d). Two products are added, so both are divided by √(2d), not √d.
The second is the same in every layer. The first token is [CLS], which stands for the sentence and has no place in it, so it is untied
from positions: [CLS] to any token, itself included, is one number θ₁ (row 0), any other token to [CLS] is θ₂ (column 0).

- *variant*: TUPE-A is the equation above; TUPE-R adds T5's scalar per bucket, undivided, with buckets of its own for row 0 and column 0.
- *code*: the position vectors pass through a LayerNorm and their projections have biases, which the paper does not write. θ₁ and θ₂
  are no parameters but products: row 0 of the table with itself, row 1 with itself. The token at position n uses row n + 1.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import t5
from posenc.arrays import Array, like
from posenc.attention import dot, offsets
from posenc.check import at_least, inside, one_of, whole
from posenc.references import Reference
from posenc.tables import Table, constant, normal
from posenc.terms import Terms

REFERENCES = (
    Reference("Guolin Ke, Di He, Tie-Yan Liu", 2021, "Rethinking Positional Encoding in Language Pre-training", "2006.15595", "eq. 7–11"),
)
VARIANTS = ("A", "R")


def tables(width: int, heads: int, max_positions: int = 512, variant: str = "A", num_buckets: int = 32) -> dict[str, Table]:
    """p (positions + 1, d), its LayerNorm gamma and beta (d,), u_q, u_k (h, d, d), b_q, b_k (h, d); in R rel_table (buckets + 1, h).

    They start as in the released code: deviation 0.02, LayerNorm the identity, biases 0. Its 0.02 for u_q and u_k belongs to a model
    768 wide; other widths have 0.02·√(768/d), which keeps the size of a projected vector.
    """
    at_least("max_positions", max_positions, 1)
    at_least("heads", heads, 1)
    one_of("variant", variant, VARIANTS)
    projection = Table((heads, width, width), normal(0.02 * (768 / width) ** 0.5), head_axis=0)
    shift = Table((heads, width), constant(0.0), head_axis=0)
    learned = {
        "p": Table((max_positions + 1, width), normal(0.02)),
        "gamma": Table((width,), constant(1.0)),
        "beta": Table((width,), constant(0.0)),
        "u_q": projection,
        "u_k": projection,
        "b_q": shift,
        "b_k": shift,
    }
    if variant == "R":
        learned["rel_table"] = Table((num_buckets + 1, heads), normal(0.02), head_axis=1)
    return learned


def reach(max_positions: int = 512) -> int:
    """How many positions the table has vectors for, [CLS] at 0 included."""
    return max_positions


def vectors(positions: np.ndarray, p: Array, gamma: Array, beta: Array) -> Array:
    """Position vectors (n, d) of tokens at positions (n,), after the LayerNorm. ValueError for a position outside the table."""
    positions = whole("position", positions)
    inside("position", positions, p.shape[0] - 1)
    return _normalised(p[like(positions + 1, p)], gamma, beta)


def products(
    rows_q: np.ndarray, rows_k: np.ndarray, p: Array, gamma: Array, beta: Array, u_q: Array, u_k: Array, b_q: Array, b_k: Array
) -> Array:
    """p_r U_Q · p_s U_K / √(2d) for every row r in rows_q (n_q,) and s in rows_k (n_k,) of the table: (h, n_q, n_k)."""
    for index in (rows_q, rows_k):
        inside("row", index, p.shape[0])
    query = _normalised(p[like(rows_q, p)], gamma, beta) @ u_q + b_q[:, None, :]
    key = _normalised(p[like(rows_k, p)], gamma, beta) @ u_k + b_k[:, None, :]
    return dot(query, key) / 2**0.5


def rows(i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two rows of the table that a pair compares: (0, 0) when the query is [CLS], else (1, 1) when the key is, else (i + 1, j + 1)."""
    i, j = np.broadcast_arrays(whole("position", i), whole("position", j))
    return np.select([i == 0, j == 0], [0, 1], i + 1), np.select([i == 0, j == 0], [0, 1], j + 1)


def bucket(i: np.ndarray, j: np.ndarray, num_buckets: int = 32, max_distance: int = 128) -> np.ndarray:
    """The bucket of each pair, from 0 to num_buckets: T5's, but num_buckets/2 (which T5 never uses) in row 0, num_buckets in column 0."""
    i, j = np.broadcast_arrays(i, j)
    return np.select([i == 0, j == 0], [num_buckets // 2, num_buckets], t5.bucket(j - i, num_buckets, max_distance))


def bias(
    i: np.ndarray,
    j: np.ndarray,
    p: Array,
    gamma: Array,
    beta: Array,
    u_q: Array,
    u_k: Array,
    b_q: Array,
    b_k: Array,
    variant: str = "A",
    rel_table: Array = None,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Array:
    """What positions i and j, which broadcast against each other, add to the logit: (h, …). Tables as in `tables`.

    ValueError for an unknown variant and for positions that are no whole numbers or lie outside the table.
    """
    one_of("variant", variant, VARIANTS)
    inside("position", i, p.shape[0] - 1)
    inside("position", j, p.shape[0] - 1)
    (needed_q, at_q), (needed_k, at_k) = (np.unique(index, return_inverse=True) for index in rows(i, j))
    by_row = products(needed_q, needed_k, p, gamma, beta, u_q, u_k, b_q, b_k)
    shape = np.broadcast_shapes(np.shape(i), np.shape(j))
    absolute = by_row[:, like(at_q.reshape(shape), p), like(at_k.reshape(shape), p)]
    if variant == "A":
        return absolute
    return absolute + _relative(rel_table, num_buckets).mT[:, like(bucket(i, j, num_buckets, max_distance), p)]


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    p: Array,
    gamma: Array,
    beta: Array,
    u_q: Array,
    u_k: Array,
    b_q: Array,
    b_k: Array,
    variant: str = "A",
    rel_table: Array = None,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Terms:
    """q_i·k_j/√(2d) and the bias, no middle terms; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), tables as in `tables`."""
    i, j = np.asarray(i)[:, None], np.asarray(j)[None, :]
    by_pair = bias(i, j, p, gamma, beta, u_q, u_k, b_q, b_k, variant, rel_table, num_buckets, max_distance)
    return Terms(content_content=q @ k.mT / (2 * q.shape[-1]) ** 0.5, position_position=by_pair)


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    p: Array,
    gamma: Array,
    beta: Array,
    u_q: Array,
    u_k: Array,
    b_q: Array,
    b_k: Array,
    variant: str = "A",
    rel_table: Array = None,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> Array:
    """Logits (h, n_q, n_k) as dot products of vectors twice as long, word and position side by side: √(2d) is the √ of their width.

    Row 0 and column 0 are overwritten.
    """
    xp = array_namespace(q)
    i, j = whole("position", i), whole("position", j)
    inside("position", i, p.shape[0] - 1)
    inside("position", j, p.shape[0] - 1)
    table = _normalised(p, gamma, beta)
    table_q, table_k = table @ u_q + b_q[:, None, :], table @ u_k + b_k[:, None, :]

    def joined(rows_q: np.ndarray, rows_k: np.ndarray) -> Array:
        return dot(
            xp.concat([q, table_q[:, like(rows_q, q), :]], axis=-1),
            xp.concat([k, table_k[:, like(rows_k, q), :]], axis=-1),
        )

    logits = xp.where(like(j == 0, q)[None, None, :], joined(0 * i + 1, 0 * j + 1), joined(i + 1, j + 1))
    logits = xp.where(like(i == 0, q)[None, :, None], joined(0 * i, 0 * j), logits)
    if variant == "A":
        return logits
    index = t5.bucket(offsets(i, j), num_buckets, max_distance)
    index[:, j == 0] = num_buckets
    index[i == 0, :] = num_buckets // 2
    return logits + xp.permute_dims(_relative(rel_table, num_buckets)[like(index, q)], (2, 0, 1))


def _normalised(vectors: Array, gamma: Array, beta: Array) -> Array:
    """LayerNorm over the last axis."""
    xp = array_namespace(vectors)
    centred = vectors - xp.mean(vectors, axis=-1, keepdims=True)
    return centred / (xp.mean(centred**2, axis=-1, keepdims=True) + 1e-5) ** 0.5 * gamma + beta


def _relative(rel_table: Array, num_buckets: int) -> Array:
    """The table of TUPE-R itself, once it has a row for every bucket and one for column 0."""
    rows = 0 if rel_table is None else rel_table.shape[0]
    if rows != num_buckets + 1:
        raise ValueError(f"rel_table has {rows} rows; TUPE-R with {num_buckets} buckets needs {num_buckets + 1}")
    return rel_table
