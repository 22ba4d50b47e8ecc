"""One setting, and any scheme evaluated on it."""

import dataclasses

import numpy as np
import pytest

from posenc import alibi, content, nope, setting, shaw, sinusoidal, t5
from posenc import learned as posenc_learned
from posenc.setting import Setting, attention, bias, bind, inputs, learned, scores, seen, tables, terms, vectors

PLAIN = Setting(words=("to", "be", "or", "not", "to", "be"), width=8, heads=4, head=2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": ()}, "length is 0; it must be at least 1"),
        ({"width": 0}, "width is 0; it must be at least 1"),
        ({"heads": 0}, "heads is 0; it must be at least 1"),
        ({"head": 4}, "head is 4; it must be from 0 to 3"),
        ({"head": -1}, "head is -1; it must be from 0 to 3"),
        ({"first": -1}, "first is -1; it must be at least 0"),
        ({"loud": -0.5}, "loud is -0.5; it must be at least 0"),
        ({"loud": float("nan")}, "loud is nan; it must be at least 0"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(wrong: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PLAIN.change(**wrong)


def test_a_setting_stays_what_it_is() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        PLAIN.width = 16
    assert PLAIN.change(width=16).width == 16
    assert PLAIN.width == 8


def test_bind_hands_over_what_is_asked_for_by_name() -> None:
    assert bind(lambda a, b=5: (a, b), {"a": 1, "c": 2}) == (1, 5)
    assert bind(lambda b, a: (a, b), {"a": 1, "b": 2}) == (1, 2)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'a'"):
        bind(lambda a: a, {})


def test_queries_and_keys_are_the_words_through_the_drawn_heads_projections() -> None:
    given = inputs(nope, PLAIN, [5, 1], None, [3, 0])
    x = content.vectors(PLAIN.words, 8, 0)
    for h, head in enumerate([3, 0]):
        np.testing.assert_allclose(given["q"][h], x[[5, 1]] @ content.projection("w_q", head, 8, 0), rtol=0, atol=1e-14)
        np.testing.assert_allclose(given["k"][h], x @ content.projection("w_k", head, 8, 0), rtol=0, atol=1e-14)
        np.testing.assert_allclose(given["v"][h], x @ content.projection("w_v", head, 8, 0), rtol=0, atol=1e-14)
    assert given["length"] == 6


def test_positions_start_at_the_first_one() -> None:
    given = inputs(nope, PLAIN.change(first=100), [5, 1], [0, 2])
    np.testing.assert_array_equal(given["i"], [105, 101])
    np.testing.assert_array_equal(given["j"], [100, 102])
    np.testing.assert_array_equal(given["x_q"], inputs(nope, PLAIN, [5, 1])["x_q"])


def test_the_drawn_head_is_the_default() -> None:
    np.testing.assert_array_equal(terms(alibi, PLAIN).total(), terms(alibi, PLAIN, head=[2]).total())
    np.testing.assert_array_equal(scores(alibi, PLAIN), scores(alibi, PLAIN, head=[2]))


def test_t5_draws_smaller_query_weights() -> None:
    np.testing.assert_allclose(inputs(t5, PLAIN)["w_q"] * 8**0.5, inputs(nope, PLAIN)["w_q"], rtol=0, atol=1e-15)
    np.testing.assert_allclose(terms(t5, PLAIN).content_content, terms(nope, PLAIN).content_content, rtol=0, atol=1e-13)


@pytest.mark.parametrize("token", [6, -1])
def test_a_token_that_is_not_there_is_refused(token: int) -> None:
    for refused in (lambda: terms(nope, PLAIN, [token]), lambda: terms(nope, PLAIN, None, [token]), lambda: seen(nope, PLAIN, [token])):
        with pytest.raises(ValueError, match=f"token is {token}; the table holds rows 0 to 5"):
            refused()


@pytest.mark.parametrize("head", [4, -1])
@pytest.mark.parametrize("scheme", [nope, sinusoidal, t5, alibi])
def test_a_head_that_is_not_there_is_refused(scheme, head: int) -> None:
    with pytest.raises(ValueError, match=f"head is {head}; the table holds rows 0 to 3"):
        terms(scheme, PLAIN, head=[head])


def test_sizes_reach_the_tables() -> None:
    assert learned(shaw, PLAIN.change(arguments={"clip": 3}))["a_k"].shape == (7, 8)
    assert learned(t5, PLAIN.change(arguments={"num_buckets": 16}))["table"].shape == (16, 4)


def test_published_tables_take_the_place_of_seeded_ones() -> None:
    published = np.arange(32 * 12.0).reshape(32, 12)
    given = PLAIN.change(trained={"table": published})
    np.testing.assert_array_equal(tables(t5, given, [3, 1])["table"], published[:, [3, 1]])
    np.testing.assert_array_equal(bias(t5, given, np.array(0), -np.arange(3))[0], published[:3, 2])


@pytest.mark.parametrize(
    ("trained", "message"),
    [
        ({"table": np.zeros((32, 2))}, "head is 2; the table holds rows 0 to 1"),
        ({"tabel": np.zeros((32, 12))}, "trained table is 'tabel'; it must be one of 'table'"),
        ({"table": np.zeros((30, 12))}, "the table has 30 rows; there are 32 buckets"),
    ],
)
def test_published_tables_that_do_not_fit_are_refused(trained: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        terms(t5, PLAIN.change(trained=trained))


def test_attention_is_normalised_over_all_keys_even_for_some_queries() -> None:
    weights = attention(alibi, PLAIN.change(causal=True))
    np.testing.assert_allclose(weights.sum(-1), np.ones((1, 6)), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(weights[0][~np.tri(6, dtype=bool)], 0)
    np.testing.assert_allclose(attention(alibi, PLAIN.change(causal=True), [5, 2]), weights[:, [5, 2]], rtol=0, atol=1e-15)


def test_more_words_leave_the_logits_of_the_first_ones() -> None:
    longer = PLAIN.change(words=(*PLAIN.words, "that", "is"))
    for scheme in (nope, sinusoidal, t5, alibi):
        np.testing.assert_allclose(terms(scheme, longer).total()[:, :6, :6], terms(scheme, PLAIN).total(), rtol=0, atol=1e-12)


def test_a_scheme_of_the_past_alone_is_always_causal() -> None:
    past = type("PastOnly", (), {"CAUSAL_ONLY": True})
    assert setting.causal(past, PLAIN)
    np.testing.assert_array_equal(seen(past, PLAIN), np.tri(6, dtype=bool))
    assert seen(nope, PLAIN).all()


def test_every_token_has_its_positions_vector_and_none_where_there_is_no_place() -> None:
    far = PLAIN.change(first=9, arguments={"max_positions": 12})
    rows = vectors(posenc_learned, far)
    assert rows.shape == (6, 8)
    np.testing.assert_array_equal(rows[:3], tables(posenc_learned, far, [2])["table"][9:12])
    assert np.isnan(rows[3:]).all()
    np.testing.assert_array_equal(vectors(sinusoidal, far), sinusoidal.vectors(np.arange(9, 15), 8))


def test_every_offset_has_its_vector() -> None:
    given, offsets = PLAIN.change(arguments={"clip": 2}), np.array([-7, -1, 0, 3])
    np.testing.assert_array_equal(vectors(shaw, given, offsets), tables(shaw, given, [2])["a_k"][[0, 1, 2, 4]])


def test_some_of_a_schemes_own_arguments_change() -> None:
    given = PLAIN.change(arguments={"clip": 2, "other": 1})
    assert given.with_arguments(clip=3).arguments == {"clip": 3, "other": 1}
    assert given.arguments["clip"] == 2
