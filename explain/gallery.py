"""Small pictures of schemes, each a link to its page."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st

from explain import controls, navigation, palette
from explain.words import text
from posenc import catalogue
from posenc.setting import seen, terms

WIDTH = 148
SIDE = 8
"""Screen pixels per cell, so that browsers have nothing to smooth."""


def cards(names: Sequence[str]) -> None:
    """A card per scheme: what position adds to the logits at the default knobs, and its link, which shows its sentence."""
    with st.container(horizontal=True, gap="small"):
        for name in names:
            with st.container(width=WIDTH, gap="xxsmall", key=f"card-{name}"):
                st.image(picture(name), width="stretch", alt=text("start", "picture.of", name=text(name, "title")))
                year = catalogue.load(name).REFERENCES[0].year
                st.page_link(navigation.page(name), label=f"{text(name, 'title')} · {year}", help=text(name, "sentence"), width="stretch")


def ideas() -> None:
    """The pages between the schemes, in reading order, each with its sentence."""
    with st.container(horizontal=True, gap="small", key="ideas"):
        for name in navigation.IDEAS:
            with st.container(border=True, gap="xxsmall"):
                st.page_link(navigation.page(name), label=f"**{text(name, 'title')}**", width="stretch")
                st.caption(text(name, "sentence"))


@cache
def picture(name: str) -> np.ndarray:
    """The positional part of the logits at the defaults, as an image (uint8)."""
    scheme = catalogue.load(name)
    setting = controls.default_setting(scheme)
    matrix = np.where(seen(scheme, setting), terms(scheme, setting).positional()[0], np.nan)
    return palette.paint(matrix, palette.signed(matrix)).repeat(SIDE, axis=0).repeat(SIDE, axis=1)
