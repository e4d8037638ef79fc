"""Whether a CSV file is written so plainly that all its cells can be read at once; and reading it.

:mod:`dtree_lab.table.csvfile` is the truth about what a file says, and about what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from dtree_lab.table.coded import Coded
from dtree_lab.table.csvfile import (
    Dialect,
    are_named,
    csv_reader,
    has_blanks_to_skip,
    other_delimiter,
    rows_of_text,
)
from dtree_lab.table.csvscan import Column, UnusualFileError, scanned
from dtree_lab.table.numerals import Numerals, are_grouped
from dtree_lab.table.table import Kind

_HEAD = 1 << 16  # bytes, in which the first rows end


def takes_numbers(kind: Kind | None) -> bool:
    """Whether a column of a kind is read as numbers where all its cells are."""
    if isinstance(kind, str) or kind is None:
        return kind != "discrete"
    return not (isinstance(kind, Sequence) and any(isinstance(v, str) for v in kind))


def plain_columns(
    raw: bytes, dialect: Dialect, kinds: Mapping[str, Kind], needed: frozenset[str]
) -> dict[str, Column]:
    """The columns of a plainly written file, without those left out; an error if it is not plain.

    They are what :func:`dtree_lab.table.csvfile.read_sheet` makes of the file: finite numbers where
    all cells are, else texts. Whatever is to be refused or looks unusual is left to that.
    """
    raw = _one_end_of_line(raw)
    begin = raw.find(b"\n") + 1
    head = raw[: raw.rfind(b"\n", 0, _HEAD) + 1].decode()
    rows = list(islice(rows_of_text("", head, dialect.delimiter, dialect.strip), 3))
    if [line for _, line in rows[:2]] != [1, 2] or (len(rows) < 3 and len(raw) > _HEAD):  # noqa: PLR2004
        raise UnusualFileError
    names = list(rows[0][0] if dialect.names is None else dialect.names)
    usual = (
        len(set(names)) == len(names)
        and {*needed, *dialect.drop, *(dialect.columns or ())} <= set(names)
        and needed.isdisjoint(dialect.drop)
        and (len(names) > 1 or other_delimiter(names, dialect.delimiter) is None)
        and dialect.delimiter.isascii()
        and dialect.decimal in ".,"
        and (dialect.names is None or not are_named(rows[0][0], names))
    )
    if not usual:
        raise UnusualFileError
    at = begin if dialect.names is None else 0
    raw = raw if dialect.rows is None else _first_lines(raw, at, dialect.rows)
    skip = has_blanks_to_skip(csv_reader(head, dialect.delimiter), dialect.delimiter, dialect.strip)
    kept = {name: dialect.keeps(name, needed) for name in names}
    numeric = [takes_numbers(kinds.get(name)) if kept[name] else None for name in names]
    columns = scanned(raw, at, numeric, dialect, skip=skip)
    if dialect.delimiter == ";" and dialect.numerals == Numerals():
        asked = [
            False if name not in kinds and _may_be_grouped(column) else None
            for name, column in zip(names, columns, strict=True)
        ]
        texts = scanned(raw, at, asked, dialect, skip=skip)
        if any(isinstance(text, Coded) and are_grouped(text.values) for text in texts):
            raise UnusualFileError
    named = dict(zip(names, columns, strict=True))
    if any(_is_empty(named[name]) for name in names if not name.strip()):
        raise UnusualFileError  # which is left out where it has no name either
    return {name: column for name, column in named.items() if column is not None}


def _one_end_of_line(raw: bytes) -> bytes:
    """The text with a single end of line at its end."""
    lone_return = b"\r" in raw and raw.count(b"\r") != raw.count(b"\r\n")
    if raw.startswith((b"sep=", b'"sep=')) or lone_return:
        raise UnusualFileError
    if raw.endswith(b"\n") and not raw.endswith((b"\n\n", b"\n\r\n")):
        return raw
    return raw.rstrip(b"\r\n") + b"\n"


def _first_lines(raw: bytes, at: int, n: int) -> bytes:
    for _ in range(n):
        at = raw.find(b"\n", at) + 1
        if not at:
            return raw
    if b'"' in raw[:at]:  # which may hold a line's end
        raise UnusualFileError
    return raw[:at]


def _may_be_grouped(column: Column | None) -> bool:
    """Whether there may be points between thousands in what was read as numbers."""
    if not isinstance(column, np.ndarray):
        return False
    shifted = 1000 * column[~np.isnan(column)]  # whole for three decimals, up to rounding
    return bool((np.abs(shifted) < 10**6).all() and np.allclose(shifted, shifted.round()))


def _is_empty(column: Column | None) -> bool:
    return column is None or (isinstance(column, Coded) and not any(map(str.strip, column.values)))
