"""A stranger's file: every damage is refused in plain words within a second, and a sound file is read to the bit."""

import io
import json
import re
import struct
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save, save_file

from explain import checkpoint, upload
from explain.checkpoint import KNOWN, LARGEST, LONGEST_HEADER, MEGABYTE, Refused
from explain.words import has, text
from tests.pages import app

RNG = np.random.default_rng(3)
TABLE = RNG.standard_normal((6, 4)).astype(np.float32)
SECOND = 1.0
ROOT = Path(__file__).parents[2]
GOOD = {"dtype": "F32", "shape": [6, 4], "data_offsets": [0, 96]}


def raw(header: object, data: bytes = b"") -> bytes:
    """A file with that header, which may be nonsense, and that data."""
    text_ = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text_)) + text_ + data


def read(content: bytes) -> tuple[list[checkpoint.Entry], checkpoint.Values]:
    file = io.BytesIO(content)
    found = checkpoint.choices(checkpoint.entries(file, len(content)))
    return found, checkpoint.values(file, found[0])


def one(**changes: object) -> bytes:
    return raw({"a": GOOD | changes}, TABLE.tobytes())


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_a_file_of_the_library_is_read_to_the_bit(dtype: type) -> None:
    tables = {"x.wpe.weight": TABLE.astype(dtype), "other": np.arange(3, dtype=np.int64), "z": np.ones((2, 2, 2), dtype)}
    found, values = read(save(tables, metadata={"format": "pt"}))
    assert [entry.name for entry in found] == ["x.wpe.weight"]
    np.testing.assert_array_equal(values.rows, tables["x.wpe.weight"].astype(np.float64))
    assert values.rows.dtype == np.float64
    assert (values.of, values.broken) == (6, 0)


def test_bfloat16_is_the_upper_half_of_a_float32() -> None:
    halves = (TABLE.view(np.uint32) >> 16).astype("<u2")
    content = raw({"a": {"dtype": "BF16", "shape": [6, 4], "data_offsets": [0, 48]}}, halves.tobytes())
    _, values = read(content)
    np.testing.assert_array_equal(values.rows, (halves.astype(np.uint32) << 16).view(np.float32).astype(np.float64))
    assert np.abs(values.rows - TABLE).max() < np.abs(TABLE).max() / 128


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bert.embeddings.position_embeddings.weight", "rows"),
        ("transformer.wpe.weight", "rows"),
        ("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", "buckets"),
        ("encoder.relative_attention_bias.weight", "buckets"),
        ("deberta.encoder.rel_embeddings.weight", "rows"),
        ("model.decoder.embed_positions.weight", "rows"),
        ("wpe.weight", "rows"),
        ("swipe.weight", None),
        ("wpe", None),
    ],
)
def test_names_of_known_models(name: str, kind: str | None) -> None:
    assert checkpoint.Entry(name, "F32", (6, 4), 0, 0).kind == kind
    found, _ = read(save({"a": TABLE, name: TABLE, "zz": TABLE}))
    assert (found[0].name == name) == (kind is not None)


def test_an_axis_of_one_in_front_is_no_axis() -> None:
    found, values = read(save({"pos_embed": TABLE[None]}))
    assert found[0].sides == (6, 4)
    np.testing.assert_array_equal(values.rows, TABLE)


