"""A trained BERT's first layer: the split is exact, and what the page says of MiniLM is measured."""

import math

import numpy as np
import pytest
import torch

from explain import weights, wordpiece
from explain.controls import SENTENCE
from posenc import bert, learned
from posenc.attention import softmax
from posenc.terms import residual
from tests.posenc import seam

RNG = np.random.default_rng(0)
N, WIDTH, HEADS = 4, 6, 2
SMALL = [
    RNG.standard_normal(shape) for shape in ((N, WIDTH), (N, WIDTH), (WIDTH,), (WIDTH,), (WIDTH, WIDTH), (WIDTH,), (WIDTH, WIDTH), (WIDTH,))
]
"""words, positions, γ, β, W_Q, b_Q, W_K, b_K."""
SENTENCES = (
    SENTENCE,
    "All that glitters is not gold, but the sun rises over the hills every morning and we walk to the river.",
    "No word of the first sentence stands in this one, except those without which nobody could write anything at all.",
    "a a a a a a a a a a a a a a a a a a a a",
    "四川人不怕辣、贵州人辣不怕、湖南人怕不辣",
    "Stop!",
)


def measured(sentence: str) -> bert.Anatomy:
    return weights.anatomy(wordpiece.read(sentence, 512).ids)


def loops() -> tuple[list[list[list[float]]], list[list[list[float]]]]:
    """Content and position after the LayerNorm, and each head's logits, without a single vector operation."""
    words, positions, gamma, beta, w_q, b_q, w_k, b_k = (array.tolist() for array in SMALL)
    sides = []
    for i in range(N):
        mean_w, mean_p = sum(words[i]) / WIDTH, sum(positions[i]) / WIDTH
        s = math.sqrt(sum((w + p - mean_w - mean_p) ** 2 for w, p in zip(words[i], positions[i], strict=True)) / WIDTH + 1e-12)
        content = [gamma[c] * (words[i][c] - mean_w) / s + beta[c] for c in range(WIDTH)]
        sides.append([content, [gamma[c] * (positions[i][c] - mean_p) / s for c in range(WIDTH)]])

    def projected(x: list[float], w: list[list[float]], row: int) -> float:
        return sum(x[c] * w[row][c] for c in range(WIDTH))

    products = []
    e = WIDTH // HEADS
    for h in range(HEADS):
        for left, right in ((0, 0), (0, 1), (1, 0), (1, 1)):
            matrix = [[0.0] * N for _ in range(N)]
            for i in range(N):
                for j in range(N):
                    for row in range(h * e, (h + 1) * e):
                        q = projected(sides[i][left], w_q, row) + (b_q[row] if left == 0 else 0)
                        k = projected(sides[j][right], w_k, row) + (b_k[row] if right == 0 else 0)
                        matrix[i][j] += q * k / math.sqrt(e)
            products.append(matrix)
    return sides, products


def test_terms_are_the_products_of_content_and_position() -> None:
    sides, products = loops()
    content, position = learned.after_layer_norm(*SMALL[:4])
    np.testing.assert_allclose(np.stack([content, position], axis=1), sides, rtol=0, atol=1e-12)
    terms = bert.terms(*SMALL, HEADS)
    found = [part[h] for h in range(HEADS) for part in terms[:4]]
    np.testing.assert_allclose(found, products, rtol=0, atol=1e-12)
    assert terms.interaction is None


def test_the_four_terms_add_up_to_the_models_own_logits() -> None:
    assert residual(bert.terms(*SMALL, HEADS), bert.scores(*SMALL, HEADS)) < 1e-14
    for sentence in SENTENCES:
        layer = weights.first_layer(wordpiece.read(sentence, 512).ids)
        assert residual(bert.terms(**layer), bert.scores(**layer)) < 1e-10


def test_some_heads_are_those_of_all() -> None:
    whole, some = bert.terms(*SMALL, HEADS), bert.terms(*SMALL, HEADS, head=[1])
    for part, picked in zip(whole[:4], some[:4], strict=True):
        np.testing.assert_allclose(picked, part[[1]], rtol=0, atol=1e-14)


@pytest.mark.parametrize("function", [bert.scores, lambda *arrays: bert.terms(*arrays).total()])
def test_torch_gives_the_same_numbers_and_gradients(function: object) -> None:
    seam.same_numbers(lambda *arrays: function(*arrays, HEADS), SMALL)
    seam.right_gradients(lambda *arrays: function(*arrays, HEADS), SMALL)


