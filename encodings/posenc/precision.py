"""What low precision does to the angles of rotations and sinusoids.

An angle is position × frequency: an error of the position or of the frequency grows with the position, until the angle means nothing.
Everywhere else in this package geometry is float64; here copies are rounded on purpose, and the arguments say which: the positions, the
frequencies, or the result of every further step. bfloat16 keeps 8 significant bits, so of the positions 0 … 4095 only 769 are distinct.
"""

import numpy as np

from posenc.check import one_of

SIGNIFICANT_BITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}


def rounded(values: np.ndarray, precision: str) -> np.ndarray:
    """The nearest number that the precision holds, ties to even, as float64 (exponents keep float64's range)."""
    one_of("precision", precision, SIGNIFICANT_BITS)
    fraction, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    bits = SIGNIFICANT_BITS[precision]
    return np.ldexp(np.rint(np.ldexp(fraction, bits)), exponent - bits)


def cosines(
    positions: np.ndarray,
    rotary_dim: int,
    base: float = 10000.0,
    positions_as: str = "float64",
    frequencies_as: str = "float64",
    arithmetic: str = "float64",
) -> np.ndarray:
    """cos(i·θ_c) for positions (n,), (n, r/2), with positions, frequencies and the result of every step rounded to the named precisions.

    Hugging Face's float32 tables are (float32, float32, float32); a model that keeps its position ids in bfloat16 is
    (bfloat16, float32, float32).
    """
    exponents = rounded(2 * np.arange(rotary_dim // 2) / rotary_dim, arithmetic)
    theta = rounded(1 / rounded(base**exponents, arithmetic), arithmetic)
    angles = rounded(rounded(positions, positions_as)[:, None] * rounded(theta, frequencies_as), arithmetic)
    return rounded(np.cos(angles), arithmetic)


def error(table: np.ndarray, positions: np.ndarray, rotary_dim: int, base: float = 10000.0) -> np.ndarray:
    """max over the pairs of |a table of cosines (n, r/2) − the float64 one|, (n,), a number per position."""
    return np.max(np.abs(np.asarray(table, dtype=np.float64) - cosines(positions, rotary_dim, base)), axis=-1)
