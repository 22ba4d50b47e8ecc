"""Published tables out of assets/weights, for schemes that name one which fits."""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from safetensors import safe_open

from posenc import bert
from posenc.setting import Setting, learned
from posenc.tables import Trained

FOLDER = Path(__file__).parents[1] / "assets" / "weights"
POSITIONS = "embeddings.position_embeddings.weight"
"""The position table's name in every model of BERT's family."""


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


def first_layer(ids: Sequence[int], model: str = "all-MiniLM-L6-v2", heads: int = 12) -> dict[str, Any]:
    """What `posenc.bert` asks for, of a shipped BERT's first layer and the tokens of these vocabulary rows, from position 0 on."""
    rows = list(ids)
    attention = "encoder.layer.0.attention.self"
    return {
        "words": tensor(model, "embeddings.word_embeddings.weight")[rows] + tensor(model, "embeddings.token_type_embeddings.weight")[0],
        "positions": tensor(model, POSITIONS)[: len(rows)],
        "gamma": tensor(model, "embeddings.LayerNorm.weight"),
        "beta": tensor(model, "embeddings.LayerNorm.bias"),
        "w_q": tensor(model, f"{attention}.query.weight"),
        "b_q": tensor(model, f"{attention}.query.bias"),
        "w_k": tensor(model, f"{attention}.key.weight"),
        "b_k": tensor(model, f"{attention}.key.bias"),
        "heads": heads,
    }


@lru_cache(maxsize=16)  # up to 0.6 s for the longest sentence, and the same at every head
def anatomy(ids: tuple[int, ...]) -> bert.Anatomy:
    """What each head of that layer is made of on these tokens."""
    return bert.anatomy(**first_layer(ids))
