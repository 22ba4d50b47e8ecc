"""One figure in each form in which it leaves the app. All say the same: title, what to look at, parameters, citation, a link back."""

import base64
import csv
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from io import StringIO
from types import ModuleType
from typing import Any
from unicodedata import east_asian_width, lookup
from zlib import crc32

import numpy as np
import pandas as pd

from explain import controls
from explain.export import chromium, heatmaps
from explain.export.look import FONT, LOOKS, dressed
from explain.export.query import Asked
from explain.figures import HEIGHT, Figure, to_json
from explain.panels import cell, packed
from explain.view import Matrices, View
from explain.words import listed, text
from posenc import catalogue
from posenc.references import Reference

PRESENTED = 1.7
"""How much larger type is on a slide."""
SCALE = 2
"""Pixels of a PNG for one of the figure."""
WIDTH = 800
MARGIN = 16
TITLE, FOOT = 17, 11
"""Sizes of type."""
INVALID = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML has no place for."""


@dataclass(frozen=True)
class Document:
    """A figure, what was asked for, and where the app is, as the start of an absolute address."""

    view: View
    asked: Asked
    base: str

    @property
    def title(self) -> str:
        """The page's name and the figure's."""
        return " · ".join(part for part in (text(self.asked.page, "title"), plainly(self.view.title)) if part)

    @property
    def caption(self) -> str:
        """What to look at; also the text alternative."""
        return plainly(self.view.caption)

    @property
    def link(self) -> str:
        """The page with the same knobs."""
        return f"{self.base}{self.asked.page}{self.asked.query()}"

    @property
    def address(self) -> str:
        """The figure itself, as an interactive page."""
        return f"{self.base}figure/{self.asked.page}/{self.view.name}.html{self.asked.query(theme=self.asked.theme)}"

    @property
    def citations(self) -> list[str]:
        """Where the scheme was published; of several schemes the first of each; none for a page that is about no scheme."""
        found = [scheme.REFERENCES for scheme in self._schemes()]
        return [cited(reference) for references in found for reference in references[: None if len(found) == 1 else 1]]

    @property
    def sources(self) -> list[str]:
        """The first of each scheme."""
        return [cited(scheme.REFERENCES[0]) for scheme in self._schemes()]

    @property
    def settings(self) -> str:
        """The parameters that differ from their defaults, in words."""
        named = [f"{text('controls', name)} = {shown(name, value)}" for name, value in self.asked.moved.items()]
        return listed(named) if named else text("figure", "defaults")

    def figure(self, width: int | None = None, height: int | None = None, larger: float = 1.0) -> Figure:
        """As Plotly draws it, in its theme; type as much larger as asked."""
        drawn = self.view.drawn
        if isinstance(drawn, Matrices):
            drawn = heatmaps.figure(drawn, self.asked.theme, drawn.masked or text("page", "masked"), width, height)
        return dressed(drawn, self.asked.theme, larger)

    def _schemes(self) -> tuple[ModuleType, ...]:
        if self.view.about is not None:
            return self.view.about
        if self.asked.page in catalogue.SCHEMES:
            return (catalogue.load(self.asked.page),)
        values = self.asked.parameters
        picked = [values[name] for name in values if isinstance(controls.KNOBS[name], controls.Picker)]
        return tuple(catalogue.load(name) for name in dict.fromkeys(picked) if name != controls.NOBODY)


def shown(name: str, value: object) -> str:
    """A knob's value as readers see it."""
    knob = controls.KNOBS[name]
    if isinstance(knob, controls.Choice):
        return knob.shown(str(value))
    if isinstance(value, bool):
        return text("page", "yes" if value else "no")
    return f"“{value}”" if isinstance(value, str) else f"{value:g}"


def plainly(markdown: str) -> str:
    """A caption without its Markdown: no stars, no dollars, no backslashes."""
    bare = re.sub(r"(?<!\\)(\*+|\$)", "", markdown)
    return re.sub(r"\\([a-zA-Z]+|.)", lambda mark: _sign(mark[1]), bare)


def _sign(command: str) -> str:
    """A formula's command as a sign: Greek letters as such, \\cos as cos; and any sign that was escaped."""
    with suppress(KeyError):
        return lookup(f"GREEK {'SMALL' if command.islower() else 'CAPITAL'} LETTER {command.upper()}") if len(command) > 1 else command
    return command


def cited(reference: Reference) -> str:
    """A reference as one line."""
    where = f"arXiv:{reference.arxiv}" if reference.arxiv else reference.venue
    return f"{reference.authors} ({reference.year}). {reference.title}. {where}, {reference.place}."


