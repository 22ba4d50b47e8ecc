"""What posenc.transformer_xl computes of golden/transformer_xl."""

import numpy as np

from posenc import transformer_xl
from posenc.attention import offsets, softmax, visible


def claims(case: dict, params: dict) -> dict:
    x, heads, clamp_len = case["in_x"], params["H"], params.get("clamp_len", 0)
    w_q, w_k, w_v, w_kr = (by_head(case[name], heads) for name in ("in_Wq", "in_WkE", "in_Wv", "in_WkR"))
    j = np.arange(len(x))
    i = j[params["mem"] :]
    q, k, v = x[i] @ w_q, x @ w_k, x @ w_v
    learned = {"w_kr": w_kr, "bias_u": case["in_u"], "bias_v": case["in_v"], "clamp_len": clamp_len}
    past = visible(i, j, causal=True)
    seen = transformer_xl.same_length(i, j, params["mem_len"]) if params.get("same_length") else past
    terms = transformer_xl.terms(q, k, i, j, **learned)
    unscaled = terms._make(part if part is None else part * params["dh"] ** 0.5 for part in terms)
    values = transformer_xl.by_distance(q, len(x), w_kr, case["in_v"], clamp_len)
    weights = softmax(terms.total(), seen)
    return {
        "out_R_rows_pos_desc": transformer_xl.vectors(j - j[-1], x.shape[-1], clamp_len),
        "out_distance": -offsets(i, j),
        "out_visible": seen,
        "out_term_a": unscaled.content_content,
        "out_term_b": np.where(past, unscaled.content_position, 0),
        "out_term_c": unscaled.position_content[:, 0],
        "out_term_d": np.where(past, unscaled.position_position, 0),
        "out_AC": unscaled.content_content + unscaled.position_content,
        "out_BD_preshift": values,
        "out_BD_code_incl_garbage": transformer_xl.shift(values),
        "out_logits": np.where(seen, transformer_xl.scores(q, k, i, j, **learned), -np.inf),
        "out_attn": weights,
        "out_y": side_by_side(weights @ v),
    }


def by_head(w: np.ndarray, heads: int) -> np.ndarray:
    """Projections (d, h·d_h), a block of columns per head → (h, d, d_h)."""
    return w.reshape(len(w), heads, -1).transpose(1, 0, 2)


def side_by_side(y: np.ndarray) -> np.ndarray:
    """(h, n, d_h) → (n, h·d_h)."""
    return y.transpose(1, 0, 2).reshape(y.shape[1], -1)
