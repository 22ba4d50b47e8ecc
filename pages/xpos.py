"""xPos (Sun et al. 2022): RoPE whose pairs fade with distance, the fast ones first."""

import numpy as np

from explain import parts
from explain.figures import Mark
from explain.words import number, text
from posenc import rope, xpos
from posenc.decay import FAR, points
from posenc.setting import bind, inputs

page = parts.start(xpos)
setting, knobs = page.setting, page.setting.arguments
width, scale_base = setting.width, knobs["scale_base"]
parts.position_vectors(page)

# What is left of a pair after a distance, and of a perfect match, all entries 1.
parts.heading(page, "fading")
zeta, away, distance = xpos.zeta(width), points(FAR), text("page", "distance")
limit = xpos.farthest_ahead(scale_base, float(np.finfo(np.float32).max))
facts = {"zeta": number(zeta[0]), "scale_base": scale_base, "limit": number(limit)}
some = np.unique(np.linspace(0, len(zeta) - 1, 4).round().astype(int))
left = dict(zip(some, xpos.fade(away, width, scale_base)[:, some].T, strict=True))
called = {c: page.say("fading.pair", pair=c, zeta=number(zeta[c])) for c in some}
parts.curves(page, "fading", away, left, distance, page.say("fading.left"), called=called, log_axes="x", from_zero=True, **facts)
ones = np.ones((1, len(away), width))
given = {**knobs, "q": ones, "k": ones[:, :1], "i": away, "j": away[:1]}
matches = {name: bind(scheme.scores, given)[0, :, 0] / width**0.5 for name, scheme in (("rope", rope), ("xpos", xpos))}
parts.curves(page, "match", away, matches, distance, page.say("match.score"), log_axes="x")

# Counting positions from 0 or from the middle of the text: the same logits, but not the same size of numbers.
parts.heading(page, "centring")
tokens, q, k = np.arange(setting.length), *(inputs(xpos, setting)[name] for name in ("q", "k"))
shifts = 0, xpos.min_position(len(tokens))
parts.convention(page, "centring", *(xpos.scaled(q, tokens, 1, by, **knobs) @ xpos.scaled(k, tokens, -1, by, **knobs).mT for by in shifts))
longest = points(limit + 1)[1:]
lowest = {"start": -longest, "middle": -(longest + np.array([xpos.min_position(int(last) + 1) for last in longest]))}
growth = {name: xpos.fade(at, width, scale_base)[:, 0] for name, at in lowest.items()}
titles, edge = (page.say("centring.last"), page.say("centring.factor")), [Mark(limit, "")]
parts.curves(page, "centring", longest, growth, *titles, log_axes="xy", marks=edge, **facts)
parts.rest(page)
