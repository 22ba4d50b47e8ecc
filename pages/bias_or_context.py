"""Bias or context: hold the positions, exchange a word, and see which logits' positional part moves."""

import numpy as np

from explain import controls, parts
from explain.words import ROUNDING, amount, percent, plain, text
from posenc import shaw
from posenc.decay import CONTENTS
from posenc.experiments import exchanged, largest, trace, words_share

KINDS = ("t5", "alibi", "tupe", "shaw", "transformer_xl", "deberta", "rope", "cope", "sinusoidal")

page = parts.first_words(parts.idea("bias_or_context", first=0))
place = min(controls.value("exchanged"), page.setting.length) - 1
words = {"word": plain(page.setting.words[place]), "number": place + 1}

# All that position adds to the logits, before and after one word gave way to another: of a scheme with context, and of the picked one.
for key, tried in (("context", parts.under(page, shaw)), ("chosen", page)):
    parts.heading(page, key, scheme=page.called, **words)
    cells = parts.grid(tried)
    settings = {"before": tried.setting, "after": exchanged(tried.setting, place)}
    shown = {name: cells.matrix(cells.terms(setting).positional()[0]) for name, setting in settings.items()}
    shown["difference"] = shown["after"] - shown["before"]
    moved, there = np.abs(shown["difference"]) > ROUNDING, np.isfinite(shown["difference"])
    facts = {"count": moved.sum(), "all": there.sum(), "most": amount(largest(shown["difference"]))}
    called = {name: page.say(f"exchange.{name}") for name in shown}
    parts.beside(tried, f"{key}_exchange", shown, cells.axes(), called=called, masked=cells.masked(), scheme=page.called, **words, **facts)

# The trace that the exchange leaves in nine kinds of scheme.
parts.heading(page, "traces", **words)
traces, willing = {}, parts.willing(page, KINDS)
for name, tried in willing.items():
    cells = parts.grid(tried)
    before, after = (cells.terms(setting).positional()[0] for setting in (tried.setting, exchanged(tried.setting, place)))
    traces[name] = cells.matrix(trace(after - before))
called = {name: text(name, "title") for name in traces}
parts.beside(page, "traces", traces, parts.grid(page).axes(), called=called, about=[tried.scheme for tried in willing.values()], **words)
parts.heading(page, "share", contents=CONTENTS)
parts.everyone(page, "share", words_share, written=percent)
parts.question(page)
parts.onward(page)
