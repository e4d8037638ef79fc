"""Votes in ``dtree-lab lecture``: options, the file they are kept in, and where phones vote."""

from __future__ import annotations

import argparse
import errno
import os
from pathlib import Path
from typing import Any

from dtree_lab.cli.serving import PORTS, CannotShowError, stage

PORT = 8880


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of votes."""
    votes = parser.add_argument_group(
        "votes",
        "Show of hands needs none of these. What --class opens, and to whom: docs/stage.md.",
    )
    add = votes.add_argument
    add("--class", action="store_true", dest="phones", help="let phones in the local network vote")
    add("--class-host", metavar="ADDRESS", help="(default: this computer's in the network)")
    add("--class-port", metavar="PORT", type=int, help=f"(default: {PORT}, or the next free)")
    add("--votes", metavar="FILE", type=Path, help="keep all counts in a CSV file")


def votes_file(options: argparse.Namespace) -> Path | None:
    """The file for the votes, by its whole path; None if none is wanted."""
    path: Path | None = options.votes
    if path is None:
        return None
    whole = path.expanduser().resolve()
    if whole.is_dir() or not os.access(whole.parent, os.W_OK):
        msg = f"the votes cannot be written to {path}: name a file in a folder of yours (--votes)"
        raise CannotShowError(msg)
    return whole


def open_class(given: Any, options: argparse.Namespace) -> str:
    """Let phones in at one address of this computer, and say where."""
    host = options.class_host or stage("classroom").own_address()
    if not host:
        msg = "this computer is in no network; name its address there by --class-host"
        raise CannotShowError(msg)
    if host in ("0.0.0.0", "::"):  # noqa: S104 - it is refused
        msg = f"{host} means all networks; name one address of this computer by --class-host"
        raise CannotShowError(msg)
    first = options.class_port or PORT
    for port in [first] if options.class_port else range(first, first + PORTS):
        try:
            room = given.open_class(host, port, resume=options.resume)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            if problem.errno != errno.EADDRINUSE:
                break
        else:
            return f"For phones in this network, while this runs: {room.address}"
    msg = f"no phones can be let in at {host}:{first} ({reason})"
    raise CannotShowError(f"{msg}; name another address by --class-host or --class-port")
