"""A safetensors file from a stranger, read as numbers and nothing else: no pickle, no code, no word of its header believed unchecked.

The file is eight bytes of header length, a header in JSON, and the tensors' bytes, which must fill the rest without gap or overlap.
Only the header and the one tensor that is drawn are ever read.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

import numpy as np

MEGABYTE = 1_000_000
LARGEST = 200 * MEGABYTE
LONGEST_HEADER = MEGABYTE
"""A model of a thousand tensors has a header of about 0.1 MB."""
MOST_DIMENSIONS = 8
LONGEST_NAME = 200
WIDEST = 8192
"""Columns of a table that can be drawn."""
MOST_ENTRIES = 2_097_152
"""Entries that are drawn: longer tables are cut to their first rows."""
BEYOND = 1e30
"""Entries of this size are as useless as infinity: their squares and products are what is drawn."""
BITS = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"), 8),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 16),
    **dict.fromkeys(("U32", "I32", "F32"), 32),
    **dict.fromkeys(("U64", "I64", "F64", "C64"), 64),
    "F4": 4,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
}
"""Bits per entry of every type that safetensors knows."""
DRAWN = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
"""The types that hold a trained table, and how NumPy reads their bytes; a bfloat16 is the upper half of a float32."""
KNOWN = {
    "relative_attention_bias.weight": "buckets",
    "position_embeddings.weight": "rows",
    "wpe.weight": "rows",
    "rel_embeddings.weight": "rows",
    "embed_positions.weight": "rows",
}
"""How the tensors' names end, and what they hold: a number per bucket and head (T5, MPNet), or a vector per row (BERT and its family,
GPT-2, DeBERTa, whose rows are distances, OPT and BART). Those nearer the top are drawn first."""
KINDS = ("rows", "buckets")


class Refused(ValueError):  # noqa: N818
    """A file that can't be read: the key of the reason among the texts, and its numbers."""

    def __init__(self, reason: str, **facts: object) -> None:
        super().__init__(f"{reason}: {facts}")
        self.reason = reason
        self.facts = facts


class Entry(NamedTuple):
    """One tensor of a file: where its bytes are, counted from the first byte of the file."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int

    @property
    def sides(self) -> tuple[int, ...]:
        """Its shape without axes of length 1 in front."""
        return self.shape[next((axis for axis, size in enumerate(self.shape) if size != 1), len(self.shape)) :]

    @property
    def known(self) -> str | None:
        """The known name that its own ends with, or None."""
        return next((ending for ending in KNOWN if f".{self.name}".endswith(f".{ending}")), None)

    @property
    def kind(self) -> str | None:
        """What a tensor of that name holds, or None."""
        return KNOWN[self.known] if self.known else None

    @property
    def drawable(self) -> bool:
        """Whether it is a table of real numbers that is neither empty nor too wide."""
        return self.dtype in DRAWN and len(self.sides) == 2 and self.sides[0] >= 2 and 1 <= self.sides[1] <= WIDEST


class Values(NamedTuple):
    """A table's first rows, float64; NaN where the file holds no usable number."""

    rows: np.ndarray
    of: int
    """How many rows the file has."""
    broken: int
    """How many of the entries read are no number, infinite or beyond all use."""


