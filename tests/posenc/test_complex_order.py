"""Words as complex waves over positions."""

import cmath
import math

import numpy as np
import pytest
import torch

from posenc import complex_order
from posenc.complex_order import SIMILARITIES, embedding, logits, products, projected
from posenc.tables import draw, size
from posenc.terms import residual

RNG = np.random.default_rng(0)
WIDTH = 4
X_Q, X_K = RNG.standard_normal((2, WIDTH)), RNG.standard_normal((3, WIDTH))
W_Q, W_K = RNG.standard_normal((2, 2, WIDTH, WIDTH))
HERE, THERE = np.array([2, 9]), np.array([0, 4, 9])
FREQUENCY, PHASE = RNG.standard_normal((2, 1, WIDTH))
PHASES = pytest.mark.parametrize("phase", [None, PHASE], ids=["released", "paper"])


def product(h: int, row: int, column: int, phase: np.ndarray | None, similarity: str, moving: bool) -> float:
    """One logit, summed over pairs of dimensions of the waves, which stand still at frequency 0."""
    theta = np.zeros(WIDTH) if phase is None else phase[0]
    total = 0j
    for a, b in np.ndindex(WIDTH, WIDTH):
        alpha, beta = (moving * FREQUENCY[0, c] * t + theta[c] for c, t in ((a, HERE[row]), (b, THERE[column])))
        turned = cmath.exp(1j * (alpha - beta)) if similarity == "conjugate" else cmath.exp(1j * (alpha + beta))
        total += X_Q[row, a] * (W_Q[h] @ W_K[h].T)[a, b] * X_K[column, b] * turned
    return (abs(total) if similarity == "modulus" else total.real) / math.sqrt(WIDTH)


@PHASES
@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_content_is_what_remains_when_waves_stand_still_and_the_rest_is_interaction(phase: np.ndarray | None, similarity: str) -> None:
    arguments = (X_Q, X_K, W_Q, W_K, HERE, THERE, FREQUENCY, phase, similarity)
    terms, scores = complex_order.terms(*arguments), complex_order.scores(*arguments)
    for h, row, column in np.ndindex(2, 2, 3):
        still, moving = (product(h, row, column, phase, similarity, moves) for moves in (False, True))
        assert scores[h, row, column] == pytest.approx(moving, abs=1e-12)
        assert terms.content_content[h, row, column] == pytest.approx(still, abs=1e-12)
        assert terms.interaction[h, row, column] == pytest.approx(moving - still, abs=1e-12)
    assert residual(terms, scores) < 1e-12
    assert {name for name, _ in terms.present()} == {"content_content", "interaction"}


def test_a_wave_has_amplitude_frequency_and_phase() -> None:
    z = embedding(np.array([2.0]), np.array(3), np.array([0.5]), np.array([0.3])).item()
    assert z == pytest.approx(-0.4544041894 + 1.9476952618j, abs=5e-11)
    assert embedding(np.array([2.0]), np.array(3), np.array([0.5])).item() == pytest.approx(2 * cmath.exp(1.5j), abs=1e-12)


def test_similarity_needs_the_conjugate_to_depend_on_the_distance() -> None:
    words = RNG.standard_normal((2, WIDTH))

    def similar(first: int, conjugate: bool) -> complex:
        z = [embedding(word[None], np.array([t]), FREQUENCY, PHASE) for word, t in zip(words, (first, first + 3), strict=True)]
        return products(*z, conjugate).item()

    assert similar(0, True) == pytest.approx(similar(40, True), abs=1e-12)
    assert abs(similar(0, False) - similar(40, False)) > 0.1


def test_without_the_conjugate_only_the_sum_of_positions_counts() -> None:
    word = RNG.standard_normal((1, WIDTH))
    pairs = [(0, 12), (5, 7), (9, 3)]
    values = [products(*(embedding(word, np.array([t]), FREQUENCY) for t in pair)).item() for pair in pairs]
    np.testing.assert_allclose(values, [values[0]] * 3, rtol=0, atol=1e-12)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_projections_that_mix_frequencies_lose_the_distance(similarity: str) -> None:
    near, far = (complex_order.scores(X_Q, X_K, W_Q, W_K, HERE + first, THERE + first, FREQUENCY, None, similarity) for first in (0, 7))
    assert np.abs(near - far).max() > 0.1


