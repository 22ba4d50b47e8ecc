import math

import numpy as np
import pytest

from posenc import rerope, rope

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


@pytest.mark.parametrize("leaky", [False, True])
def test_definition_as_scalar_loops(leaky: bool) -> None:
    q, k, i, j = drawn(2, 3, 8), drawn(2, 12, 8), np.array([2, 9, 11]), np.arange(12)
    expected = np.zeros((2, 3, 12))
    for h in range(2):
        for a in range(3):
            for b in range(i[a] + 1):
                distance = i[a] - b
                if distance >= 4:
                    distance = 4 + (distance - 4) / 3 if leaky else 4
                for c in range(4):
                    product = complex(q[h, a, c], q[h, a, c + 4]) * complex(k[h, b, c], -k[h, b, c + 4])
                    angle = distance * 10000 ** (-c / 4)
                    expected[h, a, b] += (product * complex(math.cos(angle), math.sin(angle))).real
                expected[h, a, b] *= max(1, math.log(i[a] + 1) / math.log(6)) / math.sqrt(8)
    past = j <= i[:, None]
    for logits in (rerope.terms(q, k, i, j, 4, 6, leaky, 3).total(), rerope.scores(q, k, i, j, 4, 6, leaky, 3)):
        np.testing.assert_allclose(np.where(past, logits, 0), expected, rtol=0, atol=1e-13)


def test_no_distance_beyond_the_window_is_new() -> None:
    past = np.arange(1_000_000)
    assert rerope.effective_distance(past).max() == 512
    assert rerope.effective_distance(past, leaky=True).max() == 512 + (999_999 - 512) / 16


def test_leaky_with_factor_1_or_a_window_beyond_the_text_is_rope() -> None:
    q, k, i = drawn(1, 9, 8), drawn(1, 9, 8), np.arange(9)
    expected = np.tril(rope.scores(q, k, i, i, "half"))
    for arguments in ({"window": 3, "leaky": True, "factor": 1.0}, {"window": 9}):
        np.testing.assert_allclose(np.tril(rerope.scores(q, k, i, i, **arguments)), expected, rtol=0, atol=1e-14)


def test_rerope_is_leaky_with_endless_factor() -> None:
    past = np.arange(10_000)
    np.testing.assert_allclose(rerope.effective_distance(past, leaky=True, factor=1e12), rerope.effective_distance(past), rtol=0, atol=1e-7)


def test_log_factor_starts_at_the_training_length_and_scales_content() -> None:
    np.testing.assert_allclose(rerope.log_factor(np.array([0, 4095, 4096**2 - 1])), [1, 1, 2], rtol=1e-15)
    q, k = drawn(1, 1, 8), drawn(1, 2, 8)
    terms = rerope.terms(q, k, np.array([35]), np.array([0, 1]), trained_length=6)
    np.testing.assert_allclose(terms.content_content, 2 * (q @ k.mT) / 8**0.5, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"window": 0}, "window is 0; it must be at least 1"),
        ({"factor": 0.5}, "factor is 0.5; it must be at least 1"),
        ({"trained_length": 1}, "trained_length is 1; it must be at least 2"),
    ],
)
def test_refusals_name_value_and_limit(arguments: dict, message: str) -> None:
    q, i = drawn(1, 2, 4), np.arange(2)
    for parts in (rerope.terms, rerope.scores):
        with pytest.raises(ValueError, match=message):
            parts(q, q, i, i, **arguments)


def test_odd_width_and_negative_positions_are_refused() -> None:
    with pytest.raises(ValueError, match="width is 3; it must be even"):
        rerope.vectors(np.arange(2), 3)
    with pytest.raises(ValueError, match="position is -1; it must be at least 0"):
        rerope.log_factor(np.array([-1]))


def test_a_key_beyond_the_window_ahead_would_get_the_turn_of_one_behind() -> None:
    ahead, behind = -np.arange(512, 2000), np.arange(512, 2000)
    np.testing.assert_array_equal(rerope.effective_distance(ahead), rerope.effective_distance(behind))


def test_only_the_log_factor_counts_positions() -> None:
    q, k, i = drawn(1, 9, 8), drawn(1, 9, 8), np.arange(9)
    here, within, beyond = (rerope.terms(q, k, i + first, i + first, 4, 4096).total() for first in (0, 4087, 5000))
    np.testing.assert_array_equal(here, within)
    assert np.abs(here - beyond).max() > 1e-3
