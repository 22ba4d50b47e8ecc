"""Sandwich (Chi et al. 2023): the similarity of sinusoidal vectors, lowered to 0 at distance 0, is the bias; nothing is learned."""

import numpy as np

from explain import parts
from explain.figures import Mark
from explain.words import number, text
from posenc import alibi, sandwich, sinusoidal
from posenc.decay import FAR
from posenc.setting import bind

page = parts.start(sandwich)
setting = page.setting
width, base = setting.arguments["sinusoid_width"], setting.arguments["base"]
parts.position_vectors(page, width=width)
positions = np.arange(setting.length) + setting.first
both = bind(sandwich.vectors, {**setting.arguments, "positions": positions}), sinusoidal.vectors(positions, width, base=base)
parts.convention(page, "frequencies", *(p @ p.T for p in both))

# The cosine half of the vector at a distance is what each wave adds to the product of two vectors that far apart.
parts.heading(page, "waves")
distance = np.arange(64)
cosines = bind(sandwich.vectors, {**setting.arguments, "positions": distance})[:, width // 2 :]
waves = {"mean": cosines.mean(axis=1)} | {c: cosines[:, c - 1] for c in np.unique([1, 1 + width // 8, width // 2])}
called = {c: page.say("wave", c=c) for c in waves} | {"mean": page.say("mean", count=width // 2)}
rises = 1 + np.flatnonzero(np.diff(bind(sandwich.similarity, {**setting.arguments, "offset": np.arange(FAR)})) > 1e-12)
marks = [Mark(rise, f"{rise}") for rise in rises[:1] if rise < len(distance)]
facts = {"rise": number(rises[0]) if len(rises) else text("page", "never"), "far": number(FAR)}
parts.curves(page, "waves", distance, waves, text("page", "distance"), page.say("cosine"), called=called, marks=marks, **facts)
parts.terms(page)

compression = sandwich.compression(setting.heads)
parts.convention(page, "alibi", 2.0**-compression, alibi.slopes(setting.heads), heads=setting.heads)
parts.bias(page, compression=number(compression[setting.head]), steepest=number(compression[0]), heads=setting.heads)
parts.decay(page)
parts.closing(page)
