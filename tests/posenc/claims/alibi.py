"""What posenc.alibi computes of golden/alibi."""

import numpy as np

from posenc import alibi
from posenc.attention import dot, softmax, visible
from posenc.padding import counted
from tests.posenc.claims.shaw import masked


def claims(case: dict, params: dict) -> dict:
    heads = params["H"]
    claimed = {"out_slopes": alibi.slopes(heads)}
    if params["kind"] == "bias":
        i, j, q, k = np.arange(params["Lk"])[-params["Lq"] :], np.arange(params["Lk"]), case["in_q"], case["in_k"]
        past = visible(i, j, causal=True)
        by_pair = alibi.bias(i[:, None], j, heads)
        logits = alibi.terms(q, k, i, j, heads).total()
        claimed |= {
            "out_bias_paper_causal": masked(by_pair, past),
            "out_bias_code_causal": masked(alibi.key_only_bias(j, heads)[:, None], past),
            "out_bias_symmetric": by_pair,
            "out_logits_content": dot(q, k),
            "out_attn_causal": softmax(logits, past),
            "out_attn_symmetric": softmax(alibi.scores(q, k, i, j, heads)),
        }
    if "in_padding_mask" in case:
        claimed["out_bias_bloom_padded"] = alibi.key_only_bias(counted(case["in_padding_mask"]), heads)
    return claimed
