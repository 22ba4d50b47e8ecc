"""How much a part of the logits decides."""

import math

import numpy as np
import pytest

from posenc import influence
from posenc.terms import Terms
from tests.posenc import seam

RNG = np.random.default_rng(1)
PART = RNG.standard_normal((2, 3, 4))


def test_spread_is_what_is_left_when_rows_lose_their_mean() -> None:
    for h in range(2):
        total = 0.0
        for i in range(3):
            mean = sum(PART[h, i]) / 4
            total += sum((value - mean) ** 2 for value in PART[h, i])
        assert influence.spread(PART)[h] == pytest.approx(math.sqrt(total / 12), abs=1e-14)
    seam.same_numbers(influence.spread, [PART])


def test_a_uniform_part_has_no_spread_and_moves_nothing() -> None:
    uniform = np.broadcast_to(RNG.standard_normal((2, 3, 1)), PART.shape)
    np.testing.assert_allclose(influence.spread(uniform), [0, 0], rtol=0, atol=1e-15)
    found = influence.moved(Terms(content_content=PART, content_position=uniform), {"it": ["content_position"]})
    np.testing.assert_allclose(found["it"], [0, 0], rtol=0, atol=1e-15)


def test_moved_is_the_share_of_attention_that_goes_elsewhere() -> None:
    """One query that looks at its first key because of one term, and at its second without it."""
    terms = Terms(content_content=np.array([[[0.0, 50.0]]]), position_position=np.array([[[100.0, 0.0]]]))
    found = influence.moved(terms, {"position": ["position_position"], "all": ["content_content", "position_position"]})
    assert found["position"] == pytest.approx(1, abs=1e-15)
    assert found["all"] == pytest.approx(0.5, abs=1e-15)
    with pytest.raises(ValueError, match="part is 'interaction'; it must be one of 'content_content', 'position_position'"):
        influence.moved(terms, {"it": ["interaction"]})


def test_by_offset_is_the_mean_of_each_diagonal() -> None:
    square = RNG.standard_normal((2, 5, 5))
    offsets, means = influence.by_offset(square)
    assert offsets.tolist() == list(range(-4, 5))
    for h in range(2):
        for column, offset in enumerate(offsets):
            values = [square[h, i, i + offset] for i in range(5) if 0 <= i + offset < 5]
            assert means[h, column] == pytest.approx(sum(values) / len(values), abs=1e-14)
    offsets, means = influence.by_offset(np.array([[[7.0]]]))
    assert (offsets.tolist(), means.tolist()) == ([0], [[7.0]])
