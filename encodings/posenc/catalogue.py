"""The schemes there are, by family, in reading order: each answers what the one before could not do."""

from importlib import import_module
from types import ModuleType

FAMILIES: dict[str, tuple[str, ...]] = {
    "absolute": ("nope", "learned", "sinusoidal", "complex_order", "shape", "multiplicative"),
    "relative": ("shaw", "transformer_xl", "xlnet", "tener", "deberta"),
    "bias": ("t5", "tupe", "alibi", "kerple", "sandwich", "fire", "cope"),
    "rotary": ("rope", "rope_scaling", "xpos", "rerope", "rope_bias", "key_norm"),
}
"""Family → names of its schemes. A scheme's name is its module's, its page's and its text's."""

SCHEMES: tuple[str, ...] = tuple(name for names in FAMILIES.values() for name in names)


def load(name: str) -> ModuleType:
    """The module of a scheme; ValueError with the names there are for any other."""
    if name not in SCHEMES:
        raise ValueError(f"there is no scheme {name!r}; there are {', '.join(SCHEMES)}")
    return import_module(f"posenc.{name}")


def family(name: str) -> str:
    """The family a scheme belongs to."""
    return next(family for family, names in FAMILIES.items() if name in names)
