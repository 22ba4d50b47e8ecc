"""What posenc.nope computes of golden/nope."""

import numpy as np

from posenc import nope
from posenc.attention import softmax, visible


def claims(case: dict, params: dict) -> dict:
    seen = visible(np.arange(params["Lk"])[-params["Lq"] :], np.arange(params["Lk"]), params["causal"])
    logits, weights, y = attend(case, case["in_x"], params, seen)
    claimed = {"out_logits": logits, "out_attn": weights, "out_y": y}
    if "in_perm" in case:
        claimed["out_y_perm"] = attend(case, case["in_x"][case["in_perm"]], params, seen)[2]
    return claimed


def attend(case: dict, x: np.ndarray, params: dict, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logits and weights (h, n_q, n_k) and outputs (n_q, d) of the last n_q words as queries; heads are blocks of columns."""
    q, k, v = (np.stack(np.split(x @ case[name], params["H"], axis=-1)) for name in ("in_Wq", "in_Wk", "in_Wv"))
    q = q[:, -params["Lq"] :]
    weights = softmax(nope.terms(q, k).total(), seen)
    return nope.scores(q, k), weights, np.concatenate([*(weights @ v)], axis=-1)
