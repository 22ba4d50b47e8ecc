"""FIRE against its equation, and what its page claims."""

from math import log, sqrt

import numpy as np
import pytest

from posenc import fire
from posenc.tables import draw
from tests.posenc import seam

HERE = np.arange(7)
THRESHOLD = 4.3
SCALE = {"c": np.array([0.6]), "multiplier": np.array([-0.9])}


def some_tables() -> dict[str, np.ndarray]:
    return draw(fire.tables(heads=3, mlp_width=5), 3, [0, 2]) | SCALE


def content() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(8)
    return rng.standard_normal((2, 7, 4)), rng.standard_normal((2, 7, 4))


def test_equation_pair_by_pair() -> None:
    q, k = content()
    tables = some_tables()
    terms, scores = (function(q, k, HERE, HERE, **tables, threshold=THRESHOLD) for function in (fire.terms, fire.scores))
    for head in range(2):
        for i in HERE:
            for j in HERE:
                word = sum(q[head, i, c] * k[head, j, c] for c in range(4)) / sqrt(4)
                z = log(abs(0.6 * (i - j)) + 1) / (log(0.6 * max(i, 0.9 * THRESHOLD) + 1) + 1e-6)
                hidden = [max(0.0, z * tables["w1"][0, unit] + tables["b1"][unit]) for unit in range(5)]
                output = sum(hidden[unit] * tables["w2"][unit, head] for unit in range(5)) + tables["b2"][head]
                assert terms.content_content[head, i, j] == pytest.approx(word, abs=1e-12)
                assert terms.position_position[head, i, j] == pytest.approx(output, abs=1e-12)
                assert scores[head, i, j] == pytest.approx(word + output, abs=1e-12)


def test_up_to_the_threshold_only_the_offset_counts() -> None:
    tables = some_tables()
    here, moved = (
        fire.bias(np.arange(first, first + 9)[:, None], np.arange(first, first + 9), **tables, threshold=50.0) for first in (0, 30)
    )
    np.testing.assert_array_equal(here, moved)


def test_beyond_the_threshold_the_query_position_counts_too() -> None:
    near, far = (fire.bias(i, i - 3, **some_tables(), threshold=8.0) for i in (20, 2000))
    assert np.all(np.abs(near - far) > 0.001)


@pytest.mark.parametrize("i", [8, 100, 100_000])
def test_distances_fill_the_unit_interval_at_any_length(i: int) -> None:
    z = fire.normalized_distance(i, np.arange(i + 1), np.array([0.1]), np.array([1.0]), 8.0)
    assert z[-1] == 0
    assert z[0] == pytest.approx(1, abs=2e-6)
    assert np.all(np.diff(z) < 0)
    assert np.all(z <= 1)


def test_future_mirrors_the_past_and_may_exceed_1() -> None:
    distance = np.arange(20)
    past, future = (fire.normalized_distance(20, 20 + sign * distance, **SCALE, threshold=2.0) for sign in (-1, 1))
    np.testing.assert_array_equal(past, future)
    assert fire.normalized_distance(20, 60, **SCALE, threshold=2.0) > 1


def test_start_is_the_one_of_the_papers_code() -> None:
    tables = draw(fire.tables(heads=4), 0, [0, 1, 2, 3])
    assert {name: table.shape for name, table in tables.items()} == {
        "w1": (1, 32), "b1": (32,), "w2": (32, 4), "b2": (4,), "c": (1,), "multiplier": (1,),
    }  # fmt: skip
    assert tables["c"] == 0.1
    assert tables["multiplier"] == 1
    assert all(np.all(np.abs(tables[name]) <= 1) for name in ("w1", "b1"))
    assert all(np.all(np.abs(tables[name]) <= 32**-0.5) for name in ("w2", "b2"))


def test_the_same_distance_seems_shorter_from_further_on() -> None:
    here, there = (fire.normalized_distance(i, i - 16, np.array([0.1]), np.array([1.0]), 16.0) for i in (16, 1600))
    assert here == pytest.approx(1, abs=2e-6)
    assert there == pytest.approx(0.188, abs=5e-4)


def test_wrong_arguments_are_refused() -> None:
    for function in (fire.terms, fire.scores):
        with pytest.raises(ValueError, match=r"threshold is 0\.5; it must be at least 1"):
            function(*content(), HERE, HERE, **some_tables(), threshold=0.5)
    with pytest.raises(ValueError, match="mlp_width is 0; it must be at least 1"):
        fire.tables(2, 0)


def test_torch() -> None:
    tables = some_tables()

    def logits(q: np.ndarray, k: np.ndarray, *learned: np.ndarray) -> np.ndarray:
        return fire.terms(q, k, HERE, HERE, *learned, THRESHOLD).total()

    seam.same_numbers(lambda q, k, *learned: fire.scores(q, k, HERE, HERE, *learned, THRESHOLD), [*content(), *tables.values()])
    seam.same_numbers(logits, [*content(), *tables.values()])
    seam.right_gradients(
        lambda *learned: fire.bias(HERE[:, None], np.array([0, 5]), *learned, THRESHOLD),
        list(tables.values()),
    )
