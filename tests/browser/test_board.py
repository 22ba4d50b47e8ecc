"""The board as it is seen: the right cell at the right place in the right colour, and numbers that add up."""

import json
from collections.abc import Callable, Iterator
from importlib.resources import files

import numpy as np
import pytest
from playwright.sync_api import BrowserContext

from explain import controls, palette
from explain.palette import Range
from posenc import catalogue, content
from posenc import setting as evaluate
from posenc.attention import softmax
from tests.browser.serving import Server
from tests.browser.visit import Visit, parsed

N = 9
QUERY = {"length": N, "width": 8}


@pytest.fixture(scope="module")
def causal(context: BrowserContext, server: Server) -> Iterator[Visit]:
    """Shaw's page with a mask, for tests that only look at it."""
    page = context.new_page()
    yield Visit(page, server.url).open("shaw", causal="true", **QUERY)
    page.close()


def setting_of(scheme: str, **changes: object) -> evaluate.Setting:
    """What a page of that query draws."""
    words = tuple(content.fit(content.tokens(controls.SENTENCE), N))
    return controls.default_setting(catalogue.load(scheme)).change(**{"words": words, "width": 8} | changes)


def test_row_0_is_on_top(causal: Visit) -> None:
    """Under a causal mask the first row sees one key, the last all: masked cells are transparent."""
    pixels = causal.board("shaw-terms").pixels("att")
    np.testing.assert_array_equal(pixels[..., 3] > 0, np.tri(N, dtype=bool))


def test_rows_are_queries(shaw: Visit) -> None:
    """Query 7, key 1, by pointer: the readout names them, and the value is that pair's."""
    board = shaw.board("shaw-terms")
    board.point("cp", 7, 1)
    assert wait_for_cell(board, {"i": 7, "j": 1}) == {"i": 7, "j": 1}
    terms = evaluate.terms(catalogue.load("shaw"), setting_of("shaw"))
    assert board.value("cp") == pytest.approx(terms.content_position[0, 7, 1], abs=6e-5)
    words = setting_of("shaw").words
    assert f"“{words[7]}”" in board.sentences()[0]
    assert f"“{words[1]}”" in board.sentences()[0]


def wait_for_cell(board: object, cell: dict[str, int]) -> dict[str, int]:
    for _ in range(100):
        if board.cell() == cell:
            break
        board.visit.page.wait_for_timeout(20)
    return board.cell()


def test_every_panel_shows_its_own_number(shaw: Visit) -> None:
    board = shaw.board("shaw-terms")
    for panel in ("cc", "cp", "sum", "att"):
        title = board.board.locator(f"[data-panel={panel}] .title .number").inner_text()
        assert parsed(title) == board.value(panel)


def test_arrow_keys_move_the_cell(shaw: Visit) -> None:
    """One cell a press, ten with Shift, to the edge and no further; Escape goes back to the kept cell."""
    board = shaw.board("shaw-terms")
    plot = board.plot("cc")
    with shaw.silence():
        plot.focus()
        for key, cell in (
            ("Escape", {"i": 2, "j": 0}),
            ("ArrowDown", {"i": 3, "j": 0}),
            ("ArrowRight", {"i": 3, "j": 1}),
            ("ArrowUp", {"i": 2, "j": 1}),
            ("End", {"i": 2, "j": N - 1}),
            ("ArrowRight", {"i": 2, "j": N - 1}),
            ("Shift+ArrowDown", {"i": N - 1, "j": N - 1}),
            ("Home", {"i": N - 1, "j": 0}),
            ("Escape", {"i": 2, "j": 0}),
        ):
            shaw.page.keyboard.press(key)
            assert wait_for_cell(board, cell) == cell, key


def test_a_click_puts_the_cell_into_the_address_and_a_reload_restores_it(visit: Callable[..., Visit]) -> None:
    seen = visit("alibi", first=100, **QUERY)
    board = seen.board("alibi-terms")
    board.point("cc", 5, 4, click=True)
    seen.wait_for_query(cell="5,4")
    assert wait_for_cell(board, {"i": 105, "j": 104}) == {"i": 105, "j": 104}
    seen.page.reload()
    seen.settled(5)
    for key in ("alibi-terms", "alibi-bias"):
        assert seen.board(key).cell() == {"i": 105, "j": 104}, key
    seen.page.keyboard.press("Escape")
    assert seen.query()["cell"] == "5,4"


