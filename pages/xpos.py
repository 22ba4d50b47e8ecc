"""xPos (Sun et al. 2022): RoPE whose pairs fade with distance, the fast ones first."""

import numpy as np

from explain import figures, parts
from explain.figures import Mark, Series
from explain.words import number, text
from posenc import rope, xpos
from posenc.decay import FAR, points
from posenc.setting import bind, inputs

page = parts.start(xpos)
setting, knobs = page.setting, page.setting.arguments
width, scale_base = setting.width, knobs["scale_base"]
positions = np.arange(setting.length) + setting.first
parts.vectors(page, bind(xpos.vectors, {**knobs, "positions": positions, "width": width}), positions, text("page", "position"))

# What is left of a pair after a distance, and of a perfect match, all entries 1.
parts.heading(page, "fading")
zeta, away = xpos.zeta(width), points(FAR)
some = np.unique(np.linspace(0, len(zeta) - 1, 4).round().astype(int))
left = xpos.fade(away, width, scale_base)
series = [Series(page.say("fading.pair", pair=c, zeta=number(zeta[c])), away, left[:, c]) for c in some]
figure = figures.curves(series, x_title=text("page", "distance"), y_title=page.say("fading.left"), log_x=True, from_zero=True)
parts.figure(page, "fading", figure, zeta=number(zeta[0]), scale_base=scale_base)
ones = np.ones((1, len(away), width))
matches = {
    page.say("match.rope"): rope.scores(ones, ones[:, :1], away, away[:1], base=knobs["base"]),
    text("xpos", "title"): bind(xpos.scores, {**knobs, "q": ones, "k": ones[:, :1], "i": away, "j": away[:1]}),
}
series = [Series(name, away, score[0, :, 0] / width**0.5) for name, score in matches.items()]
parts.figure(page, "match", figures.curves(series, x_title=text("page", "distance"), y_title=page.say("match.score"), log_x=True))

# Counting positions from 0 or from the middle of the text: the same logits, but not the same size of numbers.
parts.heading(page, "centring")
tokens, q, k = np.arange(setting.length), *(inputs(xpos, setting)[name] for name in ("q", "k"))
logits = [
    xpos.scaled(q, tokens, 1, shift, **knobs) @ xpos.scaled(k, tokens, -1, shift, **knobs).mT
    for shift in (0, xpos.min_position(len(tokens)))
]
parts.convention(page, "centring", *logits)
limit = xpos.farthest_ahead(scale_base, float(np.finfo(np.float32).max))
longest = points(limit + 1)[1:]
growth = {"start": -longest, "middle": -(longest + np.array([xpos.min_position(int(last) + 1) for last in longest]))}
series = [Series(page.say(f"centring.{name}"), longest, xpos.fade(at, width, scale_base)[:, 0]) for name, at in growth.items()]
figure = figures.curves(
    series, x_title=page.say("centring.last"), y_title=page.say("centring.factor"), log_x=True, log_y=True, marks=[Mark(limit, "")]
)
parts.figure(page, "centring", figure, limit=number(limit), scale_base=scale_base)
parts.terms(page)
parts.bias(page)
parts.decay(page)
parts.properties(page)
parts.question(page)
parts.sources(page)
