"""Part 5: the four terms of q·k on one colour scale, their sum, and the attention it gives."""

from collections.abc import Mapping

import numpy as np

from explain import palette, panels, stage
from explain.board import Axis, Panel
from explain.parts.grid import grid
from explain.parts.opening import Page, Topic
from explain.view import Matrices
from explain.words import has, listed, number, percent, text
from posenc import setting as evaluate
from posenc.attention import softmax
from posenc.measure import drawn
from posenc.terms import Terms, residual

SHORT = {
    "content_content": ("cc", "content"),
    "content_position": ("cp", "mixed"),
    "position_content": ("pc", "mixed"),
    "position_position": ("pp", "position"),
    "interaction": ("ia", "mixed"),
}
"""Each term's short name on the board and in texts, and its tone."""
TONES = {term: tone for term, (_, tone) in SHORT.items()}
FOUR = tuple(SHORT)[:4]
WIDE = ("cc", "cp", "ia", "sum", "pc", "pp", "att")
"""With room, the 2 × 2 of terms stands as such, with what comes of it at its right."""
ALONE = ("cc", "ia", "sum", "att", "cp", "pc", "pp")
"""Where content and its change by position are all there is, what adds up stands in one row, and what is absent below it."""
CHECKED = 48
"""Tokens a side for which the logits are also computed the direct way: its cost grows with n²·d."""


def terms(page: Page, key: str = "terms", **facts: object) -> None:
    """The board of terms, sum and softmax; the equation with the chosen cell's numbers; the residual.

    A page that shows it under a title of its own, or twice, names its texts by `key`.
    """
    stage.heading(page.say(f"{key}.title", **facts) if has(page.name, f"{key}.title") else text("page", "terms"), key)
    stage.prose(page.say(key, **facts))
    cells = grid(page)
    rows = evaluate.terms(page.scheme, page.setting, cells.queries, cells.keys)
    seen = evaluate.seen(page.scheme, page.setting, cells.queries, cells.keys)
    attention = cells.matrix(softmax(rows.total()[0], seen)[:, cells.columns])
    pairs = rows.pick(slice(None), cells.columns)
    total = cells.matrix(pairs.total()[0])
    parts = {name: None if part is None else cells.matrix(part[0]) for name, part in pairs._asdict().items()}
    if parts["interaction"] is None:
        del parts["interaction"]
    caption = page.say(f"{key}.caption", **_shares(pairs, cells.mask), **facts) + cells.strided()
    board(page, key, caption, parts, total, attention, cells.axes(), page.setting.first, cells.masked())
    stage.note(_proof(page, cells.keys))


def board(
    page: Topic,
    key: str,
    caption: str,
    parts: Mapping[str, np.ndarray | None],
    total: np.ndarray,
    attention: np.ndarray,
    axes: Mapping[str, Axis],
    first: int = 0,
    masked: str = "",
) -> None:
    """Terms by their names, their sum and the attention it gives, as drawn matrices on one scale; None is a term that is not there."""
    present = [SHORT[name][0] for name, part in parts.items() if part is not None]
    scales = {
        "logit": panels.scale(text("page", "logit"), palette.signed(total, *(part for part in parts.values() if part is not None))),
        "share": panels.scale(text("page", "attention"), palette.share(attention)),
    }
    shown = [
        Panel(SHORT[name][0], text("page", f"term.{name}"), "i", "j", "logit", part, SHORT[name][1], _absence(page, name))
        for name, part in parts.items()
    ]
    shown.append(Panel("sum", text("page", "sum"), "i", "j", "logit", total))
    shown.append(Panel("att", text("page", "attention"), "i", "j", "share", attention))
    order = [short for short in WIDE if short != "ia" or "ia" in present]
    if present == ["cc", "ia"]:
        order = list(ALONE)
        shown.sort(key=lambda panel: order.index(panel.id))
    readout = [text("page", "readout.cell"), text("page", "readout.sum", sum=" + ".join(f"{{{short}}}" for short in present))]
    columns = 4 if "ia" in present else 3
    about = (page.scheme,) if isinstance(page, Page) else None
    panels.show(page.name, key, caption, Matrices(shown, axes, scales, readout, masked, columns, order, first), about=about)


def _absence(page: Topic, term: str) -> str:
    """Why a term is missing, in the page's own words where it has some."""
    return text(page.own, f"absent.{term}") if has(page.own, f"absent.{term}") else text("page", "absent")


def _shares(pairs: Terms, mask: np.ndarray) -> dict[str, str]:
    """Each term's part of the sum of the terms' variances, in per cent: by its short name, and all that are there as `shares`."""
    spread = {name: float(np.var(part[0][mask])) for name, part in pairs.present()}
    whole = sum(spread.values()) or 1.0
    parts = {name: percent(spread[name] / whole if name in spread else None) for name in SHORT}
    told = listed(f"{text('page', f'term.{name}')} {parts[name]}" for name in spread)
    return {SHORT[name][0]: part for name, part in parts.items()} | {"shares": told}


def _proof(page: Page, keys: np.ndarray) -> str:
    """The largest difference between the sum of the terms and the logits computed the direct way."""
    some = keys[drawn(len(keys), CHECKED)]
    columns = np.searchsorted(keys, some)
    pairs = evaluate.terms(page.scheme, page.setting, some, keys).pick(slice(None), columns)
    contiguous = getattr(page.scheme, "CONTIGUOUS", False)
    direct = evaluate.scores(page.scheme, page.setting, some, keys if contiguous else some)[..., columns if contiguous else slice(None)]
    return text("page", "proof", residual=number(residual(pairs, direct), 2), pairs=number(len(some) ** 2))
