"""Every knob, declared once: its range, its default, its name in the URL. The frame draws them; pages read a Setting.

A knob's name is the name of the parameter it feeds in posenc, so which knobs a scheme needs can be read off its functions.
"""

import re
from collections.abc import Callable, Container, Iterable, Set
from contextlib import suppress
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from explain import stage, weights
from explain.words import everywhere, plain, text
from posenc import (
    catalogue,
    complex_order,
    content,
    deberta,
    kerple,
    learned,
    multiplicative,
    rope,
    rope_bias,
    rope_scaling,
    sinusoidal,
    tupe,
)
from posenc.setting import Setting, parameters

SENTENCE = "The dog bit the man, and the man bit the dog; only the order of the words tells you who was hurt"
LONGEST_SENTENCE = 500
MOST_HEADS = 64
MOST_BUTTONS = 3
NOBODY = "none"
"""What a picker says where no scheme is picked."""
DECIMAL = re.compile(r"[+-]?[0-9]{1,20}(\.[0-9]{0,20})?")
"""A number as links write it."""


@dataclass(frozen=True)
class Number:
    """A slider over whole or real numbers."""

    name: str
    low: float
    high: float
    start: float
    step: float = 1

    def draw(self, locked: bool) -> None:
        """The slider, bound to the URL."""
        st.slider(_label(self.name), self.low, self.high, self.start, self.step, **_shared(self.name, locked))

    @property
    def whole(self) -> bool:
        """Whether it counts in whole numbers."""
        return all(isinstance(number, int) for number in (self.low, self.high, self.start, self.step))

    def parse(self, given: str) -> float:
        """The number that a link gives; ValueError for what is none, or none that can be chosen here."""
        if not DECIMAL.fullmatch(given):
            raise ValueError(given)
        number = float(given)
        if not self.low <= number <= self.high or (self.whole and not number.is_integer()):
            raise ValueError(given)
        return int(number) if self.whole else number

    def allowed(self) -> str:
        """What can be given, in words."""
        return text("figure", "allowed.whole" if self.whole else "allowed.range", low=self.low, high=self.high)

    def refusal(self, given: str) -> str | None:
        """Why a value out of a link can't be used, or None when it can."""
        if _fits(self, given):
            return None
        return text("controls", "refused.range", name=_label(self.name), value=_shown(given), low=self.low, high=self.high)


@dataclass(frozen=True)
class Entry(Number):
    """A field for a number whose range is too wide for a slider."""

    def draw(self, locked: bool) -> None:
        """The field, bound to the URL."""
        st.number_input(_label(self.name), self.low, self.high, self.start, self.step, **_shared(self.name, locked))


@dataclass(frozen=True)
class Choice:
    """One of a few named values."""

    name: str
    options: tuple[str, ...]
    start: str

    def where(self, option: str) -> tuple[str, str]:
        """The page and the key of the text that names an option."""
        return "controls", f"{self.name}.{option}"

    def shown(self, option: str) -> str:
        """What a reader calls an option."""
        return text(*self.where(option))

    def names(self, option: str) -> set[str]:
        """What readers of all languages call it."""
        return everywhere(*self.where(option))

    def draw(self, locked: bool) -> None:
        """A row of buttons, or a list where they are many, bound to the URL."""
        shared = {"format_func": self.shown, **_shared(self.name, locked)}
        if len(self.options) <= MOST_BUTTONS:
            st.segmented_control(_label(self.name), self.options, default=self.start, required=True, **shared)
        else:
            st.selectbox(_label(self.name), self.options, self.options.index(self.start), **shared)

    def parse(self, given: str) -> str:
        """The option that a link names, by itself or by what any language calls it; ValueError for any other word."""
        for option in self.options:
            if given == option or given in self.names(option):
                return option
        raise ValueError(given)

    def allowed(self) -> str:
        """What can be given, in words."""
        return text("figure", "allowed.choice", options=", ".join(self.options))

    def refusal(self, given: str) -> str | None:
        """Why a value out of a link can't be used, or None when it can."""
        if _fits(self, given):
            return None
        options = ", ".join(self.options)
        return text("controls", "refused.choice", name=_label(self.name), value=_shown(given), options=options)


@dataclass(frozen=True)
class Picker(Choice):
    """One of the schemes, called as its own page is."""

    def where(self, option: str) -> tuple[str, str]:
        """The title of the scheme's page."""
        return ("controls", "nobody") if option == NOBODY else (option, "title")


