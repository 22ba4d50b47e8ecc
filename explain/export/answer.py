"""A page's figures at given knobs: its own script runs, and what it would have drawn is taken down instead.

A few answers are kept, since a slide asks for several figures of a page and each of them in several formats. Whoever asks for what is being
computed waits for it.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock
from types import CodeType

from explain import navigation, stage
from explain.export.query import Asked
from explain.view import View

KEPT = 8
_kept: OrderedDict[tuple[object, ...], Mapping[str, View]] = OrderedDict()
_running: dict[tuple[object, ...], Lock] = {}
_guard = Lock()


def views(asked: Asked) -> Mapping[str, View]:
    """Every figure of the page by name. ValueError where the knobs can't be drawn, with the value and the limit."""
    key = asked.identity
    with _guard:
        running = _running.setdefault(key, Lock())
    try:
        with running:
            found = _known(key) or run(asked)
            with _guard:
                _kept[key] = found
                while len(_kept) > KEPT:
                    _kept.popitem(last=False)
    finally:
        with _guard:
            if not running.locked():
                _running.pop(key, None)
    return found


def run(asked: Asked, told: Callable[[View], None] | None = None) -> Mapping[str, View]:
    """Runs the page's script, and tells of each figure as soon as it is there. Not by runpy, which is for one thread alone."""
    path = navigation.FOLDER / f"{asked.page}.py"
    with stage.answering(stage.Request(asked.knobs, asked.language, asked.theme, told=told)) as request:
        exec(_compiled(path, path.stat().st_mtime_ns), {"__name__": "__main__", "__file__": str(path)})
    return request.views


@lru_cache(maxsize=64)
def _compiled(path: Path, _changed: int) -> CodeType:
    return compile(path.read_text("utf-8"), str(path), "exec")


def _known(key: tuple[object, ...]) -> Mapping[str, View] | None:
    with _guard:
        if key in _kept:
            _kept.move_to_end(key)
        return _kept.get(key)
