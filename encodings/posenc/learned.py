"""A trained vector for every position, added to the word vectors before the first layer.

x_i + p_i, with p_i the i-th row of a table that is learned like any other weight. How rows relate is up to training, and there is no row
beyond the last: position 512 of a table of 512 is undefined, not "the last row" and not row 0.

Where released codes differ is which row a token gets (`posenc.padding`): ConvS2S in fairseq and RoBERTa count real tokens from
padding_idx + 1, OPT from 2, GPT-2 counts every token, padding too, from 0. BERT normalises x + p before the first layer
(`layer_norm`), which is what makes its small vectors count: `after_layer_norm` splits the result exactly.

Su's hierarchical decomposition stretches a table of n rows to n² positions without training: p_{qn+r} = α u_q + (1 − α) u_r with
u = (p − α p_0)/(1 − α). The first n rows stay what they were.

The table that is drawn by default is a trained one, of which the first `max_positions` rows and the first d dimensions are taken: enough to
see what training made of positions, but not the model's own dot products, which need all its 384 dimensions.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc.absolute import added, added_mix, added_scores
from posenc.arrays import Array, like
from posenc.check import at_least, inside, one_of, whole
from posenc.references import Reference
from posenc.tables import Table, Trained, normal
from posenc.terms import Terms

BERT = Reference(
    "Jacob Devlin, Ming-Wei Chang, Kenton Lee, Kristina Toutanova",
    2019,
    "BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    "1810.04805",
    "§3, input representation",
)
REFERENCES = (
    Reference(
        "Jonas Gehring, Michael Auli, David Grangier, Denis Yarats, Yann N. Dauphin",
        2017,
        "Convolutional Sequence to Sequence Learning",
        "1705.03122",
        "§3.1",
    ),
    BERT,
    Reference("Jianlin Su", 2020, "层次分解位置编码，让BERT可以处理超长文本", "", "hierarchical decomposition", "kexue.fm/archives/7947"),
)
TRAINED = Trained(model="all-MiniLM-L6-v2", tensor="embeddings.position_embeddings.weight", table="table", when={}, content=0.0576)
BEYOND = ("undefined", "hierarchical")


def tables(width: int, max_positions: int = 512) -> dict[str, Table]:
    """table (max_positions, d), a row per position. It starts with deviation 0.1, as fairseq's ConvS2S does."""
    at_least("max_positions", max_positions, 1)
    return {"table": Table((max_positions, width), normal(0.1))}


def reach(max_positions: int = 512, beyond: str = "undefined") -> int:
    """How many positions have a vector: as many as rows, or their square with the hierarchical decomposition."""
    at_least("max_positions", max_positions, 1)
    one_of("beyond", beyond, BEYOND)
    return max_positions**2 if beyond == "hierarchical" else max_positions


