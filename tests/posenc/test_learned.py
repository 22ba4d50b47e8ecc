"""A trained vector for every position."""

import math

import numpy as np
import pytest
import torch

from explain.weights import tensor
from posenc import learned, padding
from posenc.tables import draw, size
from posenc.terms import residual

RNG = np.random.default_rng(0)
ROWS, WIDTH = 8, 4
TABLE = RNG.standard_normal((ROWS, WIDTH))
X_Q, X_K = RNG.standard_normal((2, WIDTH)), RNG.standard_normal((3, WIDTH))
W_Q, W_K = RNG.standard_normal((2, 2, WIDTH, WIDTH))
HERE, THERE = np.array([2, 7]), np.array([0, 4, 7])


def test_terms_multiply_out_the_sum_of_word_and_row() -> None:
    terms = learned.terms(X_Q, X_K, W_Q, W_K, HERE, THERE, TABLE)
    for h, row, column in np.ndindex(2, 2, 3):
        parts = {
            "content_content": (X_Q[row], X_K[column]),
            "content_position": (X_Q[row], TABLE[THERE[column]]),
            "position_content": (TABLE[HERE[row]], X_K[column]),
            "position_position": (TABLE[HERE[row]], TABLE[THERE[column]]),
        }
        for name, (left, right) in parts.items():
            expected = left @ W_Q[h] @ W_K[h].T @ right / math.sqrt(WIDTH)
            assert getattr(terms, name)[h, row, column] == pytest.approx(expected, abs=1e-12), name
    assert residual(terms, learned.scores(X_Q, X_K, W_Q, W_K, HERE, THERE, TABLE)) < 1e-12


@pytest.mark.parametrize("position", [8, -1, 100])
def test_there_is_no_row_beyond_the_table_and_none_before_it(position: int) -> None:
    with pytest.raises(ValueError, match=f"position is {position}; the table holds rows 0 to 7"):
        learned.vectors(np.array([0, position]), TABLE)
    with pytest.raises(ValueError, match=f"position is {position}; the table holds rows 0 to 7"):
        learned.terms(X_Q, X_K, W_Q, W_K, np.array([0, position]), THERE, TABLE)


def test_fairseq_and_roberta_count_tokens_from_the_row_after_padding() -> None:
    present = np.array([5, 6, 7, 1]) != 1
    np.testing.assert_array_equal(padding.after_padding_row(present, 1), [2, 3, 4, 1])


def test_514_rows_hold_512_tokens() -> None:
    table = np.zeros((514, 2))
    learned.vectors(padding.after_padding_row(np.ones(512)), table, max_positions=514)
    with pytest.raises(ValueError, match="position is 514; the table holds rows 0 to 513"):
        learned.vectors(padding.after_padding_row(np.ones(513)), table, max_positions=514)


def test_opt_counts_from_2_and_gpt2_counts_padding() -> None:
    np.testing.assert_array_equal(padding.after_offset(np.array([0, 1, 1, 1])), [1, 2, 3, 4])
    np.testing.assert_array_equal(padding.after_offset(np.array([0, 1, 1, 1]), past=3), [4])
    np.testing.assert_array_equal(padding.after_cache(np.array([0, 1, 1, 1]), past=9), [9, 10, 11, 12])
    for count in (padding.after_offset, padding.after_cache):
        with pytest.raises(ValueError, match="past is -1; it must be at least 0"):
            count(np.ones(3), past=-1)


@pytest.mark.parametrize("alpha", [0.1, 0.4, 0.9])
def test_the_hierarchy_keeps_the_trained_rows_and_reaches_their_square(alpha: float) -> None:
    p = learned.vectors(np.arange(ROWS**2), TABLE, beyond="hierarchical", alpha=alpha)
    np.testing.assert_allclose(p[:ROWS], TABLE, rtol=0, atol=1e-14)
    for q, r in np.ndindex(ROWS, ROWS):
        u_q, u_r = ((TABLE[row] - alpha * TABLE[0]) / (1 - alpha) for row in (q, r))
        np.testing.assert_allclose(p[q * ROWS + r], alpha * u_q + (1 - alpha) * u_r, rtol=0, atol=1e-13)
    with pytest.raises(ValueError, match="position is 64; the table holds rows 0 to 63"):
        learned.vectors([64], TABLE, beyond="hierarchical")


def test_half_and_half_cannot_tell_a_place_from_its_mirror() -> None:
    p = learned.vectors([1 * ROWS + 3, 3 * ROWS + 1], TABLE, beyond="hierarchical", alpha=0.5)
    np.testing.assert_allclose(p[0], p[1], rtol=0, atol=1e-14)
    p = learned.vectors([1 * ROWS + 3, 3 * ROWS + 1], TABLE, beyond="hierarchical")
    assert np.abs(p[0] - p[1]).max() > 0.1


def test_a_wider_and_longer_table_is_cut_to_its_first_rows_and_columns() -> None:
    np.testing.assert_array_equal(learned.vectors([0, 5], TABLE, width=3, max_positions=6), TABLE[[0, 5], :3])
    with pytest.raises(ValueError, match="position is 6; the table holds rows 0 to 5"):
        learned.vectors([6], TABLE, max_positions=6)
    with pytest.raises(ValueError, match="width is 5; the table has 4 columns"):
        learned.vectors([0], TABLE, width=5)


