"""Transformer-XL (Dai et al. 2019): a sinusoid of the distance in place of the key's position, so that a memory can be read."""

import numpy as np

from explain import parts
from explain.figures import Mark
from explain.words import number, text
from posenc import setting as evaluate
from posenc import transformer_xl
from posenc.attention import visible

page = parts.start(transformer_xl)
setting = page.setting
clamp = setting.arguments["clamp_len"]
distances = np.arange(setting.length)
parts.vectors(page, transformer_xl.vectors(-distances, setting.width, clamp), distances, text("page", "distance"))
parts.terms(page)

# The last token's row of each term, from a whisper of content to a shout: position stays as published.
parts.heading(page, "sizes")
loud = np.geomspace(0.01, 4, 14)
rows = [evaluate.terms(transformer_xl, setting.change(loud=one), [setting.length - 1]) for one in loud]
sizes = {name: np.array([np.abs(getattr(row, name)).max() for row in rows]) for name, _ in rows[0].present()}
options = {
    "called": {name: text("page", f"term.{name}") for name in sizes},
    "marks": [Mark(setting.loud, page.say("sizes.now"))] if setting.loud >= loud[0] else [],
    "fixed": number(sizes["position_position"][0]),
}
parts.curves(page, "sizes", loud, sizes, page.say("sizes.x"), page.say("sizes.y"), log_axes="xy", tones=parts.TONES, **options)

# The shift followed with tracers: 10·i + distance says whose number a cell holds, and of which distance.
parts.heading(page, "shift")
i, j = np.arange(3, 7), np.arange(7)
tracers = (10 * i[:, None] + j[::-1])[None]
seen = visible(i, j, causal=True)
steps = {name: step[0].astype(float) for name, step in transformer_xl.shift_steps(tracers).items()}
steps |= {"masked": np.where(seen, steps["shifted"], np.nan), "picked": np.where(seen, transformer_xl.picked(tracers)[0], np.nan)}
axes = parts.pairs(i, j) | {name: parts.numbered(page.say("row"), np.arange(rows)) for name, rows in (("rows8", 8), ("rows7", 7))}
axes |= {name: parts.numbered(page.say("column"), np.arange(columns)) for name, columns in (("columns8", 8), ("columns4", 4))}
sides = {"padded": ("i", "columns8"), "reshaped": ("rows8", "columns4"), "cut": ("rows7", "columns4")}
first = ", ".join(f"{value:.0f}" for value in steps["shifted"][0])
parts.beside(page, "shift", steps, axes, sides=sides, share=True, first=first)

# The same with the numbers of this sentence: its last tokens as queries, those before them as memory.
inputs = evaluate.inputs(transformer_xl, setting, np.arange(setting.length)[-4:])
values = transformer_xl.by_distance(inputs["q"], setting.length, inputs["w_kr"], inputs["bias_v"], clamp)
past = visible(inputs["i"], inputs["j"], causal=True)
parts.convention(page, "shift", np.where(past, transformer_xl.shift(values), 0), transformer_xl.picked(values))
parts.bias(page)
parts.decay(page)
parts.closing(page)
