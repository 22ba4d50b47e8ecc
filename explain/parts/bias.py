"""Part 6: what position adds to a logit, by query and key and by offset."""

from collections.abc import Mapping, Sequence

import numpy as np

from explain import figures, palette, panels, stage
from explain.board import Panel
from explain.figures import Mark, Series
from explain.parts.curves import among_heads
from explain.parts.grid import grid
from explain.parts.opening import Page
from explain.view import Matrices
from explain.words import number, text
from posenc import setting as evaluate
from posenc.decay import CONTENTS, band, farthest, positional_logits


def bias(page: Page, marks: Sequence[Mark] = (), groups: Mapping[str, Sequence[int]] | None = None, **facts: object) -> None:
    """Heatmap by (i, j) of the drawn head and curve by offset.

    A scheme with a bias of its own shows it for every head; `groups` name heads that belong together. The others show logits minus
    content–content: of this sentence in the heatmap, over many contents in the curve.
    """
    stage.heading(text("page", "bias"), "bias")
    stage.prose(page.say("bias"))
    setting, cells = page.setting, grid(page)
    own = hasattr(page.scheme, "bias")
    if own:
        positions = cells.queries + setting.first
        values = evaluate.bias(page.scheme, setting, positions[:, None], positions[None, :])[0]
    else:
        values = evaluate.terms(page.scheme, setting, cells.queries, cells.keys).pick(slice(None), cells.columns).positional()[0]
    matrix = cells.matrix(values)
    name = text("page", "panel.bias" if own else "panel.positional", head=setting.head + 1)
    height = text("trained", "bias") if own else name  # the curves are those of all heads
    offsets = _offsets(page)
    series = _heads(page, offsets, groups or {}) if own else _over_contents(page, offsets)
    figure = figures.curves(series, x_title=text("page", "offset"), y_title=height, marks=marks)
    stands = -int(offsets[0]) if own else setting.first + setting.length - 1  # the query of the curve
    said = {"contents": CONTENTS, "head": setting.head + 1, "query": number(stands)}
    left, right = stage.columns(2, 3)
    with left:
        panels.show(
            page.name,
            "bias",
            page.say("bias.caption", **_facts(matrix), **facts) + cells.strided(),
            Matrices(
                [Panel("b", name, "i", "j", "bias", matrix, "position")],
                cells.axes(),
                {"bias": panels.scale(text("page", "logit"), palette.signed(matrix))},
                readout=[text("page", "readout.bias")],
                first=setting.first,
                masked=cells.masked(),
                columns=1,
            ),
        )
    with right:
        panels.show(page.name, "offsets", page.say("offsets.caption", **said | facts), figure)


def _offsets(page: Page) -> np.ndarray:
    """j − i from one end of the text to the other, as far as the scheme reaches."""
    reach = min(page.setting.length, farthest(page.scheme, page.setting)) - 1
    return np.arange(-reach, 1 if evaluate.causal(page.scheme, page.setting) else reach + 1)


def _heads(page: Page, offsets: np.ndarray, groups: Mapping[str, Sequence[int]]) -> list[Series]:
    setting = page.setting
    everyone = list(range(setting.heads))
    query = np.array([-offsets[0]])  # the last token's own offsets, and as many ahead
    rows = evaluate.bias(page.scheme, setting, query, query + offsets, everyone)
    series = among_heads(offsets, rows, setting.head)
    thin = [Series(name, *figures.apart(rows[list(heads)], offsets)) for name, heads in groups.items() if len(heads)]
    return [*thin, series[-1]] if groups else series


def _over_contents(page: Page, offsets: np.ndarray) -> list[Series]:
    setting, last = page.setting, grid(page).keys[-1]  # the last token that has a place
    low, middle, high = band(positional_logits(page.scheme, setting, offsets, setting.first + int(last)))
    return [Series(text("page", "median", contents=CONTENTS), offsets, middle, low, high)]


def _facts(matrix: np.ndarray) -> dict[str, str]:
    return {"low": number(np.nanmin(matrix)), "high": number(np.nanmax(matrix))}
