"""Shaw et al. (2018): a learned vector for every clipped distance, added to the key."""

import numpy as np

from explain import parts
from explain.figures import Mark
from posenc import shaw

page = parts.start(shaw)
clip = page.setting.arguments["clip"]
edges = [Mark(-clip, f"−k = −{clip}"), Mark(clip, f"k = {clip}")]

# A few offsets beyond the clip on both sides, so that the repeated edge vector is seen.
offsets = np.arange(-clip - 4, clip + 5)
parts.offset_vectors(page, offsets)
parts.terms(page)
parts.bias(page, marks=edges, clip=clip, rows=2 * clip + 1)
parts.decay(page, marks=edges[1:])
parts.closing(page)
