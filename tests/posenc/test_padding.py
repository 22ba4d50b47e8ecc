"""Where tokens stand when a sequence holds padding."""

import numpy as np
import pytest

from posenc.padding import after_padding_row, counted

LEFT, INSIDE = [0, 0, 1, 1, 1], [1, 0, 1, 1, 0]


def test_bloom_counts_real_tokens_from_0() -> None:
    np.testing.assert_array_equal(counted(LEFT), [0, 0, 0, 1, 2])
    np.testing.assert_array_equal(counted(INSIDE), [0, 0, 1, 2, 0])


def test_roberta_starts_on_the_row_after_the_padding_row() -> None:
    np.testing.assert_array_equal(after_padding_row(np.array([5, 6, 7, 1]) != 1), [2, 3, 4, 1])
    np.testing.assert_array_equal(after_padding_row(LEFT), [1, 1, 2, 3, 4])
    np.testing.assert_array_equal(after_padding_row(INSIDE, 0), [1, 0, 2, 3, 0])


def test_514_rows_hold_512_tokens() -> None:
    assert after_padding_row(np.ones(512)).max() == 513


def test_a_negative_padding_row_is_refused() -> None:
    with pytest.raises(ValueError, match="padding_idx is -1; it must be at least 0"):
        after_padding_row(LEFT, -1)
