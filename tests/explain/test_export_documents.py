"""The same figure in every form says the same: numbers, words, parameters, citation, link."""

import csv
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from html import unescape
from io import StringIO
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest
from starlette.testclient import TestClient

from explain import board, controls, stage
from explain.export import answer, documents, query
from explain.view import Matrices, View
from posenc import catalogue
from tests.explain import served
from tests.pages import app

KNOBS = {
    "length": "11",
    "width": "16",
    "first": "3",
    "causal": "true",
    "seed": "5",
    "loud": "0.5",
    "sentence": '<b>a</b> # "x", =1+1 猫 a_b',
}
FIGURES = [
    ("shaw", "terms"),
    ("shaw", "vectors"),
    ("shaw", "decay"),
    ("t5", "offsets"),
    ("learned", "terms"),
    ("alibi", "bias"),
    ("rope", "logits"),
]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served.client() as opened:
        yield opened


@pytest.fixture(scope="module", params=FIGURES, ids="-".join)
def figure(request: pytest.FixtureRequest) -> tuple[str, str]:
    return request.param


LABELS = {"row_label": str, "column_label": str}


def got(client: TestClient, figure: tuple[str, str], form: str) -> str:
    found = client.get(f"/figure/{figure[0]}/{figure[1]}.{form}", params=KNOBS)
    assert found.status_code == 200, found.text
    return found.text


def view(figure: tuple[str, str]) -> View:
    """The figure as the page draws it."""
    return answer.run(query.parse(figure[0], figure[1], "csv", KNOBS.items()))[figure[1]]


def sent(page: str) -> str:
    """What a web page's script gets."""
    return re.search(r'id="sent">(.*?)</script>', page, re.DOTALL)[1]


def same(one: object, other: object) -> None:
    np.testing.assert_array_equal(np.asarray(one, dtype=np.float32), np.asarray(other, dtype=np.float32))


def test_numbers(client: TestClient, figure: tuple[str, str]) -> None:
    """In the app itself, as web page, CSV and JSON: the same float32, bit for bit."""
    at = app.opened(figure[0], **KNOBS)
    key = "-".join(figure)
    table = pd.read_csv(StringIO(got(client, figure, "csv")), comment="#", keep_default_na=False, na_values=[""], dtype=LABELS)
    record = json.loads(got(client, figure, "json"))
    page = got(client, figure, "html")
    if "matrices" in record:
        drawn = app.boards(at)[key].arrays
        head, web = board.unpack(b64decode(sent(page)))
        assert head["axes"] == app.boards(at)[key].head["axes"]
        there = {matrix["id"]: matrix for matrix in record["matrices"] if matrix["values"] is not None}
        assert drawn.keys() == web.keys() == there.keys()
        for name, values in drawn.items():
            same(values, web[name])
            same(values, [[np.nan if cell is None else cell for cell in row] for row in there[name]["values"]])
            rows = table[table["figure"] == there[name]["title"]]
            same(values.ravel(), rows["value"])
            assert rows["row_label"].tolist() == np.repeat(record["axes"][there[name]["rows"]]["labels"], values.shape[1]).tolist()
    else:
        drawn = [trace for trace in app.charts(at)[key].figure["data"] if "name" in trace]
        web = [trace for trace in json.loads(sent(page))["data"] if "name" in trace]
        points = pd.DataFrame(record["points"])
        for mine, theirs in zip(drawn, web, strict=True):
            for side in "xy":
                same(app.array(mine[side]), app.array(theirs[side]))
                known = np.isfinite(app.array(mine["y"])) & np.isfinite(app.array(mine["x"]))
                for rows in (table, points):
                    same(app.array(mine[side])[known], rows[rows["series"] == mine["name"]][side])


def test_words(client: TestClient, figure: tuple[str, str]) -> None:
    """Title, caption, parameters, citation and link."""
    page, table, record = (got(client, figure, form) for form in ("html", "csv", "json"))
    record = json.loads(record)
    about = dict(line[2:].split(": ", 1) for line in table.splitlines() if line.startswith("# "))
    assert record["title"] == about["title"]
    assert record["caption"] == about["caption"]
    assert " | ".join(record["citations"]) == about["citation"]
    assert record["link"] == about["link"]
    shown = unescape(page)
    for said in (record["title"], record["caption"], record["citations"][0], record["link"]):
        assert said in shown
    at = app.opened(figure[0], **KNOBS)
    captions = {documents.plainly(caption.value) for caption in at.caption}
    assert record["caption"] in captions


def test_parameters(client: TestClient, figure: tuple[str, str]) -> None:
    """All that act, with their values; and the way back has those that were moved."""
    record = json.loads(got(client, figure, "json"))
    asked = query.parse(*figure, "json", KNOBS.items())
    assert record["parameters"] == asked.parameters
    assert record["parameters"]["seed"] == 5
    assert record["moved"] == {name: value for name, value in record["parameters"].items() if value != controls.KNOBS[name].start}
    link = urlsplit(record["link"])
    assert (link.scheme, link.netloc, link.path) == ("http", "app.example", f"/{figure[0]}")
    given = dict(parse_qsl(link.query))
    assert (given.pop("v"), given.pop("lang")) == (query.VERSION, "en")
    assert {name: controls.KNOBS[name].parse(value) for name, value in given.items()} == record["moved"]
    address = urlsplit(record["address"])
    assert client.get(f"{address.path}?{address.query}").text == got(client, figure, "html")
    about = dict(line[2:].split(": ", 1) for line in got(client, figure, "csv").splitlines() if line.startswith("# "))
    assert {name: controls.KNOBS[name].parse(value) for name, value in parse_qsl(about["parameters"][1:])} == record["parameters"]


