"""The pages there are, by family and in reading order, and which knobs act on each."""

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from explain import controls
from explain.words import text
from posenc import catalogue

FOLDER = Path(__file__).parents[1] / "pages"
START = "start"


@cache
def page(name: str) -> StreamlitPage:
    """The page of that name; its URL path is the name, the start page's is empty."""
    return st.Page(FOLDER / f"{name}.py", title=text(name, "title"), url_path=name, default=name == START)


def ready(name: str) -> bool:  # TEMPORARY while pages are being written
    return (FOLDER / f"{name}.py").exists() and (FOLDER.parent / f"assets/text/en/{name}.md").exists()


def sections() -> dict[str, list[StreamlitPage]]:
    """Every page under its heading."""
    families = {text("frame", f"family.{family}"): [page(name) for name in names if ready(name)] for family, names in catalogue.FAMILIES.items()}
    return {"": [page(START)], **families}


def name_of(shown: StreamlitPage) -> str:
    """The name of a page that navigation chose."""
    return shown.url_path or START


def knobs(shown: StreamlitPage) -> set[str]:
    """The knobs that act on a page."""
    name = name_of(shown)
    return controls.acting(catalogue.load(name)) if name in catalogue.SCHEMES else set()


def neighbours(name: str) -> tuple[str | None, str | None]:
    """The schemes before and after one, in reading order."""
    order = [scheme for scheme in catalogue.SCHEMES if ready(scheme)]
    at = order.index(name)
    return (order[at - 1] if at else None), (order[at + 1] if at + 1 < len(order) else None)
