"""Where tokens stand when a sequence holds padding: each model family counts in its own way.

`present` (n,) says which tokens are real. Positions are int64 (n,); padded tokens get one too, because every token needs a row.
"""

import numpy as np

from posenc.check import at_least


def counted(present: np.ndarray) -> np.ndarray:
    """BLOOM: real tokens count 0, 1, 2, …; padding stands at 0."""
    present = np.asarray(present, dtype=bool)
    return (np.cumsum(present) - 1) * present


def after_padding_row(present: np.ndarray, padding_idx: int = 1) -> np.ndarray:
    """fairseq, RoBERTa: padding stands at row padding_idx, real tokens at padding_idx + 1, padding_idx + 2, …

    So a table of 514 rows holds 512 tokens. ValueError for padding_idx < 0.
    """
    at_least("padding_idx", padding_idx, 0)
    present = np.asarray(present, dtype=bool)
    return np.cumsum(present) * present + padding_idx


def after_offset(present: np.ndarray, past: int = 0, offset: int = 2) -> np.ndarray:
    """OPT: real tokens stand at row offset, offset + 1, …, padding at offset − 1.

    The first `past` tokens are in the cache and drop out: (n − past,). ValueError for past < 0.
    """
    at_least("past", past, 0)
    present = np.asarray(present, dtype=bool)
    return (np.cumsum(present) * present - 1 + offset)[past:]


def after_cache(present: np.ndarray, past: int = 0) -> np.ndarray:
    """GPT-2: every token counts on from the `past` tokens in the cache, padding like any other. ValueError for past < 0."""
    at_least("past", past, 0)
    return past + np.arange(len(present))
