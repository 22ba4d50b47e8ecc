"""The one place where constants of the geometry meet arrays that may carry gradients."""

from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

Array = Any
"""A NumPy array or a torch tensor; which of the two decides what comes back."""


def like(constant: Array, array: Array) -> Array:
    """`constant` in the library and on the device of `array`; real numbers also take its dtype.

    Integers and booleans keep theirs: they index and mask. What is no NumPy array already passes unchanged, gradients and all.
    """
    if not isinstance(constant, np.ndarray | np.generic):
        return constant
    xp = array_namespace(array)
    dtype = array.dtype if constant.dtype.kind == "f" else None
    # torch takes neither negative strides nor read-only memory
    return xp.asarray(np.require(constant, requirements=("C", "W")), dtype=dtype, device=device(array))


def gather(values: Array, index: np.ndarray) -> Array:
    """values[..., r, index[r, c]] for every row r and column c: (h, n_q, m) → (h, n_q, n_k).

    The same `index` (n_q, n_k) serves every head, as offsets do.
    """
    rows = np.arange(index.shape[0])[:, None]
    return values[..., like(rows, values), like(index, values)]
