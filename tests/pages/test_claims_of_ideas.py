"""What the pages between the schemes say happens when words are reordered, exchanged or added, and when the text moves on."""

import numpy as np
import pytest

from explain import controls, formulas
from posenc import catalogue, content, nope, rope_scaling, shaw, t5
from posenc.experiments import (
    arranged,
    averaged,
    exchanged,
    explained,
    growth_effect,
    largest,
    order_effect,
    other_words,
    reordered,
    same_word,
    shift_effect,
    swapped,
    term_effects,
    trace,
    words_share,
)
from posenc.setting import Setting, attention, bind, causal, inputs, outputs, terms

BLIND_TO_SIDE = {"nope", "alibi", "sandwich"}
"""Without a mask these know how far, not on which side."""
MOVED = {"learned", "sinusoidal", "complex_order", "shape", "multiplicative", "tupe", "fire"}
"""Schemes that notice where the whole text begins."""
BIASES = {"t5", "tupe", "alibi", "kerple", "sandwich", "fire"}

every_scheme = pytest.mark.parametrize("name", catalogue.SCHEMES)


def at_defaults(name: str) -> Setting:
    return controls.default_setting(catalogue.load(name))


def test_any_wish_is_a_permutation() -> None:
    words = ["the", "dog", "bit", "the", "man"]
    assert arranged(words, ["man", "the", "cat", "the", "the", "dog"]) == [4, 0, 3, 1, 2]
    assert arranged(words, []) == [0, 1, 2, 3, 4]
    assert swapped(5, 1, 4) == [0, 4, 2, 3, 1]
    assert swapped(1, 0, 0) == [0]
    with pytest.raises(ValueError, match="place is 5"):
        swapped(5, 1, 5)


@pytest.mark.parametrize("seed", range(3))
def test_without_an_encoding_outputs_are_reordered_and_nothing_more(seed: int) -> None:
    setting = at_defaults("nope").change(seed=seed)
    order = np.random.default_rng(seed).permutation(setting.length)
    one, other = reordered(nope, setting, order)
    np.testing.assert_allclose(other, one, rtol=0, atol=1e-13)
    assert order_effect(nope, setting, order) < 1e-13


def test_equal_words_have_equal_outputs_without_an_encoding() -> None:
    setting = at_defaults("nope")
    found = outputs(nope, setting)[0]
    dogs = [place for place, word in enumerate(setting.words) if word == "dog"]
    np.testing.assert_allclose(found[dogs[0]], found[dogs[1]], rtol=0, atol=1e-13)


def test_a_mask_alone_breaks_it_for_those_who_see_other_words() -> None:
    setting = at_defaults("nope").change(causal=True)
    one, other = reordered(nope, setting, swapped(setting.length, 1, 4))
    changed = np.abs(one - other).max(axis=1) > 1e-12
    assert changed[1:5].all()
    assert not changed[[0, *range(5, setting.length)]].any()


@every_scheme
def test_every_encoding_notices_a_swap(name: str) -> None:
    setting = at_defaults(name)
    effect = order_effect(catalogue.load(name), setting, swapped(setting.length, 1, 4))
    assert (effect < 1e-12) == (name == "nope")


@every_scheme
def test_who_does_not_notice_a_reversal(name: str) -> None:
    setting = at_defaults(name)
    effect = order_effect(catalogue.load(name), setting, range(setting.length)[::-1])
    assert (effect < 1e-12) == (name in BLIND_TO_SIDE)


def test_position_reaches_the_values_where_it_joins_the_words_and_in_shaws_scheme() -> None:
    mixing = {name for name in catalogue.SCHEMES if hasattr(catalogue.load(name), "mix")}
    assert mixing == {*catalogue.FAMILIES["absolute"]} - {"nope"} | {"shaw"}


@pytest.mark.parametrize("name", ["learned", "sinusoidal", "shape", "multiplicative"])
def test_values_hold_the_position_as_queries_and_keys_do(name: str) -> None:
    """W_V in place of W_K: values are what keys would be under it."""
    scheme, given = catalogue.load(name), at_defaults(name)
    available = inputs(scheme, given)
    eye = np.eye(given.width)[None] * given.width**0.5
    keys = bind(scheme.scores, available | {"w_k": available["w_v"], "w_q": eye, "x_q": available["x_k"]})
    weights = np.eye(given.length)[None]
    values = bind(scheme.mix, available | {"weights": weights})
    summed = bind(scheme.mix, available | {"weights": weights, "w_v": np.eye(given.width)[None]})
    np.testing.assert_allclose(summed @ values.mT, keys, rtol=0, atol=1e-12 * np.abs(keys).max())
    np.testing.assert_allclose(outputs(scheme, given), attention(scheme, given) @ values, rtol=0, atol=1e-12)


def test_waves_values_are_their_real_and_imaginary_parts() -> None:
    scheme, given = catalogue.load("complex_order"), at_defaults("complex_order")
    available = inputs(scheme, given)
    found = outputs(scheme, given)
    z = scheme.embedding(available["x_k"], available["j"], available["frequency"])
    mixed = attention(scheme, given) @ (z @ available["w_v"])
    np.testing.assert_allclose(found, np.concatenate([mixed.real, mixed.imag], axis=-1), rtol=0, atol=1e-12)


