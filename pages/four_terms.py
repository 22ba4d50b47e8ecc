"""The four terms: the product of two sums opened on the reader's sentence, and what every scheme made of the four."""

from explain import parts
from explain.words import amount, text
from posenc import sinusoidal
from posenc.experiments import other_words, term_effects
from posenc.measure import SHIFT

page = parts.idea("four_terms")
added = parts.under(page, sinusoidal)
parts.terms(added, "algebra")

# Which of the four notice other words, and which the same words further on: first of the sum, then of the scheme's answer to it.
for key, tried in (("changes", added), ("answered", page)):
    parts.heading(page, key, scheme=page.called, shift=SHIFT)
    setting = tried.setting
    words = term_effects(tried.scheme, setting, other_words(setting))
    place = term_effects(tried.scheme, setting, setting.change(first=setting.first + SHIFT))
    parts.table(page, "changes", [(text("page", f"term.{term}"), amount(words[term]), amount(place[term])) for term in words], shift=SHIFT)
    if key == "changes":
        parts.terms(page, "answer", scheme=page.called, shift=SHIFT)
parts.overview(page, "every")
parts.question(page)
parts.onward(page)
