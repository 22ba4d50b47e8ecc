"""Texts: every key that pages ask for is there, none lies around unused, and what readers type is never markup."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from explain import words
from explain.controls import KNOBS, LIMITS, Switch, default_setting
from explain.navigation import IDEAS
from posenc import catalogue, check, setting
from posenc.terms import Terms

ROOT = Path(__file__).parents[2]
LITERALS = [*(ROOT / "explain").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
OF_NO_PAGE = sorted({path.stem for path in (words.FOLDER / words.DEFAULT).glob("*.md")} - {*catalogue.SCHEMES, *IDEAS})
"""Files whose texts many pages show; that each page shows all of its own is tested where pages are opened."""

DECLARED = {
    "start": {"title"},
    "controls": {"nobody", *LIMITS, *KNOBS}
    | {f"{name}.{option}" for name, knob in KNOBS.items() for option in getattr(knob, "options", ())},
}
"""Keys that are asked for by what declares them: pages have titles, knobs and options have names."""


def keys(node: ast.expr) -> Iterator[str]:
    """The keys an argument may stand for, as regular expressions: a word, either of two, or words around what is filled in."""
    match node:
        case ast.Constant(value=str(key)):
            yield re.escape(key)
        case ast.IfExp(body=one, orelse=other):
            yield from keys(one)
            yield from keys(other)
        case ast.JoinedStr(values=parts):
            yield "".join(re.escape(part.value) if isinstance(part, ast.Constant) else r"[\w.]+" for part in parts)


def called(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """(name, call) of every call of a plain name or a method."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            yield name, call


def asked_of(page: str) -> Iterator[str]:
    """Keys that code asks for by naming the page."""
    for path in LITERALS:
        for name, call in called(ast.parse(path.read_text())):
            if name == "text" and len(call.args) == 2 and isinstance(call.args[0], ast.Constant) and call.args[0].value == page:
                yield from keys(call.args[1])


@pytest.mark.parametrize("page", OF_NO_PAGE)
def test_every_key_asked_for_by_name_exists(page: str) -> None:
    there = words.texts(words.DEFAULT, page)
    for pattern in asked_of(page):
        assert any(re.fullmatch(pattern, key) for key in there), f"{page}.md has no {pattern}"


@pytest.mark.parametrize("page", catalogue.SCHEMES)
def test_only_terms_that_are_absent_are_said_to_be(page: str) -> None:
    """By default, or where one of the scheme's own switches or choices removes them."""
    scheme = catalogue.load(page)
    start = default_setting(scheme).change(words=("a", "b"))
    knobs = {name: KNOBS[name] for name in start.arguments}
    options = {name: (True, False) if isinstance(knob, Switch) else getattr(knob, "options", ()) for name, knob in knobs.items()}
    others = [{**start.arguments, name: option} for name, found in options.items() for option in found]
    tried = [setting.terms(scheme, start.change(arguments=arguments)) for arguments in (start.arguments, *others)]
    for key in words.texts(words.DEFAULT, page):
        if key.startswith("absent."):
            term = key.removeprefix("absent.")
            assert term in Terms._fields
            assert any(getattr(terms, term) is None for terms in tried), f"{page} has a {term} term"


@pytest.mark.parametrize("page", OF_NO_PAGE)
def test_nothing_lies_around_unused(page: str) -> None:
    """Each key is asked for by naming its file, or belongs to something declared that has texts."""
    patterns = {*asked_of(page), *(re.escape(key) for key in DECLARED.get(page, ()))}
    for key in words.texts(words.DEFAULT, page):
        assert any(re.fullmatch(pattern, key) for pattern in patterns), f"nothing shows {key} of {page}.md"


@pytest.mark.parametrize("name", catalogue.FAMILIES)
def test_every_family_has_a_name(name: str) -> None:
    assert words.text("frame", f"family.{name}")


def files() -> list[tuple[str, str]]:
    return [(language, path.stem) for language in words.LANGUAGES for path in sorted((words.FOLDER / language).glob("*.md"))]


@pytest.mark.parametrize(("language", "page"), files())
def test_a_file_is_cut_where_it_means_to_be(language: str, page: str) -> None:
    """No heading is swallowed, no key is given twice, nothing is empty, and braces are placeholders or TeX."""
    lines = (words.FOLDER / language / f"{page}.md").read_text("utf-8").splitlines()
    headings = [line.removeprefix("## ").strip() for line in lines if line.startswith("#")]
    assert lines[0].startswith("## ")
    assert headings == [*words.texts(language, page)]
    for key, text in words.texts(language, page).items():
        assert text, key
        assert text.count("$") % 2 == 0, key
        outside = re.sub(r"\$[^$]*\$", "", text) if "equation" not in key else ""
        assert not re.search(r"\{\{(?!\w+\}\})", outside), key


