"""One's own table on the command line: the options, and messages that name them."""

from __future__ import annotations

import argparse
import ast
import asyncio
import re
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dtree_lab.base.terminal import for_terminal
from dtree_lab.cli.serving import CannotShowError, stage

_TEXTS = ("target", "decimal", "thousands", "delimiter", "missing", "encoding")
_LISTS = ("drop", "na", "columns", "names")
# How the library's messages say what to say.
_SAID = re.compile(r"\b(\w+)=('(?:[^'\\]|\\.)*'|[\[(](?:'[^']*'(?:, )?)*,?[\])]|\{[^{}]*\})")


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of one's own table."""
    own = parser.add_argument_group("a table of one's own")
    add = own.add_argument
    add("--table", metavar="FILE", type=Path, help="a CSV file with the rows to show")
    add("--target", metavar="COLUMN", help="the column to predict (default: the last)")
    add("--drop", metavar="COLUMN", action="append", help="a column to leave out")
    add("--columns", metavar="COLUMN", action="append", help="a column to read (default: all)")
    add("--names", metavar="NAME", action="append", help="a column's name, if the file has none")
    add("--delimiter", metavar="SIGN", help="what stands between cells (default: a comma)")
    add("--decimal", metavar="SIGN", help="the decimal sign (default: a point)")
    add("--thousands", metavar="SIGN", help="what stands between thousands, if anything")
    add(
        "--na", metavar="WORD", action="append", help="a cell that is a gap (default: an empty one)"
    )
    add("--missing", choices=["keep", "drop", "error"], help="rows with gaps (default: keep)")
    add("--kinds", metavar="COLUMN=KIND", action="append", help="discrete or continuous")
    add("--encoding", metavar="NAME", help="such as cp1252 (default: utf-8)")


def how(options: argparse.Namespace) -> dict[str, Any]:
    """What the options say of the table, in the words of :meth:`dtree_lab.Table.read_csv`."""
    found: dict[str, Any] = {name: value for name in _TEXTS if (value := getattr(options, name))}
    found |= {name: list(value) for name in _LISTS if (value := getattr(options, name))}
    if options.kinds:
        pairs = [one.rpartition("=") for one in options.kinds]
        for column, sign, kind in pairs:
            if not sign or not column:
                msg = f"--kinds {kind}: say which column is of which kind: --kinds Floor=discrete"
                raise CannotShowError(msg)
        found["kinds"] = {column: kind for column, _, kind in pairs}
    if found and options.table is None:
        msg = f"--{next(iter(found))} is said of a table: give --table FILE as well"
        raise CannotShowError(msg)
    return found


def brought(options: argparse.Namespace) -> Any:
    """The table as a lecture's scenes know it; None where there is none.

    It is tried here, where errors can be read, and what is doubtful about it, too.
    """
    told = how(options)
    if options.table is None:
        return None
    path = options.table.expanduser().resolve()
    if not path.is_file():
        raise CannotShowError(f"there is no file {path}")
    tables = stage("tables")  # here, because a slide needs none
    try:
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always")
            tables.read_table(str(path), told)
    except (OSError, TypeError, ValueError) as problem:
        raise CannotShowError(as_options(" ".join(str(problem).split()))) from problem
    for doubt in doubts:
        print(for_terminal(f"Note: {as_options(str(doubt.message))}"), file=sys.stderr)
    return tables.TableSource(str(path), told, is_file=True)


def try_labs(scenes: Iterable[Any]) -> None:
    """Open the labs of scenes here, where errors can be read."""
    for scene in scenes:
        try:
            asyncio.run(_opened(scene))
        except (TypeError, ValueError) as problem:
            raise CannotShowError(as_options(" ".join(str(problem).split()))) from problem


async def _opened(scene: Any) -> None:
    """Open the lab. In a running loop, long work is begun and then left."""
    stage("opening").OpenLab(scene)


def as_options(message: str) -> str:
    """A message of the library in the words of the command line.

    >>> as_options("if ';' stands between names, say delimiter=';'")
    "if ';' stands between names, say --delimiter ';'"
    >>> as_options("or say kinds={'Size': 'discrete'}, na=('', 'NA')")
    "or say --kinds Size=discrete, --na '' --na NA"
    """
    return _SAID.sub(_option, message)


def _option(match: re.Match[str]) -> str:
    name, value = match[1], ast.literal_eval(match[2])
    if name not in (*_TEXTS, *_LISTS, "kinds"):
        return match[0]
    if isinstance(value, dict):
        return " ".join(f"--{name} {_word(f'{column}={kind}')}" for column, kind in value.items())
    values = value if isinstance(value, tuple | list) else (value,)
    return " ".join(f"--{name} {_word(one)}" for one in values)


def _word(text: str) -> str:
    plain = re.fullmatch(r"[\w./=-]+", text)
    return text if plain else f"'{text}'"
