"""What posenc.xlnet computes of golden/xlnet."""

import numpy as np

from posenc import xlnet
from posenc.attention import offsets, softmax, visible
from tests.posenc.claims.transformer_xl import by_head, side_by_side


def claims(case: dict, params: dict) -> dict:
    attn_type, heads, memory = params["attn_type"], params["H"], params["mem"]
    w_q, w_k, w_v, w_kr = (by_head(case[name], heads) for name in ("in_Wq", "in_Wk", "in_Wv", "in_Wr"))
    n, batch, width = case["in_x"].shape
    j = np.arange(n)
    i = j[memory:]
    seen = visible(i, j, causal=attn_type == "uni")
    scale = params["dh"] ** 0.5
    none = np.zeros((2, heads, params["dh"]))
    segments, bias_s = case.get("in_seg_embed", none), case.get("in_s", none[0])
    backward = [params.get("bi_data", False) and 2 * number >= batch for number in range(batch)]
    distances = xlnet.distances(len(i), n, attn_type)
    rows, ac, bd, ef, logits, attention, y = [], [], [], [], [], [], []
    for number, reads_backward in enumerate(backward):
        x = case["in_x"][:, number]
        q, k, v = x[i] @ w_q, x @ w_k, x @ w_v
        geometry = {"clamp_len": params.get("clamp_len", 0), "backward": reads_backward}
        learned = {"w_kr": w_kr, "bias_u": case["in_u"], "bias_v": case["in_v"], "bias_s": bias_s, "segments": segments}
        terms = xlnet.terms(q, k, i, j, **learned, **geometry)
        other = case["in_seg_diff"][:, :, number] == 1 if params.get("segments") else np.zeros((len(i), n), dtype=bool)
        by_segment = sum(xlnet.segment_terms(q, other, segments, bias_s))
        rows.append(xlnet.vectors(-distances, width, **geometry))
        ac.append(scale * (terms.content_content + terms.position_content))
        bd.append(np.where(seen, scale * (terms.content_position + terms.position_position), 0))
        ef.append(scale * by_segment)
        logits.append(np.where(seen, xlnet.scores(q, k, i, j, **learned, **geometry) + by_segment, -np.inf))
        attention.append(softmax(terms.total() + by_segment, seen))
        y.append(side_by_side(attention[-1] @ v))
    ours = {
        "out_pos_emb": np.stack(rows, axis=1),
        "out_distance": -offsets(i, j),
        "out_AC": np.stack(ac),
        "out_BD": np.stack(bd),
        "out_logits": np.stack(logits),
        "out_attn": np.stack(attention),
        "out_y": np.stack(y),
    }
    return {**ours, "out_EF": np.stack(ef)} if params.get("segments") else ours
