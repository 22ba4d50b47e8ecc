"""What posenc.multiplicative computes of golden/multiplicative."""

from posenc import multiplicative
from posenc.attention import softmax
from tests.posenc.claims.learned_absolute import by_head

NAMES = {"plain": "plain", "one_plus": "bert4keras"}


def claims(case: dict, params: dict) -> dict:
    x, w_q, w_k = case["in_x"], by_head(case["in_Wq"], params["H"]), by_head(case["in_Wk"], params["H"])
    p = case["in_p"]
    ours = {
        "out_h_plain": multiplicative.product(x, p, "plain"),
        "out_h_bert4keras_1plus": multiplicative.product(x, p),
    }
    for fusion, name in NAMES.items():
        logits = multiplicative.split(x, x, p, p, w_q, w_k, fusion).total()
        ours |= {f"out_logits_{name}": logits, f"out_attn_{name}": softmax(logits)}
    return ours
