"""What runs around every page: navigation by family, the knobs, the look, and a plain message where a value can't be drawn."""

from pathlib import Path

import streamlit as st

from explain import controls, live, navigation, words
from explain.words import text

LOOK = Path(__file__).parents[1] / "assets" / "look"

st.set_page_config(page_title=text("frame", "title"), layout="wide", page_icon=str(LOOK / "icon.png"))
st.html(LOOK / "page.css")
st.html(f"<style>{words.themed()}</style>")
words.draw()
if st.context.is_embedded:
    st.html(LOOK / "embedded.css")
page = st.navigation(navigation.sections(), position="top")
knobs = navigation.knobs(page)
controls.draw(knobs)
if not knobs:
    st.html(LOOK / "no-knobs.css")
live.draw(page.url_path, words.language(), st.context.theme.type or "light")
try:
    page.run()
except ValueError as refusal:  # posenc refuses what it can't compute and says which value and limit: that is for the reader
    st.error(text("frame", "refused", reason=words.refusal(refusal)), icon=":material/block:")
