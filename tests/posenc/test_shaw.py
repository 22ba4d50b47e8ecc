"""A learned vector for every clipped distance."""

import math

import numpy as np
import pytest

from posenc import shaw
from posenc.attention import offsets, softmax
from posenc.tables import size
from posenc.terms import residual

RNG = np.random.default_rng(0)
N, WIDTH, CLIP = 6, 4, 2
Q, K, V = RNG.standard_normal((3, 2, N, WIDTH))
A_K, A_V = RNG.standard_normal((2, 2 * CLIP + 1, WIDTH))
HERE = np.arange(N)


def clipped(offset: int, clip: int) -> int:
    return max(-clip, min(clip, offset))


def test_logits_are_equation_4() -> None:
    terms = shaw.terms(Q, K, HERE, HERE, A_K, CLIP)
    for h, i, j in np.ndindex(2, N, N):
        a = A_K[clipped(j - i, CLIP) + CLIP]
        assert terms.total()[h, i, j] == pytest.approx(sum(Q[h, i, c] * (K[h, j, c] + a[c]) for c in range(WIDTH)) / 2, abs=1e-12)
        assert terms.content_position[h, i, j] == pytest.approx(sum(Q[h, i, c] * a[c] for c in range(WIDTH)) / 2, abs=1e-12)
    assert residual(terms, shaw.scores(Q, K, HERE, HERE, A_K, CLIP)) < 1e-12


def test_outputs_are_equation_3() -> None:
    weights = softmax(RNG.standard_normal((2, N, N)))
    z = shaw.mix(weights, V, HERE, HERE, A_V, CLIP)
    for h, i, c in np.ndindex(2, N, WIDTH):
        expected = math.fsum(weights[h, i, j] * (V[h, j, c] + A_V[clipped(j - i, CLIP) + CLIP, c]) for j in range(N))
        assert z[h, i, c] == pytest.approx(expected, abs=1e-12)


def test_rows_are_counted_from_minus_k_so_that_none_wraps() -> None:
    rows = shaw.index(offsets(np.arange(5), np.arange(5)), 2)
    np.testing.assert_array_equal(rows[[0, 3, 4]], [[2, 3, 4, 4, 4], [0, 0, 1, 2, 3], [0, 0, 0, 1, 2]])


@pytest.mark.parametrize("clip", [0, 1, 4])
def test_there_are_2k_plus_1_rows_and_every_one_is_used(clip: int) -> None:
    tables = shaw.tables(WIDTH, clip)
    assert {name: table.shape for name, table in tables.items()} == {"a_k": (2 * clip + 1, WIDTH), "a_v": (2 * clip + 1, WIDTH)}
    assert size(tables) == 2 * (2 * clip + 1) * WIDTH
    assert set(shaw.index(np.arange(-50, 51), clip)) == set(range(2 * clip + 1))


def test_clip_0_gives_every_key_the_same_vector_which_softmax_does_not_see() -> None:
    terms = shaw.terms(Q, K, HERE, HERE, A_K[:1], 0)
    np.testing.assert_allclose(softmax(terms.total()), softmax(terms.content_content), rtol=0, atol=1e-15)


def test_the_clip_distance_is_no_window() -> None:
    terms = shaw.terms(Q, np.broadcast_to(K[:, :1], K.shape), HERE, HERE, A_K, CLIP)
    weights = softmax(terms.total())[:, 0]
    assert np.all(weights[:, CLIP + 1 :] > 0)
    np.testing.assert_allclose(weights[:, CLIP + 1 :], np.broadcast_to(weights[:, [CLIP]], (2, N - CLIP - 1)), rtol=0, atol=1e-15)


def test_a_common_shift_changes_nothing() -> None:
    np.testing.assert_array_equal(
        shaw.terms(Q, K, HERE + 1000, HERE + 1000, A_K, CLIP).total(), shaw.terms(Q, K, HERE, HERE, A_K, CLIP).total()
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shaw.tables(WIDTH, -1), "clip is -1; it must be at least 0"),
        (lambda: shaw.index(HERE, -1), "clip is -1; it must be at least 0"),
        (lambda: shaw.index(HERE + 0.5, 2), "offset is 0.5; it must be a whole number"),
        (lambda: shaw.vectors(HERE, A_K, 3), r"the table has 5 rows; clip 3 needs 2·3 \+ 1 = 7"),
        (lambda: shaw.terms(Q, K, HERE, HERE, A_K, 1), r"the table has 5 rows; clip 1 needs 2·1 \+ 1 = 3"),
        (lambda: shaw.mix(softmax(Q @ K.mT), V, HERE, HERE, A_V[:4], 2), r"the table has 4 rows; clip 2 needs 2·2 \+ 1 = 5"),
    ],
)
def test_wrong_arguments_are_refused_with_their_value(call, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
