"""Word vectors multiplied by position vectors."""

import math

import numpy as np
import pytest
import torch

from posenc import multiplicative
from posenc.multiplicative import FUSIONS
from posenc.terms import residual
from tests.posenc import golden

RNG = np.random.default_rng(0)
X_Q, X_K = RNG.standard_normal((2, 6)), RNG.standard_normal((3, 6))
W_Q, W_K = RNG.standard_normal((2, 2, 6, 6))
HERE, THERE = np.array([2, 9]), np.array([0, 4, 9])
P_Q, P_K = multiplicative.vectors(HERE, 6), multiplicative.vectors(THERE, 6)


def test_one_plus_p_splits_into_four_products_whose_position_carries_content() -> None:
    terms = multiplicative.terms(X_Q, X_K, W_Q, W_K, HERE, THERE)
    for h, row, column in np.ndindex(2, 2, 3):
        word_q, word_k, place_q, place_k = X_Q[row], X_K[column], X_Q[row] * P_Q[row], X_K[column] * P_K[column]
        parts = {
            "content_content": (word_q, word_k),
            "content_position": (word_q, place_k),
            "position_content": (place_q, word_k),
            "position_position": (place_q, place_k),
        }
        for name, (left, right) in parts.items():
            assert getattr(terms, name)[h, row, column] == pytest.approx(left @ W_Q[h] @ W_K[h].T @ right / math.sqrt(6), abs=1e-12), name
    assert terms.interaction is None


def test_the_plain_product_leaves_an_interaction_of_every_pair_of_dimensions() -> None:
    terms = multiplicative.terms(X_Q, X_K, W_Q, W_K, HERE, THERE, "plain")
    for h, row, column in np.ndindex(2, 2, 3):
        m = W_Q[h] @ W_K[h].T / math.sqrt(6)
        without = with_position = 0.0
        for a, b in np.ndindex(6, 6):
            pair = X_Q[row, a] * m[a, b] * X_K[column, b]
            without += pair
            with_position += pair * (P_Q[row, a] * P_K[column, b] - 1)
        assert terms.content_content[h, row, column] == pytest.approx(without, abs=1e-12)
        assert terms.interaction[h, row, column] == pytest.approx(with_position, abs=1e-12)
    assert {name for name, _ in terms.present()} == {"content_content", "interaction"}


@pytest.mark.parametrize("fusion", FUSIONS)
def test_the_parts_add_up_to_the_logits(fusion: str) -> None:
    arguments = (X_Q, X_K, W_Q, W_K, HERE, THERE, fusion)
    assert residual(multiplicative.terms(*arguments), multiplicative.scores(*arguments)) < 1e-12


@pytest.mark.parametrize("fusion", FUSIONS)
def test_a_word_of_silence_has_no_position(fusion: str) -> None:
    silent = np.zeros_like(X_Q)
    np.testing.assert_array_equal(multiplicative.scores(silent, X_K, W_Q, W_K, HERE, THERE, fusion), np.zeros((2, 2, 3)))


def test_no_position_is_a_one_for_the_plain_product_and_a_zero_for_the_other() -> None:
    ones, zeros = (np.ones_like(X_Q), np.ones_like(X_K)), (np.zeros_like(X_Q), np.zeros_like(X_K))
    np.testing.assert_array_equal(multiplicative.split(X_Q, X_K, *ones, W_Q, W_K, "plain").interaction, np.zeros((2, 2, 3)))
    np.testing.assert_array_equal(multiplicative.split(X_Q, X_K, *zeros, W_Q, W_K).positional(), np.zeros((2, 2, 3)))


def test_at_position_0_the_plain_product_loses_half_of_the_word() -> None:
    p = multiplicative.vectors(np.zeros(1), 6)
    np.testing.assert_array_equal(multiplicative.product(X_Q[:1], p, "plain")[0, 0::2], np.zeros(3))
    np.testing.assert_array_equal(multiplicative.product(X_Q[:1], p)[0, 0::2], X_Q[0, 0::2])
    np.testing.assert_array_equal(multiplicative.product(X_Q[:1], p)[0, 1::2], 2 * X_Q[0, 1::2])


@pytest.mark.parametrize("case", ["sinusoidal", "sinusoidal_offset", "length1"])
def test_position_vectors_are_those_of_the_reference(case: str) -> None:
    arrays, params = golden.load("multiplicative", case)
    positions = params.get("start", 0) + np.arange(params["L"])
    np.testing.assert_allclose(multiplicative.vectors(positions, params["d"]), arrays["in_p"], rtol=0, atol=1e-12)


def test_an_unknown_form_is_refused_by_name() -> None:
    message = "fusion is 'mul'; it must be one of 'one_plus', 'plain'"
    for function in (multiplicative.terms, multiplicative.scores):
        with pytest.raises(ValueError, match=message):
            function(X_Q, X_K, W_Q, W_K, HERE, THERE, "mul")


@pytest.mark.parametrize("fusion", FUSIONS)
def test_torch_gives_the_same_numbers_and_gradients(fusion: str) -> None:
    arrays = (X_Q, X_K, P_Q, P_K, W_Q, W_K)
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]

    def total(*inputs: torch.Tensor) -> torch.Tensor:
        return multiplicative.split(*inputs, fusion).total()

    np.testing.assert_allclose(total(*tensors).detach(), multiplicative.split(*arrays, fusion).total(), rtol=0, atol=1e-12)
    assert torch.autograd.gradcheck(total, tensors)
    single = [tensor.float() for tensor in tensors]
    assert multiplicative.terms(single[0], single[1], *single[4:], HERE, THERE, fusion).total().dtype == torch.float32
