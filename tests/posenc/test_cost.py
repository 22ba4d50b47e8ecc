"""What the property table says a scheme costs: parameters against its tables as they are, operations against counts by hand."""

from types import ModuleType

import numpy as np
import pytest

from posenc import alibi, catalogue, cost, key_norm, learned, multiplicative, nope, rope, shape, shaw, sinusoidal, t5
from posenc.cost import Counted, count, operations
from posenc.setting import Setting, bind, inputs, tables
from posenc.terms import Terms

every_scheme = pytest.mark.parametrize("scheme", [catalogue.load(name) for name in catalogue.SCHEMES], ids=catalogue.SCHEMES)


def make(length: int = 8, **changes: object) -> Setting:
    words = tuple(f"w{number}" for number in range(length))
    return Setting(words, **{"width": 16, "heads": 4, "head": 1, "arguments": {"clip": 3}} | changes)


SETTINGS = {
    "plain": make(),
    "wide": make(width=32, heads=12),
    "one head": make(heads=1, head=0),
    "short tables": make(arguments={"clip": 1, "num_buckets": 8, "max_distance": 20, "max_positions": 24, "npos": 3, "variant": "R"}),
    "variants": make(arguments={"clip": 5, "separate_key": True, "share_att_key": True, "initial_phase": True, "bias_start": "random"}),
}


@every_scheme
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_parameters_are_the_entries_of_all_heads_tables(scheme: ModuleType, setting: Setting) -> None:
    drawn = tables(scheme, setting, range(setting.heads))
    assert cost.parameters(scheme, setting) == sum(table.size for table in drawn.values())


@pytest.mark.parametrize(("d", "heads"), [(16, 4), (64, 12)])
def test_parameters_by_formula(d: int, heads: int) -> None:
    setting = make(width=d, heads=heads, arguments={"clip": 3, "num_buckets": 32, "max_positions": 100})
    found = {
        scheme: cost.parameters(scheme, setting) for scheme in (nope, sinusoidal, shape, multiplicative, alibi, rope, learned, shaw, t5)
    }
    assert found == {
        **dict.fromkeys((nope, sinusoidal, shape, multiplicative, alibi, rope), 0),
        learned: 100 * d,
        shaw: 2 * (2 * 3 + 1) * d,
        t5: 32 * heads,
    }


def plain(n: int, d: int) -> int:
    """Two projections, a product of each pair, its division by √d; a product sums d products."""
    return 2 * (2 * n * d * d) + 2 * n * n * d + n * n


@pytest.mark.parametrize(("n", "d"), [(5, 8), (8, 16), (24, 64)])
def test_operations_counted_by_hand(n: int, d: int) -> None:
    setting = make(n, width=d)
    assert count(nope.scores, nope, setting) == count(nope.terms, nope, setting) == plain(n, d)
    expected = {
        nope: 0,
        alibi: n * n,  # the bias is added
        t5: 0,  # the bias is added, but nothing divided by √d
        sinusoidal: 2 * n * d,  # p is added to each word, as query and as key
        shape: 2 * n * d,
        learned: 2 * n * d,
        rope: 7 * n * d,  # of each query and each key: two products, a sum, and half of the entries change sign
        key_norm: 10 * n * d + 2 * n - n * n,  # RoPE's; a key's squares, their sum, the root, is it 0, the division; none by √d
    }
    for scheme, more in expected.items():
        assert operations(scheme, setting) == pytest.approx(more / n**2, rel=1e-12), scheme.__name__


@pytest.mark.parametrize("clip", [1, 3, 40])
def test_shaws_operations_in_the_cheaper_of_two_ways(clip: int) -> None:
    """Every query with each of 2k + 1 vectors, divided and added; or each pair's vector added to its key."""
    n, d = 8, 16
    vectors = 2 * clip + 1
    setting = make(n, width=d, arguments={"clip": clip})
    assert operations(shaw, setting) == min((2 * n * vectors * d + n * vectors + n * n) / n**2, d)


def test_a_layer_norm_costs() -> None:
    with_norm, without = (operations(learned, make(arguments={"layer_norm": on})) for on in (True, False))
    assert with_norm > without


@every_scheme
def test_counting_changes_no_number_and_loses_none(scheme: ModuleType) -> None:
    """What content or learned numbers took part in is counted to the end."""
    setting = make()
    available = inputs(scheme, setting)
    tally = [0]
    counted = {
        name: cost._counted(value, tally) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
        for name, value in available.items()
    }
    for function in (scheme.terms, scheme.scores):
        result, expected = (bind(function, given) for given in (counted, available))
        if isinstance(result, Terms):
            assert isinstance(result.content_content, Counted)
            result, expected = result.total(), expected.total()
        assert isinstance(result, Counted)
        np.testing.assert_allclose(np.asarray(result), expected, rtol=0, atol=1e-12)
    assert operations(scheme, setting) >= 0


def counted(*shape: int) -> Counted:
    return cost._counted(np.ones(shape), [0])


def test_what_is_counted() -> None:
    """A number per result, a sum's per number summed, a product of matrices two per product; choosing and joining nothing."""
    other = np.ones((3, 4))
    for number, work in {
        12: lambda x: x + other,
        13: lambda x: (x / 2)[:1, :1] + 1,
        24: lambda x: np.sum(x * x),
        72: lambda x: x @ np.ones((4, 3)),
        27: lambda x: np.linalg.vector_norm(x, axis=-1, keepdims=True),
        0: lambda x: np.concatenate([x, np.where(other > 0, x, 0)])[:, ::-1].mT,
    }.items():
        x = counted(3, 4)
        work(x)
        assert x.tally == [number]


def test_both_sides_of_an_operation_count_together_and_joined_arrays_go_on() -> None:
    tally = [0]
    x, y = (cost._counted(np.ones((2, 3)), tally) for _ in range(2))
    _ = np.concatenate([x, y]) + 1
    _ = x * y
    assert tally == [18]


def test_what_could_not_be_counted_is_refused() -> None:
    with pytest.raises(TypeError, match="norm would not be counted"):
        np.linalg.norm(counted(2, 2))