def test_it_is_what_torchs_own_layers_compute() -> None:
    """LayerNorm and Linear as BERT is built of them."""
    words, positions, gamma, beta, w_q, b_q, w_k, b_k = map(torch.tensor, SMALL)
    x = torch.nn.functional.layer_norm(words + positions, (WIDTH,), gamma, beta, 1e-12)
    q, k = (torch.nn.functional.linear(x, w, b).reshape(N, HEADS, -1).transpose(0, 1) for w, b in ((w_q, b_q), (w_k, b_k)))
    logits = q @ k.transpose(1, 2) / (WIDTH // HEADS) ** 0.5
    np.testing.assert_allclose(bert.terms(*SMALL, HEADS).total(), logits, rtol=0, atol=1e-12)


def test_anatomy_is_measured_on_every_head() -> None:
    found, terms = bert.anatomy(*SMALL, HEADS), bert.terms(*SMALL, HEADS)
    for name, part in terms.present():
        rows = part - part.mean(axis=2, keepdims=True)
        np.testing.assert_allclose(found.spread[name], np.sqrt((rows**2).mean(axis=(1, 2))), rtol=0, atol=1e-13)
    logits = terms.total()
    without = softmax(logits - terms.content_position - terms.position_content)
    np.testing.assert_allclose(found.moved["middle"], np.abs(without - softmax(logits)).sum(axis=2).mean(axis=1) / 2, rtol=0, atol=1e-13)
    assert set(found.moved) == {*found.spread, "middle"}
    assert found.offsets.tolist() == [-3, -2, -1, 0, 1, 2, 3]
    for column, offset in enumerate(found.offsets):
        for means, matrix in ((found.by_offset, terms.position_position), (found.attention, softmax(logits))):
            expected = [np.diagonal(one, offset).mean() for one in matrix]
            np.testing.assert_allclose(means[:, column], expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_head_3_is_a_previous_token_head_made_of_position_alone(sentence: str) -> None:
    found, head = measured(sentence), 2
    assert found.spread["position_position"].argmax() == head
    others = [found.spread[name][head] for name in ("content_content", "content_position", "position_content")]
    assert found.spread["position_position"][head] > 3 * max(others)
    before = int(np.flatnonzero(found.offsets == -1)[0])
    assert found.by_offset[head].argmax() == before
    assert found.attention[head].argmax() == before
    assert found.attention[head, before] > 0.9
    assert found.moved["position_position"][head] > 0.4


@pytest.mark.parametrize("sentence", SENTENCES[:3])
def test_in_an_english_sentence_its_words_hardly_matter(sentence: str) -> None:
    found = measured(sentence).moved
    assert found["content_content"][2] < 0.02
    assert found["middle"][2] < 0.03
    assert found["position_position"][2] > 0.85


def test_its_position_term_comes_back_every_six_tokens_but_weaker() -> None:
    found = measured(SENTENCE)
    curve = dict(zip(found.offsets.tolist(), found.by_offset[2].tolist(), strict=True))
    assert round(curve[-1], 1) == 33.1
    assert round(curve[-3], 1) == 6.2
    assert round(curve[1], 1) == 9.8
    for place in (-7, 5):
        assert curve[place] > max(curve[place - 3], curve[place + 3])
        assert curve[place] < curve[-1]


@pytest.mark.parametrize("sentence", SENTENCES[:3])
def test_the_middle_terms_are_uniform_in_head_3_alone(sentence: str) -> None:
    moved = measured(sentence).moved["middle"]
    assert np.flatnonzero(moved < 0.05).tolist() == [2]
    assert moved.max() > 0.2


def test_most_heads_are_made_of_content() -> None:
    spread = measured(SENTENCE).spread
    largest = np.argmax([*spread.values()], axis=0)
    names = [[*spread][place] for place in largest]
    assert [head + 1 for head, name in enumerate(names) if name == "position_position"] == [3, 5, 6, 12]
    assert names.count("content_content") == 8


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"heads": 4}, "the projection has 6 rows; it must be a multiple of the 4 heads"),
        ({"heads": 0}, "heads is 0; it must be at least 1"),
        ({"heads": 2, "head": [2]}, "head is 2; the table holds rows 0 to 1"),
    ],
)
def test_wrong_heads_are_refused(wrong: dict, message: str) -> None:
    for function in (bert.terms, bert.scores):
        with pytest.raises(ValueError, match=message):
            function(*SMALL, **wrong)
