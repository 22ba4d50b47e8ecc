"""A page's own curves: variants over one axis, named by the page's texts, and one head among the others."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from explain import figures
from explain.figures import Mark, Series
from explain.parts.convention import figure
from explain.parts.opening import Topic
from explain.words import text

Variant = TypeVar("Variant", bound=Hashable)


def curves(
    page: Topic,
    key: str,
    x: np.ndarray,
    variants: Mapping[Variant, np.ndarray],
    x_title: str,
    y_title: str,
    *,
    called: Mapping[Variant, str] | None = None,
    tones: Mapping[Variant, str] | None = None,
    steps: bool = False,
    log_axes: str = "",
    from_zero: bool = False,
    marks: Sequence[Mark] = (),
    **facts: object,
) -> None:
    """A page's own figure of a curve per variant: id → values (n,), or (3, n) where they are the middle of a band, low and high around it.

    A curve with fewer values than x ends before it. `log_axes` are the logarithmic ones: "x", "y" or "xy". What is content or position,
    or both, says so by its tone.
    The page's texts `<key>.<id>` name the curves, unless they are `called` something; `<key>.caption` says what to look at.
    """
    names = called or {name: page.say(f"{key}.{name}", **facts) for name in variants}
    series = []
    for name, values in variants.items():
        low, middle, high = values if np.ndim(values) == 2 else (None, values, None)
        series.append(Series(names[name], x[: len(middle)], middle, low, high, steps=steps, tone=(tones or {}).get(name, "")))
    drawn = figures.curves(
        series, x_title=x_title, y_title=y_title, log_x="x" in log_axes, log_y="y" in log_axes, from_zero=from_zero, marks=marks
    )
    figure(page, key, drawn, **facts)


def among_heads(x: np.ndarray, rows: np.ndarray, head: int) -> list[Series]:
    """One head's curve, with those of the others thin behind it: rows (h, n) over x (n,)."""
    others = np.delete(rows, head, axis=0)
    thin = [Series(text("page", "heads.others"), *figures.apart(others, x), faint=True)] if len(others) else []
    return [*thin, Series(text("page", "head", head=head + 1), x, rows[head])]
