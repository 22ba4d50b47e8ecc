"""Transformer-XL: the four terms pair by pair, the relative shift and its garbage, memory, the masks."""

import math

import numpy as np
import pytest
import torch

from posenc import transformer_xl
from posenc.attention import softmax, visible
from posenc.terms import residual

H, N_Q, N_K, D = 2, 3, 5, 6
QUERIES, KEYS = np.arange(2, 5), np.arange(5)


def case(seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"q": (H, N_Q, D), "k": (H, N_K, D), "w_kr": (H, D, D), "bias_u": (H, D), "bias_v": (H, D)}
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def sinusoid(distance: float) -> list[float]:
    angles = [distance / 10000 ** (2 * c / D) for c in range(D // 2)]
    return [math.sin(angle) for angle in angles] + [math.cos(angle) for angle in angles]


@pytest.mark.parametrize("clamp_len", [0, 2])
def test_terms_are_the_papers_sums(clamp_len: int) -> None:
    one = case()
    terms = transformer_xl.terms(**one, i=QUERIES, j=KEYS, clamp_len=clamp_len)
    for h in range(H):
        for r, i in enumerate(QUERIES):
            for c, j in enumerate(KEYS):
                q, k, u, v = one["q"][h, r], one["k"][h, c], one["bias_u"][h], one["bias_v"][h]
                distance = min(i - j, clamp_len) if clamp_len else i - j
                key = [sum(x * w for x, w in zip(sinusoid(distance), one["w_kr"][h, :, m], strict=True)) for m in range(D)]
                expected = [sum(q * k), sum(q * key), sum(u * k), sum(v * key)]
                parts = [part[h, r, c] for _, part in terms.present()]
                np.testing.assert_allclose(parts, np.array(expected) / math.sqrt(D), rtol=0, atol=1e-12)


def test_half_the_loudness_quarters_content_content_halves_mixed_terms_and_leaves_position_position() -> None:
    one = case(6)
    loud, low = (transformer_xl.terms(**{**one, "q": by * one["q"], "k": by * one["k"]}, i=QUERIES, j=KEYS) for by in (1, 0.5))
    for by, a, b in zip((0.25, 0.5, 0.5, 1), loud[:4], low[:4], strict=True):
        np.testing.assert_allclose(b, by * a, rtol=0, atol=1e-12)


@pytest.mark.parametrize("clamp_len", [0, 2])
def test_terms_add_up_to_scores(clamp_len: int) -> None:
    arguments = {**case(), "i": QUERIES, "j": KEYS, "clamp_len": clamp_len}
    assert residual(transformer_xl.terms(**arguments), transformer_xl.scores(**arguments)) < 1e-12


def test_shift_moves_distances_to_keys_and_leaves_garbage_above_the_diagonal() -> None:
    values = np.tile([4.0, 3, 2, 1, 0], (1, 3, 1))
    shifted = transformer_xl.shift(values)
    seen = visible(QUERIES, KEYS, causal=True)
    assert [list(row[mask]) for row, mask in zip(shifted[0], seen, strict=True)] == [[2, 1, 0], [3, 2, 1, 0], [4, 3, 2, 1, 0]]
    assert transformer_xl.picked(values).tolist() == [[[2, 1, 0, 0, 0], [3, 2, 1, 0, 0], [4, 3, 2, 1, 0]]]


def test_garbage_is_a_zero_and_then_the_next_querys_farthest_distances() -> None:
    values = np.arange(1.0, 1 + 4 * 7).reshape(1, 4, 7)
    shifted = transformer_xl.shift(values)
    for row in range(3):
        own = 7 - 4 + row
        assert shifted[0, row, own + 1] == 0
        np.testing.assert_array_equal(shifted[0, row, own + 2 :], values[0, row + 1, : 7 - own - 2])


def test_shift_and_look_up_agree_on_what_is_visible() -> None:
    values = np.random.default_rng(1).standard_normal((H, N_Q, N_K))
    seen = visible(QUERIES, KEYS, causal=True)
    np.testing.assert_array_equal(np.where(seen, transformer_xl.shift(values), 0), transformer_xl.picked(values))


def test_shift_steps_have_the_shapes_of_the_code() -> None:
    steps = transformer_xl.shift_steps(np.ones((H, N_Q, N_K)))
    shapes = {name: step.shape for name, step in steps.items()}
    assert shapes == {"padded": (H, 3, 6), "reshaped": (H, 6, 3), "cut": (H, 5, 3), "shifted": (H, 3, 5)}


def test_the_codes_way_by_shift_equals_the_scores_where_visible() -> None:
    one = case(2)
    values = transformer_xl.by_distance(one["q"], N_K, one["w_kr"], one["bias_v"])
    content = (one["q"] + one["bias_u"][:, None]) @ one["k"].mT
    seen = np.broadcast_to(visible(QUERIES, KEYS, causal=True), content.shape)
    ours = transformer_xl.scores(**one, i=QUERIES, j=KEYS)
    np.testing.assert_allclose(((content + transformer_xl.shift(values)) / D**0.5)[seen], ours[seen], rtol=0, atol=1e-12)


def test_attention_does_not_change_when_all_positions_move() -> None:
    one = case(3)
    here, there = (transformer_xl.terms(**one, i=QUERIES + first, j=KEYS + first).total() for first in (0, 1000))
    np.testing.assert_array_equal(here, there)


def test_content_bias_c_is_the_same_for_every_query_and_moves_attention() -> None:
    one = case(4)
    with_u = transformer_xl.terms(**one, i=QUERIES, j=KEYS)
    without = transformer_xl.terms(**{**one, "bias_u": 0 * one["bias_u"]}, i=QUERIES, j=KEYS)
    np.testing.assert_array_equal(with_u.position_content, with_u.position_content[:, :1] + np.zeros((1, N_Q, 1)))
    assert not np.allclose(softmax(with_u.total()), softmax(without.total()))


def test_beyond_clamp_len_all_distances_share_one_row() -> None:
    rows = transformer_xl.vectors(np.array([-2, -3, -50]), D, clamp_len=2)
    np.testing.assert_array_equal(rows, rows[[0, 0, 0]])
    np.testing.assert_allclose(rows[0], sinusoid(2), rtol=0, atol=1e-12)


def test_same_length_shows_every_query_the_same_number_of_keys() -> None:
    seen = transformer_xl.same_length(np.arange(4, 8), np.arange(8), mem_len=4)
    assert seen.sum(axis=1).tolist() == [4, 4, 4, 4]
    assert seen[0].tolist() == [False, True, True, True, True, False, False, False]
    assert transformer_xl.same_length(np.arange(3), np.arange(3), mem_len=4).tolist() == np.tri(3, dtype=bool).tolist()


def test_r_has_no_width_of_its_own_but_that_of_its_projection() -> None:
    one = case(5)
    wide = np.random.default_rng(6).standard_normal((H, 10, D))
    arguments = {**one, "w_kr": wide, "i": QUERIES, "j": KEYS}
    assert residual(transformer_xl.terms(**arguments), transformer_xl.scores(**arguments)) < 1e-12


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: transformer_xl.vectors(KEYS, D, clamp_len=-1), "clamp_len is -1; it must be at least 0"),
        (lambda: transformer_xl.vectors(KEYS + 0.5, D), "offset is 0.5; it must be a whole number"),
        (lambda: transformer_xl.same_length(QUERIES, KEYS, 0), "mem_len is 0; it must be at least 1"),
        (lambda: transformer_xl.tables(8, 0), "heads is 0; it must be at least 1"),
    ],
)
def test_wrong_input_is_refused_with_value_and_limit(call, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


def test_torch_gives_the_same_numbers_and_keeps_the_dtype() -> None:
    one = case(7)
    tensors = {name: torch.tensor(value) for name, value in one.items()}
    for function in (lambda **arguments: transformer_xl.terms(**arguments).total(), transformer_xl.scores):
        np.testing.assert_allclose(function(**tensors, i=QUERIES, j=KEYS), function(**one, i=QUERIES, j=KEYS), rtol=0, atol=1e-12)
        single = {name: value.float() for name, value in tensors.items()}
        assert function(**single, i=QUERIES, j=KEYS).dtype == torch.float32
    values = np.random.default_rng(8).standard_normal((H, N_Q, N_K))
    for function in (transformer_xl.shift, transformer_xl.picked):
        np.testing.assert_array_equal(function(torch.tensor(values)), function(values))


def test_gradients_flow_to_content_and_tables() -> None:
    names, values = zip(*case(9).items(), strict=True)
    tensors = [torch.tensor(value, requires_grad=True) for value in values]
    assert torch.autograd.gradcheck(
        lambda *given: transformer_xl.terms(**dict(zip(names, given, strict=True)), i=QUERIES, j=KEYS).total(), tensors
    )