def test_shaws_values_have_vectors_of_their_own() -> None:
    setting = at_defaults("shaw")
    one = outputs(shaw, setting)
    two = outputs(shaw, setting.change(trained={"a_v": np.zeros((9, setting.width))}))
    assert np.abs(one - two).max() > 0.1


@every_scheme
def test_who_notices_that_the_text_moves(name: str) -> None:
    effect = shift_effect(catalogue.load(name), at_defaults(name), 7)
    assert (effect > 1e-9) == (name in MOVED)


@every_scheme
def test_no_old_logit_changes_as_the_text_grows(name: str) -> None:
    """At the defaults; see below for the one kind of scheme that has it otherwise."""
    for masked in (True, False):
        assert growth_effect(catalogue.load(name), at_defaults(name).change(causal=masked)) < 1e-12


def test_dynamic_ntk_turns_old_keys_anew_beyond_its_trained_length() -> None:
    setting = at_defaults("rope_scaling")
    dynamic = dict(setting.arguments, method="dynamic_ntk")
    assert growth_effect(rope_scaling, setting.change(arguments=dynamic | {"trained_length": setting.length})) > 1e-3
    assert growth_effect(rope_scaling, setting.change(arguments=dynamic | {"trained_length": setting.length + 8})) < 1e-12


@every_scheme
def test_the_trace_of_an_exchanged_word(name: str) -> None:
    """Nothing for a bias, its row for Shaw, its row and column otherwise; CoPE counts, so all pairs that have the word between them."""
    scheme, setting, place = catalogue.load(name), at_defaults(name), 9
    change = terms(scheme, exchanged(setting, place)).positional()[0] - terms(scheme, setting).positional()[0]
    if causal(scheme, setting):
        change = np.tril(change)
    moved = np.abs(change) > 1e-12
    row, column = moved[place].any(), np.delete(moved[:, place], place).any()
    moved[place] = moved[:, place] = False
    expected = {"nope": (False, False), "shaw": (True, False)} | dict.fromkeys(BIASES, (False, False))
    assert (row, column) == expected.get(name, (True, True))
    assert moved.any() == (name == "cope")
    if name == "cope":
        assert not moved[:place].any()
        assert not moved[:, place + 1 :].any()


@every_scheme
def test_words_decide_nothing_of_a_bias(name: str) -> None:
    share = words_share(catalogue.load(name), at_defaults(name))
    if name == "nope":
        assert share is None
    else:
        assert (share < 1e-12) == (name in BIASES)
        assert share <= 1


def test_what_t5_dropped_and_why() -> None:
    """Of the sum's four terms only content–content is the same further on, only position–position is the same in every sentence."""
    setting = at_defaults("sinusoidal")
    scheme = catalogue.load("sinusoidal")
    words = term_effects(scheme, setting, other_words(setting))
    place = term_effects(scheme, setting, setting.change(first=7))
    assert [name for name, effect in words.items() if effect < 1e-12] == ["position_position"]
    assert [name for name, effect in place.items() if effect < 1e-12] == ["content_content"]
    setting = at_defaults("t5")
    assert set(term_effects(t5, setting, setting.change(first=7)).values()) == {0.0}
    assert term_effects(t5, setting, other_words(setting))["position_position"] == 0


@every_scheme
def test_the_offset_explains_all_of_a_relative_scheme(name: str) -> None:
    setting = same_word(at_defaults(name))
    logits = terms(catalogue.load(name), setting).total()[0]
    places = np.arange(setting.length)
    logits = np.where(places[None, :] <= places[:, None], logits, np.nan) if causal(catalogue.load(name), setting) else logits
    share = explained(logits, averaged(logits, places[None, :] - places[:, None]))
    if name == "nope":
        assert share is None
    elif name in MOVED | {"xlnet"}:  # whose segments are places
        assert share < 1 - 1e-9
    else:
        assert share == pytest.approx(1, abs=1e-12)


def test_group_means() -> None:
    values = np.array([[1.0, 3.0, np.nan], [5.0, 7.0, 2.0]])
    means = averaged(values, np.array([[0, 0, 1], [1, 0, 1]]))
    np.testing.assert_allclose(means, [[11 / 3, 11 / 3, np.nan], [3.5, 11 / 3, 3.5]])
    assert explained(values, values) == 1
    assert explained(np.full((2, 2), np.nan), np.full((2, 2), np.nan)) is None
    assert largest(np.array([np.nan, -3.0, 2.0])) == 3
    assert largest(np.array([np.nan])) is None
    np.testing.assert_array_equal(trace(np.array([np.nan, -4.0, 2.0])), [np.nan, -1, 0.5])
    np.testing.assert_array_equal(trace(np.array([1e-16, 0.0])), [0, 0])


@every_scheme
def test_the_table_of_terms_says_what_is_computed(name: str) -> None:
    """A formula for each term that there is, none for one that is not."""
    assert set(formulas.formulas()) == set(catalogue.SCHEMES)
    there = {term for term, _ in terms(catalogue.load(name), at_defaults(name), [0, 1], [0, 1]).present()}
    assert set(formulas.formulas()[name]) == there
    for term in there:
        part = formulas.part(name, term)
        assert part.fate in ("kept", "replaced")
        assert part.formula
    assert formulas.part(name, "content_content").fate == "kept"


def test_fillers_do_not_meet_the_exchanged_word() -> None:
    assert "▫" not in content.fit(["a"], 500)
