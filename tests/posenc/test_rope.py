import math
import tracemalloc

import numpy as np
import pytest

from posenc import rope

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


@pytest.mark.parametrize("pairing", rope.PAIRINGS)
@pytest.mark.parametrize("rotary_dim", [0, 4])
def test_equation_34_as_scalar_loops(pairing: str, rotary_dim: int) -> None:
    q, k, i, j = drawn(2, 3, 8), drawn(2, 5, 8), np.array([2, 9, 40]), np.array([0, 3, 7, 9, 41])
    turned = rotary_dim or 8
    expected = np.zeros((2, 3, 5))
    for h in range(2):
        for a in range(3):
            for b in range(5):
                total = 0.0
                for c in range(turned // 2):
                    u, v = (2 * c, 2 * c + 1) if pairing == "interleaved" else (c, c + turned // 2)
                    theta = 10000 ** (-2 * c / turned)
                    query = complex(q[h, a, u], q[h, a, v]) * complex(math.cos(i[a] * theta), math.sin(i[a] * theta))
                    key = complex(k[h, b, u], k[h, b, v]) * complex(math.cos(j[b] * theta), math.sin(j[b] * theta))
                    total += (query * key.conjugate()).real
                total += sum(q[h, a, c] * k[h, b, c] for c in range(turned, 8))
                expected[h, a, b] = total / math.sqrt(8)
    np.testing.assert_allclose(rope.scores(q, k, i, j, pairing, rotary_dim), expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(rope.terms(q, k, i, j, pairing, rotary_dim).total(), expected, rtol=0, atol=1e-13)


def test_pairing_follows_the_layout() -> None:
    x, theta = np.array([[1.0, 2, 3, 4]]), rope.angular_frequencies(4)
    interleaved, half = (rope.rotate(x, np.array([1]), theta, pairing)[0] for pairing in rope.PAIRINGS)
    np.testing.assert_allclose(interleaved, [-1.14263966, 1.92207560, 2.95985067, 4.02979950], rtol=0, atol=5e-9)
    np.testing.assert_allclose(half, [-1.98411065, 1.95990067, 2.46237790, 4.01979967], rtol=0, atol=5e-9)
    np.testing.assert_allclose([np.linalg.norm(interleaved), np.linalg.norm(half)], 5.47722558, rtol=0, atol=5e-9)


@pytest.mark.parametrize("rotary_dim", [0, 6])
def test_layouts_are_a_permutation_of_each_other(rotary_dim: int) -> None:
    x, positions, perm = drawn(5, 10), np.arange(2, 7), rope.permutation(10, rotary_dim)
    theta = rope.angular_frequencies(10, rotary_dim)
    half = rope.rotate(x[:, perm], positions, theta, "half")
    np.testing.assert_array_equal(half, rope.rotate(x, positions, theta, "interleaved")[:, perm])


@pytest.mark.parametrize("parts", [rope.scores, lambda *a: rope.terms(*a).total()])
def test_sign_is_query_minus_key(parts) -> None:
    q, k = np.eye(2)[None, :1], np.eye(2)[None, 1:]
    logit = parts(q, k, np.array([2]), np.array([1]))[0, 0, 0] * math.sqrt(2)
    assert logit == pytest.approx(0.8414709848, abs=5e-11)


def test_partial_width_has_its_own_frequencies() -> None:
    np.testing.assert_allclose(rope.angular_frequencies(8, 4), [1, 0.01], rtol=1e-15)


def test_unturned_dimensions_have_no_interaction() -> None:
    q, k = drawn(1, 3, 8), drawn(1, 4, 8)
    q[..., :4] = 0
    assert np.all(rope.terms(q, k, np.arange(3), np.arange(4), "half", 4).interaction == 0)


def test_rotation_keeps_lengths_and_position_0_is_the_identity() -> None:
    x, theta = drawn(4, 16), rope.angular_frequencies(16)
    turned = rope.rotate(x, np.array([0, 5, 4096, 131072]), theta)
    np.testing.assert_array_equal(turned[0], x[0])
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(x, axis=1), rtol=1e-14)


def test_only_distance_counts() -> None:
    q, k, i, j = drawn(2, 4, 8), drawn(2, 6, 8), np.arange(2, 6), np.arange(6)
    here, there = (rope.terms(q, k, i + shift, j + shift).interaction for shift in (0, 1_000_000))
    np.testing.assert_array_equal(here, there)


def test_interaction_is_exactly_0_at_distance_0_and_keeps_its_digits_at_small_angles() -> None:
    q = np.ones((1, 1, 2))
    angle = rope.angular_frequencies(20_000)[-1]
    slow = rope.turning(q, q, np.array([[0.0, 1.0]]), np.array([angle * 1e-4]))[0, 0] * math.sqrt(2) / 2
    tiny = angle * 1e-4
    assert slow[0] == 0
    assert slow[1] == pytest.approx(-(tiny**2) / 2 + tiny**4 / 24, rel=1e-14)


def test_vectors_are_cosines_then_sines() -> None:
    table = rope.vectors(np.array([0, 3]), 4)
    np.testing.assert_allclose(table, [[1, 1, 0, 0], [math.cos(3), math.cos(0.03), math.sin(3), math.sin(0.03)]], rtol=0, atol=1e-15)


def test_no_array_of_queries_by_keys_by_width() -> None:
    q, k = drawn(1, 256, 512), drawn(1, 512, 512)
    tracemalloc.start()
    rope.terms(q, k, np.arange(256, 512), np.arange(512))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 256 * 512 * 512 * 8 / 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 5}, "width is 5; it must be even"),
        ({"width": 8, "rotary_dim": 3}, "rotary_dim is 3; it must be even"),
        ({"width": 8, "rotary_dim": 10}, "rotary_dim is 10; it must be from 2 to 8"),
        ({"width": 8, "base": 1}, "base is 1; it must be greater than 1"),
    ],
)
def test_refusals_name_value_and_limit(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rope.angular_frequencies(**arguments)


def test_unknown_layout_is_refused_by_both_ways() -> None:
    q, i = drawn(1, 2, 4), np.arange(2)
    for parts in (rope.terms, rope.scores):
        with pytest.raises(ValueError, match="pairing is 'gptj'; it must be one of 'interleaved', 'half'"):
            parts(q, q, i, i, "gptj")


def test_a_perfect_match_swings_below_0_for_the_first_time_at_725() -> None:
    away = np.arange(726)
    ones = np.ones((1, len(away), 64))
    score = rope.scores(ones, ones[:, :1], away, away[:1])[0, :, 0] / 64**0.5
    assert np.all(score[:725] > 0)
    assert score[725] < 0


def test_the_wrong_pairing_is_right_on_the_diagonal_only() -> None:
    q, k, i = drawn(1, 6, 8), drawn(1, 6, 8), np.arange(6)
    gap = np.abs(rope.scores(q, k, i, i, "interleaved") - rope.scores(q, k, i, i, "half"))[0]
    np.testing.assert_allclose(gap.diagonal(), 0, rtol=0, atol=1e-14)
    assert np.all(gap[~np.eye(6, dtype=bool)] > 1e-3)
