"""One learned scalar per bucket of distances and head, added to an unscaled q·k.

Small distances have a bucket each; larger ones share buckets whose edges grow geometrically up to max_distance; everything beyond shares
the last. The bucket function is fixed, the scalars are learned, and they are not monotone: only the buckets are. One table serves every
layer of a stack; cross-attention has none. The offset is j − i, key minus query, as in the code.

There is no 1/√d: the initialiser of W_Q makes up for it (`query_gain`).
"""

import numpy as np
from array_api_compat import array_namespace

from posenc.arrays import Array, like
from posenc.attention import offsets
from posenc.check import LimitError, at_least, whole
from posenc.references import Reference
from posenc.tables import Table, Trained, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Colin Raffel, Noam Shazeer, Adam Roberts, Katherine Lee, Sharan Narang, Michael Matena, Yanqi Zhou, Wei Li, Peter J. Liu",
        2020,
        "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer",
        "1910.10683",
        "§2.1; the bucket function is in the released code",
    ),
)
TRAINED = Trained(
    model="all-mpnet-base-v2",
    tensor="encoder.relative_attention_bias.weight",
    table="table",
    when={"num_buckets": 32, "max_distance": 128, "causal": False},
)


def tables(width: int, heads: int, num_buckets: int = 32) -> dict[str, Table]:
    """table (buckets, h): a scalar per bucket and head. It starts with deviation 1/√d."""
    at_least("num_buckets", num_buckets, 1)
    at_least("heads", heads, 1)
    return {"table": Table((num_buckets, heads), normal(width**-0.5), head_axis=1)}


def query_gain(width: int) -> float:
    """1/√d: T5 draws W_Q that much smaller than W_K, where other models divide the logits."""
    return width**-0.5


def bucket(offset: np.ndarray, num_buckets: int = 32, max_distance: int = 128, causal: bool = False) -> np.ndarray:
    """The bucket of each offset j − i, int64 in [0, num_buckets).

    Both ways: past offsets use the first half, future ones the second. Causal: any future key falls into bucket 0. Half of a side's buckets
    are exact, one distance each; the others follow log(distance/m)/log(max_distance/m), rounded down, ties exact.
    ValueError unless the numbers leave at least one exact bucket m and max_distance > m, and an even count both ways.
    """
    edges = first_distances(num_buckets, max_distance, causal)
    offset = whole("offset", offset)
    distance = np.maximum(-offset, 0) if causal else np.abs(offset)
    within = np.searchsorted(edges, distance, side="right") - 1
    return within if causal else within + len(edges) * (offset > 0)


def first_distances(num_buckets: int = 32, max_distance: int = 128, causal: bool = False) -> np.ndarray:
    """The smallest distance in each bucket of one side, int64, growing; a bucket that no distance reaches repeats the next one's.

    In whole numbers, so that no rounding of a logarithm moves an edge: distance d is in step s or beyond when
    (d/m)^(side − m) ≥ (max_distance/m)^s, with m exact buckets. ValueError as for `bucket`.
    """
    at_least("num_buckets", num_buckets, 2 if causal else 4)
    if not causal and num_buckets % 2:
        raise LimitError("shared", name="num_buckets", value=num_buckets)
    side = num_buckets if causal else num_buckets // 2
    exact = side // 2
    if max_distance <= exact:
        raise LimitError("exact", name="max_distance", value=max_distance, exact=exact)
    edges = list(range(exact))
    for step in range(side - exact):
        estimate = int(exact * (max_distance / exact) ** (step / (side - exact)))
        distance = max(estimate - 1, exact)
        while distance ** (side - exact) * exact**step < max_distance**step * exact ** (side - exact):
            distance += 1
        edges.append(distance)
    return np.array(edges, dtype=np.int64)


def bias(i: np.ndarray, j: np.ndarray, table: Array, num_buckets: int = 32, max_distance: int = 128, causal: bool = False) -> Array:
    """The scalars b (h, …) for positions i and j that broadcast against each other; table (buckets, h)."""
    if table.shape[0] != num_buckets:
        raise ValueError(f"the table has {table.shape[0]} rows; there are {num_buckets} buckets")
    rows = bucket(np.asarray(j) - np.asarray(i), num_buckets, max_distance, causal)
    return table.mT[:, like(rows, table)]


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    table: Array,
    num_buckets: int = 32,
    max_distance: int = 128,
    causal: bool = False,
) -> Terms:
    """q_i·k_j, not divided by √d, and the bias; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), table (buckets, h)."""
    by_pair = bias(np.asarray(i)[:, None], np.asarray(j)[None, :], table, num_buckets, max_distance, causal)
    return Terms(content_content=q @ k.mT, position_position=by_pair)


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    table: Array,
    num_buckets: int = 32,
    max_distance: int = 128,
    causal: bool = False,
) -> Array:
    """Logits (h, n_q, n_k) as one product of longer vectors: each key is extended by a one-hot of its bucket seen from the query."""
    rows = bucket(offsets(i, j), num_buckets, max_distance, causal)
    one_hot = like(np.eye(num_buckets)[rows], q)
    return q @ k.mT + array_namespace(q).permute_dims(one_hot @ table, (2, 0, 1))
