import math

import numpy as np
import pytest

from posenc import rope, rope_scaling

RNG = np.random.default_rng(0)


def drawn(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape)


def test_yarn_as_scalar_loops() -> None:
    q, k, i, j = drawn(1, 2, 64), drawn(1, 3, 64), np.array([5, 9000]), np.array([0, 4, 8999])
    low, high = (
        math.floor(64 * math.log(4096 / (64 * math.pi)) / (2 * math.log(1e4))),
        math.ceil(64 * math.log(4096 / (2 * math.pi)) / (2 * math.log(1e4))),
    )
    expected = np.zeros((1, 2, 3))
    for a in range(2):
        for b in range(3):
            for c in range(32):
                gamma = 1 - min(max((c - low) / (high - low), 0), 1)
                theta = 1e4 ** (-c / 32) * (gamma + (1 - gamma) / 8)
                z = complex(q[0, a, c], q[0, a, c + 32]) * complex(k[0, b, c], -k[0, b, c + 32])
                angle = (i[a] - j[b]) * theta
                expected[0, a, b] += (z * complex(math.cos(angle), math.sin(angle))).real
    expected *= (0.1 * math.log(8) + 1) ** 2 / 8
    np.testing.assert_allclose(rope_scaling.terms(q, k, i, j, length=9001).total(), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(rope_scaling.scores(q, k, i, j, length=9001), expected, rtol=0, atol=1e-11)


def test_ntk_base_leaves_the_first_angle_and_divides_the_last_by_s() -> None:
    assert rope_scaling.ntk_base(128, 10000, 8) == pytest.approx(82684.6226, abs=5e-5)
    divisors = rope_scaling.divisors("ntk", 128, 1)
    assert divisors[0] == 1
    assert divisors[-1] == 8
    scaled = rope.angular_frequencies(128, base=rope_scaling.ntk_base(128, 10000, 8))
    np.testing.assert_allclose(rope.angular_frequencies(128) / divisors, scaled, rtol=1e-13)


@pytest.mark.parametrize(("length", "base"), [(1, 10000), (2048, 10000), (2049, 10009.9207), (4096, 30527.7367), (8192, 72195.8601)])
def test_dynamic_ntk_base_by_length(length: int, base: float) -> None:
    assert rope_scaling.ntk_base(128, 10000, rope_scaling.dynamic_factor(2, 2048, length)) == pytest.approx(base, abs=5e-5)


def test_dynamic_ntk_forgets_longer_texts_it_has_seen() -> None:
    before = rope_scaling.divisors("dynamic_ntk", 128, 1000)
    rope_scaling.divisors("dynamic_ntk", 128, 100_000)
    np.testing.assert_array_equal(rope_scaling.divisors("dynamic_ntk", 128, 1000), before)
    np.testing.assert_array_equal(before, 1)


def test_dynamic_ntk_moves_turned_keys_as_the_text_grows() -> None:
    at = [rope_scaling.vectors(np.array([7]), 16, length, method="dynamic_ntk", trained_length=8) for length in (8, 9)]
    assert np.all(at[0][0, 1:8] != at[1][0, 1:8])


def test_length_counts_from_position_0() -> None:
    q, i = drawn(1, 2, 8), np.array([98, 99])
    logits = [rope_scaling.scores(q, q, i, i, n, first, "dynamic_ntk", 4, 50) for n, first in ((100, 0), (2, 98))]
    np.testing.assert_array_equal(*logits)


@pytest.mark.parametrize(
    ("method", "expected"), [("yarn", [1.0348259, 1.5072464, 6.3030303]), ("yarn_paper", [1.007240, 2.922720, 7.993004])]
)
def test_yarn_ramps_of_code_and_paper_differ(method: str, expected: list[float]) -> None:
    np.testing.assert_allclose(rope_scaling.divisors(method, 128, 1)[[21, 30, 45]], expected, rtol=0, atol=5e-7)


def test_yarn_temperature_is_applied_once_to_q_and_once_to_k() -> None:
    assert rope_scaling.attention_scaling("yarn") == pytest.approx(1.2079442, abs=5e-8)
    q, k, i = drawn(1, 3, 64), drawn(1, 3, 64), np.arange(3)
    content = rope_scaling.terms(q, k, i, i, 3).content_content
    np.testing.assert_allclose(content, 1.4591291 * (q @ k.mT) / 8, rtol=5e-8)


def test_temperature_leaves_unturned_dimensions_alone() -> None:
    q, k, i = drawn(1, 3, 8), drawn(1, 3, 8), np.arange(3)
    q[..., :4] = 0
    np.testing.assert_allclose(rope_scaling.scores(q, k, i, i, 3, rotary_dim=4), q @ k.mT / 8**0.5, rtol=0, atol=1e-15)


def test_deepseek_ratio_cancels_when_both_are_equal() -> None:
    assert rope_scaling.temperature(40, 0.707) / rope_scaling.temperature(40, 0.707) == 1
    assert rope_scaling.temperature(40, 1) / rope_scaling.temperature(40, 0.707) == pytest.approx(1.0857263992561355, abs=1e-15)


def test_llama3_bands() -> None:
    divisors = rope_scaling.divisors("llama3", 64, 1, 32, 8192, 5e5)
    np.testing.assert_array_equal(divisors[:15], 1)
    np.testing.assert_allclose(divisors[15:18], [1.6513292, 3.2922621, 9.6667290], rtol=0, atol=5e-8)
    np.testing.assert_allclose(divisors[18:], 32, rtol=1e-15)


def test_llama3_is_the_papers_ntk_by_parts_from_1_to_4_turns() -> None:
    theta, factor, length = rope.angular_frequencies(128, base=5e5), 8, 8192
    wavelengths = rope_scaling.wavelengths(theta)
    smooth = np.clip((length / wavelengths - 1) / (4 - 1), 0, 1)
    expected = np.where(wavelengths > length, factor, np.where(wavelengths < length / 4, 1, 1 / ((1 - smooth) / factor + smooth)))
    np.testing.assert_allclose(rope_scaling.llama3(theta, factor, length), expected, rtol=1e-14)


@pytest.mark.parametrize("method", rope_scaling.METHODS[:-1])
def test_every_method_at_factor_1_is_rope(method: str) -> None:
    q, k, i, j = drawn(2, 3, 32), drawn(2, 4, 32), np.arange(3), np.arange(4)
    scaled = rope_scaling.scores(q, k, i, j, 4, method=method, factor=1)
    np.testing.assert_allclose(scaled, rope.scores(q, k, i, j, "half"), rtol=0, atol=1e-14)


@pytest.mark.parametrize("factor", [1, 8, 64])
def test_llama3_smooths_over_the_turns_in_training_whichever_way_it_is_written(factor: int) -> None:
    theta = rope.angular_frequencies(64, base=5e5)
    np.testing.assert_allclose(rope_scaling.llama3_by_wavelength(theta, factor, 8192), rope_scaling.llama3(theta, factor, 8192), rtol=1e-14)


def test_dynamic_base_divides_as_dynamic_ntk_does() -> None:
    bases = rope_scaling.dynamic_base(64, 1e4, 8, 4096, np.array([1, 4096, 4097, 32768]))
    np.testing.assert_array_equal(bases[:2], 1e4)
    for base, length in zip(bases, (1, 4096, 4097, 32768), strict=True):
        divided = rope.angular_frequencies(64) / rope_scaling.divisors("dynamic_ntk", 64, length, 8, 4096)
        np.testing.assert_allclose(rope.angular_frequencies(64, base=base), divided, rtol=1e-12)


@pytest.mark.parametrize("method", ["pi", "ntk", "ntk_by_parts_v0", "ntk_by_parts", "yarn", "yarn_paper", "llama3"])
def test_divisors_grow_from_the_fast_pairs_to_s(method: str) -> None:
    divisors = rope_scaling.divisors(method, 128, 1, 8, 4096)
    assert np.all(np.diff(divisors) > -1e-12)
    assert divisors[0] == (8 if method == "pi" else 1)
    assert divisors[-1] == pytest.approx(8, rel=1e-14)


@pytest.mark.parametrize("method", ["ntk_by_parts_v0", "ntk_by_parts", "yarn_paper", "llama3"])
def test_pairs_that_hardly_turned_are_all_divided(method: str) -> None:
    np.testing.assert_allclose(rope_scaling.divisors(method, 128, 1, 8, 2)[1:], 8, rtol=1e-14)


def test_position_interpolation_meets_no_new_angle_and_ntk_does() -> None:
    theta = rope.angular_frequencies(128)
    seen = {
        method: rope_scaling.seen_in_training(theta / rope_scaling.divisors(method, 128, 1), theta, 4096, 8 * 4096)
        for method in ("none", "pi", "ntk", "yarn")
    }
    slow = rope_scaling.rotations(theta, 4096) < 1
    np.testing.assert_array_equal(seen["none"], ~slow)
    assert seen["pi"].all()
    assert seen["yarn"].all()
    assert seen["ntk"][-1]
    np.testing.assert_array_equal(np.flatnonzero(~seen["ntk"]), np.flatnonzero(slow)[:-1])
    assert rope_scaling.seen_in_training(theta, theta, 4096, 4096).all()
    assert not rope_scaling.seen_in_training(theta, theta, 4096, 4097).all()


def test_longrope_switches_past_the_training_length() -> None:
    short, long = np.full(4, 1.5), np.full(4, 3.0)
    for length, expected in ((4096, short), (4097, long)):
        divisors = rope_scaling.divisors("longrope", 8, length, short_factor=short, long_factor=long)
        np.testing.assert_array_equal(divisors, expected)
    assert rope_scaling.attention_scaling("longrope", 32) == pytest.approx(math.sqrt(1 + math.log(32) / math.log(4096)), abs=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "su"}, "method is 'su'; it must be one of 'none', 'pi'"),
        ({"method": "pi", "factor": 0.5}, "factor is 0.5; it must be at least 1"),
        ({"method": "yarn", "trained_length": 1}, "trained_length is 1; it must be at least 2"),
        ({"method": "ntk", "width": 2}, "rotary_dim is 2; it must be at least 4"),
        ({"method": "dynamic_ntk", "rotary_dim": 2}, "rotary_dim is 2; it must be at least 4"),
        ({"method": "yarn", "width": 7}, "width is 7; it must be even"),
        ({"method": "longrope"}, "short_factor has 0 numbers; longrope needs 4, one per pair"),
        ({"method": "longrope", "short_factor": np.ones(4), "long_factor": np.ones(5)}, "long_factor has 5 numbers; longrope needs 4"),
    ],
)
def test_refusals_name_value_and_limit(arguments: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rope_scaling.divisors(**({"width": 8, "length": 16} | arguments))


@pytest.mark.parametrize("factor", [2, 8, 64])
def test_dynamic_ntk_divides_the_slowest_pair_by_more_than_s(factor: int) -> None:
    slowest = {times: rope_scaling.divisors("dynamic_ntk", 128, times * 4096, factor)[-1] for times in (1, 2, factor)}
    assert slowest[1] == 1
    assert slowest[2] == pytest.approx(factor + 1, rel=1e-13)
    assert slowest[factor] == pytest.approx(factor**2 - factor + 1, rel=1e-13)


def test_18_of_64_pairs_never_complete_a_turn_in_4096_positions() -> None:
    assert np.sum(rope_scaling.rotations(rope.angular_frequencies(128), 4096) < 1) == 18
