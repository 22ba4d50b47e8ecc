"""Longer texts with RoPE's frequencies divided, pair by pair: interpolation, NTK-aware, YaRN, Llama 3."""

import numpy as np

from explain import controls, figures, parts
from explain.figures import Mark, Series
from explain.words import number, text
from posenc import rope, rope_scaling
from posenc.decay import FAR, points
from posenc.setting import bind

page = parts.start(rope_scaling)
width, knobs = page.setting.width, page.setting.arguments
method, factor, trained, base = (knobs[name] for name in ("method", "factor", "trained_length", "base"))
theta = rope.angular_frequencies(width, knobs["rotary_dim"], base)
pairs, waves, longer = np.arange(len(theta)), rope_scaling.wavelengths(theta), factor * trained

# Pairs that never came round in training: a longer text shows them new angles, unless their frequency is divided by s.
slow = pairs[rope_scaling.rotations(theta, trained) < 1]
shade = [Mark(slow[0] - 0.5, page.say("slow"), pairs[-1] + 0.5)] if len(slow) else []
given = {**knobs, "width": width, "length": longer}
divisors = {name: bind(rope_scaling.divisors, {**given, "method": name}) for name in controls.KNOBS["method"].options}
names = {name: text("controls", f"method.{name}") for name in divisors}
new = {name: int(np.sum(~rope_scaling.seen_in_training(theta / by, theta, trained, longer))) for name, by in divisors.items()}
stretched = rope_scaling.wavelengths(theta / divisors[method])
curves = {
    page.say("unscaled"): waves,
    names[method]: stretched,
    page.say("trained"): 0 * pairs + trained,
    page.say("longer"): 0 * pairs + longer,
}
series = [Series(name, pairs, curve) for name, curve in curves.items()]
figure = figures.curves(series, x_title=page.say("pair"), y_title=page.say("wavelength"), log_y=True, marks=shade)
sizes = {"pairs": len(pairs), "slow": len(slow), "s": factor, "trained": number(trained), "longer": number(longer), "method": names[method]}
parts.instead(page, figure, **sizes, new=new[method], unscaled=new["none"])

parts.heading(page, "divisors")
series = [Series(names[name], pairs, by) for name, by in divisors.items() if name not in ("none", "ntk_by_parts")]
figure = figures.curves(series, x_title=page.say("pair"), y_title=page.say("divisors.divisor"), log_y=True, marks=shade)
parts.figure(page, "divisors", figure, **sizes, **{f"new_{name}": count for name, count in new.items()})
parts.convention(page, "ramp", divisors["yarn"], divisors["yarn_paper"])
released = rope_scaling.blend(np.clip((trained / waves - 1) / (4 - 1), 0, 1), factor)  # smoothed in L/wavelength, as Llama 3's code has it
parts.convention(page, "llama3", divisors["llama3"], released)

parts.heading(page, "temperature")
factors = np.arange(1, 65)
yarn = Series(page.say("temperature.yarn"), factors, np.array([rope_scaling.temperature(s) ** 2 for s in factors]))
longrope = Series(
    page.say("temperature.longrope"), factors, np.array([rope_scaling.longrope_temperature(s, trained) ** 2 for s in factors])
)
figure = figures.curves(
    [yarn, longrope], x_title=page.say("factor"), y_title=page.say("temperature.times"), marks=[Mark(factor, f"s = {factor}")]
)
parts.figure(page, "temperature", figure, **sizes, yarn=number(yarn.y[factor - 1]), longrope=number(longrope.y[factor - 1]))

parts.heading(page, "cache")
lengths = points(FAR)[1:]
bases = [rope_scaling.ntk_base(2 * len(pairs), base, rope_scaling.dynamic_factor(factor, trained, length)) for length in lengths]
figure = figures.curves(
    [Series(names["dynamic_ntk"], lengths, np.array(bases))],
    x_title=page.say("length"),
    y_title=page.say("cache.base"),
    log_x=True,
    log_y=True,
    marks=[Mark(trained, page.say("trained"))],
)
parts.figure(page, "cache", figure, **sizes, base=number(base), far=number(round(bases[-1])))
for key, name in (("chosen", method), ("dynamic", "dynamic_ntk")):
    rows = [bind(rope_scaling.vectors, {**given, "method": name, "positions": np.array([1]), "length": n}) for n in (trained, 2 * trained)]
    parts.convention(page, key, *rows, **sizes)
parts.terms(page)
parts.bias(page)
parts.decay(page)
parts.properties(page)
parts.question(page)
parts.sources(page)
