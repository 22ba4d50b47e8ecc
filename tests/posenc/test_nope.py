"""No position at all."""

import numpy as np
import pytest

from posenc import nope
from posenc.attention import softmax, visible

RNG = np.random.default_rng(0)
Q, K, V = RNG.standard_normal((3, 2, 6, 4))


def test_logits_are_the_scaled_dot_products_of_the_paper() -> None:
    expected = np.empty((2, 6, 6))
    for h, i, j in np.ndindex(expected.shape):
        expected[h, i, j] = sum(Q[h, i, c] * K[h, j, c] for c in range(4)) / 2
    np.testing.assert_allclose(nope.terms(Q, K).total(), expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(nope.scores(Q, K), expected, rtol=0, atol=1e-13)


def test_there_is_one_term_and_nothing_is_learned() -> None:
    assert [name for name, _ in nope.terms(Q, K).present()] == ["content_content"]
    assert nope.tables() == {}


@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_permutation_equivariant_unless_a_mask_breaks_it(causal: bool) -> None:
    order = np.array([3, 0, 5, 1, 4, 2])
    seen = visible(np.arange(6), np.arange(6), causal)
    outputs = softmax(nope.terms(Q, K).total(), seen) @ V
    reordered = softmax(nope.terms(Q[:, order], K[:, order]).total(), seen) @ V[:, order]
    assert np.allclose(reordered, outputs[:, order], rtol=0, atol=1e-12) != causal


def test_under_a_causal_mask_the_number_of_keys_tells_the_position() -> None:
    """The same word everywhere, and one dimension of the values marks the first word: its share is 1/(i + 1)."""
    same_q, same_k = np.ones((2, 1, 6, 4))
    weights = softmax(nope.terms(same_q, same_k).total(), visible(np.arange(6), np.arange(6), causal=True))
    np.testing.assert_allclose(weights[0, :, 0], 1 / np.arange(1, 7), rtol=0, atol=1e-15)
