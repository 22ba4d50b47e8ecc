"""The matrix board: several matrices on canvas that share one cell.

Python sends numbers, labels and colours as one `bytes`; board.js paints them and reads them out. Pointer moves and arrow
keys never come back to Python, a kept cell does. No mathematics here: values arrive computed and scaled.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from explain.palette import TONES

LIMIT = 256  # cells per side: a panel is some 300 px wide, so more could not be told apart

DESCRIBED = ("id", "title", "rows", "cols", "scale", "tone", "note")  # what the head says of a panel

Cell = Mapping[str, int]  # axis key -> position in the drawn index (row or column number of the panel)


@dataclass(frozen=True)
class Axis:
    title: str  # with its direction: "query i ↓"
    labels: Sequence[str]  # what a reader calls each drawn position: a token, a dimension
    index: Sequence[int] | np.ndarray  # the real position of each, a stride when the matrix was cut to LIMIT


@dataclass(frozen=True)
class Scale:
    title: str
    low: float
    high: float
    stops: Sequence[tuple[float, str]]  # (0..1, "#rrggbb"), linear RGB in between, as Plotly does


@dataclass(frozen=True, eq=False)  # arrays don't compare to one truth value
class Panel:
    id: str
    title: str
    rows: str  # axis key
    cols: str  # axis key
    scale: str  # scale key
    values: np.ndarray | None  # (rows, cols); NaN: masked; None: the scheme has no such term
    tone: str = "neutral"
    note: str = ""  # what an absent panel says


def nearest(axis: Axis, real: int) -> int:
    """The drawn position whose real position is closest: turns a cell out of a URL into one that exists."""
    return int(np.argmin(np.abs(np.asarray(axis.index) - real)))


def pack(
    panels: Sequence[Panel],
    axes: Mapping[str, Axis],
    scales: Mapping[str, Scale],
    *,
    cell: Cell | None = None,
    readout: Sequence[str] = (),
    spoken: str = "",
    name: str,
    masked_label: str = "masked",
    columns: int = 3,
    wide: Sequence[str] = (),
    tones: Mapping[str, Mapping[str, str]] = TONES,
    keys_help: str = "Arrow keys move the cell, Enter keeps it, Escape returns to the kept cell.",
) -> bytes:
    """One message: uint32 length of the head (little-endian), head as JSON padded to 4 bytes, float32 of every panel.

    `readout` lines and `spoken` are templates: {i} is the real index on axis i, {i.label} its label, {cc} panel cc's value.
    With room for all `columns`, panels stand in the order of `wide`; on narrower boards in their own.
    A `cell` that differs from the last message's wins over the one the reader kept; None leaves the reader's alone.
    """
    _check_axes(axes)
    _check_scales(scales)
    _check_tones(tones)
    _check_panels(panels, axes, scales, tones)
    for template in (*readout, spoken):
        _check_template(template, panels, axes)
    if wide and sorted(wide) != sorted(panel.id for panel in panels):
        raise ValueError(f"wide orders {sorted(wide)}, the panels are {sorted(panel.id for panel in panels)}")
    if columns < 1:
        raise ValueError(f"columns is {columns}, needs at least 1")

    arrays: list[np.ndarray] = []
    described: list[dict[str, Any]] = []
    at = 0
    for panel in panels:
        described.append({key: getattr(panel, key) for key in DESCRIBED} | {"at": None if panel.values is None else at})
        if panel.values is not None:
            arrays.append(_float32(panel))
            described[-1]["whole"] = all(np.all(np.nan_to_num(row) % 1 == 0) for row in arrays[-1])  # buckets read without decimals
            at += arrays[-1].size
    head = {
        "name": name,
        "panels": described,
        "axes": {
            key: {"title": axis.title, "labels": list(axis.labels), "index": [int(real) for real in axis.index]}
            for key, axis in axes.items()
        },
        "scales": {
            key: {
                "title": scale.title,
                "low": float(scale.low),
                "high": float(scale.high),
                "stops": [[float(place), colour] for place, colour in scale.stops],
            }
            for key, scale in scales.items()
        },
        "cell": None if cell is None else _checked_cell(cell, axes),
        "readout": list(readout),
        "spoken": spoken,
        "masked": {"label": masked_label, "any": any(bool(np.isnan(array).any()) for array in arrays)},
        "columns": int(columns),
        "wide": list(wide),
        "tones": {tone: dict(shades) for tone, shades in tones.items()},
        "keys_help": keys_help,
    }
    text = json.dumps(head, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
    text += b" " * (-len(text) % 4)  # so that the floats start at a multiple of 4
    return b"".join([len(text).to_bytes(4, "little"), text, *(array.tobytes() for array in arrays)])


def unpack(payload: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The head and each panel's array, as board.js reads them. Absent panels have no array."""
    start = 4 + int.from_bytes(payload[:4], "little")
    head = json.loads(payload[4:start].decode("utf-8"))
    floats = np.frombuffer(payload, dtype="<f4", offset=start)
    arrays = {}
    for panel in head["panels"]:
        if panel["at"] is not None:
            shape = tuple(len(head["axes"][panel[side]]["index"]) for side in ("rows", "cols"))
            arrays[panel["id"]] = floats[panel["at"] : panel["at"] + shape[0] * shape[1]].reshape(shape)
    return head, arrays


