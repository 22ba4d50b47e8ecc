"""What posenc.tener computes of golden/tener."""

import numpy as np

from posenc import tener
from posenc.attention import softmax
from tests.posenc.claims.transformer_xl import by_head, side_by_side


def claims(case: dict, params: dict) -> dict:
    x, heads = case["in_x"], params["H"]
    q, k, v = (x @ by_head(case[name], heads) for name in ("in_Wq", "in_Wk", "in_Wv"))
    x_k = by_head(x, heads)
    j = np.arange(len(x))
    learned = {"bias_u": case["in_u_content_bias"], "bias_v": case["in_v_position_bias"]}
    long = params["L"] > len(x)
    i = j[:4] if long else j
    q = q[:, i]
    scaled = params.get("scale", False)
    terms = tener.terms(q, k, x_k, i, j, **learned, form="code")
    back = tener.key_to_query(k, i, j)
    logits = tener.scores(q, k, x_k, i, j, **learned, form="code", scaled=scaled)
    ours = {
        "out_code_term_qk": terms.content_content,
        "out_code_term_qR_j_minus_t": terms.content_position,
        "out_code_term_uk": (terms.position_content - back)[:, 0],
        "out_code_term_vR_j_minus_t": terms.position_position,
        "out_code_term_kR_t_minus_j": back,
    }
    if long:
        return {**ours, "out_code_logits_first4_rows_6_cols": logits}
    seen = case["in_token_mask"][None, :]
    weights = softmax(tener.terms(q, k, x_k, i, j, **learned, form="code", scaled=scaled).total(), seen)
    table = np.arange(-len(x), len(x))
    ours |= {
        "out_code_logits": np.where(seen, logits, -np.inf),
        "out_code_attn": weights,
        "out_code_y": side_by_side(weights @ v),
        "out_code_pos_table_rows_minusL_to_Lminus1": tener.vectors(table, q.shape[-1], form="code"),
    }
    if q.shape[-1] % 2:
        return ours
    return {
        **ours,
        "out_paper_logits": np.where(seen, tener.scores(q, k, x_k, i, j, **learned), -np.inf),
        "out_paper_attn": softmax(tener.terms(q, k, x_k, i, j, **learned).total(), seen),
    }
