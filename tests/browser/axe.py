"""What axe-core finds wrong with a page for readers who don't see it, or don't use a mouse."""

from importlib.resources import files

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
ASK = """axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`)))"""


def findings(page: Page) -> list[str]:
    """Everything serious or critical. By the browser's own tools, which no content policy stops."""
    session = page.context.new_cdp_session(page)
    answer = session.send("Runtime.evaluate", {"expression": f"{AXE};{ASK}", "returnByValue": True, "awaitPromise": True})
    session.detach()
    return answer["result"]["value"]
