"""Servers of the app for tests: as a reader starts one, or in a fraction of the time."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 90
"""Seconds until a server that does not answer counts as broken."""
_FORKING = get_context("forkserver")
_FORKING.set_forkserver_preload(["streamlit.web.cli", "tests.browser.preloaded"])


class Server:
    """A running server: where it is, what it said, its process."""

    def __init__(self, port: int, log: Path, pid: int) -> None:
        self.url, self.log, self.pid = f"http://127.0.0.1:{port}", log, pid

    def wait(self, alive: Callable[[], bool]) -> None:
        """Until it says that it is well. This is no request for a page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and alive():
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1) as answer:
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"the server did not start:\n{self.log.read_text()}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _arguments(script: Path, port: int) -> list[str]:
    return ["run", str(script), "--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]


@contextmanager
def serving(folder: Path, script: Path = ROOT / "app.py", cwd: Path | None = None) -> Iterator[Server]:
    """`streamlit run` on a free port, its log in `folder`; there too its working directory, which is none of the app's own."""
    port = free_port()
    log = folder / f"server-{port}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", *_arguments(script, port)],
            cwd=cwd or folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")},
        )
    server = Server(port, log, process.pid)
    try:
        server.wait(lambda: process.poll() is None)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def forked(folder: Path, port: int) -> Iterator[Server]:
    """`streamlit run` on that port, forked from a process that has imported all and done nothing; log and working directory in `folder`."""
    log = folder / "server.log"
    process = _FORKING.Process(target=_run, args=(_arguments(ROOT / "app.py", port), folder, log), daemon=True)
    process.start()
    server = Server(port, log, process.pid)
    try:
        server.wait(process.is_alive)
        yield server
    finally:
        process.terminate()
        process.join(10)
        if process.is_alive():
            process.kill()
            process.join()


def _run(arguments: list[str], folder: Path, log: Path) -> None:
    with log.open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    os.chdir(folder)
    from streamlit.web import cli  # noqa: PLC0415 - it is there already

    cli.main(arguments)
