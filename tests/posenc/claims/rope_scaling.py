"""What posenc.rope_scaling computes of golden/rope_scaling."""

from posenc import rope, rope_scaling


def claims(case: dict, params: dict) -> dict:
    method, width, base = params["method"], params["d"], params.get("base", 10000.0)
    factor, trained_length = params.get("factor", 4.0), params.get("orig_len", 2048)
    length = params.get("seq_len", trained_length)
    theta = rope.angular_frequencies(width, base=base)
    divisor = rope_scaling.divisors(
        method, width, length, factor, trained_length, base, 0, case.get("in_short_factor"), case.get("in_long_factor")
    )
    scaling = rope_scaling.attention_scaling(method, factor, trained_length)
    claimed = {}
    if "out_base" in case:
        effective = rope_scaling.dynamic_factor(factor, trained_length, length) if method == "dynamic_ntk" else factor
        claimed["out_base"] = rope_scaling.ntk_base(width, base, effective)
    if "out_gamma_code" in case:
        low, high = rope_scaling.ramp_ends(width, base, trained_length, truncate=params.get("truncate", True))
        gamma, paper = rope_scaling.by_index(width, low, high), rope_scaling.by_rotations(theta, trained_length)
        divisor = rope_scaling.blend(gamma, factor)
        claimed |= {
            "out_low_high": [low, high],
            "out_gamma_code": gamma,
            "out_gamma_paper": paper,
            "out_rotations_r": rope_scaling.rotations(theta, trained_length),
            "out_inv_freq_paper_eq20": theta / rope_scaling.blend(paper, factor),
        }
    if "mscale" in params:
        scaling = rope_scaling.temperature(factor, params["mscale"]) / rope_scaling.temperature(factor, params["mscale_all_dim"])
    scaled, positions, q, k = theta / divisor, case["in_positions"], case["in_q"], case["in_k"]
    cos, sin = rope.cos_sin(positions, scaled)
    return claimed | {
        "out_inv_freq_base": theta,
        "out_inv_freq": scaled,
        "out_attention_scaling": scaling,
        "out_cos": scaling * cos,
        "out_sin": scaling * sin,
        "out_q_half": rope_scaling.turned(q, positions, scaled, scaling),
        "out_k_half": rope_scaling.turned(k, positions, scaled, scaling),
        "out_logits_half": rope_scaling.turned_terms(q, k, positions, positions, scaled, scaling).total(),
    }