@dataclass(frozen=True)
class Switch:
    """On or off."""

    name: str
    start: bool

    def draw(self, locked: bool) -> None:
        """The switch, bound to the URL."""
        st.toggle(_label(self.name), self.start, **_shared(self.name, locked))

    def parse(self, given: str) -> bool:
        """On or off as a link says it; ValueError for any other word."""
        if given.lower() not in ("true", "false"):
            raise ValueError(given)
        return given.lower() == "true"

    def allowed(self) -> str:
        """What can be given, in words."""
        return text("figure", "allowed.choice", options="true, false")

    def refusal(self, given: str) -> str | None:
        """Why a value out of a link can't be used, or None when it can."""
        if _fits(self, given):
            return None
        return text("controls", "refused.choice", name=_label(self.name), value=_shown(given), options="true, false")


@dataclass(frozen=True)
class Text:
    """A line of the reader's own text."""

    name: str
    start: str
    longest: int

    def draw(self, locked: bool) -> None:
        """The field, bound to the URL."""
        st.text_input(_label(self.name), self.start, self.longest, **_shared(self.name, locked))

    def parse(self, given: str) -> str:
        """The text that a link gives; ValueError where it is too long."""
        if len(given) > self.longest:
            raise ValueError(given)
        return given

    def kept(self, given: str) -> str:
        """What can be used of a text out of a link."""
        return given[: self.longest]

    def allowed(self) -> str:
        """What can be given, in words."""
        return text("figure", "allowed.text", longest=self.longest)

    def refusal(self, given: str) -> str | None:
        """Why a text out of a link was cut, or None when it was not."""
        return None if _fits(self, given) else text("controls", "refused.text", length=len(given), longest=self.longest)


@dataclass(frozen=True)
class Names:
    """Some of the knobs, by name: how a link to a class limits its page. Pages that the reader goes on to are as free as any."""

    name: str
    start: str = ""

    def refusal(self, given: str) -> str | None:
        """Which names are no knob's, or None when all are."""
        unknown = [one for one in _split(given) if one not in KNOBS]
        if not unknown:
            return None
        return text("controls", "refused.name", name=self.name, value=_shown(",".join(unknown)))

    def kept(self, given: str) -> str:
        """What can be used of it."""
        return ",".join(one for one in _split(given) if one in KNOBS)

    def given(self) -> set[str]:
        """The knobs that the link names."""
        return {*_split(st.query_params.get(self.name, ""))} & KNOBS.keys()


Knob = Number | Choice | Switch | Text

