"""Sandwich (Chi et al. 2023): the similarity of sinusoidal vectors, lowered to 0 at distance 0, is the bias; nothing is learned."""

import numpy as np

from explain import figures, parts
from explain.figures import Mark, Series
from explain.words import number, text
from posenc import alibi, sandwich, sinusoidal
from posenc.decay import FAR
from posenc.setting import bind

page = parts.start(sandwich)
setting = page.setting
width = setting.arguments["sinusoid_width"]
positions = np.arange(setting.length) + setting.first

p = bind(sandwich.vectors, {**setting.arguments, "positions": positions})
parts.vectors(page, p, positions, text("page", "position"), width=width)
vaswani = sinusoidal.vectors(positions, width, base=setting.arguments["base"])
parts.convention(page, "frequencies", p @ p.T, vaswani @ vaswani.T)

# The cosine half of the vector at a distance is what each wave adds to the product of two vectors that far apart.
parts.heading(page, "waves")
distance = np.arange(64)
cosines = bind(sandwich.vectors, {**setting.arguments, "positions": distance})[:, width // 2 :]
waves = [Series(page.say("wave", c=c), distance, cosines[:, c - 1]) for c in np.unique([1, 1 + width // 8, width // 2])]
mean = Series(page.say("mean", count=width // 2), distance, cosines.mean(axis=1), dots=True)
rises = 1 + np.flatnonzero(np.diff(bind(sandwich.similarity, {**setting.arguments, "offset": np.arange(FAR)})) > 1e-12)
marks = [Mark(rise, f"{rise}") for rise in rises[:1] if rise < len(distance)]
figure = figures.curves([mean, *waves], x_title=text("page", "distance"), y_title=page.say("cosine"), marks=marks)
parts.figure(page, "waves", figure, rise=number(rises[0]) if len(rises) else text("page", "never"), far=number(FAR))
parts.terms(page)

compression = sandwich.compression(setting.heads)
parts.convention(page, "alibi", 2.0**-compression, alibi.slopes(setting.heads), heads=setting.heads)
parts.bias(page, compression=number(compression[setting.head]), steepest=number(compression[0]), heads=setting.heads)
parts.decay(page)
parts.properties(page)
parts.question(page)
parts.sources(page)
