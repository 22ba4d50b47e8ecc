"""What every catalogued scheme keeps, whatever it computes."""

import ast
import inspect
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

from posenc import catalogue, content
from posenc.attention import softmax
from posenc.references import Reference
from posenc.setting import Setting, bias, bind, causal, inputs, learned, parameters, scores, seen, tables, terms
from posenc.tables import Table
from posenc.terms import Terms, residual

KNOBS = {"clip": 3}
"""A value for each argument that has no default."""
GROWN = {"clip": (4, 5), "heads": (8, 12)}
"""Sizes that grow and leave the rows there are as they are."""
EVERY_KEY = {"cope"}
"""Schemes that count tokens between query and key by content, so that they need all keys at once."""
STARTS_BY_SIZE = {("tener", "heads")}
"""Where the published deviation depends on the size (Xavier's counts rows), so that a row keeps its direction alone."""
FUNCTIONS = ("tables", "terms", "scores", "vectors", "bias", "mix", "query_gain")
CONTENT = {"x_q", "x_k", "w_q", "w_k", "w_v", "q", "k", "v"}

LOADED = [catalogue.load(name) for name in catalogue.SCHEMES]
every_scheme = pytest.mark.parametrize("scheme", LOADED, ids=catalogue.SCHEMES)


def make(length: int = 9, **changes: object) -> Setting:
    words = tuple(content.fit(content.tokens("to be or not to be"), length))
    return Setting(words=words, **{"width": 16, "heads": 4, "head": 1, "arguments": KNOBS} | changes)


SETTINGS = {
    "one token": make(1),
    "plain": make(),
    "causal": make(causal=True),
    "long": make(24, width=8, heads=12, head=11),
    "narrow": make(width=2, heads=1, head=0),
    "far": make(first=1000),
    "loud": make(loud=4.0, seed=3),
}
every_setting = pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)


def offered(scheme: ModuleType) -> dict[str, Callable]:
    return {name: getattr(scheme, name) for name in FUNCTIONS if hasattr(scheme, name)}


def comparable(scheme: ModuleType, setting: Setting, logits: np.ndarray) -> np.ndarray:
    """Logits where the scheme is defined: keys of the future count only where they can be seen."""
    return np.where(seen(scheme, setting), logits, 0) if getattr(scheme, "CAUSAL_ONLY", False) else logits


def evaluated(scheme: ModuleType, setting: Setting) -> tuple[Terms, np.ndarray] | None:
    """Terms and scores, or None where both refuse the setting and say why."""
    try:
        return terms(scheme, setting), scores(scheme, setting)
    except ValueError:
        for function in (terms, scores):
            with pytest.raises(ValueError, match=r"\bis \S+; "):
                function(scheme, setting)
        return None


# What a module offers


@every_scheme
def test_module_says_what_it_is_and_where_it_comes_from(scheme: ModuleType) -> None:
    assert inspect.getdoc(scheme)
    assert scheme.REFERENCES
    for reference in scheme.REFERENCES:
        assert isinstance(reference, Reference)
        assert all((reference.authors, reference.title, reference.place))
        assert 2015 <= reference.year <= 2026
        assert re.fullmatch(r"\d{4}\.\d{4,5}", reference.arxiv) or (not reference.arxiv and reference.venue)


@every_scheme
def test_module_offers_documented_functions_and_nothing_else(scheme: ModuleType) -> None:
    assert {"tables", "terms", "scores"} <= set(offered(scheme))
    tree = ast.parse(Path(scheme.__file__).read_text())
    for node in ast.walk(tree):
        assert not isinstance(node, ast.ClassDef | ast.Global | ast.Nonlocal | ast.AsyncFunctionDef)
        if isinstance(node, ast.FunctionDef):
            assert node.args.kwarg is None, f"{node.name} takes **{node.args.kwarg and node.args.kwarg.arg}"
            assert not node.decorator_list
            assert ast.get_docstring(node) or node not in tree.body, f"{node.name} has no docstring"