KNOBS: dict[str, Knob] = {
    knob.name: knob
    for knob in (
        Picker("scheme", catalogue.SCHEMES, "t5"),
        Picker("first_scheme", catalogue.SCHEMES, "sinusoidal"),
        Picker("second_scheme", catalogue.SCHEMES, "t5"),
        Picker("third_scheme", (NOBODY, *catalogue.SCHEMES), "alibi"),
        Picker("fourth_scheme", (NOBODY, *catalogue.SCHEMES), NOBODY),
        Text("sentence", SENTENCE, LONGEST_SENTENCE),
        Choice("order", ("swap", "reverse", "typed"), "swap"),
        Number("swap_a", 1, 64, 2),
        Number("swap_b", 1, 64, 5),
        Text("reordered", "", LONGEST_SENTENCE),
        Number("moved", 0, 400, 7),
        Number("exchanged", 1, 512, 10),
        Number("length", 1, 512, 24),
        Number("max_positions", 4, 512, 512),
        Choice("beyond", learned.BEYOND, "undefined"),
        Number("alpha", 0.05, 0.95, 0.4, 0.05),
        Switch("layer_norm", True),
        Number("shift", 0, 1000, 500),
        Choice("fusion", multiplicative.FUSIONS, "one_plus"),
        Choice("similarity", complex_order.SIMILARITIES, "modulus"),
        Switch("initial_phase", False),
        Number("clip", 0, 64, 4),
        Number("clamp_len", 0, 512, 0),
        Number("boundary", 0, 512, 13),
        Choice("form", ("paper", "code"), "paper"),
        Switch("scaled", False),
        Number("log_buckets", 0, 256, 0, 2),
        Number("max_relative_positions", 4, 1024, 512),
        Choice("pos_att_type", deberta.TYPES, "c2p|p2c"),
        Switch("share_att_key", True),
        Switch("normalized", True),
        Switch("clamped", True),
        Choice("variant", tupe.VARIANTS, "A"),
        Choice("kernel", kerple.KERNELS, "log"),
        Number("sinusoid_width", 2, 512, 128, 2),
        Number("threshold", 1, 1024, 16),
        Number("npos", 1, 128, 8),
        Switch("divided", True),
        Switch("separate_key", False),
        Choice("method", rope_scaling.BY_FORMULA, "yarn"),
        Number("factor", 1, 64, 8),
        Number("rotary_dim", 0, 512, 0, 2),
        Choice("pairing", rope.PAIRINGS, "interleaved"),
        Number("scale_base", 8, 4096, 32, 8),
        Number("window", 1, 512, 8),
        Switch("leaky", False),
        Entry("trained_length", 2, 131_072, 4096),
        Choice("bias_start", rope_bias.STARTS, "sandwich"),
        Switch("crossed", True),
        Number("heads", 1, MOST_HEADS, 12),
        Number("head", 1, MOST_HEADS, 1),
        Number("num_buckets", 1, 128, 32),
        Number("max_distance", 1, 1024, 128),
        Choice("layout", sinusoidal.LAYOUTS, "interleaved"),
        Choice("frequencies", sinusoidal.FREQUENCIES, "paper"),
        Entry("base", 2, 10_000_000, 10_000, 1000),
        Switch("trained", True),
        Switch("causal", False),
        Number("width", 2, 512, 64),
        Number("loud", 0.0, 4.0, 1.0, 0.05),
        Entry("first", 0, 32_768, 0),
        Entry("seed", 0, 9_999, 0),
        Choice("axes", ("linear", "log"), "linear"),
    )
}
LIMITS = {limit.name: limit for limit in (Names("only"), Names("locked"))}
"""The knobs that a link shows, and those that it shows but that can't be moved."""
POSITIVE = range(1, 2**31)
ONLY_WITH: dict[str, dict[str, Container[object]]] = {
    "swap_a": {"order": ("swap",)},
    "swap_b": {"order": ("swap",)},
    "reordered": {"order": ("typed",)},
    "form": {"pos_att_type": [types for types in deberta.TYPES if "p2c" in types]},
    "max_relative_positions": {"log_buckets": POSITIVE},
    "clamped": {"log_buckets": POSITIVE},
    "heads": {"share_att_key": (False,)},
    "num_buckets": {"variant": tupe.VARIANTS[1:]},
    "max_distance": {"variant": tupe.VARIANTS[1:]},
}
"""Knobs that change something only while another knob, where the page has it too, has one of these values."""
# What any figure of a scheme depends on; the rest is read off the scheme's own functions.
SHARED = ("sentence", "length", "head", "width", "loud", "first", "seed", "causal", "axes")
ASKING = ("tables", "terms", "scores", "vectors", "bias", "mix", "reach")


def acting(scheme: ModuleType) -> set[str]:
    """The knobs that a scheme's page depends on."""
    functions: list[Callable[..., object]] = [getattr(scheme, name) for name in ASKING if hasattr(scheme, name)]
    asked = {name for function in functions for name in parameters(function)}
    knobs = {*SHARED, *(asked & KNOBS.keys())}
    if hasattr(scheme, "TRAINED"):
        knobs.add("trained")
    if getattr(scheme, "CAUSAL_ONLY", False):
        knobs.discard("causal")
    return knobs


def waiting(knobs: Set[str], value: Callable[[str], Any]) -> set[str]:
    """Those of a page's knobs that change nothing at the present values of the others."""
    return {
        name
        for name in knobs & ONLY_WITH.keys()
        if any(other in knobs and value(other) not in values for other, values in ONLY_WITH[name].items())
    }


def awake(scheme: ModuleType) -> set[str]:
    """The knobs that change something on a scheme's page as they stand."""
    knobs = acting(scheme)
    knobs -= waiting(knobs, value)
    return knobs if weights.fitting(scheme, setting(scheme)) else knobs - {"trained"}


def draw(used: Iterable[str]) -> None:
    """The knobs that act on the page, and hidden those that don't but were moved: so values and the URL survive a change of page."""
    _settle()
    used = set(used) & (LIMITS["only"].given() or KNOBS.keys())
    locked = LIMITS["locked"].given()
    panel = st.sidebar.container(gap="small")
    idle = []
    for name, knob in KNOBS.items():
        moved = name in st.query_params or st.session_state.get(name, knob.start) != knob.start
        if name in used or moved:
            with panel:  # hidden ones too: a widget that changed its place would lose its parameter in the URL
                knob.draw(name in locked)
        if name not in used and moved:
            idle.append(f".st-key-{name}")
    if idle:
        st.html(f"<style>{', '.join(idle)} {{ display: none; }}</style>")
    if held():
        panel.caption(text("controls", "held"))
    if used:
        panel.button(text("controls", "reset"), on_click=reset, icon=":material/restart_alt:", width="stretch")
    _tell()


