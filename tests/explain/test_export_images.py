"""Images: made by a real browser in a limited time; what they say in words; that a broken browser hurts nothing else."""

import json
import os
import re
import signal
import stat
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from PIL import Image
from starlette.testclient import TestClient

from explain import palette
from explain.export import chromium, documents, folder
from tests.explain import served

SVG = "{http://www.w3.org/2000/svg}"
KNOBS = {"length": "6", "width": "8", "causal": "true", "sentence": "a <b> & 猫 ]]> x"}
FAKE = "#!/bin/sh\n{}\n"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with served.client() as opened:
        yield opened
    chromium.close()


def svg(client: TestClient, path: str, **more: str) -> ET.Element:
    found = client.get(f"/figure/{path}.svg", params=KNOBS | more)
    assert found.status_code == 200, found.text
    assert found.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in found.headers["content-security-policy"]
    return ET.fromstring(found.text)


def record(client: TestClient, path: str) -> dict:
    return client.get(f"/figure/{path}.json", params=KNOBS).json()


@pytest.mark.parametrize("path", ["shaw/terms", "t5/decay", "order/all"])
def test_an_svg_says_what_the_figure_says(client: TestClient, path: str) -> None:
    """Its title and description are those of the other forms, with parameters, citation and link; its text names them too."""
    picture, said = svg(client, path), record(client, path)
    assert picture.find(f"{SVG}title").text == said["title"]
    lines = picture.find(f"{SVG}desc").text.split("\n")
    assert lines[0] == said["caption"]
    assert lines[-1] == said["link"]
    assert set(said["citations"]) <= set(lines)
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby") == "title desc"
    shown = "".join(picture.itertext())
    assert "Causal mask = yes" in shown or path == "order/all"
    assert picture.find(f"{SVG}a").get("href") == said["link"]


def test_sizes(client: TestClient) -> None:
    picture = svg(client, "t5/decay", w="500", h="400")
    assert (picture.get("width"), picture.get("height")) == ("500", "400")
    image = Image.open(BytesIO(client.get("/figure/t5/decay.png", params=KNOBS | {"w": "500", "h": "400"}).content))
    assert image.size == (1000, 800)
    large = svg(client, "t5/decay", w="1000", present="true")
    assert abs(int(large.get("width")) - 1000) <= 1


