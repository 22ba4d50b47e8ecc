"""The board's message: what Python packs is what board.js will read, and wrong input is refused by name and limit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explain.board import LIMIT, TONES, Axis, Panel, Scale, nearest, pack, unpack

STOPS = [(0.0, "#2166ac"), (0.5, "#f7f7f7"), (1.0, "#b2182b")]
SCALES = {"logit": Scale("logit", -2.0, 2.0, STOPS)}


def axis(title: str, n: int, stride: int = 1) -> Axis:
    return Axis(title, [f"token {k}" for k in range(n)], range(0, n * stride, stride))


def axes(rows: int = 3, cols: int = 4) -> dict[str, Axis]:
    return {"i": axis("query i ↓", rows), "j": axis("key j →", cols)}


def panel(id: str = "cc", values: np.ndarray | None = None, **changed: Any) -> Panel:
    values = np.arange(12.0).reshape(3, 4) / 8 if values is None else values
    return replace(Panel(id, "content–content", "i", "j", "logit", values), **changed)


def absent(id: str, **changed: Any) -> Panel:
    return replace(panel(id, **changed), values=None)


def packed(*panels: Panel, **options: Any) -> bytes:
    return pack(panels or (panel(),), axes(), SCALES, **({"name": "four terms"} | options))


def test_arrays_come_back_as_float32() -> None:
    values = np.random.default_rng(0).standard_normal((3, 4))
    masked = np.where(np.tri(3, 4, dtype=bool), values, np.nan)
    head, arrays = unpack(packed(panel("a", values), absent("b"), panel("c", masked)))
    assert list(arrays) == ["a", "c"]
    np.testing.assert_array_equal(arrays["a"], values.astype(np.float32))
    np.testing.assert_array_equal(arrays["c"], masked.astype(np.float32))
    assert [spec["at"] for spec in head["panels"]] == [0, None, 12]


@pytest.mark.parametrize("name", ["", "a", "ab", "abc", "四项", "🐈‍⬛", "שלום"])
def test_floats_start_at_a_multiple_of_four(name: str) -> None:
    payload = packed(name=name)
    length = int.from_bytes(payload[:4], "little")
    assert length % 4 == 0
    assert len(payload) == 4 + length + 4 * 12
    assert json.loads(payload[4 : 4 + length])["name"] == name


def test_rows_are_packed_in_order_whatever_the_memory_layout() -> None:
    values = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    _, arrays = unpack(packed(panel(values=values)))
    np.testing.assert_array_equal(arrays["cc"], values)


def test_head_says_what_was_declared() -> None:
    head, _ = unpack(
        packed(
            panel(tone="content"),
            absent("pc", note="no such term"),
            cell={"i": 2, "j": 3},
            readout=["logit({i}, {j}) = {cc}", "“{i.label}”"],
            spoken="{cc}",
            masked_label="future",
            columns=2,
        )
    )
    assert head["cell"] == {"i": 2, "j": 3}
    assert head["readout"] == ["logit({i}, {j}) = {cc}", "“{i.label}”"]
    assert head["masked"] == {"label": "future", "any": False}
    assert head["columns"] == 2
    assert head["axes"]["i"] == {"title": "query i ↓", "labels": ["token 0", "token 1", "token 2"], "index": [0, 1, 2]}
    assert head["scales"]["logit"]["stops"] == [list(stop) for stop in STOPS]
    assert head["tones"] == TONES
    assert head["panels"][1]["note"] == "no such term"
    assert head["panels"][0]["tone"] == "content"


def test_no_cell_leaves_the_readers_choice_alone() -> None:
    assert unpack(packed())[0]["cell"] is None


def test_masked_legend_only_when_something_is_masked() -> None:
    values = np.zeros((3, 4))
    values[0, 3] = np.nan
    assert unpack(packed(panel(values=values)))[0]["masked"]["any"] is True
    assert unpack(packed(panel(values=np.zeros((3, 4)))))[0]["masked"]["any"] is False


def test_tokens_travel_as_they_are() -> None:
    labels = ["<b>bold</b>", "🐈‍⬛", "שלום", "\ud800"]
    kinds = {"i": Axis("i", labels, range(4)), "j": axis("j", 1)}
    head, _ = unpack(pack([panel(values=np.zeros((4, 1)))], kinds, SCALES, name="tokens"))
    assert head["axes"]["i"]["labels"] == [*labels[:3], "?"]  # half a surrogate pair has no UTF-8


def test_largest_board() -> None:
    kinds = {"i": axis("i", LIMIT, stride=4), "j": axis("j", LIMIT, stride=4)}
    values = np.random.default_rng(1).standard_normal((LIMIT, LIMIT)).astype(np.float32)
    head, arrays = unpack(pack([panel(values=values)], kinds, SCALES, name="large"))
    np.testing.assert_array_equal(arrays["cc"], values)
    assert head["axes"]["i"]["index"][-1] == 1020


def test_nearest_turns_any_real_position_into_a_drawn_one() -> None:
    strided = axis("i", 5, stride=4)
    assert [nearest(strided, real) for real in (-3, 0, 1, 3, 8, 999)] == [0, 0, 0, 1, 2, 4]


def infinite(value: float) -> np.ndarray:
    values = np.zeros((3, 4))
    values[1, 2] = value
    return values


@pytest.mark.parametrize(
    ("panels", "says"),
    [
        ([panel(values=np.zeros((4, 3)))], r"'cc' has shape \(4, 3\), its axes say \(3, 4\)"),
        ([panel(values=np.zeros(12))], r"shape \(12,\)"),
        ([panel(values=infinite(-np.inf))], r"'cc' is infinite in float32 at \(1, 2\)"),
        ([panel(values=infinite(1e39))], r"infinite in float32 at \(1, 2\)"),
        ([panel(rows="x")], r"rows 'x', known are \['i', 'j'\]"),
        ([panel(cols="x")], r"cols 'x'"),
        ([panel(scale="x")], r"scale 'x', known are \['logit'\]"),
        ([panel(tone="x")], r"tone 'x', known are"),
        ([panel(rows="j")], r"axis 'j' both ways"),
        ([panel(), panel()], r"'cc' is used twice"),
        ([panel("i")], r"'i' must be a word and no axis key"),
        ([panel("c c")], r"'c c' must be a word"),
    ],
)
def test_refuses_panels(panels: list[Panel], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        packed(*panels)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"cell": {"x": 0}}, r"axis 'x', known are \['i', 'j'\]"),
        ({"cell": {"i": 3}}, r"3 on axis 'i', allowed are 0 to 2"),
        ({"cell": {"j": -1}}, r"-1 on axis 'j', allowed are 0 to 3"),
        ({"readout": ["{cc} {nope}"]}, r"\{nope\}, known are"),
        ({"spoken": "{cc.label}"}, r"\{cc\.label\}"),
        ({"columns": 0}, r"columns is 0, needs at least 1"),
        ({"tones": {"neutral": {"light": "#000000"}}}, r"tone 'neutral' \(dark\)"),
    ],
)
def test_refuses_options(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        packed(**options)


@pytest.mark.parametrize("n", [0, LIMIT + 1])
def test_refuses_sizes(n: int) -> None:
    kinds = {"i": axis("i", n), "j": axis("j", 4)}
    with pytest.raises(ValueError, match=rf"axis 'i' has {n} positions, allowed are 1 to {LIMIT}"):
        pack([panel(values=np.zeros((n, 4)))], kinds, SCALES, name="size")


def test_refuses_labels_that_do_not_match() -> None:
    with pytest.raises(ValueError, match="axis 'i' has 2 labels for 3 positions"):
        pack([panel()], axes() | {"i": Axis("i", ["a", "b"], [0, 1, 2])}, SCALES, name="labels")


@pytest.mark.parametrize(
    ("scale", "says"),
    [
        (Scale("s", 1, 0, STOPS), "from 1 to 0, needs finite low <= high"),
        (Scale("s", 0, float("nan"), STOPS), "from 0 to nan"),
        (Scale("s", 0, 1, STOPS[:2]), r"stops at \[0.0, 0.5\], needs rising places from 0 to 1"),
        (Scale("s", 0, 1, [(0, "#000000"), (1, "red")]), "colour 'red', needs #rrggbb"),
    ],
)
def test_refuses_scales(scale: Scale, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        pack([panel()], axes(), {"logit": scale}, name="scales")


def relative_luminance(colour: str) -> float:
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("tone", TONES)
@pytest.mark.parametrize(("theme", "grounds"), [("light", ("#ffffff", "#f0f2f6")), ("dark", ("#0e1117", "#262730", "#2d2b27"))])
def test_tones_are_legible_as_text(tone: str, theme: str, grounds: tuple[str, ...]) -> None:
    for ground in grounds:
        low, high = sorted([relative_luminance(TONES[tone][theme]), relative_luminance(ground)])
        assert (high + 0.05) / (low + 0.05) >= 4.5
