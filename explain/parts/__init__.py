"""The ten parts of a scheme's page, in the order in which pages use them, and what a page may add of its own."""

from explain.parts.bias import bias
from explain.parts.closing import properties, question, sources
from explain.parts.convention import beside, convention, figure, heading, numbered, pairs
from explain.parts.decay import decay
from explain.parts.grid import grid
from explain.parts.opening import Page, start
from explain.parts.terms import terms
from explain.parts.vectors import instead, vectors

__all__ = [
    "Page",
    "beside",
    "bias",
    "convention",
    "decay",
    "figure",
    "grid",
    "heading",
    "instead",
    "numbered",
    "pairs",
    "properties",
    "question",
    "sources",
    "start",
    "terms",
    "vectors",
]
