"""What a forked server has imported when it starts."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "encodings")]

import explain.parts  # noqa: E402
import explain.routes  # noqa: E402, F401
