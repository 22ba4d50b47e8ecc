"""What every scheme made of the four terms: its formula for each, and a small picture of the term itself."""

import base64
from functools import cache
from io import BytesIO

import numpy as np
import streamlit as st
from PIL import Image

from explain import controls, formulas, navigation, palette, stage
from explain.parts.opening import Page
from explain.parts.terms import FOUR
from explain.words import coloured, language, text
from posenc import catalogue
from posenc.attention import visible
from posenc.setting import causal, terms

TOKENS = 12
"""Tokens a side of a picture."""
SIDE = 8
"""Pixels per cell."""


def overview(page: Page, key: str) -> None:
    """A row of tiles per scheme, one for each term: what became of it, its picture, its formula. On a phone the tiles stand two by two."""
    if stage.request():
        return
    stage.heading(page.say(f"{key}.title"), key)
    stage.prose(page.say(key))
    for family, names in catalogue.FAMILIES.items():
        st.subheader(text("frame", f"family.{family}"), anchor=False)
        for name in names:
            with st.container(key=f"tiles-{name}", gap="xxsmall"):
                st.page_link(navigation.page(name), label=f"**{text(name, 'title')}**", help=text(name, "sentence"))
                st.markdown(coloured(tiles(page.name, name, language())))


@cache
def tiles(page: str, name: str, _language: str) -> str:
    """The tiles of a scheme as a list in Markdown, which the look lays out as a grid."""
    shown = pictures(name)
    lines = []
    for term in (*FOUR, *(["interaction"] if "interaction" in shown else [])):
        part = formulas.part(name, term)
        title = text("page", f"term.{term}")
        fate = text(page, f"fate.{part.fate}")
        formula = f" ${part.formula}$" if part.formula else ""
        alt = text(page, "picture.of", term=title, name=text(name, "title"))
        lines.append(f"- ![{alt}]({shown.get(term) or absent()}) {title} *{fate}*{formula}")
    return "\n".join(lines)


@cache
def pictures(name: str) -> dict[str, str]:
    """Each term that a scheme has, at the default knobs and on a scale of its own, as an image in a URL."""
    scheme = catalogue.load(name)
    setting = controls.default_setting(scheme)
    setting = setting.change(words=setting.words[:TOKENS])
    there = dict(terms(scheme, setting).present())
    seen = visible(np.arange(TOKENS), np.arange(TOKENS), causal(scheme, setting))
    masked = {term: np.where(seen, values[0], np.nan) for term, values in there.items()}
    painted = {term: palette.paint(values, palette.signed(values)) for term, values in masked.items()}
    return {term: _url(pixels.repeat(SIDE, axis=0).repeat(SIDE, axis=1)) for term, pixels in painted.items()}


@cache
def absent() -> str:
    """What stands where a scheme has no such term: hatching, on whatever ground the page has."""
    across = np.add.outer(np.arange(TOKENS * SIDE), np.arange(TOKENS * SIDE))
    lines = np.where(across % 12 < 2, 255, 0)
    return _url(np.stack([np.full_like(lines, 128)] * 3 + [lines], axis=-1).astype(np.uint8))


def _url(pixels: np.ndarray) -> str:
    file = BytesIO()
    Image.fromarray(pixels).quantize(128).save(file, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
