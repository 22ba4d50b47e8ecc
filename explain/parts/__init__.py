"""The ten parts of a scheme's page, in the order in which pages use them, and what a page may add of its own."""

from explain.parts.bias import bias
from explain.parts.closing import behind, closing, onward, question, rest
from explain.parts.compare import chosen, decays, every_term, side_by_side
from explain.parts.convention import beside, convention, dimensions, figure, heading, numbered, pairs, worded
from explain.parts.curves import among_heads, curves
from explain.parts.decay import decay
from explain.parts.everyone import everyone, measured, table
from explain.parts.grid import grid
from explain.parts.opening import idea, start, topic, under, willing
from explain.parts.overview import overview
from explain.parts.own import as_buckets, as_rows, cutter, own_table
from explain.parts.pieces import head, opened, pieces
from explain.parts.ranking import ranking
from explain.parts.reorder import examples, first_words, own_words, reordering
from explain.parts.terms import TONES, terms
from explain.parts.trained import Buckets, Rows, buckets, rows
from explain.parts.vectors import instead, offset_vectors, position_vectors, vectors

__all__ = [
    "TONES",
    "Buckets",
    "Rows",
    "among_heads",
    "as_buckets",
    "as_rows",
    "behind",
    "beside",
    "bias",
    "buckets",
    "chosen",
    "closing",
    "convention",
    "curves",
    "cutter",
    "decay",
    "decays",
    "dimensions",
    "every_term",
    "everyone",
    "examples",
    "figure",
    "first_words",
    "grid",
    "head",
    "heading",
    "idea",
    "instead",
    "measured",
    "numbered",
    "offset_vectors",
    "onward",
    "opened",
    "overview",
    "own_table",
    "own_words",
    "pairs",
    "pieces",
    "position_vectors",
    "question",
    "ranking",
    "reordering",
    "rest",
    "rows",
    "side_by_side",
    "start",
    "table",
    "terms",
    "topic",
    "under",
    "vectors",
    "willing",
    "worded",
]
