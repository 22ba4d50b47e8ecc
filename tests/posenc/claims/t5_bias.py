"""What posenc.t5 computes of golden/t5_bias."""

import numpy as np

from posenc import t5
from posenc.attention import offsets, softmax, visible
from tests.posenc.claims.shaw import masked


def claims(case: dict, params: dict) -> dict:
    arguments = (params["num_buckets"], params["max_distance"], not params["bidirectional"])
    return (buckets if params["kind"] == "buckets" else biases)(case, params, arguments)


def buckets(case: dict, params: dict, arguments: tuple) -> dict:
    offset = case["in_rel_key_minus_query"]
    exact = t5.bucket(offset, *arguments)
    return {
        "out_bucket_exact": exact,
        "out_bucket_float64": exact,  # at these sizes no logarithm rounds across an edge
        "out_rel_where_tf32_differs": offset[exact != case["ref32_bucket_mesh_tf"]],
        "out_rel_where_torch32_differs": offset[exact != case["ref32_bucket_hf_torch"]],
        "out_rel_where_float64_differs": offset[exact != case["ref64_bucket_mesh_tf"]],
    }


def biases(case: dict, params: dict, arguments: tuple) -> dict:
    i, j, q, k, table = np.arange(params["Lk"])[-params["Lq"] :], np.arange(params["Lk"]), case["in_q"], case["in_k"], case["in_table"]
    offset, seen = offsets(i, j), visible(i, j, not params["bidirectional"])
    terms = t5.terms(q, k, i, j, table, *arguments)
    rows = t5.bucket(offset, *arguments)
    return {
        "out_rel_key_minus_query": offset,
        "out_bucket": rows,
        "out_float_tie": rows != by_logarithm(offset, *arguments),
        "out_bias": t5.bias(i[:, None], j, table, *arguments),
        "out_logits_content_unscaled": terms.content_content,
        "out_logits": masked(t5.scores(q, k, i, j, table, *arguments), seen),
        "out_attn": softmax(terms.total(), seen),
    }


def by_logarithm(offset: np.ndarray, num_buckets: int, max_distance: int, causal: bool) -> np.ndarray:
    """The released formula in float32: where it rounds across an edge, released models and exact buckets differ."""
    side = num_buckets if causal else num_buckets // 2
    exact = side // 2
    distance = np.maximum(-offset, 0) if causal else np.abs(offset)
    steps = (
        np.log(np.maximum(distance, exact) / np.float32(exact), dtype=np.float32)
        / np.log(np.float32(max_distance / exact))
        * (side - exact)
    )
    far = np.minimum(exact + steps.astype(int), side - 1)
    return np.where(distance < exact, distance, far) + side * (not causal) * (offset > 0)
