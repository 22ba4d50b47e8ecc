"""Multiplied instead of added (Su 2021): each dimension of the word is scaled by that of its position."""

import numpy as np

from explain import parts
from explain.words import text
from posenc import multiplicative
from posenc.setting import inputs, scores, vectors

page = parts.start(multiplicative)
setting, cells = page.setting, parts.grid(page)
positions = np.arange(setting.length) + setting.first
p = vectors(multiplicative, setting)
parts.position_vectors(page)

# One word at every place, after each of the two products.
parts.heading(page, "fused")
x = inputs(multiplicative, setting)["x_q"]
same = np.repeat(x[:1], setting.length, axis=0)
columns = np.arange(min(setting.width, max(24, len(cells.kept))))  # about as many as rows
axes = {
    "i": parts.numbered(text("page", "position") + " ↓", positions[cells.kept]),
    "j": parts.numbered(text("page", "dimension") + " →", columns),
}
words = {"word": same} | {fusion: multiplicative.product(same, p, fusion) for fusion in multiplicative.FUSIONS}
parts.beside(page, "fused", {key: rows[cells.kept][:, columns] for key, rows in words.items()}, axes, columns=len(columns))

# The sentence's logits with each.
parts.heading(page, "fusions")
each = {
    fusion: scores(multiplicative, setting.with_arguments(fusion=fusion), cells.kept, cells.kept)[0] for fusion in multiplicative.FUSIONS
}
parts.beside(page, "fusions", {fusion: np.where(cells.mask, logits, np.nan) for fusion, logits in each.items()}, cells.axes())
parts.convention(page, "fusions", each["one_plus"], each["plain"])
parts.convention(page, "renamed", multiplicative.product(x, p - 1, "one_plus"), multiplicative.product(x, p, "plain"))
parts.convention(page, "added", multiplicative.product(x, p, "one_plus"), x + multiplicative.product(x, p, "plain"))
parts.rest(page)
