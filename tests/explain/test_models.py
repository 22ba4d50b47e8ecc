"""Who uses what: every row names a scheme there is, and where that is written."""

import re

from explain import models
from posenc import catalogue

SOURCE = re.compile(r"arXiv:\d{4}\.\d{4,5}|\b(19|20)\d{2}\b|(config|model card) of [\w.-]+/[\w.-]+")


def test_every_row_has_a_model_a_scheme_and_a_source() -> None:
    table = models.table()
    assert list(table.columns) == ["model", "scheme", "source"]
    assert not table.isna().any(axis=None)
    for row in table.itertuples():
        assert row.scheme in catalogue.SCHEMES, row
        assert SOURCE.search(row.source), row
        assert not re.search(r"[\[\]:]", row.model), "a name stands in a badge, whose brackets it would close"
    assert not table.duplicated(["model", "scheme"]).any()


def test_using() -> None:
    assert set().union(*(models.using(scheme) for scheme in catalogue.SCHEMES)) == set(models.table()["model"])
    assert models.using("nothing") == []