_FOLDER = Path(__file__).parent
_board = st.components.v2.component(
    "board",
    html='<div class="board"></div>',
    css=(_FOLDER / "board.css").read_text("utf-8"),
    js=(_FOLDER / "board.js").read_text("utf-8"),
    isolate_styles=True,
)


def draw(payload: bytes, *, key: str, on_cell: Callable[[], None] | None = None) -> Any:
    """Mount the board. `.cell` of the result is None or the kept cell, axis key -> real position."""
    kept = on_cell or _nothing
    return _board(key=key, data=payload, on_cell_change=kept, on_again_change=kept)  # "again": board.js says why


def _nothing() -> None:
    """Streamlit reports a component's state only when it has a callback."""


def _check_axes(axes: Mapping[str, Axis]) -> None:
    for key, axis in axes.items():
        if not re.fullmatch(r"\w+", key):
            raise ValueError(f"axis key {key!r} must be a word: templates name it in braces")
        if len(axis.labels) != len(axis.index):
            raise ValueError(f"axis {key!r} has {len(axis.labels)} labels for {len(axis.index)} positions")
        if not 1 <= len(axis.index) <= LIMIT:
            raise ValueError(f"axis {key!r} has {len(axis.index)} positions, allowed are 1 to {LIMIT}")


def _check_scales(scales: Mapping[str, Scale]) -> None:
    for key, scale in scales.items():
        if not (np.isfinite(scale.low) and np.isfinite(scale.high) and scale.low <= scale.high):
            raise ValueError(f"scale {key!r} runs from {scale.low} to {scale.high}, needs finite low <= high")
        places = [place for place, _ in scale.stops]
        if len(places) < 2 or places[0] != 0 or places[-1] != 1 or places != sorted(places):
            raise ValueError(f"scale {key!r} has stops at {places}, needs rising places from 0 to 1")
        for _, colour in scale.stops:
            _check_colour(colour, f"scale {key!r}")


def _check_tones(tones: Mapping[str, Mapping[str, str]]) -> None:
    for tone, shades in tones.items():
        for theme in ("light", "dark"):
            _check_colour(shades.get(theme, "nothing"), f"tone {tone!r} ({theme})")


def _check_colour(colour: str, owner: str) -> None:
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
        raise ValueError(f"{owner} has colour {colour!r}, needs #rrggbb")


def _check_panels(
    panels: Sequence[Panel],
    axes: Mapping[str, Axis],
    scales: Mapping[str, Scale],
    tones: Mapping[str, Mapping[str, str]],
) -> None:
    seen: set[str] = set()
    for panel in panels:
        if not re.fullmatch(r"\w+", panel.id) or panel.id in axes:
            raise ValueError(f"panel id {panel.id!r} must be a word and no axis key: templates name both in braces")
        if panel.id in seen:
            raise ValueError(f"panel id {panel.id!r} is used twice")
        seen.add(panel.id)
        for role, wanted, known in (
            ("rows", panel.rows, axes),
            ("cols", panel.cols, axes),
            ("scale", panel.scale, scales),
            ("tone", panel.tone, tones),
        ):
            if wanted not in known:
                raise ValueError(f"panel {panel.id!r} has {role} {wanted!r}, known are {sorted(known)}")
        if panel.rows == panel.cols:
            raise ValueError(f"panel {panel.id!r} has axis {panel.rows!r} both ways, needs one key per direction")
        if panel.values is not None:
            shape = (len(axes[panel.rows].index), len(axes[panel.cols].index))
            if np.shape(panel.values) != shape:
                raise ValueError(f"panel {panel.id!r} has shape {np.shape(panel.values)}, its axes say {shape}")


def _float32(panel: Panel) -> np.ndarray:
    with np.errstate(over="ignore"):
        array = np.ascontiguousarray(panel.values, dtype="<f4")
    if np.isinf(array).any():
        where = tuple(int(place) for place in np.argwhere(np.isinf(array))[0])
        raise ValueError(f"panel {panel.id!r} is infinite in float32 at {where}: a masked cell is NaN")
    return array


def _checked_cell(cell: Cell, axes: Mapping[str, Axis]) -> dict[str, int]:
    for key, place in cell.items():
        if key not in axes:
            raise ValueError(f"cell names axis {key!r}, known are {sorted(axes)}")
        if not 0 <= place < len(axes[key].index):
            raise ValueError(f"cell is {place} on axis {key!r}, allowed are 0 to {len(axes[key].index) - 1}")
    return {key: int(place) for key, place in cell.items()}


def _check_template(template: str, panels: Sequence[Panel], axes: Mapping[str, Axis]) -> None:
    known = {panel.id for panel in panels} | set(axes) | {f"{key}.label" for key in axes}
    for word in re.findall(r"\{([^{}]*)\}", template):
        if word not in known:
            raise ValueError(f"template names {{{word}}}, known are {sorted(known)}")
