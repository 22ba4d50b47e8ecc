"""The end of a page. Parts 8 to 10: measured properties, a question, the code that ran and where it comes from."""

from types import ModuleType

import pandas as pd
import streamlit as st

from explain import navigation, source, stage
from explain.parts.bias import bias
from explain.parts.decay import decay
from explain.parts.opening import Page, Topic
from explain.parts.terms import terms
from explain.words import number, text
from posenc.decay import FAR
from posenc.measure import SHIFT
from posenc.measure import properties as measure
from posenc.references import Reference


def rest(page: Page) -> None:
    """Parts 5 to 10, where a page has nothing to add to them."""
    terms(page)
    bias(page)
    decay(page)
    closing(page)


def closing(page: Page) -> None:
    """Parts 8 to 10, which are made in the same way on every scheme's page."""
    properties(page)
    question(page)
    sources(page)


def properties(page: Page) -> None:
    """Each property as a number measured at the present knobs."""
    if stage.request():
        return
    st.header(text("page", "properties"), anchor="properties")
    found = measure(page.scheme, page.setting, page.by_distance)
    shown = {
        "translation_error": _or_none(found["translation_error"]),
        "direction": _or_none(found["direction"]),
        "rises": number(found["rises"]),
        "half_distance": text("page", "never") if found["half_distance"] is None else number(found["half_distance"]),
        "defined": text("page", "yes" if found["defined"] else "no"),
    }
    facts = {"shift": SHIFT, "far": number(FAR), "n": number(page.setting.length)}
    rows = [(text("page", f"property.{name}"), value, text("page", f"property.{name}.means", **facts)) for name, value in shown.items()]
    st.table(pd.DataFrame(rows, columns=[text("page", f"property.{part}") for part in ("name", "value", "means")]), hide_index=True)
    st.caption(page.say("properties"))


def _or_none(found: float | None) -> str:
    return text("page", "not_applicable") if found is None else number(found, 2)


def question(page: Topic) -> None:
    """One question to answer before the slider is moved; the answer appears when an option is chosen."""
    if stage.request():
        return
    st.header(text("page", "question"), anchor="question")
    options = [line.removeprefix("- ") for line in page.say("question.options").splitlines()]
    right = int(page.say("question.right")) - 1
    chosen = st.radio(page.say("question"), options, index=None, key=f"{page.name}-question")
    if chosen is not None:
        told = st.success if chosen == options[right] else st.info
        told(text("page", "right" if chosen == options[right] else "wrong", answer=options[right]) + "\n\n" + page.say("question.answer"))


def sources(page: Page) -> None:
    """The functions that drew this page, a snippet for the reader's own model, the checks behind it, references, and where to go on."""
    if stage.request():
        return
    st.header(text("page", "code"), anchor="code")
    with st.expander(text("page", "code.ran"), icon=":material/code:", on_change="rerun", key=f"{page.name}-code") as ran:
        if ran.open:
            st.code(source.functions(page.scheme), language="python")
    with st.expander(text("page", "code.use"), icon=":material/content_copy:", on_change="rerun", key=f"{page.name}-use") as use:
        if use.open:
            st.code(source.snippet(page.scheme, page.setting), language="python")
    st.markdown(f"**{text('page', 'verified')}** {page.say('verified')}")
    st.markdown("\n".join(f"- {cited(reference)}" for reference in page.scheme.REFERENCES))
    with st.expander(text("page", "cite"), icon=":material/format_quote:", on_change="rerun", key=f"{page.name}-cite") as cite:
        if cite.open:
            st.code("\n\n".join(reference.bibtex() for reference in page.scheme.REFERENCES), language="bibtex")
    onward(page)


def behind(page: Topic, *modules: ModuleType) -> None:
    """The end of a page about no single scheme: the functions behind it, what they were checked against, references, where to go on."""
    if stage.request():
        return
    st.header(text("page", "code"), anchor="code")
    with st.expander(text("page", "code.ran"), icon=":material/code:", on_change="rerun", key=f"{page.name}-code") as ran:
        if ran.open:
            st.code("\n\n".join(source.functions(module) for module in modules), language="python")
    st.markdown(f"**{text('page', 'verified')}** {page.say('verified')}")
    cites = [cited(reference) for module in modules for reference in getattr(module, "REFERENCES", ())]
    st.markdown("\n".join(f"- {one}" for one in dict.fromkeys(cites)))
    onward(page)


def onward(page: Topic) -> None:
    """The pages before and after this one, in reading order."""
    if stage.request():
        return
    before, after = navigation.neighbours(page.name)
    left, right = st.columns(2)
    if before:
        left.page_link(navigation.page(before), icon=":material/arrow_back:", label=text(before, "title"))
    if after:
        right.page_link(navigation.page(after), icon=":material/arrow_forward:", label=text(after, "title"))


def cited(reference: Reference) -> str:
    """A reference as one line of Markdown."""
    where = f"[arXiv:{reference.arxiv}](https://arxiv.org/abs/{reference.arxiv})" if reference.arxiv else reference.venue
    return f"{reference.authors} ({reference.year}). *{reference.title}*. {where}, {reference.place}."