@every_scheme
def test_shapes_are_in_the_docstrings_of_terms_and_scores(scheme: ModuleType) -> None:
    assert "(h, n_q, n_k)" in inspect.getdoc(scheme.scores)
    for name in {"q", "k", "x_q", "x_k"} & set(parameters(scheme.terms)):
        assert re.search(rf"\b{name}\b", inspect.getdoc(scheme.terms)), f"terms does not say what {name} is"


@every_scheme
def test_functions_ask_only_for_what_a_setting_has(scheme: ModuleType) -> None:
    available = set(inputs(scheme, make())) | set(KNOBS) | {"weights", "positions", "offset"}
    for name, function in offered(scheme).items():
        required = {key for key, parameter in inspect.signature(function).parameters.items() if parameter.default is parameter.empty}
        assert required <= available, f"{name} asks for {required - available}"


@every_scheme
def test_every_learned_table_is_used(scheme: ModuleType) -> None:
    declared = learned(scheme, make())
    assert all(isinstance(table, Table) for table in declared.values())
    asked = {name for key, function in offered(scheme).items() if key != "tables" for name in parameters(function)}
    assert set(declared) <= asked
    assert not set(declared) & (CONTENT | {"i", "j", "width", "heads", "head", "length", "first", "causal"})


# What the numbers keep


@every_scheme
@every_setting
def test_terms_add_up_to_the_scores(scheme: ModuleType, setting: Setting) -> None:
    result = evaluated(scheme, setting)
    assert result is not None or setting is SETTINGS["far"], "only a position beyond a table may be refused"
    if result:
        parts, direct = result
        assert direct.shape == (1, setting.length, setting.length)
        together = Terms(content_content=comparable(scheme, setting, parts.total()))
        assert residual(together, comparable(scheme, setting, direct)) < 1e-12


@every_scheme
@pytest.mark.parametrize("width", [1, 3, 7])
def test_an_odd_width_works_or_is_refused_with_its_value(scheme: ModuleType, width: int) -> None:
    setting = make(width=width)
    result = evaluated(scheme, setting)
    if result:
        parts, direct = result
        together = Terms(content_content=comparable(scheme, setting, parts.total()))
        assert residual(together, comparable(scheme, setting, direct)) < 1e-12


@every_scheme
def test_each_term_is_a_finite_array_of_heads_queries_and_keys(scheme: ModuleType) -> None:
    setting, head = make(), [0, 3, 1]
    parts = terms(scheme, setting, [8, 2], None, head)
    assert dict(parts.present())
    for name, part in parts.present():
        assert part.shape == (3, 2, 9), name
        assert part.dtype == np.float64, name
        assert np.isfinite(part).all(), name


@every_scheme
def test_heads_are_drawn_together_as_they_are_alone(scheme: ModuleType) -> None:
    setting = make()
    together = terms(scheme, setting, head=[0, 3, 1]).total()
    for place, head in enumerate([0, 3, 1]):
        np.testing.assert_allclose(together[[place]], terms(scheme, setting, head=[head]).total(), rtol=0, atol=1e-12)


