"""KERPLE against its equations, and what its page claims."""

from math import log, sqrt

import numpy as np
import pytest

from posenc import alibi, kerple
from tests.posenc import seam

HERE = np.arange(5)
P, A = np.array([0.7, 1.9]), np.array([0.4, 1.3])


def content() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    return rng.standard_normal((2, 5, 4)), rng.standard_normal((2, 5, 4))


@pytest.mark.parametrize("kernel", kerple.KERNELS)
def test_equation_pair_by_pair(kernel: str) -> None:
    q, k = content()
    terms, scores = (function(q, k, HERE, HERE, P, A, kernel) for function in (kerple.terms, kerple.scores))
    for head in range(2):
        for i in HERE:
            for j in HERE:
                distance = abs(int(i) - int(j))
                word = sum(q[head, i, c] * k[head, j, c] for c in range(4)) / sqrt(4)
                penalty = P[head] * log(1 + A[head] * distance) if kernel == "log" else A[head] * distance ** P[head]
                assert terms.content_content[head, i, j] == pytest.approx(word, abs=1e-12)
                assert terms.position_position[head, i, j] == pytest.approx(-penalty, abs=1e-12)
                assert scores[head, i, j] == pytest.approx(word - penalty, abs=1e-12)


@pytest.mark.parametrize(("kernel", "most"), [("log", 3.0), ("power", 2.0)])
def test_p_and_a_are_clamped_as_released(kernel: str, most: float) -> None:
    p, a = kerple.clamped(np.array([-1.0, 0.001, 1.5, 3.0]), np.array([-2.0, 0.0005, 7.0, 0.3]), kernel)
    np.testing.assert_array_equal(p, [0.01, 0.01, 1.5, most])
    np.testing.assert_array_equal(a, [0.01, 0.01, 7.0, 0.3])


def test_power_1_is_alibi_with_learned_slopes() -> None:
    slopes = alibi.slopes(8)[:6]
    bias = kerple.bias(HERE[:, None], HERE, np.ones(6), slopes, "power")
    np.testing.assert_allclose(bias, alibi.bias(HERE[:, None], HERE, 8, range(6)), rtol=0, atol=1e-12)


def test_original_is_alibi_with_slopes_of_at_least_a_hundredth() -> None:
    np.testing.assert_array_equal(-kerple.original_bias(1, 0, 8), [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.01, 0.01])
    np.testing.assert_array_equal(kerple.original_bias(HERE[:, None], HERE, 8, [5]), alibi.bias(HERE[:, None], HERE, 8, [5]))


def test_kernels_are_conditionally_positive_definite_and_power_only_up_to_2() -> None:
    here = np.arange(12)
    centre = np.eye(12) - 1 / 12

    def least_eigenvalue(kernel: np.ndarray) -> float:
        return np.linalg.eigvalsh(centre @ kernel @ centre).min()

    for kernel in kerple.KERNELS:
        for matrix in kerple.bias(here[:, None], here, np.array([0.01, 0.8, 2.0]), np.array([2.0, 0.5, 0.01]), kernel):
            assert least_eigenvalue(matrix) > -1e-10
    assert least_eigenvalue(-(np.abs(here[:, None] - here) ** 2.5)) < -1


def test_penalty_always_grows_and_the_log_form_flattens() -> None:
    distance = np.arange(1000)
    for kernel in kerple.KERNELS:
        assert np.all(np.diff(kerple.bias(distance, 0, P, A, kernel), axis=-1) < 0)
    steps = np.diff(kerple.bias(distance, 0, P, A, "log"), axis=-1)
    assert np.all(np.diff(steps, axis=-1) > 0)


def test_each_halving_of_the_log_form_takes_twice_as_long_at_p_1() -> None:
    weights = np.exp(kerple.bias(np.array([10, 30, 70]), 0, np.ones(1), np.array([0.1])))[0]
    np.testing.assert_allclose(weights, [1 / 2, 1 / 4, 1 / 8], rtol=1e-14)


def test_wrong_arguments_are_refused() -> None:
    for function in (kerple.terms, kerple.scores):
        with pytest.raises(ValueError, match="kernel is 'linear'; it must be one of 'log', 'power'"):
            function(*content(), HERE, HERE, P, A, "linear")
    with pytest.raises(ValueError, match="heads is 0; it must be at least 1"):
        kerple.tables(0)
    with pytest.raises(ValueError, match="heads is 0; it must be at least 1"):
        kerple.original_bias(1, 0, 0)


@pytest.mark.parametrize("kernel", kerple.KERNELS)
def test_torch(kernel: str) -> None:
    seam.same_numbers(lambda q, k, p, a: kerple.scores(q, k, HERE, HERE, p, a, kernel), [*content(), P, A])
    seam.same_numbers(lambda q, k, p, a: kerple.terms(q, k, HERE, HERE, p, a, kernel).total(), [*content(), P, A])
    seam.right_gradients(lambda q, k, p, a: kerple.terms(q, k, HERE, HERE, p, a, kernel).total(), [*content(), P, A])
