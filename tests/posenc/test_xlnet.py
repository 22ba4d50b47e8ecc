"""XLNet: both directions, the position sequences and their shift, the symmetric clamp, backward reading, segments."""

import math

import numpy as np
import pytest
import torch

from posenc import transformer_xl, xlnet
from posenc.attention import offsets, softmax, visible
from posenc.terms import residual

H, N_Q, N_K, D = 2, 3, 5, 6
QUERIES, KEYS = np.arange(2, 5), np.arange(5)


def case(seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"q": (H, N_Q, D), "k": (H, N_K, D), "w_kr": (H, D, D), "segments": (2, H, D)}
    shapes |= dict.fromkeys(("bias_u", "bias_v", "bias_s"), (H, D))
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def sinusoid(distance: float) -> list[float]:
    angles = [distance / 10000 ** (2 * c / D) for c in range(D // 2)]
    return [math.sin(angle) for angle in angles] + [math.cos(angle) for angle in angles]


@pytest.mark.parametrize("clamp_len", [0, 2])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("boundary", [0, 3])
def test_terms_are_the_papers_sums(clamp_len: int, backward: bool, boundary: int) -> None:
    one = case()
    knobs = {"clamp_len": clamp_len, "backward": backward, "boundary": boundary}
    terms = xlnet.terms(**one, i=QUERIES, j=KEYS, **knobs)
    for h in range(H):
        for r, i in enumerate(QUERIES):
            for c, j in enumerate(KEYS):
                q, k, u, v, s = one["q"][h, r], one["k"][h, c], one["bias_u"][h], one["bias_v"][h], one["bias_s"][h]
                distance = j - i if backward else i - j
                distance = max(-clamp_len, min(distance, clamp_len)) if clamp_len else distance
                key = [sum(x * w for x, w in zip(sinusoid(distance), one["w_kr"][h, :, m], strict=True)) for m in range(D)]
                e = one["segments"][int((i >= boundary) != (j >= boundary)), h] if boundary else np.zeros(D)
                expected = [sum(q * k), sum(q * key) + sum(q * e), sum(u * k), sum(v * key) + sum(s * e)]
                parts = [part[h, r, c] for _, part in terms.present()]
                np.testing.assert_allclose(parts, np.array(expected) / math.sqrt(D), rtol=0, atol=1e-12)
    assert residual(terms, xlnet.scores(**one, i=QUERIES, j=KEYS, **knobs)) < 1e-12


def test_position_sequences_of_the_code() -> None:
    assert xlnet.distances(2, 3, "bi").tolist() == [3, 2, 1, 0, -1]
    assert xlnet.distances(2, 3, "uni").tolist() == [3, 2, 1, 0]


def test_the_shift_is_right_for_every_pair_both_ways() -> None:
    distances = xlnet.distances(N_Q, N_K, "bi")
    values = np.broadcast_to(distances, (1, N_Q, len(distances)))
    np.testing.assert_array_equal(xlnet.shift(values, N_K)[0], -offsets(QUERIES, KEYS))


def test_the_shift_of_the_past_alone_is_right_where_visible_then_repeats_the_next_row() -> None:
    distances = xlnet.distances(N_Q, N_K, "uni")
    shifted = xlnet.shift(np.broadcast_to(distances, (1, N_Q, len(distances))), N_K)[0]
    seen = visible(QUERIES, KEYS, causal=True)
    np.testing.assert_array_equal(shifted[seen], -offsets(QUERIES, KEYS)[seen])
    assert shifted[0, 3:].tolist() == [5, 4]


def test_looking_back_it_is_transformer_xl() -> None:
    one = case(1)
    shared = {name: one[name] for name in ("q", "k", "w_kr", "bias_u", "bias_v")}
    np.testing.assert_array_equal(xlnet.terms(**one, i=QUERIES, j=KEYS).total(), transformer_xl.terms(**shared, i=QUERIES, j=KEYS).total())


def test_the_clamp_is_symmetric_where_transformer_xls_is_one_sided() -> None:
    ahead = np.array([2, 3, 9])
    rows = xlnet.vectors(ahead, D, clamp_len=2)
    np.testing.assert_array_equal(rows, rows[[0, 0, 0]])
    assert not np.allclose(transformer_xl.vectors(ahead, D, clamp_len=2)[0], transformer_xl.vectors(ahead, D, clamp_len=2)[1])


def test_reading_backward_turns_the_distance_round() -> None:
    np.testing.assert_array_equal(xlnet.vectors(KEYS, D, backward=True), xlnet.vectors(-KEYS, D))


def test_segments_say_same_or_other_and_not_which() -> None:
    other = xlnet.other_segment(KEYS, KEYS, boundary=2)
    assert other.tolist() == [[False, False, True, True, True]] * 2 + [[True, True, False, False, False]] * 3
    np.testing.assert_array_equal(xlnet.other_segment(KEYS + 7, KEYS + 7, boundary=2, first=7), other)


def test_one_segment_alone_does_not_change_attention() -> None:
    one = case(2)
    plain = xlnet.terms(**one, i=QUERIES, j=KEYS).total()
    same = np.zeros((N_Q, N_K), dtype=bool)
    shifted = plain + sum(xlnet.segment_terms(one["q"], same, one["segments"], one["bias_s"]))
    assert not np.allclose(plain, shifted)
    np.testing.assert_allclose(softmax(plain), softmax(shifted), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: xlnet.vectors(KEYS, D, clamp_len=-1), "clamp_len is -1; it must be at least 0"),
        (lambda: xlnet.distances(2, 3, "both"), "attn_type is 'both'; it must be one of 'bi', 'uni'"),
        (lambda: xlnet.terms(**case(), i=QUERIES, j=KEYS, boundary=-1), "boundary is -1; it must be at least 0"),
        (lambda: xlnet.tables(8, 0), "heads is 0; it must be at least 1"),
    ],
)
def test_wrong_input_is_refused_with_value_and_limit(call, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


def test_torch_gives_the_same_numbers_and_keeps_the_dtype() -> None:
    one = case(3)
    tensors = {name: torch.tensor(value) for name, value in one.items()}
    for function in (lambda **arguments: xlnet.terms(**arguments).total(), xlnet.scores):
        ours = function(**one, i=QUERIES, j=KEYS, boundary=3)
        np.testing.assert_allclose(function(**tensors, i=QUERIES, j=KEYS, boundary=3), ours, rtol=0, atol=1e-12)
        single = {name: value.float() for name, value in tensors.items()}
        assert function(**single, i=QUERIES, j=KEYS, boundary=3).dtype == torch.float32


def test_gradients_flow_to_content_and_tables() -> None:
    names, values = zip(*case(4).items(), strict=True)
    tensors = [torch.tensor(value, requires_grad=True) for value in values]

    def logits(*given: torch.Tensor) -> torch.Tensor:
        return xlnet.terms(**dict(zip(names, given, strict=True)), i=QUERIES, j=KEYS, boundary=3).total()

    assert torch.autograd.gradcheck(logits, tensors)