REFUSALS = {
    "empty": (b"", "short"),
    "nine bytes": (b"\0" * 9, "short"),
    "random": (bytes(RNG.integers(0, 256, 4096, dtype=np.uint8)), "header.beyond"),
    "text": (b"Hello, I am a table of positions.", "header.beyond"),
    "zip": (b"PK\x03\x04" + b"\0" * 100, "pickle"),
    "pickle": (b"\x80\x04\x95" + b"\0" * 100, "pickle"),
    "length all ones": (b"\xff" * 8 + b"{}", "header.beyond"),
    "length one too far": (struct.pack("<Q", 3) + b"{}", "header.beyond"),
    "huge header": (struct.pack("<Q", LONGEST_HEADER + 1) + b" " * (LONGEST_HEADER + 1), "header.long"),
    "no JSON": (raw(b"{nothing}"), "header.broken"),
    "not utf-8": (raw(b'{"\xff\xfe": 1}'), "header.broken"),
    "a list": (raw([1, 2]), "header.broken"),
    "a number": (raw(b"12"), "header.broken"),
    "deeply nested": (raw(b"[" * 1_000_000), "header.broken"),
    "deeply nested objects": (raw(b'{"a":' * 150_000), "header.broken"),
    "a number of a million digits": (raw(b'{"a": ' + b"9" * 900_000 + b"}"), "header.broken"),
    "NaN in the header": (raw(b'{"a": NaN}'), "header.broken"),
    "a name twice": (
        raw(b'{"a": ' + json.dumps(GOOD).encode() + b', "a": ' + json.dumps(GOOD).encode() + b"}", TABLE.tobytes()),
        "header.broken",
    ),
    "nothing in it": (raw({}), "none"),
    "only integers": (save({"a": np.ones((3, 3), np.int32)}), "none"),
    "only vectors": (save({"a": np.ones(3, np.float32)}), "none"),
    "no rows": (save({"a": np.ones((0, 3), np.float32)}), "none"),
    "too wide": (save({"a": np.ones((2, 9000), np.float32)}), "none"),
    "not described": (raw({"a": 3}), "tensor.described"),
    "no shape": (raw({"a": {"dtype": "F32", "data_offsets": [0, 0]}}), "tensor.described"),
    "one thing more": (one(code="print()"), "tensor.described"),
    "negative side": (one(shape=[-6, -4]), "tensor.described"),
    "fractional side": (one(shape=[6.0, 4]), "tensor.described"),
    "true side": (one(shape=[True, 24]), "tensor.described"),
    "side of a word": (one(shape="64"), "tensor.described"),
    "too many sides": (one(shape=[1] * 9), "tensor.described"),
    "endless side": (one(shape=[2**60, 4]), "tensor.described"),
    "product beyond 64 bits": (one(shape=[2**40, 2**40]), "tensor.size"),
    "product that wraps to the right size": (one(shape=[2**32 + 6, 2**32 + 4]), "tensor.size"),
    "unknown type": (one(dtype="F31"), "tensor.dtype"),
    "type of a list": (one(dtype=["F32"]), "tensor.dtype"),
    "type of markup": (one(dtype="$x$ [a](b) :smile:"), "tensor.dtype"),
    "one offset": (one(data_offsets=[0]), "tensor.described"),
    "negative offset": (one(data_offsets=[-96, 0]), "tensor.described"),
    "offsets the wrong way": (one(data_offsets=[96, 0]), "tensor.size"),
    "offsets of another size": (one(shape=[6, 5]), "tensor.size"),
    "offsets into the distance": (one(data_offsets=[2**47, 2**47 + 96]), "truncated"),
    "half a byte": (one(dtype="F4", shape=[3], data_offsets=[0, 1]), "tensor.size"),
    "long name": (raw({"n" * 5000: GOOD}, TABLE.tobytes()), "tensor.name"),
    "truncated": (save({"a": TABLE})[:-1], "truncated"),
    "header alone": (save({"a": TABLE})[:-96], "truncated"),
    "bytes too many": (save({"a": TABLE}) + b"\0", "gap"),
    "gap": (raw({"a": GOOD | {"data_offsets": [4, 100]}}, b"\0" * 4 + TABLE.tobytes()), "gap"),
    "same bytes twice": (raw({"a": GOOD, "b": GOOD}, TABLE.tobytes()), "overlap"),
    "overlap": (raw({"a": GOOD, "b": GOOD | {"data_offsets": [92, 188]}}, TABLE.tobytes() * 2), "overlap"),
    "all NaN": (save({"a": TABLE * np.float32(np.nan)}), "no_numbers"),
    "all infinite": (save({"a": np.full((3, 3), np.inf, np.float32)}), "no_numbers"),
    "all beyond use": (save({"a": np.full((3, 3), 1e300)}), "no_numbers"),
    "ten thousand tensors": (
        raw({f"t{n}": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for n in range(10_000)}),
        "none",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_damaged_file_is_refused_within_a_second_and_says_why(name: str) -> None:
    content, reason = REFUSALS[name]
    before = time.thread_time()
    with pytest.raises(Refused) as refusal:
        read(content)
    assert time.thread_time() - before < SECOND
    assert refusal.value.reason == reason
    message = text("upload", f"refused.{reason}", **refusal.value.facts)
    assert 20 < len(message) < 500
    assert "{{" not in message


def test_every_reason_has_a_text_and_every_text_a_reason() -> None:
    code = Path(checkpoint.__file__).read_text() + Path(upload.__file__).read_text()
    reasons = set(re.findall(r'Refused\(\s*"([\w.]+)"', code))
    assert reasons == {reason for _, reason in REFUSALS.values()} | {"large", "no_vectors"}
    assert all(has("upload", f"refused.{reason}") for reason in reasons)
    assert all(has("upload", f"known.{name.removesuffix('.weight')}") for name in KNOWN)


def test_a_file_beyond_the_limit_is_refused_unread() -> None:
    class Unread(io.BytesIO):
        def read(self, *_: object) -> bytes:
            raise AssertionError("read")

    with pytest.raises(Refused) as refusal:
        checkpoint.entries(Unread(), LARGEST + 1)
    assert text("upload", "refused.large", **refusal.value.facts).startswith("This file has 200.1 MB; at most 200 MB are read.")
    assert LARGEST == 200 * MEGABYTE
    assert upload.ABOVE * 1_048_576 > LARGEST
    assert tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"]["maxUploadSize"] == upload.ABOVE


def test_of_a_large_file_only_the_table_is_read() -> None:
    """200 MB that are one byte of memory: whoever reads them all would notice."""
    header = raw({"big": {"dtype": "U8", "shape": [LARGEST - 4096], "data_offsets": [96, LARGEST - 4000]}, "a": GOOD})
    size = len(header) + LARGEST - 4000
    assert size <= LARGEST

    class Sparse(io.BytesIO):
        taken = 0

        def read(self, count: int | None = -1, /) -> bytes:
            assert count is not None
            assert count >= 0
            Sparse.taken += count
            return super().read(count)

    file = Sparse(header + TABLE.tobytes())
    found = checkpoint.choices(checkpoint.entries(file, size))
    np.testing.assert_array_equal(checkpoint.values(file, found[0]).rows, TABLE)
    assert Sparse.taken == len(header) + 96


def test_a_long_table_is_cut_to_its_first_rows() -> None:
    height = checkpoint.MOST_ENTRIES // 8 + 7
    table = np.arange(height * 8, dtype=np.float32).reshape(height, 8)
    _, values = read(save({"a": table}))
    assert values.of == height
    np.testing.assert_array_equal(values.rows, table[: checkpoint.MOST_ENTRIES // 8])


def test_entries_that_are_no_numbers_are_counted_and_left_out() -> None:
    table = TABLE.copy()
    table[0, 0], table[1, 1], table[2, 2], table[3, 3] = np.nan, np.inf, -np.inf, 3e38
    _, values = read(save({"a": table}))
    assert values.broken == 4
    np.testing.assert_array_equal(np.isnan(values.rows), ~(np.abs(table) < 1e30))


@pytest.mark.parametrize("seed", range(4))
def test_no_damage_does_anything_but_be_refused(seed: int) -> None:
    """Sound files cut, lengthened, with bytes changed, swapped or inserted, mostly in the header: read, or refused, never anything else."""
    rng = np.random.default_rng(seed)
    sound = save({"wpe.weight": TABLE, "b": np.ones((3, 2), np.float16), "c": np.arange(4)}, metadata={"format": "pt"})
    outcomes = set()
    for _ in range(1500):
        content = bytearray(sound)
        for _ in range(rng.integers(1, 4)):
            at = int(rng.integers(0, min(len(content), 8 if rng.random() < 0.2 else 300))) if content else 0
            match rng.integers(0, 5):
                case 0:
                    del content[at:]
                case 1:
                    content[at : at + 1] = bytes([rng.integers(0, 256)])
                case 2:
                    content[at:at] = bytes(rng.integers(0, 256, rng.integers(1, 9), dtype=np.uint8))
                case 3:
                    del content[at : at + int(rng.integers(1, 9))]
                case 4:
                    content[at : at + 1] = rng.choice([b"9", b"-", b"}", b"{", b"]", b'"', b",", b"0", b"e", b"\0"])
        try:
            read(bytes(content))
            outcomes.add("read")
        except Refused as refusal:
            text("upload", f"refused.{refusal.reason}", **refusal.facts)
            outcomes.add(refusal.reason)
    assert {"read", "header.broken", "header.beyond", "truncated"} <= outcomes


def test_nothing_is_left_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for content, _ in REFUSALS.values():
        with pytest.raises(Refused):
            read(content)
    read(save({"a": TABLE}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_the_snippet_cuts_a_small_file_out_of_a_large_one(tmp_path: Path, dtype: str) -> None:
    tables = {
        "bert.embeddings.position_embeddings.weight": RNG.standard_normal((7, 3)).astype(dtype),
        "bert.embeddings.word_embeddings.weight": RNG.standard_normal((5000, 3)).astype(dtype),
        "t5.block.0.relative_attention_bias.weight": RNG.standard_normal((32, 2)).astype(dtype),
        "h.0.weight": np.ones((2, 2), dtype),
    }
    save_file(tables, tmp_path / "model.safetensors", metadata={"format": "pt"})
    (tmp_path / "cut.py").write_text(checkpoint.cutter())
    # -I -S: nothing installed is there to help
    done = subprocess.run([sys.executable, "-I", "-S", "cut.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    small = tmp_path / "positions.safetensors"
    wanted = {name: tables[name] for name in (*tables,) if name.endswith(tuple(KNOWN))}
    assert len(wanted) == 2
    found = load_file(small)
    assert found.keys() == wanted.keys()
    for name, values in wanted.items():
        np.testing.assert_array_equal(found[name], values)
        assert name in done.stdout
    entries, values = read(small.read_bytes())
    assert [entry.kind for entry in entries] == ["buckets", "rows"]
    assert small.stat().st_size < 1000


def test_the_page_takes_a_file_refuses_a_broken_one_and_goes_on() -> None:
    """One visit: the example, a sound file, another tensor of it, a broken file, a sound one again."""
    at = app.opened("your_model")
    assert not at.exception
    assert {"your_model-by_offset", "your_model-rises"} <= set(app.charts(at))

    sound = save({"x.wpe.weight": RNG.standard_normal((40, 8)).astype(np.float32), "y": TABLE})
    at = at.file_uploader[0].upload("mine.safetensors", sound, "application/octet-stream").run()
    assert not at.exception
    assert not at.error
    assert app.boards(at)["your_model-similarity"].arrays["t0"].shape == (40, 40)
    at = at.selectbox[0].select(1).run()
    assert app.boards(at)["your_model-similarity"].arrays["t0"].shape == (6, 6)

    at = at.file_uploader[0].set_value(("broken.safetensors", sound[:-5], "application/octet-stream")).run()
    assert not at.exception
    assert [one_.value for one_ in at.error] == [text("upload", "refused.truncated", missing=5, name="y")]
    assert "your_model-by_offset" in app.charts(at), "the example takes its place"
    assert any("cut" in header.proto.anchor for header in at.header), "the page goes on to its end"

    at = at.file_uploader[0].set_value(("mine.safetensors", sound, "application/octet-stream")).run()
    assert not at.error
    assert "your_model-similarity" in app.boards(at)


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (np.where(RNG.random((40, 6)) < 0.02, np.nan, RNG.standard_normal((40, 6))), "wpe.weight"),
        (np.zeros((5, 3)), "wpe.weight"),
        (np.full((2, 1), 1e30), "wpe.weight"),
        (np.full((300, 7), 1e-40), "wpe.weight"),
        (np.where(RNG.random((32, 6)) < 0.1, np.nan, RNG.standard_normal((32, 6))), "relative_attention_bias.weight"),
        (np.where(np.arange(6) == 0, np.nan, RNG.standard_normal((32, 6))), "relative_attention_bias.weight"),
        (np.zeros((4, 1)), "relative_attention_bias.weight"),
        (RNG.standard_normal((5, 3)), "relative_attention_bias.weight"),
        (RNG.standard_normal((6, 4)), "<b>{i}</b> $x$ **y** {{z}} \n.weight"),
    ],
)
def test_strange_tables_are_drawn_or_refused_in_words(table: np.ndarray, name: str) -> None:
    at = app.opened("your_model", head=3)
    at = at.file_uploader[0].upload("mine.safetensors", save({name: table}), "application/octet-stream").run()
    assert not at.exception
    for prose in app.said(at):
        assert not re.search(r"\{\{|\bnan\b|\binf\b", prose), prose
    if not at.error:
        assert app.charts(at)
