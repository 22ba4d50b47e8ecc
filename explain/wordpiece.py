"""A sentence cut into word pieces as BERT cuts it, with the shipped vocabulary rows, and what the model's whole vocabulary would do.

The first 8,000 rows have their word vectors here. The names of the others are here too, so that the page can say where a word is
cut or lost only because its row is not.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple, TypeVar

from tokenizers import Encoding, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from explain.weights import FOLDER

MODEL = "all-MiniLM-L6-v2"
T = TypeVar("T")
START, UNKNOWN, END = "[CLS]", "[UNK]", "[SEP]"


class Cut(NamedTuple):
    """A word that the two vocabularies cut differently."""

    word: str
    here: tuple[str, ...]
    whole: tuple[str, ...]


class Pieces(NamedTuple):
    """A sentence as the model gets it, and what happened to its words."""

    labels: tuple[str, ...]
    """[CLS], the pieces, [SEP]."""
    ids: tuple[int, ...]
    cut: tuple[Cut, ...]
    """Words that the whole vocabulary cuts into other, mostly fewer, pieces."""
    lost: tuple[str, ...]
    """Words that it knows and the shipped rows don't."""
    unknown: tuple[str, ...]
    """Words that it doesn't know either."""
    dropped: int
    """Pieces beyond the last position."""

    @property
    def same(self) -> bool:
        """Whether the whole vocabulary would give these very pieces."""
        return not (self.cut or self.lost)


def read(sentence: str, positions: int) -> Pieces:
    """The pieces of a sentence, cut so that they fit into so many positions with [CLS] and [SEP]."""
    sentence = sentence.encode("utf-8", "replace").decode("utf-8")  # halves of surrogate pairs are no text
    short, whole = (tokenizer(every).encode(sentence, add_special_tokens=False) for every in (False, True))
    kept = short.tokens[: positions - 2]
    labels = (START, *kept, END)
    rows = vocabulary(False)
    cut, lost, unknown = [], [], []
    for word, here, there in _words(sentence, short, whole):
        if UNKNOWN in there:
            unknown.append(word)
        elif UNKNOWN in here:
            lost.append(word)
        elif here != there:
            cut.append(Cut(word, here, there))
    ids = tuple(rows[label] for label in labels)
    dropped = len(short.tokens) - len(kept)
    return Pieces(labels, ids, _distinct(cut), _distinct(lost), _distinct(unknown), dropped)


def _words(sentence: str, short: Encoding, whole: Encoding) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Each word as it is written, with its pieces in both vocabularies: what is a word does not depend on them."""
    pieces: list[dict[int | None, list[str]]] = [{}, {}]
    ends: dict[int | None, list[int]] = {}
    for found, encoding in zip(pieces, (short, whole), strict=True):
        for token, number, (start, end) in zip(encoding.tokens, encoding.word_ids, encoding.offsets, strict=True):
            found.setdefault(number, []).append(token)
            ends.setdefault(number, []).extend((start, end))
    return [
        (sentence[min(ends[number]) : max(ends[number])], tuple(pieces[0].get(number, ())), tuple(pieces[1].get(number, ())))
        for number in ends
    ]


def _distinct(found: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(found))


@cache
def vocabulary(every: bool) -> dict[str, int]:
    """Row by piece: of the shipped rows, or of every row that the model has."""
    names = ("vocab", "vocab.rest") if every else ("vocab",)
    lines = [line for name in names for line in (FOLDER / f"{MODEL}.{name}.txt").read_text("utf-8").split("\n") if line]
    return {piece: row for row, piece in enumerate(lines)}


@cache
def tokenizer(every: bool) -> Tokenizer:
    """BERT's: lower case, no accents, cut at spaces and signs, then the longest piece that the vocabulary has."""
    made = Tokenizer(WordPiece(vocabulary(every), unk_token=UNKNOWN))
    made.normalizer = BertNormalizer()
    made.pre_tokenizer = BertPreTokenizer()
    return made
