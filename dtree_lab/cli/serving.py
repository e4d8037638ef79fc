"""What ``dtree-lab demo`` and ``dtree-lab lecture`` have in common: windows, until Ctrl-C."""

from __future__ import annotations

import argparse
import asyncio
import errno
import importlib
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from typing import Any

from dtree_lab.base.installing import install_command
from dtree_lab.base.terminal import for_terminal

LOOPBACK = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
PORTS = 100
NEEDS = (
    "What a lab is shown with is not installed here ({missing} is missing). Install it with the"
    " course's other needs: {command}"
)
KEYS = "Page Down (or n) shows the next thing, Page Up (or b) goes back, r begins a scene anew."


class CannotShowError(Exception):
    """Nothing can be shown; the message says why."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the windows."""
    add = parser.add_argument
    add("--theme", choices=["light", "dark", "contrast"], default="light", help="(default: light)")
    add("--port", type=int, default=8866, help="(default: 8866, or the next that is free)")
    add("--no-browser", action="store_true", help="do not open a browser")
    # For a notebook, whose kernel may be killed: what it gives to read ends then.
    add("--with-caller", action="store_true", help=argparse.SUPPRESS)


def stage(name: str) -> Any:
    """A module of the stage; refused where a library that it needs is not installed."""
    try:
        return importlib.import_module(f"dtree_lab.stage.{name}")
    except ModuleNotFoundError as problem:
        if str(problem.name).startswith("dtree_lab"):
            raise
        msg = NEEDS.format(missing=problem.name, command=install_command("course"))
        raise CannotShowError(msg) from problem


async def give(
    given: Any,
    options: argparse.Namespace,
    *,
    resume: bool = False,
    opened: Callable[[Any], str] | None = None,
) -> None:
    """Show a lecture until Ctrl-C, or with `resume` go on where it was left, if that was saved.

    `opened` opens what else is wanted of it, and says where.
    """
    port = free_port(options.port)
    stage("server").listen(given, port)
    try:
        also = opened(given) if opened else ""
        await given.begin(resume=resume)
        _announce(given, port, browse=not options.no_browser)
        if also:
            print(for_terminal(also), flush=True)
        over = asyncio.Event()
        if options.with_caller:
            loop = asyncio.get_running_loop()
            threading.Thread(target=_wait_for_caller, args=(loop, over), daemon=True).start()
        await over.wait()
    finally:
        await given.end()


def _wait_for_caller(loop: asyncio.AbstractEventLoop, over: asyncio.Event) -> None:
    sys.stdin.read()
    loop.call_soon_threadsafe(over.set)


def _announce(given: Any, port: int, *, browse: bool) -> None:
    # Not by the name localhost, which may lead to ::1 and so to another program.
    here = f"http://{stage('server').HOST}:{port}"
    audience = f"{here}/?key={given.key}"
    presenter = f"{here}/presenter?key={given.key}"
    lines = [f"{given.lecture.title}: {audience}"]
    lines.append(f"Your own window, with notes, votes and a clock: {presenter}")
    lines += [KEYS, "Press Ctrl-C here to stop it."]
    print(for_terminal("\n".join(lines)), flush=True)
    # Who shows one lab alone needs no window with notes.
    pages = [presenter, audience] if len(given.lecture.scenes) > 1 else [audience]
    if browse:  # which may take its time
        threading.Thread(target=_browsed, args=(pages,), daemon=True).start()


def _browsed(pages: list[str]) -> None:
    for page in pages:
        webbrowser.open_new(page)


def free_port(first: int) -> int:
    """The first port from some number on that nobody has, whichever way localhost is meant.

    A name leads to 127.0.0.1 or to ::1, as the browser likes. Where another program has the port
    at one of them only, the page would be the other program's.
    """
    last = min(first + PORTS, 65_536)
    for port in range(max(first, 1), last):
        if not any(_taken(family, host, port) for family, host in LOOPBACK):
            return port
    raise CannotShowError(f"no port from {first} to {last - 1} is free; name another one by --port")


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
