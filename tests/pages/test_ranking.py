"""All schemes in one table: each number is what the measurement gives, and the file taken away is the table shown."""

import io

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explain import controls, models
from explain.words import DEFAULT, LANGUAGES, text, texts
from posenc import catalogue, cost, measure, rope_scaling
from posenc.experiments import GROWTH, growth_effect
from posenc.setting import Setting
from tests.pages import app

SMALL = {"length": 10, "width": 8}
MEASURED = {
    **{name: (lambda scheme, given, name=name: measure.properties(scheme, given)[name]) for name in ("translation_error", "direction")},
    **{name: (lambda scheme, given, name=name: measure.properties(scheme, given)[name]) for name in ("rises", "half_distance", "defined")},
    "growth": growth_effect,
    "parameters": cost.parameters,
    "operations": cost.operations,
}
"""Column → the measurement whose number it shows."""
KNOWN = {"scheme", "family", "year", "models"}
"""Columns that nobody measures."""


def column(name: str) -> str:
    return text("ranking", f"column.{name}")


def setting(name: str, **changes: object) -> Setting:
    start = controls.default_setting(catalogue.load(name))
    return start.change(words=start.words[:10], width=8, **changes)


@pytest.fixture(scope="module")
def page() -> AppTest:
    return app.opened("ranking", **SMALL)


@pytest.fixture(scope="module")
def table(page: AppTest) -> pd.DataFrame:
    return page.dataframe[0].value


def test_every_scheme_has_a_row(page: AppTest, table: pd.DataFrame) -> None:
    assert not page.exception
    assert not page.error
    assert [*table[column("scheme")]] == [text(name, "title") for name in catalogue.SCHEMES]
    assert [*table.columns] == [column(name) for name in text("ranking", "columns").split()]


def test_what_is_not_there_is_an_empty_cell(page: AppTest) -> None:
    """As the page says: nothing, in any language, where Streamlit writes None."""
    assert page.dataframe[0].proto.HasField("placeholder")
    assert page.dataframe[0].proto.placeholder == ""


def test_every_column_is_measured_or_known() -> None:
    assert {*text("ranking", "columns").split()} == MEASURED.keys() | KNOWN


@pytest.mark.parametrize("name", MEASURED)
def test_a_column_shows_what_is_measured(table: pd.DataFrame, name: str) -> None:
    for scheme, shown in zip(catalogue.SCHEMES, table[column(name)], strict=True):
        found = MEASURED[name](catalogue.load(scheme), setting(scheme))
        if found is None:
            assert pd.isna(shown), scheme
        else:
            assert shown == pytest.approx(found, rel=1e-12, abs=0), scheme


def test_what_is_known(table: pd.DataFrame) -> None:
    for name, (_, row) in zip(catalogue.SCHEMES, table.iterrows(), strict=True):
        assert row[column("year")] == catalogue.load(name).REFERENCES[0].year
        assert row[column("family")] == text("frame", f"family.{catalogue.family(name)}")
        assert row[column("models")] == ", ".join(models.using(name))


def test_columns_sort_as_numbers(table: pd.DataFrame) -> None:
    """A column of text would put 10 before 9."""
    for name in MEASURED.keys() - {"defined"}:
        assert pd.api.types.is_numeric_dtype(table[column(name)]), name
        there = table[column(name)].dropna()
        assert [*there.sort_values()] == sorted(float(value) for value in there)


def test_the_file_is_the_table(table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = []
    monkeypatch.setattr(st, "download_button", lambda _label, data, *rest, **options: taken.append((data, rest[0])))
    app.opened("ranking", **SMALL)
    ((data, name),) = [one for one in taken if str(one[1]).endswith(".csv")]
    assert name == "ranking.csv"
    read = pd.read_csv(io.StringIO(data))
    assert [*read.columns] == [*table.columns]
    for name in table.columns:
        if pd.api.types.is_numeric_dtype(table[name]) and table[name].dtype != bool:
            np.testing.assert_allclose(read[name], table[name].astype(float), rtol=1e-12)
        else:
            assert [*read[name].fillna("").astype(str)] == [*table[name].fillna("").astype(str)]


def test_one_that_refuses_has_an_empty_row() -> None:
    """With an odd width the rotations have no pairs; everybody else is measured."""
    at = app.opened("ranking", length=10, width=7)
    assert not at.exception
    assert not at.error
    shown = at.dataframe[0].value.set_index(column("scheme"))
    measured = [column(name) for name in MEASURED]
    assert shown.loc[text("rope", "title"), measured].isna().all()
    assert shown.loc[text("alibi", "title"), column("operations")] == 1


def test_the_question_translation_error_0_and_yet_no_stored_logit_holds() -> None:
    """Angles that follow the length: only distances count, and all change as the text grows."""
    start = setting("rope_scaling", causal=True).with_arguments(method="dynamic_ntk", trained_length=10)
    longer = start.with_arguments(trained_length=5)
    assert growth_effect(rope_scaling, longer) > 1e-3
    assert growth_effect(rope_scaling, setting("rope_scaling", causal=True)) < 1e-12


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_has_a_constant_typed_in(language: str) -> None:
    """What code decides is filled in: the shift, the growth, the farthest position."""
    for key, words in texts(language, "ranking").items():
        if key.endswith(".help"):
            for constant in (str(measure.SHIFT), str(GROWTH), "1,048,576"):
                assert constant not in words, key
    assert {"{{shift}}", "{{more}}", "{{far}}"} <= {*" ".join(texts(DEFAULT, "ranking").values()).replace(".", " ").split()}
