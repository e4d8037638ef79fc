"""The cells of a CSV file as numbers or text, and what to say where they are neither.

The advice has been tried on the whole file, so that following it loses no value of a column that
could be read before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dtree_lab.table.csvfile import Dialect, PathOrFile, Sheet, read_sheet
from dtree_lab.table.doubts import Settled, is_word_for_missing, warn
from dtree_lab.table.numerals import Numerals, as_written
from dtree_lab.table.reading import ReadOptions, read_columns
from dtree_lab.table.table import Kind, Table


def table_of_csv(path: PathOrFile, options: ReadOptions, dialect: Dialect) -> Table:
    """The table of a CSV file; :meth:`dtree_lab.Table.read_csv` describes it."""
    dialect = dialect.checked()
    kinds = options.given_kinds()
    sheet = read_sheet(path, dialect)
    for name in dialect.drop:
        sheet.check_there(name, "drop")
    if options.target in dialect.drop:
        msg = f"drop: {options.target!r} is the target, the column to predict"
        raise ValueError(msg)
    sheet.check_there(options.target, "target")
    kept = {name: cells for name, cells in sheet.columns.items() if name not in dialect.drop}
    columns = _Columns(replace(sheet, columns=kept), dialect, kinds).read()
    try:
        return read_columns(columns, options, Settled((), True, dialect.na, dialect.strip))  # noqa: FBT003
    except ValueError as error:
        msg = f"{sheet.where}: {error}"
        raise ValueError(msg) from None


# How many words a column has for a value that is missing, at the most.
_FEW_WORDS = 3
# What is a number either way: 1.250 may be one and a quarter, or over a thousand.
_THOUSANDS = re.compile(r"[+-]?([1-9]\d{0,2}(\.\d{3})?|0)")


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of a file, to be read as numbers or as text."""

    sheet: Sheet
    dialect: Dialect
    kinds: dict[str, Kind]  # those that the caller gives

    def read(self) -> dict[str, Any]:
        """Each column's values: numbers where every cell is one, else text."""
        values = {name: self._values(name) for name in self.sheet.columns}
        doubtful = [name for name in values if self._may_be_thousands(name)]
        if doubtful:
            cell = next(c for c in self._kept(doubtful[0]) if c is not None)
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
        cells = [c.strip() for c in self._kept(name) if c is not None]
        return (
            all(map(_THOUSANDS.fullmatch, cells))
            and len({c for c in cells if "." in c}) > 1
            and self._told_of_others(name, Numerals(",", ".")) is not None
        )

    def _kept(self, name: str) -> Sequence[str | None]:
        """A column's cells, None where one is missing."""
        cells, words = self.sheet.columns[name], set(self.dialect.missing)
        gaps = {cell for cell in set(cells) if cell in words or cell.strip() in words}
        return [None if cell in gaps else cell for cell in cells] if gaps else cells

    def _values(self, name: str) -> Any:
        kept, kind = self._kept(name), self.kinds.get(name, "continuous")
        if kind == "discrete":
            return as_written(kept)
        if not isinstance(kind, str) and any(isinstance(v, str) for v in kind):
            return list(kept)
        quick = self.dialect.numerals.column(kept)
        if quick is not None:
            return quick
        number = self.dialect.numerals.number
        numbers = {cell: number(cell) for cell in dict.fromkeys(kept) if cell is not None}
        if numbers and None not in numbers.values():
            return [None if cell is None else numbers[cell] for cell in kept]
        if any(n is not None for n in numbers.values()):
            odd = [cell for cell, n in numbers.items() if n is None]
            raise ValueError(self._told(name, kept, odd, "which is not a number, while others are"))
        written = [cell for cell in numbers if not is_word_for_missing(cell)]
        if written and (ways := self._ways(written)):
            why = "as all its rows do, a number in another way of writing"
            raise ValueError(self._told(name, kept, written, why, ways))
        return list(kept)

    def _told(
        self,
        name: str,
        kept: Sequence[str | None],
        odd: list[str],
        why: str,
        ways: list[Numerals] | None = None,
    ) -> str:
        """What is wrong with a column's first odd cell, and what reads it."""
        row = list(kept).index(odd[0])
        words = [c for c in odd if is_word_for_missing(c) or not re.search(r"\d", c)]
        digits = [c for c in odd if c not in words]
        text = f"kinds={{{name!r}: 'discrete'}} to take the whole column as text"
        out = f"drop={name!r} to leave it out"
        if not digits:
            na = (*self.dialect.missing, *(word.strip() for word in words))
            cure = f"say na={na!r} if it stands for a missing value, or {text}"
            if not self._may_be_missing(words, kept):
                cure = f"say {text}, or {out}, or correct it in the file"
        else:
            row = list(kept).index(digits[0])
            present = [c for c in dict.fromkeys(kept) if c is not None and c not in words]
            cure = self._cure(name, digits[0], self._ways(present) if ways is None else ways)
            cure += f", or say {text}, or {out}"
        cell = list(kept)[row]
        return (
            f"{self.sheet.where}, line {self.sheet.lines[row]}: row {row + 1}, column {name!r}"
            f" holds {cell!r}, {why}; {cure}"
        )

    def _may_be_missing(self, words: list[str], kept: Sequence[str | None]) -> bool:
        """Whether these words could all stand for missing values: a few, in a few rows."""
        if all(map(is_word_for_missing, words)):
            return True
        return len(words) <= _FEW_WORDS and 2 * sum(c in words for c in kept) <= len(kept)

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
        for other in self.sheet.columns:
            if other == name or self.kinds.get(other, "continuous") != "continuous":
                continue
            cells = [c for c in dict.fromkeys(self._kept(other)) if c is not None]
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
