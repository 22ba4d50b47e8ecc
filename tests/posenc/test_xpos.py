import math

import numpy as np
import pytest

from posenc import rope, xpos

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def test_equation_as_scalar_loops() -> None:
    q, k, i, j = drawn(2, 3, 8), drawn(2, 4, 8), np.array([2, 9, 40]), np.array([0, 7, 9, 30])
    expected = np.zeros((2, 3, 4))
    for h in range(2):
        for a in range(3):
            for b in range(4):
                for c in range(4):
                    product = complex(q[h, a, 2 * c], q[h, a, 2 * c + 1]) * complex(k[h, b, 2 * c], -k[h, b, 2 * c + 1])
                    angle, fade = (i[a] - j[b]) * 10000 ** (-c / 4), ((2 * c / 8 + 0.4) / 1.4) ** ((i[a] - j[b]) / 16)
                    expected[h, a, b] += (product * complex(math.cos(angle), math.sin(angle))).real * fade / math.sqrt(8)
    np.testing.assert_allclose(xpos.terms(q, k, i, j, 16).total(), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(xpos.scores(q, k, i, j, 16), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("distance", "expected"), [(128, 0.295307), (1024, 0.181790)])
def test_mean_score_of_ones(distance: int, expected: float) -> None:
    ones = np.ones((1, 1, 64))
    score = xpos.scores(ones, ones, np.array([distance]), np.array([0]))[0, 0, 0] * math.sqrt(64)
    assert score / 64 == pytest.approx(expected, abs=5e-7)


def test_centring_cancels() -> None:
    q, k, i, j = drawn(1, 5, 8), drawn(1, 5, 8), np.arange(5), np.arange(5)
    from_0, from_the_middle = (xpos.scaled(q, i, 1, shift) @ xpos.scaled(k, j, -1, shift).mT for shift in (0, xpos.min_position(5)))
    np.testing.assert_allclose(from_0, from_the_middle, rtol=0, atol=1e-14)
    np.testing.assert_array_equal([xpos.min_position(n) for n in (1, 2, 5, 6)], [-1, -1, -3, -3])


def test_key_factor_in_float32_ends_at_position_36260() -> None:
    largest = float(np.finfo(np.float32).max)
    assert xpos.farthest_ahead(512, largest) == 36260
    factors = xpos.fade(np.array([-36260, -36261]), 64).max(axis=1)
    assert factors[0] <= largest < factors[1]


def test_a_future_key_is_amplified_and_a_past_one_fades() -> None:
    one, far = np.eye(64)[None, :1], np.array([0, 512, 1024])
    logits = [xpos.terms(one, one, i, j).total()[0, 0, 0] for i, j in ((far[1:2], far[2:]), (far[1:2], far[:1]))]
    turn = math.cos(512) / 8
    np.testing.assert_allclose(logits, [turn * 1.4 / 0.4, turn * 0.4 / 1.4], rtol=1e-12)


def test_distance_0_is_exactly_content_and_only_distance_counts() -> None:
    q, k, i, j = drawn(1, 4, 8), drawn(1, 4, 8), np.arange(4), np.arange(4)
    interaction = xpos.terms(q, k, i, j).interaction
    assert np.all(interaction[0].diagonal() == 0)
    np.testing.assert_array_equal(interaction, xpos.terms(q, k, i + 1_000_000, j + 1_000_000).interaction)


def test_endless_scale_base_is_rope() -> None:
    q, k, i, j = drawn(1, 4, 8), drawn(1, 4, 8), np.arange(4), np.arange(4)
    np.testing.assert_allclose(xpos.scores(q, k, i, j, 1e300), rope.scores(q, k, i, j), rtol=0, atol=1e-14)


def test_refusals_name_value_and_limit() -> None:
    q, far = drawn(1, 1, 8), np.array([300_000])
    with pytest.raises(ValueError, match=r"ζ\^\(−300000/512.0\) is needed; float64 holds it up to ζ\^\(−290085/512.0\)"):
        xpos.terms(q, q, np.array([0]), far)
    with pytest.raises(ValueError, match=r"float32 holds it up to ζ\^\(−36260/512.0\)"):
        xpos.terms(q.astype(np.float32), q.astype(np.float32), np.array([0]), far)
    assert np.isfinite(xpos.terms(q, q, far, np.array([0])).total()).all()
    with pytest.raises(ValueError, match="width is 5; it must be even"):
        xpos.zeta(5)
    with pytest.raises(ValueError, match="scale_base is 0; it must be at least 1"):
        xpos.fade(np.arange(2), 4, 0)
    with pytest.raises(ValueError, match="gamma is 0; it must be greater than 0"):
        xpos.zeta(4, 0)


def test_a_perfect_match_stays_above_0_for_5000_positions_where_rope_swings() -> None:
    away = np.arange(5001)
    ones = np.ones((1, len(away), 64))
    rotated, faded = (scheme.scores(ones, ones[:, :1], away, away[:1])[0, :, 0] / 64**0.5 for scheme in (rope, xpos))
    assert np.all(faded > 0)
    assert rotated.min() < 0
    np.testing.assert_allclose(rotated[[16, 128, 1024]], [0.6054006, 0.2838533, 0.2629250], rtol=0, atol=5e-8)
    np.testing.assert_allclose(faded[[16, 128, 1024]], [0.6008462, 0.2953070, 0.1817901], rtol=0, atol=5e-8)


def test_farthest_ahead_keeps_to_the_largest_factor() -> None:
    far = xpos.farthest_ahead(512, 10.0)
    factors = xpos.fade(-np.array([far, far + 1]), 64).max(axis=1)
    assert factors[0] <= 10 < factors[1]
