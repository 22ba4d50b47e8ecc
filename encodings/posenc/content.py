"""The content side, the same for every scheme: tokens of a sentence, their vectors, the heads' projections."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import regex

from posenc.check import at_least
from posenc.tables import stream

# A Chinese or Japanese character with its marks; else a word with its marks and inner apostrophes and joiners; else one visible sign
# (\X keeps a composed emoji whole). White space, control characters and halves of surrogate pairs are no tokens.
TOKEN = regex.compile(
    r"""
    (?P<cjk> [\p{Han}\p{Hiragana}\p{Katakana}] ) \p{M}*
    | (?: (?!(?P>cjk)) [\p{L}\p{N}_] (?: \p{M} | [\u200c\u200d'’] (?=[\p{L}\p{M}]) )* )+
    | (?! [\s\p{Cc}\p{Cf}\p{Cs}] ) \X
    """,
    regex.VERBOSE,
)


def tokens(sentence: str) -> list[str]:
    """The tokens of a sentence: Unicode words, Chinese and Japanese by character, every other visible sign by itself."""
    return [match.group() for match in TOKEN.finditer(sentence)]


def fit(words: Sequence[str], length: int) -> list[str]:
    """`words` cut or padded to `length` with distinct fillers ▫1, ▫2, … (repeated words would draw blocks that look like position)."""
    at_least("length", length, 1)
    fillers = (f"▫{number}" for number in range(1, length - len(words) + 1))
    return [*words[:length], *fillers]


def vectors(words: Sequence[str], width: int, seed: int, loud: float = 1.0) -> np.ndarray:
    """Content vectors x (n, d), normal numbers of deviation `loud`; a word has the same vector wherever it stands."""
    at_least("width", width, 1)
    return loud * np.stack([_vector(word, width, seed) for word in words])


@lru_cache(maxsize=4096)  # every figure of a page asks for the same words
def _vector(word: str, width: int, seed: int) -> np.ndarray:
    vector = stream(seed, "word", word).standard_normal(width)
    vector.flags.writeable = False
    return vector


@lru_cache(maxsize=64)  # at the largest width one matrix takes 2 MB and 5 ms, and every redraw asks for the same few
def projection(name: str, head: int, width: int, seed: int) -> np.ndarray:
    """A head's projection (d, d), normal numbers of variance 1/d, so that projected content keeps its scale. Read-only."""
    matrix = stream(seed, name, head).standard_normal((width, width)) / width**0.5
    matrix.flags.writeable = False
    return matrix


def projections(name: str, head: Sequence[int], width: int, seed: int) -> np.ndarray:
    """The projections of some heads, (h, d, d); each head has its own, made only when it is drawn."""
    return np.stack([projection(name, number, width, seed) for number in head])
