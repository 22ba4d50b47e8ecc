"""What an address asks for, and the addresses of what is on the screen. Both sides know a knob by its name in the URL."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from explain import controls, navigation, words
from explain.controls import Choice, Knob, Number, Switch, Text
from explain.words import text
from posenc import catalogue

VERSION = "1"
"""Rises when a knob's default changes: links leave defaults out."""
FORMATS = ("html", "svg", "png", "csv", "json")
IMAGES = ("svg", "png")
PRIVATE = ("your_model",)
"""Pages that show what is in a file of the reader's own, which no link can carry."""


@dataclass(frozen=True)
class Cell(Text):
    """The cell of a matrix that is read out: `i,j`, tokens counted from 0."""

    def parse(self, given: str) -> str:
        """The cell as it is written; ValueError for anything else."""
        if not re.fullmatch(r"([0-9]{1,7},[0-9]{1,7})?", given):
            raise ValueError(given)
        return given

    def allowed(self) -> str:
        """What can be given, in words."""
        return text("figure", "allowed.cell")


OWN: dict[str, Knob] = {
    knob.name: knob
    for knob in (
        Choice("lang", words.LANGUAGES, words.DEFAULT),
        Choice("theme", ("light", "dark"), "light"),
        Number("w", 320, 2400, 960),
        Number("h", 240, 2400, 600),
        Switch("present", False),
        Switch("download", False),
        Cell("cell", "", 15),
        Choice("v", (VERSION,), VERSION),
    )
}
"""Parameters of a figure's address beside the knobs. The picture's size is w × h pixels: `width` is the model's."""
IGNORED = ("embed", "embed_options", *controls.LIMITS)
"""What a page's address may carry besides, and no figure depends on."""


class RefusedError(ValueError):
    """A parameter that can't be used; says which, and what can be given."""


@dataclass(frozen=True)
class Asked:
    """One figure of one page at given knobs, and how it is to look. Sizes are None where the figure has its own."""

    page: str
    view: str
    form: str
    knobs: Mapping[str, Any]
    language: str = words.DEFAULT
    theme: str = "light"
    width: int | None = None
    height: int | None = None
    present: bool = False
    download: bool = False
    cell: str = ""

    @property
    def parameters(self) -> dict[str, Any]:
        """The page's knobs and their values; and other pages' knobs that were moved, where it depends on them."""
        shown = navigation.acting(self.page, self.knobs.__getitem__)
        return {name: self.knobs[name] for name in controls.KNOBS if name in shown or name in self.moved}

    @property
    def moved(self) -> dict[str, Any]:
        """The knobs that differ from their defaults, of those that it depends on."""
        return _moved(self.page, self.knobs)

    @property
    def identity(self) -> tuple[object, ...]:
        """What decides its numbers and words."""
        return (self.page, *((name, self.knobs[name]) for name in sorted(_deciding(self.page))), self.language, self.theme)

    def full(self) -> str:
        """All its parameters, defaults too, as an address may carry them."""
        return "?" + urlencode({name: _written(value) for name, value in self.parameters.items()})

    def query(self, **more: object) -> str:
        """Its parameters as an address carries them."""
        return query(self.page, self.knobs, lang=self.language, **more)


def pages() -> list[str]:
    """The pages whose figures can be asked for."""
    return [name for name in navigation.path() if name not in PRIVATE]


def valid(page: str) -> list[str]:
    """The parameters that mean something for a page's figures, in order."""
    acting = navigation.acting(page, lambda name: controls.KNOBS[name].start)
    return [*(name for name in controls.KNOBS if name in acting), *OWN]


def parse(page: str, view: str, form: str, given: Iterable[tuple[str, str]]) -> Asked:
    """The figure that an address asks for; `RefusedError` for an unknown parameter, one given twice, or a value that can't be used.

    A typing error must not draw another figure than the one that was meant. Other pages' knobs are no error: the app's own links have them.
    """
    values: dict[str, Any] = {}
    for name, value in given:
        if name in IGNORED:
            continue
        if name in values:
            raise RefusedError(text("figure", "refused.twice", name=name))
        knob = controls.KNOBS.get(name) or OWN.get(name)
        if knob is None:
            raise RefusedError(text("figure", "refused.unknown", name=_short(name), valid=", ".join(valid(page))))
        try:
            values[name] = knob.parse(value)
        except ValueError:
            raise RefusedError(text("figure", "refused.value", name=name, value=_short(value), allowed=knob.allowed())) from None
    own = {name: values.get(name, knob.start) for name, knob in OWN.items()}
    return Asked(
        page,
        view,
        form,
        {name: values.get(name, knob.start) for name, knob in controls.KNOBS.items()},
        own["lang"],
        own["theme"],
        values.get("w"),
        values.get("h"),
        own["present"],
        own["download"],
        own["cell"],
    )


def query(page: str, knobs: Mapping[str, Any], **more: object) -> str:
    """The knobs that differ from their defaults, and more parameters that do, as an address carries them: `?…`.

    The language is always there: without it a page comes in its reader's own.
    """
    starts = {name: knob.start for name, knob in (OWN | controls.LIMITS).items()}
    own = {name: value for name, value in more.items() if value is not None and (name == "lang" or value != starts[name])}
    return "?" + urlencode({name: _written(value) for name, value in (_moved(page, knobs) | own | {"v": VERSION}).items()})


def _moved(page: str, knobs: Mapping[str, Any]) -> dict[str, Any]:
    deciding = _deciding(page)
    return {name: knobs[name] for name, knob in controls.KNOBS.items() if name in deciding and knobs[name] != knob.start}


def _deciding(page: str) -> Iterable[str]:
    """The knobs that a page's figures may depend on: a page between the schemes may show any scheme."""
    return navigation.acting(page) if page in catalogue.SCHEMES else controls.KNOBS.keys()


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _short(given: str) -> str:
    shown = given if len(given) <= 40 else given[:40] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in shown)
