"""Attention and logits by distance."""

import math

import numpy as np
import pytest

from posenc import alibi, catalogue, nope, sinusoidal, t5
from posenc.attention import softmax
from posenc.decay import CONTENTS, FAR, band, bias_attention, content_attention, curve, points, positional_logits
from posenc.setting import Setting, bias, bind, parameters_of, seen, with_content
from posenc.tables import stream

PLAIN = Setting(words=tuple(f"w{number}" for number in range(12)), width=8, heads=8, head=1)


@pytest.mark.parametrize("limit", [1, 2, 3, 79, 80, 81, 1000, FAR])
def test_points_go_from_0_to_the_last_distance_and_keep_the_small_ones(limit: int) -> None:
    chosen = points(limit)
    assert (chosen[0], chosen[-1]) == (0, limit - 1)
    assert np.all(np.diff(chosen) > 0)
    assert len(chosen) <= 240
    np.testing.assert_array_equal(chosen[: min(limit, 80)], np.arange(min(limit, 80)))
    assert chosen.dtype == np.int64


@pytest.mark.parametrize("scheme", [alibi, t5])
@pytest.mark.parametrize("causal", [False, True])
def test_the_bias_alone_is_normalised_over_every_key_there_is(scheme, causal: bool) -> None:
    limit, given = 50, PLAIN.change(causal=causal)
    past, future = bias_attention(scheme, given, limit)
    offsets = range(1 - limit, 1 if causal else limit)
    raised = {offset: math.exp(bias(scheme, given, np.array(0), np.array(offset))[0]) for offset in offsets}
    total = math.fsum(raised.values())
    np.testing.assert_allclose(past, [raised[-distance] / total for distance in range(limit)], rtol=1e-12)
    np.testing.assert_allclose(future, [] if causal else [raised[distance] / total for distance in range(limit)], rtol=1e-12)


def test_a_million_keys_are_counted() -> None:
    m = alibi.slopes(8)[7]
    past, _ = bias_attention(alibi, PLAIN.change(causal=True, head=7))
    assert past.shape == (FAR,)
    assert past[0] == pytest.approx(1 - math.exp(-m), rel=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_content_attention_is_one_distribution_per_content(causal: bool) -> None:
    weights = content_attention(sinusoidal, PLAIN.change(causal=causal), 7)
    assert weights.shape == (CONTENTS, 12)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=0, atol=1e-14)
    assert np.all((weights[:, 8:] == 0) == causal)
    assert len(np.unique(weights[:, 0])) == CONTENTS


def test_the_last_token_asks_by_default() -> None:
    np.testing.assert_array_equal(content_attention(nope, PLAIN), content_attention(nope, PLAIN, 11))
    with pytest.raises(ValueError, match="token is 12"):
        content_attention(nope, PLAIN, 12)


def test_positional_logits_leave_content_content_out() -> None:
    offsets = np.array([-5, 0, 3])
    np.testing.assert_array_equal(positional_logits(nope, PLAIN, offsets, 10), np.zeros((CONTENTS, 3)))
    np.testing.assert_array_equal(positional_logits(alibi, PLAIN, offsets, FAR), bias(alibi, PLAIN, np.array(0), offsets))
    assert positional_logits(sinusoidal, PLAIN, offsets, FAR).std(axis=0).min() > 0


@pytest.mark.parametrize("name", catalogue.SCHEMES)
def test_many_contents_at_once_are_each_content_alone(name: str) -> None:
    scheme = catalogue.load(name)
    setting = PLAIN.change(width=8, arguments={"clip": 3} if name in ("shaw", "deberta") else {})
    together = content_attention(scheme, setting)
    x = setting.scale * stream(setting.seed, "contents").standard_normal((CONTENTS, 12, 8))
    available = parameters_of(scheme, setting) | {"i": np.array([11]), "j": np.arange(12)}
    for content in (0, CONTENTS - 1):
        logits = bind(scheme.terms, with_content(available, x[content][[11]], x[content])).total()
        np.testing.assert_allclose(together[content], softmax(logits, seen(scheme, setting, [11]))[0, 0], rtol=0, atol=1e-12)


def test_a_band_is_the_quartiles() -> None:
    low, middle, high = band(np.arange(5.0)[:, None] * [1, 10])
    np.testing.assert_array_equal([low, middle, high], [[1, 10], [2, 20], [3, 30]])


def test_a_curve_goes_by_distance_from_the_last_token() -> None:
    np.testing.assert_array_equal(curve(alibi, PLAIN), bias_attention(alibi, PLAIN, 12)[0])
    np.testing.assert_array_equal(curve(sinusoidal, PLAIN), np.median(content_attention(sinusoidal, PLAIN, 11), axis=0)[::-1])


def test_without_content_attention_is_even() -> None:
    np.testing.assert_allclose(content_attention(nope, PLAIN.change(loud=0.0)), 1 / 12, rtol=0, atol=1e-15)
