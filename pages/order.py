"""Why order is lost: what words take from each other in a sentence and in a reordering of it, without and with an encoding."""

from explain import parts
from posenc import nope
from posenc.experiments import order_effect, reordered
from posenc.setting import attention

page = parts.own_words(parts.idea("order", causal=False, first=0))
parts.heading(page, "reordering")
parts.examples(page, "examples")
order = parts.reordering(page)
words = tuple(page.setting.words[place] for place in order)

axes = parts.worded("i", "j", page.setting.words) | parts.worded("r", "s", words)
axes |= parts.dimensions(page.setting.width, max(16, len(words)))
drawn = axes["c"].index
called = {name: page.say(name) for name in ("sentence.weights", "reordered.weights", "sentence.outputs", "reordered.outputs", "difference")}
for key, scheme, causal in (("without", nope, False), ("with", page.scheme, False), ("masked", nope, True)):
    tried = parts.under(page, scheme, causal=causal)
    parts.heading(page, key, scheme=page.called)

    # Who attends to whom, as each of the two reads.
    weights = {"sentence": attention(scheme, tried.setting)[0], "reordered": attention(scheme, tried.setting.change(words=words))[0]}
    named = {name: called[f"{name}.weights"] for name in weights}
    parts.beside(tried, f"{key}_weights", weights, axes, sides={"reordered": ("r", "s")}, share=True, called=named, scheme=page.called)

    # The mixtures of values that come of it, each word's row back in its place.
    one, other = reordered(scheme, tried.setting, order)
    outputs = {"before": one[:, drawn], "after": other[:, drawn], "difference": (other - one)[:, drawn]}
    named = {"before": called["sentence.outputs"], "after": called["reordered.outputs"], "difference": called["difference"]}
    parts.beside(tried, f"{key}_outputs", outputs, axes, sides=dict.fromkeys(outputs, ("i", "c")), called=named, scheme=page.called)
    parts.convention(page, key, one, other, scheme=page.called)

parts.heading(page, "all")
parts.everyone(page, "all", order_effect, order=order)
parts.question(page)
parts.onward(page)
