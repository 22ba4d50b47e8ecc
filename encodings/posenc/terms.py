"""The logit of a query and a key, taken apart."""

from collections.abc import Iterator
from typing import NamedTuple

from array_api_compat import array_namespace

from posenc.arrays import Array


class Terms(NamedTuple):
    """What a logit is made of, each part (h, n_q, n_k), already scaled, or None where a scheme has no such part.

    The first word is what the query side brings, the second what the key side brings. Masks are kept elsewhere:
    nothing here is ever −inf.
    """

    content_content: Array | None = None
    content_position: Array | None = None
    position_content: Array | None = None
    position_position: Array | None = None
    interaction: Array | None = None
    """For schemes that do not split into sums (rotations): what position changes in content–content."""

    def present(self) -> Iterator[tuple[str, Array]]:
        """(name, array) of each part that the scheme has."""
        return ((name, part) for name, part in zip(self._fields, self, strict=True) if part is not None)

    def total(self) -> Array:
        """The logits: the sum of the parts, (h, n_q, n_k)."""
        first, *rest = (part for _, part in self.present())
        for part in rest:
            first = first + part
        return first

    def positional(self) -> Array:
        """The logits without content–content, (h, n_q, n_k): zero where a scheme adds nothing."""
        rest = self._replace(content_content=None)
        return rest.total() if any(rest.present()) else 0 * self.total()

    def pick(self, rows: object, columns: object) -> "Terms":
        """The same terms at some query rows and key columns."""
        return Terms(*(None if part is None else part[:, rows][:, :, columns] for part in self))


def residual(terms: Terms, scores: Array) -> float:
    """max |Σ terms − scores| / max(1, max |scores|): how far the parts are from the logits computed directly."""
    xp = array_namespace(scores)
    if 0 in scores.shape:
        return 0.0
    gap, largest = (xp.max(xp.abs(part)).item() for part in (terms.total() - scores, scores))
    return gap / max(1.0, largest)