def test_the_modulus_is_never_negative_and_drops_the_sign_of_content() -> None:
    terms = complex_order.terms(X_Q, X_K, W_Q, W_K, 0 * HERE, 0 * THERE, FREQUENCY)
    plain = (X_Q @ W_Q) @ (X_K @ W_K).mT / 2
    assert plain.min() < -0.1
    np.testing.assert_allclose(terms.content_content, np.abs(plain), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(terms.interaction, np.zeros((2, 2, 3)))


def test_silence_has_logit_0() -> None:
    terms = complex_order.terms(0 * X_Q, X_K, W_Q, W_K, HERE, THERE, FREQUENCY)
    np.testing.assert_array_equal(terms.total(), np.zeros((2, 2, 3)))


def test_the_product_of_two_rows_of_vectors_is_a_sum_of_cosines() -> None:
    t = np.arange(5)
    p = complex_order.vectors(t, FREQUENCY, PHASE)
    assert p.shape == (5, 2 * WIDTH)
    expected = np.cos(np.subtract.outer(t, t)[..., None] * FREQUENCY[0]).sum(axis=-1)
    np.testing.assert_allclose(p @ p.T, expected, rtol=0, atol=1e-12)


def test_frequencies_start_as_in_the_released_code() -> None:
    np.testing.assert_allclose(complex_order.frequencies(6), [1, 1, 0.04641589, 0.04641589, 0.00215443, 0.00215443], rtol=0, atol=5e-9)
    np.testing.assert_allclose(complex_order.vocabulary_frequencies(4, 4)[3], [3, 3e-2, 3e-4, 3e-6], rtol=0, atol=1e-15)
    assert complex_order.frequencies(5).shape == (5,)


def test_phases_are_learned_only_where_they_are_asked_for() -> None:
    assert size(complex_order.tables(64)) == 64
    assert size(complex_order.tables(64, initial_phase=True)) == 128
    drawn = draw(complex_order.tables(6), 3, [0])
    np.testing.assert_array_equal(drawn["frequency"], complex_order.frequencies(6)[None])


def test_wrong_arguments_are_refused_with_their_value() -> None:
    message = "similarity is 'cosine'; it must be one of 'modulus', 'conjugate'"
    for function in (complex_order.terms, complex_order.scores):
        with pytest.raises(ValueError, match=message):
            function(X_Q, X_K, W_Q, W_K, HERE, THERE, FREQUENCY, None, "cosine")
    with pytest.raises(ValueError, match=message):
        logits(projected(X_Q + 0j, W_Q), projected(X_K + 0j, W_K), "cosine")
    with pytest.raises(ValueError, match="width is 0; it must be at least 1"):
        complex_order.tables(0)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_torch_gives_the_same_numbers_and_gradients(similarity: str) -> None:
    arrays = (X_Q, X_K, W_Q, W_K, FREQUENCY, PHASE)
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]

    def total(*inputs: torch.Tensor) -> torch.Tensor:
        return complex_order.terms(*inputs[:4], HERE, THERE, *inputs[4:], similarity).total()

    def scores(*inputs: torch.Tensor) -> torch.Tensor:
        return complex_order.scores(*inputs[:4], HERE, THERE, *inputs[4:], similarity)

    expected = complex_order.terms(*arrays[:4], HERE, THERE, *arrays[4:], similarity).total()
    for function in (total, scores):
        np.testing.assert_allclose(function(*tensors).detach(), expected, rtol=0, atol=1e-12)
        assert torch.autograd.gradcheck(function, tensors)
        assert function(*(tensor.float() for tensor in tensors)).dtype == torch.float32
