"""What posenc.sandwich computes of golden/sandwich."""

import numpy as np

from posenc import sandwich
from posenc.attention import offsets, visible


def claims(case: dict, params: dict) -> dict:
    i, j = np.arange(params["Lk"])[-params["Lq"] :], np.arange(params["Lk"])
    seen = visible(i, j, not params["bidirectional"])
    bias = sandwich.bias(i[:, None], j, params["H"], sinusoid_width=params["d_bar"])
    return {
        "out_cos_sum": sandwich.similarity(offsets(i, j), params["d_bar"]),
        "out_compression_ratio_h": sandwich.compression(params["H"]),
        "out_bias": np.where(seen, bias, -np.inf),
    }
