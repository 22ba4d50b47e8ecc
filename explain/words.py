"""Texts out of assets/text/<language>/<page>.md: a file is cut at its `## key` lines, and `{{name}}` is replaced by a value."""

import re
from collections.abc import Iterable
from functools import cache, reduce
from html import escape
from pathlib import Path

import streamlit as st

from explain import stage
from explain.palette import TONES
from posenc.check import LimitError

FOLDER = Path(__file__).parents[1] / "assets" / "text"
LANGUAGES = tuple(sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))
DEFAULT = "en"
_document = st.components.v2.component("language", js="export default ({ data }) => { document.documentElement.lang = data; }")


@cache
def texts(language: str, page: str) -> dict[str, str]:
    """Every text of a page by key."""
    parts = re.split(r"^## +(\S+) *$", (FOLDER / language / f"{page}.md").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True))


def everywhere(page: str, key: str) -> set[str]:
    """One text in every language that has it."""
    return {texts(one, page)[key] for one in LANGUAGES if key in texts(one, page)}


def text(page: str, key: str, /, **values: object) -> str:
    """One text in the language that is on, values filled in and formulas coloured; KeyError for a text or a value that is not there."""
    return coloured(re.sub(r"\{\{(\w+)\}\}", lambda match: str(values[match[1]]), texts(language(), page)[key]))


def language() -> str:
    """The language that is on."""
    asked = stage.request()
    return asked.language if asked else st.session_state.get("lang") or preferred()


def preferred() -> str:
    """The first visit's language: the browser's, where there are texts in it."""
    locale = (st.context.locale or DEFAULT).lower()
    return next((one for one in LANGUAGES if locale.startswith(one)), DEFAULT)


def draw() -> None:
    """The choice of a language, bound to the URL; every page has it. The document says it too, for voices and for the shapes of signs."""
    with st.container(key="language", horizontal=True, horizontal_alignment="right"):
        st.segmented_control(
            "Language · 语言",
            LANGUAGES,
            default=preferred(),
            required=True,
            key="lang",
            label_visibility="collapsed",
            bind="query-params",
        )
        _document(key="spoken", data=language())


def coloured(formula: str) -> str:
    """\\content{…} and \\position{…} in the colours that content and position have in every figure; on a page, those of the light theme."""
    if "\\" not in formula:
        return formula
    asked = stage.request()
    colours = {tone: shades[asked.theme if asked else "light"] for tone, shades in TONES.items()}
    return re.sub(r"\\(content|position)\{", lambda mark: rf"\textcolor{{{colours[mark[1]]}}}{{", formula)


def themed() -> str:
    """The style that gives coloured formulas of a page their shades in the dark: a reader may change the theme at any time."""
    return "".join(
        f'.katex [style*="rgb({int(light[1:3], 16)}, {int(light[3:5], 16)}, {int(light[5:], 16)})"] '
        f"{{ color: light-dark({light}, {dark}) !important; }}"
        for light, dark in (TONES[tone].values() for tone in ("content", "position"))
    )


def has(page: str, key: str) -> bool:
    """Whether a page has a text under that key."""
    return key in texts(DEFAULT, page)


def plain(token: str) -> str:
    """A reader's own word made safe inside Markdown: nothing in it is a formula, a link, a colour or HTML."""
    split = re.sub(r"https?(?=:)|ftp(?=:)|mailto(?=:)|www(?=\.)|@", "\\g<0>\u200b", token, flags=re.IGNORECASE)  # no address, no link
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~$:<>&\"'])", r"\\\1", split)


def refusal(error: ValueError) -> str:
    """Why posenc refuses a value, with the knob called as it is on the page. What no knob can ask for is said as the code says it."""
    if not isinstance(error, LimitError):
        return str(error)
    name = str(error.values["name"])
    called = next((text(page, name) for page in ("controls", "page") if has(page, name)), name)
    return text("frame", f"refused.{error.rule}", **error.values | {"name": called})


def markup(token: str) -> str:
    """A reader's own word made safe inside Plotly's texts, which read HTML."""
    return escape(token, quote=False)


def number(value: float | None, digits: int = 3) -> str:
    """A number as people write it: significant digits, a real minus sign, no exponent where it can be avoided."""
    if value is None:
        return "–"
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}".replace("-", "−")
    rounded = float(f"{value:.{digits}g}")  # first, or 999.9 would be shown as 1e+03
    size = abs(rounded)
    shown = f"{rounded:.{digits}g}" if 1e-4 <= size < 10**digits else f"{value:.0f}" if 10**digits <= size < 1e15 else f"{value:.1e}"
    return shown.replace("-", "−")


def percent(share: float | None) -> str:
    """A share of 1 in per cent, on one line."""
    return "–" if share is None else f"{100 * share:.0f}\u00a0%"


ROUNDING = 1e-12
"""What is smaller is what float64 leaves of nothing."""


def amount(value: float | None) -> str:
    """A measured difference: 0 where nothing but rounding is left of it."""
    return number(0 if value is not None and abs(value) < ROUNDING else value, 2)


def listed(items: Iterable[object]) -> str:
    """Several things in a sentence, or that there are none."""
    shown = [str(item) for item in items]
    return reduce(lambda before, item: text("page", "listed", before=before, item=item), shown) if shown else text("page", "none")
