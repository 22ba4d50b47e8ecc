"""DeBERTa (He et al. 2021): content and distance kept apart, each pair of words meeting through three products."""

import numpy as np

from explain import figures, parts
from explain.figures import Mark, Series
from explain.words import text
from posenc import deberta, sinusoidal
from posenc import setting as evaluate
from posenc.attention import offsets, softmax
from posenc.measure import SHIFT

page = parts.start(deberta)
setting, arguments = page.setting, page.setting.arguments
clip, buckets, far = arguments["clip"], arguments["log_buckets"], arguments["max_distance"]
half = deberta.span(clip, buckets)
reach = (far if buckets else clip) + 4
both = np.arange(-reach, reach + 1)
inputs = evaluate.inputs(deberta, setting, [0], [0])
parts.vectors(page, evaluate.bind(deberta.vectors, {**inputs, "offset": both}), both, text("page", "offset"))

# δ(i, j) and δ(j, i) for six tokens.
parts.heading(page, "delta")
six = np.arange(6)
rows = {way: evaluate.bind(deberta.delta, {**arguments, "offset": sign * offsets(six, six)}) for way, sign in (("ij", 1), ("ji", -1))}
told = {way: ", ".join(map(str, values[0])) for way, values in rows.items()}
parts.beside(page, "delta", rows, parts.pairs(six, six), share=True, span=half, rows=2 * half, last=2 * half - 1, **told)
parts.terms(page)

# Position → content as the paper has it and as the code has it: the first words as a text of their own.
parts.heading(page, "forms")
short = parts.under(page, None, words=setting.words[:12])
cells = parts.grid(short)
forms = {form: short.setting.change(arguments={**arguments, "pos_att_type": "c2p|p2c", "form": form}) for form in deberta.FORMS}
mirrored = {form: cells.matrix(evaluate.terms(deberta, one).position_content[0]) for form, one in forms.items()}
parts.beside(page, "forms", mirrored, cells.axes())
parts.convention(page, "forms", *(evaluate.attention(deberta, one) for one in forms.values()))

# Log buckets: those of the knobs, or version 3's while the knobs ask for none.
parts.heading(page, "buckets")
count, most = (buckets, far) if buckets else (256, 512)
distances = np.arange(1, 2 * most + 1)
curves = {name: deberta.bucket(-distances, count, most, name == "official") for name in ("official", "hugging_face")}
curves["clipped"] = deberta.delta(-distances, clip) - clip
series = [Series(page.say(f"buckets.{name}"), distances, rows, steps=True) for name, rows in curves.items()]
drawn = figures.curves(series, x_title=text("page", "distance"), y_title=page.say("buckets.y"), marks=[Mark(most, f"{most}")])
ends = {name: rows[-1] for name, rows in curves.items()}
parts.figure(page, "buckets", drawn, count=count, most=most, exact=count // 2, **ends)

# The decoder's first query is H + p, its keys are H; and the same with the text moved on.
parts.heading(page, "decoder")
texts = [evaluate.inputs(deberta, at) for at in (short.setting, short.setting.change(first=setting.first + SHIFT))]
placed = [evaluate.with_content(at, at["x_q"] + sinusoidal.vectors(at["i"], setting.width), at["x_k"]) for at in texts]
layer, here, moved = (softmax(evaluate.bind(deberta.terms, at).total(), cells.mask)[0] for at in (texts[0], *placed))
parts.beside(page, "decoder", {"layer": cells.matrix(layer), "first": cells.matrix(here)}, cells.axes(), share=True)
parts.convention(page, "decoder", here, moved, shift=SHIFT)
parts.bias(page, marks=[Mark(-clip, f"−k = −{clip}"), Mark(clip, f"k = {clip}")] if not buckets else ())
parts.decay(page)
parts.properties(page)
parts.question(page)
parts.sources(page)
