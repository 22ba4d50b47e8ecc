"""Complex order (Wang et al. 2020): every dimension of a word is a wave, of which position is the argument."""

import numpy as np

from explain import parts
from explain.words import text
from posenc import complex_order
from posenc.attention import dot
from posenc.setting import inputs, scores, terms

page = parts.start(complex_order)
setting, cells = page.setting, parts.grid(page)
paper, released = (setting.with_arguments(initial_phase=phase, similarity="modulus") for phase in (True, False))
given = inputs(complex_order, setting)
frequency, phase = given["frequency"], inputs(complex_order, paper)["phase"]

# One dimension: what amplitude, frequency and phase each do to its real part.
parts.heading(page, "wave")
t = np.arange(49)
waves = {"plain": (1, 1, 0), "amplitude": (2, 1, 0), "frequency": (1, 2, 0), "phase": (1, 1, 1)}
drawn = {
    key: complex_order.embedding(np.array([1.0 * r]), t, np.array([w * np.pi / 12]), np.array([theta * np.pi / 2])).real[:, 0]
    for key, (r, w, theta) in waves.items()
}
parts.curves(page, "wave", t, drawn, text("page", "position"), page.say("wave.real"))
parts.position_vectors(page)

# One word at every place, nothing projected: the released product beside the conjugated one, then both seven places on.
parts.heading(page, "conjugate")
word = given["x_q"][:1]
z = complex_order.embedding(word, cells.kept + setting.first, frequency, given.get("phase"))
matrices = {key: complex_order.logits(z, z, key) for key in complex_order.SIMILARITIES}
parts.beside(page, "conjugate", matrices, parts.pairs(cells.kept + setting.first, cells.kept + setting.first))
here, there = (complex_order.embedding(word, np.arange(24) + start, frequency) for start in (0, 7))
for key in complex_order.SIMILARITIES:
    parts.convention(page, key, complex_order.logits(here, here, key), complex_order.logits(there, there, key))

# θ against the released code, which has none; and what becomes of a negative q·k there.
with_phase = complex_order.embedding(word, np.arange(24), frequency, phase)
parts.convention(page, "phase", *(complex_order.logits(z, z, "conjugate") for z in (here, with_phase)))
parts.convention(page, "theta", *(scores(complex_order, form, cells.kept, cells.kept) for form in (released, paper)))
still, plain = terms(complex_order, released).content_content, dot(given["q"], given["k"])
parts.convention(page, "sign", still, np.abs(plain), negative=(plain < 0).sum(), pairs=plain.size)
parts.rest(page)
