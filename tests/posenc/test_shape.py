"""Shifted absolute positions."""

import math

import numpy as np
import pytest
import torch

from posenc import shape, sinusoidal
from posenc.terms import residual

RNG = np.random.default_rng(0)
X = RNG.standard_normal((5, 6))
W_Q, W_K = RNG.standard_normal((2, 2, 6, 6))
HERE = np.arange(5)


@pytest.mark.parametrize("shift", [0, 7, 500])
def test_terms_multiply_out_the_sum_of_word_and_shifted_sinusoid(shift: int) -> None:
    terms = shape.terms(X, X, W_Q, W_K, HERE, HERE, shift)

    def p(t: int) -> np.ndarray:
        angles = [(t + shift) / 10000 ** (2 * (c // 2) / 6) for c in range(6)]
        return np.array([math.cos(angle) if c % 2 else math.sin(angle) for c, angle in enumerate(angles)])

    for h, i, j in np.ndindex(2, 5, 5):
        parts = {
            "content_content": (X[i], X[j]),
            "content_position": (X[i], p(j)),
            "position_content": (p(i), X[j]),
            "position_position": (p(i), p(j)),
        }
        for name, (left, right) in parts.items():
            assert getattr(terms, name)[h, i, j] == pytest.approx(left @ W_Q[h] @ W_K[h].T @ right / math.sqrt(6), abs=1e-12), name
    assert residual(terms, shape.scores(X, X, W_Q, W_K, HERE, HERE, shift)) < 1e-12


def test_without_a_shift_it_is_the_sinusoid() -> None:
    np.testing.assert_array_equal(shape.vectors(HERE, 8, 0), sinusoidal.vectors(HERE, 8))


@pytest.mark.parametrize("shift", [1, 7, 500])
def test_a_shift_moves_every_vector_and_no_product_of_two(shift: int) -> None:
    still, moved = shape.vectors(np.arange(64), 16, 0), shape.vectors(np.arange(64), 16, shift)
    assert np.abs(moved - still).max(axis=1).min() > 0.1
    np.testing.assert_allclose(moved @ moved.T, still @ still.T, rtol=0, atol=1e-12)


def test_the_encoding_alone_is_not_translation_invariant() -> None:
    there = HERE + 7
    a, b = shape.scores(X, X, W_Q, W_K, HERE, HERE, 0), shape.scores(X, X, W_Q, W_K, there, there, 0)
    assert np.abs(a - b).max() > 0.1
    np.testing.assert_array_equal(b, shape.scores(X, X, W_Q, W_K, HERE, HERE, 7))


@pytest.mark.parametrize(
    ("length", "max_shift", "max_length", "drawn"),
    [(5, 10, 64, range(10)), (14, 100, 16, range(2)), (5, 0, 64, range(1)), (5, 1, 64, range(1)), (16, 100, 16, range(1))],
)
def test_training_never_shows_the_shift_that_the_released_code_evaluates_with(
    length: int, max_shift: int, max_length: int, drawn: range
) -> None:
    shifts = shape.shifts(np.random.default_rng(0), 2000, length, max_shift, max_length)
    assert set(shifts.tolist()) == set(drawn)


def test_wrong_arguments_are_refused_with_their_value() -> None:
    with pytest.raises(ValueError, match="shift is -1; it must be at least 0"):
        shape.vectors(HERE, 8, -1)
    with pytest.raises(ValueError, match=r"shift is 0\.5; it must be a whole number"):
        shape.vectors(HERE, 8, 0.5)
    with pytest.raises(ValueError, match="max_shift is -1; it must be at least 0"):
        shape.shifts(RNG, 3, 5, max_shift=-1)
    with pytest.raises(ValueError, match="length is 65; it must be from 1 to 64"):
        shape.shifts(RNG, 3, 65, max_length=64)


def test_torch_gives_the_same_numbers_and_gradients() -> None:
    tensors = [torch.tensor(array, requires_grad=True) for array in (X, W_Q, W_K)]

    def total(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor) -> torch.Tensor:
        return shape.terms(x, x, w_q, w_k, HERE, HERE).total()

    expected = shape.terms(X, X, W_Q, W_K, HERE, HERE).total()
    np.testing.assert_allclose(total(*tensors).detach(), expected, rtol=0, atol=1e-12)
    assert torch.autograd.gradcheck(total, tensors)
    assert total(*(tensor.float() for tensor in tensors)).dtype == torch.float32
