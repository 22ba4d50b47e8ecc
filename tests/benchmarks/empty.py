"""One bound slider, and its value."""

import streamlit as st

value = st.slider("Length n", 1, 512, 24, key="length", bind="query-params")
st.markdown(f"value {value}")
