"""What is measured on a trained table, and what that says of the two that are shipped."""

import math

import numpy as np
import pytest

from explain import weights
from posenc import spectrum, t5

RNG = np.random.default_rng(2)
TALL, WIDE = RNG.standard_normal((9, 4)), RNG.standard_normal((4, 9))
MINILM, MPNET = (weights.tensor(model, weights.POSITIONS) for model in ("all-MiniLM-L6-v2", "all-mpnet-base-v2"))


def test_similarity_is_the_cosine_of_two_rows() -> None:
    mean = [sum(TALL[:, c]) / 9 for c in range(4)]
    for a, b in np.ndindex(9, 9):
        one, other = TALL[a] - mean, TALL[b] - mean
        expected = sum(one * other) / math.sqrt(sum(one**2) * sum(other**2))
        assert spectrum.similarity(TALL)[a, b] == pytest.approx(expected, abs=1e-13)
        if b > a:
            assert spectrum.apart(TALL, b - a)[a] == pytest.approx(expected, abs=1e-13)
    assert spectrum.apart(TALL, 9).shape == spectrum.apart(TALL, 20).shape == (0,)


def test_a_row_without_a_direction_is_like_no_other() -> None:
    np.testing.assert_array_equal(spectrum.similarity(np.full((3, 4), 0.1)), np.zeros((3, 3)))
    np.testing.assert_array_equal(spectrum.similarity(np.array([[0.0, 1], [0, 3], [0, 2]])), [[1, -1, 0], [-1, 1, 0], [0, 0, 0]])


@pytest.mark.parametrize("rows", [TALL, WIDE])
def test_strengths_are_squared_singular_values(rows: np.ndarray) -> None:
    squares = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    found = spectrum.strengths(rows)
    np.testing.assert_allclose(found, squares / squares.sum(), rtol=0, atol=1e-13)
    assert found.sum() == pytest.approx(1, abs=1e-13)
    np.testing.assert_array_equal(spectrum.strengths(np.ones((5, 3))), np.zeros(3))


def test_needed_counts_from_the_strongest() -> None:
    shares = np.array([0.5, 0.3, 0.15, 0.05])
    assert [spectrum.needed(shares, part) for part in (0.1, 0.5, 0.51, 0.8, 0.9, 1.0)] == [1, 1, 2, 2, 3, 4]
    assert spectrum.needed(np.zeros(3), 0.9) == 0


@pytest.mark.parametrize("count", [2, 3, 8, 9])
def test_waves_are_fourier_sums(count: int) -> None:
    rows = RNG.standard_normal((count, 3))
    periods, shares = spectrum.waves(rows)
    power = []
    for k in range(1, count // 2 + 1):
        both = 1 if 2 * k == count else 2
        total = 0.0
        for c in range(3):
            turned = [
                rows[t, c] * complex(math.cos(2 * math.pi * k * t / count), -math.sin(2 * math.pi * k * t / count)) for t in range(count)
            ]
            total += both * abs(sum(turned)) ** 2
        power.append(total)
    assert periods.tolist() == [count / k for k in range(1, count // 2 + 1)]
    np.testing.assert_allclose(shares, np.array(power) / sum(power), rtol=0, atol=1e-12)


def test_a_single_wave_is_a_single_spike() -> None:
    rows = np.cos(2 * np.pi * np.arange(24)[:, None] / 6 + np.array([0.0, 1.0]))
    periods, shares = spectrum.waves(rows)
    assert periods[shares.argmax()] == 6
    assert shares.max() == pytest.approx(1, abs=1e-12)


def test_odd_rows_are_those_of_unusual_length() -> None:
    rows = np.ones((20, 4)) * np.linspace(0.99, 1.01, 20)[:, None]
    rows[3] *= 5
    rows[11] = 0
    assert spectrum.odd(rows).tolist() == [3, 11]
    assert spectrum.odd(np.ones((5, 2))).tolist() == []


def test_rises_are_counted_per_curve() -> None:
    assert spectrum.rises(np.array([[3, 2, 2, 1], [1, 2, 1, 2], [1, 1, 1, 1]])).tolist() == [0, 2, 0]


def test_mpnets_514_rows_hold_two_that_are_no_positions() -> None:
    assert MPNET.shape == (514, 768)
    assert MINILM.shape == (512, 384)
    np.testing.assert_array_equal(MPNET[1], np.zeros(768))
    norms = np.linalg.norm(MPNET, axis=1)
    assert norms[0] < 0.15 * np.median(norms)


def test_the_odd_rows_are_the_first_and_the_last() -> None:
    assert spectrum.odd(MPNET).tolist() == [0, 1, 2, 512, 513]
    assert spectrum.odd(MINILM).tolist() == [0, 119, 127, 509, 510, 511]


def test_few_directions_carry_a_trained_table() -> None:
    assert spectrum.needed(spectrum.strengths(MINILM), 0.9) == 11
    assert spectrum.needed(spectrum.strengths(MPNET), 0.9) == 6


def test_the_rows_of_minilm_nearly_repeat_every_six_places() -> None:
    by_distance = np.array([np.median(spectrum.apart(MINILM, distance)) for distance in range(13)])
    assert by_distance[[3, 6, 9, 12]].round(2).tolist() == [0.37, 0.66, 0.08, 0.53]


def test_mpnets_bias_rises_on_the_way_out_in_ten_of_twelve_heads() -> None:
    table = weights.tensor("all-mpnet-base-v2", "encoder.relative_attention_bias.weight")
    steps = np.arange(1, 129)
    rises = [spectrum.rises(t5.bias(0, sign * steps, table)) for sign in (-1, 1)]
    assert np.flatnonzero(sum(rises) == 0).tolist() == [7, 8]
    assert (rises[0][0], rises[1][0]) == (14, 0)
    assert t5.bias(0, np.array([1]), table)[0].round(2).tolist() == [2.39]
