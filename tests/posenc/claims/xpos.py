"""What posenc.xpos computes of golden/xpos."""

from posenc import xpos
from posenc.attention import softmax, visible


def claims(case: dict, params: dict) -> dict:
    q, k, i, j = (case[name] for name in ("in_q", "in_k", "in_pos_q", "in_pos_k"))
    scale_base = params.get("scale_base", 512)
    middle = xpos.min_position(params["Lk"])
    return {
        "out_zeta": xpos.zeta(params["d"]),
        "out_min_pos": middle,
        "out_q": xpos.scaled(q, i, 1, middle, scale_base),
        "out_k": xpos.scaled(k, j, -1, middle, scale_base),
        "out_logits": xpos.scores(q, k, i, j, scale_base),
        "out_attn_causal": softmax(xpos.terms(q, k, i, j, scale_base).total(), visible(i, j, causal=True)),
    }
