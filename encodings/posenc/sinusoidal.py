"""Sinusoidal position vectors, added to the word vectors before the first layer.

Position t gets, for each pair c of dimensions, sin(t·w_c) and cos(t·w_c). Two things differ between papers and code:

- *layout*: the paper interleaves, column 2c = sin and 2c + 1 = cos; many implementations concatenate all sines, then all cosines.
  That is a permutation of the columns: every dot product p_i·p_j stays the same.
- *frequencies*: the paper has w_c = base^(−2c/d); tensor2tensor, fairseq and TENER's code have base^(−c/(d/2 − 1)), whose last wavelength
  is exactly 2π·base. That is another encoding.

Vaswani et al. also multiply word vectors by √d (§3.4); here the content scale does that.
"""

import numpy as np

from posenc.absolute import added, added_mix, added_scores
from posenc.arrays import Array
from posenc.check import at_least, one_of
from posenc.padding import after_padding_row
from posenc.references import Reference
from posenc.tables import Table
from posenc.terms import Terms

REFERENCES = (
    Reference(
        "Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin",
        2017,
        "Attention Is All You Need",
        "1706.03762",
        "§3.5",
    ),
)
LAYOUTS = ("interleaved", "concatenated")
FREQUENCIES = ("paper", "tensor2tensor")


def tables() -> dict[str, Table]:
    """Nothing is learned."""
    return {}


def angular_frequencies(width: int, frequencies: str = "paper", base: float = 10000.0) -> np.ndarray:
    """Angular frequencies w_c in radians per position, (⌈d/2⌉,) for "paper" and (⌊d/2⌋,) for "tensor2tensor".

    ValueError for width < 1, base ≤ 1, an unknown name.
    """
    at_least("width", width, 1)
    one_of("frequencies", frequencies, FREQUENCIES)
    if not base > 1:
        raise ValueError(f"base is {base}; it must be greater than 1")
    if frequencies == "paper":
        return base ** (-2 * np.arange((width + 1) // 2) / width)
    pairs = width // 2
    return base ** (-np.arange(pairs) / max(pairs - 1, 1))


def vectors(
    positions: np.ndarray, width: int, layout: str = "interleaved", frequencies: str = "paper", base: float = 10000.0
) -> np.ndarray:
    """Position vectors p (n, d) for positions (n,). §3.5.

    An odd width has one sine more than cosines with the paper's frequencies; tensor2tensor appends a column of zeros.
    ValueError for width < 1, base ≤ 1, an unknown layout or frequencies.
    """
    one_of("layout", layout, LAYOUTS)
    angles = np.asarray(positions)[:, None] * angular_frequencies(width, frequencies, base)
    sines, cosines = np.sin(angles), np.cos(angles)
    if frequencies == "paper":
        cosines = cosines[:, : width // 2]
        blank = 0
    else:
        blank = width % 2
    if layout == "concatenated":
        p = np.concatenate([sines, cosines], axis=1)
    else:
        p = np.empty((len(angles), width - blank))
        p[:, 0::2], p[:, 1::2] = sines, cosines
    return np.pad(p, ((0, 0), (0, blank)))


def padded_vectors(present: np.ndarray, width: int, padding_idx: int = 1, base: float = 10000.0) -> np.ndarray:
    """Position vectors (n, d) of fairseq, where present (n,) says which tokens are real: the first one of those stands at padding_idx + 1.

    Padding gets zeros. ValueError for d < 4: fairseq divides by ⌊d/2⌋ − 1, where tensor2tensor divides by at least 1.
    """
    at_least("width", width, 4)
    rows = vectors(after_padding_row(present, padding_idx), width, "concatenated", "tensor2tensor", base)
    return rows * np.asarray(present, dtype=bool)[:, None]


def terms(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    layout: str = "interleaved",
    frequencies: str = "paper",
    base: float = 10000.0,
) -> Terms:
    """(x_i + p_i) W_Q · (x_j + p_j) W_K / √d, multiplied out.

    x_q (n_q, d), x_k (n_k, d) content at positions i (n_q,) and j (n_k,); w_q, w_k (h, d, d).
    """
    p_q, p_k = (vectors(positions, x_q.shape[-1], layout, frequencies, base) for positions in (i, j))
    return added(x_q, x_k, p_q, p_k, w_q, w_k)


def scores(
    x_q: Array,
    x_k: Array,
    w_q: Array,
    w_k: Array,
    i: np.ndarray,
    j: np.ndarray,
    layout: str = "interleaved",
    frequencies: str = "paper",
    base: float = 10000.0,
) -> Array:
    """The logits (h, n_q, n_k) as the model computes them: add first, project, then take the product."""
    p_q, p_k = (vectors(positions, x_q.shape[-1], layout, frequencies, base) for positions in (i, j))
    return added_scores(x_q, x_k, p_q, p_k, w_q, w_k)


def mix(
    weights: Array,
    x_k: Array,
    w_v: Array,
    j: np.ndarray,
    layout: str = "interleaved",
    frequencies: str = "paper",
    base: float = 10000.0,
) -> Array:
    """Outputs (h, n_q, d): weights (h, n_q, n_k) times the values (x_j + p_j) W_V; x_k (n_k, d), w_v (h, d, d), j (n_k,)."""
    return added_mix(weights, x_k, vectors(j, x_k.shape[-1], layout, frequencies, base), w_v)
