"""TUPE against its equation, and what its page claims."""

from math import sqrt

import numpy as np
import pytest

from posenc import t5, tupe
from posenc.tables import draw
from tests.posenc import seam

HEADS, WIDTH, LENGTH = 2, 4, 6
HERE = np.arange(LENGTH)
RELATIVE = {"num_buckets": 8, "max_distance": 16}


def some_tables(variant: str = "A") -> dict[str, np.ndarray]:
    """Tables of the right shapes, nothing in them left at 0 or 1."""
    rng = np.random.default_rng(5)
    declared = tupe.tables(WIDTH, HEADS, LENGTH, variant, RELATIVE["num_buckets"])
    return {name: rng.standard_normal(table.shape) for name, table in declared.items()}


def content() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    return rng.standard_normal((HEADS, LENGTH, WIDTH)), rng.standard_normal((HEADS, LENGTH, WIDTH))


def position_product(tables: dict[str, np.ndarray], head: int, r: int, s: int) -> float:
    """p_r U_Q · p_s U_K / √(2d), number by number."""
    projected = []
    for row, side in ((r, "q"), (s, "k")):
        p = tables["p"][row]
        mean = sum(p) / WIDTH
        variance = sum((value - mean) ** 2 for value in p) / WIDTH
        normed = [(p[c] - mean) / sqrt(variance + 1e-5) * tables["gamma"][c] + tables["beta"][c] for c in range(WIDTH)]
        u, b = tables[f"u_{side}"][head], tables[f"b_{side}"][head]
        projected.append([sum(normed[c] * u[c, out] for c in range(WIDTH)) + b[out] for out in range(WIDTH)])
    return sum(a * b for a, b in zip(*projected, strict=True)) / sqrt(2 * WIDTH)


@pytest.mark.parametrize("variant", tupe.VARIANTS)
def test_equation_pair_by_pair(variant: str) -> None:
    q, k = content()
    tables = some_tables(variant)
    arguments = {"variant": variant, **RELATIVE}
    terms = tupe.terms(q, k, HERE, HERE, **tables, **arguments)
    scores = tupe.scores(q, k, HERE, HERE, **tables, **arguments)
    for head in range(HEADS):
        for i in HERE:
            for j in HERE:
                word = sum(q[head, i, c] * k[head, j, c] for c in range(WIDTH)) / sqrt(2 * WIDTH)
                if i == 0:
                    position, bucket = position_product(tables, head, 0, 0), 4
                elif j == 0:
                    position, bucket = position_product(tables, head, 1, 1), 8
                else:
                    position, bucket = position_product(tables, head, i + 1, j + 1), int(t5.bucket(j - i, 8, 16))
                if variant == "R":
                    position += tables["rel_table"][bucket, head]
                assert terms.content_content[head, i, j] == pytest.approx(word, abs=1e-12)
                assert terms.position_position[head, i, j] == pytest.approx(position, abs=1e-12)
                assert scores[head, i, j] == pytest.approx(word + position, abs=1e-12)


def test_both_terms_are_divided_by_the_root_of_2d() -> None:
    unit = np.zeros((1, 1, 64))
    unit[..., 0] = 1
    tables = draw(tupe.tables(64, 1, 4), 0, [0]) | {"gamma": np.zeros(64), "b_q": unit[0], "b_k": unit[0]}
    terms = tupe.terms(unit, unit, np.array([2]), np.array([3]), **tables)
    assert terms.content_content.item() == pytest.approx(0.0883883476, abs=1e-10)
    assert terms.position_position.item() == pytest.approx(0.0883883476, abs=1e-10)


@pytest.mark.parametrize("variant", tupe.VARIANTS)
def test_cls_is_untied_in_row_0_and_column_0(variant: str) -> None:
    bias = tupe.bias(HERE[:, None], HERE, **some_tables(variant), variant=variant, **RELATIVE)
    theta_1, theta_2 = bias[:, 0, :], bias[:, 1:, 0]
    np.testing.assert_array_equal(theta_1, np.broadcast_to(theta_1[:, :1], theta_1.shape))
    np.testing.assert_array_equal(theta_2, np.broadcast_to(theta_2[:, :1], theta_2.shape))
    assert np.all(theta_1[:, 0] != theta_2[:, 0])
    assert np.all(np.ptp(bias[:, 1:, 1:], axis=-1) > 0)


