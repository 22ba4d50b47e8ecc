"""A real model: the four terms in MiniLM's first layer on the reader's own sentence, head by head."""

import numpy as np

from explain import figures, parts, weights
from explain.words import listed, number, percent, text
from posenc import bert, influence

page = parts.topic("real_model")
read = parts.pieces(positions=512)
layer, found = weights.first_layer(read.ids), weights.anatomy(read.ids)
spread, moved = found.spread, found.moved
heads, head = np.arange(layer["heads"]) + 1, parts.head(layer["heads"])
one = {name: number(sizes[head]) for name, sizes in spread.items()}
most = int(spread["position_position"].argmax())
parts.heading(page, "opened")
terms, scores = bert.terms(**layer, head=[head]), bert.scores(**layer, head=[head])
parts.opened(page, "opened", terms, scores, read.labels, head=head + 1, most=most + 1, **one)

# What each head is made of: the largest of the four spreads.
parts.heading(page, "heads")
largest = np.argmax([*spread.values()], axis=0)
made_of = {name: listed(heads[largest == place]) for place, name in enumerate(spread)}
bars = [(text("page", f"term.{name}"), heads, sizes) for name, sizes in spread.items()]
drawn = figures.bars(
    bars, x_title=text("page", "head.title"), y_title=page.say("heads.spread"), tones=[parts.TONES[name] for name in spread]
)
parts.figure(page, "heads", drawn, most=most + 1, top=number(spread["position_position"][most]), **made_of)

# If the middle terms were uniform, leaving them out would change nothing.
parts.heading(page, "middle")
bars = [(page.say(f"without.{name}"), heads, 100 * moved[name]) for name in ("content_content", "middle", "position_position")]
drawn = figures.bars(bars, x_title=text("page", "head.title"), y_title=page.say("middle.moved"), tones=("content", "mixed", "position"))
low, high = int(moved["middle"].argmin()), int(moved["middle"].argmax())
ends = {"low": percent(moved["middle"][low]), "high": percent(moved["middle"][high]), "low_head": low + 1, "high_head": high + 1}
parts.figure(page, "middle", drawn, **ends, uniform=listed(heads[moved["middle"] < 0.05]))

# The head that position decides most: its position–position term and its attention by offset.
parts.heading(page, "previous")
facts = {name: percent(moved[name][most]) for name in ("content_content", "position_position")}
for key, means in (("previous", found.by_offset), ("weight", found.attention)):
    heads_drawn = parts.among_heads(found.offsets, means, most)
    drawn = figures.curves(heads_drawn, x_title=text("page", "offset"), y_title=page.say(f"{key}.mean"))
    top = int(means[most].argmax())
    facts |= {"at": number(int(found.offsets[top])), "top": number(means[most][top]), "share": percent(means[most][top])}
    parts.figure(page, key, drawn, head=most + 1, **facts)
parts.question(page)
parts.behind(page, bert, influence)
