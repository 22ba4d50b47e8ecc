"""What posenc.tupe computes of golden/tupe."""

import numpy as np

from posenc import tupe
from posenc.attention import softmax


def claims(case: dict, params: dict) -> dict:
    heads, length = params["H"], params["L"]
    i = j = np.arange(length)
    x = case["in_x"]
    q, k, v = (by_head(x @ case[f"in_W{name}"] + case[f"in_b{name}"], heads) for name in "qkv")
    tables = {
        "p": case["in_pos"],
        "gamma": case["in_pos_ln_gamma"],
        "beta": case["in_pos_ln_beta"],
        "u_q": by_head(case["in_UQ"], heads),
        "u_k": by_head(case["in_UK"], heads),
        "b_q": case["in_bQ"].reshape(heads, -1),
        "b_k": case["in_bK"].reshape(heads, -1),
    }
    absolute = tupe.bias(i[:, None], j, **tables)
    claimed = {
        "out_term_position_before_reset": tupe.products(i + 1, j + 1, **tables),
        "out_theta1_cls_to_others": tupe.products(np.array([0]), np.array([0]), **tables)[:, 0, 0],
        "out_theta2_others_to_cls": tupe.products(np.array([1]), np.array([1]), **tables)[:, 0, 0],
        "out_term_position": absolute,
    }
    relative = {name: params[name] for name in ("num_buckets", "max_distance") if name in params}
    if params["variant"] == "R":
        tables |= {"variant": "R", "rel_table": case["in_rel_table"], **relative}
        claimed |= {
            "out_rel_bucket": tupe.bucket(i[:, None], j, **relative),
            "out_rel_bias": tupe.bias(i[:, None], j, **tables) - absolute,
        }
    terms = tupe.terms(q, k, i, j, **tables)
    weights = softmax(terms.total())
    return claimed | {
        "out_term_word": terms.content_content,
        "out_logits": tupe.scores(q, k, i, j, **tables),
        "out_attn": weights,
        "out_y": (weights @ v).swapaxes(0, 1).reshape(length, -1),
    }


def by_head(columns: np.ndarray, heads: int) -> np.ndarray:
    """(n, h·d) → (h, n, d): heads are contiguous blocks of columns."""
    return columns.reshape(len(columns), heads, -1).swapaxes(0, 1)
