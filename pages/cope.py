"""CoPE (Golovneva et al. 2024): each query counts the words that matter to it, and the count is the position."""

import numpy as np

from explain import figures, parts
from explain.figures import Series
from explain.words import number, text
from posenc import cope, nope
from posenc.setting import bind, inputs

page = parts.start(cope)
setting, cells = page.setting, parts.grid(page)
npos = setting.arguments["npos"]
available = inputs(cope, setting)

rows = np.arange(npos)
parts.vectors(page, cope.vectors(rows, available["e"]), rows, page.say("row"), npos=npos)

# Gates of the drawn head, and what they add up to from each key to the query.
parts.heading(page, "gates")
opened = cope.gates(available["q"], bind(cope.gate_keys, available), available["i"], available["j"])
counted = cope.contextual_positions(opened, npos)
drawn = np.ix_(cells.kept, cells.kept)
shown = {"gate": cells.matrix(opened[0][drawn]), "position": cells.matrix(counted[0][drawn])}
mean = np.nanmean(shown["gate"])
parts.beside(page, "gates", shown, cells.axes(), share=True, apart=True, mean=number(mean), most=number(counted.max()), last=npos - 1)

# The last token's count by distance: every head has its own, and none need be the distance.
everyone = inputs(cope, setting, [setting.length - 1], head=range(setting.heads))
opened = cope.gates(everyone["q"], bind(cope.gate_keys, everyone), everyone["i"], everyone["j"])
last = cope.contextual_positions(opened, npos)[:, -1, ::-1]
distance = np.arange(setting.length)
by_distance = cope.contextual_positions(np.ones_like(opened[:1]), npos)[0, 0, ::-1]
series = [*parts.among_heads(distance, last, setting.head), Series(page.say("open"), distance, by_distance)]
figure = figures.curves(series, x_title=text("page", "distance"), y_title=page.say("counted"))
near = setting.length // 4
spread = {"low": number(last[:, near].min()), "high": number(last[:, near].max())}
parts.figure(page, "counts", figure, head=setting.head + 1, at=near, last=npos - 1, **spread)

# The released code starts the vectors at 0; and whether the position part is divided by √d is a choice.
silent = bind(cope.terms, {**available, "e": 0 * available["e"]}).total()
parts.convention(page, "start", silent, bind(nope.terms, available).total())
one, other = (bind(cope.terms, {**available, "divided": divided}).total() for divided in (True, False))
parts.convention(page, "divided", one, other)
parts.terms(page)
parts.bias(page, npos=npos, last=npos - 1)
parts.decay(page)
parts.closing(page)
