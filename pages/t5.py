"""T5 (Raffel et al. 2020): one learned scalar per bucket of distances and head."""

import numpy as np

from explain import figures, parts
from explain.figures import Mark, Series
from explain.words import text
from posenc import t5

page = parts.start(t5)
buckets, reach = page.setting.arguments["num_buckets"], page.setting.arguments["max_distance"]
causal = page.setting.causal

edges = t5.first_distances(buckets, reach, causal)
offsets = np.arange(-reach - 16, reach + 17)
of_offset = Series(page.say("bucket"), offsets, t5.bucket(offsets, buckets, reach, causal), steps=True)
figure = figures.curves(
    [of_offset],
    x_title=text("page", "offset"),
    y_title=page.say("bucket"),
    marks=[Mark(-reach, f"−{reach}"), Mark(reach, f"{reach}")],
)
parts.instead(page, figure, edges=", ".join(map(str, edges)), buckets=buckets, reach=reach)
parts.terms(page)
parts.bias(page, marks=[Mark(-reach, f"−{reach}"), Mark(reach, f"{reach}")] if reach < page.setting.length else ())
parts.decay(page, marks=[Mark(reach, f"{reach}")])
parts.closing(page)
