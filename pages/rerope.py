"""ReRoPE (Su 2023): distances beyond a window all count as the window, so that none is new."""

import numpy as np

from explain import parts
from explain.figures import Mark
from explain.words import number, text
from posenc import rerope, rope
from posenc.decay import FAR, points
from posenc.setting import inputs

page = parts.start(rerope)
setting, knobs = page.setting, page.setting.arguments
window, factor, trained, leaky = (knobs[name] for name in ("window", "factor", "trained_length", "leaky"))
offsets = np.arange(1 - setting.length, 1)
parts.offset_vectors(page, offsets)

parts.heading(page, "distance")
away = np.arange(4 * window + 1)
counted = {
    "rope": away,
    "rerope": rerope.effective_distance(away, window),
    "leaky": rerope.effective_distance(away, window, True, factor),
}
edge = [Mark(window, f"w = {window}")]
facts = {"window": window, "far": 4 * window, "leaky": number(counted["leaky"][-1]), "factor": factor}
parts.curves(page, "distance", away, counted, text("page", "distance"), page.say("distance.counted"), marks=edge, **facts)
future, past = (rerope.effective_distance(np.array([side * 2 * window]), window) for side in (-1, 1))
parts.convention(page, "future", past, future, window=window, ahead=2 * window)
q, k, i, j = (inputs(rerope, setting)[name] for name in ("q", "k", "i", "j"))
unstretched = rerope.scores(q, k, i, j, window, FAR, leaky=True, factor=1, base=knobs["base"])
parts.convention(page, "rope", unstretched, rope.scores(q, k, i, j, "half", base=knobs["base"]))

parts.heading(page, "log_factor")
positions = points(FAR)
factors = rerope.log_factor(positions, trained)
marks = [Mark(trained, f"L = {number(trained)}")]
facts = {"trained": number(trained), "far": number(FAR), "highest": number(factors[-1])}
title = page.say("log_factor.times")
parts.curves(page, "log_factor", positions, {"times": factors}, text("page", "position"), title, log_axes="x", marks=marks, **facts)
parts.terms(page)
parts.bias(page, marks=[Mark(-window, f"−w = −{window}")])
parts.decay(page, marks=edge)
parts.closing(page)