def formulas(text: str) -> list[str]:
    """The formulas of a text, without the words in them."""
    return [re.sub(r"\\text\{[^{}]*\}", r"\\text{}", formula) for formula in re.findall(r"\$[^$]+\$", text)]


def test_placeholders_are_filled_and_missing_ones_raise() -> None:
    assert words.text("page", "head", head=3) == "head 3"
    with pytest.raises(KeyError, match="head"):
        words.text("page", "head")
    with pytest.raises(KeyError, match="nonsense"):
        words.text("page", "nonsense")


def test_values_are_not_templates() -> None:
    """What is filled in is not read again."""
    assert words.text("page", "head", head="{{head}}") == "head {{head}}"


def test_things_are_listed() -> None:
    assert words.listed([]) == words.text("page", "none")
    assert words.listed(["a"]) == "a"
    assert words.listed(["a", 2, "{{c}}"]) == "a, 2, {{c}}"


def test_content_and_position_take_their_colours() -> None:
    shown = words.coloured(r"\content{q}\cdot\position{p}")
    assert re.fullmatch(r"\\textcolor\{#[0-9a-f]{6}\}\{q\}\\cdot\\textcolor\{#[0-9a-f]{6}\}\{p\}", shown)
    assert len(set(re.findall("#[0-9a-f]{6}", shown))) == 2


@pytest.mark.parametrize(
    ("token", "safe"),
    [
        ("$x$", r"\$x\$"),
        ("<b>", r"\<b\>"),
        ("[a](b)", r"\[a\]\(b\)"),
        (":smile:", r"\:smile\:"),
        ("`code`", r"\`code\`"),
        ("**bold**", r"\*\*bold\*\*"),
        ("~~gone~~", r"\~\~gone\~\~"),
        ("# title", r"\# title"),
        ("&amp;", r"\&amp;"),
        ("a\\", r"a\\"),
        ("שלום 🐈‍⬛ 字", "שלום 🐈‍⬛ 字"),
    ],
)
def test_plain(token: str, safe: str) -> None:
    assert words.plain(token) == safe


def test_plain_loses_nothing() -> None:
    """Markdown takes the backslash before any ASCII punctuation away again; an invisible space keeps addresses from becoming links."""
    everything = "".join(map(chr, range(32, 127)))
    assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", words.plain(everything)).replace("\u200b", "") == everything


def test_markup_for_charts() -> None:
    assert words.markup("<b>x</b> & $y$") == "&lt;b&gt;x&lt;/b&gt; &amp; $y$"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "–"),
        (0, "0"),
        (0.0, "0"),
        (-0.0, "0"),
        (7, "7"),
        (-7, "−7"),
        (1_048_576, "1,048,576"),
        (-1234.0, "−1,234"),
        (0.5, "0.5"),
        (-0.123456, "−0.123"),
        (3.14159, "3.14"),
        (999.9, "1000"),
        (99.96, "100"),
        (0.9999, "1"),
        (1234.5678, "1235"),
        (0.000123456, "0.000123"),
        (1.234e-7, "1.2e−07"),
    ],
)
def test_number(value: float | None, shown: str) -> None:
    assert words.number(value).replace(",", "") == shown.replace(",", "")


def test_number_never_shows_an_exponent_where_it_can_be_avoided() -> None:
    for digits in (2, 3, 4):
        for power in range(-3, 9):
            for factor in (1.0, 1.5, 9.94, 9.96, 9.9999, 3.3333333):
                shown = words.number(factor * 10.0**power, digits)
                assert "e" not in shown, (factor, power, digits)
                assert float(shown.replace(",", "")) == pytest.approx(factor * 10.0**power, rel=0.6 * 10.0 ** (1 - digits))


@pytest.mark.parametrize("rule", check.RULES)
def test_a_refusal_is_said_as_posenc_says_it(rule: str) -> None:
    """In English by the same sentence; in every language there is one, with the same values."""
    assert words.texts("en", "frame")[f"refused.{rule}"].replace("{{", "{").replace("}}", "}") == check.RULES[rule]


def test_a_refusal_names_the_knob_as_the_page_does() -> None:
    with pytest.raises(ValueError, match="width is 3") as refused:
        check.even("width", 3)
    assert words.refusal(refused.value) == f"{words.text('controls', 'width')} is 3; it must be even and at least 2, because " + (
        "dimensions are taken in pairs"
    )
    assert words.refusal(ValueError("as the code says it")) == "as the code says it"
