"""What posenc.kerple computes of golden/kerple."""

import numpy as np

from posenc import kerple
from posenc.attention import softmax, visible
from posenc.terms import Terms


def claims(case: dict, params: dict) -> dict:
    i, j = np.arange(params["Lk"])[-params["Lq"] :], np.arange(params["Lk"])
    seen = visible(i, j, causal=True)
    if params["kind"] == "original":
        bias = kerple.original_bias(i[:, None], j, params["H"])
    else:
        bias = kerple.bias(i[:, None], j, case["in_p"], case["in_a"], params["kind"])
    logits = Terms(content_content=case["in_scores"], position_position=bias).total()
    return {
        "out_bias": np.where(seen, bias, -np.inf),
        "out_scores_plus_bias": np.where(seen, logits, -np.inf),
        "out_attn": softmax(logits, seen),
    }
