"""Translations: the same keys, placeholders, formulas and answers as in English, all of it translated, and typeset as Chinese is."""

import re
import unicodedata
from collections.abc import Callable, Iterator

import pytest

from explain import words

LANGUAGE = "zh"
HAN = r"[\u3400-\u4dbf\u4e00-\u9fff]"
FORMULA = re.compile(r"\$[^$]+\$")
DOUBLE = re.compile(r"\{\{\w+\}\}")
SINGLE = re.compile(r"(?<!\{)\{[\w.]+\}(?!\})")
CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\]\([^)]*\)")
EMPHASIS = re.compile(r"(?<!\*)(\*+)(?!\*)(.+?)(?<!\*)\1(?!\*)")
KEPT = {("complex_order", "title"), ("order", "examples"), ("ranking", "columns")}
"""Texts that stay as they are: the name of a scheme, sentences in two languages, and names of columns that only code reads."""
NAMES = {
    *("ALiBi", "CoPE", "DeBERTa", "FIRE", "KERPLE", "Leaky", "Llama", "LongRoPE", "NTK", "aware", "NoPE", "ReRoPE", "RoPE", "SHAPE"),
    *("Sandwich", "Shaw", "T5", "TENER", "TUPE", "Transformer", "XL", "XLNet", "YaRN", "xPos", "tensor2tensor", "logit", "softmax"),
}
"""Words that Chinese texts write in Latin letters; single letters, numbers and signs go without saying."""


def pages(language: str) -> list[str]:
    return sorted(path.stem for path in (words.FOLDER / language).glob("*.md"))


def faults(page: str, fault: Callable[[str, str], object]) -> dict[str, object]:
    """What `fault` finds in (English, Chinese) of each key of a page."""
    mine, reference = words.texts(LANGUAGE, page), words.texts(words.DEFAULT, page)
    found = {key: fault(reference[key], text) for key, text in mine.items() if key in reference}
    return {key: one for key, one in found.items() if one}


def is_formula(text: str) -> bool:
    """Whether a text is TeX as a whole."""
    return "\\" in text and "$" not in text


def formulas(text: str) -> list[str]:
    """Every formula of a text in some fixed order, without the words in it."""
    found = [text] if is_formula(text) else FORMULA.findall(text)
    return sorted(re.sub(r"\\text\{[^{}]*\}", r"\\text{}", one) for one in found)


def placeholders(text: str) -> list[str]:
    """{{name}} and, outside of formulas, {name}."""
    return sorted(DOUBLE.findall(text) + ([] if is_formula(text) else SINGLE.findall(FORMULA.sub("", text))))


def prose(text: str, instead: str = "") -> str:
    """A text without formulas, code, addresses and placeholders."""
    if is_formula(text):
        return ""
    for pattern in (FORMULA, CODE, DOUBLE, SINGLE):
        text = pattern.sub(instead, text)
    return LINK.sub("]", text)


def latin(text: str) -> set[str]:
    """Words in Latin letters that are no names."""
    return set(re.findall(r"[A-Za-z][A-Za-z0-9']+", prose(text))) - NAMES


def misplaced(text: str) -> Iterator[str]:
    """Emphasis that Markdown would not close: after a sign its mark needs a space or another sign, before one it needs the same."""
    for line in FORMULA.sub("0", text).splitlines():
        for mark in EMPHASIS.finditer(line):
            before, after = line[: mark.start()][-1:], line[mark.end() :][:1]
            inside = mark[2]
            if inside != inside.strip() or (sign(inside[0]) and not apart(before)) or (sign(inside[-1]) and not apart(after)):
                yield mark[0] + after
        if "*" in EMPHASIS.sub("", line):
            yield line


def sign(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def apart(character: str) -> bool:
    return not character or character.isspace() or sign(character)


def test_every_file_is_translated() -> None:
    assert pages(LANGUAGE) == pages(words.DEFAULT)


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_the_same_keys_in_the_same_order(page: str) -> None:
    assert [*words.texts(LANGUAGE, page)] == [*words.texts(words.DEFAULT, page)]


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_the_same_placeholders(page: str) -> None:
    assert not faults(page, lambda one, other: placeholders(one) != placeholders(other) and (placeholders(one), placeholders(other)))


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_the_same_formulas(page: str) -> None:
    assert not faults(page, lambda one, other: formulas(one) != formulas(other) and (formulas(one), formulas(other)))


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_the_same_paragraphs_options_and_answers(page: str) -> None:
    assert not faults(page, lambda one, other: len(one.splitlines()) != len(other.splitlines()))
    assert not faults(page, lambda one, other: len(re.findall("^- ", one, re.M)) != len(re.findall("^- ", other, re.M)))
    reference = words.texts(words.DEFAULT, page)
    for key, text in words.texts(LANGUAGE, page).items():
        if key.endswith("question.right"):
            assert text == reference[key]
        elif key.endswith("question.options"):
            options = text.splitlines()
            assert all(line.startswith("- ") for line in options)
            assert len(set(options)) == len(options)


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_nothing_is_empty_and_nothing_is_left_in_english(page: str) -> None:
    assert all(words.texts(LANGUAGE, page).values())
    found = faults(page, lambda one, other: latin(other) if one == other or not re.search(HAN, other) else "")
    assert not {key: left for key, left in found.items() if (page, key) not in KEPT}


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_punctuation_after_and_before_chinese_is_chinese(page: str) -> None:
    wrong = rf"{HAN}[,.;:?!()\"'].?|.?[,.;:?!()\"']{HAN}"
    assert not faults(page, lambda _, other: re.findall(wrong, prose(other, "0")))


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_a_space_stands_between_chinese_and_latin(page: str) -> None:
    wrong = rf".?{HAN}[A-Za-z0-9].?|.?[A-Za-z0-9]{HAN}.?"
    assert not faults(page, lambda _, other: re.findall(wrong, prose(other, "0")))


@pytest.mark.parametrize("page", pages(LANGUAGE))
def test_markdown_shows_what_is_meant(page: str) -> None:
    """Emphasis closes, and nothing is a formula, struck out or an icon by accident."""
    assert not faults(page, lambda _, other: "" if is_formula(other) else [*misplaced(other)])
    assert not faults(page, lambda _, other: re.findall(r"[$~]|:\w+:", prose(other)))


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("**对。** 好", False),
        ("**对。**好", True),
        ("**对**。好", False),
        ("给**词对**贴", False),
        ("很“**好**”的", False),
        ("一 * 二", True),
    ],
)
def test_emphasis_that_does_not_close_is_found(text: str, broken: bool) -> None:
    assert bool([*misplaced(text)]) is broken