def test_layer_norm_splits_into_content_and_position() -> None:
    word, position = RNG.standard_normal((2, 5, WIDTH))
    gamma, beta = RNG.standard_normal((2, WIDTH))
    content, moved = learned.after_layer_norm(word, position, gamma, beta)
    for row in range(5):
        values = word[row] + position[row]
        mean = sum(values) / WIDTH
        deviation = math.sqrt(sum((value - mean) ** 2 for value in values) / WIDTH + 1e-12)
        for column in range(WIDTH):
            expected = (values[column] - mean) / deviation * gamma[column] + beta[column]
            assert content[row, column] + moved[row, column] == pytest.approx(expected, abs=1e-12)
    np.testing.assert_allclose(moved * 0, learned.after_layer_norm(word, 0 * position, gamma, beta)[1], rtol=0, atol=0)


def test_with_layer_norm_the_parts_still_add_up() -> None:
    arguments = (X_Q, X_K, W_Q, W_K, HERE, THERE, TABLE)
    terms = learned.terms(*arguments, layer_norm=True)
    assert residual(terms, learned.scores(*arguments, layer_norm=True)) < 1e-12
    for h, row, column in np.ndindex(2, 2, 3):
        sums = [X_Q[row] + TABLE[HERE[row]], X_K[column] + TABLE[THERE[column]]]
        left, right = ((values - values.mean()) / math.sqrt(values.var() + 1e-12) for values in sums)
        assert terms.total()[h, row, column] == pytest.approx(left @ W_Q[h] @ W_K[h].T @ right / 2, abs=1e-12)


@pytest.mark.parametrize("loud", [1e-2, 1e3])
def test_layer_norm_cares_only_how_loud_words_are_against_positions(loud: float) -> None:
    quiet = learned.scores(X_Q, X_K, W_Q, W_K, HERE, THERE, TABLE, layer_norm=True)
    scaled = learned.scores(loud * X_Q, loud * X_K, W_Q, W_K, HERE, THERE, loud * TABLE, layer_norm=True)
    np.testing.assert_allclose(scaled, quiet, rtol=0, atol=1e-6)


def test_the_table_is_all_that_is_learned() -> None:
    assert size(learned.tables(64)) == 512 * 64
    few, more = (draw(learned.tables(64, rows), 0, [0])["table"] for rows in (5, 9))
    np.testing.assert_array_equal(few, more[:5])


def test_likeness_is_the_cosine_of_rows_by_distance() -> None:
    found = learned.likeness(TABLE, 3)
    assert found.shape == (5, 4)
    for t, delta in np.ndindex(5, 4):
        one, other = TABLE[t], TABLE[t + delta]
        expected = sum(a * b for a, b in zip(one, other, strict=True)) / math.sqrt(sum(one**2) * sum(other**2))
        assert found[t, delta] == pytest.approx(expected, abs=1e-12)
    assert learned.likeness(TABLE).shape == (4, 5)
    np.testing.assert_array_equal(learned.likeness(TABLE[:1]), [[1.0]])
    np.testing.assert_array_equal(learned.likeness(0 * TABLE, 1), np.zeros((7, 2)))


def test_a_trained_table_repeats_every_six_positions_and_its_row_0_is_odd() -> None:
    rows = tensor(learned.TRAINED.model, learned.TRAINED.tensor)
    by_distance = np.median(learned.likeness(rows), axis=0)
    assert by_distance[[1, 3, 6, 9, 12]].round(2).tolist() == [0.85, 0.44, 0.7, 0.18, 0.58]
    assert {*np.flatnonzero((by_distance[1:-1] > by_distance[:-2]) & (by_distance[1:-1] > by_distance[2:])) + 1} >= {6, 12}
    norms = np.linalg.norm(rows, axis=1)
    assert norms[0].round(2) == 2.36
    assert (norms[1:].min().round(2), np.median(norms).round(2), norms[1:].max().round(2)) == (0.4, 0.48, 0.97)
    assert np.abs(rows[0]).argmax() == 99
    assert rows[0, 99].round(2) == 1.87
    assert np.linalg.norm(np.delete(rows[0], 99)).round(2) == 1.44


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_positions": 0}, "max_positions is 0; it must be at least 1"),
        ({"beyond": "wrap"}, "beyond is 'wrap'; it must be one of 'undefined', 'hierarchical'"),
        ({"beyond": "hierarchical", "alpha": 1.0}, "alpha is 1.0; it must be greater than 0 and less than 1"),
        ({"beyond": "hierarchical", "alpha": 0.0}, "alpha is 0.0; it must be greater than 0 and less than 1"),
        ({"positions": [0.5]}, r"position is 0\.5; it must be a whole number"),
    ],
)
def test_wrong_arguments_are_refused_with_their_value(wrong: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learned.vectors(**{"positions": np.arange(3), "table": TABLE} | wrong)


@pytest.mark.parametrize("layer_norm", [False, True])
@pytest.mark.parametrize("beyond", learned.BEYOND)
def test_torch_gives_the_same_numbers_and_gradients(beyond: str, layer_norm: bool) -> None:
    arrays = (X_Q, X_K, W_Q, W_K, TABLE)
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]

    def total(*inputs: torch.Tensor) -> torch.Tensor:
        return learned.terms(*inputs[:4], HERE, THERE, inputs[4], beyond=beyond, layer_norm=layer_norm).total()

    expected = learned.terms(*arrays[:4], HERE, THERE, TABLE, beyond=beyond, layer_norm=layer_norm).total()
    np.testing.assert_allclose(total(*tensors).detach(), expected, rtol=0, atol=1e-12)
    assert torch.autograd.gradcheck(total, tensors)
    assert total(*(tensor.float() for tensor in tensors)).dtype == torch.float32
