"""What axe-core finds wrong with a page for readers who don't see it, or don't use a mouse."""

from importlib.resources import files

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# What colours do is tested in test_every_page, for every text and in both themes; axe takes half of its time for it.
ASK = """axe.run(document, { resultTypes: ["violations"], rules: { "color-contrast": { enabled: false } } })
  .then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`)))"""


def findings(page: Page) -> list[str]:
    """Everything serious or critical. By the browser's own tools, which no content policy stops."""
    session = page.context.new_cdp_session(page)
    answer = session.send("Runtime.evaluate", {"expression": f"{AXE};{ASK}", "returnByValue": True, "awaitPromise": True})
    session.detach()
    return answer["result"]["value"]
