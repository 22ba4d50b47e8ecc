"""What readers type is text: never a tag, a formula, a link or a picture, wherever it is shown."""

from collections.abc import Callable

from posenc import content
from tests.browser.visit import Visit

HOSTILE = "<b>x</b> $x$ {i} `c`"
"""Short enough for every token to be a label of its own."""
LONG = (
    "{{cc}} %{y} <img src=x onerror=window.hacked=1> <script>window.hacked=1</script> [a](http://b) :smile: https://c.example \\frac{1}{2}"
)
RIGHT_TO_LEFT = "הכלב נשך את האיש والرجل 🐈‍⬛ 👩‍👩‍👧 字"


def labels(seen: Visit, key: str) -> list[str]:
    """The tokens that a board's readout and ticks show."""
    return [*seen.board(key).board.locator("bdi").all_text_contents()]


def test_markup_stays_text(visit: Callable[..., Visit]) -> None:
    scheme = "shaw"
    words = content.tokens(HOSTILE)
    seen = visit(scheme, sentence=HOSTILE, length=len(words), width=8)
    main = seen.page.get_by_test_id("stMain")
    board = seen.board(f"{scheme}-terms")
    assert set(words) <= set(labels(seen, f"{scheme}-terms"))
    assert board.board.locator("b, img, a, i").count() == 0
    assert main.locator("img[src=x]").count() == 0
    assert seen.js("window.hacked") is None
    assert board.sentences()[0].count("“") == 2
    seen.open(scheme, sentence=LONG, length=60, width=8)
    assert board.board.locator("b, img, a, i, script").count() == 0
    assert main.locator("img[src=x], a[href*='c.example']").count() == 0
    assert seen.js("window.hacked") is None
    assert seen.complaints() == []


def test_markup_in_refusals(visit: Callable[..., Visit]) -> None:
    """A value out of a link is shown as it came."""
    hostile = "$x$ :smile: [a](http://b.example) https://c.example"
    seen = visit("alibi", length="<b>1</b>", width=hostile, heads="![i](http://x)", head="www.d.example e@f.example")
    alerts = seen.page.get_by_test_id("stAlertContentWarning")
    told = " ".join(alerts.all_inner_texts()).replace("\u200b", "")  # it keeps addresses from becoming links
    assert "<b>1</b>" in told
    assert "$x$ :smile: [a](http" in told
    assert "![i](http://x)" in told
    assert alerts.locator("b, a, img, .katex").count() == 0
    assert seen.complaints() == []


def test_any_script(visit: Callable[..., Visit]) -> None:
    """Right to left, composed emoji, Chinese: each token whole, in its own direction, the sentence around it in its own."""
    words = content.tokens(RIGHT_TO_LEFT)
    seen = visit("shaw", sentence=RIGHT_TO_LEFT, length=len(words), width=8, cell="0,4")
    found = labels(seen, "shaw-terms")
    assert set(words) <= set(found)
    assert {"🐈‍⬛", "👩‍👩‍👧", "字"} <= set(words)
    ticks = seen.board("shaw-terms").board.locator("bdi.tick")
    assert {tick.get_attribute("dir") for tick in ticks.all()} == {"auto"}
    assert seen.overflow() <= 0
    assert seen.complaints() == []


def test_the_sentence_is_typed_and_kept_in_the_address(visit: Callable[..., Visit]) -> None:
    seen = visit("alibi", length=4, width=8)
    field = seen.page.get_by_role("textbox", name="Sentence")
    field.fill("<b>x</b>")
    field.press("Enter")
    seen.wait_for_query(sentence="<b>x</b>")
    seen.settled(5)
    for _ in range(100):
        if set(content.tokens("<b>x</b>")[:4]) <= set(labels(seen, "alibi-terms")):
            break
        seen.page.wait_for_timeout(50)
    assert set(content.tokens("<b>x</b>")[:4]) <= set(labels(seen, "alibi-terms"))
    seen.page.reload()
    seen.settled(5)
    assert field.input_value() == "<b>x</b>"
