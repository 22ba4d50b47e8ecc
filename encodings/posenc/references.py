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

    def bibtex(self) -> str:
        """The publication as a BibTeX entry, its key the first author's last name and the year."""
        key = "".join(letter for letter in self.authors.split(",")[0].split()[-1].lower() if letter.isascii() and letter.isalpha())
        where = f"eprint = {{{self.arxiv}}}, archivePrefix = {{arXiv}}" if self.arxiv else f"howpublished = {{{self.venue}}}"
        authors = " and ".join(self.authors.split(", "))
        return f"@misc{{{key}{self.year},\n  author = {{{authors}}},\n  title = {{{self.title}}},\n  year = {{{self.year}}},\n  {where}\n}}"
