"""The command ``dtree-lab demo``: one lab on a page of its own, before a class."""

from __future__ import annotations

import argparse
import asyncio
import errno
import importlib
import json
import logging
import os
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dtree_lab.base.terminal import for_terminal
from dtree_lab.labs.catalogue import find, listing
from dtree_lab.labs.demo import demo
from dtree_lab.table.csvfile import Dialect, names_of_csv
from dtree_lab.table.table import Table

PAGE = Path(__file__).with_name("demopage")
# The name of our page among Voilà's templates, and of our kernel among the user's.
TEMPLATE = "dtree-lab"
EXTENSIONS = (
    "@jupyter-widgets/jupyterlab-manager",
    "@voila-dashboards/widgets-manager8",
    "anywidget",
)
HOST = "127.0.0.1"
LOOPBACK = ((socket.AF_INET, HOST), (socket.AF_INET6, "::1"))
PORTS = 100
FILE = "{connection_file}"  # Jupyter puts its own there
NO_VOILA = (
    "Voilà is not installed here. Install it with the course's other needs: "
    'pip install "dtree-lab[lab]"'
)
KEYS = "Page Down (or n) shows the next thing, Page Up (or b) goes back, r starts over."


class CannotShowError(Exception):
    """The lab cannot be shown; the message says why in one line."""


def main(arguments: Sequence[str]) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        The words after ``dtree-lab demo``.

    Returns
    -------
    int
        The exit status.
    """
    options = _parser().parse_args(arguments)
    if options.name is None:
        print(for_terminal(f"{listing()}\n\nShow one with: dtree-lab demo NAME"))
        return 0
    try:
        source, title = _prepared(options)
        _serve(source, title, options)
    except CannotShowError as problem:
        print(f"dtree-lab demo: {problem}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtree-lab demo",
        description=f"Show one lab on a page of its own, in large type. {KEYS}",
        epilog="Without a name, the labs are listed.",
    )
    add = parser.add_argument
    add("name", metavar="NAME", nargs="?", help="the lab, such as tree")
    add("--table", metavar="FILE", type=Path, help="a CSV file with the rows to show")
    add("--target", metavar="COLUMN", help="the column to predict (default: the last)")
    add(
        "--na",
        metavar="WORD",
        action="append",
        default=[],
        help="a cell that is a gap",
    )
    add("--state", metavar="TEXT", help="where to begin: a lab's .state, or @ and a file with it")
    add("--theme", choices=["light", "dark"], default="light", help="(default: light)")
    add("--port", type=int, default=8866, help="(default: 8866, or the next that is free)")
    add("--no-browser", action="store_true", help="do not open a browser")
    return parser


# -- what is shown ---------------------------------------------------------------------------------


def _prepared(options: argparse.Namespace) -> tuple[str, str]:
    """The cell that makes the lab, and its title; tried here, where errors can be read."""
    try:
        entry = find(options.name)
        table, read = _table(options)
        state = _state(options.state)
        title = asyncio.run(_title(entry.name, table, state))
    except (OSError, ValueError) as problem:
        raise CannotShowError(" ".join(str(problem).split())) from problem
    # What there is to doubt about a table, the terminal has told; the page is for a class.
    quiet = "import warnings\nwarnings.simplefilter('ignore', dt.TableWarning)\n"
    lab = f"dt.demo({entry.name!r}, {read}, state={state!r})"
    return f"import dtree_lab as dt\n{quiet}{lab}", title


async def _title(name: str, table: Table | None, state: str | None) -> str:
    """What the lab is called. In a running loop, long work is begun and then left."""
    title: str = demo(name, table, state=state).view["title"]
    return title


def _table(options: argparse.Namespace) -> tuple[Table | None, str]:
    """The table, and the source that makes it."""
    if options.table is None:
        if options.target is not None:
            msg = "--target names a column of --table, which is not given"
            raise CannotShowError(msg)
        return None, "None"
    path = _file(options.table)
    how: dict[str, Any] = {"na": ("", *options.na)} if options.na else {}
    target = names_of_csv(path, Dialect(**how))[-1] if options.target is None else options.target
    how["missing"] = "keep"  # the lab leaves rows with gaps out, and says so
    said = "".join(f", {name}={value!r}" for name, value in how.items())
    source = f"dt.Table.read_csv({str(path)!r}, {target!r}{said})"
    return Table.read_csv(path, target, **how), source


def _state(text: str | None) -> str | None:
    if text is None or not text.startswith("@"):
        return text
    return _file(Path(text[1:])).read_text(encoding="utf-8").strip()


def _file(path: Path) -> Path:
    found = path.expanduser().resolve()
    if not found.is_file():
        msg = f"there is no file {found}"
        raise CannotShowError(msg)
    return found


# -- the page --------------------------------------------------------------------------------------


def _serve(source: str, title: str, options: argparse.Namespace) -> None:
    """Show a cell's output by Voilà until Ctrl-C."""
    try:
        voila: Any = importlib.import_module("voila.app")
        tornado: Any = importlib.import_module("tornado.ioloop")
    except ModuleNotFoundError as problem:
        if str(problem.name).partition(".")[0] not in ("voila", "tornado"):
            raise
        raise CannotShowError(NO_VOILA) from problem
    port = free_port(options.port)
    with tempfile.TemporaryDirectory(prefix="dtree-lab-", ignore_cleanup_errors=True) as folder:
        notebook = _written(Path(folder), source, title)
        paths = [folder, str(PAGE), os.environ.get("JUPYTER_PATH", "")]
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, paths))
        # Its advice on time limits is not for a lecturer.
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        app = voila.Voila()
        app.initialize(
            [
                str(notebook),
                f"--Voila.ip={HOST}",
                f"--port={port}",
                f"--theme={options.theme}",
                f"--template={TEMPLATE}",
                "--no-browser",
                # All that is not needed for a widget would only take time, or ask for a newer page.
                *(f"--VoilaConfiguration.extension_allowlist={name}" for name in EXTENSIONS),
                "--show_tracebacks=True",
                "--Voila.log_level=ERROR",
            ]
        )
        # Said by the running loop: only then is the port known, and does the address answer.
        tornado.IOLoop.current().add_callback(_announce, app, title, not options.no_browser)
        app.start()


