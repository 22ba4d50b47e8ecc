"""Products, masks, softmax, and the step from the geometry to arrays with gradients."""

import math

import numpy as np
import pytest
import torch

from posenc import check
from posenc.arrays import gather, like
from posenc.attention import dot, offsets, softmax, visible
from posenc.terms import Terms, residual

RNG = np.random.default_rng(0)


def test_products_are_scaled_by_the_root_of_the_width() -> None:
    q, k = RNG.standard_normal((2, 3, 5)), RNG.standard_normal((2, 4, 5))
    for h, i, j in np.ndindex(2, 3, 4):
        assert dot(q, k)[h, i, j] == pytest.approx(math.fsum(q[h, i] * k[h, j]) / math.sqrt(5), abs=1e-14)


def test_offsets_are_key_minus_query() -> None:
    np.testing.assert_array_equal(offsets(np.array([2, 5]), np.arange(3)), [[-2, -1, 0], [-5, -4, -3]])


def test_a_causal_mask_shows_the_past_and_the_query_itself() -> None:
    np.testing.assert_array_equal(visible(np.array([0, 2]), np.arange(4), True), [[1, 0, 0, 0], [1, 1, 1, 0]])
    assert visible(np.array([0, 2]), np.arange(4), False).all()


def test_softmax_is_exponentials_over_their_sum() -> None:
    logits = RNG.standard_normal((2, 3, 4))
    seen = visible(np.array([0, 1, 3]), np.arange(4), True)
    weights = softmax(logits, seen)
    for h, i, j in np.ndindex(2, 3, 4):
        total = math.fsum(math.exp(logits[h, i, key]) for key in range(4) if seen[i, key])
        assert weights[h, i, j] == pytest.approx(seen[i, j] * math.exp(logits[h, i, j]) / total, abs=1e-14)


@pytest.mark.parametrize("move", [np.asarray, torch.tensor])
def test_unseen_keys_get_exactly_0_and_so_does_a_row_that_sees_none(move) -> None:
    weights = softmax(move([[1e4, -1e4, 3.0], [1.0, 2.0, 3.0]]), np.array([[False, True, True], [False, False, False]]))
    np.testing.assert_array_equal(np.asarray(weights), [[0, 0, 1], [0, 0, 0]])


@pytest.mark.parametrize("move", [np.asarray, torch.tensor])
def test_large_logits_do_not_overflow(move) -> None:
    np.testing.assert_array_equal(np.asarray(softmax(move([[1e5, 1e5], [-1e5, -1e5], [1e5, -1e5]]))), [[0.5, 0.5], [0.5, 0.5], [1, 0]])


@pytest.mark.parametrize("masked", [False, True])
def test_softmax_has_gradients_even_where_nothing_is_seen(masked: bool) -> None:
    logits = torch.tensor(RNG.standard_normal((2, 3, 3)), requires_grad=True)
    seen = np.array([[False] * 3, [True, False, True], [True] * 3]) if masked else None
    assert torch.autograd.gradcheck(lambda values: softmax(values, seen), [logits])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_softmax_keeps_the_dtype(dtype: str) -> None:
    seen = np.ones((2, 2), dtype=bool)
    assert softmax(np.zeros((2, 2), dtype=dtype), seen).dtype == dtype
    assert softmax(torch.zeros((2, 2), dtype=getattr(torch, dtype)), seen).dtype == getattr(torch, dtype)


@pytest.mark.parametrize(
    "constant", [np.arange(4.0)[::-1], np.broadcast_to(2.0, (2, 3)), np.arange(6.0).reshape(2, 3).T, np.float64(3), np.array(3)]
)
@pytest.mark.parametrize("array", [np.zeros(1, dtype=np.float32), torch.zeros(1, dtype=torch.float32)], ids=["numpy", "torch"])
def test_constants_keep_shape_and_values_on_the_way_to_the_other_library(constant, array) -> None:
    moved = like(constant, array)
    assert type(moved) is type(array)
    np.testing.assert_array_equal(np.asarray(moved), constant)
    assert tuple(moved.shape) == constant.shape
    assert str(moved.dtype).removeprefix("torch.") == ("float32" if constant.dtype.kind == "f" else "int64")


