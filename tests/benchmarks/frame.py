"""An empty page under /empty, the app's own frame everywhere else; either way the log tells what the script took."""

import runpy
import time
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

HERE = Path(__file__).resolve().parent

start = time.perf_counter()
if urlsplit(st.context.url or "").path.rstrip("/").endswith("/empty"):
    other = st.Page(HERE / "empty.py", url_path="other", default=True)  # the default page has no path of its own
    st.navigation([other, st.Page(HERE / "empty.py", url_path="empty")], position="hidden").run()
else:
    runpy.run_path(str(HERE.parents[1] / "explain" / "frame.py"))
print(f"script {1000 * (time.perf_counter() - start):.1f}", flush=True)
