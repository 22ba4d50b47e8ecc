"""The arrows between the parts, read from their imports, and what must never lie in which folder."""

import ast
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from explain import parts
from posenc import catalogue
from tests.posenc import golden

ROOT = Path(__file__).parents[1]
ENCODINGS = ROOT / "encodings"
MAY_IMPORT = {
    "pages": {"explain", "posenc"},
    "explain": {"explain", "posenc"},
    "encodings/posenc": {"posenc"},
    "encodings/lab": {"lab", "posenc"},
}
"""Folder → the parts of ours that it may know."""
OURS = {"app", "pages", "explain", "posenc", "lab", "encodings", "tests"}
NEVER = {
    "pages": {"torch"},
    "explain": {"torch"},
    "encodings/posenc": {"torch", "streamlit", "plotly"},
    "encodings/lab": {"streamlit", "plotly"},
}
LONGEST_PAGE = 45
"""Lines that are not blank."""
GOLDEN = {"t5": "t5_bias", "learned": "learned_absolute"}
"""Schemes whose golden data have a longer name."""


def imported(path: Path) -> set[str]:
    """The top-level names of everything a file imports, also inside functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module)
    return {name.partition(".")[0] for name in names}


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_arrows_go_one_way(folder: str) -> None:
    for path in sources(folder):
        names = imported(path)
        assert names & OURS <= MAY_IMPORT[folder], path
        assert not names & NEVER[folder], path


def test_there_is_something_to_look_at() -> None:
    assert {path.stem for path in sources("encodings/posenc")} >= {"setting", *catalogue.SCHEMES}


def test_imports_are_seen_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch.nn as nn\ndef f():\n    from streamlit.testing import v1\n")
    assert imported(tmp_path / "a.py") == {"torch", "streamlit"}


def test_the_source_root_is_no_package() -> None:
    """The standard library has a package of that name, which is loaded before any code of ours."""
    assert not (ENCODINGS / "__init__.py").exists()
    assert (ENCODINGS / "posenc" / "py.typed").exists()
    done = subprocess.run(
        [sys.executable, "-c", "import encodings.utf_8; print(encodings.__file__)"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ENCODINGS)])},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stdout.startswith(str(ROOT))


@pytest.mark.parametrize("folder", ["explain", "pages", "encodings", "."])
def test_no_module_hides_one_of_the_standard_library(folder: str) -> None:
    """These folders lead sys.path: the main script's own (explain), the pages', and the roots."""
    found = {path.stem for path in (ROOT / folder).glob("*.py")} | {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}
    assert not found & sys.stdlib_module_names


def test_no_module_hides_a_part_of_ours_or_a_library() -> None:
    found = {path.stem for path in (ROOT / "explain").glob("*.py")} - {"__init__"}
    assert not found & (OURS | {"numpy", "streamlit", "plotly", "torch", "regex"})
    assert find_spec("posenc").origin == str(ENCODINGS / "posenc" / "__init__.py")


@pytest.mark.parametrize("path", sources("pages"), ids=lambda path: path.stem)
def test_pages_are_short_scripts(path: Path) -> None:
    """If a page needs more, the vocabulary is missing a word."""
    code = path.read_text("utf-8")
    assert sum(bool(line.strip()) for line in code.splitlines()) <= LONGEST_PAGE
    for node in ast.walk(ast.parse(code)):
        assert not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Try | ast.While | ast.With)


def test_the_vocabulary_has_no_word_that_no_page_uses() -> None:
    written = [node for path in sources("pages") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    used = {node.attr for node in written if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "parts"}
    assert set(parts.__all__) == used


def test_every_scheme_with_published_results_claims_them() -> None:
    for scheme in catalogue.SCHEMES:
        name = GOLDEN.get(scheme, scheme)
        if (golden.FOLDER / f"{name}.npz").exists():
            assert (ROOT / "tests" / "posenc" / "claims" / f"{name}.py").exists(), f"{scheme} has golden data and no claims"


def test_longer_names_of_golden_data_exist() -> None:
    assert all((golden.FOLDER / f"{name}.npz").exists() for name in GOLDEN.values())
