"""A sentence and its words in another order, as the reader asks for it."""

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from explain import controls, stage
from explain.parts.opening import Page
from explain.words import plain, text
from posenc.content import fit, tokens
from posenc.experiments import arranged, swapped

MOST = 64
"""Words of a sentence that are used where it is read word by word, or where every scheme is measured and the reader waits for all."""


def own_words(page: Page) -> Page:
    """The page with the reader's own words and no fillers, at most 64 of them."""
    words = tokens(controls.value("sentence"))[:MOST]
    return replace(page, setting=page.setting.change(words=tuple(fit(words, max(1, len(words))))))


def first_words(page: Page) -> Page:
    """The page with its first 64 words, and a remark where there are more."""
    if page.setting.length > MOST:
        stage.note(text("page", "first_words", count=MOST))
    return replace(page, setting=page.setting.change(words=page.setting.words[:MOST]))


def reordering(page: Page) -> tuple[int, ...]:
    """The places of the page's words in the order that the knobs ask for; says what was read and what came of it."""
    words, count = page.setting.words, page.setting.length
    way = controls.value("order")
    if way == "reverse":
        order = list(range(count))[::-1]
    elif way == "typed":
        order = arranged(words, tokens(controls.value("reordered")))
    else:
        order = swapped(count, *(min(int(controls.value(name)), count) - 1 for name in ("swap_a", "swap_b")))
    stage.prose(
        text("page", "reordered.from", words=_line(words)) + "  \n" + text("page", "reordered.to", words=_line(words[o] for o in order))
    )
    if len(tokens(controls.value("sentence"))) > MOST:
        stage.note(text("page", "first_words", count=MOST))
    if order == sorted(order):
        stage.note(text("page", "reordered.same"))
    return tuple(order)


def examples(page: Page, key: str) -> None:
    """Sentences and their reorderings ready to be chosen: text `<key>` has one a line, with an arrow between."""
    if stage.request():
        return
    with st.container(horizontal=True, gap="small"):
        for line in page.say(key).splitlines():
            one, other = (side.strip() for side in line.removeprefix("- ").split("→"))
            asked = {"sentence": one, "order": "typed", "reordered": other}
            st.button(
                f"{plain(one)} → {plain(other)}",
                on_click=controls.put,
                kwargs=asked,
                key=f"{page.name}-{line}",
                disabled=not controls.held().isdisjoint(asked),
            )


def _line(words: Iterable[str]) -> str:
    return " ".join(plain(word) for word in words)
