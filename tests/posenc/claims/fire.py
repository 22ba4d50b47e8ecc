"""What posenc.fire computes of golden/fire."""

import numpy as np

from posenc import fire
from posenc.attention import visible


def claims(case: dict, params: dict) -> dict:
    i, j = np.arange(params["L"])[:, None], np.arange(params["L"])
    scale = {
        "c": np.array([params["c"]]),
        "multiplier": np.array([params.get("L_multiplier", 1.0)]),
        "threshold": params["L_threshold"],
    }
    network = {name: case[f"in_{name}"] for name in ("w1", "b1", "w2", "b2")}
    bias = fire.bias(i, j, **network, **scale)
    return {
        "out_normalized_distance": fire.normalized_distance(i, j, **scale),
        "out_bias": bias,
        "out_bias_causal": np.where(visible(j, j, causal=True), bias, -np.inf),
    }
