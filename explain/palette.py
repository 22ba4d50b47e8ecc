"""The colours, declared once: matrices on the board, the same matrices in Plotly, and the marks of content and position in text and curves.

Both matrix palettes are safe for colour-blind readers and keep their order in grey.
"""

from typing import NamedTuple

import numpy as np

Stops = tuple[tuple[float, str], ...]

# Blue for below zero, orange for above, white at zero: lightness falls to both sides.
SIGNED: Stops = (
    (0.0, "#08306b"),
    (0.15, "#2166ac"),
    (0.3, "#67a9cf"),
    (0.42, "#c6dff0"),
    (0.5, "#ffffff"),
    (0.58, "#fde0c2"),
    (0.7, "#f4a259"),
    (0.85, "#cc5500"),
    (1.0, "#7f2704"),
)
# For shares from 0 upward: white through green-blue to near black, lightness falling all the way.
SHARE: Stops = (
    (0.0, "#ffffff"),
    (0.1, "#e5f3ec"),
    (0.25, "#b5dccd"),
    (0.45, "#63b3ac"),
    (0.65, "#2b7f93"),
    (0.85, "#1b4a72"),
    (1.0, "#0b1d3f"),
)
MASKED = "#8f8f8f"

# Text and underlines in a tone must reach contrast 4.5 on both of Streamlit's grounds, hence one shade per theme.
TONES = {
    "content": {"light": "#0068a3", "dark": "#56b4e9"},
    "position": {"light": "#a84a00", "dark": "#f2994a"},
    "mixed": {"light": "#8a3f78", "dark": "#dda0cb"},
    "neutral": {"light": "#565b66", "dark": "#b4bac6"},
}
# Curves of several series: Okabe and Ito's, ordered so that neighbours also differ in lightness.
SERIES = ("#0072b2", "#e69f00", "#d55e00", "#56b4e9", "#009e73", "#7a7a7a", "#cc79a7")
# A curve or a bar of a term keeps to its tone: of those colours the one nearest to it.
OF_TONE = {"content": SERIES[0], "mixed": SERIES[6], "position": SERIES[2]}


class Range(NamedTuple):
    """What the ends of a colour scale stand for, and its colours."""

    low: float
    high: float
    stops: Stops


def signed(*matrices: np.ndarray) -> Range:
    """One symmetric range for signed matrices that are compared; ±1 where all is zero."""
    top = max((float(np.nanmax(np.abs(m), initial=0.0)) for m in matrices), default=0.0)
    top = top if top > 0 else 1.0
    return Range(-top, top, SIGNED)


def share(*matrices: np.ndarray) -> Range:
    """One range from 0 for probabilities and other amounts that are compared; up to 1 where all is zero."""
    top = max((float(np.nanmax(m, initial=0.0)) for m in matrices), default=0.0)
    return Range(0.0, top if top > 0 else 1.0, SHARE)


def paint(values: np.ndarray, scale: Range) -> np.ndarray:
    """Each number's colour, uint8 (…, 3); NaN takes the colour of masked cells."""
    at = np.array([stop for stop, _ in scale.stops])
    colours = np.array([[int(colour[c : c + 2], 16) for c in (1, 3, 5)] for _, colour in scale.stops])
    where = np.clip((values - scale.low) / (scale.high - scale.low), 0, 1)
    channels = [np.interp(where, at, colours[:, c]) for c in range(3)]
    painted = np.stack(channels, axis=-1)
    painted[np.isnan(values)] = [int(MASKED[c : c + 2], 16) for c in (1, 3, 5)]
    return painted.round().astype(np.uint8)
