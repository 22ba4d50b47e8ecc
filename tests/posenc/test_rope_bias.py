import math

import numpy as np
import pytest

from posenc import rope, rope_bias
from posenc.attention import softmax
from posenc.tables import draw

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


@pytest.mark.parametrize("pairing", rope.PAIRINGS)
@pytest.mark.parametrize("crossed", [True, False])
def test_definition_as_scalar_loops_and_sum_of_its_parts(pairing: str, crossed: bool) -> None:
    q, k, a, b, i, j = drawn(2, 3, 6), drawn(2, 4, 6), drawn(2, 6), drawn(2, 6), np.array([2, 9, 40]), np.array([0, 7, 9, 41])

    def turned(x: np.ndarray, y: np.ndarray, distance: int) -> float:
        total = 0.0
        for c in range(3):
            u, v = (2 * c, 2 * c + 1) if pairing == "interleaved" else (c, c + 3)
            angle = distance * 10000 ** (-c / 3)
            total += (complex(x[u], x[v]) * complex(y[u], -y[v]) * complex(math.cos(angle), math.sin(angle))).real
        return total / math.sqrt(6)

    terms = rope_bias.terms(q, k, i, j, a, b, crossed, pairing)
    scores = rope_bias.scores(q, k, i, j, a, b, crossed, pairing)
    for h in range(2):
        for m in range(3):
            for n in range(4):
                distance = i[m] - j[n]
                parts = {"position_position": turned(a[h], b[h], distance)}
                if crossed:
                    parts["content_position"] = turned(q[h, m], b[h], distance)
                    parts["position_content"] = turned(a[h], k[h, n], distance)
                for name, expected in parts.items():
                    assert getattr(terms, name)[h, m, n] == pytest.approx(expected, abs=1e-13)
                total = turned(q[h, m], k[h, n], distance) + sum(parts.values())
                assert scores[h, m, n] == pytest.approx(total, abs=1e-13)
    assert (terms.content_position is None) is not crossed


@pytest.mark.parametrize("pairing", rope.PAIRINGS)
def test_bias_of_equal_alternating_vectors_is_sandwichs_sum_of_cosines(pairing: str) -> None:
    vector, distance = rope_bias.sandwich(64, pairing, 2.0)[None], np.arange(50)
    expected = [2 * sum(math.cos(n * 10000 ** (-c / 32)) for c in range(32)) / 8 for n in distance]
    np.testing.assert_allclose(rope_bias.position_bias(distance, 0 * distance, vector, vector, pairing)[0], expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rope_bias.position_bias(0 * distance, distance, vector, vector, pairing)[0], expected, rtol=0, atol=1e-12)


def test_without_turning_softmax_cancels_the_key_bias_and_with_it_does_not() -> None:
    q, k, b, i = drawn(1, 5, 8), drawn(1, 5, 8), 3 * drawn(1, 8), np.arange(5)
    still = softmax(q @ (k + b).mT) - softmax(q @ k.mT)
    np.testing.assert_allclose(still, 0, rtol=0, atol=1e-14)
    turned = softmax(rope_bias.scores(q, k, i, i, 0 * b, b)) - softmax(rope.scores(q, k, i, i))
    assert np.abs(turned).max() > 0.05


def test_zero_vectors_are_rope() -> None:
    q, k, i, nothing = drawn(2, 5, 8), drawn(2, 5, 8), np.arange(5), np.zeros((2, 8))
    np.testing.assert_array_equal(rope_bias.scores(q, k, i, i, nothing, nothing), rope.scores(q, k, i, i))


def test_starts() -> None:
    fixed = draw(rope_bias.tables(8, 3, "sandwich", "half"), 0, [1, 2])
    np.testing.assert_array_equal(fixed["a"], [[1, 1, 1, 1, 0, 0, 0, 0]] * 2)
    np.testing.assert_array_equal(fixed["a"], fixed["b"])
    random = draw(rope_bias.tables(8, 3), 0, [2])
    np.testing.assert_array_equal(random["a"], draw(rope_bias.tables(8, 12), 0, [2])["a"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 8, "heads": 0}, "heads is 0; it must be at least 1"),
        ({"width": 8, "heads": 1, "bias_start": "zeros"}, "bias_start is 'zeros'; it must be one of 'random', 'sandwich'"),
        ({"width": 7, "heads": 1, "bias_start": "sandwich"}, "width is 7; it must be even"),
    ],
)
def test_refusals_name_value_and_limit(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rope_bias.tables(**arguments)


def test_negative_strength_is_refused() -> None:
    with pytest.raises(ValueError, match="strength is -1; it must be at least 0"):
        rope_bias.sandwich(8, strength=-1)
