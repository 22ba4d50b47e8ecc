"""Tokens, their vectors, the heads' projections."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from posenc import content


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("You are great.", ["You", "are", "great", "."]),
        ("l'été don’t", ["l'été", "don’t"]),
        ("'quoted'", ["'", "quoted", "'"]),
        ("x_1 3.14", ["x_1", "3", ".", "14"]),
        ("", []),
        (" \t\n\u3000\u00a0", []),
    ],
)
def test_words_are_tokens_and_so_is_every_other_sign(sentence: str, expected: list[str]) -> None:
    assert content.tokens(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("读书好、读好书", list("读书好、读好书")),
        ("四川人abc不怕辣", ["四", "川", "人", "abc", "不", "怕", "辣"]),
        ("カタカナのー々", list("カタカナのー々")),
        ("か\u3099と中\ufe00文", ["か\u3099", "と", "中\ufe00", "文"]),
        ("한국어 단어", ["한국어", "단어"]),
    ],
)
def test_chinese_and_japanese_are_cut_by_character_with_its_marks(sentence: str, expected: list[str]) -> None:
    assert content.tokens(sentence) == expected


@pytest.mark.parametrize("sign", ["👩‍👩‍👧‍👦", "👍🏽", "🇫🇷", "❤️", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"])
def test_a_composed_emoji_is_one_token(sign: str) -> None:
    assert content.tokens(f"a {sign}{sign} b") == ["a", sign, sign, "b"]


@pytest.mark.parametrize("word", ["السلام", "שָׁלוֹם", "می\u200cخواهم", "नमस्ते", "क्\u200dष", "e\u0301te\u0301", "𝔘nicode", "1️⃣"])
def test_marks_and_joiners_stay_inside_their_word(word: str) -> None:
    assert content.tokens(f"{word} {word}.") == [word, word, "."]


def test_markup_is_text_like_any_other() -> None:
    assert content.tokens("<b>x</b>") == ["<", "b", ">", "x", "<", "/", "b", ">"]
    assert content.tokens("$x$ | `y`") == ["$", "x", "$", "|", "`", "y", "`"]


def test_invisible_signs_are_no_tokens() -> None:
    assert content.tokens("a\nb\r\n\tc\x00d\x1b[\u202ee\u202c\ufefff\u200b\ud83d") == ["a", "b", "c", "d", "[", "e", "f"]


@pytest.mark.parametrize("length", [1, 3, 9])
def test_a_sentence_is_cut_or_padded_with_distinct_fillers(length: int) -> None:
    words = content.fit(["to", "be", "to"], length)
    assert len(words) == length
    assert words[:3] == ["to", "be", "to"][:length]
    assert len(set(words[3:])) == len(words[3:])
    assert not set(words[3:]) & set(content.tokens(" ".join(words[3:])))


def test_a_longer_sentence_starts_as_the_shorter_one() -> None:
    short, long = (content.fit(content.tokens("to be"), length) for length in (5, 12))
    assert long[:5] == short
    np.testing.assert_array_equal(content.vectors(long, 8, 1)[:5], content.vectors(short, 8, 1))


def test_no_length_is_refused() -> None:
    with pytest.raises(ValueError, match="length is 0; it must be at least 1"):
        content.fit(["a"], 0)


def test_a_word_has_the_same_vector_wherever_it_stands() -> None:
    x = content.vectors(["a", "b", "a"], 8, 0)
    np.testing.assert_array_equal(x[0], x[2])
    assert np.all(x[0] != x[1])
    assert np.all(content.vectors(["a"], 8, 1) != x[0])


def test_loudness_scales_the_vectors() -> None:
    np.testing.assert_array_equal(content.vectors(["a", "b"], 8, 0, 3.0), 3 * content.vectors(["a", "b"], 8, 0))
    np.testing.assert_array_equal(content.vectors(["a"], 8, 0, 0.0), np.zeros((1, 8)))


def test_vectors_are_the_same_in_every_process() -> None:
    """Python's own hash() changes with PYTHONHASHSEED."""
    np.testing.assert_allclose(
        content.vectors(["great", "书"], 3, 0),
        [[1.41186958, -0.62578455, -0.88619786], [1.10140914, 1.23320243, -0.43411995]],
        rtol=0,
        atol=5e-9,
    )
    program = "from posenc import content; print(content.vectors(['great', '书'], 3, 0).tobytes().hex())"
    for hash_seed in ("1", "2"):
        environment = {"PYTHONPATH": str(Path(content.__file__).parents[1]), "PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"}
        printed = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True).stdout
        assert printed.strip() == content.vectors(["great", "书"], 3, 0).tobytes().hex()


def test_entries_are_standard_normal() -> None:
    x = np.sort(content.vectors([str(number) for number in range(200)], 64, 0).ravel())
    quantiles = np.array([-1.6448536, -0.6744898, 0, 0.6744898, 1.6448536])
    np.testing.assert_allclose(np.quantile(x, [0.05, 0.25, 0.5, 0.75, 0.95]), quantiles, rtol=0, atol=0.06)


def test_each_head_has_its_own_projections_made_only_when_asked_for() -> None:
    some, all_heads = content.projections("w_q", [2, 0], 8, 0), content.projections("w_q", range(4), 8, 0)
    np.testing.assert_array_equal(some, all_heads[[2, 0]])
    assert np.all(all_heads[0] != all_heads[1])
    assert np.all(content.projections("w_k", [0], 8, 0) != all_heads[:1])


def test_a_projection_cannot_be_changed_behind_the_cache() -> None:
    with pytest.raises(ValueError, match="read-only"):
        content.projection("w_q", 0, 8, 0)[0, 0] = 1
    content.projections("w_q", [0], 8, 0)[0, 0, 0] = 1


def test_projections_keep_the_scale_of_content() -> None:
    x = content.vectors([str(number) for number in range(100)], 256, 0)
    projected = x @ content.projection("w_q", 0, 256, 0)
    np.testing.assert_allclose(np.linalg.norm(projected, axis=1), 16, rtol=0, atol=3.5)
