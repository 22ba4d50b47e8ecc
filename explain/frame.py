"""What runs around every page: navigation by family, the knobs, the look, and a plain message where a value can't be drawn."""

from pathlib import Path

import streamlit as st

from explain import controls, navigation, words
from explain.words import text

LOOK = Path(__file__).parents[1] / "assets" / "look"

st.set_page_config(page_title=text("frame", "title"), layout="wide", page_icon=str(LOOK / "icon.png"))
st.html(LOOK / "page.css")
words.draw()
if st.context.is_embedded:  # a slide's iframe shows the page alone: no navigation, no knobs
    st.container(key="embedded").empty()
page = st.navigation(navigation.sections(), position="top")
controls.draw(navigation.knobs(page))
try:
    page.run()
except ValueError as refusal:  # posenc refuses what it can't compute and says which value and limit: that is for the reader
    st.error(text("frame", "refused", reason=str(refusal)), icon=":material/block:")
