"""A trained vector for every position (ConvS2S, BERT, GPT): rows of a table, added to the word vectors."""

import numpy as np

from explain import parts
from explain.weights import tensor
from explain.words import number, text
from posenc import learned, padding
from posenc.decay import band
from posenc.setting import tables

page = parts.start(learned)
setting = page.setting
table = tables(learned, setting, [setting.head])["table"]
parts.position_vectors(page)

# What training made of positions: rows by distance, and their lengths, in the whole published table and in the one that is drawn.
parts.heading(page, "rows")
whole = tensor(learned.TRAINED.model, learned.TRAINED.tensor)
named = {"whole": whole, "drawn": table}
called = {"whole": page.say("rows.whole", width=whole.shape[1]), "drawn": page.say("rows.drawn", width=setting.width)}
likeness = {name: np.stack(band(learned.likeness(rows))) for name, rows in named.items()}
parts.curves(page, "likeness", np.arange(len(whole)), likeness, text("page", "distance"), page.say("cosine"), called=called)
lengths = {name: np.linalg.norm(rows[:48], axis=1) for name, rows in named.items()}
first, second = map(number, lengths["drawn"][:2])
facts = {"width": setting.width, "first": first, "second": second}
parts.curves(page, "norms", np.arange(48), lengths, page.say("row"), page.say("norm"), called=called, from_zero=True, **facts)

# Su's decomposition stretches eight rows to 64 positions; the odd row 0 is left out.
parts.heading(page, "hierarchy")
eight, alpha = table[1:9], setting.arguments["alpha"]
n = len(eight)
places = np.arange(n * n)
stretched = {key: learned.vectors(places, eight, beyond="hierarchical", alpha=weight) for key, weight in (("chosen", alpha), ("half", 0.5))}
axes = {side: parts.numbered(f"{text('page', 'position')} {arrow}", places) for side, arrow in (("i", "↓"), ("j", "→"))}
alike = {key: rows @ rows.T for key, rows in stretched.items()}
parts.beside(page, "hierarchy", alike, axes, alpha=alpha, n=n, places=n * n)
mirrored = places % n * n + places // n
parts.convention(page, "kept", eight, stretched["chosen"][:n], n=n)
for key, rows in stretched.items():
    parts.convention(page, key, rows, rows[mirrored], alpha=alpha)

# The row that a token gets when the text holds padding.
parts.heading(page, "padding")
ids = np.array([5, 6, 7, 1])
roberta, opt = padding.after_padding_row(ids != 1, 1), padding.after_offset(ids != 1)
gpt2 = padding.after_cache(ids != 1)
parts.convention(page, "opt", roberta, opt, ids=ids.tolist(), rows=roberta.tolist())
parts.convention(page, "gpt2", roberta, gpt2, rows=gpt2.tolist())
parts.rest(page)
