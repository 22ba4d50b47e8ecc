"""A Chromium for the browser tests: an installed one if there is one, else one that we install."""

import os
import shutil
import subprocess
import sys

from explain.export.chromium import installed

# The shell is a Chromium without windows, half as heavy. Fonts for Chinese come along: without them a screenshot shows boxes.
DEBIAN = ("chromium-headless-shell", "fonts-noto-cjk")
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