def test_cls_keeps_its_words() -> None:
    q, k = content()
    word = tupe.terms(q, k, HERE, HERE, **some_tables()).content_content
    np.testing.assert_allclose(word, q @ k.mT / sqrt(8), rtol=0, atol=1e-12)


def test_there_are_no_middle_terms() -> None:
    q, k = content()
    one, other = (tupe.terms(*words, HERE, HERE, **some_tables()) for words in ((q, k), (k, q)))
    assert one.content_position is None
    assert one.position_content is None
    np.testing.assert_array_equal(one.position_position, other.position_position)


def test_away_from_position_0_there_is_no_cls() -> None:
    tables = some_tables()
    whole = tupe.bias(HERE[:, None], HERE, **tables)
    np.testing.assert_allclose(tupe.bias(HERE[1:, None], HERE[1:], **tables), whole[:, 1:, 1:], rtol=0, atol=1e-12)
    assert tupe.rows(3, 5) == (4, 6)


def test_buckets_of_cls_are_its_own() -> None:
    index = tupe.bucket(np.arange(300)[:, None], np.arange(300))
    np.testing.assert_array_equal(index[0], np.full(300, 16))
    np.testing.assert_array_equal(index[1:, 0], np.full(299, 32))
    elsewhere = t5.bucket(np.arange(1, 300) - np.arange(1, 300)[:, None])
    np.testing.assert_array_equal(index[1:, 1:], elsewhere)
    assert not np.isin(elsewhere, [16, 32]).any()


def test_vectors_are_normalised_rows_after_the_first() -> None:
    tables = draw(tupe.tables(16, 1, 8), 0, [0])
    vectors = tupe.vectors(np.array([0, 7]), *(tables[name] for name in ("p", "gamma", "beta")))
    for vector, row in zip(vectors, tables["p"][[1, 8]], strict=True):
        np.testing.assert_allclose(vector, (row - row.mean()) / np.sqrt(row.var() + 1e-5), rtol=0, atol=1e-12)


def test_learned_numbers_stay_when_the_table_grows() -> None:
    short, long = (draw(tupe.tables(4, 3, length), 1, [0, 2]) for length in (5, 9))
    np.testing.assert_array_equal(long["p"][:6], short["p"])
    np.testing.assert_array_equal(long["u_q"], short["u_q"])


@pytest.mark.parametrize("position", [-1, LENGTH])
def test_positions_outside_the_table_are_refused(position: int) -> None:
    tables = some_tables()
    for i, j in ((position, 2), (2, position)):
        with pytest.raises(ValueError, match=rf"position is {position}; the table holds rows 0 to {LENGTH - 1}"):
            tupe.bias(i, j, **tables)
        with pytest.raises(ValueError, match=rf"position is {position}; the table holds rows 0 to {LENGTH - 1}"):
            tupe.scores(*(one[:, :1] for one in content()), np.array([i]), np.array([j]), **tables)
    with pytest.raises(ValueError, match=rf"position is {position}; the table holds rows 0 to {LENGTH - 1}"):
        tupe.vectors(np.array([position]), tables["p"], tables["gamma"], tables["beta"])


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="variant is 'B'; it must be one of 'A', 'R'"):
        tupe.bias(1, 2, **some_tables(), variant="B")
    with pytest.raises(ValueError, match="rel_table has 0 rows; TUPE-R with 8 buckets needs 9"):
        tupe.bias(1, 2, **some_tables(), variant="R", **RELATIVE)
    with pytest.raises(ValueError, match="max_positions is 0; it must be at least 1"):
        tupe.tables(4, 2, 0)
    with pytest.raises(ValueError, match=r"position is 1\.5; it must be a whole number"):
        tupe.bias(1.5, 2, **some_tables())


@pytest.mark.parametrize("variant", tupe.VARIANTS)
def test_torch(variant: str) -> None:
    tables = some_tables(variant)

    def named(learned: tuple[np.ndarray, ...]) -> dict:
        return dict(zip(tables, learned, strict=True)) | {"variant": variant, **RELATIVE}

    seam.same_numbers(lambda q, k, *learned: tupe.scores(q, k, HERE, HERE, **named(learned)), [*content(), *tables.values()])
    seam.same_numbers(lambda q, k, *learned: tupe.terms(q, k, HERE, HERE, **named(learned)).total(), [*content(), *tables.values()])
    seam.right_gradients(lambda *learned: tupe.bias(np.array([[0], [3]]), np.array([0, 2]), **named(learned)), list(tables.values()))
