"""What a scheme costs: its learned parameters, and the arithmetic it adds, counted while it happens."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from posenc import content, nope
from posenc.setting import Setting, bind, learned, parameters_of, with_content
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
    ways = (_count(function, scheme, setting) for function in (scheme.terms, scheme.scores))
    return min(ways) - _count(nope.terms, nope, setting.change(trained={}))


def _count(function: Callable[..., Any], scheme: ModuleType, setting: Setting) -> float:
    tally = [0]
    words = _counted(content.vectors(setting.words, setting.width, setting.seed, setting.scale), tally)
    places = np.arange(setting.length) + setting.first
    brought = parameters_of(scheme, setting)
    floats = {name: _counted(value, tally) for name, value in brought.items() if isinstance(value, np.ndarray) and value.dtype.kind == "f"}
    result = bind(function, with_content({**brought, **floats, "i": places, "j": places}, words, words))
    if isinstance(result, Terms):
        result.total()
    return tally[0] / setting.length**2


def _counted(array: np.ndarray, tally: list[int]) -> Counted:
    counted = array.copy().view(Counted)
    counted.tally = tally
    return counted
