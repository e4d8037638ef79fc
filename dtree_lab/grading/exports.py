"""Marks for other programs: CSV files, the columns of Canvas and Moodle, and ``results.json``.

What could not be graded has no points: a 0 is always one that somebody earned.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.base.text import listing
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading.judge import Handout
from dtree_lab.grading.rebuild import worst
from dtree_lab.grading.records import Grade, GradeRecord, learners

LONG = ("learner", "exercise", "points", "max_points", "status", "note")
WIDE = ("learner", "points", "max_points", "status", "note")
# A spreadsheet takes what begins so for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def everybody(course: Path, sheet: Handout, records: Sequence[GradeRecord]) -> list[GradeRecord]:
    """The records, and one for each submission that has none yet."""
    known = {one.learner: one for one in records}
    for learner, _ in learners(course, sheet.name):
        missing = GradeRecord(learner, sheet.name, "ungraded", "not graded yet")
        known.setdefault(learner, missing)
    return [known[learner] for learner in sorted(known)]


def long_csv(sheet: Handout, records: Iterable[GradeRecord]) -> str:
    """A line for each learner and exercise."""
    rows = []
    for record in records:
        marks = {mark.exercise: mark for mark in record.marks}
        for check in sheet.checks.values():
            mark = marks.get(check.exercise) or _unmarked(check.exercise, check.points, record)
            points = "" if mark.status == "ungraded" else _number(mark.points)
            note = "; ".join(filter(None, (mark.note, record.note)))
            status = worst(mark.status, record.status) if record.note else mark.status
            most = _number(mark.max_points)
            rows.append((record.learner, mark.exercise, points, most, status, note))
    return _csv(LONG, rows)


def wide_csv(sheet: Handout, records: Iterable[GradeRecord]) -> str:
    """A line for each learner."""
    return _csv(WIDE, [_wide(sheet, record) for record in records])


def filled(theirs: Path, column: str, records: Iterable[GradeRecord]) -> tuple[str, int]:
    """A sheet of Canvas's or Moodle's own, with the points in a column of it.

    Parameters
    ----------
    theirs
        What was exported from there: who is in it, and how the columns are called, is its matter.
    column
        The name of the column, or a part of it; a new one where there is none.

    Returns
    -------
    str, int
        The sheet, and how many of its lines have got points.

    Raises
    ------
    AssignmentError
        For a file that is no such sheet.
    """
    try:
        rows = list(csv.reader(io.StringIO(theirs.read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise AssignmentError(f"{theirs} cannot be read: {problem}") from None
    if len(rows) < 2:  # noqa: PLR2004 - a head and somebody
        raise AssignmentError(f"{theirs} has nobody in it")
    head = rows[0]
    at = next((i for i, name in enumerate(head) if column.lower() in name.lower()), len(head))
    if at == len(head):
        head.append(column)
    points = {key: one for one in records if one.marks for key in _keys(one.learner)}
    many = 0
    for row in rows[1:]:
        row.extend([""] * (len(head) - len(row)))
        ids = [key for i, cell in enumerate(row) if i != at for key in _ids(cell)]
        found = next((points[key] for key in ids if key in points), None)
        if found is not None:
            row[at] = _number(found.points)
            many += 1
    if not many:
        names = listing([one.learner for one in records])
        raise AssignmentError(f"none of {names} is found in {theirs}, by name or by number")
    return _csv(head, rows[1:], safe=False), many


def results_json(sheet: Handout, record: GradeRecord) -> str:
    """A submission's marks as Gradescope and Otter write them."""
    tests = [
        {
            "name": sheet.exercises[mark.exercise].title,
            "score": mark.points,
            "max_score": mark.max_points,
            "status": "passed" if mark.points == mark.max_points else "failed",
            "output": "\n".join(filter(None, (mark.card, mark.note))),
            "visibility": "visible",
        }
        for mark in record.marks
    ]
    told: dict[str, Any] = {"output": record.note, "execution_time": record.seconds}
    told |= {"stdout_visibility": "hidden", "visibility": "visible", "tests": tests}
    if record.marks:
        told["score"] = record.points
    return json.dumps(told, indent=1)


def write_results(folder: Path, sheet: Handout, records: Iterable[GradeRecord]) -> int:
    """Write ``LEARNER/results.json`` for each; how many there are."""
    many = 0
    for record in records:
        write_whole(folder / record.learner / "results.json", results_json(sheet, record))
        many += 1
    return many


def _wide(sheet: Handout, record: GradeRecord) -> tuple[str, ...]:
    most = sum(check.points for check in sheet.checks.values())
    notes = [record.note] + [
        f"{mark.exercise}: {mark.note}" for mark in record.marks if mark.status != "graded"
    ]
    points = _number(record.points) if record.marks else ""
    note = "; ".join(filter(None, notes))
    return record.learner, points, _number(most), record.status, note


def _unmarked(exercise: str, points: float, record: GradeRecord) -> Grade:
    return Grade(exercise, "", 0.0, points, "ungraded", "" if record.note else "not graded")


def _keys(learner: str) -> Iterable[str]:
    """By what a learner may be known elsewhere: the name, and the number at its end."""
    yield _folded(learner)
    name, _, number = learner.rpartition("_")
    if number.isdigit():
        yield number
        yield _folded(name)


def _ids(cell: str) -> Iterable[str]:
    """What a cell may say of who it is about; Moodle writes *Participant 123*."""
    text = cell.strip()
    yield _folded(text)
    yield text.removeprefix("Participant ").strip()


def _folded(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum()) or "?"


def _number(points: float) -> str:
    return f"{points:.4f}".rstrip("0").rstrip(".")


def _csv(head: Sequence[str], rows: Iterable[Sequence[str]], *, safe: bool = True) -> str:
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(head)
    out.writerows([map(_safe, row) if safe else row for row in rows])
    return file.getvalue()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell


def as_dict(text: str) -> list[Mapping[str, str]]:
    """The lines of a CSV text, by the names in its head."""
    return list(csv.DictReader(io.StringIO(text)))
