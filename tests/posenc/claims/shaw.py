"""What posenc.shaw computes of golden/shaw."""

import numpy as np

from posenc import shaw
from posenc.attention import offsets, softmax, visible


def claims(case: dict, params: dict) -> dict:
    q, k, v = (case[name][:, :, :] for name in ("in_q", "in_k", "in_v"))
    i, j = np.arange(params["Lk"])[-params["Lq"] :], np.arange(params["Lk"])
    clip, a_k, a_v = params["k"], case["in_wK"], case["in_wV"]
    seen = visible(i, j, params["causal"])
    terms = [shaw.terms(*one, i, j, a_k, clip) for one in zip(q, k, strict=True)]
    weights = [softmax(one.total(), seen) for one in terms]
    y = [shaw.mix(*one, i, j, a_v, clip) for one in zip(weights, v, strict=True)]
    y_content = [one @ values for one, values in zip(weights, v, strict=True)]
    return {
        "out_index": shaw.index(offsets(i, j), clip),
        "out_logits_content": np.stack([one.content_content for one in terms]),
        "out_logits_relative": np.stack([one.content_position for one in terms]),
        "out_logits": masked(np.stack([shaw.scores(*one, i, j, a_k, clip) for one in zip(q, k, strict=True)]), seen),
        "out_attn": np.stack(weights),
        "out_y_content": np.stack(y_content),
        "out_y_relative": np.stack(y) - np.stack(y_content),
        "out_y": np.stack(y),
    }


def masked(logits: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Logits as the golden data have them: −inf where a key is not seen."""
    return np.where(seen, logits, -np.inf)
