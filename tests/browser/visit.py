"""A page of the app in a real browser, and what a reader sees of it."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Locator, Page, expect

IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
SETTLED = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  if (app?.dataset.testScriptState !== "notRunning") return false;
  if (document.querySelector("[data-testid=stSkeleton], [data-stale=true]")) return false;
  const deep = (root) => [...root.querySelectorAll("*")].flatMap((node) => [node, ...(node.shadowRoot ? deep(node.shadowRoot) : [])]);
  const figures = deep(document.querySelector("[data-testid=stMain]")).filter((node) => node.matches(".board, .chart"));
  return figures.length >= MOUNTED && figures.every((node) => Number(node.dataset.painted) > 0);
}"""
HARMLESS = re.compile(
    r"Failed to load resource: the server responded with a status of 404 \(Not Found\) \S*/\w+/_stcore/(health|host-config)$"
    r"|^Executing inline script violates the following Content Security Policy directive 'script-src 'self' blob:'"
)
"""Console lines of Streamlit's own: it looks for its server under the page's path first, and its index has one inline script."""


class Visit:
    """One visit: a browser page with the app in it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url
        self.console: list[str] = []
        self.asked: set[str] = set()
        """Every address that the page asked for."""
        self.frames = 0
        self._session = page.context.new_cdp_session(page)
        page.on("console", lambda message: self.console.append(_line(message)) if message.type in ("error", "warning") else None)
        page.on("request", lambda request: self.asked.add(request.url))
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("websocket", lambda socket: socket.on("framesent", lambda _frame: self._count()))

    def open(self, path: str = "", **query: object) -> "Visit":
        """Follows a link, and waits until all is drawn."""
        self.console.clear()
        self.page.goto(f"{self.url}/{path}" + (f"?{urlencode(query, doseq=True)}" if query else ""))
        return self.settled()

    def settled(self, figures: int = 0) -> "Visit":
        """Waits until the script has run and every figure is painted."""
        self.page.wait_for_selector(IDLE)
        self.until(SETTLED.replace("MOUNTED", str(figures)))
        return self

    def until(self, condition: str, seconds: float = 60) -> None:
        """Waits until a JavaScript function of nothing says so."""
        end = seconds * 1000
        while not self.js(f"({condition})()"):
            end -= 80
            if end < 0:
                raise AssertionError(f"never came true: {condition}")
            self.page.wait_for_timeout(80)

    def js(self, expression: str) -> Any:
        """The value of a JavaScript expression. By the browser's own tools, which no content policy stops."""
        answer = self._session.send("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{answer['exceptionDetails']['exception'].get('description')} in {expression}")
        return answer["result"].get("value")

    def complaints(self) -> list[str]:
        """Console errors and warnings, without the harmless ones."""
        return [line for line in self.console if not HARMLESS.search(line)]

    def headings(self) -> list[str]:
        """The page's own headings."""
        return self.page.locator("[data-testid=stMain] :is(h1, h2)").all_inner_texts()

    def navigation(self) -> Locator:
        """The links to all pages, at the top or in the side bar."""
        return self.page.locator("[data-testid=stTopNavLink], [data-testid=stSidebarNavLink], [data-testid=stTopNavSection]")

    def overflow(self) -> int:
        """By how many pixels the page is wider than the screen."""
        return self.js(
            "Math.max(...[document.scrollingElement, document.querySelector('[data-testid=stMain]')]"
            ".filter(Boolean).map((node) => node.scrollWidth - node.clientWidth))"
        )

    def board(self, key: str) -> "BoardView":
        """The board of that key."""
        return BoardView(self, key)

    def charts(self) -> Locator:
        """Every chart of the page."""
        return self.page.locator(".chart[data-painted]")

    def slider(self, knob: str) -> Locator:
        """A knob's slider, which takes arrow keys."""
        return self.page.locator(f".st-key-{knob} input[type=range]")

    def query(self) -> dict[str, str]:
        """The parameters in the address."""
        return self.js("Object.fromEntries(new URLSearchParams(location.search))")

    def wait_for_query(self, **wanted: str | None) -> None:
        """Until the address has these parameters; None stands for: has it no more."""
        condition = " && ".join(
            f"new URLSearchParams(location.search).get({json.dumps(name)}) === {json.dumps(value)}" for name, value in wanted.items()
        )
        self.until(f"() => {condition}")

    @contextmanager
    def silence(self) -> Iterator[None]:
        """What happens inside must not send anything to the server."""
        before = self.frames
        yield
        self.page.wait_for_timeout(300)
        assert self.frames == before, f"{self.frames - before} messages were sent"

    def _count(self) -> None:
        self.frames += 1


class BoardView:
    """A board as it is seen."""

    def __init__(self, visit: Visit, key: str) -> None:
        self.visit, self.key = visit, key
        self.board = visit.page.locator(f".st-key-{key} .board")
        expect(self.board).to_have_attribute("data-painted", re.compile(r"\d+"))

    def painted(self) -> int:
        """How often it has been painted."""
        return int(self.board.get_attribute("data-painted"))

    def cell(self) -> dict[str, int]:
        """The cell shown, by axis."""
        return {key: int(value) for key, value in (part.split("=") for part in self.board.get_attribute("data-cell").split(","))}

    def plot(self, panel: str) -> Locator:
        """A panel's plot."""
        return self.board.locator(f"[data-panel={panel}] .plot")

    def title(self, panel: str) -> str:
        """A panel's title."""
        return self.board.locator(f"[data-panel={panel}] .title .name").inner_text()

    def sentences(self) -> list[str]:
        """The lines of the readout."""
        return self.board.locator(".readout .sentence").all_inner_texts()

    def value(self, panel: str) -> float:
        """The number that the readout shows of a panel."""
        return parsed(self.board.locator(f".value[data-of={panel}]").inner_text())

    def pixels(self, panel: str) -> np.ndarray:
        """The canvas, (rows, columns, RGBA): one pixel a cell."""
        found = self.visit.js(
            f"""(() => {{
              const host = document.querySelector('.st-key-{self.key}');
              const deep = (root) => [...root.querySelectorAll("*")].flatMap((n) => [n, ...(n.shadowRoot ? deep(n.shadowRoot) : [])]);
              const board = deep(host).find((node) => node.matches('.board'));
              const canvas = board.querySelector('[data-panel={panel}] canvas');
              const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {{ willReadFrequently: true }});
              copy.drawImage(canvas, 0, 0);
              const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
              return [canvas.height, canvas.width, [...data]];
            }})()"""
        )
        rows, columns, data = found
        return np.array(data, dtype=np.uint8).reshape(rows, columns, 4)

    def point(self, panel: str, row: int, column: int, *, click: bool = False) -> None:
        """Moves the pointer over a cell, and clicks there if asked to."""
        plot = self.plot(panel)
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        rows, columns = self.pixels(panel).shape[:2]
        x, y = box["x"] + box["width"] * (column + 0.5) / columns, box["y"] + box["height"] * (row + 0.5) / rows
        self.visit.page.mouse.move(x, y)
        if click:
            self.visit.page.mouse.click(x, y)


def parsed(shown: str) -> float:
    """A number as the board writes it."""
    digits = shown.replace("−", "-")
    if "×10" in digits:
        mantissa, power = digits.split("×10")
        return float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    return float(digits)


def _line(message: Any) -> str:
    where = message.location.get("url", "")
    return f"{message.text} {where}" if "Failed to load resource" in message.text else message.text
