"""The reader's sentence as a real model gets it."""

from collections.abc import Sequence

import numpy as np

from explain import controls, panels, stage, wordpiece
from explain.board import Axis
from explain.parts.grid import strided
from explain.parts.opening import Topic
from explain.parts.terms import board
from explain.wordpiece import Cut, Pieces
from explain.words import listed, number, plain, text
from posenc.attention import softmax
from posenc.measure import drawn
from posenc.terms import Terms, residual

MOST_NAMED = 6


def pieces(positions: int) -> Pieces:
    """The sentence's word pieces, and what became of words whose row is not here, that nobody has, or that have no place any more."""
    read = wordpiece.read(controls.value("sentence"), positions)
    facts = {"here": number(len(wordpiece.vocabulary(False))), "all": number(len(wordpiece.vocabulary(True))), "positions": positions}
    said = [text("pieces", "count", count=number(len(read.ids)), **facts)]
    if read.cut:
        said.append(text("pieces", "cut", words="; ".join(map(_cut, read.cut[:MOST_NAMED])) + _more(read.cut)))
    if read.lost:
        said.append(text("pieces", "lost", words=_words(read.lost)))
    stage.verdict(read.same, " ".join([*said, text("pieces", "same" if read.same else "different", **facts)]))
    if read.unknown:
        stage.note(text("pieces", "unknown", words=_words(read.unknown), **facts))
    if read.dropped:
        stage.note(text("pieces", "dropped", count=number(read.dropped), **facts))
    return read


def head(heads: int) -> int:
    """The drawn head, counted from 0, of a model that has so many; says so where the knob asks for one beyond."""
    asked = int(controls.value("head"))
    if asked > heads:
        stage.note(text("controls", "heads.given_way", head=asked, heads=heads))
    return min(asked, heads) - 1


def opened(page: Topic, key: str, terms: Terms, scores: np.ndarray, labels: Sequence[str], **facts: object) -> None:
    """The terms (1, n, n) of one head of a model on its own tokens, their sum and its attention, and the proof that they are its logits."""
    kept = drawn(len(labels), panels.MOST)
    cut = np.ix_(kept, kept)
    parts = {name: part[0][cut] for name, part in terms.present()}
    words = [labels[token] for token in kept]
    axes = {"i": Axis(text("page", "query") + " ↓", words, kept), "j": Axis(text("page", "key") + " →", words, kept)}
    total = terms.total()[0]
    caption = page.say(f"{key}.caption", **facts) + strided(len(labels))
    board(page, key, caption, parts, total[cut], softmax(total)[cut], axes)
    stage.note(text("page", "proof", residual=number(residual(terms, scores), 2), pairs=number(len(labels) ** 2)))


def _cut(cut: Cut) -> str:
    return text("pieces", "cut.one", word=plain(_short(cut.word)), here=_pieces(cut.here), whole=_pieces(cut.whole))


def _pieces(names: Sequence[str]) -> str:
    return plain(" ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else ""))


def _words(words: Sequence[str]) -> str:
    return listed([plain(_short(word)) for word in words[:MOST_NAMED]]) + _more(words)


def _short(word: str) -> str:
    return word if len(word) <= 24 else word[:24] + "…"


def _more(found: Sequence[object]) -> str:
    return text("pieces", "more", count=len(found) - MOST_NAMED) if len(found) > MOST_NAMED else ""
