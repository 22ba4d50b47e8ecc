"""XLNet (Yang et al. 2019): Transformer-XL's formula in both directions, and vectors for "same segment" and "another segment"."""

import numpy as np

from explain import parts
from posenc import setting as evaluate
from posenc import transformer_xl, xlnet
from posenc.attention import offsets, visible

page = parts.start(xlnet)
setting = page.setting
boundary, clamp = setting.arguments["boundary"], setting.arguments["clamp_len"]
reach = setting.length - 1
both = np.arange(-reach, reach + 1)
parts.offset_vectors(page, both)
parts.convention(page, "backward", xlnet.vectors(both, setting.width, clamp, backward=True), xlnet.vectors(-both, setting.width, clamp))
parts.terms(page)

# Content–position is two things: q·R by distance, and q·E by segment.
parts.heading(page, "segments")
cells = parts.grid(page)
one = setting.with_arguments(boundary=0)
inputs = evaluate.inputs(xlnet, setting, cells.queries, cells.queries)
other = xlnet.other_segment(inputs["i"], inputs["j"], boundary, setting.first)
by_segment, _ = xlnet.segment_terms(inputs["q"], other, inputs["segments"], inputs["bias_s"])
by_distance = evaluate.terms(xlnet, one, cells.queries, cells.queries).content_position
matrices = {"distance": by_distance, "segment": by_segment, "both": by_distance + by_segment}
parts.beside(page, "segments", {name: cells.matrix(values[0]) for name, values in matrices.items()}, cells.axes(), boundary=boundary)

# Four queries, three tokens of memory: the distances themselves, in the code's order, put through its shift.
parts.heading(page, "sequence")
i, j = np.arange(3, 7), np.arange(7)
sequences = {kind: xlnet.distances(4, 7, kind) for kind in xlnet.DIRECTIONS}
shifted = {kind: xlnet.shift(np.tile(rows, (1, 4, 1)), 7)[0] for kind, rows in sequences.items()}
told = {kind: ", ".join(map(str, rows)).replace("-", "−") for kind, rows in sequences.items()}
parts.beside(page, "sequence", {**shifted, "wanted": -offsets(i, j)}, parts.pairs(i, j), **told)
parts.convention(page, "bi", shifted["bi"], -offsets(i, j))
short = one.change(words=setting.words[:24])
past = visible(np.arange(short.length), np.arange(short.length), causal=True)
xl, txl = (np.where(past, evaluate.terms(scheme, short).total(), 0) for scheme in (xlnet, transformer_xl))
parts.convention(page, "transformer_xl", xl, txl)
parts.bias(page)
parts.decay(page)
parts.closing(page)
