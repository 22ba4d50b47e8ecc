"""Transformer-XL's formula made lighter, for taggers that must know left from right: no projection of R, no √d.

Paper:  q_t·x_j + q_t·R_{t−j} + u·x_j + v·R_{t−j}, where x_j is the content itself: W_K is dropped along with W_kR.
Code:   q_t·k_j + (q_t + v)·R_{j−t} + u·k_j + k_j·R_{t−j}: W_K is kept, R turns the other way, and the key looks back at the query's
distance.

R_{−n} is R_n with its sines negated: q·R_{t−j} tells left from right, as the dot product of two sinusoids does not. Frequencies: the
paper's w_c = 10000^(−2c/d); the code has tensor2tensor's 10000^(−c/(d/2 − 1)) and a column of zeros when d is odd. The code keeps rows for
distances up to 600 and makes more when a sentence is longer; they are sinusoids, so none changes.

Logits are not divided by √d, so attention is sharper; `scaled` divides, as an option of the code does (the paper never). Nothing in the
start of W_Q makes up for it, as T5's does.

Split: in the code's form k_j·R_{t−j} joins u·k_j as position–content. The code calls u r_r_bias and v r_w_bias, the other way round than
Transformer-XL's; here they are bias_u and bias_v.
"""

import numpy as np

from posenc import sinusoidal
from posenc.arrays import Array, gather, like
from posenc.attention import offsets
from posenc.check import at_least, one_of, whole
from posenc.references import Reference
from posenc.relative import distinct, four_terms, paired_scores
from posenc.tables import Table, normal
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Hang Yan, Bocao Deng, Xiaonan Li, Xipeng Qiu",
        2019,
        "TENER: Adapting Transformer Encoder for Named Entity Recognition",
        "1911.04474",
        "eq. 16–19",
    ),
)
FORMS = ("paper", "code")


def tables(width: int, heads: int) -> dict[str, Table]:
    """bias_u and bias_v (h, d): u and v. They start at deviation √(2/(h + d)), Xavier's, as in the released code."""
    at_least("heads", heads, 1)
    row = Table((heads, width), normal((2 / (heads + width)) ** 0.5), head_axis=0)
    return {"bias_u": row, "bias_v": row}


def vectors(offset: np.ndarray, width: int, form: str = "paper") -> np.ndarray:
    """The R (n, d) that meets the query at offsets j − t (n,): the paper's R_{t−j}, or the code's R_{j−t} at its frequencies."""
    one_of("form", form, FORMS)
    offset = whole("offset", offset)
    if form == "paper":
        return sinusoidal.vectors(-offset, width, "concatenated", "paper")
    return sinusoidal.vectors(offset, width, "concatenated", "tensor2tensor")


def terms(
    q: Array,
    k: Array,
    x_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    bias_u: Array,
    bias_v: Array,
    form: str = "paper",
    scaled: bool = False,
) -> Terms:
    """The four terms; q (h, n_q, d), k (h, n_k, d), x_k (n_k, d), or (h, n_k, d) when heads share out x, i (n_q,), j (n_k,)."""
    one_of("form", form, FORMS)
    offset, index = distinct(i, j)
    scale = q.shape[-1] ** 0.5 if scaled else 1.0
    r = like(vectors(offset, q.shape[-1], form), q)
    if form == "paper":
        return four_terms(q, x_k, r, index, bias_u, bias_v, scale)
    parts = four_terms(q, k, r, index, bias_u, bias_v, scale)
    return parts._replace(position_content=parts.position_content + key_to_query(k, i, j) / scale)


def key_to_query(k: Array, i: np.ndarray, j: np.ndarray) -> Array:
    """k_j·R_{t−j}, the term that only the code has, not scaled: k (h, n_k, d), i (n_q,), j (n_k,) → (h, n_q, n_k)."""
    offset, index = distinct(i, j)
    r = like(vectors(-offset, k.shape[-1], "code"), k)
    return gather(k @ r.mT, index.T).mT


def scores(
    q: Array,
    k: Array,
    x_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    bias_u: Array,
    bias_v: Array,
    form: str = "paper",
    scaled: bool = False,
) -> Array:
    """Logits (h, n_q, n_k) pair by pair: u and v join the query first, every pair has its own R, in the code's form two."""
    one_of("form", form, FORMS)
    offset = offsets(i, j)
    scale = q.shape[-1] ** 0.5 if scaled else 1.0
    r = vectors(offset.ravel(), q.shape[-1], form).reshape(*offset.shape, -1)
    if form == "paper":
        return paired_scores(q, x_k, r, bias_u, bias_v, scale)
    back = vectors(-offset.T.ravel(), q.shape[-1], form).reshape(*offset.T.shape, -1)
    return paired_scores(q, k, r, bias_u, bias_v, scale) + (like(back, k) @ k[..., None])[..., 0].mT / scale
