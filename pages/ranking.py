"""Every scheme in one table that can be sorted, each number measured at the present knobs."""

from explain import parts

page = parts.idea("ranking")
parts.ranking(page, "table")
parts.question(page)
parts.onward(page)
