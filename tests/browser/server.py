"""A real JupyterLab for the browser tests, which keeps out of the user's own folders."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import nbformat
from leash import leashed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOST = "127.0.0.1"
TWO = 2  # windows
START_SECONDS = 300
# No question about news and no toast may stand in front of what a test clicks.
QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True}
QUIET_FILE = "lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


@dataclass(frozen=True)
class Server:
    """A running JupyterLab."""

    url: str
    token: str
    root: Path
    log: Path

    def call(self, method: str, path: str) -> Any:
        """Ask the server's REST API; ``path`` such as ``"api/sessions"``."""
        request = urllib.request.Request(
            f"{self.url}/{path}",
            method=method,
            headers={"Authorization": f"token {self.token}"},
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            body = response.read()
        return json.loads(body) if body else None

    def stop_kernels(self) -> None:
        """End every notebook's kernel, so that no test finds what another one left."""
        for session in self.call("GET", "api/sessions"):
            self.call("DELETE", f"api/sessions/{session['id']}")


@dataclass(frozen=True)
class Lab:
    """One test's share of the server: a folder of its own with a fresh copy of the lessons."""

    server: Server
    folder: str
    url: str = field(init=False)

    def __post_init__(self) -> None:
        """Give the address that a page opens to be logged in."""
        object.__setattr__(self, "url", f"{self.server.url}/lab?token={self.server.token}")

    @property
    def path(self) -> Path:
        """The folder on the disk."""
        return self.server.root / self.folder

    def add(self, name: str, *cells: str) -> str:
        """Write a notebook of code cells beside the lessons and return its name."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in cells],
            # Without a kernel's name a dialog asks for one, and the page waits for ever.
            metadata={"kernelspec": KERNEL},
        )
        nbformat.write(notebook, self.path / name)
        return name

    def read(self, name: str) -> nbformat.NotebookNode:
        """Read a notebook as it was last saved."""
        return nbformat.read(self.path / name, as_version=4)


@contextmanager
def jupyterlab(home: Path) -> Iterator[Server]:
    """Start JupyterLab on ``home/root``; all that it writes goes below ``home``."""
    root = home / "root"
    root.mkdir(parents=True)
    settings = home / QUIET_FILE
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(QUIET), encoding="utf-8")
    port, token, log = _free_port(), secrets.token_hex(16), home / "jupyterlab.log"
    command = [
        *(sys.executable, "-m", "jupyterlab"),
        *("--no-browser", "--allow-root", "--expose-app-in-browser"),
        f"--ip={HOST}",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={root}",
        f"--IdentityProvider.token={token}",
        "--JupyterNotebookApp.expose_app_in_browser=True",  # Notebook 7, by the same server
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LanguageServerManager.autodetect=False",  # which asks npm and R
    ]
    with log.open("w") as out, _group(command, private_environment(home), out) as process:
        server = Server(f"http://{HOST}:{port}", token, root, log)
        _await_answer(server, process)
        yield server


@contextmanager
def windows(home: Path, *words: str) -> Iterator[tuple[str, str]]:
    """Run ``dtree-lab`` with words such as ``"demo", "tree"``.

    Gives the addresses of the audience's window and of the presenter's.
    """
    log = home / "windows.log"
    command = [
        *(sys.executable, "-m", "dtree_lab.cli", *words),
        *("--no-browser", f"--port={_free_port()}"),
    ]
    environment = {**private_environment(home), "XDG_STATE_HOME": str(home / "state")}
    with log.open("w") as out, _group(command, environment, out) as process:
        deadline = time.monotonic() + START_SECONDS
        while len(said := re.findall(r"http://\S+", log.read_text(encoding="utf-8"))) < TWO:
            if time.monotonic() > deadline or process.poll() is not None:
                msg = f"dtree-lab did not start:\n{log.read_text(encoding='utf-8')}"
                raise RuntimeError(msg)
            time.sleep(0.05)
        yield said[0], said[1]


def private_environment(home: Path) -> dict[str, str]:
    """Our environment, with every folder that Jupyter or IPython write to moved."""
    return {
        **os.environ,
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "lab/user-settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "lab/workspaces"),
    }


def copy_lessons(lessons: Path, folder: Path) -> None:
    """Give a test the lessons as they are in the checkout."""
    unwanted = shutil.ignore_patterns(".*", "__pycache__")
    shutil.copytree(lessons, folder, ignore=unwanted) if lessons.is_dir() else folder.mkdir()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@contextmanager
def _group(command: list[str], env: dict[str, str], out: Any) -> Iterator[subprocess.Popen[bytes]]:
    # A group of its own, so that kernels go with the server however it ends.
    process = leashed(command, env=env, stdout=out, stderr=out)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdin.close()
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _await_answer(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            server.call("GET", "api/status")
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
        else:
            return
    log = server.log.read_text(encoding="utf-8", errors="replace")
    msg = f"JupyterLab did not start:\n{log}"
    raise RuntimeError(msg)
