"""The command ``dtree-lab demo``: one lab on a page of its own, before a class."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dtree_lab.base.terminal import for_terminal
from dtree_lab.cli import owntable, serving
from dtree_lab.cli.serving import KEYS, CannotShowError
from dtree_lab.labs.catalogue import Entry, find_lab, lab_list


def main(arguments: Sequence[str]) -> int:
    """Run the command with the words after ``dtree-lab demo``; the exit status."""
    options = _parser().parse_args(arguments)
    if options.name is None:
        print(for_terminal(f"{lab_list()}\n\nShow one with: dtree-lab demo NAME"))
        return 0
    try:
        with tempfile.TemporaryDirectory(prefix="dtree-lab-", ignore_cleanup_errors=True) as folder:
            lecture = _prepared(options, Path(folder))
            given = serving.stage("server").Stage(lecture, theme=options.theme)
            asyncio.run(serving.give(given, options))
    except CannotShowError as problem:
        print(f"dtree-lab demo: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtree-lab demo",
        description=f"Show one lab on a page of its own, in large type. {KEYS}",
        epilog="Without a name, the labs are listed. A whole lecture: dtree-lab lecture.",
    )
    add = parser.add_argument
    add("name", metavar="NAME", nargs="?", help="the lab, such as tree")
    add("--state", metavar="TEXT", help="where to begin: a lab's .state, or @ and a file with it")
    owntable.add_options(parser)
    serving.add_options(parser)
    return parser


def _prepared(options: argparse.Namespace, folder: Path) -> Any:
    """A lecture of one scene, tried here, where errors can be read."""
    try:
        entry = find_lab(options.name)
    except ValueError as problem:
        raise CannotShowError(str(problem)) from problem
    table = owntable.brought(options)
    file = folder / f"{entry.name}.md"
    file.write_text(_written(entry, options), encoding="utf-8")
    lecture = serving.stage("reading").read_lecture(file)
    lecture = lecture.on(table) if table else lecture
    owntable.try_labs(lecture.scenes)
    return lecture


def _written(entry: Entry, options: argparse.Namespace) -> str:
    """The lecture's file; what it says is JSON, which is YAML too."""
    # A state says itself where to begin.
    front: dict[str, Any] = {"lab": entry.name, **({} if options.state else entry.scene)}
    if options.table is not None:
        front["table"] = serving.stage("tables").OWN
    if options.state is not None:
        front["state"] = _state(options.state)
    title = entry.what.partition(":")[0].capitalize()
    text: str = serving.stage("reading").written(title, [front])
    return text


def _state(text: str) -> str:
    if not text.startswith("@"):
        return text
    path = Path(text[1:]).expanduser().resolve()
    if not path.is_file():
        raise CannotShowError(f"there is no file {path}")
    return path.read_text(encoding="utf-8").strip()