def test_a_kept_cell_survives_a_knob(visit: Callable[..., Visit]) -> None:
    seen = visit("alibi", cell="5,4", **QUERY)
    slider = seen.slider("length")
    slider.focus()
    seen.page.keyboard.press("ArrowRight")
    seen.wait_for_query(length=str(N + 1), cell="5,4")
    for _ in range(200):
        if seen.board("alibi-terms").pixels("sum").shape[0] == N + 1:
            break
        seen.page.wait_for_timeout(50)
    assert seen.board("alibi-terms").pixels("sum").shape[0] == N + 1
    assert seen.board("alibi-terms").cell() == {"i": 5, "j": 4}


def test_colours_are_those_of_the_palette(causal: Visit) -> None:
    """Cell by cell; the board keeps 1,024 shades of a scale, less than two levels apart from the exact one."""
    board = causal.board("shaw-terms")
    module, setting = catalogue.load("shaw"), setting_of("shaw", causal=True)
    mask = evaluate.seen(module, setting)
    terms = evaluate.terms(module, setting)
    parts = [np.where(mask, part[0], np.nan) for part in (terms.content_content, terms.content_position, terms.total())]
    attention = np.where(mask, softmax(terms.total()[0], mask), np.nan)
    for panel, matrix, scale in (
        *((panel, matrix, palette.signed(*parts)) for panel, matrix in zip(("cc", "cp", "sum"), parts, strict=True)),
        ("att", attention, palette.share(attention)),
    ):
        pixels = board.pixels(panel)
        assert ((pixels[..., 3] == 255) == mask).all()
        gap = np.abs(pixels[..., :3].astype(int) - palette.paint(matrix, scale))[mask]
        assert gap.max() <= 2, panel


PLOTLY = """(async () => {
  const { matrix, low, high, stops } = GIVEN;
  const node = document.body.appendChild(document.createElement("div"));
  const trace = { type: "heatmap", z: matrix, zmin: low, zmax: high, colorscale: stops, zsmooth: "fast", showscale: false };
  await Plotly.newPlot(node, [trace], { width: 500, height: 500, yaxis: { autorange: "reversed" } }, { staticPlot: true });
  const image = new Image();
  image.src = node.querySelector(".hm image").getAttribute("href") ?? node.querySelector(".hm image").getAttribute("xlink:href");
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const data = [...canvas.getImageData(0, 0, image.naturalWidth, image.naturalHeight).data];
  Plotly.purge(node);
  node.remove();
  return [image.naturalHeight, image.naturalWidth, data];
})()"""


@pytest.mark.parametrize(("panel", "stops"), [("sum", palette.SIGNED), ("att", palette.SHARE)])
def test_colours_are_those_of_a_plotly_heatmap(panel: str, stops: palette.Stops, shaw: Visit) -> None:
    """The same numbers, stops and range, drawn by Plotly in the same browser: an image of one pixel a cell."""
    logits = evaluate.terms(catalogue.load("shaw"), setting_of("shaw"))
    matrix = logits.total()[0] if panel == "sum" else softmax(logits.total())[0]
    every = [part[0] for _, part in logits.present()]
    scale = palette.signed(*every, matrix) if panel == "sum" else palette.share(matrix)
    assert scale == Range(scale.low, scale.high, stops)
    given = {"matrix": matrix.astype(np.float32).tolist(), "low": scale.low, "high": scale.high, "stops": [list(stop) for stop in stops]}
    shaw.js(files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8"))  # the page's own has no heatmaps
    rows, columns, data = shaw.js(PLOTLY.replace("GIVEN", json.dumps(given)))
    plotly = np.array(data).reshape(rows, columns, 4)
    assert plotly.shape == (N, N, 4)
    board = shaw.board("shaw-terms").pixels(panel).astype(int)
    assert np.abs(board - plotly).max() <= 2


def test_the_board_is_told_to_those_who_do_not_see_it(shaw: Visit) -> None:
    board = shaw.board("shaw-terms")
    assert len(board.board.get_attribute("aria-label")) > 20
    plot = board.plot("sum")
    assert plot.get_attribute("tabindex") == "0"
    assert plot.get_attribute("aria-label")
    plot.focus()
    shaw.page.keyboard.press("ArrowDown")
    live = board.board.locator("[aria-live=polite]")
    shaw.page.wait_for_timeout(600)
    assert str(board.cell()["i"]) in live.inner_text()
    shaw.page.keyboard.press("Escape")
    assert board.plot("pc").get_attribute("tabindex") is None, "an absent term is no stop for the keyboard"
