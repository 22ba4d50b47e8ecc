"""What training made of a table with a row per position: how alike rows are, how many directions they use, which waves run through them."""

import numpy as np

from posenc.references import Reference

REFERENCES = (
    Reference(
        "Yu-An Wang, Yun-Nung Chen",
        2020,
        "What Do Position Embeddings Learn? An Empirical Study of Pre-Trained Language Model Positional Encoding",
        "2010.04903",
        "the same questions, asked of BERT, RoBERTa and GPT-2",
    ),
    Reference(
        "Kaitao Song, Xu Tan, Tao Qin, Jianfeng Lu, Tie-Yan Liu",
        2020,
        "MPNet: Masked and Permuted Pre-training for Language Understanding",
        "2004.09297",
        "the model; the one measured is sentence-transformers/all-mpnet-base-v2",
    ),
)


def similarity(rows: np.ndarray) -> np.ndarray:
    """Cosines between rows (m, d), without their mean row: (m, m). A row that has no direction has cosine 0 with all."""
    unit = _unit(rows)
    return unit @ unit.T


def apart(rows: np.ndarray, distance: int) -> np.ndarray:
    """The same between rows that are so far apart: (m, d) → (m − distance,), nothing if there are not so many rows."""
    unit = _unit(rows)
    return (unit[: max(0, len(rows) - distance)] * unit[distance:]).sum(axis=1)


def strengths(rows: np.ndarray) -> np.ndarray:
    """Share of each direction in the rows' total variance, largest first: squared singular values of (m, d) without its mean row.

    Zeros if all rows are the same.
    """
    centred = rows - rows.mean(axis=0)
    # The smaller of the two Gram matrices has the same eigenvalues, at a fraction of the cost of a singular value decomposition.
    gram = centred @ centred.T if len(rows) <= rows.shape[1] else centred.T @ centred
    return _shares(np.linalg.eigvalsh(gram)[::-1].clip(min=0))


def needed(shares: np.ndarray, part: float) -> int:
    """How many of the shares, from the first, add up to `part` of the whole; 0 if there is nothing to share."""
    return int(np.searchsorted(np.cumsum(shares), part * (1 - 1e-12)) + 1) if shares.sum() > 0 else 0


def waves(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Periods in positions, longest first, and each one's share of the rows' variance along positions.

    Squared Fourier amplitudes of every column of (m, d) without its mean, added up over columns: periods m, m/2, m/3, … down to 2.
    A wave that is no whole part of m is spread over the neighbouring periods.
    """
    m = len(rows)
    power = (np.abs(np.fft.rfft(rows - rows.mean(axis=0), axis=0)) ** 2).sum(axis=1)
    power[1 : (m + 1) // 2] *= 2  # every frequency but the last of an even count stands for its mirror image too
    return m / np.arange(1, len(power)), _shares(power[1:])


def odd(rows: np.ndarray, most: float = 10.0) -> np.ndarray:
    """Rows of unusual length: whose norm is further from the median norm than `most` times the median distance from it."""
    norms = np.linalg.norm(rows, axis=1)
    away = np.abs(norms - np.median(norms))
    return np.flatnonzero(away > most * np.median(away) + 1e-9 * norms.max(initial=0.0))


def rises(by_distance: np.ndarray) -> np.ndarray:
    """How often each curve (h, m) rises from one distance to the next: 0 for one that only falls or stays."""
    return (np.diff(by_distance, axis=-1) > 0).sum(axis=-1)


def _unit(rows: np.ndarray) -> np.ndarray:
    """Rows of length 1 without their mean row."""
    centred = rows - rows.mean(axis=0)
    norms = np.linalg.norm(centred, axis=1, keepdims=True)
    rounding = 1e-13 * np.linalg.norm(rows, axis=1, keepdims=True)
    return np.where(norms > rounding, centred, 0.0) / np.where(norms > rounding, norms, 1.0)


def _shares(power: np.ndarray) -> np.ndarray:
    total = power.sum()
    return power / total if total > 0 else np.zeros_like(power)
