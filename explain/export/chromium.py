"""Pictures of figures by an installed Chromium: one browser of ours, kept a while, one picture at a time, none longer than a limit.

It is spoken to over two pipes in its own protocol (null-terminated JSON), which needs neither a port, nor a file, nor a package. It shows
only what we send, has no way to the network, and is killed where it does not answer: nothing of it can hurt the app.
"""

import atexit
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from threading import BoundedSemaphore, Lock, Timer
from typing import Any

from explain.figures import Figure, to_json

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
CACHES = (Path(".cache/ms-playwright"), Path("Library/Caches/ms-playwright"))
FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",  # what it shows is ours alone; in containers and for root it would not start otherwise
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
PIPES = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
"""Chromium reads from descriptor 3 and writes to 4."""
SECONDS = 60
"""What a picture may take, a start of the browser included."""
IDLE = 120
"""Seconds after which an unused browser is ended."""
WAITING = 8
"""Pictures that may be wanted at the same time."""

SVG = "Plotly.toImage(FIGURE, {format: 'svg', width: WIDTH, height: HEIGHT, imageDataOnly: true})"
PNG = """(async () => {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([PICTURE], {type: "image/svg+xml"}));
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), {width: WIDTH * SCALE, height: HEIGHT * SCALE});
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return canvas.toDataURL("image/png").split(",")[1];
})()"""


class UnavailableError(RuntimeError):
    """There is no browser that could make a picture."""


class BusyError(RuntimeError):
    """Too many pictures are wanted at the same time."""


class _GoneError(RuntimeError):
    """The browser ended, by itself or because its time was over."""


def installed() -> str | None:
    """The path of an installed Chromium or Chrome, or of the newest that Playwright downloaded; None if there is neither."""
    found = [path for name in NAMES if (path := shutil.which(name))]
    found += [path for path in MAC if Path(path).is_file()]
    for cache in CACHES:
        there = Path.home() / cache
        downloads = [*there.glob("chromium-*/chrome-*/chrome"), *there.glob("chromium-*/chrome-*/*.app/Contents/MacOS/*")]
        found += map(str, sorted(downloads, reverse=True))
    return found[0] if found else None


def browser() -> str | None:
    """The one that makes pictures, or None."""
    return None if sys.platform == "win32" else installed()  # the two pipes are handed over in a way that Windows has not


def svg(figure: Figure, width: int, height: int) -> str:
    """A Plotly figure as SVG."""
    return _asked(_filled(SVG, WIDTH=width, HEIGHT=height, FIGURE=to_json(figure)))


def png(picture: str, width: int, height: int, scale: float) -> str:
    """An SVG of that size as PNG with `scale` pixels for one, in base64."""
    return _asked(_filled(PNG, WIDTH=width, HEIGHT=height, SCALE=scale, PICTURE=json.dumps(picture)))


def close() -> None:
    """Ends the browser if there is one."""
    global _kept  # noqa: PLW0603
    with _one:
        if _kept:
            _kept.end()
            _kept = None


def _filled(script: str, **values: object) -> str:
    return re.sub("|".join(values), lambda name: str(values[name[0]]), script)


_places = BoundedSemaphore(WAITING)
_one = Lock()
_kept: "_Browser | None" = None
_idle: Timer | None = None
atexit.register(close)


def _asked(script: str) -> str:
    """What the script comes to, in the kept browser or, where that has gone, in a new one."""
    global _idle  # noqa: PLW0603
    if not _places.acquire(blocking=False):
        raise BusyError
    try:
        with _one:
            if _idle:
                _idle.cancel()
            try:
                return _evaluated(script)
            except _GoneError as gone:
                raise UnavailableError(str(gone)) from gone
            finally:
                _idle = Timer(IDLE, close)
                _idle.daemon = True
                _idle.start()
    finally:
        _places.release()


def _evaluated(script: str) -> str:
    global _kept  # noqa: PLW0603
    kept, _kept = _kept, None
    if kept:
        try:
            found = kept.evaluate(script)
        except _GoneError:
            if kept.late:
                raise
        else:
            _kept = kept
            return found
    kept = _Browser()
    found = kept.evaluate(script)
    _kept = kept
    return found


class _Browser:
    """A running browser with one empty page that has Plotly."""

    def __init__(self) -> None:
        path = browser()
        if path is None:
            raise UnavailableError("no Chromium or Chrome is installed")
        self._folder = tempfile.TemporaryDirectory(prefix="figures-", ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            ["sh", "-c", PIPES, "sh", path, *FLAGS, f"--user-data-dir={self._folder.name}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        self.late = False
        self._rest = b""
        self._count = 0
        self._session: str | None = None
        with self._limit():
            page = self._call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self._call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
            plotly = files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8")
            self._call("Runtime.evaluate", expression=plotly)

    def evaluate(self, script: str) -> str:
        """The string that a script comes to, at once or later."""
        with self._limit():
            answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            self.end()
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "no picture"))
        return answer["result"]["value"]

    def end(self) -> None:
        """Ends it and everything it started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        self._folder.cleanup()

    def _limit(self) -> "_Limit":
        return _Limit(self)

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters} | ({"sessionId": self._session} if self._session else {})
        left = memoryview(json.dumps(message).encode() + b"\0")
        while left:
            left = left[self._process.stdin.write(left) :]  # type: ignore[union-attr]
        while True:
            try:
                answer = json.loads(self._line())
                if answer.get("id") == self._count:
                    return answer["result"]
            except (ValueError, KeyError, AttributeError) as error:
                raise _GoneError(f"the browser did not understand {method}") from error

    def _line(self) -> bytes:
        parts = [self._rest]
        while b"\0" not in parts[-1]:
            part = self._process.stdout.read(1 << 20)  # type: ignore[union-attr]
            if not part:
                raise _GoneError("the browser ended")
            parts.append(part)
        last, _, self._rest = parts[-1].partition(b"\0")
        return b"".join([*parts[:-1], last])


class _Limit:
    """Within it the browser has a limited time; whatever stops it, the browser is ended then."""

    def __init__(self, browser: _Browser) -> None:
        self._browser = browser
        self._timer = Timer(SECONDS, self._kill)
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        self._timer.cancel()
        if error is not None:
            self._browser.end()
        if self._browser.late:
            raise _GoneError(f"no picture within {SECONDS} seconds") from error
        if isinstance(error, OSError):
            raise _GoneError("the browser ended") from error

    def _kill(self) -> None:
        self._browser.late = True
        with suppress(ProcessLookupError):
            os.killpg(self._browser._process.pid, signal.SIGKILL)
