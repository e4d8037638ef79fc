"""The cells of a CSV file as numbers or text, and what to say where they are neither.

The advice has been tried on the whole file, so that following it loses no value of a column that
could be read before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtree_lab.table.coded import Coded
from dtree_lab.table.csvfile import (
    Dialect,
    PathOrFile,
    Sheet,
    csv_reader,
    has_blanks_to_skip,
    read_sheet,
    read_text,
)
from dtree_lab.table.csvscan import Column, UnusualFileError, scanned
from dtree_lab.table.doubts import Settled, is_word_for_missing, warn
from dtree_lab.table.numerals import EXACT, Numerals, are_grouped, as_written
from dtree_lab.table.reading import ReadOptions, read_columns
from dtree_lab.table.table import Kind, Table


def table_of_csv(path: PathOrFile, options: ReadOptions, dialect: Dialect) -> Table:
    """The table of a CSV file; :meth:`dtree_lab.Table.read_csv` describes it."""
    dialect = dialect.checked()
    kinds = options.given_kinds()
    where, raw = read_text(path, dialect.encoding)
    columns = _plain(raw, options, dialect, kinds)
    if columns is None:
        sheet = _kept(read_sheet(where, raw, dialect), options, dialect)
        coded = {name: Coded.of(cells, dialect.is_gap) for name, cells in sheet.columns.items()}
        columns = _Columns(sheet, coded, dialect, kinds).read()
    del raw  # which is as large as the table
    try:
        return read_columns(columns, options, Settled((), True, dialect.na, dialect.strip))  # noqa: FBT003
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _plain(
    raw: bytes, options: ReadOptions, dialect: Dialect, kinds: dict[str, Kind]
) -> Mapping[str, Any] | None:
    """The values of a file that is written plainly; None if it is not, or something is wrong."""
    sheet = Sheet("", {}, (), dialect.delimiter)
    try:
        columns = plain_columns(raw, options, dialect, kinds)
        coded = {name: column for name, column in columns.items() if isinstance(column, Coded)}
        return columns | _Columns(sheet, coded, dialect, kinds).read()
    except (UnusualFileError, ValueError, OverflowError):
        return None


def _kept(sheet: Sheet, options: ReadOptions, dialect: Dialect) -> Sheet:
    """The columns that are not left out."""
    for argument in ("drop", "columns"):
        for name in getattr(dialect, argument) or ():
            sheet.check_there(name, argument)
    if options.target in dialect.drop:
        raise ValueError(f"drop: {options.target!r} is the target, the column to predict")
    sheet.check_there(options.target, "target")
    # In any case the target is read, and a column of weights.
    needed = {name for name in (options.target, options.weights) if isinstance(name, str)}
    kept = {name: cells for name, cells in sheet.columns.items() if dialect.keeps(name, needed)}
    return replace(sheet, columns=kept)


# How many words a column has for a value that is missing, at the most.
_FEW_WORDS = 3


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a file, to be read as numbers or as text."""

    sheet: Sheet
    columns: Mapping[str, Coded]  # its texts, without those for a missing value
    dialect: Dialect
    kinds: dict[str, Kind]  # those that the caller gives

    def read(self) -> dict[str, Coded]:
        """Each column's values: numbers where every cell is one, else text."""
        values = {name: replace(c, values=self._values(name)) for name, c in self.columns.items()}
        doubtful = [name for name in values if self._may_be_thousands(name)]
        if doubtful:
            cell = self.columns[doubtful[0]].values[0]
            warn(
                f"{self.sheet.where}: column {doubtful[0]!r} holds {cell!r} and the like. If the"
                " points stand between thousands, say decimal=',', thousands='.'; if they are"
                f" decimal, say kinds={dict.fromkeys(doubtful, 'continuous')!r}"
            )
        return values

    def _may_be_thousands(self, name: str) -> bool:
        """Whether a file in which a comma is free for fractions has nothing but groups of three."""
        if name in self.kinds or self.sheet.delimiter != ";" or self.dialect.numerals != Numerals():
            return False
        grouped = are_grouped(self.columns[name].values)
        return grouped and self._told_of_others(name, Numerals(",", ".")) is not None

    def _values(self, name: str) -> Sequence[Any]:
        texts = self.columns[name].values
        if self.kinds.get(name) == "discrete":
            return as_written(texts)
        if not takes_numbers(self.kinds.get(name)):
            return texts
        number = self.dialect.numerals.number
        numbers = [n for n in map(number, texts) if n is not None]
        if len(numbers) == len(texts):
            return list(map(float, numbers)) if all(abs(n) < EXACT for n in numbers) else numbers
        if numbers:
            odd = [text for text in texts if number(text) is None]
            raise ValueError(self._told(name, odd, "which is not a number, while others are"))
        written = [text for text in texts if not is_word_for_missing(text)]
        if written and (ways := self._ways(written)):
            why = "as all its rows do, a number in another way of writing"
            raise ValueError(self._told(name, written, why, ways))
        return texts

    def _told(self, name: str, odd: list[str], why: str, ways: list[Numerals] | None = None) -> str:
        """What is wrong with a column's first odd cell, and what reads it."""
        if not self.sheet.lines:
            raise UnusualFileError  # which is told of a file whose lines are known
        column = self.columns[name]
        words = [c for c in odd if is_word_for_missing(c) or not re.search(r"\d", c)]
        digits = [c for c in odd if c not in words]
        row, cell = column.first(set(digits or odd).__contains__) or (0, "")
        text = f"kinds={{{name!r}: 'discrete'}} to take the whole column as text"
        out = f"drop={name!r} to leave it out"
        if not digits:
            na = (*self.dialect.missing, *(word.strip() for word in words))
            cure = f"say na={na!r} if it stands for a missing value, or {text}"
            if not self._may_be_missing(words, column):
                cure = f"say {text}, or {out}, or correct it in the file"
        else:
            present = [c for c in column.values if c not in words]
            cure = self._cure(name, cell, self._ways(present) if ways is None else ways)
            cure += f", or say {text}, or {out}"
        return (
            f"{self.sheet.where}, line {self.sheet.lines[row - 1]}: row {row}, column {name!r}"
            f" holds {cell!r}, {why}; {cure}"
        )

    def _may_be_missing(self, words: list[str], column: Coded) -> bool:
        """Whether these words could all stand for missing values: a few, in a few rows."""
        if all(map(is_word_for_missing, words)):
            return True
        rows = column.taken(np.array([*(text in words for text in column.values), False]))
        return len(words) <= _FEW_WORDS and 2 * rows.sum() <= len(column)

    def _ways(self, cells: Sequence[str]) -> list[Numerals]:
        """The other ways of writing numbers that read all of these cells."""
        ways = [w for w in Numerals.usual() if all(w.number(c) is not None for c in cells)]
        return [w for w in ways if w != self.dialect.numerals]

    def _cure(self, name: str, cell: str, ways: list[Numerals]) -> str:
        """What to say for a column that some other way of writing reads, or none."""
        if not ways:
            return "correct it in the file"
        told = {way: self._told_of_others(name, way) for way in ways}
        whole = [way for way in ways if told[way] is not None]
        if not whole:
            return (
                f"it is a number with {self._change(ways[0])}, but other columns are not written"
                " so: write all alike in the file"
            )
        # A second sign is asked for only where one does not do.
        plain = [w for w in whole if not w.thousands or w.decimal == self.dialect.decimal]
        says = [
            f"{self._change(way)} ({'; '.join([way.meaning(cell), *(told[way] or ())])})"
            for way in (plain or whole)[:2]
        ]
        return f"say {', or '.join(says)}"

    def _told_of_others(self, name: str, way: Numerals) -> list[str] | None:
        """What another way of writing makes of the columns that are numbers now.

        An example for each column that changes; None if one of them could not be read.
        """
        now, told = self.dialect.numerals, []
        for other, column in self.columns.items():
            if other == name or self.kinds.get(other, "continuous") != "continuous":
                continue
            cells = column.values
            numbers = [now.number(c) for c in cells]
            if None in numbers:
                continue
            then = [way.number(c) for c in cells]
            if None in then:
                return None
            changed = [c for c, a, b in zip(cells, numbers, then, strict=True) if a != b]
            told += [f"{way.meaning(changed[0])}, in column {other!r}"] if changed else []
        return told[:2]

    def _change(self, way: Numerals) -> str:
        """The arguments that say how numbers are written, where they are to change."""
        said = [f"decimal={way.decimal!r}"] if way.decimal != self.dialect.decimal else []
        if way.thousands != (self.dialect.thousands or ""):
            said.append(f"thousands={way.thousands or None!r}")
        return ", ".join(said)