def test_what_carries_gradients_passes_unchanged() -> None:
    leaf = torch.zeros(3, requires_grad=True)
    assert like(leaf, torch.zeros(1, dtype=torch.float64)) is leaf


@pytest.mark.parametrize("move", [np.asarray, torch.tensor])
def test_gather_picks_along_each_row(move) -> None:
    values, index = RNG.standard_normal((2, 3, 5)), np.array([[4, 0], [1, 1], [2, 3]])
    picked = np.asarray(gather(move(values), index))
    for h, i, j in np.ndindex(2, 3, 2):
        assert picked[h, i, j] == values[h, i, index[i, j]]


# Terms


PARTS = Terms(content_content=np.ones((1, 2, 3)), position_position=np.full((1, 2, 3), 0.5))


def test_terms_are_those_present_and_their_sum() -> None:
    assert [name for name, _ in PARTS.present()] == ["content_content", "position_position"]
    np.testing.assert_array_equal(PARTS.total(), np.full((1, 2, 3), 1.5))
    np.testing.assert_array_equal(PARTS.positional(), np.full((1, 2, 3), 0.5))
    np.testing.assert_array_equal(Terms(np.ones((1, 2, 3))).positional(), np.zeros((1, 2, 3)))


def test_picks_are_rows_and_columns() -> None:
    numbers = np.arange(12.0).reshape(1, 3, 4)
    picked = Terms(content_content=numbers).pick(np.array([2, 0]), np.array([1, 3, 3]))
    np.testing.assert_array_equal(picked.content_content, [[[9, 11, 11], [1, 3, 3]]])
    assert picked.interaction is None


def test_the_residual_is_relative_to_large_scores_and_absolute_for_small_ones() -> None:
    assert residual(PARTS, PARTS.total()) == 0
    assert residual(Terms(np.full((1, 1, 1), 200.0)), np.full((1, 1, 1), 100.0)) == 1
    assert residual(Terms(np.full((1, 1, 1), 0.5)), np.full((1, 1, 1), 0.25)) == 0.25
    assert residual(Terms(np.zeros((1, 0, 3))), np.zeros((1, 0, 3))) == 0
    assert residual(Terms(torch.ones((1, 1, 1), requires_grad=True)), torch.full((1, 1, 1), 0.5, requires_grad=True)) == 0.5


# Refusals


@pytest.mark.parametrize(
    ("refuse", "message"),
    [
        (lambda: check.at_least("a", 0, 1), "a is 0; it must be at least 1"),
        (lambda: check.at_least("a", math.nan, 1), "a is nan; it must be at least 1"),
        (lambda: check.between("a", 5, 0, 4), "a is 5; it must be from 0 to 4"),
        (lambda: check.between("a", math.nan, 0, 4), "a is nan; it must be from 0 to 4"),
        (lambda: check.even("a", 7), "a is 7; it must be even and at least 2"),
        (lambda: check.even("a", 0), "a is 0; it must be even and at least 2"),
        (lambda: check.one_of("a", "x", ("y", "z")), "a is 'x'; it must be one of 'y', 'z'"),
        (lambda: check.inside("a", np.array([0, -1]), 8), "a is -1; the table holds rows 0 to 7"),
        (lambda: check.inside("a", np.array([0, 8]), 8), "a is 8; the table holds rows 0 to 7"),
        (lambda: check.whole("a", [1.0, 2.5]), "a is 2.5; it must be a whole number"),
        (lambda: check.whole("a", [0, math.inf]), "a is inf; it must be a whole number"),
        (lambda: check.whole("a", math.nan), "a is nan; it must be a whole number"),
    ],
)
def test_refusals_name_the_value_and_the_limit(refuse, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refuse()


def test_what_is_right_passes() -> None:
    check.at_least("a", 1, 1)
    check.between("a", 4, 0, 4)
    check.even("a", 2)
    check.one_of("a", "y", ("y", "z"))
    check.inside("a", np.array([], dtype=int), 0)
    whole = check.whole("a", [[1.0, -2.0]])
    np.testing.assert_array_equal(whole, [[1, -2]])
    assert whole.dtype == np.int64
