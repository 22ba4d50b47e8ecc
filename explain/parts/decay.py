"""Part 7: how attention falls with distance."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from explain import controls, figures, panels
from explain.figures import Mark, Series
from explain.parts.opening import Page
from explain.words import number, text
from posenc.decay import CONTENTS, FAR, band, bias_attention, content_attention, curve, points, positional_logits
from posenc.measure import half_distance
from posenc.setting import causal


def decay(page: Page, marks: Sequence[Mark] = ()) -> None:
    """Attention against distance, linear up to n or logarithmic up to 1,048,576, and the logits it comes from."""
    st.header(text("page", "decay"), anchor="decay")
    st.markdown(page.say("decay"))
    log = controls.value("axes") == "log"
    own = hasattr(page.scheme, "bias")
    half = half_distance(curve(page.scheme, page.setting))
    facts = {
        "half": text("page", "never") if half is None else number(half),
        "n": number(page.setting.length),
        "contents": CONTENTS,
        "far": number(FAR),
        "head": page.setting.head + 1,
    }
    left, right = st.columns(2, gap="medium")
    with left:
        attention = figures.curves(
            _exact(page, log) if own else _sampled(page),
            x_title=text("page", "distance"),
            y_title=text("page", "attention"),
            log_x=log,
            log_y=log,
            from_zero=True,
            marks=marks,
        )
        panels.curve(attention, key=f"{page.name}-decay", caption=page.say("decay.caption", **facts))
    with right:
        logits = figures.curves(
            _logits(page), x_title=text("page", "distance"), y_title=text("page", "logit.positional"), log_x=True, marks=[m for m in marks if m.x > 0]
        )
        panels.curve(logits, key=f"{page.name}-logits", caption=page.say("logits.caption", **facts))


def _exact(page: Page, log: bool) -> list[Series]:
    """A bias alone decides: every key is in the normaliser."""
    limit = FAR if log else page.setting.length
    past, future = bias_attention(page.scheme, page.setting, limit)
    at = points(limit)[1:] if log else np.arange(limit)
    series = [Series(text("page", "past"), at, past[at], dots=limit <= 64)]
    if len(future):
        series.append(Series(text("page", "future"), at, future[at], dots=limit <= 64))
    return series


def _sampled(page: Page) -> list[Series]:
    """The last token's attention over the keys before it, for many contents."""
    low, middle, high = (side[::-1] for side in band(content_attention(page.scheme, page.setting)))
    return [Series(text("page", "median", contents=CONTENTS), np.arange(page.setting.length), middle, low, high, dots=len(middle) <= 64)]


def _logits(page: Page) -> list[Series]:
    at = points(FAR)[1:]
    query = page.setting.first + FAR
    sides = [("past", -at)] if causal(page.scheme, page.setting) else [("past", -at), ("future", at)]
    series = []
    for side, offsets in sides:
        low, middle, high = band(positional_logits(page.scheme, page.setting, offsets, query))
        spread = None if np.array_equal(low, high) else (low, high)
        series.append(Series(text("page", side), at, middle, *(spread or ())))
    return series
