"""What posenc.shape computes of golden/shape: √d times the word vectors, plus shifted positions, (n, batch, d)."""

import numpy as np

from posenc import shape


def claims(case: dict, params: dict) -> dict:
    words = case["in_emb"] * params["d"] ** 0.5
    positions = np.arange(params["L"])
    train = [shape.vectors(positions, params["d"], k) for k in case["in_offsets"]]
    ours = {
        "out_train": words + np.stack(train, axis=1),
        "out_eval_offset_0": words + shape.vectors(positions, params["d"], 0)[:, None],
        "out_eval_code_offset_K": words + shape.vectors(positions, params["d"], params["K"])[:, None],
    }
    if "step" in params:
        ours["out_eval_step"] = words[[0]] + shape.vectors(np.array([params["step"]]), params["d"], params["K"])
    return {name: value for name, value in ours.items() if name in case}
