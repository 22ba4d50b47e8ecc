"""What posenc.rerope computes of golden/rerope."""

import numpy as np

from posenc import rerope
from posenc.attention import offsets, softmax, visible
from tests.posenc.claims.shaw import masked


def claims(case: dict, params: dict) -> dict:
    x, j = case["in_x"], np.arange(params["Lk"])
    i = j[-params["Lq"] :]
    q, k, v = (_by_head(rows @ case[name], params["H"]) for rows, name in ((x[i], "in_Wq"), (x, "in_Wk"), (x, "in_Wv")))
    leaky, factor = params["kind"] == "leaky", params.get("scaling_factor", 1)
    knobs = params["window"], params["training_length"], leaky, factor
    seen = visible(i, j, causal=True)
    weights = softmax(rerope.scores(q, k, i, j, *knobs), seen)
    return {
        "out_effective_relative_position": rerope.effective_distance(-offsets(i, j), params["window"], leaky, factor),
        "out_log_scale": rerope.log_factor(i, params["training_length"]),
        "out_logits": masked(rerope.terms(q, k, i, j, *knobs).total(), seen),
        "out_attn": weights,
        "out_y": np.concatenate(list(weights @ v), axis=1),
    }


def _by_head(rows: np.ndarray, heads: int) -> np.ndarray:
    """(n, h·d) → (h, n, d): heads are blocks of columns."""
    return np.stack(np.split(rows, heads, axis=1))
