"""What posenc.learned and posenc.padding compute of golden/learned_absolute."""

import numpy as np

from posenc import learned, padding
from posenc.attention import softmax


def claims(case: dict, params: dict) -> dict:
    return KINDS[params["kind"]](case, params)


def fairseq(case: dict, params: dict) -> dict:
    present = case["in_tokens"] != params["padding_idx"]
    ids = np.stack([padding.after_padding_row(row, params["padding_idx"]) for row in present])
    return {"out_position_ids": ids, "out_embed": learned.vectors(ids, case["in_table"])}


def opt(case: dict, params: dict) -> dict:
    rows = np.stack([padding.after_offset(row, params["past"]) for row in case["in_attention_mask"]])
    return {"out_row_ids": rows, "out_embed": learned.vectors(rows, case["in_table"])}


def gpt2(case: dict, params: dict) -> dict:
    ids = np.stack([padding.after_cache(row, params["past"]) for row in case["in_tokens"]])
    return {"out_position_ids": ids, "out_h": case["in_wte"][case["in_tokens"]] + learned.vectors(ids, case["in_wpe"])}


def bert(case: dict, params: dict) -> dict:
    content = case["in_word"][case["in_tokens"]] + case["in_type"][case["in_segments"]]
    position = learned.vectors(np.arange(content.shape[1]), case["in_pos"])
    parts = learned.after_layer_norm(content, position, case["in_ln_gamma"], case["in_ln_beta"])
    return {"out_sum": content + position, "out_layernormed": parts[0] + parts[1]}


def hierarchical(case: dict, params: dict) -> dict:
    return {"out_embed": learned.vectors(case["in_ids"], case["in_table"], beyond="hierarchical", alpha=params["alpha"])}


def four_terms(case: dict, params: dict) -> dict:
    w_q, w_k = (by_head(case[name], params["H"]) for name in ("in_Wq", "in_Wk"))
    i = np.arange(params["L"])
    arguments = (case["in_x"], case["in_x"], w_q, w_k, i, i, case["in_p"])
    terms = learned.terms(*arguments)
    return {
        "out_logits": learned.scores(*arguments),
        "out_term_xx": terms.content_content,
        "out_term_xp": terms.content_position,
        "out_term_px": terms.position_content,
        "out_term_pp": terms.position_position,
        "out_attn": softmax(terms.total()),
    }


KINDS = {
    "fairseq": fairseq,
    "roberta": fairseq,
    "opt": opt,
    "gpt2": gpt2,
    "bert": bert,
    "hierarchical": hierarchical,
    "four_terms": four_terms,
}


def by_head(w: np.ndarray, heads: int) -> np.ndarray:
    """A projection (d, d) as the golden data have it, cut into its heads' column blocks, (h, d, d/h)."""
    return w.reshape(w.shape[0], heads, -1).transpose(1, 0, 2)
