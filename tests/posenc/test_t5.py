"""One learned scalar per bucket of distances and head."""

import math

import numpy as np
import pytest

from posenc import t5
from posenc.tables import draw
from posenc.terms import residual

RNG = np.random.default_rng(0)
SIZES = [(32, 128, False), (32, 128, True), (8, 16, False), (8, 16, True), (4, 2, False), (2, 2, True), (6, 40, False), (64, 300, True)]


def paper_bucket(offset: int, num_buckets: int, max_distance: int, causal: bool) -> int:
    """The released function, one offset at a time, with exact comparisons: log(n/m)/log(M/m)·(B − m) ≥ s as whole numbers."""
    side = num_buckets if causal else num_buckets // 2
    start = 0 if causal or offset <= 0 else side
    n, m = max(-offset, 0) if causal else abs(offset), side // 2
    if n < m:
        return start + n
    step = max(s for s in range(side) if n ** (side - m) * m**s >= max_distance**s * m ** (side - m))
    return start + min(m + step, side - 1)


def edges(buckets: np.ndarray, wanted: range) -> list[int]:
    return [int(np.flatnonzero(buckets == bucket)[0]) for bucket in wanted]


@pytest.mark.parametrize(("num_buckets", "max_distance", "causal"), SIZES)
def test_buckets_are_the_released_function(num_buckets: int, max_distance: int, causal: bool) -> None:
    offset = np.arange(-400, 401)
    expected = [paper_bucket(int(one), num_buckets, max_distance, causal) for one in offset]
    np.testing.assert_array_equal(t5.bucket(offset, num_buckets, max_distance, causal), expected)


@pytest.mark.parametrize("causal", [False, True])
def test_logits_are_unscaled_products_and_a_scalar_per_bucket(causal: bool) -> None:
    q, k, table = RNG.standard_normal((2, 3, 4)), RNG.standard_normal((2, 5, 4)), RNG.standard_normal((8, 2))
    i, j = np.array([2, 3, 4]), np.arange(5)
    terms = t5.terms(q, k, i, j, table, 8, 16, causal)
    for h, row, column in np.ndindex(2, 3, 5):
        b = table[paper_bucket(j[column] - i[row], 8, 16, causal), h]
        assert terms.position_position[h, row, column] == b
        assert terms.total()[h, row, column] == pytest.approx(math.fsum(q[h, row] * k[h, column]) + b, abs=1e-12)
    assert residual(terms, t5.scores(q, k, i, j, table, 8, 16, causal)) < 1e-12


def test_both_ways_the_past_fills_one_half_and_the_future_the_other() -> None:
    distance = np.arange(400)
    past, future = t5.bucket(-distance), t5.bucket(distance)
    assert edges(past, range(8, 16)) == [8, 12, 16, 23, 32, 46, 64, 91]
    np.testing.assert_array_equal(future[1:], past[1:] + 16)
    assert (t5.bucket(np.array(1)), t5.bucket(np.array(-1))) == (17, 1)
    assert t5.bucket(np.array(-200)) == 15


def test_bucket_16_is_never_used() -> None:
    assert set(t5.bucket(np.arange(-1000, 1001))) == set(range(32)) - {16}


def test_causal_buckets_spend_all_on_the_past_and_none_on_the_future() -> None:
    assert edges(t5.bucket(-np.arange(400), causal=True), range(16, 32)) == [
        16,
        19,
        21,
        24,
        27,
        31,
        35,
        40,
        46,
        52,
        59,
        67,
        77,
        87,
        99,
        113,
    ]
    np.testing.assert_array_equal(t5.bucket(np.arange(400), causal=True), 0)


def test_a_difference_of_logarithms_would_round_across_an_edge() -> None:
    assert t5.bucket(np.array(-8), 16, 16) == 6


@pytest.mark.parametrize(("num_buckets", "max_distance", "causal"), SIZES)
def test_buckets_are_monotone_in_distance_and_the_last_holds_all_beyond(num_buckets: int, max_distance: int, causal: bool) -> None:
    past = t5.bucket(-np.arange(2000), num_buckets, max_distance, causal)
    assert np.all(np.diff(past) >= 0)
    np.testing.assert_array_equal(past[max_distance:], (num_buckets if causal else num_buckets // 2) - 1)


def test_scalars_need_not_be_monotone() -> None:
    assert np.any(np.diff(t5.bias(0, -np.arange(128), draw(t5.tables(64, 1), 0, [0])["table"])[0]) > 0)


@pytest.mark.parametrize("causal", [False, True])
def test_first_distances_are_where_buckets_begin(causal: bool) -> None:
    first = t5.first_distances(32, 128, causal)
    np.testing.assert_array_equal(t5.bucket(-first, 32, 128, causal), np.arange(len(first)))
    np.testing.assert_array_equal(t5.bucket(1 - first[1:], 32, 128, causal), np.arange(len(first) - 1))


def test_a_bias_of_one_pair_is_one_number_per_head() -> None:
    table = RNG.standard_normal((32, 3))
    np.testing.assert_array_equal(t5.bias(5, 3, table), table[2])


def test_the_smaller_query_weights_make_up_for_the_missing_scale() -> None:
    q, k, table = RNG.standard_normal((1, 4, 16)), RNG.standard_normal((1, 4, 16)), np.zeros((32, 1))
    here = np.arange(4)
    content = t5.terms(q * t5.query_gain(16), k, here, here, table).content_content
    np.testing.assert_allclose(content, q @ k.mT / 4, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((31, 128, False), "num_buckets is 31; it must be even when both directions share them"),
        ((2, 128, False), "num_buckets is 2; it must be at least 4"),
        ((0, 128, False), "num_buckets is 0; it must be at least 4"),
        ((1, 128, True), "num_buckets is 1; it must be at least 2"),
        ((32, 8, False), "max_distance is 8; it must be greater than the 8 exact buckets of a side"),
        ((32, 16, True), "max_distance is 16; it must be greater than the 16 exact buckets of a side"),
    ],
)
def test_too_few_buckets_or_too_small_a_distance_are_refused(arguments: tuple, message: str) -> None:
    for refused in (lambda: t5.bucket(np.arange(3), *arguments), lambda: t5.first_distances(*arguments)):
        with pytest.raises(ValueError, match=message):
            refused()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: t5.bias(0, np.arange(3), np.zeros((16, 2))), "the table has 16 rows; there are 32 buckets"),
        (lambda: t5.bucket(np.array([1.0, 2.5])), "offset is 2.5; it must be a whole number"),
        (lambda: t5.tables(8, 0), "heads is 0; it must be at least 1"),
        (lambda: t5.tables(8, 2, 0), "num_buckets is 0; it must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused_with_their_value(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
