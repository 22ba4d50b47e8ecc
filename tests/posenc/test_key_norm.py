import math

import numpy as np
import pytest

from posenc import key_norm, rope

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def test_definition_as_scalar_loops() -> None:
    q, k, i, j = drawn(2, 3, 6), drawn(2, 4, 6), np.array([2, 9, 40]), np.array([0, 7, 9, 41])
    expected = np.zeros((2, 3, 4))
    for h in range(2):
        for m in range(3):
            for n in range(4):
                length = math.sqrt(sum(x * x for x in k[h, n]))
                for c in range(3):
                    angle = (i[m] - j[n]) * 10000 ** (-c / 3)
                    product = complex(q[h, m, 2 * c], q[h, m, 2 * c + 1]) * complex(k[h, n, 2 * c], -k[h, n, 2 * c + 1])
                    expected[h, m, n] += (product * complex(math.cos(angle), math.sin(angle))).real / length
    np.testing.assert_allclose(key_norm.terms(q, k, i, j).total(), expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(key_norm.scores(q, k, i, j), expected, rtol=0, atol=1e-13)


def test_only_a_keys_direction_counts() -> None:
    q, k, i = drawn(1, 4, 8), drawn(1, 4, 8), np.arange(4)
    loud = k * np.array([1.0, 10, 100, 1000])[:, None]
    np.testing.assert_allclose(key_norm.scores(q, loud, i, i), key_norm.scores(q, k, i, i), rtol=0, atol=1e-14)


def test_keys_of_length_sqrt_d_give_scaled_attention() -> None:
    q, i = drawn(1, 4, 16), np.arange(4)
    k = np.sqrt(16) * key_norm.normalised(drawn(1, 4, 16))
    np.testing.assert_allclose(key_norm.scores(q, k, i, i), rope.scores(q, k, i, i), rtol=0, atol=1e-14)


def test_silent_keys_are_defined() -> None:
    q, i = drawn(1, 2, 4), np.arange(2)
    np.testing.assert_array_equal(key_norm.scores(q, 0 * q, i, i), np.zeros((1, 2, 2)))


def test_odd_width_is_refused() -> None:
    q, i = drawn(1, 2, 5), np.arange(2)
    for parts in (key_norm.terms, key_norm.scores):
        with pytest.raises(ValueError, match="width is 5; it must be even"):
            parts(q, q, i, i)


def test_twice_the_loudness_doubles_logits_where_rope_has_four_times() -> None:
    q, k, i = drawn(1, 4, 8), drawn(1, 4, 8), np.arange(4)
    for scheme, times in ((key_norm, 2), (rope, 4)):
        np.testing.assert_allclose(scheme.scores(2 * q, 2 * k, i, i), times * scheme.scores(q, k, i, i), rtol=1e-13, atol=1e-14)
