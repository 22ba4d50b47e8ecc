"""The published reference results: which cases there are, and what each scheme claims of them."""

import json
from importlib import import_module
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parents[1] / "golden"
UNMATCHED: dict[str, str] = {}
"""scheme/case/array → why no scheme of ours computes it."""


def cases() -> list[tuple[str, str]]:
    """(scheme, case) of every golden case whose scheme has claims."""
    schemes = sorted(path.stem for path in FOLDER.glob("*.npz"))
    return [(scheme, case) for scheme in schemes for case in contents(scheme)["cases"]]


def contents(scheme: str) -> dict:
    """The description of a scheme's golden data."""
    return json.loads((FOLDER / f"{scheme}.json").read_text())


def load(scheme: str, case: str) -> tuple[dict[str, np.ndarray], dict]:
    """(arrays by name, parameters) of a case."""
    with np.load(FOLDER / f"{scheme}.npz") as stored:
        arrays = {name.split("/", 1)[1]: stored[name] for name in stored if name.startswith(f"{case}/")}
    return arrays, contents(scheme)["cases"][case]["params"]


def claims(scheme: str, arrays: dict[str, np.ndarray], params: dict) -> dict:
    """What our implementation computes of a case, by array name."""
    return import_module(f"tests.posenc.claims.{scheme}").claims(arrays, params)
