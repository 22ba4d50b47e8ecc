"""Sandwich against its equation, and what its page claims."""

from math import cos, sqrt

import numpy as np
import pytest

from posenc import alibi, sandwich, sinusoidal
from tests.posenc import seam

QUERIES, KEYS = np.array([9, 2, 7]), np.array([0, 11, 7, 3])


def content() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(9)
    return rng.standard_normal((2, 3, 4)), rng.standard_normal((2, 4, 4))


def test_equation_pair_by_pair() -> None:
    q, k = content()
    terms, scores = (function(q, k, QUERIES, KEYS, 3, [0, 2], 6) for function in (sandwich.terms, sandwich.scores))
    for head, n in enumerate((1, 3)):
        for row, i in enumerate(QUERIES):
            for column, j in enumerate(KEYS):
                word = sum(q[head, row, c] * k[head, column, c] for c in range(4)) / sqrt(4)
                waves = sum(cos((i - j) / 10000 ** (2 * c / 6)) for c in (1, 2, 3))
                bias = (waves - 3) / (8 * n / 3)
                assert terms.content_content[head, row, column] == pytest.approx(word, abs=1e-12)
                assert terms.position_position[head, row, column] == pytest.approx(bias, abs=1e-12)
                assert scores[head, row, column] == pytest.approx(word + bias, abs=1e-12)


def test_frequencies_start_one_step_later_than_vaswanis() -> None:
    np.testing.assert_allclose(sandwich.angular_frequencies(8), [0.1, 0.01, 0.001, 0.0001], rtol=1e-14)
    np.testing.assert_allclose(sandwich.angular_frequencies(8)[:3], sinusoidal.angular_frequencies(8)[1:], rtol=1e-14)


def test_similarity_is_the_product_of_the_vectors() -> None:
    here = np.arange(40)
    p = sandwich.vectors(here)
    np.testing.assert_allclose(sandwich.similarity(here - here[:, None]), p @ p.T, rtol=0, atol=1e-11)


def test_bias_is_0_at_distance_0_and_negative_elsewhere() -> None:
    bias = sandwich.bias(0, -np.arange(1_048_576), 4)
    np.testing.assert_allclose(bias[:, 0], 0, rtol=0, atol=1e-12)
    assert np.all(bias[:, 1:] < 0)


def test_bias_sinks_in_waves() -> None:
    steps = np.diff(sandwich.similarity(np.arange(1000)))
    assert np.all(steps[:13] < -1e-3)
    assert steps[13] > 1e-3


def test_bias_is_blind_to_direction() -> None:
    distance = np.arange(50)
    np.testing.assert_array_equal(sandwich.bias(0, distance, 4), sandwich.bias(0, -distance, 4))


def test_compression_has_alibis_exponents() -> None:
    np.testing.assert_array_equal(sandwich.compression(4), [2, 4, 6, 8])
    np.testing.assert_array_equal(2.0 ** -sandwich.compression(8), alibi.slopes(8))
    steps = sandwich.bias(0, 5, 4)
    np.testing.assert_allclose(steps * [1, 2, 3, 4], np.full(4, steps[0]), rtol=1e-14)


def test_last_head_divides_by_8_whatever_their_number() -> None:
    for heads in (1, 12, 24, 64):
        assert sandwich.compression(heads)[-1] == 8
    assert sandwich.compression(24)[0] == sandwich.compression(12)[0] / 2


def test_many_waves_hardly_rise() -> None:
    few, many = (np.diff(sandwich.similarity(np.arange(64), width)).max() / (width / 2) for width in (128, 512))
    assert few > 0.02
    assert many < 0.001


def test_decline_runs_out_beyond_ten_thousand() -> None:
    near, far, farther, farthest = (sandwich.similarity(np.arange(d // 2, 2 * d)).mean() for d in (100, 1_000, 10_000, 100_000))
    assert near > far + 10 > farther + 20
    assert abs(farthest - farther) < 5


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="sinusoid_width is 7; it must be even and at least 2"):
        sandwich.bias(0, 1, 4, sinusoid_width=7)
    with pytest.raises(ValueError, match="heads is 0; it must be at least 1"):
        sandwich.compression(0)
    with pytest.raises(ValueError, match="head is 4; the table holds rows 0 to 3"):
        sandwich.bias(0, 1, 4, [4])
    with pytest.raises(ValueError, match="base is 1; it must be greater than 1"):
        sandwich.vectors(QUERIES, base=1)
    with pytest.raises(ValueError, match=r"offset is 0\.5; it must be a whole number"):
        sandwich.similarity(np.array([0.5]))


def test_torch() -> None:
    arguments = (QUERIES, KEYS, 3, [0, 2])
    seam.same_numbers(lambda q, k: sandwich.scores(q, k, *arguments), content())
    seam.same_numbers(lambda q, k: sandwich.terms(q, k, *arguments).total(), content())
    seam.right_gradients(lambda q, k: sandwich.terms(q, k, *arguments).total(), content())
