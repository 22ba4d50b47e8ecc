"""One sentence, one set of sizes and of a scheme's own arguments: everything that decides a figure, and any scheme evaluated on it.

A scheme's functions ask for what they need by the names of their parameters, as pytest's fixtures do; `bind` hands it to them.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from posenc import content
from posenc.arrays import Array
from posenc.attention import softmax, visible
from posenc.check import at_least, between, inside, one_of
from posenc.tables import Table, draw
from posenc.terms import Terms

Indices = Sequence[int] | np.ndarray | None
"""Which tokens, counted from 0; None for all."""


@dataclass(frozen=True)
class Setting:
    """What a figure is drawn from. ValueError where a number is outside what makes sense."""

    words: tuple[str, ...]
    """The tokens, one a position."""
    width: int = 64
    """d: the width of the model and of each head."""
    heads: int = 12
    head: int = 0
    """The head that is drawn, counted from 0."""
    seed: int = 0
    loud: float = 1.0
    """How loud content speaks: 1 is its natural size."""
    first: int = 0
    """The position of the first token."""
    causal: bool = False
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """A scheme's own arguments, by name."""
    trained: Mapping[str, np.ndarray] = field(default_factory=dict)
    """Published tables, by table name, in place of the seeded ones."""
    content: float = 1.0
    """The deviation that loudness 1 stands for: that of the model whose table is drawn."""

    def __post_init__(self) -> None:
        at_least("length", len(self.words), 1)
        at_least("width", self.width, 1)
        at_least("heads", self.heads, 1)
        between("head", self.head, 0, self.heads - 1)
        at_least("first", self.first, 0)
        at_least("loud", self.loud, 0)

    @property
    def length(self) -> int:
        """n, the number of tokens."""
        return len(self.words)

    @property
    def scale(self) -> float:
        """The deviation of the content vectors' entries."""
        return self.loud * self.content

    def change(self, **changes: Any) -> "Setting":
        """The same setting with some fields changed."""
        return replace(self, **changes)

    def with_arguments(self, **changes: Any) -> "Setting":
        """The same setting with some of the scheme's own arguments changed."""
        return replace(self, arguments={**self.arguments, **changes})


@cache
def parameters(function: Callable[..., object]) -> tuple[str, ...]:
    """The names a function asks for."""
    return tuple(inspect.signature(function).parameters)


def bind(function: Callable[..., Any], available: Mapping[str, object]) -> Any:
    """function(...) with those of its parameters that are available, by name."""
    return function(**{name: available[name] for name in parameters(function) if name in available})


def learned(scheme: ModuleType, setting: Setting) -> dict[str, Table]:
    """The scheme's learned tables at this setting's sizes."""
    return bind(scheme.tables, given(setting))


def tables(scheme: ModuleType, setting: Setting, head: Sequence[int]) -> dict[str, np.ndarray]:
    """Those tables' values for some heads: published ones where the setting has them, seeded ones otherwise."""
    declared = learned(scheme, setting)
    fresh = draw({name: table for name, table in declared.items() if name not in setting.trained}, setting.seed, head)
    for name, values in setting.trained.items():
        one_of("trained table", name, declared)
        axis = declared[name].head_axis
        if axis is not None:
            inside("head", np.asarray(head), values.shape[axis])
        fresh[name] = values if axis is None else values.take(head, axis=axis)
    return fresh


def inputs(
    scheme: ModuleType,
    setting: Setting,
    queries: Indices = None,
    keys: Indices = None,
    head: Sequence[int] | None = None,
) -> dict[str, Any]:
    """All that a scheme's functions may ask for, at some tokens as queries and keys (default: all) and some heads (default: the drawn one).

    x_q (n_q, d), x_k (n_k, d), w_q, w_k, w_v (h, d, d), q (h, n_q, d), k, v (h, n_k, d), positions i (n_q,) and j (n_k,), sizes, tables,
    arguments.
    """
    queries, keys = _indices(queries, setting), _indices(keys, setting)
    x = content.vectors(setting.words, setting.width, setting.seed, setting.scale)
    geometry = {"i": queries + setting.first, "j": keys + setting.first}
    return with_content({**parameters_of(scheme, setting, head), **geometry}, x[queries], x[keys])


def parameters_of(scheme: ModuleType, setting: Setting, head: Sequence[int] | None = None) -> dict[str, Any]:
    """What does not depend on the words: sizes, the scheme's arguments and tables, the projections of some heads."""
    head = _heads(head, setting)
    w_q, w_k, w_v = (content.projections(name, head, setting.width, setting.seed) for name in ("w_q", "w_k", "w_v"))
    if hasattr(scheme, "query_gain"):
        w_q = w_q * scheme.query_gain(setting.width)
    return {**given(setting), **tables(scheme, setting, head), "w_q": w_q, "w_k": w_k, "w_v": w_v, "head": head}


