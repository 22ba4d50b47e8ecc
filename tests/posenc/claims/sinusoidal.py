"""What posenc.sinusoidal computes of golden/sinusoidal."""

import numpy as np

from posenc import sinusoidal
from posenc.padding import after_padding_row


def claims(case: dict, params: dict) -> dict:
    width, positions = params["d"], case["in_positions"]
    paper = sinusoidal.vectors(positions, width)
    concatenated = sinusoidal.vectors(positions, width, "concatenated")
    claimed = {
        "out_paper_interleaved": paper,
        "out_txl_concat": concatenated,
        "out_roformer_concat": concatenated,
        "out_t2t_concat": sinusoidal.vectors(positions, width, "concatenated", "tensor2tensor"),
        "out_gram": paper @ paper.T,
    }
    try:
        unpadded = sinusoidal.padded_vectors(np.ones(positions[-1] + 1), width)
        claimed["out_fairseq_rows_pad_plus_1_plus_pos"] = unpadded[positions]
    except ValueError:
        claimed["out_fairseq_zero_division_error"] = 1
    if "in_fairseq_tokens" in case:
        present = case["in_fairseq_tokens"] != params.get("padding_idx", 1)
        claimed["out_fairseq_position_ids"] = np.stack([after_padding_row(row) for row in present])
        claimed["out_fairseq_embed"] = np.stack([sinusoidal.padded_vectors(row, width) for row in present])
    return {name: value for name, value in claimed.items() if name in case}
