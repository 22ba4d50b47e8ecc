"""Every figure of every page at the defaults as files in a folder, with an index: `python -m explain.export.folder figures`."""

import argparse
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from explain import chart, controls, stage, words
from explain.export import answer, chromium, routes
from explain.export.documents import Document
from explain.export.query import FORMATS, IMAGES, Asked, pages
from explain.words import text


def write(folder: Path, base: str, language: str, theme: str, only: list[str] | None = None) -> int:
    """Writes the files and says how many figures there are; without a browser all but the images."""
    forms = [form for form in FORMATS if form not in IMAGES or chromium.browser()]
    folder.mkdir(parents=True, exist_ok=True)
    for name in routes.SCRIPTS:
        (folder / name).write_text(routes.script(name), "utf-8")
    (folder / "plotly.min.js").write_bytes(chart.PLOTLY.read_bytes())
    defaults = {name: knob.start for name, knob in controls.KNOBS.items()}
    sections, count = [], 0
    for page in only or pages():
        with stage.answering(stage.Request(defaults, language, theme)):
            title = text(page, "title")
            found = list(_documents(Asked(page, "", "", defaults, language, theme), base))
        if not found:
            continue
        (folder / page).mkdir(exist_ok=True)
        for document in found:
            for form in forms:
                (folder / page / f"{document.view.name}.{form}").write_bytes(_made(document, form))
        count += len(found)
        print(f"{page}: {len(found)}", flush=True)
        sections.append(f"<section><h2>{escape(title)}</h2>{''.join(_entry(document, forms) for document in found)}</section>")
    (folder / "index.html").write_text(_index("".join(sections), language, theme), "utf-8")
    return count


def _documents(asked: Asked, base: str) -> Iterator[Document]:
    for name, view in answer.run(asked).items():
        yield Document(view, Asked(asked.page, name, "html", asked.knobs, asked.language, asked.theme), base)


def _made(document: Document, form: str) -> bytes:
    asked = document.asked
    wanted = Document(document.view, Asked(asked.page, asked.view, form, asked.knobs, asked.language, asked.theme), document.base)
    with stage.answering(stage.Request(asked.knobs, asked.language, asked.theme)):
        return routes.made(wanted, root="../")


def _entry(document: Document, forms: list[str]) -> str:
    stem = f"{document.asked.page}/{document.view.name}"
    links = " · ".join(f'<a href="{stem}.{form}">{form.upper()}</a>' for form in forms)
    alt = escape(document.caption)
    image = f'<a href="{stem}.html"><img src="{stem}.svg" alt="{alt}" loading="lazy"></a>' if "svg" in forms else ""
    return f"<article>{image}<p>{alt}</p><p>{links}</p></article>"


def _index(sections: str, language: str, theme: str) -> str:
    with stage.answering(stage.Request({}, language, theme)):
        title = escape(text("frame", "title"))
    return f"""<!doctype html>
<html lang="{language}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="figure.css">
<style>
main {{ padding: 1em; }}
section {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 1em; }}
h2 {{ grid-column: 1 / -1; margin: 1em 0 0; }}
img {{ width: 100%; height: auto; }}
a {{ color: var(--link); }}
</style>
</head>
<body><main><h1>{title}</h1>{sections}</main></body>
</html>
"""


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base", default="http://localhost:8501/", help="where the app is, for links back to it")
    parser.add_argument("--lang", default=words.DEFAULT, choices=words.LANGUAGES)
    parser.add_argument("--theme", default="light", choices=("light", "dark"))
    parser.add_argument("--only", nargs="*", choices=pages(), metavar="PAGE")
    given = parser.parse_args()
    if chromium.browser() is None:
        print("no Chromium or Chrome is installed: no images are written", file=sys.stderr)
    print(write(given.folder, given.base, given.lang, given.theme, given.only), "figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