def vectors(
    positions: np.ndarray,
    table: Array,
    width: int | None = None,
    max_positions: int = 512,
    beyond: str = "undefined",
    alpha: float = 0.4,
) -> Array:
    """Position vectors p (…, d) for positions (…): rows of the table, of whose columns the first d are used (default: all).

    ValueError for a position that has none, a table that is too narrow, α outside (0, 1).
    """
    rows = _cut(table, max_positions, width)
    n = rows.shape[0]
    positions = whole("position", positions)
    inside("position", positions, reach(n, beyond))
    if beyond == "undefined":
        return rows[like(positions, rows)]
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is {alpha}; it must be greater than 0 and less than 1")
    basis = (rows - alpha * rows[:1]) / (1 - alpha)
    return alpha * basis[like(positions // n, basis)] + (1 - alpha) * basis[like(positions % n, basis)]


def likeness(table: Array, most: int = 24) -> Array:
    """Cosine of row t and row t + δ, (rows t, δ = 0 … m), for the largest m ≤ `most` and all t that leave room for m more rows.

    m is at most half the number of rows. A row of zeros, which has no direction, has cosine 0 with every other.
    """
    xp = array_namespace(table)
    n = table.shape[0]
    most = min(most, n // 2)
    norms = xp.linalg.vector_norm(table, axis=-1, keepdims=True)
    unit = table / xp.where(norms > 0, norms, xp.ones_like(norms))
    return xp.stack([xp.sum(unit[: n - most] * unit[d : n - most + d], axis=-1) for d in range(most + 1)], axis=-1)


def after_layer_norm(
    content: Array, position: Array, gamma: Array | float = 1.0, beta: Array | float = 0.0, eps: float = 1e-12
) -> tuple[Array, Array]:
    """LayerNorm(content + position) as a content part and a position part, (…, d) each, that add up to it. BERT: content is word plus type.

    Both are divided by the deviation of the sum: there alone one side touches the other. β counts as content.
    """
    xp = array_namespace(content)
    centred = [part - xp.mean(part, axis=-1, keepdims=True) for part in (content, position)]
    deviation = xp.sqrt(xp.mean((centred[0] + centred[1]) ** 2, axis=-1, keepdims=True) + eps)
    return gamma * centred[0] / deviation + beta, gamma * centred[1] / deviation


def terms(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    table: Array,
    max_positions: int = 512,
    beyond: str = "undefined",
    alpha: float = 0.4,
    layer_norm: bool = False,
) -> Terms:
    """(x_i + p_i) W_Q · (x_j + p_j) W_K / √d, multiplied out; with layer_norm both sums are normalised first (γ = 1, β = 0).

    x_q (n_q, d), x_k (n_k, d) content at positions i (n_q,) and j (n_k,); w_q, w_k (h, d, d); table (rows, d or more).
    """
    p_q, p_k = (vectors(positions, table, x_q.shape[-1], max_positions, beyond, alpha) for positions in (i, j))
    if layer_norm:
        (x_q, p_q), (x_k, p_k) = (after_layer_norm(x, like(p, x)) for x, p in ((x_q, p_q), (x_k, p_k)))
    return added(x_q, x_k, p_q, p_k, w_q, w_k)


def scores(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    table: Array,
    max_positions: int = 512,
    beyond: str = "undefined",
    alpha: float = 0.4,
    layer_norm: bool = False,
) -> Array:
    """The logits (h, n_q, n_k) as the model computes them: add first, normalise where it does, project, then take the product."""
    p_q, p_k = (vectors(positions, table, x_q.shape[-1], max_positions, beyond, alpha) for positions in (i, j))
    if layer_norm:
        x_q, x_k = _normalised(x_q + like(p_q, x_q)), _normalised(x_k + like(p_k, x_k))
        return x_q @ w_q @ (x_k @ w_k).mT / w_q.shape[-1] ** 0.5
    return added_scores(x_q, x_k, p_q, p_k, w_q, w_k)


def mix(
    weights: Array,
    x_k: Array,
    w_v: Array,
    j: np.ndarray,
    table: Array,
    max_positions: int = 512,
    beyond: str = "undefined",
    alpha: float = 0.4,
    layer_norm: bool = False,
) -> Array:
    """Outputs (h, n_q, d): weights (h, n_q, n_k) times the values of the sums, normalised where those are; w_v (h, d, d)."""
    p_k = like(vectors(j, table, x_k.shape[-1], max_positions, beyond, alpha), x_k)
    return weights @ (_normalised(x_k + p_k) @ w_v) if layer_norm else added_mix(weights, x_k, p_k, w_v)


def _normalised(x: Array) -> Array:
    """Each row of x (n, d) at mean 0 and variance 1, with BERT's eps of 1e-12."""
    xp = array_namespace(x)
    return (x - xp.mean(x, axis=-1, keepdims=True)) / xp.sqrt(xp.var(x, axis=-1, keepdims=True) + 1e-12)


def _cut(table: Array, max_positions: int, width: int | None) -> Array:
    """The first rows and columns of the table; ValueError where it has fewer columns than are asked for."""
    at_least("max_positions", max_positions, 1)
    width = table.shape[-1] if width is None else width
    if width > table.shape[-1]:
        raise ValueError(f"width is {width}; the table has {table.shape[-1]} columns")
    return table[:max_positions, :width]
