"""Parts 1 to 3 of a scheme's page: what it is, the failure it answers, its equation."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType

import numpy as np
import streamlit as st

from explain import controls, models, stage, weights
from explain.words import has, number, text
from posenc import catalogue
from posenc.decay import curve
from posenc.setting import Setting, learned, terms
from posenc.tables import size


@dataclass(frozen=True)
class Topic:
    """A page, with or without a scheme: its name, and its own texts."""

    name: str

    def say(self, key: str, **values: object) -> str:
        """One of the page's own texts."""
        return text(self.name, key, **values)

    @property
    def own(self) -> str:
        """Where texts about what it shows are found."""
        return self.name


@dataclass(frozen=True)
class Page(Topic):
    """One scheme at the present knobs: what every part of its page draws from."""

    scheme: ModuleType
    setting: Setting

    @cached_property
    def by_distance(self) -> np.ndarray:
        """The attention of the last token by distance, 0 … n − 1: several parts speak of it."""
        return curve(self.scheme, self.setting)

    @property
    def called(self) -> str:
        """What readers call the scheme."""
        return text(self.own, "title")

    @property
    def own(self) -> str:
        """The name of the scheme: its module's, and its own page's."""
        return _name(self.scheme)


def start(scheme: ModuleType) -> Page:
    """Name, one sentence, chips; the failure it answers; its equation with content and position in their colours."""
    page = Page(_name(scheme), scheme, controls.setting(scheme))
    if stage.request():
        return page
    st.title(page.say("title"), anchor=False)
    st.markdown(page.say("sentence"))
    st.markdown(_chips(page))
    if (asked := controls.value("head")) > page.setting.heads:
        st.caption(text("controls", "heads.given_way", head=asked, heads=page.setting.heads))
    with st.container(border=True):
        st.markdown(f"**{text('page', 'answers')}** {page.say('answers')}")
    st.latex(page.say("equation"))
    st.caption(text("page", "colours"))
    st.markdown(page.say("reading"))
    if has(page.name, "correction"):
        with st.expander(text("page", "correction"), icon=":material/edit_note:"):
            st.markdown(page.say("correction"))
    return page


def idea(name: str, **changes: object) -> Page:
    """The start of a page between the schemes: its name, one sentence, what it asks; with the scheme that the reader picked."""
    page = under(Page(name, *_picked()), None, **changes)
    _asks(page)
    return page


def topic(name: str) -> Topic:
    """The start of a page that is about no scheme of the catalogue: its name, one sentence, what it asks."""
    page = Topic(name)
    _asks(page)
    return page


def _asks(page: Topic) -> None:
    if stage.request():
        return
    st.title(page.say("title"), anchor=False)
    st.markdown(page.say("sentence"))
    with st.container(border=True):
        st.markdown(f"**{text('page', 'asks')}** {page.say('asks')}")
    if has(page.name, "equation"):
        st.latex(page.say("equation"))
        st.caption(text("page", "colours"))


def under(page: Page, scheme: ModuleType | None, **changes: object) -> Page:
    """The same page and words with another scheme (None: its own), at that scheme's knobs, with some fields of its setting changed."""
    if scheme is None:
        return replace(page, setting=page.setting.change(**changes))
    kept = {"words": page.setting.words, "causal": page.setting.causal, "first": page.setting.first}
    return replace(page, scheme=scheme, setting=controls.setting(scheme).change(**kept | changes))


def willing(page: Page, names: Iterable[str]) -> dict[str, Page]:
    """The same page under each of some schemes, without those that refuse the present knobs: an odd width, a position beyond a table."""
    pages = {}
    for name in names:
        with suppress(ValueError):
            tried = under(page, catalogue.load(name))
            terms(tried.scheme, tried.setting, [0], [0])
            pages[name] = tried
    return pages


def _picked() -> tuple[ModuleType, Setting]:
    scheme = catalogue.load(controls.value("scheme"))
    return scheme, controls.setting(scheme)


def _name(scheme: ModuleType) -> str:
    return scheme.__name__.rpartition(".")[2]


def _chips(page: Page) -> str:
    reference = page.scheme.REFERENCES[0]
    parameters = size(learned(page.scheme, page.setting))
    chips = [
        f":violet-badge[{text('frame', f'family.{catalogue.family(page.name)}')}]",
        f":blue-badge[{reference.year}]",
        f":green-badge[{text('page', 'parameters', count=number(parameters))}]",
        *(f":gray-badge[{model}]" for model in models.using(page.name)),
    ]
    trained = weights.fitting(page.scheme, page.setting) if page.setting.trained else None
    if trained:
        chips.append(f":orange-badge[{text('page', 'trained', model=trained.model)}]")
    elif parameters:
        chips.append(f":gray-badge[{text('page', 'seeded')}]")
    return " ".join(chips)
