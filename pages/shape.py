"""SHAPE (Kiyono et al. 2021): sinusoids, with all positions of a sequence moved on together by a random shift in training."""

import numpy as np

from explain import parts
from explain.words import number
from posenc import shape, sinusoidal
from posenc.setting import terms
from posenc.tables import stream

page = parts.start(shape)
setting, cells = page.setting, parts.grid(page)
shift, positions = setting.arguments["shift"], np.arange(setting.length) + setting.first

moved, still = (shape.vectors(positions, setting.width, k) for k in (shift, 0))
parts.position_vectors(page)
parts.convention(page, "sinusoid", still, sinusoidal.vectors(positions, setting.width))
parts.convention(page, "vectors", still, moved, shift=shift)
parts.convention(page, "products", still @ still.T, moved @ moved.T, shift=shift)

# The logits before and after the common shift, then with the last shift of training and the one that the released code evaluates with.
parts.heading(page, "shifted")
logits = {k: terms(shape, setting.with_arguments(shift=k), cells.kept, cells.kept).total()[0] for k in (0, shift, 499, 500)}
before, after = (np.where(cells.mask, logits[k], np.nan) for k in (0, shift))
parts.beside(
    page, "shifted", {"before": before, "after": after}, cells.axes(), shift=shift, difference=number(np.nanmax(np.abs(after - before)), 2)
)
drawn = shape.shifts(stream(setting.seed, "shifts"), 10_000, setting.length)
parts.convention(page, "evaluation", logits[499], logits[500], least=drawn.min(), most=drawn.max(), draws=number(len(drawn)))
parts.rest(page)