# -- a file that is written so plainly that all its cells can be read at once ----------------------

_HEAD = 1 << 16  # bytes, in which the first rows end


def takes_numbers(kind: Kind | None) -> bool:
    """Whether a column of a kind is read as numbers where all its cells are."""
    if isinstance(kind, str) or kind is None:
        return kind != "discrete"
    return not (isinstance(kind, Sequence) and any(isinstance(v, str) for v in kind))


def plain_columns(
    raw: bytes, options: ReadOptions, dialect: Dialect, kinds: Mapping[str, Kind]
) -> dict[str, Column]:
    """The columns of a plainly written file, without those left out; an error if it is not plain.

    They are what :func:`dtree_lab.table.csvfile.read_sheet` makes of the file: finite numbers where
    all cells are, else texts. Whatever is to be refused or looks unusual is left to that.
    """
    if not (dialect.delimiter.isascii() and dialect.decimal in ".,"):
        raise UnusualFileError
    raw = _one_end_of_line(raw)
    head = raw[: raw.rfind(b"\n", 0, _HEAD) + 1]
    sheet = read_sheet("", head, replace(dialect, rows=2))
    kept, names = _kept(sheet, options, dialect).columns, list(sheet.columns)
    few = len(sheet.lines) < 2 and len(raw) > _HEAD  # noqa: PLR2004
    if few or sheet.lines[0] != (2 if sheet.has_names else 1):
        raise UnusualFileError
    at = raw.find(b"\n") + 1 if sheet.has_names else 0
    raw = raw if dialect.rows is None else _first_lines(raw, at, dialect.rows)
    lines = csv_reader(head.decode(), dialect.delimiter)
    skip = has_blanks_to_skip(lines, dialect.delimiter, dialect.strip)
    numeric = [takes_numbers(kinds.get(name)) if name in kept else None for name in names]
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
