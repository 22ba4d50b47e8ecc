"""A Chromium for the browser tests: an installed one if there is one, else one that we install."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
# Fonts for Chinese come along: without them a screenshot shows boxes.
DEBIAN = ("chromium", "fonts-noto-cjk")
FLAGS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def installed() -> str | None:
    """The path of an installed Chromium or Chrome, or of the one Playwright downloaded earlier; None if there is neither."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    candidates = [Path(path) for path in PATHS]
    caches = [Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright"]
    for cache in caches:
        candidates += sorted(cache.glob("chromium-*/chrome-*/chrome"), reverse=True)
        candidates += sorted(cache.glob("chromium-*/chrome-*/*.app/Contents/MacOS/*"), reverse=True)
    return next((str(path) for path in candidates if path.is_file()), None)


def install() -> None:
    """Debian's own package where we may install it, Playwright's download otherwise."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update"], check=True)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *DEBIAN], check=True)
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def path() -> str:
    """The path of a Chromium; RuntimeError that says how to get one where there is none."""
    found = installed()
    if found is None:
        raise RuntimeError("no Chromium or Chrome found: run `python -m tests.browser.chromium`, or install one")
    return found


if __name__ == "__main__":
    if installed() is None:
        install()
    print("browser:", path())