def entries(file: BinaryIO, size: int) -> list[Entry]:
    """Every tensor of a file of `size` bytes; Refused unless the header is sound and the bytes are all there."""
    if size > LARGEST:
        raise Refused("large", size=_megabytes(size), limit=LARGEST // MEGABYTE)
    if size < 10:
        raise Refused("short", size=size)
    file.seek(0)
    start = file.read(8)
    if start[:4] == b"PK\x03\x04" or start[:1] == b"\x80":
        raise Refused("pickle")
    length = int.from_bytes(start, "little")
    if length > size - 8:
        raise Refused("header.beyond", length=length, size=size)
    if length > LONGEST_HEADER:
        raise Refused("header.long", length=_megabytes(length), limit=LONGEST_HEADER // MEGABYTE)
    declared = _json(file.read(length))
    declared.pop("__metadata__", None)
    found = [_entry(name, told, 8 + length) for name, told in declared.items()]
    _filled(found, 8 + length, size)
    return found


def choices(found: list[Entry]) -> list[Entry]:
    """The tables among them that can be drawn, those with a known name first; Refused if there is none."""
    there = [entry for entry in found if entry.drawable]
    if not there:
        raise Refused("none", tensors=len(found), widest=WIDEST)
    order = [*KNOWN, None]
    return sorted(there, key=lambda entry: order.index(entry.known))


def values(file: BinaryIO, entry: Entry) -> Values:
    """A table's numbers, as many rows as can be drawn; Refused if none of them is a usable number."""
    height, width = entry.sides
    rows = min(height, max(2, MOST_ENTRIES // width))
    file.seek(entry.start)
    raw = np.frombuffer(file.read(rows * width * BITS[entry.dtype] // 8), DRAWN[entry.dtype])
    if raw.size != rows * width:
        raise Refused("truncated", name=shown(entry.name), missing=(rows * width - raw.size) * BITS[entry.dtype] // 8)
    if entry.dtype == "BF16":
        raw = (raw.astype("<u4") << 16).view("<f4")
    with np.errstate(invalid="ignore"):  # a signalling NaN
        table = raw.astype(np.float64).reshape(rows, width)
        good = np.abs(table) <= BEYOND  # NaN compares as False
    if not good.any():
        raise Refused("no_numbers", name=shown(entry.name))
    table[~good] = np.nan
    return Values(table, height, int((~good).sum()))


def _json(raw: bytes) -> dict[str, Any]:
    try:
        told = json.loads(raw.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):  # a Refused is a ValueError and says no more than this
        raise Refused("header.broken") from None
    if not isinstance(told, dict):
        raise Refused("header.broken")
    return told


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    there = dict(pairs)
    if len(there) != len(pairs):
        raise ValueError("a name stands twice")
    return there


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _entry(name: str, told: object, data: int) -> Entry:
    if len(name) > LONGEST_NAME:
        raise Refused("tensor.name", name=shown(name), length=len(name), limit=LONGEST_NAME)
    if not isinstance(told, dict) or told.keys() != {"dtype", "shape", "data_offsets"}:
        raise Refused("tensor.described", name=shown(name))
    dtype, shape, offsets = told["dtype"], told["shape"], told["data_offsets"]
    if not isinstance(dtype, str) or dtype not in BITS:
        raise Refused("tensor.dtype", name=shown(name), dtype=shown(str(dtype)), known=", ".join(BITS))
    if not _counts(shape) or len(shape) > MOST_DIMENSIONS or not _counts(offsets) or len(offsets) != 2:
        raise Refused("tensor.described", name=shown(name))
    bits = math.prod(shape) * BITS[dtype]
    if bits % 8 or offsets[1] - offsets[0] != bits // 8:
        raise Refused("tensor.size", name=shown(name), bytes=offsets[1] - offsets[0], needed=-(-bits // 8))
    return Entry(name, dtype, tuple(shape), data + offsets[0], data + offsets[1])


def _counts(numbers: object) -> bool:
    """Whether it is a list of whole numbers from 0 that a file can be long."""
    return isinstance(numbers, list) and all(type(one) is int and 0 <= one < 2**48 for one in numbers)


def _filled(found: list[Entry], start: int, size: int) -> None:
    """Refused unless the tensors fill the bytes from `start` to `size` without gap or overlap."""
    at = start
    for entry in sorted(found, key=lambda entry: (entry.start, entry.end)):
        if entry.start < at:
            raise Refused("overlap", name=shown(entry.name))
        if entry.end > size:
            raise Refused("truncated", name=shown(entry.name), missing=entry.end - size)
        if entry.start > at:
            raise Refused("gap", bytes=entry.start - at)
        at = entry.end
    if at != size:
        raise Refused("gap", bytes=size - at)


def _megabytes(size: int) -> str:
    return f"{math.ceil(size / MEGABYTE * 10) / 10:,.1f}"


def shown(name: str) -> str:
    """A stranger's name, short and in one line."""
    printable = "".join(character if character.isprintable() else "�" for character in name)
    return printable if len(printable) <= 60 else printable[:60] + "…"


def cutter(names: Mapping[str, str] = KNOWN) -> str:
    """Python that copies the tensors of these names out of a checkpoint of any size into a small file; needs nothing installed."""
    wanted = "\n".join(f'    "{name}",' for name in names)
    return CUTTER.replace("    ...,", wanted)


CUTTER = '''\
"""Copies the position tables out of a safetensors checkpoint into a small file of their own."""

import json
from pathlib import Path

CHECKPOINT = Path("model.safetensors")  # one of the files, if the checkpoint has several
SMALL = Path("positions.safetensors")
ENDINGS = (
    ...,
)

with CHECKPOINT.open("rb") as file:
    length = int.from_bytes(file.read(8), "little")
    tensors = json.loads(file.read(length))
    kept, data = {}, b""
    for name, tensor in tensors.items():
        if name.endswith(ENDINGS):
            start, end = tensor["data_offsets"]
            file.seek(8 + length + start)
            kept[name] = {**tensor, "data_offsets": [len(data), len(data) + end - start]}
            data += file.read(end - start)

header = json.dumps(kept).encode()
header += b" " * (-len(header) % 8)
SMALL.write_bytes(len(header).to_bytes(8, "little") + header + data)
for name, tensor in kept.items():
    print(name, tensor["dtype"], tensor["shape"])
print(f"{SMALL}: {SMALL.stat().st_size:,} bytes")
'''
