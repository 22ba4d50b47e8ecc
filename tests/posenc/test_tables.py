"""Learned tables, their starts, and draws that stay put."""

import numpy as np
import pytest

from posenc.tables import Table, constant, draw, normal, size, stream, uniform


def test_a_stream_depends_on_its_labels_alone() -> None:
    np.testing.assert_array_equal(stream(0, "word", "great").integers(10**9, size=2), [344372628, 673830353])
    assert stream("ab", "c").integers(10**9) != stream("a", "bc").integers(10**9)
    assert stream(1, 2).integers(10**9) == stream(np.int64(1), np.int64(2)).integers(10**9)


def test_rows_of_clipped_offsets_keep_their_values_when_the_clip_distance_grows() -> None:
    small, large = (draw({"a": Table((2 * k + 1, 3), normal(1.0), first=-k)}, 0, [0])["a"] for k in (4, 5))
    np.testing.assert_array_equal(large[1:-1], small)


@pytest.mark.parametrize("axis", [0, 1])
def test_heads_keep_their_values_when_there_are_more(axis: int) -> None:
    few, many = (Table((heads, 5) if axis == 0 else (5, heads), normal(1.0), head_axis=axis) for heads in (8, 12))
    drawn = draw({"a": few}, 0, range(8))["a"]
    np.testing.assert_array_equal(draw({"a": many}, 0, range(12))["a"].take(range(8), axis), drawn)
    np.testing.assert_array_equal(draw({"a": many}, 0, [7, 2])["a"], drawn.take([7, 2], axis))


def test_tables_without_heads_are_the_same_for_all() -> None:
    table = {"a": Table((5, 3), normal(1.0))}
    np.testing.assert_array_equal(draw(table, 0, [3])["a"], draw(table, 0, [0, 1])["a"])


def test_tables_of_other_names_and_seeds_differ() -> None:
    table = Table((4, 3), normal(1.0))
    drawn = draw({"a": table, "b": table}, 0, [0])
    assert np.all(drawn["a"] != drawn["b"])
    assert np.all(drawn["a"] != draw({"a": table}, 1, [0])["a"])


def test_starts_are_what_they_say() -> None:
    tables = {
        "n": Table((400, 8), normal(0.02)),
        "u": Table((400, 8), uniform(-1, 3)),
        "c": Table((2, 3), constant(0.5)),
        "e": Table((0, 3), normal(1)),
    }
    drawn = draw(tables, 0, [0])
    assert drawn["n"].std() == pytest.approx(0.02, rel=0.05)
    assert (drawn["u"].min(), drawn["u"].max()) == (pytest.approx(-1, abs=0.01), pytest.approx(3, abs=0.01))
    np.testing.assert_array_equal(drawn["c"], np.full((2, 3), 0.5))
    assert drawn["e"].shape == (0, 3)


def test_a_table_of_one_number_per_head_is_a_vector() -> None:
    assert draw({"a": Table((6,), normal(1.0), head_axis=0)}, 0, [4, 1])["a"].shape == (2,)


def test_size_counts_every_parameter_of_every_head() -> None:
    assert size({"a": Table((5, 3), normal(1.0)), "b": Table((32, 12), normal(1.0), head_axis=1)}) == 15 + 384
    assert size({}) == 0
