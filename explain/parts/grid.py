"""Which tokens a matrix figure draws, and how what was computed for them becomes a matrix with masked and undefined cells."""

from dataclasses import dataclass

import numpy as np

from explain import panels
from explain.board import Axis
from explain.parts.opening import Page
from explain.words import text
from posenc.attention import softmax
from posenc.measure import drawn
from posenc.setting import Setting, defined, seen, terms
from posenc.terms import Terms


@dataclass(frozen=True)
class Grid:
    """The drawn tokens of a page, the same for rows and columns."""

    page: Page
    kept: np.ndarray
    """Drawn tokens: a stride of real ones."""
    known: np.ndarray
    """Which of them stand where the scheme has a place for them."""
    keys: np.ndarray
    """Every token that does, drawn or not: softmax counts them all."""

    @property
    def queries(self) -> np.ndarray:
        """The drawn tokens that are defined; all drawn ones if none is, so that the scheme itself says what is wrong."""
        return self.kept[self.known] if self.known.any() else self.kept

    @property
    def columns(self) -> np.ndarray:
        """Where the drawn tokens stand among the keys."""
        return np.searchsorted(self.keys, self.queries)

    @property
    def mask(self) -> np.ndarray:
        """Which drawn pairs are seen, of those that are defined."""
        return seen(self.page.scheme, self.page.setting, self.queries, self.queries)

    def matrix(self, values: np.ndarray) -> np.ndarray:
        """Values of the defined drawn pairs as the whole drawn matrix, NaN where a cell is masked or undefined."""
        whole = np.full((len(self.kept), len(self.kept)), np.nan)
        whole[np.ix_(self.known, self.known)] = np.where(self.mask, values, np.nan)
        return whole

    def terms(self, setting: Setting | None = None) -> Terms:
        """The terms of the defined drawn pairs, under the page's setting or another of the same sizes."""
        return terms(self.page.scheme, setting or self.page.setting, self.queries, self.keys).pick(slice(None), self.columns)

    def attention(self) -> np.ndarray:
        """The drawn matrix of attention weights; softmax counts every key that has a place."""
        rows = terms(self.page.scheme, self.page.setting, self.queries, self.keys).total()[0]
        seen_keys = seen(self.page.scheme, self.page.setting, self.queries, self.keys)
        return self.matrix(softmax(rows, seen_keys)[:, self.columns])

    def masked(self) -> str:
        """What the cells without a number are."""
        return text("page", "masked" if self.known.all() else "undefined")

    def axes(self) -> dict[str, Axis]:
        """The query axis and the key axis: the tokens at their positions."""
        setting = self.page.setting
        words = [setting.words[token] for token in self.kept]
        return {
            "i": Axis(text("page", "query") + " ↓", words, self.kept + setting.first),
            "j": Axis(text("page", "key") + " →", words, self.kept + setting.first),
        }

    def strided(self) -> str:
        """Says so where only every s-th row and column is drawn."""
        return strided(self.page.setting.length)


def grid(page: Page) -> Grid:
    """The drawn tokens at the present knobs."""
    tokens = np.arange(page.setting.length)
    kept = drawn(page.setting.length, panels.MOST)
    there = defined(page.scheme, page.setting, tokens)
    return Grid(page, kept, there[kept], tokens[there] if there.any() else tokens)


def strided(length: int) -> str:
    """Says so where only every s-th row and column of so many is drawn."""
    step = -(-length // panels.MOST)
    return "" if step == 1 else " " + text("page", "strided", step=step)
