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
parts.terms(page)
parts.bias(page)
parts.decay(page)
parts.properties(page)
parts.question(page)
parts.sources(page)
