"""What posenc.deberta computes of golden/deberta."""

import math
from functools import partial

import numpy as np

from posenc import deberta
from posenc.attention import offsets, softmax
from posenc.terms import Terms
from tests.posenc.claims.transformer_xl import by_head, side_by_side


def claims(case: dict, params: dict) -> dict:
    return {"log_buckets": log_buckets, "attention": attention, "emd": mask_decoder}[params["kind"]](case, params)


def log_buckets(case: dict, params: dict) -> dict:
    distance, buckets, limit = case["in_rel_query_minus_key"], params["buckets"], params["max_position"]
    bucket = deberta.bucket(-distance, buckets, limit)
    return {
        "out_bucket_exact": bucket,
        "out_delta": deberta.delta(-distance, log_buckets=buckets, max_relative_positions=limit),
        "out_rel_where_official32_differs": distance[bucket != case["ref32_bucket_official"]],
    }


def attention(case: dict, params: dict) -> dict:
    j = np.arange(params["L"])
    buckets = params.get("buckets", 0)
    geometry = {"clip": params["k"], "log_buckets": buckets, "max_relative_positions": params["k"]}
    offset = offsets(j, j)
    rows = deberta.delta(offset, **geometry)
    unclamped = deberta.delta(offset, **geometry, clamped=False)
    back = deberta.delta(-offset, **geometry)
    seen = np.outer(case["in_mask"], case["in_mask"])
    both = params.get("pos_att_type", "c2p|p2c") == "c2p|p2c"

    def split(rows: np.ndarray, rows_back: np.ndarray, key_bias: float = 1) -> Terms:
        q, k, q_r, k_r = projected(case, params, key_bias)
        return deberta.disentangled(q, k, q_r if both else None, k_r, rows, rows_back)

    terms, paper = split(rows, rows), split(rows, back)
    weights = softmax(terms.total(), seen)
    v = case["in_x"] @ by_head(case["in_Wv"], params["H"]) + by_head(case["in_bv"][None], params["H"])
    ours = {
        "out_rel_query_minus_key": -offset,
        "out_bucket": deberta.bucket(offset, buckets, params["k"]) if buckets else -offset,
        "out_delta": rows,
        "out_logits": terms.total(),
        "out_attn": weights,
        "out_y": side_by_side(weights @ v),
        "out_c2c": terms.content_content,
        "out_c2p": terms.content_position,
    }
    if both:
        ours |= {
            "out_p2c": terms.position_content,
            "out_p2c_paper_delta_ji": paper.position_content,
            "out_attn_paper": softmax(paper.total(), seen),
        }
    if buckets:
        ours |= {"out_delta_hf_unclamped": unclamped, "out_attn_hf": softmax(split(unclamped, unclamped).total(), seen)}
    elif both and not params.get("share_att_key"):
        ours |= {"out_attn_v1_no_key_bias": softmax(split(rows, rows, key_bias=0).total(), seen)}
    return ours


def projected(case: dict, params: dict, key_bias: float) -> tuple[np.ndarray, ...]:
    """q, k, qr, kr of all heads with the reference's biases, those of keys times key_bias."""
    shared = params.get("share_att_key", False)
    x, p = case["in_x"], case["in_P"]
    names = [(x, "q", 1), (x, "k", key_bias), (p, "q" if shared else "pq", 1), (p, "k" if shared else "pk", key_bias)]
    return tuple(
        rows @ by_head(case[f"in_W{name}"], params["H"]) + gain * by_head(case[f"in_b{name}"][None], params["H"])
        for rows, name, gain in names
    )


def mask_decoder(case: dict, params: dict) -> dict:
    weights = {name.removeprefix("in_w_"): value for name, value in case.items() if name.startswith("in_w_")}
    p = layer_norm(weights["rel_embeddings_weight"], within(weights, "LayerNorm_"))
    rows = deberta.delta(offsets(np.arange(params["L"]), np.arange(params["L"])), params["k"])
    layers = [
        partial(layer, own=within(weights, f"layer_{number}_"), p=p, rows=rows, heads=params["H"]) for number in range(params["n_layers"])
    ]
    hidden = [case["in_x"]]
    for one in layers:
        hidden.append(one(hidden[-1], hidden[-1]))
    first, second = deberta.mask_decoder(hidden[-2], case["in_abs_pos"], layers[-1])
    return {"out_encoder_layer_outputs": np.stack(hidden[1:]), "out_emd_step1": first, "out_emd_step2": second}


def layer(query: np.ndarray, keys: np.ndarray, own: dict, p: np.ndarray, rows: np.ndarray, heads: int) -> np.ndarray:
    """The reference's encoder layer: disentangled attention, then a two-layer perceptron, LayerNorm after each."""
    inputs = [(query, "query_proj"), (keys, "key_proj"), (p, "pos_query_proj"), (p, "pos_key_proj"), (keys, "value_proj")]
    parts = (linear(x, within(own, f"attention_self_{name}_")) for x, name in inputs)
    q, k, q_r, k_r, v = (by_head(part, heads) for part in parts)
    z = side_by_side(softmax(deberta.disentangled(q, k, q_r, k_r, rows, rows).total()) @ v)
    attended = linear(z, within(own, "attention_output_dense_")) + query
    attended = layer_norm(attended, within(own, "attention_output_LayerNorm_"))
    inner = gelu(linear(attended, within(own, "intermediate_dense_")))
    out = linear(inner, within(own, "output_dense_")) + attended
    return layer_norm(out, within(own, "output_LayerNorm_"))


def within(weights: dict, prefix: str) -> dict:
    """The weights whose names begin with `prefix`, by the rest of the name."""
    return {name.removeprefix(prefix): value for name, value in weights.items() if name.startswith(prefix)}


def linear(x: np.ndarray, own: dict) -> np.ndarray:
    return x @ own["weight"].T + own["bias"]


def layer_norm(x: np.ndarray, own: dict) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return own["weight"] * centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-7) + own["bias"]


def gelu(x: np.ndarray) -> np.ndarray:
    return x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2
