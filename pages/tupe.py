"""TUPE (Ke et al. 2021): words are compared with words, positions with positions, and [CLS] is untied from both ends."""

import numpy as np

from explain import parts
from explain.words import number
from posenc import tupe
from posenc.setting import bind, parameters_of

page = parts.start(tupe)
cells = parts.grid(page)
learned = parameters_of(tupe, page.setting)
rows = page.setting.arguments["max_positions"]

parts.position_vectors(page, size=rows, end=rows - 1)

# The position term as the products have it, and with the row and the column of [CLS] overwritten.
parts.heading(page, "reset")
shown = cells.queries + page.setting.first
after = bind(tupe.bias, {**learned, "i": shown[:, None], "j": shown, "variant": "A"})[0]
before = bind(tupe.products, {**learned, "rows_q": shown + 1, "rows_k": shown + 1})[0]
theta = [bind(tupe.products, {**learned, "rows_q": np.array([row]), "rows_k": np.array([row])}).item() for row in (0, 1)]
parts.beside(
    page,
    "reset",
    {"before": cells.matrix(before), "after": cells.matrix(after)},
    cells.axes(),
    masked=cells.masked(),
    row=number(theta[0]),
    column=number(theta[1]),
)
parts.rest(page)