def page(document: Document, root: str) -> str:
    """A web page with the interactive figure: matrices on the app's own board, everything else by Plotly.

    `root` leads from the page to where its scripts and looks are.
    """
    asked, view = document.asked, document.view
    if isinstance(view.drawn, Matrices):
        kind, needs = "application/octet-stream", "board"
        sent = base64.b64encode(packed(view, view.drawn, cell(asked.cell))).decode()
        looks = f'<link rel="stylesheet" href="{root}board.css">'
    else:
        kind, needs, looks = "application/json", "plotly.min", ""
        sent = to_json({"name": view.key, "present": asked.present} | _unsized(document.figure(larger=PRESENTED if asked.present else 1.0)))
    height = f' style="height:{asked.height}px"' if asked.height else ""
    return f"""<!doctype html>
<html lang="{asked.language}" data-theme="{asked.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(document.title)}</title>
<meta name="description" content="{escape(document.caption)}">
{looks}<link rel="stylesheet" href="{root}figure.css">
<script defer src="{root}{needs}.js"></script>
<script defer src="{root}figure.js"></script>
</head>
<body{' class="present"' if asked.present else ""}>
<figure>
<h1>{escape(document.title)}</h1>
<div id="figure" class="{needs.partition(".")[0]}-figure" aria-label="{escape(document.caption)}"{height}></div>
{"" if asked.present else _about(document)}
</figure>
<script type="{kind}" id="sent">{_inert(sent)}</script>
</body>
</html>
"""


def _about(document: Document) -> str:
    said = "".join(f"<p>{escape(line)}</p>" for line in (document.settings, *document.sources))
    back = f'<p><a href="{escape(document.link)}" target="_blank" rel="noopener">{escape(text("figure", "open"))}</a></p>'
    return f"<figcaption>{escape(document.caption)}</figcaption>\n<footer>{said}{back}</footer>"


def _unsized(figure: Figure) -> Figure:
    """The figure, as large as the place where it is put."""
    layout = {name: value for name, value in figure["layout"].items() if name not in ("width", "height")}
    return {"data": figure["data"], "layout": layout | {"autosize": True}}


def _inert(sent: str) -> str:
    """Data inside a script element: nothing in it ends the element."""
    return sent.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def table(document: Document) -> str:
    """CSV: lines that start with # say what it is, then a row per cell or point. All words are quoted, all numbers bare."""
    rows = document.view.table()
    about = {
        "title": document.title,
        "caption": document.caption,
        "parameters": document.asked.full(),
        "citation": " | ".join(document.citations),
        "link": document.link,
    }
    file = StringIO()
    for name, value in about.items():
        file.write(f"# {name}: {' '.join(value.splitlines())}\n")
    rows.to_csv(file, index=False, quoting=csv.QUOTE_NONNUMERIC)
    return file.getvalue()


def record(document: Document) -> str:
    """JSON: the same, each matrix with its axes, each curve with its points; null where there is no number."""
    view, asked = document.view, document.asked
    about = {
        "title": document.title,
        "page": asked.page,
        "figure": view.name,
        "language": asked.language,
        "caption": document.caption,
        "parameters": asked.parameters,
        "moved": asked.moved,
        "citations": document.citations,
        "link": document.link,
        "address": document.address,
    }
    return json.dumps(about | _numbers(view), ensure_ascii=False, allow_nan=False)


def _numbers(view: View) -> dict[str, Any]:
    drawn = view.drawn
    if isinstance(drawn, Matrices):
        matrices = [
            {"id": p.id, "title": p.title, "rows": p.rows, "columns": p.cols, "values": None if p.values is None else _listed(p.values)}
            | ({"note": p.note} if p.values is None else {})
            for p in drawn.panels
        ]
        axes = {
            key: {"title": axis.title, "index": [int(real) for real in axis.index], "labels": list(axis.labels)}
            for key, axis in drawn.axes.items()
        }
        scales = {key: {"title": scale.title, "low": float(scale.low), "high": float(scale.high)} for key, scale in drawn.scales.items()}
        return {"matrices": matrices, "axes": axes, "scales": scales}
    columns = {name: values.tolist() for name, values in view.table().items()}
    return {"points": {name: [None if pd.isna(value) else _short(value) for value in values] for name, values in columns.items()}}


def _listed(values: np.ndarray) -> list[list[float | None]]:
    return [[None if np.isnan(value) else _short(value) for value in row] for row in np.asarray(values, dtype=np.float32)]


def _short(value: Any) -> Any:
    """A float32 as the shortest decimal that is that float32."""
    return float(str(np.float32(value))) if isinstance(value, float | np.floating) else value


def picture(document: Document) -> str:
    """SVG: title, figure, and below it parameters, citation and link; the text alternative as its description."""
    return _composed(document)[0]


