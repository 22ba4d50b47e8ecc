"""Measurements, run with `make bench`; encodings/ is put on the path as pytest's settings do for the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "encodings"))
