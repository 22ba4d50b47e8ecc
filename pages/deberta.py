"""DeBERTa (He et al. 2021): content and distance kept apart, each pair of words meeting through three products."""

import numpy as np

from explain import parts
from explain.figures import Mark
from explain.words import text
from posenc import deberta, sinusoidal
from posenc.attention import offsets, softmax
from posenc.measure import SHIFT
from posenc.setting import attention, bind, inputs, terms, with_content

page = parts.start(deberta)
clip, buckets, far = (page.setting.arguments[name] for name in ("clip", "log_buckets", "max_relative_positions"))
reach = (far if buckets else clip) + 4
parts.offset_vectors(page, np.arange(-reach, reach + 1))

# δ(i, j) and δ(j, i) for six tokens.
parts.heading(page, "delta")
six, half = np.arange(6), deberta.span(clip, buckets)
rows = {way: bind(deberta.delta, {**page.setting.arguments, "offset": sign * offsets(six, six)}) for way, sign in (("ij", 1), ("ji", -1))}
told = {way: ", ".join(map(str, values[0])) for way, values in rows.items()}
parts.beside(page, "delta", rows, parts.pairs(six, six), share=True, span=half, rows=2 * half, last=2 * half - 1, **told)
parts.terms(page)

# Position → content as the paper has it and as the code has it: the first words as a text of their own.
parts.heading(page, "forms")
short = parts.under(page, None, words=page.setting.words[:12])
cells = parts.grid(short)
forms = {form: short.setting.with_arguments(pos_att_type="c2p|p2c", form=form) for form in deberta.FORMS}
parts.beside(page, "forms", {form: cells.matrix(terms(deberta, one).position_content[0]) for form, one in forms.items()}, cells.axes())
parts.convention(page, "forms", *(attention(deberta, one) for one in forms.values()))

# Log buckets: those of the knobs, or version 3's while the knobs ask for none.
parts.heading(page, "buckets")
count, most = (buckets, far) if buckets else (256, 512)
distances, edge = np.arange(1, 2 * most + 1), [Mark(most, f"{most}")]
curves = {name: deberta.bucket(-distances, count, most, name == "official") for name in ("official", "hugging_face")}
curves["clipped"] = deberta.delta(-distances, clip) - clip
facts = {name: rows[-1] for name, rows in curves.items()} | {"count": count, "most": most, "exact": count // 2}
parts.curves(page, "buckets", distances, curves, text("page", "distance"), page.say("buckets.y"), steps=True, marks=edge, **facts)

# The decoder's first query is H + p, its keys are H; and the same with the text moved on.
parts.heading(page, "decoder")
texts = [inputs(deberta, at) for at in (short.setting, short.setting.change(first=short.setting.first + SHIFT))]
placed = [with_content(at, at["x_q"] + sinusoidal.vectors(at["i"], short.setting.width), at["x_k"]) for at in texts]
layer, here, moved = (softmax(bind(deberta.terms, at).total(), cells.mask)[0] for at in (texts[0], *placed))
parts.beside(page, "decoder", {"layer": cells.matrix(layer), "first": cells.matrix(here)}, cells.axes(), share=True)
parts.convention(page, "decoder", here, moved, shift=SHIFT)
parts.bias(page, marks=[Mark(-clip, f"−k = −{clip}"), Mark(clip, f"k = {clip}")] if not buckets else ())
parts.decay(page)
parts.closing(page)
