"""The rotary schemes give the same numbers from NumPy and torch, keep the number type, and let gradients through."""

from types import ModuleType

import numpy as np
import pytest
import torch

from posenc import key_norm, rerope, rope, rope_bias, rope_scaling, xpos

CASES = [
    (rope, {}),
    (rope, {"pairing": "half", "rotary_dim": 4}),
    (rope_scaling, {"length": 6, "trained_length": 4}),
    (rope_scaling, {"length": 6, "method": "dynamic_ntk", "trained_length": 4, "rotary_dim": 4}),
    (xpos, {"scale_base": 8}),
    (rerope, {"window": 2, "trained_length": 4}),
    (rerope, {"window": 2, "trained_length": 4, "leaky": True}),
    (rope_bias, {}),
    (rope_bias, {"crossed": False, "pairing": "half"}),
    (key_norm, {}),
]
QUERIES, KEYS = np.array([2, 3, 5]), np.arange(6)


def inputs(scheme: ModuleType) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    shapes = {"q": (2, 3, 8), "k": (2, 6, 8)} | ({"a": (2, 8), "b": (2, 8)} if scheme is rope_bias else {})
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


@pytest.mark.parametrize(("scheme", "knobs"), CASES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_numpy_and_torch_agree(scheme: ModuleType, knobs: dict, dtype: torch.dtype) -> None:
    arrays = inputs(scheme)
    tensors = {name: torch.tensor(array, dtype=dtype) for name, array in arrays.items()}
    expected = scheme.terms(**arrays, i=QUERIES, j=KEYS, **knobs)
    terms, scores = scheme.terms(**tensors, i=QUERIES, j=KEYS, **knobs), scheme.scores(**tensors, i=QUERIES, j=KEYS, **knobs)
    assert scores.dtype == dtype
    tolerance = 1e-13 if dtype == torch.float64 else 1e-5
    np.testing.assert_allclose(scores.numpy(), expected.total(), rtol=0, atol=tolerance)
    for (name, ours), (_, theirs) in zip(terms.present(), expected.present(), strict=True):
        assert ours.dtype == dtype
        np.testing.assert_allclose(ours.numpy(), theirs, rtol=0, atol=tolerance, err_msg=name)


@pytest.mark.parametrize(("scheme", "knobs"), CASES)
def test_float32_stays_float32_in_numpy(scheme: ModuleType, knobs: dict) -> None:
    arrays = {name: array.astype(np.float32) for name, array in inputs(scheme).items()}
    assert scheme.scores(**arrays, i=QUERIES, j=KEYS, **knobs).dtype == np.float32
    assert all(part.dtype == np.float32 for _, part in scheme.terms(**arrays, i=QUERIES, j=KEYS, **knobs).present())


@pytest.mark.parametrize(("scheme", "knobs"), CASES)
def test_gradients_are_right(scheme: ModuleType, knobs: dict) -> None:
    tensors = {name: torch.tensor(array, requires_grad=True) for name, array in inputs(scheme).items()}

    def logits(*values: torch.Tensor) -> torch.Tensor:
        return scheme.terms(**dict(zip(tensors, values, strict=True)), i=QUERIES, j=KEYS, **knobs).total()

    assert torch.autograd.gradcheck(logits, tuple(tensors.values()))