def photograph(document: Document) -> bytes:
    """PNG of the same picture, with what it says as its text entries."""
    drawn, width, height = _composed(document)
    about = {
        "Title": document.title,
        "Description": document.caption,
        "Comment": document.settings,
        "Copyright": " | ".join(document.citations),
        "Source": document.link,
    }
    return _with_texts(base64.b64decode(chromium.png(drawn, width, height, SCALE)), about)


def _composed(document: Document) -> tuple[str, int, int]:
    """The picture with its size. For a slide everything is drawn small and then enlarged."""
    asked, look = document.asked, LOOKS[document.asked.theme]
    larger = PRESENTED if asked.present else 1.0
    width = round(asked.width / larger) if asked.width else document.figure()["layout"].get("width", WIDTH)
    room = width - 2 * MARGIN
    head = wrapped(document.title, room, TITLE)
    foot = [] if asked.present else _foot(document, room)
    above = round(MARGIN + len(head) * TITLE * 1.3)
    below = round(len(foot) * FOOT * 1.5 + MARGIN)
    inner = max(160, round(asked.height / larger) - above - below) if asked.height else None
    figure = document.figure(width, inner)
    inner = inner or figure["layout"].get("height", HEIGHT)
    height = above + inner + below
    nested = re.sub(r"^<svg ", f'<svg x="0" y="{above}" ', chromium.svg(figure, width, inner), count=1)
    lines = [_line(line, MARGIN + (number + 0.8) * TITLE * 1.3, TITLE, look.ink, 600) for number, line in enumerate(head)]
    for number, (line, link) in enumerate(foot):
        drawn_line = _line(line, above + inner + (number + 1) * FOOT * 1.5, FOOT, look.quiet)
        lines.append(f'<a href="{_xml(link)}" target="_blank">{drawn_line}</a>' if link else drawn_line)
    outer = round(width * larger), round(height * larger)
    whole = (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" role="img" aria-labelledby="title desc"'
        f' lang="{asked.language}" width="{outer[0]}" height="{outer[1]}" viewBox="0 0 {width} {height}">'
        f'<title id="title">{_xml(document.title)}</title><desc id="desc">{_xml(_described(document))}</desc>'
        f'<rect width="{width}" height="{height}" fill="{look.paper}"/>{"".join(lines)}{nested}</svg>'
    )
    return whole, *outer


def _described(document: Document) -> str:
    lines = (document.caption, document.settings, *document.citations, document.link)
    return "\n".join(line for line in lines if line)


def _foot(document: Document, room: float) -> list[tuple[str, str]]:
    lines = [(line, "") for line in wrapped(document.settings, room, FOOT)]
    lines += [(line, "") for citation in document.sources for line in wrapped(citation, room, FOOT)]
    where = document.link.partition("?")[0].partition("://")[2]
    return [*lines, (text("figure", "from", where=where), document.link)]


def wrapped(line: str, room: float, size: float) -> list[str]:
    """A text in lines of at most that many pixels, reckoned with the widths that letters have on average."""
    lines, used = [""], 0.0
    for part in re.findall(r"\s*(?:[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60]+)", line):
        needed = _wide(part) * size
        if used and used + needed > room:
            lines.append("")
            used, part = 0.0, part.lstrip()  # noqa: PLW2901
            needed = _wide(part) * size
        while needed > room and len(part) > 1:  # one word longer than a line
            fits = max(1, int(len(part) * room / needed))
            lines[-1], part = part[:fits], part[fits:]  # noqa: PLW2901
            lines.append("")
            needed = _wide(part) * size
        lines[-1] += part
        used += needed
    return lines


def _wide(part: str) -> float:
    return sum(1.0 if east_asian_width(sign) in "WF" else 0.56 for sign in part)


def _line(line: str, y: float, size: float, colour: str, weight: int = 400) -> str:
    style = f'font-family="{FONT}" font-size="{size:g}" font-weight="{weight}" fill="{colour}"'
    return f'<text x="{MARGIN}" y="{y:.1f}" {style}>{_xml(line)}</text>'


def _xml(words: str) -> str:
    return escape(INVALID.sub("\ufffd", words))


def _with_texts(png: bytes, about: dict[str, str]) -> bytes:
    """A PNG with text entries in UTF-8 behind its header."""
    entries = b""
    for name, value in about.items():
        if value:
            body = b"iTXt" + name.encode("latin-1") + b"\0\0\0\0\0" + value.encode("utf-8", "replace")
            entries += (len(body) - 4).to_bytes(4) + body + crc32(body).to_bytes(4)
    header = 8 + 25
    return png[:header] + entries + png[header:]
