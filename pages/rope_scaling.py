"""Longer texts with RoPE's frequencies divided, pair by pair: interpolation, NTK-aware, YaRN, Llama 3."""

import numpy as np

from explain import figures, parts
from explain.figures import Mark, Series
from explain.words import number, text
from posenc import rope, rope_scaling
from posenc.decay import FAR, points
from posenc.setting import bind

page = parts.start(rope_scaling)
method, factor, trained, base = (page.setting.arguments[name] for name in ("method", "factor", "trained_length", "base"))
longer = factor * trained
given = {**page.setting.arguments, "width": page.setting.width, "length": longer}
theta = bind(rope.angular_frequencies, given)
divisors = {name: bind(rope_scaling.divisors, {**given, "method": name}) for name in rope_scaling.BY_FORMULA}
names = {name: text("controls", f"method.{name}") for name in divisors}

# Pairs that never came round in training: a longer text shows them new angles, unless their frequency is divided by s.
pairs, waves = np.arange(len(theta)), rope_scaling.wavelengths(theta)
slow = np.flatnonzero(rope_scaling.rotations(theta, trained) < 1)
shade = [Mark(slow[0] - 0.5, page.say("slow"), pairs[-1] + 0.5)] if len(slow) else []
new = {f"new_{name}": int(np.sum(~rope_scaling.seen_in_training(theta / by, theta, trained, longer))) for name, by in divisors.items()}
facts = {"pairs": len(pairs), "slow": len(slow), "s": factor, "trained": number(trained), "longer": number(longer), "method": names[method]}
ways = {page.say("unscaled"): waves, names[method]: waves * divisors[method]}
limits = {page.say("trained"): trained, page.say("longer"): longer}
series = [Series(name, pairs, 0 * waves + at) for name, at in (ways | limits).items()]
figure = figures.curves(series, x_title=page.say("pair"), y_title=page.say("wavelength"), log_y=True, marks=shade)
parts.instead(page, figure, **new, **facts, new=new[f"new_{method}"])

parts.heading(page, "divisors")
drawn = {name: by for name, by in divisors.items() if name not in ("none", "ntk_by_parts")}
parts.curves(page, "divisors", pairs, drawn, page.say("pair"), page.say("divisor"), called=names, log_axes="y", marks=shade, **new, **facts)
parts.convention(page, "ramp", divisors["yarn"], divisors["yarn_paper"])
parts.convention(page, "llama3", divisors["llama3"], rope_scaling.llama3_by_wavelength(theta, factor, trained))

parts.heading(page, "temperature")
factors, here = np.arange(1, 65), [Mark(factor, f"s = {factor}")]
times = {name: np.array([rope_scaling.attention_scaling(name, s, trained) ** 2 for s in factors]) for name in ("yarn", "longrope")}
facts |= {name: number(at[factor - 1]) for name, at in times.items()}
parts.curves(page, "temperature", factors, times, page.say("factor"), page.say("temperature.times"), marks=here, **facts)

parts.heading(page, "cache")
lengths, edge = points(FAR)[1:], [Mark(trained, page.say("trained"))]
bases = {"dynamic_ntk": rope_scaling.dynamic_base(2 * len(pairs), base, factor, trained, lengths)}
facts |= {"base": number(base), "far": number(round(bases["dynamic_ntk"][-1]))}
parts.curves(page, "cache", lengths, bases, page.say("length"), page.say("cache.base"), called=names, log_axes="xy", marks=edge, **facts)
for key, name in (("chosen", method), ("dynamic", "dynamic_ntk")):
    rows = [bind(rope_scaling.vectors, {**given, "method": name, "positions": np.array([1]), "length": n}) for n in (trained, 2 * trained)]
    parts.convention(page, key, *rows, **facts)
parts.rest(page)
