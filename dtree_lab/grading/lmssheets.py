"""The sheets that Canvas and Moodle export, with our points in a column of theirs.

Who is in such a sheet, how its columns are called, what separates them and how a number is written
is its own matter, and stays. A person is found by the number that Canvas or Moodle put into the
name of the submission: in its column only, since other columns have numbers, too.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dtree_lab.base.text import listing, number
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading.records import GradeRecord

Lms = Literal["Canvas", "Moodle"]
# What Moodle calls the column of points, in English and in German; else --column says it.
_GRADE = ("Grade", "Bewertung")
# Canvas's columns that tell who it is, beside its own number.
_PERSON = ("Student", "SIS User ID", "SIS Login ID", "Integration ID")
_NO_ASSIGNMENT = (*_PERSON, "LastName", "FirstName", "ID", "Root Account", "Section")
_CANVAS_ID = re.compile(r"\s*\(\d+\)$")  # Canvas's own number of an assignment, behind its title
_EXCUSED = "EX"


@dataclass(frozen=True)
class FilledSheet:
    """A sheet of Canvas's or Moodle's with points in it.

    Attributes
    ----------
    text
        The sheet.
    many
        How many of its lines have got points.
    missing
        Who has points and is not in it.
    excused
        Who is excused there, and stays so.
    """

    text: str
    many: int
    missing: tuple[str, ...]
    excused: tuple[str, ...]


def filled(  # noqa: PLR0913 - whose sheet it is, and what goes where
    theirs: Path,
    lms: Lms,
    column: str,
    records: Sequence[GradeRecord],
    most: float,
    *,
    scale: bool = False,
) -> FilledSheet:
    """A sheet of theirs with our points.

    Parameters
    ----------
    theirs, lms
        What was exported from there, and where.
    column
        The title of the column, or a part of it; for Moodle nothing, where it is called as usual.
    records
        The marks; who has none gets no points, and what stands there already stays.
    most
        All that was to be had.
    scale
        Whether points are turned into those of a sheet that gives another number at most.

    Raises
    ------
    AssignmentError
        For a file that is no such sheet, a column that it does not have, nobody of ours in it, or
        another number of points.
    """
    sheet = _Sheet(theirs, lms)
    at = sheet.column(column)
    factor = sheet.factor(at, most, scale=scale)
    found = sheet.people(records, at)
    if not found:
        names = listing([one.learner for one in records])
        raise AssignmentError(f"none of {names} is found in {theirs}, by number or by name")
    excused = []
    for i, record in found.items():
        row = sheet.rows[i]
        if row[at].strip().upper() == _EXCUSED:
            excused.append(record.learner)
        else:
            row[at] = sheet.written(record.points * factor)
    there = {record.learner for record in found.values()}
    missing = tuple(one.learner for one in records if one.marks and one.learner not in there)
    return FilledSheet(sheet.text(), len(found) - len(excused), missing, tuple(excused))


class _Sheet:
    """A sheet as it was read."""

    def __init__(self, path: Path, lms: Lms) -> None:
        self.path, self.lms = path, lms
        text = _text(path)
        self.mark = "\ufeff" if text.startswith("\ufeff") else ""
        self.rows: list[list[str]] = []
        for separator in ",;\t":
            rows = _rows(path, text.removeprefix("\ufeff"), separator)
            if rows and (not self.rows or len(rows[0]) > len(self.rows[0])):
                self.rows, self.separator = rows, separator
        if len(self.rows) < 2:  # noqa: PLR2004 - a head and somebody
            raise AssignmentError(f"{path} has nobody in it")
        self.head = [name.strip() for name in self.rows[0]]
        for row in self.rows:
            row.extend([""] * (len(self.head) - len(row)))

    def column(self, asked: str) -> int:
        """The column where the points go."""
        titles = {i: _CANVAS_ID.sub("", name) for i, name in enumerate(self.head)}
        if self.lms == "Canvas":
            if "ID" not in self.head:
                raise AssignmentError(f"{self.path} is no gradebook of Canvas: it has no column ID")
            only = {i: one for i, one in titles.items() if self._takes_points(i)}
            titles = only
        those = [asked] if asked else list(_GRADE)
        wanted = {one.casefold() for one in those}
        found = [i for i, one in titles.items() if one.casefold() in wanted]
        if not found and asked:
            found = [i for i, one in titles.items() if asked.casefold() in one.casefold()]
        if len(found) == 1:
            return found[0]
        which = listing([titles[i] for i in (found or titles)])
        said = f"{len(found) or 'no'} columns like {' or '.join(those)}" if found else ""
        said = said or f"no column {' or '.join(those)}"
        raise AssignmentError(f"{self.path} has {said}; say --column with one of {which}")

    def _takes_points(self, i: int) -> bool:
        readonly = any("read only" in row[i] for row in self.rows[1:3])
        return self.head[i] not in _NO_ASSIGNMENT and not readonly

    def factor(self, at: int, most: float, *, scale: bool) -> float:
        """By what points are multiplied: another number at most is refused, or asked for."""
        theirs = self._most(at)
        if theirs is None or theirs == most:
            return 1.0
        if scale and theirs > 0:
            return theirs / most
        raise AssignmentError(
            f"{self.lms} gives at most {number(theirs)} points for {self.head[at]!r}, and the"
            f" assignment has {number(most)}: give it {number(most)} there and export again, or"
            " say --scale"
        )

    def _most(self, at: int) -> float | None:
        if self.lms == "Canvas":
            rows = (row[at] for row in self.rows[1:4] if "Points Possible" in row[0])
            return _float(next(rows, ""))
        return _float(self.rows[1][at + 1]) if at + 1 < len(self.head) else None

    def people(self, records: Iterable[GradeRecord], at: int) -> dict[int, GradeRecord]:
        """Whose each row is, of those who have points."""
        graded = [one for one in records if one.marks]
        rows = {i: row for i, row in enumerate(self.rows) if i and self._is_person(row)}
        by_number = _unique((_number_of(one.learner), one) for one in graded)
        found = {
            i: by_number[self._number(row)]
            for i, row in rows.items()
            if self._number(row) in by_number
        }
        numbered = bool(found)
        keys: list[tuple[str, GradeRecord]] = []
        for one in graded:
            name, _, _ = one.learner.rpartition("_")
            if _number_of(one.learner) and not numbered:  # the numbers are another system's
                keys.append((folded(name), one))
            if not _number_of(one.learner) or not numbered:
                keys.append((folded(one.learner), one))
        by_name = _unique(keys)
        taken = {one.learner for one in found.values()}
        for i, row in rows.items():
            those = {
                by_name[key].learner: by_name[key] for key in self._names(row, at) & set(by_name)
            }
            if i not in found and len(those) == 1 and not taken & set(those):
                found[i] = next(iter(those.values()))
        doubled = Counter(one.learner for one in found.values())
        return {i: one for i, one in found.items() if doubled[one.learner] == 1}

    def _is_person(self, row: Sequence[str]) -> bool:
        said = [cell for cell in row if cell.strip()]
        only = all(one.startswith(("Manual Posting", "Muted")) for one in said)
        return not only and "Points Possible" not in row[0]

    def _number(self, row: Sequence[str]) -> str:
        """Canvas's number of a person, or Moodle's: *Participant 123*, *Teilnehmer/in123*."""
        cell = row[self.head.index("ID")] if self.lms == "Canvas" else row[0]
        digits = re.search(r"\d+$", cell.strip())
        return digits[0] if digits else "?"

    def _names(self, row: Sequence[str], at: int) -> set[str]:
        """By what a person may be known, but for the number."""
        if self.lms == "Canvas":
            cells = [row[self.head.index(name)] for name in _PERSON if name in self.head]
            if "LastName" in self.head and "FirstName" in self.head:
                name = [row[self.head.index(one)] for one in ("LastName", "FirstName")]
                cells += ["".join(name), "".join(reversed(name))]
        else:
            cells = list(row[1:at])
        cells += [cell.partition("@")[0] for cell in cells if "@" in cell]
        cells += ["".join(reversed(cell.split(","))) for cell in cells if cell.count(",") == 1]
        return {folded(cell) for cell in cells if cell.strip()}

    def written(self, points: float) -> str:
        """A number as the sheet writes them."""
        text = f"{points:.4f}".rstrip("0").rstrip(".")
        cells = (cell for row in self.rows[1:] for cell in row)
        commas = any(re.fullmatch(r"\d+,\d+", cell.strip()) for cell in cells)
        return text.replace(".", ",") if commas else text

    def text(self) -> str:
        """The sheet, as it came."""
        file = io.StringIO()
        csv.writer(file, delimiter=self.separator, lineterminator="\n").writerows(self.rows)
        return self.mark + file.getvalue()


def folded(text: str) -> str:
    """A name without what is written now so and now so.

    Examples
    --------
    >>> folded("O'Hara, Zoë")
    'oharazoë'
    """
    plain = unicodedata.normalize("NFC", text).casefold()
    return "".join(char for char in plain if char.isalnum()) or "?"


def _number_of(learner: str) -> str:
    """The number that Canvas or Moodle put behind a name; nothing where there is none."""
    digits = learner.rpartition("_")[2]
    return digits if digits.isdecimal() and "_" in learner else ""


def _unique(pairs: Iterable[tuple[str, GradeRecord]]) -> dict[str, GradeRecord]:
    """What can be told apart by a key; whom it does not tell apart is left out."""
    found: dict[str, list[GradeRecord]] = {}
    for key, one in pairs:
        if key and one not in found.setdefault(key, []):
            found[key].append(one)
    return {key: those[0] for key, those in found.items() if len(those) == 1}


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise AssignmentError(f"{path} cannot be read: {problem.strerror}") from None
    if b"\0" in data:
        raise AssignmentError(f"{path} is no CSV: export it as CSV, not as a spreadsheet")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # as spreadsheets save it on Windows


def _rows(path: Path, text: str, separator: str) -> list[list[str]]:
    try:
        read = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        return [row for row in read if any(cell.strip() for cell in row)]
    except csv.Error as problem:
        raise AssignmentError(f"{path} is no CSV: {problem}") from None


def _float(cell: str) -> float | None:
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        return None
