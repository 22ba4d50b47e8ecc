"""Part 5: the four terms of q·k on one colour scale, their sum, and the attention it gives."""

import numpy as np

from explain import palette, panels, stage
from explain.board import Panel
from explain.parts.grid import grid
from explain.parts.opening import Page
from explain.view import Matrices
from explain.words import has, number, text
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
WIDE = ("cc", "cp", "ia", "sum", "pc", "pp", "att")
"""With room, the 2 × 2 of terms stands as such, with what comes of it at its right."""
CHECKED = 48
"""Tokens a side for which the logits are also computed the direct way: its cost grows with n²·d."""


def terms(page: Page) -> None:
    """The board of terms, sum and softmax; the equation with the chosen cell's numbers; the residual."""
    stage.heading(text("page", "terms"), "terms")
    stage.prose(page.say("terms"))
    cells = grid(page)
    rows = evaluate.terms(page.scheme, page.setting, cells.queries, cells.keys)
    seen = evaluate.seen(page.scheme, page.setting, cells.queries, cells.keys)
    attention = cells.matrix(softmax(rows.total()[0], seen)[:, cells.columns])
    pairs = rows.pick(slice(None), cells.columns)
    total = cells.matrix(pairs.total()[0])
    parts = {name: None if part is None else cells.matrix(part[0]) for name, part in pairs._asdict().items()}
    if parts["interaction"] is None:
        del parts["interaction"]
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
    panels.show(
        page.name,
        "terms",
        page.say("terms.caption", **_shares(pairs, cells.mask)) + cells.strided(),
        Matrices(
            shown,
            cells.axes(),
            scales,
            readout=[
                text("page", "readout.cell"),
                text("page", "readout.sum", sum=" + ".join(f"{{{short}}}" for short in present)),
            ],
            first=page.setting.first,
            masked=cells.masked(),
            columns=4 if "ia" in present else 3,
            wide=[short for short in WIDE if short != "ia" or "ia" in present],
        ),
    )
    stage.note(_proof(page, cells.keys))


def _absence(page: Page, term: str) -> str:
    """Why a term is missing, in the page's own words where it has some."""
    return page.say(f"absent.{term}") if has(page.name, f"absent.{term}") else text("page", "absent")


def _shares(pairs: Terms, mask: np.ndarray) -> dict[str, str]:
    """Each term's part of the sum of the terms' variances, in per cent."""
    spread = {SHORT[name][0]: float(np.var(part[0][mask])) for name, part in pairs.present()}
    whole = sum(spread.values()) or 1.0
    return {short: f"{100 * spread[short] / whole:.0f} %" if short in spread else "–" for short, _ in SHORT.values()}


def _proof(page: Page, keys: np.ndarray) -> str:
    """The largest difference between the sum of the terms and the logits computed the direct way."""
    some = keys[drawn(len(keys), CHECKED)]
    columns = np.searchsorted(keys, some)
    pairs = evaluate.terms(page.scheme, page.setting, some, keys).pick(slice(None), columns)
    contiguous = getattr(page.scheme, "CONTIGUOUS", False)
    direct = evaluate.scores(page.scheme, page.setting, some, keys if contiguous else some)[..., columns if contiguous else slice(None)]
    return text("page", "proof", residual=number(residual(pairs, direct), 2), pairs=number(len(some) ** 2))
