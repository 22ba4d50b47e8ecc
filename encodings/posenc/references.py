"""Where a scheme was published."""

from typing import NamedTuple


class Reference(NamedTuple):
    """A publication: who, when, what, and where in it the implemented equation stands."""

    authors: str
    year: int
    title: str
    arxiv: str
    """arXiv id, or "" where there is none (then `venue` says where it appeared)."""
    place: str
    """Section or equation that is implemented, e.g. "§3.2, eq. 3–5"."""
    venue: str = ""
