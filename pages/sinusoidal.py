"""Sinusoidal position vectors (Vaswani et al. 2017): waves of many lengths, added to the word vectors."""

import numpy as np

from explain import parts
from explain.words import text
from posenc import sinusoidal
from posenc.setting import bind

page = parts.start(sinusoidal)
setting = page.setting
positions = np.arange(setting.length) + setting.first

p = bind(sinusoidal.vectors, {**setting.arguments, "positions": positions, "width": setting.width})
parts.vectors(page, p, positions, text("page", "position"))
interleaved, concatenated = (sinusoidal.vectors(positions, setting.width, layout) for layout in sinusoidal.LAYOUTS)
other = sinusoidal.vectors(positions, setting.width, frequencies="tensor2tensor")
parts.convention(page, "layout", interleaved @ interleaved.T, concatenated @ concatenated.T)
parts.convention(page, "frequencies", interleaved @ interleaved.T, other @ other.T)
parts.terms(page)
parts.bias(page)
parts.decay(page)
parts.properties(page)
parts.question(page)
parts.sources(page)
