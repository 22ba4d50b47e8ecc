"""Two to four schemes beside each other on the same sentence, projections and knobs."""

from explain import parts

page = parts.topic("compare")
schemes = parts.chosen(page)
parts.side_by_side(page, "added", schemes, lambda cells: cells.matrix(cells.terms().positional()[0]))
parts.side_by_side(page, "attention", schemes, lambda cells: cells.attention(), probabilities=True)
parts.every_term(page, "terms", schemes)
parts.decays(page, "decay", schemes)
parts.question(page)
parts.onward(page)
