"""`/figure/…` over HTTP: which figure an address is, what is refused and how, and what is kept."""

import random
import time
from collections.abc import Iterator
from threading import Thread
from urllib.parse import parse_qsl

import pytest
from starlette.testclient import TestClient

from explain import controls, navigation
from explain.export import answer, chromium, query, routes
from explain.view import View
from posenc import catalogue
from tests.explain import served

SMALL = "length=5&width=8"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served.client() as opened:
        yield opened


@pytest.mark.parametrize(("form", "kind"), [("html", "text/html"), ("csv", "text/csv"), ("json", "application/json"), ("", "text/html")])
def test_forms(client: TestClient, form: str, kind: str) -> None:
    found = client.get(f"/figure/shaw/terms{'.' if form else ''}{form}?{SMALL}")
    assert found.status_code == 200
    assert found.headers["content-type"].startswith(kind)
    assert found.headers["cache-control"] == "public, max-age=3600"
    assert found.headers["access-control-allow-origin"] == "*"
    assert "content-disposition" not in found.headers


def test_names_that_there_are_not(client: TestClient) -> None:
    """Each says which there are; nothing of it is kept by caches."""
    for path, wanted in (
        ("/figure/shav/terms", catalogue.SCHEMES[3]),
        ("/figure/shaw/term", "vectors, dimensions, terms, bias, offsets, decay, logits"),
        ("/figure/shaw", "terms"),
        ("/figure/shaw/terms.pdf", ", ".join(query.FORMATS)),
        ("/figure/", "shaw"),
        ("/figure/start/terms", "shaw"),
        ("/figure/your_model/rows", "shaw"),
        ("/figure/shaw/terms.html.html", "csv"),
        ("/figure/../app.py/terms", None),
    ):
        found = client.get(path)
        assert found.status_code == 404, path
        assert wanted is None or wanted in found.text, path
        assert found.headers["content-type"].startswith("text/plain")
        assert wanted is None or found.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("length=513", "length = 513 can't be used. Allowed is a whole number from 1 to 512."),
        ("length=4.5", "whole number from 1 to 512"),
        ("length=", "length = "),
        ("length=1e2", "whole number"),
        ("length=1_0", "whole number"),
        ("length=%D9%A3", "whole number"),
        ("length=nan", "whole number"),
        ("loud=5", "a number from 0.0 to 4.0"),
        ("axes=cubic", "one of: linear, log"),
        ("causal=perhaps", "one of: true, false"),
        ("sentence=" + "x" * 501, "at most 500 characters"),
        ("lang=xx", "one of: "),
        ("theme=blue", "one of: light, dark"),
        ("w=9000", "from 320 to 2400"),
        ("h=0", "from 240 to 2400"),
        ("cell=1", "i,j"),
        ("v=0", "one of: 1"),
        ("length=5&length=6", "length is given more than once"),
        ("lenght=5", "There is no parameter lenght. There are: sentence, length, clip, "),
        ("%3Cb%3E=1", "There is no parameter <b>."),
        ("length=%0D%0Aset-cookie:a", "whole number"),
    ],
)
def test_values_that_can_not_be_used(client: TestClient, asked: str, said: str) -> None:
    found = client.get(f"/figure/shaw/terms?{asked}")
    assert found.status_code == 400
    assert said in found.text
    assert found.headers["content-type"].startswith("text/plain")
    assert found.headers["cache-control"] == "no-store"
    assert "\r" not in found.text


def test_settings_that_the_scheme_refuses(client: TestClient) -> None:
    """posenc says which value and limit."""
    found = client.get("/figure/rope/terms?width=7")
    assert found.status_code == 400
    assert "7" in found.text
    assert "Width" in found.text


def test_what_the_apps_own_links_carry(client: TestClient) -> None:
    """Other pages' knobs, a cell and an embedding are no error, and change nothing but the cell."""
    plain = client.get(f"/figure/alibi/terms.csv?{SMALL}")
    assert client.get(f"/figure/alibi/terms.csv?{SMALL}&clip=2&cell=1,0&embed=true&only=clip&locked=clip&v=1").text == plain.text
    assert client.get("/figure/alibi/terms.csv?length=5&width=8&first=3").text != plain.text


