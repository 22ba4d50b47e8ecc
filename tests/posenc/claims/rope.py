"""What posenc.rope and posenc.precision compute of golden/rope."""

from posenc import precision, rope
from posenc.attention import softmax, visible


def claims(case: dict, params: dict) -> dict:
    width, rotary_dim, base = params["d"], params.get("rotary_dim", 0), params.get("base", 10000.0)
    theta = rope.angular_frequencies(width, rotary_dim, base)
    if params["kind"] == "precision":
        positions = case["in_positions"]
        cos, sin = rope.cos_sin(positions, theta)
        return {
            "out_inv_freq": theta,
            "out_cos": cos,
            "out_sin": sin,
            "out_cos_50digit": cos,
            "out_max_abs_err_f32_per_position": precision.error(case["ref32_cos_hf"], positions, width, base),
            "out_max_abs_err_bf16pos_per_position": precision.error(case["ref32_cos_bf16_positions"], positions, width, base),
        }
    q, k, i, j = (case[name] for name in ("in_q", "in_k", "in_pos_q", "in_pos_k"))
    claimed = {"out_inv_freq": theta, "out_perm_inter_to_half": rope.permutation(width, rotary_dim)}
    for pairing in rope.PAIRINGS:
        claimed[f"out_q_{pairing}"] = rope.rotate(q, i, theta, pairing)
        claimed[f"out_k_{pairing}"] = rope.rotate(k, j, theta, pairing)
        claimed[f"out_logits_{pairing}"] = rope.scores(q, k, i, j, pairing, rotary_dim, base)
    logits = rope.terms(q, k, i, j, "interleaved", rotary_dim, base).total()
    claimed["out_attn_interleaved_causal"] = softmax(logits, visible(i, j, causal=True))
    return claimed
