"""TENER: the paper's and the code's formula pair by pair, direction, frequencies, no scale."""

import math

import numpy as np
import pytest
import torch

from posenc import sinusoidal, tener
from posenc.attention import softmax
from posenc.terms import residual

H, N_Q, N_K, D = 2, 3, 5, 6
QUERIES, KEYS = np.arange(2, 5), np.arange(5)


def case(seed: int = 0, width: int = D) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = {"q": (H, N_Q, width), "k": (H, N_K, width), "x_k": (N_K, width), "bias_u": (H, width), "bias_v": (H, width)}
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


def sinusoid(distance: float, divisor: float, width: int = D) -> np.ndarray:
    angles = [distance / 10000 ** (c / divisor) for c in range(width // 2)]
    zeros = [0.0] * (width % 2)
    return np.array([math.sin(angle) for angle in angles] + [math.cos(angle) for angle in angles] + zeros)


def test_paper_form_is_the_papers_sums() -> None:
    one = case()
    terms = tener.terms(**one, i=QUERIES, j=KEYS)
    for h in range(H):
        for r, t in enumerate(QUERIES):
            for c, j in enumerate(KEYS):
                q, x, u, v = one["q"][h, r], one["x_k"][c], one["bias_u"][h], one["bias_v"][h]
                relative = sinusoid(t - j, D / 2)
                parts = [part[h, r, c] for _, part in terms.present()]
                np.testing.assert_allclose(parts, [sum(q * x), sum(q * relative), sum(u * x), sum(v * relative)], rtol=0, atol=1e-12)


@pytest.mark.parametrize("width", [6, 7])
def test_code_form_is_the_codes_sums(width: int) -> None:
    one = case(1, width)
    terms = tener.terms(**one, i=QUERIES, j=KEYS, form="code")
    for h in range(H):
        for r, t in enumerate(QUERIES):
            for c, j in enumerate(KEYS):
                q, k, u, v = one["q"][h, r], one["k"][h, c], one["bias_u"][h], one["bias_v"][h]
                ahead, back = (sinusoid(n, width // 2 - 1, width) for n in (j - t, t - j))
                parts = [part[h, r, c] for _, part in terms.present()]
                expected = [sum(q * k), sum(q * ahead), sum(u * k) + sum(k * back), sum(v * ahead)]
                np.testing.assert_allclose(parts, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", tener.FORMS)
@pytest.mark.parametrize("scaled", [False, True])
def test_terms_add_up_to_scores(form: str, scaled: bool) -> None:
    arguments = {**case(2), "i": QUERIES, "j": KEYS, "form": form, "scaled": scaled}
    assert residual(tener.terms(**arguments), tener.scores(**arguments)) < 1e-12


def test_r_flips_sign_with_direction_and_paper_and_code_turn_opposite_ways() -> None:
    q = np.array([1.0, 0, 0, 0])
    paper, code = (tener.vectors(np.array([-1, 1]), 4, form) @ q for form in tener.FORMS)
    np.testing.assert_allclose(paper, [0.84147, -0.84147], rtol=0, atol=5e-6)
    np.testing.assert_allclose(code, [-0.84147, 0.84147], rtol=0, atol=5e-6)


def test_two_sinusoids_are_blind_to_direction_where_r_is_not() -> None:
    p = sinusoidal.vectors(np.array([7, 10, 13]), 8)
    np.testing.assert_allclose([p[1] @ p[2], p[1] @ p[0]], 1.9648895263, rtol=0, atol=1e-10)
    r = tener.vectors(np.array([-3, 3]), 8)
    q = np.ones(8)
    assert abs(q @ r[0] - q @ r[1]) > 0.1


def test_turning_back_negates_the_sines_and_keeps_the_cosines() -> None:
    ahead, back = tener.vectors(KEYS, D), tener.vectors(-KEYS, D)
    np.testing.assert_array_equal(back[:, : D // 2], -ahead[:, : D // 2])
    np.testing.assert_array_equal(back[:, D // 2 :], ahead[:, D // 2 :])


def test_code_frequencies_are_tensor2tensors() -> None:
    frequencies = np.arcsin(tener.vectors(np.array([1]), 8, form="code")[0, :4])
    np.testing.assert_allclose(frequencies, [1, 0.04641589, 0.00215443, 0.0001], rtol=0, atol=1e-8)
    frequencies = np.arcsin(tener.vectors(np.array([-1]), 8)[0, :4])
    np.testing.assert_allclose(frequencies, [1, 0.1, 0.01, 0.001], rtol=0, atol=1e-12)


def test_odd_width_gets_a_column_of_zeros_in_the_code() -> None:
    rows = tener.vectors(np.arange(-4, 5), 5, form="code")
    assert rows.shape == (9, 5)
    assert not rows[:, 4].any()
    assert tener.vectors(KEYS, 5).shape == (5, 5)


def test_logits_are_not_scaled() -> None:
    one = {name: 0 * value for name, value in case(width=4).items()}
    one["q"], one["x_k"][0] = one["q"] + [4.0, 0, 0, 0], [2.0, 0, 0, 0]
    content = tener.terms(**one, i=QUERIES, j=KEYS).content_content[0, 0, :2]
    np.testing.assert_array_equal(content, [8, 0])
    np.testing.assert_allclose(softmax(content), [0.999665, 0.000335], rtol=0, atol=5e-7)
    np.testing.assert_array_equal(tener.terms(**one, i=QUERIES, j=KEYS, scaled=True).content_content[0, 0, :2], [4, 0])


def test_dividing_by_8_softens_logits_8_and_0() -> None:
    np.testing.assert_allclose(softmax(np.array([8.0, 0]) / 64**0.5), [0.731, 0.269], rtol=0, atol=5e-4)


def test_paper_form_drops_the_key_projection() -> None:
    one = case(3)
    other = {**one, "k": one["k"] + 1}
    np.testing.assert_array_equal(tener.terms(**one, i=QUERIES, j=KEYS).total(), tener.terms(**other, i=QUERIES, j=KEYS).total())
    paper, code = tener.terms(**one, i=QUERIES, j=KEYS), tener.terms(**other, i=QUERIES, j=KEYS, form="code")
    assert not np.allclose(paper.total(), code.total())


def test_distances_beyond_the_codes_first_table_are_the_same_sinusoid() -> None:
    np.testing.assert_allclose(tener.vectors(np.array([5000]), D, "code")[0], sinusoid(5000, 2), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tener.vectors(KEYS, D, "official"), "form is 'official'; it must be one of 'paper', 'code'"),
        (lambda: tener.terms(**case(), i=QUERIES, j=KEYS, form="x"), "form is 'x'; it must be one of 'paper', 'code'"),
        (lambda: tener.scores(**case(), i=QUERIES, j=KEYS, form="x"), "form is 'x'; it must be one of 'paper', 'code'"),
        (lambda: tener.tables(8, 0), "heads is 0; it must be at least 1"),
    ],
)
def test_wrong_input_is_refused_with_value_and_limit(call, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


@pytest.mark.parametrize("form", tener.FORMS)
def test_torch_gives_the_same_numbers_and_keeps_the_dtype(form: str) -> None:
    one = case(4)
    tensors = {name: torch.tensor(value) for name, value in one.items()}
    for function in (lambda **arguments: tener.terms(**arguments).total(), tener.scores):
        ours = function(**one, i=QUERIES, j=KEYS, form=form)
        np.testing.assert_allclose(function(**tensors, i=QUERIES, j=KEYS, form=form), ours, rtol=0, atol=1e-12)
        single = {name: value.float() for name, value in tensors.items()}
        assert function(**single, i=QUERIES, j=KEYS, form=form).dtype == torch.float32


@pytest.mark.parametrize("form", tener.FORMS)
def test_gradients_flow_to_content_and_tables(form: str) -> None:
    names, values = zip(*case(5).items(), strict=True)
    tensors = [torch.tensor(value, requires_grad=True) for value in values]
    assert torch.autograd.gradcheck(
        lambda *given: tener.terms(**dict(zip(names, given, strict=True)), i=QUERIES, j=KEYS, form=form).total(), tensors
    )
