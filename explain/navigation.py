"""The pages there are, under their headings and in reading order, and which knobs act on each."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from explain import controls
from explain.words import language, text
from posenc import catalogue

FOLDER = Path(__file__).parents[1] / "pages"
START = "start"
PICKERS = ("first_scheme", "second_scheme", "third_scheme", "fourth_scheme")
IDEAS: dict[str, tuple[str, ...]] = {
    "order": ("scheme", "sentence", "order", "swap_a", "swap_b", "reordered", "head", "width", "loud", "seed"),
    "absolute_or_relative": ("scheme", "sentence", "moved", "length", "head", "causal", "width", "loud", "first", "seed"),
    "four_terms": ("scheme", "sentence", "length", "head", "causal", "width", "loud", "first", "seed"),
    "bias_or_context": ("scheme", "sentence", "exchanged", "length", "head", "causal", "width", "loud", "seed"),
    "compare": (*PICKERS, "sentence", "length", "head", "causal", "width", "loud", "first", "seed"),
    "ranking": ("sentence", "length", "head", "causal", "width", "loud", "first", "seed"),
    "real_model": ("sentence", "head"),
    "trained_tables": ("head",),
    "your_model": ("head", "max_distance", "causal"),
}
"""The pages between the schemes, in reading order, each with its knobs."""


def page(name: str) -> StreamlitPage:
    """The page of that name; its URL path is the name, the start page's is empty.

    Each session has its own: Streamlit keeps in the object whether it may be run.
    """
    mine: dict[tuple[str, str], StreamlitPage] = st.session_state.setdefault("_pages", {})
    key = name, language()
    if key not in mine:
        mine[key] = st.Page(FOLDER / f"{name}.py", title=text(name, "title"), url_path=name, default=name == START)
    return mine[key]


def sections() -> dict[str, list[StreamlitPage]]:
    """Every page under its heading."""
    ideas = {text("frame", "ideas"): [page(name) for name in IDEAS]}
    families = {text("frame", f"family.{family}"): [page(name) for name in names] for family, names in catalogue.FAMILIES.items()}
    return {"": [page(START)], **ideas, **families}


def knobs(shown: StreamlitPage) -> set[str]:
    """The knobs that change something on a page as they stand."""
    name = shown.url_path or START
    return acting(name, of=controls.awake) - controls.waiting(set(IDEAS.get(name, ())), controls.value)


def acting(name: str, value: Callable[[str], Any] = controls.value, of: Callable[[ModuleType], set[str]] = controls.acting) -> set[str]:
    """The knobs that the page of that name depends on: with pickers, those `of` the schemes that `value` says are picked."""
    if name in catalogue.SCHEMES:
        return of(catalogue.load(name))
    own = set(IDEAS.get(name, ()))
    compared = {value(picker) for picker in own.intersection(PICKERS)} - {controls.NOBODY}
    return own.union(*(of(catalogue.load(scheme)) - {"axes"} for scheme in compared))


def path() -> tuple[str, ...]:
    """All pages in reading order: the ideas, then the schemes."""
    return (*IDEAS, *catalogue.SCHEMES)


def neighbours(name: str) -> tuple[str | None, str | None]:
    """The pages before and after one, in reading order: the ideas, then the schemes."""
    order = path()
    at = order.index(name)
    return (order[at - 1] if at else None), (order[at + 1] if at + 1 < len(order) else None)
