"""Where published forms of a scheme differ: the proof that two are one, or where they part; and a page's own figures."""

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from types import ModuleType

import numpy as np

from explain import palette, panels, stage
from explain.board import Axis, Panel
from explain.figures import Figure
from explain.parts.opening import Page, Topic
from explain.view import Matrices
from explain.words import has, number, text
from posenc.measure import drawn

SAME = 1e-12
"""Two float64 results no further apart than this, relative to the larger, are the same but for rounding."""


def convention(page: Page, key: str, one: np.ndarray, other: np.ndarray, **facts: object) -> None:
    """Two published forms, computed: says whether they are the same, and by how much they differ at most.

    The page's text `convention.<key>` names them and says what was done before comparing (a permutation, a softmax); {{difference}} is
    for it to use.
    """
    gap = float(np.abs(one - other).max(initial=0.0))
    same = gap <= SAME * max(1.0, float(np.abs(one).max(initial=0.0)))
    verdict = text("page", "same" if same else "different")
    stage.verdict(same, f"**{verdict}** {page.say(f'convention.{key}', difference=number(gap, 2), **facts)}")


def beside(
    page: Page,
    key: str,
    matrices: Mapping[str, np.ndarray],
    axes: Mapping[str, Axis],
    *,
    sides: Mapping[str, tuple[str, str]] | None = None,
    share: bool = False,
    apart: bool = False,
    differences: Collection[str] = (),
    masked: str = "",
    called: Mapping[str, str] | None = None,
    about: Sequence[ModuleType] | None = None,
    **facts: object,
) -> None:
    """A page's own matrices beside each other on one scale, `differences` on another, or `apart` on one each: id → values.

    Rows run along axis "i" and columns along "j", or along `sides`. The page's texts `<key>.<id>` name the matrices, unless they are
    `called` something, `<key>.caption` says what to look at, `<key>.scale`, where there is one, names the colours. `masked` is what cells
    without a number are, `about` the schemes that they show where it is not the page's.
    """
    paint = palette.share if share else palette.signed
    names = dict(called or {}) or {name: page.say(f"{key}.{name}") for name in matrices}
    along = dict.fromkeys(matrices, ("i", "j")) | dict(sides or {})
    amount = page.say(f"{key}.scale") if has(page.name, f"{key}.scale") else text("page", "attention" if share else "logit")
    kinds = {name: name if apart else "differences" if name in differences else "value" for name in matrices}
    titles = {**names, "value": amount, "differences": text("page", "difference")}
    scales = {}
    for kind in dict.fromkeys(kinds.values()):
        colours = palette.signed if kind == "differences" else paint
        scales[kind] = panels.scale(titles[kind], colours(*(matrices[name] for name in matrices if kinds[name] == kind)))
    panels.show(
        page.name,
        key,
        page.say(f"{key}.caption", **facts),
        Matrices(
            [Panel(name, names[name], *along[name], kinds[name], values) for name, values in matrices.items()],
            axes,
            scales,
            readout=[readout(names)],
            masked=masked,
            columns=min(len(matrices), 3),
            first=min((int(axes[axis].index[0]) for axis in ("i", "j") if axis in axes), default=0),
        ),
        about=(page.scheme,) if about is None else tuple(about),
    )


def readout(names: Mapping[str, str]) -> str:
    """The board's line with the numbers of several panels, each under its name: id → name."""
    return reduce(
        lambda before, item: text("page", "readout.then", before=before, item=item),
        (text("page", "readout.named", name=name, value=f"{{{panel}}}") for panel, name in names.items()),
    )


def numbered(title: str, numbers: np.ndarray) -> Axis:
    """An axis that counts: each position is called by its number."""
    return Axis(title, [str(one) for one in numbers], numbers)


def pairs(i: np.ndarray, j: np.ndarray) -> dict[str, Axis]:
    """The query axis and the key axis of a figure without words: positions, called by their numbers."""
    return {"i": numbered(text("page", "query") + " ↓", i), "j": numbered(text("page", "key") + " →", j)}


def worded(rows: str, columns: str, words: Sequence[str]) -> dict[str, Axis]:
    """A query axis and a key axis of one text, under names of the page's choice: its words, counted from 0."""
    places = np.arange(len(words))
    return {rows: Axis(text("page", "query") + " ↓", words, places), columns: Axis(text("page", "key") + " →", words, places)}


def dimensions(width: int, most: int = panels.MOST) -> dict[str, Axis]:
    """The axis "c" of a vector's dimensions, at most so many of them."""
    return {"c": numbered(text("page", "dimension") + " →", drawn(width, most))}


def figure(page: Topic, key: str, drawn: Figure, **facts: object) -> None:
    """A page's own curve or bar chart, with its text `<key>.caption`."""
    about = (page.scheme,) if isinstance(page, Page) else None
    panels.show(page.name, key, page.say(f"{key}.caption", **facts), drawn, about=about)


def heading(page: Topic, key: str, **facts: object) -> None:
    """A page's own part: its title `<key>.title` and its words `<key>`."""
    stage.heading(page.say(f"{key}.title", **facts), key)
    stage.prose(page.say(key, **facts))
