"""A fixed slope per head times the distance."""

import math

import numpy as np
import pytest

from posenc import alibi
from posenc.attention import softmax, visible
from posenc.padding import counted
from posenc.terms import residual

RNG = np.random.default_rng(0)
HERE = np.arange(6)
Q, K = RNG.standard_normal((2, 12, 6, 4))


def test_logits_are_the_scaled_product_minus_slope_times_distance() -> None:
    terms = alibi.terms(Q, K, HERE, HERE, 12)
    m = alibi.slopes(12)
    for h, i, j in np.ndindex(12, 6, 6):
        assert terms.total()[h, i, j] == pytest.approx(sum(Q[h, i, c] * K[h, j, c] for c in range(4)) / 2 - m[h] * abs(i - j), abs=1e-12)
    assert residual(terms, alibi.scores(Q, K, HERE, HERE, 12)) < 1e-12


@pytest.mark.parametrize("heads", [1, 2, 4, 8, 16, 32, 64, 128])
def test_slopes_of_a_power_of_two_are_the_geometric_sequence_of_the_paper(heads: int) -> None:
    np.testing.assert_allclose(alibi.slopes(heads), [2 ** (-8 * h / heads) for h in range(1, heads + 1)], rtol=1e-15)


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        (1, [0.00390625]),
        (3, [0.0625, 0.00390625, 0.25]),
        (6, [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]),
        (12, [*(2.0**-h for h in range(1, 9)), 0.70710678, 0.35355339, 0.17677670, 0.08838835]),
    ],
)
def test_slopes_of_other_counts_are_the_released_ones_in_the_released_order(heads: int, expected: list[float]) -> None:
    np.testing.assert_allclose(alibi.slopes(heads), expected, rtol=0, atol=5e-9)


def test_twelve_slopes_are_not_monotone_and_do_not_start_at_two_to_the_minus_two_thirds() -> None:
    m = alibi.slopes(12)
    assert np.any(np.diff(m) > 0)
    assert m.max() == pytest.approx(2**-0.5)
    assert not np.any(np.isclose(m, 2 ** (-8 / 12)))


@pytest.mark.parametrize("heads", range(1, 130))
def test_every_head_has_its_own_slope_between_0_and_1(heads: int) -> None:
    m = alibi.slopes(heads)
    assert m.shape == (heads,)
    assert len(set(m)) == heads
    assert np.all((m > 0) & (m < 1))


def test_nearer_keys_get_more() -> None:
    """Slope one half is the first of 8 heads'."""
    row = alibi.bias(3, np.arange(4), 8, [0])[0]
    np.testing.assert_array_equal(row, [-1.5, -1, -0.5, 0])
    np.testing.assert_allclose(softmax(row), [0.101536, 0.167405, 0.276004, 0.455054], rtol=0, atol=5e-7)


@pytest.mark.parametrize("causal", [True, False])
def test_the_key_only_form_has_the_same_softmax_under_a_causal_mask_alone(causal: bool) -> None:
    seen = visible(HERE, HERE, causal)
    content = Q @ K.mT / 2
    paper = softmax(content + alibi.bias(HERE[:, None], HERE, 12), seen)
    released = softmax(content + alibi.key_only_bias(HERE, 12)[:, None], seen)
    assert np.allclose(paper, released, rtol=0, atol=1e-12) == causal


def test_both_directions_cost_the_same() -> None:
    np.testing.assert_array_equal(alibi.bias(0, HERE, 12), alibi.bias(0, -HERE, 12))


def test_with_a_cache_distances_are_counted_from_the_query() -> None:
    last = alibi.terms(Q[:, -1:], K, HERE[-1:], HERE, 12).position_position
    np.testing.assert_array_equal(last, alibi.terms(Q, K, HERE, HERE, 12).position_position[:, -1:])
    np.testing.assert_array_equal(last[0, 0], [-2.5, -2, -1.5, -1, -0.5, 0])


def test_attention_halves_every_ln_2_over_m_tokens() -> None:
    m = alibi.slopes(8)[3]
    ratio = np.exp(alibi.bias(0, -np.arange(20), 8, [3])[0])
    assert ratio[math.ceil(math.log(2) / m)] <= 0.5 < ratio[math.ceil(math.log(2) / m) - 1]


def test_the_bias_is_not_divided_by_the_root_of_the_width() -> None:
    wide = alibi.terms(np.zeros((1, 1, 64)), np.zeros((1, 2, 64)), np.array([1]), np.arange(2), 8, [0]).total()
    np.testing.assert_array_equal(wide, [[[-0.5, 0]]])


def test_the_drawn_heads_keep_their_slopes() -> None:
    np.testing.assert_array_equal(alibi.bias(0, HERE, 12, [8, 2]), alibi.bias(0, HERE, 12)[[8, 2]])


def test_bloom_counts_keys_on_the_attention_mask() -> None:
    np.testing.assert_array_equal(alibi.key_only_bias(counted([0, 0, 1, 1, 1]), 8)[0], [0, 0, 0, 0.5, 1])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: alibi.slopes(0), "heads is 0; it must be at least 1"),
        (lambda: alibi.slopes(4, [4]), "head is 4; the table holds rows 0 to 3"),
        (lambda: alibi.bias(0, HERE, 4, [-1]), "head is -1; the table holds rows 0 to 3"),
        (lambda: alibi.terms(Q[:1], K[:1], HERE, HERE, 4, [7]), "head is 7"),
        (lambda: alibi.scores(Q[:1], K[:1], HERE, HERE, 4, [-1]), "head is -1"),
    ],
)
def test_wrong_arguments_are_refused_with_their_value(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
