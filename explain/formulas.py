"""What each scheme made of the four terms, and its formula for each, out of assets/terms.toml."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parents[1] / "assets" / "terms.toml"
FATES = ("kept", "replaced", "dropped", "merged")


class Part(NamedTuple):
    """One term of one scheme: what became of it, and the formula of what is there."""

    fate: str
    formula: str


@cache
def formulas() -> dict[str, dict[str, Part]]:
    """By scheme and by the term's name in posenc; a term that is not named was dropped."""
    declared = tomllib.loads(FILE.read_text("utf-8"))
    return {scheme: {term: Part(*part) for term, part in parts.items()} for scheme, parts in declared.items()}


def part(scheme: str, term: str) -> Part:
    """What a scheme made of a term. Where one product holds word and place at once, what has no part of its own was merged into it."""
    parts = formulas()[scheme]
    return parts.get(term) or Part("merged" if "interaction" in parts else "dropped", "")