@every_scheme
@pytest.mark.parametrize("is_causal", [False, True])
def test_a_decoding_step_with_a_cache_is_the_last_row(scheme: ModuleType, is_causal: bool) -> None:
    setting = make(causal=is_causal)
    whole, step = terms(scheme, setting), terms(scheme, setting, [8])
    assert [name for name, _ in whole.present()] == [name for name, _ in step.present()]
    for (name, part), (_, last) in zip(whole.present(), step.present(), strict=True):
        np.testing.assert_allclose(last, part[:, -1:], rtol=0, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(scores(scheme, setting, [8]), scores(scheme, setting)[:, -1:], rtol=0, atol=1e-12)


@every_scheme
def test_strided_queries_and_keys_are_picks_of_the_whole(scheme: ModuleType) -> None:
    setting, rows = make(), np.arange(0, 9, 3)
    columns = np.arange(9) if catalogue_name(scheme) in EVERY_KEY else np.arange(1, 9, 2)
    whole, some = terms(scheme, setting).pick(rows, columns), terms(scheme, setting, rows, columns)
    for (name, part), (_, picked) in zip(whole.present(), some.present(), strict=True):
        np.testing.assert_allclose(picked, part, rtol=0, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("scheme", [scheme for scheme in LOADED if hasattr(scheme, "bias")], ids=lambda scheme: scheme.__name__)
def test_a_bias_is_the_position_position_term(scheme: ModuleType) -> None:
    setting = make(causal=True)
    here = np.arange(9)
    of_pairs = bias(scheme, setting, here[:, None], here, [0, 2])
    mask = seen(scheme, setting)
    np.testing.assert_allclose((of_pairs * mask), terms(scheme, setting, head=[0, 2]).position_position * mask, rtol=0, atol=1e-12)
    of_one = bias(scheme, setting, np.array(5), np.array(3), [0, 2])
    np.testing.assert_allclose(of_one, of_pairs[:, 5, 3], rtol=0, atol=1e-12)


@every_scheme
@pytest.mark.parametrize("size", GROWN)
def test_rows_of_a_table_keep_their_values_when_it_grows(scheme: ModuleType, size: str) -> None:
    def drawn(value: int) -> tuple[dict, dict]:
        setting = make(heads=value) if size == "heads" else make(arguments=KNOBS | {size: value})
        return learned(scheme, setting), tables(scheme, setting, range(setting.heads))

    (small, before), (large, after) = (drawn(value) for value in GROWN[size])
    assert set(small) == set(large)
    for name, table in small.items():
        start = table.first - large[name].first
        rows = after[name][start : start + table.shape[0]]
        kept = rows[tuple(slice(n) for n in before[name].shape)]
        scale = np.linalg.norm(before[name]) / np.linalg.norm(kept) if (catalogue_name(scheme), size) in STARTS_BY_SIZE else 1
        np.testing.assert_allclose(scale * kept, before[name], rtol=0, atol=1e-15 if scale != 1 else 0, err_msg=name)


@every_scheme
def test_tables_are_drawn_as_declared(scheme: ModuleType) -> None:
    setting = make()
    drawn = tables(scheme, setting, range(4))
    for name, table in learned(scheme, setting).items():
        assert drawn[name].shape == table.shape, name
        if table.head_axis is not None:
            assert table.shape[table.head_axis] == 4, name
            np.testing.assert_array_equal(tables(scheme, setting, [2])[name], drawn[name].take([2], table.head_axis))


@every_scheme
def test_evaluation_leaves_its_inputs_unchanged(scheme: ModuleType) -> None:
    available = everything(scheme, make())
    before = {name: np.array(value) for name, value in available.items() if isinstance(value, np.ndarray)}
    for function in (scheme.terms, scheme.scores, *([scheme.mix] if hasattr(scheme, "mix") else [])):
        bind(function, available)
    for name, value in before.items():
        np.testing.assert_array_equal(available[name], value, err_msg=name)


@every_scheme
def test_terms_never_hold_a_vector_per_pair(scheme: ModuleType) -> None:
    setting = make(128, width=256)
    available = inputs(scheme, setting, np.arange(0, 128, 2))
    tracemalloc.start()
    bind(scheme.terms, available).total()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    per_pair = 64 * 128 * 256 * 8
    assert peak < per_pair / 2, f"{peak / per_pair:.2f} of an array (n_q, n_k, d)"


# The seam between NumPy and torch


@every_scheme
@pytest.mark.parametrize("is_causal", [False, True])
def test_torch_computes_the_numbers_of_numpy(scheme: ModuleType, is_causal: bool) -> None:
    available = everything(scheme, make(causal=is_causal))
    moved = in_torch(available, torch.float64)
    ours, theirs = bind(scheme.terms, available), bind(scheme.terms, moved)
    for (name, part), (_, tensor) in zip(ours.present(), theirs.present(), strict=True):
        np.testing.assert_allclose(as_numpy(tensor), part, rtol=0, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(as_numpy(bind(scheme.scores, moved)), bind(scheme.scores, available), rtol=0, atol=1e-12)
    if hasattr(scheme, "mix"):
        np.testing.assert_allclose(as_numpy(bind(scheme.mix, moved)), bind(scheme.mix, available), rtol=0, atol=1e-12)


@every_scheme
def test_float32_stays_float32(scheme: ModuleType) -> None:
    available = everything(scheme, make())
    single = {name: value.astype(np.float32) if learnable(value) else value for name, value in available.items()}
    exact = bind(scheme.terms, available).total()
    for given, kind in ((single, np.float32), (in_torch(available, torch.float32), torch.float32)):
        parts = bind(scheme.terms, given)
        assert {name: part.dtype for name, part in parts.present()} == {name: kind for name, _ in parts.present()}
        assert bind(scheme.scores, given).dtype == kind
        np.testing.assert_allclose(as_numpy(parts.total()), exact, rtol=0, atol=1e-4 * max(1, np.abs(exact).max()))
        if hasattr(scheme, "mix"):
            assert bind(scheme.mix, given).dtype == kind


@pytest.mark.parametrize(
    ("scheme", "part"),
    [(scheme, part) for scheme in LOADED for part in ("terms", "scores", "mix") if hasattr(scheme, part)],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_gradients_reach_content_and_every_table(scheme: ModuleType, part: str) -> None:
    function = getattr(scheme, part)
    moved = in_torch(everything(scheme, make(3, width=4, heads=2)), torch.float64)
    names = [name for name in parameters(function) if isinstance(moved.get(name), torch.Tensor)]
    leaves = [moved[name].clone().requires_grad_() for name in names]

    def result(*values: torch.Tensor) -> torch.Tensor:
        out = bind(function, moved | dict(zip(names, values, strict=True)))
        out = out.total() if part == "terms" else out
        return torch.where(torch.from_numpy(seen(scheme, make(3))), out, 0) if part != "mix" and causal(scheme, make()) else out

    assert torch.autograd.gradcheck(result, leaves, fast_mode=True)


def test_every_scheme_draws_without_importing_torch() -> None:
    program = """
import sys
from posenc import catalogue, measure
from posenc.setting import Setting, scores, terms
from posenc.terms import residual
setting = Setting(words=("a", "b", "c"), width=8, heads=2, arguments=%r)
for name in catalogue.SCHEMES:
    scheme = catalogue.load(name)
    scores(scheme, setting), terms(scheme, setting), measure.properties(scheme, setting)
assert not {"torch", "streamlit", "plotly"} & set(sys.modules)
"""
    root = Path(catalogue.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program % KNOBS], env={"PYTHONPATH": str(root)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def everything(scheme: ModuleType, setting: Setting) -> dict:
    """All that `terms`, `scores` and `mix` may ask for."""
    available = inputs(scheme, setting, head=[0, 1])
    logits = np.random.default_rng(0).standard_normal((2, setting.length, setting.length))
    return available | {"weights": softmax(logits, seen(scheme, setting))}


def learnable(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fc"


def in_torch(available: dict, dtype: torch.dtype) -> dict:
    return {name: torch.tensor(value, dtype=dtype) if learnable(value) else value for name, value in available.items()}


def as_numpy(array: object) -> np.ndarray:
    return array.detach().numpy() if isinstance(array, torch.Tensor) else np.asarray(array)


def catalogue_name(scheme: ModuleType) -> str:
    return scheme.__name__.rpartition(".")[2]


@pytest.mark.parametrize("name", catalogue.SCHEMES)
def test_references_make_bibtex_entries(name: str) -> None:
    for reference in catalogue.load(name).REFERENCES:
        entry = reference.bibtex()
        assert re.fullmatch(r"@misc\{[a-z]*\d{4},\n(  \w+ = \{.*\}.*\n)+\}", entry), entry
        assert entry.splitlines()[1].count(" and ") == reference.authors.count(", ")
