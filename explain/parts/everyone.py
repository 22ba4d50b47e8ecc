"""One measurement on every scheme, at the present knobs."""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
import streamlit as st

from explain import controls, figures, panels, stage
from explain.parts.opening import Page
from explain.parts.reorder import MOST
from explain.words import ROUNDING, amount, text
from posenc import catalogue

T = TypeVar("T")
Named = tuple[tuple[str, Hashable], ...]
Measure = Callable[..., float | None]
"""Of a scheme's module, a setting and named arguments, one number."""


def everyone(page: Page, key: str, measure: Measure, *, written: Callable[[float | None], str] = amount, **arguments: Hashable) -> None:
    """A bar for every scheme, by family in reading order: `measure` of it on the page's words.

    Text `<key>.amount` names the measured number, `<key>.caption` says what to look at: {{none}} are the schemes where it is nothing but
    rounding, {{most}} is the one with the largest. Schemes that have no such number at these knobs are left without a bar.
    """
    found = measured(page, measure, **arguments)
    groups = []
    for family, names in catalogue.FAMILIES.items():
        lengths = np.array([np.nan if found[name] is None else found[name] for name in names])
        ends = [written(found[name]) for name in names]
        # A bar of no length still carries what is written at its end.
        groups.append((text("frame", f"family.{family}"), [text(name, "title") for name in names], np.nan_to_num(lengths), ends))
    known = {name: value for name, value in found.items() if value is not None}
    nothing = [text(name, "title") for name, value in known.items() if value < ROUNDING]
    facts = {
        "none": ", ".join(nothing) or text("page", "none"),
        "most": text(max(known, key=known.__getitem__), "title"),
        "count": len(nothing),
        "all": len(known),
    }
    cut = " " + text("page", "first_words", count=MOST) if page.setting.length > MOST else ""
    figure = figures.ranked(groups, x_title=page.say(f"{key}.amount"))
    panels.show(page.name, key, page.say(f"{key}.caption", **facts) + cut, figure, about=())


def measured(page: Page, measure: Callable[..., T], **arguments: Hashable) -> dict[str, T | None]:
    """What `measure` finds of every scheme on the first words, at the present knobs; None where a scheme refuses them."""
    knobs = tuple((name, controls.value(name)) for name in controls.KNOBS)
    changes = (("words", page.setting.words[:MOST]), ("causal", page.setting.causal), ("first", page.setting.first))
    return _measured(measure, changes, knobs, tuple(arguments.items()))


@lru_cache(maxsize=64)
def _measured(measure: Callable[..., T], changes: Named, _knobs: Named, arguments: Named) -> dict[str, T | None]:
    found: dict[str, T | None] = {}
    for name in catalogue.SCHEMES:
        scheme = catalogue.load(name)
        try:
            found[name] = measure(scheme, controls.setting(scheme).change(**dict(changes)), **dict(arguments))
        except ValueError:  # a position beyond a table, an odd width
            found[name] = None
    return found


def table(page: Page, key: str, rows: Sequence[Sequence[str]], **facts: object) -> None:
    """A page's own table: text `<key>.columns` names its columns, one a line; cells are Markdown."""
    if stage.request():
        return
    columns = page.say(f"{key}.columns", **facts).splitlines()
    lines: list[Sequence[str]] = [columns, ["---"] * len(columns), *rows]
    st.markdown("\n".join("| " + " | ".join(line) + " |" for line in lines))
