"""TENER (Yan et al. 2019): Transformer-XL's formula made lighter, aware of direction and not divided by √d."""

import numpy as np

from explain import parts
from explain.words import number, text
from posenc import setting as evaluate
from posenc import sinusoidal, tener

page = parts.start(tener)
setting = page.setting
form = setting.arguments["form"]
offsets = np.arange(-setting.length + 1, setting.length)
parts.offset_vectors(page, offsets)

# One query against R at both sides, and two sinusoids against each other.
parts.heading(page, "direction")
distances = np.arange(13)
r = {"past": tener.vectors(-distances, setting.width, form), "future": tener.vectors(distances, setting.width, form)}
query = evaluate.inputs(tener, setting, [0], [0])["q"][0, 0]
products = {f"{name}_{side}": rows @ one for name, one in (("query", query), ("alike", r["past"][0])) for side, rows in r.items()}
changes, facts = {name: one - one[0] for name, one in products.items()}, {name: number(one[1]) for name, one in products.items()}
parts.curves(page, "direction", distances, changes, text("page", "distance"), page.say("direction.y"), **facts)
parts.terms(page)

# The first words as a text of their own, with and without the division.
parts.heading(page, "sharp")
short = parts.under(page, None, words=setting.words[:12])
cells = parts.grid(short)
sharp = {name: short.setting.with_arguments(scaled=name == "scaled") for name in ("unscaled", "scaled")}
weights = {name: evaluate.attention(tener, one)[0] for name, one in sharp.items()}
largest = {name: number(np.median(rows.max(axis=1))) for name, rows in weights.items()}
parts.beside(page, "sharp", {name: cells.matrix(rows) for name, rows in weights.items()}, cells.axes(), share=True, **largest)

# The paper's logits and the code's, and the term that only the code has.
parts.heading(page, "forms")
forms = {name: short.setting.with_arguments(form=name) for name in tener.FORMS}
logits = {name: evaluate.scores(tener, one)[0] for name, one in forms.items()}
inputs = evaluate.inputs(tener, forms["code"])
logits["extra"] = tener.key_to_query(inputs["k"], inputs["i"], inputs["j"])[0]
parts.beside(page, "forms", {name: cells.matrix(values) for name, values in logits.items()}, cells.axes())
parts.convention(page, "forms", *(evaluate.attention(tener, one) for one in forms.values()))
parts.convention(page, "turn", *(sinusoidal.vectors(way * distances, setting.width, "concatenated") for way in (-1, 1)))
waves = {name: sinusoidal.angular_frequencies(setting.width, name) for name in sinusoidal.FREQUENCIES}
parts.curves(page, "waves", np.arange(setting.width), waves, page.say("waves.x"), page.say("waves.y"), log_axes="y")
parts.bias(page)
parts.decay(page)
parts.closing(page)
