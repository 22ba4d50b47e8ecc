"""Properties, measured on schemes whose properties are known."""

import math

import numpy as np
import pytest

from posenc import alibi, nope, shaw, sinusoidal, t5
from posenc.decay import curve
from posenc.measure import defined_at, direction, drawn, half_distance, properties, rises, translation_error
from posenc.setting import Setting

PLAIN = Setting(words=tuple(f"w{number}" for number in range(40)), width=16, heads=8, head=3, arguments={"clip": 4})


@pytest.mark.parametrize(("length", "most", "step"), [(1, 64, 1), (64, 64, 1), (65, 64, 2), (512, 256, 2), (513, 256, 3)])
def test_drawn_cells_are_an_even_stride_of_real_ones(length: int, most: int, step: int) -> None:
    np.testing.assert_array_equal(drawn(length, most), np.arange(0, length, step))
    assert len(drawn(length, most)) <= most


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scheme", [nope, shaw, t5, alibi])
def test_schemes_of_distances_do_not_notice_a_common_shift(scheme, causal: bool) -> None:
    assert translation_error(scheme, PLAIN.change(causal=causal)) == 0


def test_sinusoids_added_to_words_notice_a_common_shift() -> None:
    assert translation_error(sinusoidal, PLAIN) > 0.01


@pytest.mark.parametrize("scheme", [nope, alibi])
def test_schemes_blind_to_left_and_right(scheme) -> None:
    assert direction(scheme, PLAIN) == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("scheme", [sinusoidal, shaw, t5])
def test_schemes_that_tell_left_from_right(scheme) -> None:
    assert direction(scheme, PLAIN) > 0.1


@pytest.mark.parametrize("changes", [{"causal": True}, {"words": ("a", "b")}, {"words": ("a",)}])
def test_direction_makes_no_sense_without_both_sides(changes: dict) -> None:
    assert direction(sinusoidal, PLAIN.change(**changes)) is None


@pytest.mark.parametrize("length", [3, 4, 5])
def test_direction_compares_the_same_distance_on_both_sides(length: int) -> None:
    """T5's buckets of −1 and +1 (and ∓2) are 1 and 17 (2 and 18)."""
    table = np.zeros((32, 8))
    table[17], table[18] = 1.0, 5.0
    given = PLAIN.change(words=("a",) * length, trained={"table": table})
    assert direction(t5, given) == pytest.approx(5 if length == 5 else 1, abs=1e-14)


@pytest.mark.parametrize("head", range(8))
def test_alibis_attention_halves_at_ln_2_over_the_slope(head: int) -> None:
    by_distance = curve(alibi, PLAIN.change(words=("a",) * 400, head=head))
    assert half_distance(by_distance) == math.ceil(math.log(2) / alibi.slopes(8)[head])
    assert rises(by_distance) == 0


def test_half_distance_is_the_first_at_most_half_or_never() -> None:
    assert half_distance(np.array([0.4, 0.3, 0.2, 0.1])) == 2
    assert half_distance(np.array([0.4, 0.3, 0.3])) is None
    assert half_distance(np.array([1.0])) is None


def test_rises_are_counted_beyond_rounding() -> None:
    assert rises(np.array([0.5, 0.2, 0.3, 0.1, 0.15])) == 2
    assert rises(np.array([0.5, 0.2, 0.2 + 1e-16])) == 0
    assert rises(np.array([1.0])) == 0


@pytest.mark.parametrize("scheme", [nope, sinusoidal, shaw, t5, alibi])
def test_formulas_and_clipped_tables_are_defined_everywhere(scheme) -> None:
    assert defined_at(scheme, PLAIN)


def test_properties_are_numbers_by_name() -> None:
    assert properties(alibi, PLAIN) == {"translation_error": 0, "direction": 0, "rises": 0, "half_distance": 12, "defined": True}
    assert properties(nope, PLAIN.change(words=("a",), causal=True)) == {
        "translation_error": 0,
        "direction": None,
        "rises": 0,
        "half_distance": None,
        "defined": True,
    }