def free_port(first: int) -> int:
    """The first port from some number on that nobody has, whichever way localhost is meant.

    A name leads to 127.0.0.1 or to ::1, as the browser likes. Where another program has the port
    at one of them only, the page would be the other program's.

    Raises
    ------
    CannotShowError
        When there is none among the next hundred.
    """
    last = min(first + PORTS, 65_536)
    for port in range(max(first, 1), last):
        if not any(_taken(family, host, port) for family, host in LOOPBACK):
            return port
    msg = f"no port from {first} to {last - 1} is free; name another one by --port"
    raise CannotShowError(msg)


def _taken(family: socket.AddressFamily, host: str, port: int) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":  # elsewhere it would let two programs have one port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
        with socket.socket(family, socket.SOCK_STREAM) as caller:  # who listens at all addresses
            caller.settimeout(1)
            return caller.connect_ex((host, port)) == 0
    except OSError as problem:
        # A family that this machine does not have is nobody's.
        return problem.errno in (errno.EADDRINUSE, errno.EACCES)


def _announce(app: Any, title: str, browse: bool) -> None:  # noqa: FBT001 - of one caller
    # Not by the name localhost, which may lead to ::1 and so to another program.
    address = f"http://{HOST}:{app.port}/"
    said = f"{title}: {address}\n{KEYS}\nPress Ctrl-C here to stop it."
    print(for_terminal(said), flush=True)
    if browse:  # which may take its time
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _written(folder: Path, source: str, title: str) -> Path:
    """A notebook of one cell, and the kernel that it runs in: this Python, whatever others say."""
    kernel = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "--log-level=ERROR", "-f", FILE],
        "display_name": "dtree_lab",
        "language": "python",
    }
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "lab",
        "metadata": {},
        "outputs": [],
        "source": source,
    }
    spec = {"name": TEMPLATE, "display_name": "dtree_lab", "language": "python"}
    notebook = {
        "cells": [cell],
        "metadata": {"kernelspec": spec, "title": title},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    home = folder / "kernels" / TEMPLATE
    home.mkdir(parents=True)
    (home / "kernel.json").write_text(json.dumps(kernel), encoding="utf-8")
    page = folder / "lab.ipynb"
    page.write_text(json.dumps(notebook), encoding="utf-8")
    return page
