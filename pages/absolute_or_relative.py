"""Absolute or relative: the same logits read by place and by offset; and what stays when the whole sentence moves on."""

import numpy as np

from explain import controls, figures, parts
from explain.figures import Series
from explain.words import amount, percent, text
from posenc import rope_scaling, sinusoidal
from posenc.attention import offsets
from posenc.experiments import GROWTH, averaged, explained, growth_effect, largest, same_word, shift_effect

page = parts.idea("absolute_or_relative")
moved = controls.value("moved")
both = {"absolute": parts.under(page, sinusoidal), "chosen": page}

# One word everywhere, so that only position is left: each logit, and the mean of its column, and of its diagonal.
for key, tried in both.items():
    cells = parts.grid(tried)
    positions = cells.kept + tried.setting.first
    parts.heading(page, f"{key}_read", scheme=page.called)
    logits = cells.matrix(cells.terms(same_word(tried.setting)).total()[0])
    key_position, offset = np.broadcast_to(cells.kept, logits.shape), offsets(cells.kept, cells.kept)
    shown = {"logits": logits, "place": averaged(logits, key_position), "offset": averaged(logits, offset)}
    facts = {name: percent(explained(logits, shown[name])) for name in ("place", "offset")} | {"scheme": page.called}
    called, axes = {name: page.say(f"read.{name}") for name in shown}, parts.pairs(positions, positions)
    parts.beside(tried, f"{key}_read", shown, axes, called=called, masked=cells.masked(), **facts)
    some = np.unique(np.linspace(0, len(logits) - 1, 4).round().astype(int))
    series = [Series(page.say("query.at", i=positions[row]), offset[row], logits[row]) for row in some]
    parts.figure(tried, f"{key}_lines", figures.curves(series, x_title=text("page", "offset"), y_title=text("page", "logit")), **facts)

parts.heading(page, "where")
parts.heading(page, "move", by=moved)
for key, tried in both.items():
    after = parts.under(tried, None, first=tried.setting.first + moved)
    shown = {"before": parts.grid(tried).attention(), "after": parts.grid(after).attention()}
    shown["difference"] = shown["after"] - shown["before"]
    called = {name: page.say(f"move.{name}", by=moved) for name in shown}
    facts = {"most": amount(largest(shown["difference"])), "scheme": page.called, "by": moved, "masked": parts.grid(after).masked()}
    parts.beside(tried, f"{key}_move", shown, parts.grid(tried).axes(), called=called, share=True, differences=["difference"], **facts)
parts.everyone(page, "move_all", shift_effect, by=moved)

# What a decoder may keep: does a longer text change the logits that are already there?
parts.heading(page, "cache", more=GROWTH)
grown = parts.measured(page, growth_effect)
rows = [(text(name, "title"), page.say(f"cache.{name}"), amount(change)) for name, change in grown.items()]
stretched = parts.under(page, rope_scaling, width=max(4, page.setting.width // 2 * 2)).setting
dynamic = stretched.with_arguments(method="dynamic_ntk", trained_length=max(2, page.setting.length), rotary_dim=0)
rows.append((page.say("cache.dynamic.name"), page.say("cache.dynamic"), amount(growth_effect(rope_scaling, dynamic))))
parts.table(page, "cache", rows)
parts.question(page)
parts.onward(page)
