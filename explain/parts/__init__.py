"""The ten parts of a scheme's page, in the order in which pages use them."""

from explain.parts.bias import bias
from explain.parts.closing import properties, question, sources
from explain.parts.decay import decay
from explain.parts.opening import Page, start
from explain.parts.terms import terms
from explain.parts.vectors import instead, vectors

__all__ = ["Page", "bias", "decay", "instead", "properties", "question", "sources", "start", "terms", "vectors"]
