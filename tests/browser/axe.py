"""What axe-core finds wrong with a page for readers who don't see it, or don't use a mouse."""

import json
from importlib.resources import files

from playwright.sync_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
COLOURS = "color-contrast"
"""The rule that depends on the theme."""
ASK = """axe.run(document, { resultTypes: ["violations"], ...%s }).then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.flat().join(" ")}: ${failureSummary}`)))"""


def findings(page: Page, *rules: str) -> list[str]:
    """Everything serious or critical, by all rules or by some. By the browser's own tools, which no content policy stops."""
    session = page.context.new_cdp_session(page)
    asked = json.dumps({"runOnly": list(rules)} if rules else {})
    answer = session.send("Runtime.evaluate", {"expression": f"{AXE};{ASK % asked}", "returnByValue": True, "awaitPromise": True})
    session.detach()
    return answer["result"]["value"]
