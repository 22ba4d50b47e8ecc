"""A thousand addresses at random, good and bad: each is answered or refused, none is an error of the server's."""

import random
from collections import Counter
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from starlette.testclient import TestClient

from explain import controls
from explain.controls import Number
from explain.export import chromium, query
from posenc import catalogue
from tests.explain import served

COUNT = 1000
PARTS = 10
"""In which they are asked, for workers to share."""
EACH = 4
"""Addresses of the same page with the same parameters, of which all but the first need no computing."""
SMALL = {"length": 40, "width": 24, "heads": 12, "head": 12}
"""Most addresses ask for no more, so that a thousand can be asked."""
VIEWS = ("terms", "bias", "offsets", "decay", "logits", "vectors", "dimensions", "instead")
JUNK = (
    "",
    "abc",
    "-1",
    "1e9",
    "NaN",
    "inf",
    "99999999999999999999",
    "0x10",
    "\0",
    "é",
    "<b>",
    "%",
    "' OR 1=1",
    "../..",
    "1,2",
    "true false",
)
PICTURE = '<svg class="main-svg" xmlns="http://www.w3.org/2000/svg" width="100" height="100"></svg>'


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """Images are drawn by nobody here: which addresses have one is what counts."""
    with pytest.MonkeyPatch.context() as patch, served.client() as opened:
        patch.setattr(chromium, "svg", lambda *_given: PICTURE)
        patch.setattr(
            chromium, "png", lambda *_given: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
        )
        yield opened


def pages(rng: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """A page and parameters, as somebody may type, follow or try them."""
    schemes, ideas = catalogue.SCHEMES, [name for name in query.pages() if name not in catalogue.SCHEMES]
    page = rng.choices([rng.choice(schemes), rng.choice(ideas), rng.choice(["", "start", "..", "shav", "é"])], [90, 2, 8])[0]
    knobs = {**controls.KNOBS, **query.OWN}
    given = []
    for name in rng.sample([*knobs], rng.choice([0, 1, 2, 3, 5, 9, 20])):
        value = served.drawn(rng, knobs[name]) if name != "cell" else f"{rng.randint(0, 99)},{rng.randint(0, 99)}"
        if name in SMALL and isinstance(knobs[name], Number) and rng.random() < 0.98:
            value = rng.randint(int(knobs[name].low), SMALL[name])
        given.append((name, query._written(value)))
    given += [("length", str(rng.randint(1, 30)))] * (all(name != "length" for name, _ in given))
    return page, given


def address(rng: random.Random, page: str, given: list[tuple[str, str]]) -> str:
    """A figure of that page, or something that is none."""
    view = rng.choices([rng.choice(VIEWS), rng.choice(["", "x", "terms.", "%00", "a/b", "é"])], [92, 8])[0]
    form = rng.choices([rng.choice(query.FORMATS), rng.choice(["", "pdf", "html.gz"])], [94, 6])[0]
    if rng.random() < 0.25:
        given = [*given, (rng.choice([*controls.KNOBS, *query.OWN, "lenght", "", "__proto__"]), rng.choice(JUNK))]
    return f"/figure/{quote(page, safe='.')}/{quote(view, safe='/.%')}.{form}?{urlencode(given)}"


@pytest.mark.parametrize("part", range(PARTS))
def test_a_thousand_addresses(client: TestClient, part: int) -> None:
    rng = random.Random(2018 + part)
    seen = Counter()
    for number in range(COUNT // PARTS):
        if number % EACH == 0:
            page, given = pages(rng)
        asked = address(rng, page, given)
        found = client.get(asked)
        assert found.status_code in (200, 400, 404), f"{found.status_code} for {asked}: {found.text[:500]}"
        assert found.content, asked
        seen[found.status_code] += 1
    assert all(seen[status] >= 10 for status in (200, 400, 404)), seen
