"""Numbers as people write them: with a point or a comma, and with signs between thousands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number as plainly
from dtree_lab.table.table import Value

# A float holds every whole number up to here; beyond, two different ones could become equal.
EXACT = 2**53
# What only looks like a number: a postcode such as 01067, 1_000, nan.
_NO_NUMBER = re.compile(r"\s*[+-]?0\d.*|.*_.*|\s*[+-]?nan\s*", re.IGNORECASE)
# Anywhere in a column's cells, one on each line: what `float` takes, but is none or needs a look.
_DOUBTFUL = re.compile(r"[_nN]|^\s*[+-]?0\d", re.MULTILINE)
# Blanks between thousands, as French and Swedish have them, come in these kinds.
_BLANKS = " \u00a0\u202f\u2009"


@dataclass(frozen=True)
class Numerals:
    """A way of writing numbers.

    >>> german = Numerals(",", ".")
    >>> [german.number(text) for text in ("1.234,5", "1.234", "12", "1.5", "3,x")]
    [1234.5, 1234, 12, None, None]
    """

    decimal: str = "."
    thousands: str = ""  # between groups of three digits, or nothing

    @staticmethod
    def usual() -> Iterator[Numerals]:
        """The ways that are common somewhere, the simplest first."""
        for thousands in ("", ",", ".", " ", "'", "’"):  # noqa: RUF001 - as Swiss programs write
            for decimal in ".,":
                if decimal != thousands:
                    yield Numerals(decimal, thousands)

    @cached_property
    def _grouped(self) -> re.Pattern[str]:
        sign = f"[{_BLANKS}]" if self.thousands in _BLANKS else re.escape(self.thousands)
        return re.compile(rf"[+-]?\d{{1,3}}({sign}\d{{3}})+({re.escape(self.decimal)}\d*)?")

    def number(self, cell: str) -> float | int | None:
        """The number that a cell writes, or None."""
        text = cell.strip()
        if self.thousands and self._grouped.fullmatch(text):
            whole, point, fraction = text.partition(self.decimal)
            text = re.sub(r"[^\d+-]", "", whole) + point + fraction
        if self.decimal != ".":
            if "." in text:
                return None
            text = text.replace(self.decimal, ".")
        if _NO_NUMBER.fullmatch(text):
            return None
        try:
            return int(text)
        except ValueError:
            try:
                return float(text)
            except ValueError:
                return None

    def column(self, cells: Sequence[str | None]) -> NDArray[np.float64] | None:
        """All the cells' numbers at once, NaN where one is None; None if any needs a closer look.

        What it gives is what :meth:`number` gives for each.
        """
        written = [cell for cell in cells if cell is not None]
        if self.thousands or not written:
            return None
        text = "\n".join(written)
        if self.decimal != ".":
            if "." in text:
                return None
            text = text.replace(self.decimal, ".")
        parts = text.split("\n")
        if len(parts) != len(written) or _DOUBTFUL.search(text):
            return None
        try:
            numbers = np.fromiter(map(float, parts), np.float64, len(parts))
        except ValueError:
            return None
        if np.abs(numbers).max() >= EXACT:  # one of which may be too large to be held exactly
            return None
        if len(written) == len(cells):
            return numbers
        column = np.full(len(cells), np.nan)
        column[[cell is not None for cell in cells]] = numbers
        return column

    def meaning(self, cell: str) -> str:
        """What a cell means, written so, for a message."""
        found = self.number(cell)
        return "" if found is None else f"{cell.strip()!r} is then {plainly(found)}"


def as_written(cells: Sequence[str | None]) -> list[Value | None]:
    """Cells as numbers if that keeps each as it is written; else as the text that they are.

    >>> as_written(["0", "1", None]), as_written(["0", "01"]), as_written(["1.0", "2.5"])
    ([0, 1, None], ['0', '01'], ['1.0', '2.5'])
    """
    numbers: dict[str, Value] = {}
    for cell in dict.fromkeys(cells):
        if cell is None:
            continue
        number = Numerals().number(cell)
        if number is None or abs(number) > EXACT or plainly(number) != cell:
            return list(cells)
        numbers[cell] = number
    return [None if cell is None else numbers[cell] for cell in cells]