def test_a_table_that_spreadsheets_can_open(client: TestClient) -> None:
    """No word in it starts a formula, and every row has as many columns."""
    lines = got(client, ("shaw", "terms"), "csv").splitlines()
    body = [line for line in lines if not line.startswith("# ")]
    assert len({len(row) for row in csv.reader(body)}) == 1
    for row in csv.reader(lines):
        for field in row:
            assert not re.match(r"[=+@\t][^\s]", field), field
            assert re.match(r"-[0-9.]", field) or not field.startswith("-") or len(field) == 1, field


def test_nothing_that_a_reader_types_is_markup(client: TestClient) -> None:
    for figure in (("shaw", "terms"), ("shaw", "decay")):
        page = got(client, figure, "html")
        assert "<b>a</b>" not in page
        assert page.count("<script") == 3


def test_absent_terms_are_said_to_be(client: TestClient) -> None:
    record = json.loads(got(client, ("shaw", "terms"), "json"))
    absent = {matrix["id"]: matrix["note"] for matrix in record["matrices"] if matrix["values"] is None}
    assert absent == {"pc": "absent: queries carry no position", "pp": "absent: position never meets position"}


def test_bands_are_among_the_numbers(client: TestClient) -> None:
    points = pd.DataFrame(json.loads(got(client, ("shaw", "decay"), "json"))["points"])
    assert (points["low"] <= points["y"]).all()
    assert (points["y"] <= points["high"]).all()


def test_presented_a_page_has_no_chrome(client: TestClient) -> None:
    page = client.get("/figure/shaw/terms.html", params=KNOBS | {"present": "true"}).text
    assert '<body class="present">' in page
    assert "<figcaption" not in page
    assert "<footer" not in page
    chart = client.get("/figure/shaw/decay.html", params=KNOBS | {"present": "true"}).text
    assert json.loads(sent(chart))["layout"]["font"]["size"] > 20


def test_the_kept_cell_travels(client: TestClient) -> None:
    page = client.get("/figure/shaw/terms.html", params=KNOBS | {"cell": "7,2"}).text
    assert board.unpack(b64decode(sent(page)))[0]["cell"] == {"i": 7, "j": 2}


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("", ""),
        ("a *b* **c**", "a b c"),
        (r"\*a\_b\* \$5 \<b\>", "*a_b* $5 <b>"),
        (r"a sum of $\cos\omega(i-j)$: one", "a sum of cosω(i-j): one"),
        (r"$\Sigma$ and $\pi$", "Σ and π"),
    ],
)
def test_captions_without_their_markdown(markdown: str, plain: str) -> None:
    assert documents.plainly(markdown) == plain


def test_lines_are_broken_where_they_may_be() -> None:
    text = "one two three four five six seven eight nine ten"
    lines = documents.wrapped(text, 100, 10)
    assert " ".join(lines) == text
    assert all(documents._wide(line) * 10 <= 100 for line in lines)
    assert "".join(documents.wrapped("x" * 100, 100, 10)) == "x" * 100
    chinese = documents.wrapped("位置编码位置编码位置编码", 50, 10)
    assert all(len(line) <= 5 for line in chinese)
    assert "".join(chinese) == "位置编码位置编码位置编码"
    assert documents.wrapped("", 100, 10) == [""]


def test_every_figure_of_every_page_has_a_title_and_an_alternative() -> None:
    defaults = {name: knob.start for name, knob in controls.KNOBS.items()} | {"length": 6, "width": 8}
    for page in query.pages():
        found = answer.run(query.Asked(page, "", "", defaults))
        assert found or page not in catalogue.SCHEMES, page
        for name, one in found.items():
            assert re.fullmatch(r"\w+", name), (page, name)
            with stage.answering(stage.Request(defaults, "en", "light")):
                document = documents.Document(one, query.Asked(page, name, "json", defaults), "http://a/")
                assert len(document.title) > 3
                assert len(document.caption) > 20
                assert not re.search(r"[\\*$]\w", document.caption), document.caption
                json.loads(documents.record(document))
                if not isinstance(one.drawn, Matrices):
                    assert len(one.table()), (page, name)


@pytest.mark.parametrize("page", ["order", "four_terms", "absolute_or_relative", "bias_or_context"])
def test_a_figure_cites_the_scheme_that_it_shows(page: str) -> None:
    """What stays the same whatever scheme is picked cites none of the picked ones."""
    small = [("length", "6"), ("width", "8"), ("sentence", "a b c d e f")]
    one, other = (query.parse(page, "", "json", [*small, ("scheme", scheme)]) for scheme in ("xpos", "tener"))
    views, others = answer.run(one), answer.run(other)
    cited_picked = 0
    for name, view in views.items():
        citations = documents.Document(view, one, "http://app.example/").citations
        if view.table().equals(others[name].table()):
            assert not any("Sun" in line for line in citations), name
        else:
            cited_picked += any("Sun" in line for line in citations)
    assert cited_picked > 0
