"""How long a reader waits after a key press, as multiples of an empty Streamlit page's rerun on the same server: make bench

Milliseconds are shown to find out where they go; what counts are the ratios, since machines differ.
"""

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from posenc import catalogue
from tests.browser import chromium
from tests.browser.serving import Server, serving
from tests.browser.visit import Visit

HERE = Path(__file__).resolve().parent
TARGETS = {"board": 2.0, "all": 6.0, "n = 512 / n = 64": 2.0, "four schemes / one": 3.0}
FOUR = {"first_scheme": "sinusoidal", "second_scheme": "shaw", "third_scheme": "t5", "fourth_scheme": "alibi"}
# Notes when each figure is painted anew. Observers see into open shadow roots if they are given their nodes.
WATCH = """(() => {
  const deep = (root) => [...root.querySelectorAll("*")].flatMap((n) => [n, ...(n.shadowRoot ? deep(n.shadowRoot) : [])]);
  const key = (node) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
      const found = [...(at.classList ?? [])].find((name) => name.startsWith("st-key-"));
      if (found) return found.slice(7);
    }
    return "?";
  };
  const bench = (window.bench ??= { seen: new WeakSet() });
  if (!bench.listening) {
    document.addEventListener("keydown", () => { bench.start = performance.now(); bench.times = {}; bench.paint = 0; }, true);
    bench.listening = true;
  }
  const observe = (node, name) => {
    if (bench.seen.has(node)) return;
    bench.seen.add(node);
    new MutationObserver(() => {
      bench.times[name] = performance.now() - bench.start;
      if (node.dataset.paintMs) bench.paint += Number(node.dataset.paintMs);
    }).observe(node, { attributeFilter: ["data-painted"] });
  };
  for (const node of deep(document)) if (node.matches(".board, .chart")) observe(node, key(node));
  const value = () => document.querySelector("[data-testid=stMain]").textContent.match(/value \\d+/)?.[0];
  bench.value = value();
  if (bench.value && !bench.empty) {
    bench.empty = new MutationObserver(() => {
      if (value() === bench.value) return;
      bench.value = value();
      bench.times.empty = performance.now() - bench.start;
    });
    bench.empty.observe(document.querySelector("[data-testid=stMain]"), { characterData: true, subtree: true, childList: true });
  }
  bench.start = 0; bench.times = {};
})()"""


class Step(NamedTuple):
    """One key press, all in milliseconds: until each figure showed the new value, what the script took, what the canvases took."""

    times: dict[str, float]
    script: float
    paint: float
    received: int
    """Bytes that the server sent."""


class Bench:
    """One page, stepped through by keyboard."""

    def __init__(self, page: Page, server: Server) -> None:
        self.server, self.visit, self.received = server, Visit(page, server.url), 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def steps(self, path: str, knob: str, count: int, **query: object) -> list[Step]:
        """Presses the right arrow on a knob's slider so many times, each when the last one's effects are over; two more for practice."""
        self.visit.open(path, **query)
        self.visit.page.wait_for_timeout(1500)
        self.visit.js(WATCH)
        slider = self.visit.slider(knob)
        slider.focus()
        found = []
        for _ in range(count + 2):
            said, self.received = self.server.log.stat().st_size, 0
            self.visit.page.keyboard.press("ArrowRight")
            self._rest()
            times = self.visit.js("window.bench.times")
            with self.server.log.open() as log:
                log.seek(said)
                script = sum(float(line.split()[1]) for line in log if line.startswith("script "))
            found.append(Step(times, script, self.visit.js("window.bench.paint"), self.received))
        return found[2:]

    def _rest(self) -> None:
        """Until nothing has been painted for a while after something was."""
        self.visit.until(
            """() => {
              const last = Math.max(0, ...Object.values(window.bench.times));
              const idle = document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";
              return last > 0 && idle && performance.now() - window.bench.start - last > 400;
            }"""
        )

    def _count(self, frame: str | bytes) -> None:
        self.received += len(frame)


def median(steps: list[Step], which: str) -> float:
    """The median of the first board, of the last figure, or of another field of a step."""
    return statistics.median(
        {
            "board": lambda step: min((time for key, time in step.times.items() if key.endswith("-terms")), default=0),
            "all": lambda step: max(step.times.values(), default=0),
        }.get(which, lambda step: getattr(step, which))(step)
        for step in steps
    )


def shown(label: str, steps: list[Step], empty: float) -> tuple[float, float]:
    """Prints one line of the table; the two ratios."""
    board, everything = median(steps, "board"), median(steps, "all")
    figures = statistics.median(len(step.times) for step in steps)
    print(
        f"{label:<34}{board:>7.0f}{board / empty:>7.1f}×{everything:>9.0f}{everything / empty:>7.1f}×"
        f"{median(steps, 'script'):>9.0f}{median(steps, 'paint'):>8.1f}{median(steps, 'received') / 1024:>9.0f}{figures:>9.0f}"
    )
    return board / empty, everything / empty


def main() -> None:
    """Measures, prints a table, and says which targets are missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", default=catalogue.SCHEMES, help="pages to measure (default: all)")
    parser.add_argument("--steps", type=int, default=12, help="key presses that count (default: 12)")
    given = parser.parse_args()
    print(f"{'':<34}{'board':>15}{'all figures':>17}{'script':>9}{'paint':>8}{'KiB':>9}{'figures':>9}")
    missed = []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), HERE / "served.py", cwd=HERE.parents[1]) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=list(chromium.FLAGS))
        bench = Bench(browser.new_page(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce"), server)
        before = bench.steps("empty", "length", given.steps)
        for name in given.pages:
            empty = bench.steps("empty", "length", given.steps)  # anew for each page: a machine's speed drifts
            unit = median(empty, "all")
            shown(f"empty rerun before {name}", empty, unit)
            board, everything = shown(f"{name}, n = 24", bench.steps(name, "length", given.steps, length=24), unit)
            small = bench.steps(name, "length", given.steps, length=64)
            shown(f"{name}, n = 64", small, unit)
            large = bench.steps(name, "length", given.steps, length=512 - given.steps - 2)
            shown(f"{name}, n = 512", large, unit)
            for figure in sorted(small[0].times, key=lambda key: statistics.median(step.times.get(key, 0) for step in small)):
                print(f"    {figure:<30}{statistics.median(step.times.get(figure, 0) for step in small):>7.0f} ms at n = 64")
            ratios = {"board": board, "all": everything, "n = 512 / n = 64": median(large, "board") / median(small, "board")}
            missed += [
                f"{name}: {what} {ratio:.1f}×, target {TARGETS[what]:.0f}×" for what, ratio in ratios.items() if ratio > TARGETS[what]
            ]
        one = statistics.median(median(bench.steps(scheme, "length", given.steps, length=24), "all") for scheme in FOUR.values())
        four = median(bench.steps("compare", "length", given.steps, length=24, **FOUR), "all") / one
        print(f"compare with four schemes: {four:.1f}× the time of one of them on its own page")
        if four > TARGETS["four schemes / one"]:
            missed.append(f"compare: four schemes / one {four:.1f}×, target {TARGETS['four schemes / one']:.0f}×")
        browser.close()
    print(f"first empty rerun {median(before, 'all'):.0f} ms")
    print("\n".join(["missed:", *missed]) if missed else "every target is met")


if __name__ == "__main__":
    main()
