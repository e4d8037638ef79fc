"""Numbers as people write them: with a point or a comma, and with signs between thousands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from dtree_lab.base.text import number as plainly
from dtree_lab.table.table import Value

# A float holds every whole number up to here; beyond, two different ones could become equal.
EXACT = 2**53
# What only looks like a number: a postcode such as 01067, 1_000, nan.
_NO_NUMBER = re.compile(r"\s*[+-]?0\d.*|.*_.*|\s*[+-]?nan\s*", re.IGNORECASE)
# What is a number either way: 1.250 may be one and a quarter, or over a thousand.
_GROUPED = re.compile(r"[+-]?([1-9]\d{0,2}(\.\d{3})?|0)")
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

    def meaning(self, cell: str) -> str:
        """What a cell means, written so, for a message."""
        found = self.number(cell)
        return "" if found is None else f"{cell.strip()!r} is then {plainly(found)}"


def are_grouped(cells: Iterable[str]) -> bool:
    """Whether all cells could be whole numbers with points between thousands, some with one.

    >>> are_grouped(["1.250", "12.400", "900"]), are_grouped(["1.250", "1.5"])
    (True, False)
    """
    stripped = {cell.strip() for cell in cells}
    several = len({cell for cell in stripped if "." in cell}) > 1
    return several and all(map(_GROUPED.fullmatch, stripped))


def as_written(cells: Sequence[str]) -> Sequence[Value]:
    """Cells as numbers if that keeps each as it is written; else as the text that they are.

    >>> as_written(["0", "1"]), as_written(["0", "01"]), as_written(["1.0", "2.5"])
    ([0, 1], ['0', '01'], ['1.0', '2.5'])
    """
    numbers: list[Value] = []
    for cell in cells:
        number = Numerals().number(cell)
        if number is None or abs(number) > EXACT or plainly(number) != cell:
            return cells
        numbers.append(number)
    return numbers