def with_content(available: Mapping[str, Any], x_q: Array, x_k: Array) -> dict[str, Any]:
    """`available` with the content vectors x_q (n_q, d) of the queries and x_k (n_k, d) of the keys, and what follows from them."""
    return {
        **available,
        "x_q": x_q,
        "x_k": x_k,
        "q": x_q @ available["w_q"],
        "k": x_k @ available["w_k"],
        "v": x_k @ available["w_v"],
    }


def terms(scheme: ModuleType, setting: Setting, queries: Indices = None, keys: Indices = None, head: Sequence[int] | None = None) -> Terms:
    """The scheme's terms at some tokens and heads (see `inputs`), (h, n_q, n_k) each."""
    return bind(scheme.terms, inputs(scheme, setting, queries, keys, head))


def scores(scheme: ModuleType, setting: Setting, queries: Indices = None, keys: Indices = None, head: Sequence[int] | None = None) -> Array:
    """The scheme's logits by its direct way, (h, n_q, n_k)."""
    return bind(scheme.scores, inputs(scheme, setting, queries, keys, head))


def seen(scheme: ModuleType, setting: Setting, queries: Indices = None, keys: Indices = None) -> np.ndarray:
    """Which keys each query may attend to, (n_q, n_k)."""
    return visible(_indices(queries, setting), _indices(keys, setting), causal(scheme, setting))


def causal(scheme: ModuleType, setting: Setting) -> bool:
    """Whether only the past is seen: as the setting has it, or always for schemes that are defined no other way."""
    return setting.causal or getattr(scheme, "CAUSAL_ONLY", False)


def reach(scheme: ModuleType, setting: Setting) -> int | None:
    """How many positions, counted from 0, the scheme has a place for; None where there is no end."""
    return bind(scheme.reach, given(setting)) if hasattr(scheme, "reach") else None


def defined(scheme: ModuleType, setting: Setting, tokens: np.ndarray) -> np.ndarray:
    """Which of the tokens stand at a position that the scheme has a place for, booleans."""
    limit = reach(scheme, setting)
    return np.ones(len(tokens), dtype=bool) if limit is None else tokens + setting.first < limit


def attention(scheme: ModuleType, setting: Setting, queries: Indices = None, head: Sequence[int] | None = None) -> np.ndarray:
    """Attention weights of some queries over all keys, (h, n_q, n)."""
    return softmax(terms(scheme, setting, queries, None, head).total(), seen(scheme, setting, queries))


def outputs(scheme: ModuleType, setting: Setting, head: Sequence[int] | None = None) -> np.ndarray:
    """What each token takes away, (h, n, d): its weights times the values, by the scheme's own `mix` where these hold position too."""
    available = inputs(scheme, setting, head=head)
    weights = softmax(bind(scheme.terms, available).total(), seen(scheme, setting))
    return bind(scheme.mix, {**available, "weights": weights}) if hasattr(scheme, "mix") else weights @ available["v"]


def bias(scheme: ModuleType, setting: Setting, i: np.ndarray, j: np.ndarray, head: Sequence[int] | None = None) -> np.ndarray:
    """The bias of a scheme that has one of its own, for positions that broadcast against each other, (h, …)."""
    head = _heads(head, setting)
    return bind(scheme.bias, {**given(setting), **tables(scheme, setting, head), "i": i, "j": j, "head": head})


def vectors(scheme: ModuleType, setting: Setting, offset: np.ndarray | None = None) -> np.ndarray:
    """A scheme's own vectors at offsets j − i, or where each position has one those of every token: (n, d).

    Rows of NaN are tokens at positions that the scheme has no place for.
    """
    available = {**given(setting), **tables(scheme, setting, [setting.head])}
    if offset is not None:
        return bind(scheme.vectors, {**available, "offset": offset})
    tokens = np.arange(setting.length)
    there = defined(scheme, setting, tokens)
    found = bind(scheme.vectors, {**available, "positions": tokens[there] + setting.first})
    rows = np.full((setting.length, found.shape[1]), np.nan)
    rows[there] = found
    return rows


def _indices(chosen: Indices, setting: Setting) -> np.ndarray:
    if chosen is None:
        return np.arange(setting.length)
    inside("token", np.asarray(chosen), setting.length)
    return np.asarray(chosen)


def _heads(chosen: Sequence[int] | None, setting: Setting) -> list[int]:
    if chosen is None:
        return [setting.head]
    inside("head", np.asarray(chosen), setting.heads)
    return list(chosen)


def given(setting: Setting) -> dict[str, Any]:
    """Sizes and the scheme's own arguments, by the names functions ask for."""
    return {
        **setting.arguments,
        "width": setting.width,
        "heads": setting.heads,
        "length": setting.length,
        "causal": setting.causal,
        "first": setting.first,
    }
