"""FIRE (Li et al. 2024): a small network reads the bias off a distance that is measured against how far there is to look back."""

import numpy as np

from explain import figures, parts
from explain.figures import Mark, Series
from explain.words import number, text
from posenc import fire
from posenc.decay import points
from posenc.setting import bias, bind, parameters_of

page = parts.start(fire)
setting = page.setting
threshold = setting.arguments["threshold"]
learned = parameters_of(fire, setting)

# A query far beyond the threshold sees every normalised distance from 0 to 1.
i, j = np.array([4095]), np.arange(4095, -1, -1)
z = bind(fire.normalized_distance, {**learned, "i": i, "j": j})
f = bias(fire, setting, i, j, range(setting.heads))
figure = figures.curves(parts.among_heads(z, f, setting.head), x_title=page.say("normalized"), y_title=page.say("output"))
parts.instead(page, figure, head=setting.head + 1, low=number(f[setting.head].min()), high=number(f[setting.head].max()))

# Queries within the threshold, at it and beyond it: how far their keys seem, and the bias they get.
parts.heading(page, "interpolation")
queries = [max(threshold // 2, 1), threshold, 4 * threshold, 16 * threshold, 64 * threshold]
scaled, stretched = [], []
for query in queries:
    distance = points(query + 1)[1:]
    place = {"i": np.array([query]), "j": query - distance}
    name = page.say("query", query=number(query))
    scaled.append(Series(name, distance, bind(fire.normalized_distance, {**learned, **place})))
    stretched.append(Series(name, distance, bind(fire.bias, {**learned, **place})[0]))
marks = [Mark(threshold, f"L = {threshold}")]
ways = {"scaled": (scaled, page.say("normalized")), "stretched": (stretched, text("page", "panel.bias", head=setting.head + 1))}
for key, (series, y_title) in ways.items():
    figure = figures.curves(series, x_title=text("page", "distance"), y_title=y_title, log_x=True, marks=marks)
    parts.figure(page, key, figure, threshold=threshold, within=queries[0], far=number(queries[-1]))

# The same few tokens moved on: within the threshold nothing changes, beyond it all distances seem shorter.
few = np.arange(max(min(threshold // 2, 32), 1) + 1)
for key, start, moved in (("within", 0, threshold - few[-1]), ("beyond", threshold, threshold)):
    here, there = (bind(fire.bias, {**learned, "i": at[:, None], "j": at}) for at in (few + start, few + start + moved))
    parts.convention(page, key, here, there, count=len(few), start=start, moved=moved, threshold=threshold)
parts.terms(page)
parts.bias(page, threshold=threshold)
parts.decay(page)
parts.closing(page)
