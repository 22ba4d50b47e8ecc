"""The pages about trained models: what they draw is what posenc computes of the shipped weights, at any sentence and head."""

import re

import numpy as np
import pytest

from explain import controls, panels, weights, wordpiece
from explain.words import text
from posenc import bert
from tests.pages import app

PAGES = ("real_model", "trained_tables", "your_model")
SENTENCES = ("", "Stop!", "字" * 500, "각" * 500, "All that glitters 한국어 🐈 <b>x</b> $y$ {i} {{cc}} **z**", "a " * 250)


def drawn(at: app.AppTest, sentence: str, head: int) -> None:
    """The board of terms holds this head's terms of this sentence."""
    read = wordpiece.read(sentence, 512)
    terms = bert.terms(**weights.first_layer(read.ids), head=[head])
    board = app.boards(at)["real_model-opened"]
    step = -(-len(read.ids) // panels.MOST)
    for panel, part in zip(("cc", "cp", "pc", "pp"), terms[:4], strict=True):
        wanted = part[0][::step, ::step]
        np.testing.assert_allclose(board.arrays[panel], wanted, rtol=0, atol=1e-5 * np.abs(wanted).max())
    assert board.head["axes"]["j"]["labels"] == list(read.labels[::step])


@pytest.mark.parametrize("page", PAGES)
def test_nothing_goes_wrong(page: str) -> None:
    at = app.opened(page)
    assert not at.exception
    assert [one.value for one in (*at.error, *at.warning)] == []
    for prose in app.said(at):
        assert not app.unfilled(prose), prose
    for key, chart in app.charts(at).items():
        assert all(np.isfinite(app.array(trace["y"])).any() for trace in chart.figure["data"]), key


@pytest.mark.parametrize("head", [1, 3, 12])
def test_the_board_shows_the_models_own_terms(head: int) -> None:
    at = app.opened("real_model", head=head)
    drawn(at, controls.SENTENCE, head - 1)
    proof = next(one.value for one in at.caption if one.value.startswith("Proof"))
    assert float(re.search(r"difference ([\d.]+(?:e−\d+)?)", proof)[1].replace("−", "-")) < 1e-10


def test_any_sentence() -> None:
    at = app.opened("real_model")
    for sentence in SENTENCES:
        at = at.text_input(key="sentence").set_value(sentence).run()
        assert not at.exception, sentence
        assert not at.error, sentence
        drawn(at, sentence, 0)
        for prose in app.said(at):
            assert not re.search(r"\bnan\b|\bNone\b|\binf\b", prose), prose


def test_words_that_the_shipped_rows_cut_or_lose_are_told() -> None:
    at = app.opened("real_model", sentence="glitters 한국어 🐈")
    told = " ".join(one.value for one in (*at.info, *at.caption))
    assert "glitter" in told
    assert "한국어" in told
    assert "🐈" in told
    assert not at.success


@pytest.mark.parametrize("page", PAGES)
def test_a_head_beyond_the_last_gives_way_and_says_so(page: str) -> None:
    at = app.opened(page, head=64)
    assert not at.exception
    assert text("controls", "heads.given_way", head=64, heads=12) in [one.value for one in at.caption]
