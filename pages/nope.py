"""No position at all: what attention knows of order without any help, with and without a causal mask."""

import numpy as np

from explain import parts
from explain.words import number, text
from posenc import nope
from posenc.attention import visible
from posenc.setting import attention, inputs

page = parts.start(nope)
setting, cells = page.setting, parts.grid(page)
tokens = np.arange(setting.length)

# The sentence, and the same read backwards: its rows and columns are then put back where the words first stood.
backwards = tokens[::-1]
written, turned = setting, setting.change(words=setting.words[::-1])
v, v_turned = (inputs(nope, one)["v"][0] for one in (written, turned))
parts.heading(page, "vectors")
for key, causal in (("vectors", False), ("masked", True)):
    before, after = (attention(nope, one.change(causal=causal))[0] for one in (written, turned))
    back, seen = after[backwards][:, backwards], visible(tokens, tokens, causal)
    matrices = {
        "before": np.where(seen, before, np.nan)[cells.kept][:, cells.kept],
        "back": np.where(seen[backwards][:, backwards], back, np.nan)[cells.kept][:, cells.kept],
    }
    parts.beside(page, key, matrices, cells.axes(), share=True, difference=number(np.abs(before - back).max(), 2))
    parts.convention(page, key, before @ v, (after @ v_turned)[backwards])

# The same word everywhere: all that a query can notice is how many keys it sees.
alike = setting.change(words=setting.words[:1] * setting.length)
first = {key: attention(nope, alike.change(causal=causal))[0, :, 0] for key, causal in (("causal", True), ("both", False))}
parts.heading(page, "count")
parts.curves(page, "count", tokens + setting.first, first, text("page", "position"), page.say("count.share"), from_zero=True)
parts.rest(page)
