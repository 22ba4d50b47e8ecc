"""Published tables out of assets/weights, for schemes that name one which fits."""

from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
from safetensors import safe_open

from posenc.setting import Setting, learned
from posenc.tables import Trained

FOLDER = Path(__file__).parents[1] / "assets" / "weights"


@cache
def tensor(model: str, name: str) -> np.ndarray:
    """A tensor of a shipped model, float64 and read-only."""
    with safe_open(FOLDER / f"{model}.safetensors", framework="numpy") as file:
        values = file.get_tensor(name).astype(np.float64)
    values.flags.writeable = False
    return values


def fitting(scheme: ModuleType, setting: Setting) -> Trained | None:
    """The published table a scheme names, if it was trained with this setting's arguments and is large enough."""
    trained: Trained | None = getattr(scheme, "TRAINED", None)
    if trained is None:
        return None
    arguments = {**setting.arguments, "causal": setting.causal}
    if any(arguments.get(name) != value for name, value in trained.when.items()):
        return None
    wanted, there = learned(scheme, setting)[trained.table].shape, tensor(trained.model, trained.tensor).shape
    return trained if all(size <= most for size, most in zip(wanted, there, strict=True)) else None


def with_trained(scheme: ModuleType, setting: Setting) -> Setting:
    """The setting with the published table, cut to its sizes, where one fits; unchanged otherwise."""
    trained = fitting(scheme, setting)
    if trained is None:
        return setting
    shape = learned(scheme, setting)[trained.table].shape
    values = tensor(trained.model, trained.tensor)[tuple(slice(size) for size in shape)]
    return setting.change(trained={trained.table: values}, content=trained.content)
