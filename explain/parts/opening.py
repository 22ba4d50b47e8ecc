"""Parts 1 to 3 of a scheme's page: what it is, the failure it answers, its equation."""

from types import ModuleType
from typing import NamedTuple

import streamlit as st

from explain import controls, models, stage, weights
from explain.words import has, number, text
from posenc import catalogue
from posenc.setting import Setting, learned
from posenc.tables import size


class Page(NamedTuple):
    """One scheme at the present knobs: what every part of its page draws from."""

    name: str
    scheme: ModuleType
    setting: Setting

    def say(self, key: str, **values: object) -> str:
        """One of the page's own texts."""
        return text(self.name, key, **values)


def start(scheme: ModuleType) -> Page:
    """Name, one sentence, chips; the failure it answers; its equation with content and position in their colours."""
    page = Page(scheme.__name__.rpartition(".")[2], scheme, controls.setting(scheme))
    if stage.request():
        return page
    st.title(page.say("title"), anchor=False)
    st.markdown(page.say("sentence"))
    st.markdown(_chips(page))
    with st.container(border=True):
        st.markdown(f"**{text('page', 'answers')}** {page.say('answers')}")
    st.latex(page.say("equation"))
    st.caption(text("page", "colours"))
    st.markdown(page.say("reading"))
    if has(page.name, "correction"):
        with st.expander(text("page", "correction"), icon=":material/edit_note:"):
            st.markdown(page.say("correction"))
    return page


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
