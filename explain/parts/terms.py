"""Part 5: the four terms of q·k on one colour scale, their sum, and the attention it gives."""

import numpy as np
import streamlit as st

from explain import palette, panels
from explain.board import Axis, Panel
from explain.parts.opening import Page
from explain.parts.vectors import strided
from explain.words import has, number, text
from posenc.attention import softmax
from posenc.measure import drawn
from posenc.setting import Setting, causal, scores, seen
from posenc.setting import terms as evaluate
from posenc.terms import Terms, residual

SHORT = {
    "content_content": ("cc", "content"),
    "content_position": ("cp", "mixed"),
    "position_content": ("pc", "mixed"),
    "position_position": ("pp", "position"),
    "interaction": ("ia", "mixed"),
}
CHECKED = 48
"""Tokens a side for which the logits are also computed the direct way: its cost grows with n²·d."""


def terms(page: Page) -> None:
    """The board of terms, sum and softmax; the equation with the chosen cell's numbers; the residual."""
    st.header(text("page", "terms"), anchor="terms")
    st.markdown(page.say("terms"))
    setting = page.setting
    kept = drawn(setting.length, panels.MOST)
    mask = seen(page.scheme, setting, kept)
    rows = evaluate(page.scheme, setting, kept)
    attention = np.where(mask, softmax(rows.total()[0], mask), np.nan)[:, kept]
    mask = mask[:, kept]
    drawn_terms = rows.pick(slice(None), kept)
    parts = {name: None if part is None else np.where(mask, part[0], np.nan) for name, part in drawn_terms._asdict().items()}
    if parts["interaction"] is None:
        del parts["interaction"]
    total = np.where(mask, drawn_terms.total()[0], np.nan)
    there = [part for part in parts.values() if part is not None]
    scales = {
        "logit": panels.scale(text("page", "logit"), palette.signed(*there, total)),
        "share": panels.scale(text("page", "attention"), palette.share(attention)),
    }
    shown = [
        Panel(SHORT[name][0], text("page", f"term.{name}"), "i", "j", "logit", part, SHORT[name][1], absence(page, name))
        for name, part in parts.items()
    ]
    shown.append(Panel("sum", text("page", "sum"), "i", "j", "logit", total))
    shown.append(Panel("att", text("page", "attention"), "i", "j", "share", attention))
    present = [SHORT[name][0] for name, part in parts.items() if part is not None]
    panels.matrices(
        shown,
        token_axes(setting, kept),
        scales,
        key=f"{page.name}-terms",
        caption=_caption(page, drawn_terms, mask) + strided(setting.length),
        readout=[
            text("page", "readout.cell"),
            text("page", "readout.sum", sum=" + ".join(f"{{{short}}}" for short in present)),
        ],
        first=setting.first,
        # With room, the 2 × 2 of terms stands as such, with what comes of it at its right.
        columns=4 if "ia" in present else 3,
        wide=[short for short in ("cc", "cp", "ia", "sum", "pc", "pp", "att") if short != "ia" or "ia" in present],
    )
    st.caption(_proof(page))


def token_axes(setting: Setting, kept: np.ndarray) -> dict[str, Axis]:
    """The query axis and the key axis: the tokens at their positions."""
    words = [setting.words[token] for token in kept]
    return {
        "i": Axis(text("page", "query") + " ↓", words, kept + setting.first),
        "j": Axis(text("page", "key") + " →", words, kept + setting.first),
    }


def absence(page: Page, term: str) -> str:
    """Why a term is missing, in the page's own words where it has some."""
    return page.say(f"absent.{term}") if has(page.name, f"absent.{term}") else text("page", "absent")


def _caption(page: Page, parts: Terms, mask: np.ndarray) -> str:
    spread = {name: float(np.std(part[0][mask])) for name, part in parts.present()}
    total = sum(value**2 for value in spread.values()) or 1.0
    shares = {SHORT[name][0]: f"{100 * value**2 / total:.0f} %" for name, value in spread.items()}
    return page.say("terms.caption", **{short: shares.get(short, "–") for short, _ in SHORT.values()})


def _proof(page: Page) -> str:
    some = drawn(page.setting.length, CHECKED)
    gap = residual(evaluate(page.scheme, page.setting, some).pick(slice(None), some), scores(page.scheme, page.setting, some)[..., some])
    return text("page", "proof", residual=number(gap, 2), pairs=number(len(some) ** 2), masked=text("page", "proof.masked") if causal(page.scheme, page.setting) else "")
