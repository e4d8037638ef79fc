"""rpart and J48 beside ours on a dozen tables: the same tree, or why not.

    python tools/peers/beside.py            with the programs where they are, else as recorded
    python tools/peers/beside.py --record   and record what they say, for the tests

What is not installed is installed by apt where that may be done.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import j48
import rpart
from peerfiles import installed, keep, kept
from peertables import number_tables, tables

import dtree_lab as dt

PACKAGES = ("r-base-core", "r-cran-rpart", "r-cran-ranger", "weka")


class Compared(NamedTuple):
    """Our tree beside a peer's on one table."""

    name: str
    same: bool
    why: str
    size: str


def beside_j48(outputs: dict[str, str]) -> Iterator[Compared]:
    """Line by line of what J48 prints, leaves that no row reaches apart."""
    for name, table in tables().items():
        for setting in j48.SETTINGS:
            theirs, empty = j48.read(outputs[j48.key(name, setting, table)])
            ours = j48.write(j48.grow(table, setting), table)
            size = f"{ours.leaves} leaves, {ours.size} nodes, {ours.right} right"
            if ours[:3] != theirs[:3]:
                size += f"; J48 {theirs.leaves}, {theirs.size}, {theirs.right}"
            if empty:
                size += f"; J48 has {empty} more leaves, for values that no row there has"
            same = ours == theirs
            why = "" if same else j48.why(table, ours, theirs)
            yield Compared(f"{name} {setting}", same, why, size)


def beside_rpart(outputs: dict[str, str]) -> Iterator[Compared]:
    """Node by node: the rows that come to it, and what it asks."""
    for name, table in (tables() | number_tables()).items():
        theirs = rpart.read(outputs[rpart.key(name, table)])
        ours = rpart.write(rpart.grow(table), table)
        why = "" if ours == theirs else rpart.why(table, ours, theirs)
        yield Compared(name, ours == theirs, why, f"{len(ours)} nodes")


def outputs_of(peer: ModuleType, every: dict[str, dt.Table], *, record: bool) -> dict[str, str]:
    """What a program says of some tables, or what was recorded."""
    name = peer.__name__
    if installed("weka" if name == "j48" else "r-cran-rpart") is None:
        print(f"{name}: not installed, so as recorded")
        return kept(name)
    with tempfile.TemporaryDirectory() as folder:
        outputs = peer.run(every, Path(folder))
    print(peer.told())
    if record:
        keep(name, peer.told(), outputs)
    return outputs


def install() -> None:
    """By apt, where it is there and may."""
    missing = [package for package in PACKAGES if installed(package) is None]
    apt = shutil.which("apt-get")
    if missing and apt and os.geteuid() == 0:
        command = [apt, "install", "--yes", "--no-install-recommends", *missing]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)


def main(arguments: list[str]) -> int:
    """Print each table; 1 where a difference is not explained."""
    record = "--record" in arguments
    install()
    compared = [
        *beside_rpart(outputs_of(rpart, tables() | number_tables(), record=record)),
        *beside_j48(outputs_of(j48, tables(), record=record)),
    ]
    for one in compared:
        verdict = "same tree" if one.same else f"differs: {one.why or 'NOT EXPLAINED'}"
        print(f"  {one.name:30} {verdict} ({one.size})")
    print(f"the same tree in {sum(one.same for one in compared)} of {len(compared)} runs")
    return int(any(not one.same and not one.why for one in compared))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
