"""Sinusoidal position vectors."""

import math

import numpy as np
import pytest

from posenc import sinusoidal
from posenc.sinusoidal import FREQUENCIES, LAYOUTS, angular_frequencies, padded_vectors, vectors
from posenc.terms import residual

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("width", [1, 2, 5, 8])
def test_vectors_are_the_sines_and_cosines_of_the_paper(width: int) -> None:
    p = vectors(np.array([0, 1, 7, 1000]), width)
    for row, t in enumerate([0, 1, 7, 1000]):
        for column in range(width):
            angle = t / 10000 ** (2 * (column // 2) / width)
            assert p[row, column] == pytest.approx(math.cos(angle) if column % 2 else math.sin(angle), abs=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("frequencies", FREQUENCIES)
def test_terms_multiply_out_the_sum_of_word_and_position(layout: str, frequencies: str) -> None:
    x_q, x_k, i, j = RNG.standard_normal((2, 6)), RNG.standard_normal((3, 6)), np.array([2, 9]), np.array([0, 4, 9])
    w_q, w_k = RNG.standard_normal((2, 2, 6, 6))
    arguments = (x_q, x_k, w_q, w_k, i, j, layout, frequencies)
    terms = sinusoidal.terms(*arguments)
    p_q, p_k = (vectors(positions, 6, layout, frequencies) for positions in (i, j))
    for h, row, column in np.ndindex(2, 2, 3):
        parts = {
            "content_content": (x_q[row], x_k[column]),
            "content_position": (x_q[row], p_k[column]),
            "position_content": (p_q[row], x_k[column]),
            "position_position": (p_q[row], p_k[column]),
        }
        for name, (left, right) in parts.items():
            assert getattr(terms, name)[h, row, column] == pytest.approx(left @ w_q[h] @ w_k[h].T @ right / math.sqrt(6), abs=1e-12)
    assert residual(terms, sinusoidal.scores(*arguments)) < 1e-12


def test_the_exponent_counts_pairs_not_columns() -> None:
    np.testing.assert_allclose(vectors([1], 4)[0], [0.84147098, 0.54030231, 0.00999983, 0.99995000], rtol=0, atol=5e-9)


def test_two_families_of_frequencies_are_in_use() -> None:
    np.testing.assert_allclose(angular_frequencies(8), [1, 0.1, 0.01, 0.001], rtol=0, atol=1e-15)
    np.testing.assert_allclose(angular_frequencies(8, "tensor2tensor"), [1, 0.04641589, 0.00215443, 0.0001], rtol=0, atol=5e-9)


def test_a_layout_is_a_permutation_of_columns_and_frequencies_are_not() -> None:
    t = np.arange(20)
    interleaved, concatenated = vectors(t, 8), vectors(t, 8, "concatenated")
    np.testing.assert_array_equal(interleaved[:, [0, 2, 4, 6, 1, 3, 5, 7]], concatenated)
    np.testing.assert_allclose(interleaved @ interleaved.T, concatenated @ concatenated.T, rtol=0, atol=1e-13)
    other = vectors(t, 8, "concatenated", "tensor2tensor")
    assert np.abs(other @ other.T - concatenated @ concatenated.T).max() > 0.5


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("frequencies", FREQUENCIES)
def test_every_position_has_the_same_norm(layout: str, frequencies: str) -> None:
    p = vectors([0, 1, 17, 131072], 64, layout, frequencies)
    np.testing.assert_allclose(np.sum(p * p, axis=1), 32, rtol=0, atol=1e-12)


def test_the_product_of_two_positions_knows_their_distance_but_not_its_direction() -> None:
    p = vectors(np.arange(14), 8)
    assert p[10] @ p[13] == pytest.approx(1.9648895263, abs=5e-11)
    assert p[10] @ p[7] == pytest.approx(1.9648895263, abs=5e-11)
    by_distance = np.cos(np.subtract.outer(np.arange(14), np.arange(14))[..., None] * angular_frequencies(8)).sum(-1)
    np.testing.assert_allclose(p @ p.T, by_distance, rtol=0, atol=1e-13)


def test_the_logit_does_know_the_direction_once_projections_differ() -> None:
    w_q, w_k = RNG.standard_normal((2, 1, 8, 8))
    silent = np.zeros((1, 8))
    ahead, behind = (sinusoidal.scores(silent, silent, w_q, w_k, np.array([10]), np.array([j])) for j in (13, 7))
    assert abs(ahead - behind).item() > 0.1


def test_the_last_wavelength_of_tensor2tensor_is_two_pi_times_the_base() -> None:
    assert angular_frequencies(64, "tensor2tensor")[-1] == pytest.approx(1 / 10000, abs=1e-18)
    assert angular_frequencies(64)[-1] == pytest.approx(10000 ** (-62 / 64), abs=1e-18)


def test_an_odd_width_has_a_sine_more_or_a_column_of_zeros() -> None:
    p = vectors(np.arange(6), 5)
    np.testing.assert_array_equal(vectors(np.arange(6), 5, "concatenated"), p[:, [0, 2, 4, 1, 3]])
    np.testing.assert_allclose(p[:, 4], np.sin(np.arange(6) * 10000**-0.8), rtol=0, atol=1e-15)
    for layout in LAYOUTS:
        padded = vectors(np.arange(6), 5, layout, "tensor2tensor")
        np.testing.assert_array_equal(padded[:, 4], np.zeros(6))
        np.testing.assert_array_equal(padded[:, :4], vectors(np.arange(6), 4, layout, "tensor2tensor"))


def test_fairseq_puts_the_first_word_on_the_row_after_the_padding_row() -> None:
    p = padded_vectors(np.array([1, 1, 0, 1]), 8)
    np.testing.assert_array_equal(p[[0, 1, 3]], vectors([2, 3, 4], 8, "concatenated", "tensor2tensor"))
    np.testing.assert_array_equal(p[2], np.zeros(8))


@pytest.mark.parametrize("width", [2, 3])
def test_two_and_three_dimensions_work_in_tensor2tensor_and_fail_in_fairseq(width: int) -> None:
    np.testing.assert_array_equal(angular_frequencies(width, "tensor2tensor"), [1.0])
    with pytest.raises(ValueError, match=f"width is {width}; it must be at least 4"):
        padded_vectors(np.ones(3), width)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"width": 0}, "width is 0; it must be at least 1"),
        ({"base": 1.0}, r"base is 1.0; it must be greater than 1"),
        ({"base": float("nan")}, "base is nan; it must be greater than 1"),
        ({"layout": "mixed"}, "layout is 'mixed'; it must be one of 'interleaved', 'concatenated'"),
        ({"frequencies": "fairseq"}, "frequencies is 'fairseq'; it must be one of 'paper', 'tensor2tensor'"),
    ],
)
def test_wrong_arguments_are_refused_with_their_value(wrong: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        vectors(**{"positions": np.arange(3), "width": 8} | wrong)
