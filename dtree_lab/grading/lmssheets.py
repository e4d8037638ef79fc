"""The sheets that Canvas and Moodle export, with our points in a column of theirs.

Who is in such a sheet, how its columns are called, what separates them and how a number is written
is its own matter, and stays. A person is found by the number that Canvas or Moodle put into the
name of the submission, in its column only, since other columns have numbers, too; and by the name
beside it, since a number alone could be anybody's who wrote it there.
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
from dtree_lab.grading.owners import Known
from dtree_lab.grading.records import GradeRecord

Lms = Literal["Canvas", "Moodle"]
# What Moodle calls the column of points, in English and in German; else --column says it.
_GRADE = ("Grade", "Bewertung")
# Canvas's columns that tell who it is, beside its own number.
_PERSON = ("Student", "SIS User ID", "SIS Login ID", "Integration ID")
_NO_ASSIGNMENT = (*_PERSON, "LastName", "FirstName", "ID", "Root Account", "Section")
_CANVAS_ID = re.compile(r"\s*\(\d+\)$")  # Canvas's own number of an assignment, behind its title
_EXCUSED = "EX"
# A name of so many letters may have been cut.
_CUT = 40


@dataclass(frozen=True)
class FilledSheet:
    """A sheet of Canvas's or Moodle's with points in it."""

    text: str  # the sheet
    many: int  # how many of its lines have got points
    missing: tuple[str, ...]  # who has points and is not in it
    excused: tuple[str, ...]  # who is excused there, and stays so
    doubled: tuple[str, ...] = ()  # of whom there are several submissions, and so no points
    renamed: tuple[str, ...] = ()  # whose number is there with another name, and so without points


def filled(  # noqa: PLR0913 - whose sheet it is, and what goes where
    theirs: Path,
    lms: Lms,
    column: str,
    records: Sequence[GradeRecord],
    most: float,
    *,
    scale: bool = False,
) -> FilledSheet:
    """Canvas's or Moodle's sheet, as exported, with our points; `most` were to be had.

    The column is called by its title or a part of it, or by nothing where Moodle's has its usual
    name. Who has no mark gets no points, and what stands there already stays. With `scale`, points
    are turned into those of a sheet that gives another number at most.
    """
    sheet = _Sheet(theirs, lms)
    at = sheet.column(column)
    factor = sheet.factor(at, most, scale=scale)
    found, doubled = sheet.people(records, at)
    if not found and not doubled:
        names = listing([one.learner for one in records])
        raise AssignmentError(f"none of {names} is found in {theirs}, by number or by name")
    excused = []
    for i, record in found.items():
        row = sheet.rows[i]
        if row[at].strip().upper() == _EXCUSED:
            excused.append(record.learner)
        else:
            row[at] = sheet.written(record.points * factor)
    there = {record.learner for record in found.values()}.union(doubled)
    left = [one.learner for one in records if one.marks and one.learner not in there]
    numbers = set(map(sheet.number, sheet.rows[1:]))
    return FilledSheet(
        text=sheet.text(),
        many=len(found) - len(excused),
        missing=tuple(one for one in left if _number_of(one) not in numbers),
        excused=tuple(excused),
        doubled=tuple(doubled),
        renamed=tuple(one for one in left if _number_of(one) in numbers),
    )


def people_of(theirs: Path) -> Known:
    """Who is in a sheet of Canvas's or Moodle's: whether there is one of a name and a number."""
    sheet = _Sheet(theirs, "Moodle")
    if "ID" in sheet.head and "Student" in sheet.head:
        sheet.lms = "Canvas"
    rows: dict[str, list[Sequence[str]]] = {}
    for row in sheet.rows[1:]:
        rows.setdefault(sheet.number(row), []).append(row)
    if set(rows) <= {"?"}:
        raise AssignmentError(f"{theirs} is no sheet of Canvas's or Moodle's: nobody has a number")
    return lambda who, number: any(sheet.is_called(row, who) for row in rows.get(number, ()))


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

    def column(self, title: str) -> int:
        """The column where the points go."""
        titles = {i: _CANVAS_ID.sub("", name) for i, name in enumerate(self.head)}
        if self.lms == "Canvas":
            if "ID" not in self.head:
                raise AssignmentError(f"{self.path} is no gradebook of Canvas: it has no column ID")
            titles = {i: one for i, one in titles.items() if self._takes_points(i)}
        those = [title] if title else list(_GRADE)
        wanted = {one.casefold() for one in those}
        found = [i for i, one in titles.items() if one.casefold() in wanted]
        if not found and title:
            found = [i for i, one in titles.items() if title.casefold() in one.casefold()]
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

    def people(
        self, records: Iterable[GradeRecord], at: int
    ) -> tuple[dict[int, GradeRecord], list[str]]:
        """Whose each row is, of those who have points; and who are several for one row."""
        graded = [one for one in records if one.marks]
        rows = {i: row for i, row in enumerate(self.rows) if i and self._is_person(row)}
        numbers = {self.number(row) for row in rows.values()}
        numbered = any(_number_of(one.learner) in numbers for one in graded)
        by_number: dict[str, list[GradeRecord]] = {}
        by_name: dict[str, list[GradeRecord]] = {}
        for one in graded:
            name, number = _name_of(one.learner), _number_of(one.learner)
            if number and numbered:
                by_number.setdefault(number, []).append(one)
            else:  # the numbers, if there are any, are another system's
                for key in {folded_name(one.learner), folded_name(name)}:
                    by_name.setdefault(key, []).append(one)
        those: dict[int, dict[str, GradeRecord]] = {}
        for i, row in rows.items():
            numbers_fit = by_number.get(self.number(row), ())
            fit = [one for one in numbers_fit if self.is_called(row, _name_of(one.learner))]
            fit += [one for key in self._names(row, at) for one in by_name.get(key, ())]
            those[i] = {one.learner: one for one in fit}
        many = Counter(learner for fit in those.values() for learner in fit)
        found = {
            i: one
            for i, fit in those.items()
            if len(fit) == 1
            for one in fit.values()
            if many[one.learner] == 1
        }
        return found, sorted({who for fit in those.values() if len(fit) > 1 for who in fit})

    def _is_person(self, row: Sequence[str]) -> bool:
        said = [cell for cell in row if cell.strip()]
        only = all(one.startswith(("Manual Posting", "Muted")) for one in said)
        return not only and "Points Possible" not in row[0]

    def number(self, row: Sequence[str]) -> str:
        """Canvas's number of a person, or Moodle's: *Participant 123*, *Teilnehmer/in123*."""
        cell = row[self.head.index("ID")] if self.lms == "Canvas" else row[0]
        digits = re.search(r"\d+$", cell.strip())
        return digits[0] if digits else "?"

    def is_called(self, row: Sequence[str], name: str) -> bool:
        """Whether a person has a name, in any order of its words; a long one may be cut."""
        wanted = folded_name(name)
        keys = {key for cell in self._called(row, len(row)) for key in _turned(cell)}
        if self.lms == "Moodle":  # without names, people are called like their numbers' column
            keys.add(folded_name(row[0].rstrip("0123456789")))
        cut = len(wanted) >= _CUT
        return any(key == wanted or (cut and key.startswith(wanted)) for key in keys)

    def _called(self, row: Sequence[str], at: int) -> list[str]:
        """The cells that tell who it is, but for the number."""
        if self.lms == "Moodle":
            return list(row[1:at])
        cells = [row[self.head.index(name)] for name in _PERSON if name in self.head]
        if "LastName" in self.head and "FirstName" in self.head:
            cells.append(", ".join(row[self.head.index(one)] for one in ("LastName", "FirstName")))
        return cells

    def _names(self, row: Sequence[str], at: int) -> set[str]:
        """By what a person may be known, but for the number."""
        cells = self._called(row, at)
        cells += [cell.partition("@")[0] for cell in cells if "@" in cell]
        cells += ["".join(reversed(cell.split(","))) for cell in cells if cell.count(",") == 1]
        return {folded_name(cell) for cell in cells if cell.strip()}

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


def folded_name(text: str) -> str:
    """A name without what is written now so and now so."""
    plain = unicodedata.normalize("NFC", text).casefold()
    return "".join(char for char in plain if char.isalnum()) or "?"


def _turned(name: str) -> set[str]:
    """A name, beginning with each of its words: *Lovelace, Ada* is *Ada Lovelace*, too."""
    words = re.split(r"[\s,]+", name.strip())
    return {folded_name("".join(words[i:] + words[:i])) for i in range(len(words))} - {"?"}


def _name_of(learner: str) -> str:
    """A learner's name without the number that Canvas or Moodle put behind it."""
    return learner.rpartition("_")[0] if _number_of(learner) else learner


def _number_of(learner: str) -> str:
    """The number that Canvas or Moodle put behind a name; nothing where there is none."""
    digits = learner.rpartition("_")[2]
    return digits if digits.isdecimal() and "_" in learner else ""


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
