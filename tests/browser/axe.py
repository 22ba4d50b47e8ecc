"""What axe-core finds wrong with a page for readers who don't see it, or don't use a mouse."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# Half of its time goes to what is not wanted: colours are tested in test_every_page, for every text and in both themes; regions are
# never serious. On a phone, Streamlit's list of pages has headings between its items.
ASK = """axe.run(
  { exclude: ["[data-testid=stSidebarNav]"] },
  { resultTypes: ["violations"], rules: { "color-contrast": { enabled: false }, region: { enabled: false } } },
).then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`)))"""


def findings(page: Page) -> list[str]:
    """Everything serious or critical. By the browser's own tools, which no content policy stops."""
    session = page.context.new_cdp_session(page)

    def value(expression: str) -> Any:
        answer = session.send("Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True})
        return answer["result"].get("value")

    if value("typeof axe") == "undefined":
        value(AXE)
    found = value(ASK)
    session.detach()
    return found
