"""The seam between NumPy and torch, for any function of learned inputs."""

from collections.abc import Callable, Sequence

import numpy as np
import torch


def same_numbers(function: Callable, arrays: Sequence[np.ndarray]) -> None:
    """In torch `function` gives NumPy's numbers; float32 in gives float32 out, in both."""
    result = function(*(torch.tensor(array) for array in arrays))
    np.testing.assert_allclose(result.numpy(), function(*arrays), rtol=0, atol=1e-12)
    assert function(*(torch.tensor(array).float() for array in arrays)).dtype == torch.float32
    assert function(*(array.astype(np.float32) for array in arrays)).dtype == np.float32


def right_gradients(function: Callable, arrays: Sequence[np.ndarray]) -> None:
    """Torch's gradients of `function` are those that finite differences give."""
    assert torch.autograd.gradcheck(function, [torch.tensor(array, requires_grad=True) for array in arrays])
