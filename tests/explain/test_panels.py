"""What surrounds a figure: its numbers as a table, and the cell that a link names."""

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from explain import figures, panels
from explain.board import LIMIT, Axis, Panel
from explain.figures import Series
from explain.view import Matrices, View

AXES = {"i": Axis("query", ["the", "dog"], [10, 11]), "j": Axis("key", ["a", "b", "c"], [0, 2, 4])}


def table_of(drawn: Matrices | figures.Figure) -> pd.DataFrame:
    return View("page", "view", "title", "caption", drawn).table()


def test_a_row_for_every_cell() -> None:
    values = np.arange(6.0).reshape(2, 3)
    table = table_of(Matrices([Panel("a", "A", "i", "j", "s", values), Panel("b", "B", "i", "j", "s", -values)], AXES, {}))
    assert len(table) == 12
    assert table.iloc[4].to_list() == ["A", 11, "dog", 2, "b", 4.0]
    for _, cell in table.iterrows():
        row, column = AXES["i"].index.index(cell["row"]), AXES["j"].index.index(cell["column"])
        assert cell["value"] == values[row, column] * (1 if cell["figure"] == "A" else -1)


def test_absent_panels_have_no_rows_and_masked_cells_no_number() -> None:
    values = np.array([[1.0, np.nan, np.nan], [1.0, 2.0, np.nan]])
    table = table_of(Matrices([Panel("a", "A", "i", "j", "s", values), Panel("b", "B", "i", "j", "s", None)], AXES, {}))
    assert set(table["figure"]) == {"A"}
    assert table["value"].isna().sum() == 3


def test_tokens_go_into_a_file_as_they_are() -> None:
    axes = AXES | {"i": Axis("query", ['a "b", c', "=1+1\n"], [0, 1])}
    table = table_of(Matrices([Panel("a", "A", "i", "j", "s", np.zeros((2, 3)))], axes, {}))
    assert set(table["row_label"]) == {'a "b", c', "=1+1\n"}


def test_curves_as_table() -> None:
    x = np.arange(3)
    series = [Series("one", x, x / 2, low=x - 1.0, high=x + 1.0), Series("thin", *figures.apart(np.array([[1.0, 2.0]]), x[:2]), faint=True)]
    table = table_of(figures.curves(series, x_title="x", y_title="y"))
    points = table[["series", "x", "y"]].to_numpy().tolist()
    assert points == [["one", 0, 0], ["one", 1, 0.5], ["one", 2, 1], ["thin", 0, 1], ["thin", 1, 2]]
    assert table["low"].dropna().tolist() == [-1, 0, 1]
    assert table["high"].dropna().tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("given", "cell"),
    [
        ("0,0", {"i": 0, "j": 0}),
        ("12,3", {"i": 12, "j": 3}),
        ("9999999,1", {"i": 9_999_999, "j": 1}),
    ],
)
def test_cells(given: str, cell: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {"cell": given})
    assert panels.kept_cell() == cell


@pytest.mark.parametrize(
    "junk", [None, "", "junk", "1", "1,", ",1", "1,2,3", "-1,2", "1.5,2", "1e3,2", "²,2", "1, 2", "9" * 5000 + ",1", "nan,nan"]
)
def test_no_cell(junk: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {} if junk is None else {"cell": junk})
    assert panels.kept_cell() == {"i": 2, "j": 0}


def test_as_many_cells_as_the_board_takes() -> None:
    assert panels.MOST == LIMIT == 256
