"""RoPE with a learned vector added to every query and one added to every key, before they are turned.

(R_i(q_i + a))·(R_j(k_j + b)) has four terms: q·R_{j−i}k as in RoPE, q·R_{j−i}b, a·R_{j−i}k and a·R_{j−i}b. The last holds no content: it
is a bias by distance, and with a = b = √λ(1, 0, 1, 0, …) it is Sandwich's sum of cosines, which fades with distance. Without RoPE softmax
would cancel b: with it b matters.

a and b are nothing but the biases of the query and key projections (Qwen keeps them for this reason). Elsewhere here projection biases
count as content; in this scheme they are the position's own parameters and drawn as such: content–position q·Rb, position–content a·Rk,
position–position a·Rb. All four are divided by √d. `crossed=False` leaves out the two terms in the middle: the additive form of GAU, q·Rk
+ a·Rb.

The author reported much better length extrapolation (4096 tokens after training on 512: 39.6 % accuracy instead of 17.9 %), and later
that it is not stable from one experiment to the next.
"""

import numpy as np
from array_api_compat import array_namespace

from posenc import rope
from posenc.arrays import Array, gather, like
from posenc.attention import dot, offsets
from posenc.check import at_least, one_of
from posenc.references import Reference
from posenc.tables import Start, Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference("Jianlin Su", 2023, "Bias项的神奇作用：RoPE + Bias = 更好的长度外推性", "", "eq. 2–3", "blog post, kexue.fm/archives/9577"),
    Reference(
        "Weizhe Hua, Zihang Dai, Hanxiao Liu, Quoc V. Le",
        2022,
        "Transformer Quality in Linear Time",
        "2202.10447",
        "appendix, pseudo-code of the relative position bias",
    ),
)
STARTS = ("random", "sandwich")


def tables(width: int, heads: int, bias_start: str = "random", pairing: str = "interleaved") -> dict[str, Table]:
    """a and b (h, d). They start at deviation 0.02, as GAU's do, or with bias_start="sandwich" at (1, 0, 1, 0, …)."""
    at_least("heads", heads, 1)
    one_of("bias_start", bias_start, STARTS)
    first = normal(0.02) if bias_start == "random" else _fixed(sandwich(width, pairing))
    row = Table((heads, width), first, head_axis=0)
    return {"a": row, "b": row}


def _fixed(values: np.ndarray) -> Start:
    """These numbers, whatever the seed."""
    return lambda rng, shape: values.reshape(shape)


def sandwich(width: int, pairing: str = "interleaved", strength: float = 1.0) -> np.ndarray:
    """√λ in the first member of each pair, 0 in the second, (d,): as a and as b it makes the bias λ·Σ_c cos((i − j)θ_c)/√d."""
    one_of("pairing", pairing, rope.PAIRINGS)
    at_least("strength", strength, 0)
    pairs = len(rope.angular_frequencies(width))
    first, second = np.full(pairs, strength**0.5), np.zeros(pairs)
    return np.concatenate([first, second]) if pairing == "half" else np.stack([first, second], axis=1).reshape(-1)


def position_bias(i: np.ndarray, j: np.ndarray, a: Array, b: Array, pairing: str = "interleaved", base: float = 10000.0) -> Array:
    """a·R_{j−i}b/√d for positions i and j that broadcast against each other, (h, …); a, b (h, d)."""
    theta = rope.angular_frequencies(a.shape[-1], base=base)
    different, row = np.unique(np.asarray(i) - np.asarray(j), return_inverse=True)
    cos, sin = (like(table, a) for table in rope.cos_sin(different, theta))
    (a_1, a_2), (b_1, b_2) = (rope.pairs(x, len(theta), pairing) for x in (a, b))
    by_distance = (a_1 * b_1 + a_2 * b_2) @ cos.mT + (a_1 * b_2 - a_2 * b_1) @ sin.mT
    return by_distance[:, like(row.reshape(np.broadcast_shapes(np.shape(i), np.shape(j))), a)] / a.shape[-1] ** 0.5


def terms(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    a: Array,
    b: Array,
    crossed: bool = True,
    pairing: str = "interleaved",
    base: float = 10000.0,
) -> Terms:
    """RoPE's terms, q_i·R_{j−i}b, a·R_{j−i}k_j and a·R_{j−i}b, all /√d; q (h, n_q, d), k (h, n_k, d), i (n_q,), j (n_k,), a, b (h, d).

    The vectors are turned once for every offset there is, and the products picked by offset.
    """
    theta = rope.angular_frequencies(q.shape[-1], base=base)
    content = rope.terms(q, k, i, j, pairing, base=base)
    position = position_bias(np.asarray(i)[:, None], np.asarray(j)[None, :], a, b, pairing, base)
    if not crossed:
        return content._replace(position_position=position)
    different, row = np.unique(offsets(i, j), return_inverse=True)
    row = row.reshape(len(i), len(j))
    turned_a, turned_b = (_turned(x, offset, theta, pairing) for x, offset in ((a, -different), (b, different)))
    return content._replace(
        content_position=gather(dot(q, turned_b), row),
        position_content=gather(dot(k, turned_a), row.T).mT,
        position_position=position,
    )


def _turned(x: Array, offset: np.ndarray, theta: np.ndarray, pairing: str) -> Array:
    """One vector per head (h, d), turned by every offset (m,): (h, m, d)."""
    repeated = array_namespace(x).broadcast_to(x[:, None, :], (x.shape[0], len(offset), x.shape[-1]))
    return rope.rotate(repeated, offset, theta, pairing)


def scores(
    q: Array,
    k: Array,
    i: np.ndarray,
    j: np.ndarray,
    a: Array,
    b: Array,
    crossed: bool = True,
    pairing: str = "interleaved",
    base: float = 10000.0,
) -> Array:
    """Logits (h, n_q, n_k) as a model computes them: add the biases, turn by position, one product. Without `crossed`: two products."""
    a, b = a[:, None, :], b[:, None, :]
    if crossed:
        return rope.scores(q + a, k + b, i, j, pairing, base=base)
    return rope.scores(q, k, i, j, pairing, base=base) + rope.scores(a + 0 * q, b + 0 * k, i, j, pairing, base=base)
