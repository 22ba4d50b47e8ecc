"""Part 7: how attention falls with distance."""

from collections.abc import Sequence

import numpy as np

from explain import controls, figures, panels, stage
from explain.figures import Mark, Series
from explain.parts.opening import Page
from explain.words import number, text
from posenc.decay import CONTENTS, band, bias_attention, content_attention, farthest, farthest_ahead, points, positional_logits
from posenc.measure import half_distance
from posenc.setting import causal


def decay(page: Page, marks: Sequence[Mark] = ()) -> None:
    """Attention against distance, linear up to n or logarithmic up to 1,048,576, and the logits it comes from."""
    stage.heading(text("page", "decay"), "decay")
    stage.prose(page.say("decay"))
    log = controls.value("axes") == "log"
    far = farthest(page.scheme, page.setting)
    limit = far if log else min(page.setting.length, far)
    own = hasattr(page.scheme, "bias")
    half = half_distance(page.by_distance)
    facts = {
        "half": text("page", "never") if half is None else number(half),
        "n": number(page.setting.length),
        "contents": CONTENTS,
        "far": number(far),
        "head": page.setting.head + 1,
        "query": number(limit - 1),
        "last": number(far - 1),
    }
    left, right = stage.columns(1, 1)
    with left:
        attention = figures.curves(
            _exact(page, limit, log) if own else _sampled(page),
            x_title=text("page", "distance"),
            y_title=text("page", "attention"),
            log_x=log,
            log_y=log,
            from_zero=True,
            marks=[mark for mark in marks if 0 < mark.x < (limit if own else page.setting.length)],
        )
        panels.show(page.name, "decay", page.say("decay.caption", **facts), attention)
    with right:
        logits = figures.curves(
            logits_by_distance(page),
            x_title=text("page", "distance"),
            y_title=text("page", "logit.positional"),
            log_x=True,
            marks=[mark for mark in marks if 0 < mark.x < far],
        )
        panels.show(page.name, "logits", page.say("logits.caption", **facts), logits)


def _exact(page: Page, limit: int, log: bool) -> list[Series]:
    """A bias alone decides: every key is in the normaliser."""
    past, future = bias_attention(page.scheme, page.setting, limit)
    at = points(limit)[1:] if log and limit > 1 else np.arange(limit)
    series = [Series(text("page", "past"), at, past[at])]
    if len(future):
        series.append(Series(text("page", "future"), at, future[at]))
    return series


def _sampled(page: Page) -> list[Series]:
    """The last token's attention over the keys before it, for many contents."""
    low, middle, high = (side[::-1] for side in band(content_attention(page.scheme, page.setting)))
    return [Series(text("page", "median", contents=CONTENTS), np.arange(len(middle)), middle, low, high)]


def logits_by_distance(page: Page) -> list[Series]:
    """What position adds, as far out as the scheme goes; the query stands so far in that keys before it have room."""
    far = farthest(page.scheme, page.setting)
    back, ahead = points(far)[1:], points(farthest_ahead(page.scheme, page.setting))[1:]
    query = far - 1
    sides = [("past", back, -back)] if causal(page.scheme, page.setting) else [("past", back, -back), ("future", ahead, ahead)]
    series = []
    for side, at, offsets in sides:
        samples = positional_logits(page.scheme, page.setting, offsets, query)
        if np.isnan(samples).all():
            continue
        low, middle, high = band(samples)
        same = np.array_equal(low, high)
        series.append(Series(text("page", side), at, middle, None if same else low, None if same else high))
    return series
