"""Which released models use which scheme, out of assets/models.csv."""

from functools import cache
from pathlib import Path

import pandas as pd

FILE = Path(__file__).parents[1] / "assets" / "models.csv"


@cache
def table() -> pd.DataFrame:
    """model, scheme, source: one row per model."""
    return pd.read_csv(FILE, dtype=str)


def using(scheme: str) -> list[str]:
    """The models that use a scheme."""
    rows = table()
    return list(rows.loc[rows["scheme"] == scheme, "model"])
