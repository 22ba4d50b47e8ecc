"""What posenc.cope computes of golden/cope; its leading axis counts sentences and heads together, as our heads do."""

import numpy as np

from posenc import cope
from posenc.attention import softmax, visible


def claims(case: dict, params: dict) -> dict:
    q, k, v = (case[name] for name in ("in_q", "in_k", "in_v"))
    i = j = np.arange(params["L"])
    e = case["in_pos_emb"].T
    seen = visible(i, j, causal=True)
    gate_keys, separate = k, {}
    if params.get("sep_key"):  # the gate keys are given as they are: project them with the identity
        gate_keys = case["in_k_gate"]
        separate = {"x_k": gate_keys, "w_gate": np.eye(params["d"])[None]}
    opened = cope.gates(q, gate_keys, i, j)
    positions = cope.contextual_positions(opened, params["npos"])
    divided = not params.get("nodiv", False)
    weights = softmax(cope.terms(q, k, i, j, e, divided, **separate).total(), seen)
    return {
        "out_gates": opened,
        "out_positions": positions,
        "out_pos_logits": cope.terms(q, k, i, j, e, divided=False, **separate).content_position,
        "out_logits": np.where(seen, cope.scores(q, k, i, j, e, divided, **separate), -np.inf),
        "out_attn": weights,
        "out_y": weights @ v,
    }
