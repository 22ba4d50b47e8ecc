"""What a panel offers to take away: links to exactly this figure, a snippet for a course page, files, and the numbers."""

from html import escape
from urllib.parse import urljoin

import streamlit as st

from explain import controls, navigation, words
from explain.export import chromium
from explain.export.query import IMAGES, PRIVATE, query
from explain.view import Matrices, View
from explain.words import text

ROWS_SHOWN = 1000
FRAME = 'width="100%" height="620" style="border:0" loading="lazy" allowfullscreen'


def offer(view: View) -> None:
    """Fills the open menu of a panel."""
    rows = view.table()
    if view.page in PRIVATE:  # a link can't carry the reader's own file
        csv = rows.to_csv(index=False)
        st.download_button(text("page", "download"), csv, f"{view.key}.csv", "text/csv", key=f"{view.key}-csv", on_click="ignore")
    else:
        _links(view)
    st.dataframe(rows.head(ROWS_SHOWN), hide_index=True, height=240)


def _links(view: View) -> None:
    knobs = {name: controls.value(name) for name in controls.KNOBS}
    here = st.context.url or ""
    own = {"lang": words.language(), "theme": st.context.theme.type}
    cell = st.query_params.get("cell", "") if isinstance(view.drawn, Matrices) else ""

    def figure(form: str, **more: object) -> str:
        return urljoin(here, f"figure/{view.page}/{view.name}.{form}{query(view.page, knobs, **own | more)}")

    forms = [form for form in ("svg", "png", "csv", "json") if form not in IMAGES or chromium.browser()]
    files = " · ".join(f"[{form.upper()}]({figure(form, download=True, cell=cell)})" for form in forms)
    st.markdown(f"**{text('figure', 'files')}** {files}")
    st.markdown(
        f"[{text('figure', 'alone')}]({figure('html', cell=cell)}) · [{text('figure', 'slide')}]({figure('html', cell=cell, present=True)})"
    )
    st.markdown(f"**{text('figure', 'link')}**")
    limits = _limits(view)
    st.code(urljoin(here, view.page) + query(view.page, knobs, lang=own["lang"], cell=cell, **limits), language=None)
    st.markdown(f"**{text('figure', 'frame')}**")
    title = escape(f"{text(view.page, 'title')}: {view.name}")
    st.code(f'<iframe src="{escape(figure("html", cell=cell))}" title="{title}" {FRAME}></iframe>', language="html")


def _limits(view: View) -> dict[str, str]:
    """What the reader, as a teacher, takes from a class: the knobs that the link alone shows, and those that it locks."""
    acting = navigation.acting(view.page)
    names = [name for name in controls.KNOBS if name in acting]
    return {
        limit: ",".join(
            st.multiselect(
                text("controls", limit),
                names,
                format_func=lambda name: text("controls", name),
                key=f"{view.key}-{limit}",
                help=text("controls", f"{limit}.help"),
                placeholder=text("controls", f"{limit}.none"),
            )
        )
        for limit in controls.LIMITS
    }