def test_whoever_has_it_is_told_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without computing anything."""
    path = f"/figure/t5/bias.csv?{SMALL}"
    tag = client.get(path).headers["etag"]
    assert client.get(path).headers["etag"] == tag
    monkeypatch.setattr(answer, "views", lambda _asked: pytest.fail("computed"))
    for given in (tag, f'W/"other", {tag}'):
        found = client.get(path, headers={"if-none-match": given})
        assert found.status_code == 304
        assert found.content == b""
        assert found.headers["etag"] == tag
        assert found.headers["cache-control"] == "public, max-age=3600"


def test_tags_differ_where_answers_do(client: TestClient) -> None:
    asked = ["", "&first=1", "&theme=dark", "&w=500", "&h=500", "&present=true", "&cell=1,1", "&download=true"]
    paths = [f"/figure/t5/{name}?{SMALL}{more}" for more in asked for name in ("bias.html", "bias.csv", "offsets.csv")]
    paths += [f"/figure/alibi/bias.csv?{SMALL}"]
    assert len({client.get(path).headers["etag"] for path in paths}) == len(paths)


def test_tags_are_equal_where_answers_are(client: TestClient) -> None:
    """Defaults written out, another order, knobs of other pages."""
    same = [f"/figure/t5/bias.csv?{SMALL}", "/figure/t5/bias.csv?width=8&length=5&seed=0&clip=3&v=1"]
    assert len({client.get(path).headers["etag"] for path in same}) == 1


def test_the_tag_changes_with_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = query.parse("t5", "bias", "csv", [])
    before = routes._tag(asked, "http://a/")
    assert routes._tag(asked, "http://b/") != before
    monkeypatch.setattr(routes, "fingerprint", lambda: "other")
    assert routes._tag(asked, "http://a/") != before


def test_head_is_get_without_the_body(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "made", lambda _document: pytest.fail("made"))
    found = client.head(f"/figure/t5/bias.png?{SMALL}")
    assert found.status_code == 200
    assert found.content == b""
    assert found.headers["content-type"] == "image/png"
    assert "etag" in found.headers
    assert client.head("/figure/t5/nothing").status_code == 404
    assert client.post(f"/figure/t5/bias.html?{SMALL}").status_code == 405


def test_downloads(client: TestClient) -> None:
    found = client.get(f"/figure/t5/bias.csv?{SMALL}&download=true")
    assert found.headers["content-disposition"] == 'attachment; filename="t5-bias.csv"'


def test_policies(client: TestClient) -> None:
    """Web pages run our scripts alone and may stand in anyone's frame."""
    found = client.get(f"/figure/t5/bias.html?{SMALL}").headers
    rules = {rule.split()[0]: rule.split()[1:] for rule in found["content-security-policy"].split("; ")}
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == ["'self'"]
    assert not {"frame-ancestors", "connect-src"} & set(rules)
    assert "x-frame-options" not in found
    assert found["x-content-type-options"] == "nosniff"
    assert "script-src 'self' blob:" in client.get(f"/figure/t5/bias.csv?{SMALL}").headers["content-security-policy"]


@pytest.mark.parametrize("name", [*routes.SCRIPTS, "plotly.min.js"])
def test_what_web_pages_need(client: TestClient, name: str) -> None:
    found = client.get(f"/{name}")
    assert found.status_code == 200
    assert found.headers["content-type"].startswith("text/css" if name.endswith("css") else "text/javascript")


def test_the_board_as_an_ordinary_script() -> None:
    """Pages opened as files can't load modules."""
    script = routes.script("board.js")
    assert script.count("window.drawBoard = function") == 1
    assert "\nexport" not in script
    assert "\nimport" not in script


def test_without_a_browser_images_are_not_to_be_had(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    chromium.close()
    monkeypatch.setattr(chromium, "browser", lambda: None)
    for form in query.IMAGES:
        found = client.get(f"/figure/t5/bias.{form}?{SMALL}&seed=77")
        assert found.status_code == 503
        assert "no Chromium or Chrome is installed" in found.text
        assert ".csv" in found.text
        assert found.headers["cache-control"] == "no-store"
    assert client.get(f"/figure/t5/bias.csv?{SMALL}&seed=77").status_code == 200


def test_too_many_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_given: object) -> str:
        raise chromium.BusyError

    monkeypatch.setattr(chromium, "svg", busy)
    found = client.get(f"/figure/t5/bias.svg?{SMALL}&seed=78")
    assert found.status_code == 429
    assert found.headers["retry-after"] == "10"


def test_images_are_kept_up_to_a_size() -> None:
    kept = routes.Images(10)
    kept.put("a", b"12345")
    kept.put("b", b"12345")
    assert kept.get("a") == b"12345"
    kept.put("c", b"123")
    assert [kept.get(name) for name in "abc"] == [b"12345", None, b"123"]
    kept.put("d", b"12345678901")
    assert kept.get("d") is None
    assert kept.size == 8


def test_asked_at_the_same_time_it_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []

    def slowly(_asked: query.Asked) -> dict[str, View]:
        runs.append(1)
        time.sleep(0.2)
        return {"a": None}

    monkeypatch.setattr(answer, "run", slowly)
    asked = query.parse("t5", "bias", "csv", [("seed", "9001")])
    threads = [Thread(target=answer.views, args=(asked,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(runs) == 1
    assert not answer._running


def test_answers_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer, "run", lambda asked: {"a": asked})
    for seed in range(answer.KEPT + 5):
        answer.views(query.parse("t5", "bias", "csv", [("seed", str(seed + 5000))]))
    assert len(answer._kept) == answer.KEPT
    answer._kept.clear()


def test_every_knob_has_a_way_in_and_says_what_it_takes() -> None:
    for knob in (*controls.KNOBS.values(), *query.OWN.values()):
        assert knob.allowed()
        if knob.name not in ("w", "h"):
            assert knob.parse(query._written(knob.start)) == knob.start


@pytest.mark.parametrize("page", ["shaw", "deberta", "order"])
def test_what_is_asked_can_be_asked_again(page: str) -> None:
    """An address made of knobs is read as the same knobs; defaults are left out."""
    rng = random.Random(page)
    for _ in range(50):
        knobs = {name: served.drawn(rng, knob) for name, knob in controls.KNOBS.items()}
        address = query.query(page, knobs, lang="en", theme="dark")
        asked = query.parse(page, "terms", "csv", parse_qsl(address[1:], keep_blank_values=True))
        deciding = navigation.acting(page) if page in catalogue.SCHEMES else set(controls.KNOBS)
        assert {name: asked.knobs[name] for name in deciding} == {name: knobs[name] for name in deciding}
        assert asked.theme == "dark"
    assert query.query(page, {name: knob.start for name, knob in controls.KNOBS.items()}) == "?v=1"
