"""What a page shows as code: the very functions, and a snippet that runs as pasted, gives the page's numbers, and learns."""

import ast
from types import ModuleType

import numpy as np
import pytest
import torch

from explain import controls, source
from posenc import catalogue, content
from posenc import setting as evaluate
from posenc.attention import softmax
from posenc.setting import Setting


@pytest.fixture(params=catalogue.SCHEMES)
def scheme(request: pytest.FixtureRequest) -> ModuleType:
    return catalogue.load(request.param)


def small(scheme: ModuleType, **changes: object) -> Setting:
    """The page's default at a size that is quick, with few heads."""
    words = tuple(content.tokens(controls.SENTENCE)[:7])
    return controls.default_setting(scheme).change(**{"words": words, "width": 8, "heads": 3, "head": 1, "trained": {}} | changes)


def settings(scheme: ModuleType) -> list[Setting]:
    return [small(scheme), small(scheme, causal=True, first=5)]


def run(code: str) -> dict[str, object]:
    """The names a snippet leaves behind."""
    torch.manual_seed(0)
    names: dict[str, object] = {}
    exec(compile(code, "snippet", "exec"), names)
    return names


def arguments(names: dict[str, object]) -> tuple[str, ...]:
    """What a snippet's function asks for."""
    return evaluate.parameters(names["attention"])


def test_the_functions_are_the_modules_own(scheme: ModuleType) -> None:
    shown = ast.parse(source.functions(scheme))
    names = [node.name for node in shown.body if isinstance(node, ast.FunctionDef)]
    assert {"terms", "scores"} <= {*names}
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(scheme, name).__module__ == scheme.__name__


def test_a_snippet_runs_as_pasted(scheme: ModuleType) -> None:
    """At the page's own defaults, with nothing at hand but posenc."""
    setting = controls.default_setting(scheme)
    code = source.snippet(scheme, setting)
    imported = {node.module or "" for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} == {"posenc"}
    names = run(code)
    attention = names["attention"](*(names[name] for name in arguments(names)))
    assert attention.shape[-2:] == (setting.length, setting.length)
    torch.testing.assert_close(attention.sum(-1), torch.ones(attention.shape[:-1]))


def test_a_snippet_gives_the_pages_numbers(scheme: ModuleType) -> None:
    """All heads at once in torch are, head by head, what the page draws."""
    for setting in settings(scheme):
        everyone = range(setting.heads)
        inputs = evaluate.inputs(scheme, setting, head=everyone)
        given = {name: torch.tensor(value) for name, value in inputs.items() if isinstance(value, np.ndarray) and value.dtype.kind == "f"}
        names = run(source.snippet(scheme, setting))
        attention = names["attention"](*(given[name] for name in arguments(names)))
        for head in everyone:
            weights = softmax(evaluate.scores(scheme, setting, head=[head])[0], evaluate.seen(scheme, setting))
            np.testing.assert_allclose(np.broadcast_to(attention, (setting.heads, *weights.shape))[head], weights, rtol=0, atol=1e-12)


def test_a_snippet_learns(scheme: ModuleType) -> None:
    """Every table it makes gets a gradient that says something."""
    for setting in settings(scheme):
        names = run(source.snippet(scheme, setting))
        learned = {name: names[name] for name in evaluate.learned(scheme, setting) if name in names}
        assert {*learned} == {*evaluate.learned(scheme, setting)} & {*evaluate.parameters(scheme.terms)}
        if learned:
            (names["attention"](*(names[name] for name in arguments(names))) ** 2).sum().backward()
        for name, table in learned.items():
            assert table.requires_grad
            assert torch.isfinite(table.grad).all(), name
            # FIRE's multiplier has no say where every query is beyond its threshold, as it may be at a random draw.
            assert table.grad.abs().max() > 0 or (scheme.__name__, name) == ("posenc.fire", "multiplier"), name


def test_a_snippet_says_what_the_knobs_say(scheme: ModuleType) -> None:
    setting = small(scheme, causal=True, first=5)
    code = source.snippet(scheme, setting)
    assert "+ 5\n" in code
    assert "causal=True" in code
    for name, value in setting.arguments.items():
        if name in evaluate.parameters(scheme.terms):
            assert f"{name}={value!r}" in code