def test_a_png_carries_its_words(client: TestClient) -> None:
    image = Image.open(BytesIO(client.get("/figure/shaw/terms.png", params=KNOBS).content))
    said = record(client, "shaw/terms")
    assert image.text["Title"] == said["title"]
    assert image.text["Description"] == said["caption"]
    assert image.text["Source"] == said["link"]
    assert image.text["Copyright"] == " | ".join(said["citations"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_cells_have_the_boards_colours_in_its_order(client: TestClient, theme: str) -> None:
    """Pixel by pixel: every cell of the image is where the matrix has it, row 0 on top, in the colour that the palette says."""
    params = KNOBS | {"theme": theme, "w": "700"}
    found = client.get("/figure/t5/bias.png", params=params)
    image = np.asarray(Image.open(BytesIO(found.content)).convert("RGB"))
    (matrix,) = client.get("/figure/t5/bias.json", params=params).json()["matrices"]
    values = np.array([[np.nan if cell is None else cell for cell in row] for row in matrix["values"]])
    wanted = palette.paint(values, palette.signed(values))
    top, bottom, left, right = plot(client, params)
    rows, columns = values.shape
    for row in range(rows):
        for column in range(columns):
            y, x = top + (row + 0.5) / rows * (bottom - top), left + (column + 0.5) / columns * (right - left)
            seen = image[round(2 * y), round(2 * x)].astype(int)
            assert np.abs(seen - wanted[row, column]).max() <= 2, (row, column)


def plot(client: TestClient, params: dict[str, str]) -> tuple[float, float, float, float]:
    """Where the only matrix of an SVG is: its ground's edges, in the picture's pixels."""
    picture = ET.fromstring(client.get("/figure/t5/bias.svg", params=params).text)
    nested = picture.find(f"{SVG}svg")
    ground = next(node for node in nested.iter(f"{SVG}rect") if node.get("class") == "bg")
    x, y, width, height = (float(ground.get(name)) for name in ("x", "y", "width", "height"))
    above = float(nested.get("y"))
    return above + y, above + y + height, x, x + width


def test_the_second_time_it_is_there_already(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/figure/t5/offsets.png", params=KNOBS)
    monkeypatch.setattr(documents, "photograph", lambda _document: pytest.fail("made again"))
    assert client.get("/figure/t5/offsets.png", params=KNOBS).content == first.content


@pytest.fixture
def figure() -> dict:
    return {"data": [{"type": "scatter", "x": [1, 2], "y": [1, 3]}], "layout": {"title": {"text": "WIDTH </script> \u2028 FIGURE"}}}


def test_a_browser_that_was_killed_is_replaced(figure: dict) -> None:
    assert "<svg" in chromium.svg(figure, 300, 200)
    os.killpg(chromium._kept._process.pid, signal.SIGKILL)
    assert "<svg" in chromium.svg(figure, 300, 200)


def test_what_plotly_can_not_draw_is_our_error(figure: dict) -> None:
    with pytest.raises(RuntimeError):
        chromium._asked("Promise.reject(new Error('no'))")
    assert "<svg" in chromium.svg(figure, 300, 200)


def test_an_unused_browser_is_ended(figure: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "IDLE", 0.1)
    chromium.svg(figure, 300, 200)
    end = time.monotonic() + 20
    while chromium._kept is not None and time.monotonic() < end:
        time.sleep(0.05)
    assert chromium._kept is None


@pytest.mark.parametrize(
    ("script", "reason"),
    [("exit 1", "ended"), ("exec sleep 60", "within"), ("echo nonsense >&4; exec sleep 60", "within"), ("exec cat <&3 >&4", "understand")],
)
def test_a_broken_browser(
    tmp_path: Path, figure: dict, monkeypatch: pytest.MonkeyPatch, client: TestClient, script: str, reason: str
) -> None:
    """It is given up after its time, what it started ends with it, and everything else goes on meanwhile."""
    chromium.close()
    fake = tmp_path / "chromium"
    fake.write_text(FAKE.format(script))
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(chromium, "browser", lambda: str(fake))
    monkeypatch.setattr(chromium, "SECONDS", 1)
    found = []
    asked = Thread(target=lambda: found.append(client.get("/figure/t5/offsets.svg", params=KNOBS | {"seed": "1234"})))
    begun = time.monotonic()
    asked.start()
    with served.client() as other:
        assert other.get("/figure/t5/offsets.csv", params=KNOBS).status_code == 200
    asked.join(30)
    assert time.monotonic() - begun < 20
    assert found[0].status_code == 503
    assert reason in found[0].text
    assert chromium._kept is None
    with pytest.raises(chromium.UnavailableError):
        chromium.svg(figure, 300, 200)


def test_no_more_than_some_wait(figure: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "_evaluated", lambda _script: time.sleep(0.5) or "x")
    outcomes = []

    def ask() -> None:
        try:
            outcomes.append(chromium.svg(figure, 300, 200))
        except chromium.BusyError:
            outcomes.append("busy")

    threads = [Thread(target=ask) for _ in range(chromium.WAITING + 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("busy") == 3
    assert outcomes.count("x") == chromium.WAITING


def test_figures_as_files(tmp_path: Path) -> None:
    """The folder opens without a server: everything that a page loads lies in it."""
    count = folder.write(tmp_path, "http://app.example/", "en", "light", ["nope"])
    stems = {path.stem for path in (tmp_path / "nope").iterdir()}
    assert len(stems) == count > 3
    for stem in stems:
        assert {path.suffix for path in (tmp_path / "nope").glob(f"{stem}.*")} == {".html", ".svg", ".png", ".csv", ".json"}
        page = (tmp_path / "nope" / f"{stem}.html").read_text()
        for name in re.findall(r'(?:src|href)="(\.\./[^"]+)"', page):
            assert (tmp_path / "nope" / name).resolve().is_file()
        assert json.loads((tmp_path / "nope" / f"{stem}.json").read_text())["link"] == "http://app.example/nope?lang=en&v=1"
    index = (tmp_path / "index.html").read_text()
    assert index.count("<article>") == count
    for name in re.findall(r'(?:src|href)="([^"]+)"', index):
        assert (tmp_path / name).is_file()
