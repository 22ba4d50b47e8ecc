"""What this is for, in one screen: pick a scheme from small real pictures of each."""

import streamlit as st

from explain import gallery
from explain.words import text
from posenc import catalogue

st.title(text("start", "headline"), anchor=False)
st.markdown(text("start", "lead"))
st.subheader(text("frame", "ideas"), anchor="ideas")
gallery.ideas()
st.caption(text("start", "picture"))
for family, names in catalogue.FAMILIES.items():
    st.subheader(text("frame", f"family.{family}"), anchor=family)
    gallery.cards(names)
