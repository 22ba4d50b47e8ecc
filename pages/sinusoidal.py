"""Sinusoidal position vectors (Vaswani et al. 2017): waves of many lengths, added to the word vectors."""

import numpy as np

from explain import parts
from posenc import sinusoidal

page = parts.start(sinusoidal)
setting = page.setting
positions = np.arange(setting.length) + setting.first

parts.position_vectors(page)
interleaved, concatenated = (sinusoidal.vectors(positions, setting.width, layout) for layout in sinusoidal.LAYOUTS)
other = sinusoidal.vectors(positions, setting.width, frequencies="tensor2tensor")
parts.convention(page, "layout", interleaved @ interleaved.T, concatenated @ concatenated.T)
parts.convention(page, "frequencies", interleaved @ interleaved.T, other @ other.T)
parts.rest(page)
