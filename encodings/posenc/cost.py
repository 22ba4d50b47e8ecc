"""What a scheme costs: its learned parameters, and the arithmetic it adds, counted while it happens."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from posenc import content, nope
from posenc.setting import Setting, bind, learned, parameters_of
from posenc.setting import parameters as asked
from posenc.tables import size
from posenc.terms import Terms


class Counted(np.ndarray):
    """An array that counts the arithmetic it takes part in, in `tally[0]`: a number per result, two per product summed in a matrix product.

    What is prepared once from positions alone (angles, buckets, slopes) is plain NumPy and not counted.
    """

    tally: list[int]

    def __array_finalize__(self, source: Any) -> None:
        self.tally = getattr(source, "tally", [0])

    def __array_function__(self, function: Any, types: Any, given: Any, options: Any) -> Any:
        if function is np.linalg.vector_norm:
            return np.sum(given[0] * given[0], axis=options["axis"], keepdims=options["keepdims"]) ** 0.5
        if function.__module__.startswith("numpy.linalg"):
            raise TypeError(f"{function.__name__} would not be counted")
        result = super().__array_function__(function, types, given, options)  # joining arrays would give a plain one
        return _counted(result, self.tally) if type(result) is np.ndarray else result

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *given: Any, **options: Any) -> Any:
        outputs = options.get("out", ())
        tally = next(one.tally for one in (*given, *outputs) if isinstance(one, Counted))
        plain = [_bare(one) for one in given]
        if outputs:
            options["out"] = tuple(_bare(one) for one in outputs)
        result = getattr(ufunc, method)(*plain, **options)
        if ufunc is np.matmul:
            tally[0] += 2 * result.size * plain[0].shape[-1]
        else:
            tally[0] += np.size(plain[0]) if method == "reduce" else np.size(result)
        if not isinstance(result, np.ndarray):
            return result
        return _counted(result, tally)


def _bare(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Counted) else value


def parameters(scheme: ModuleType, setting: Setting) -> int:
    """How many learned numbers the scheme brings to one layer, all heads together."""
    return size(learned(scheme, setting))


def operations(scheme: ModuleType, setting: Setting) -> float:
    """Arithmetic operations per query–key pair that the scheme adds to one head of plain attention, in the cheaper of its two ways here.

    From the word vectors to the logits, projections included. ValueError where the scheme refuses the setting.
    """
    ways = (count(function, scheme, setting) for function in (scheme.terms, scheme.scores))
    return (min(ways) - count(nope.scores, nope, setting.change(trained={}))) / setting.length**2


def count(function: Callable[..., Any], scheme: ModuleType, setting: Setting) -> int:
    """Arithmetic operations of a scheme's `terms` or `scores` on the whole text, from word vectors to logits: what it asks for is made."""
    tally = [0]
    x = _counted(content.vectors(setting.words, setting.width, setting.seed, setting.scale), tally)
    places = np.arange(setting.length) + setting.first
    brought = parameters_of(scheme, setting)
    floats = {name: _counted(value, tally) for name, value in brought.items() if isinstance(value, np.ndarray) and value.dtype.kind == "f"}
    available = {**brought, **floats, "i": places, "j": places, "x_q": x, "x_k": x}
    projected = {name: x @ floats[f"w_{name}"] for name in ("q", "k") if name in asked(function)}
    result = bind(function, available | projected)
    if isinstance(result, Terms):
        result.total()
    return tally[0]


def _counted(array: np.ndarray, tally: list[int]) -> Counted:
    counted = array.copy().view(Counted)
    counted.tally = tally
    return counted