def _settle() -> None:
    """Puts a link right before any widget reads it, and keeps what there was to say about it.

    What can't be used goes, text that is too long is cut, and an option named by itself or in another language gets the name that its
    widget has here, because Streamlit binds a choice to the words it shows.
    """
    complaints, wrong, right = [], [], {}
    for name, knob in (KNOBS | LIMITS).items():
        given = st.query_params.get_all(name)
        if len(given) > 1:
            complaints.append(text("controls", "refused.twice", name=_label(name), count=len(given)))
            wrong.append(name)
        elif given and (complaint := knob.refusal(given[0])):
            complaints.append(complaint)
            if isinstance(knob, Text | Names):
                right[name] = knob.kept(given[0])
            else:
                wrong.append(name)
        elif given and isinstance(knob, Choice) and knob.shown(knob.parse(given[0])) != given[0]:
            right[name] = knob.shown(knob.parse(given[0]))
    if not wrong and not right:
        return
    st.session_state["_refused"] = complaints
    with suppress(StreamlitAPIException):  # on a page that is already up, the widgets own their parameters and correct them
        for name in wrong:
            del st.query_params[name]
        st.query_params.update(right)
        st.rerun()


def reset() -> None:
    """Every knob back to its default, but for those that the link holds."""
    for name in KNOBS.keys() & st.session_state.keys() - held():
        st.session_state[name] = KNOBS[name].start


def held() -> set[str]:
    """The knobs that a link to a class keeps from its readers: they stand as the link says."""
    only = LIMITS["only"].given()
    return LIMITS["locked"].given() | (KNOBS.keys() - only if only else set())


def put(**values: object) -> None:
    """Some knobs to these values, for a button to call."""
    for name, one in values.items():
        st.session_state[name] = one


def value(name: str) -> Any:
    """A knob's present value: where its widget has not been drawn yet, the link's."""
    if asked := stage.request():
        return asked.knobs[name]
    knob, given = KNOBS[name], st.query_params.get(name)
    linked = knob.parse(given) if given is not None and _fits(knob, given) else knob.start
    return st.session_state.get(name, linked)


def setting(scheme: ModuleType) -> Setting:
    """What the knobs say, as the setting of one scheme."""
    return _setting(scheme, value)


def default_setting(scheme: ModuleType) -> Setting:
    """A scheme's setting with every knob at its default."""
    return _setting(scheme, lambda name: KNOBS[name].start)


def _setting(scheme: ModuleType, value: Callable[[str], Any]) -> Setting:
    knobs = acting(scheme)
    # Where the number of heads changes nothing, any head can be drawn; elsewhere the last one stands in for those beyond.
    heads = int(value("heads")) if "heads" in knobs - waiting(knobs, value) else MOST_HEADS
    chosen = Setting(
        words=tuple(content.fit(content.tokens(value("sentence")), int(value("length")))),
        width=int(value("width")),
        heads=heads,
        head=min(int(value("head")), heads) - 1,
        seed=int(value("seed")),
        loud=float(value("loud")),
        first=int(value("first")),
        causal=bool(value("causal")),
        arguments={name: value(name) for name in sorted(knobs - {*SHARED, "heads", "trained"})},
    )
    return weights.with_trained(scheme, chosen) if value("trained") else chosen


def _fits(knob: Knob, given: str) -> bool:
    try:
        knob.parse(given)
    except ValueError:
        return False
    return True


def _tell() -> None:
    """Shows what a link asked for in vain until the reader moves a knob."""
    state = {name: value(name) for name in KNOBS}
    if refused := st.session_state.pop("_refused", []):
        st.session_state["_complaints"] = (refused, state)
    kept, then = st.session_state.get("_complaints", ([], None))
    if then == state:
        for complaint in kept:
            st.warning(complaint, icon=":material/link_off:")


def _shared(name: str, locked: bool) -> dict[str, Any]:
    return {"key": name, "help": _help(name), "bind": "query-params", "disabled": locked}


def _split(given: str) -> list[str]:
    return [name for one in given.split(",") if (name := one.strip())]


def _label(name: str) -> str:
    return text("controls", name)


def _help(name: str) -> str:
    return text("controls", f"{name}.help")


def _shown(given: str) -> str:
    return plain(given if len(given) <= 40 else given[:40] + "…")
