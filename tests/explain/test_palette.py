"""Colours: interpolated as declared, symmetric about zero, told apart in grey and by colour-blind readers."""

import numpy as np
import pytest

from explain import palette
from explain.palette import SERIES, SHARE, SIGNED, Range

LINEAR = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
"""What dichromats see, on linear RGB (Machado et al. 2009, severity 1)."""


def rgb(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def linear(colour: np.ndarray) -> np.ndarray:
    share = np.asarray(colour) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def luminance(colour: np.ndarray) -> np.ndarray:
    return linear(colour) @ np.array([0.2126, 0.7152, 0.0722])


def lightness(of_luminance: np.ndarray) -> np.ndarray:
    """CIE L*."""
    return 116 * np.cbrt(np.maximum(of_luminance, 0.008856)) - 16


def shades(stops: palette.Stops, count: int = 101) -> np.ndarray:
    return palette.paint(np.linspace(0, 1, count), Range(0, 1, stops))


@pytest.mark.parametrize("stops", [SIGNED, SHARE])
def test_paint_interpolates_linearly(stops: palette.Stops) -> None:
    """Against the definition, one number at a time."""
    scale = Range(-2.0, 6.0, stops)
    for value in [-2.0, -1.999, 0.1, 1.0, 2.0, 3.3, 5.7, 6.0]:
        share = (value + 2) / 8
        upper = next(place for place in range(1, len(stops)) if stops[place][0] >= share)
        (low, one), (high, other) = stops[upper - 1], stops[upper]
        part = (share - low) / (high - low)
        wanted = [a + part * (b - a) for a, b in zip(rgb(one), rgb(other), strict=True)]
        assert np.abs(palette.paint(np.array([value]), scale)[0] - np.array(wanted)).max() <= 0.5


def test_ends_and_beyond() -> None:
    scale = Range(-1.0, 1.0, SIGNED)
    painted = palette.paint(np.array([[-9.0, -1.0], [1.0, np.inf]]), scale)
    assert painted.dtype == np.uint8
    assert painted.tolist() == [[rgb(SIGNED[0][1])] * 2, [rgb(SIGNED[-1][1])] * 2]


def test_masked_cells_have_their_own_colour() -> None:
    painted = palette.paint(np.array([np.nan, 0.0]), palette.signed(np.array([1.0])))
    assert painted.tolist() == [rgb(palette.MASKED), [255, 255, 255]]
    for stops in (SIGNED, SHARE):
        assert np.abs(shades(stops).astype(int) - rgb(palette.MASKED)).max(axis=1).min() > 15


def test_signed_ranges_are_symmetric_and_shared() -> None:
    assert palette.signed(np.array([-3.0, 1.0]), np.array([2.0])) == Range(-3.0, 3.0, SIGNED)
    assert palette.signed(np.array([np.nan, 0.25])) == Range(-0.25, 0.25, SIGNED)


def test_shares_start_at_zero() -> None:
    assert palette.share(np.array([0.25, 0.5]), np.array([np.nan])) == Range(0.0, 0.5, SHARE)


@pytest.mark.parametrize("nothing", [np.zeros((2, 2)), np.full((2, 2), np.nan), np.zeros((0, 3))])
def test_no_data_still_have_a_range(nothing: np.ndarray) -> None:
    assert palette.signed(nothing) == Range(-1.0, 1.0, SIGNED)
    assert palette.share(nothing) == Range(0.0, 1.0, SHARE)
    assert palette.paint(nothing, palette.signed(nothing)).shape == (*nothing.shape, 3)


def test_nothing_at_all_has_a_range() -> None:
    assert palette.signed() == Range(-1.0, 1.0, SIGNED)


def test_zero_is_white_and_both_sides_darken_in_grey() -> None:
    light = lightness(luminance(shades(SIGNED)))
    assert shades(SIGNED)[50].tolist() == [255, 255, 255]
    assert (np.diff(light[:51]) > 0).all()
    assert (np.diff(light[50:]) < 0).all()


def test_shares_darken_all_the_way_in_grey() -> None:
    assert (np.diff(lightness(luminance(shades(SHARE)))) < 0).all()


@pytest.mark.parametrize("seen_by", LINEAR)
def test_colour_blind_readers_tell_the_sign_and_keep_the_order(seen_by: str) -> None:
    seen = np.clip(linear(shades(SIGNED)) @ np.array(LINEAR[seen_by]).T, 0, 1)
    light = lightness(seen @ np.array([0.2126, 0.7152, 0.0722]))
    assert (np.diff(light[:51]) > 0).all()
    assert (np.diff(light[50:]) < 0).all()
    # Half-way and further out, below and above zero differ in more than lightness.
    assert np.linalg.norm(seen[:26] - seen[::-1][:26], axis=1).min() > 0.12
    shares = np.clip(linear(shades(SHARE)) @ np.array(LINEAR[seen_by]).T, 0, 1) @ np.array([0.2126, 0.7152, 0.0722])
    assert (np.diff(lightness(shares)) < 0).all()


def test_neighbouring_series_differ_in_lightness_too() -> None:
    light = lightness(luminance(np.array([rgb(colour) for colour in SERIES])))
    assert np.abs(np.diff(light)).min() > 6
    assert len(set(SERIES)) == len(SERIES)


@pytest.mark.parametrize("ground", ["#ffffff", "#0e1117"])
def test_series_stand_out_from_both_grounds(ground: str) -> None:
    """A curve of 2 pixels is seen at contrast 2; each also has a dash of its own and a name in the legend."""
    for colour in SERIES:
        low, high = sorted([luminance(np.array(rgb(colour))), luminance(np.array(rgb(ground)))])
        assert (high + 0.05) / (low + 0.05) >= 2
