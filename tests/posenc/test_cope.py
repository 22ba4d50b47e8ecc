"""CoPE against its equations, and what its page claims."""

from math import ceil, exp, floor, sqrt

import numpy as np
import pytest

from posenc import cope, nope
from tests.posenc import seam

HERE = np.arange(3, 9)
LENGTH, WIDTH = 6, 4


def content() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """q, k and e."""
    rng = np.random.default_rng(10)
    return rng.standard_normal((2, LENGTH, WIDTH)), rng.standard_normal((2, LENGTH, WIDTH)), rng.standard_normal((3, WIDTH))


@pytest.mark.parametrize("divided", [True, False])
def test_equation_pair_by_pair(divided: bool) -> None:
    q, k, e = content()
    terms, scores = (function(q, k, HERE, HERE, e, divided) for function in (cope.terms, cope.scores))
    for head in range(2):
        for i in range(LENGTH):
            products = [sum(q[head, i, c] * k[head, t, c] for c in range(WIDTH)) / sqrt(WIDTH) for t in range(LENGTH)]
            for j in range(LENGTH):
                p = min(sum(1 / (1 + exp(-products[t])) for t in range(j, i + 1)), 2)
                between = [(p - floor(p)) * e[ceil(p), c] + (1 - p + floor(p)) * e[floor(p), c] for c in range(WIDTH)]
                position = sum(q[head, i, c] * between[c] for c in range(WIDTH)) / (sqrt(WIDTH) if divided else 1)
                assert terms.content_content[head, i, j] == pytest.approx(products[j], abs=1e-12)
                assert terms.content_position[head, i, j] == pytest.approx(position, abs=1e-12)
                assert scores[head, i, j] == pytest.approx(products[j] + position, abs=1e-12)


def test_with_every_gate_open_positions_are_distances_plus_1() -> None:
    i, j = np.arange(9)[:, None], np.arange(9)
    positions = cope.contextual_positions(np.tri(9)[None], npos=64)[0]
    np.testing.assert_array_equal(positions, np.maximum(i - j + 1, 0))
    np.testing.assert_array_equal(cope.contextual_positions(np.tri(9)[None], npos=4)[0], np.clip(i - j + 1, 0, 3))


def test_a_head_whose_gates_open_at_full_stops_counts_sentences() -> None:
    stop = np.array([0, 0, 1, 0, 1, 0])
    k = np.where(stop, 100.0, -100.0)[None, :, None]
    gates = cope.gates(np.ones((1, 6, 1)), k, HERE, HERE)
    last = cope.contextual_positions(gates)[0, -1]
    np.testing.assert_allclose(last, [2, 2, 2, 1, 1, 0], rtol=0, atol=1e-12)


def test_future_keys_do_not_count() -> None:
    q, k, _ = content()
    gates = cope.gates(q, k, HERE, HERE)
    np.testing.assert_array_equal(gates[:, ~np.tri(LENGTH, dtype=bool)], 0)
    assert np.all(gates[:, np.tri(LENGTH, dtype=bool)] > 0)


def test_words_between_change_the_position_of_a_key() -> None:
    q, k, _ = content()
    e = np.random.default_rng(13).standard_normal((LENGTH + 1, WIDTH))
    other = k.copy()
    other[:, 3] = -other[:, 3]
    one, two = (cope.terms(q, keys, HERE, HERE, e) for keys in (k, other))
    assert np.all(one.content_position[:, -1, 2] != two.content_position[:, -1, 2])
    np.testing.assert_array_equal(one.content_position[:, -1, 4:], two.content_position[:, -1, 4:])


def test_at_the_released_start_there_is_no_position_at_all() -> None:
    q, k, e = content()
    np.testing.assert_array_equal(cope.terms(q, k, HERE, HERE, 0 * e).total(), nope.terms(q, k).total())


def test_separate_keys_move_positions_and_nothing_else() -> None:
    q, k, e = content()
    rng = np.random.default_rng(11)
    separate = {"x_k": rng.standard_normal((LENGTH, WIDTH)), "w_gate": rng.standard_normal((2, WIDTH, WIDTH))}
    terms, plain = cope.terms(q, k, HERE, HERE, e, **separate), cope.terms(q, k, HERE, HERE, e)
    np.testing.assert_array_equal(terms.content_content, plain.content_content)
    gates = cope.gates(q, separate["x_k"] @ separate["w_gate"], HERE, HERE)
    expected = cope.interpolated(q @ e.mT, cope.contextual_positions(gates, 3)) / 2
    np.testing.assert_allclose(terms.content_position, expected, rtol=0, atol=1e-12)
    assert np.abs(terms.content_position - plain.content_position).max() > 0.1
    np.testing.assert_allclose(cope.scores(q, k, HERE, HERE, e, **separate), terms.total(), rtol=0, atol=1e-12)


def test_vectors_lie_on_the_line_between_two_rows() -> None:
    e = content()[2]
    expected = [e[0], 0.75 * e[1] + 0.25 * e[2], e[2], e[2]]
    np.testing.assert_allclose(cope.vectors(np.array([0, 1.25, 2, 50]), e), expected, rtol=0, atol=1e-12)


def test_every_key_up_to_the_query_is_needed() -> None:
    q, k, e = content()
    for function in (cope.terms, cope.scores):
        with pytest.raises(ValueError, match="key position 9 follows 7; CoPE counts over every key, so it must be 8"):
            function(q, k, HERE, np.array([3, 4, 5, 6, 7, 9]), e)
        with pytest.raises(ValueError, match="query position is 9; the keys end at 8"):
            function(q, k, HERE + 1, HERE, e)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="npos is 0; it must be at least 1"):
        cope.tables(4, 2, 0)
    with pytest.raises(ValueError, match=r"position is -0\.5; it must be at least 0"):
        cope.vectors(np.array([-0.5]), content()[2])


@pytest.mark.parametrize("separate", [False, True])
def test_torch(separate: bool) -> None:
    rng = np.random.default_rng(12)
    learned = [rng.standard_normal((LENGTH, WIDTH)), rng.standard_normal((2, WIDTH, WIDTH))] if separate else []
    seam.same_numbers(lambda q, k, e, *gate: cope.scores(q, k, HERE, HERE, e, True, *gate), [*content(), *learned])

    def logits(q: np.ndarray, k: np.ndarray, e: np.ndarray, *gate: np.ndarray) -> np.ndarray:
        return cope.terms(q, k, HERE[-2:], HERE, e, True, *gate).total()

    q, k, e = content()
    seam.same_numbers(logits, [q[:, -2:], k, e, *learned])
    seam.right_gradients(logits, [q[:, -2:], k, e, *learned])
