"""What posenc.complex_order computes of golden/complex_order."""

import numpy as np

from posenc import complex_order
from posenc.attention import softmax
from tests.posenc.claims.learned_absolute import by_head


def claims(case: dict, params: dict) -> dict:
    return KINDS[params["kind"]](case, params)


def embedding(case: dict, params: dict) -> dict:
    r, omega, theta = (case[name][case["in_words"]] for name in ("in_r", "in_omega", "in_theta"))
    released = complex_order.embedding(r, case["in_positions"], omega)
    paper = complex_order.embedding(r, case["in_positions"], omega, theta)
    return {
        "out_re_theta0": released.real,
        "out_im_theta0": released.imag,
        "out_re": paper.real,
        "out_im": paper.imag,
        "out_code_initial_omega": complex_order.vocabulary_frequencies(params["vocab"], params["d"]),
    }


def attention(case: dict, params: dict) -> dict:
    z = case["in_x_re"] + 1j * case["in_x_im"]
    q, k, v = (complex_order.projected(z, by_head(case[name], params["H"])) for name in ("in_Wq", "in_Wk", "in_Wv"))
    products = complex_order.products(q, k)
    weights = softmax(complex_order.logits(q, k))
    y = (weights @ v).transpose(1, 0, 2).reshape(z.shape)
    return {
        "out_scores_re": products.real,
        "out_scores_im": products.imag,
        "out_logits": complex_order.logits(q, k),
        "out_attn": weights,
        "out_y_re": y.real,
        "out_y_im": y.imag,
        "out_hermitian_real_logits_for_contrast": complex_order.logits(q, k, "conjugate"),
    }


def lm_frequency_table(case: dict, params: dict) -> dict:
    words = np.arange(params["vocab"])[:, None]
    return {"out_omega_init": np.where(words == params["padding_idx"], 0.0, complex_order.frequencies(params["d"]))}


KINDS = {"embedding": embedding, "attention": attention, "lm_frequency_table": lm_frequency_table}
