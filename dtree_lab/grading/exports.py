"""Marks for other programs: CSV files, and ``results.json``.

What could not be graded has no points: a 0 is always one that somebody earned.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.grading.rebuild import worst
from dtree_lab.grading.records import Grade, GradeRecord, handing_in, learners, noted
from dtree_lab.grading.sheets import Handout

LONG = ("learner", "exercise", "points", "max_points", "status", "note", "late", "handed_in")
WIDE = ("learner", "points", "max_points", "status", "note", "late", "handed_in")
# A spreadsheet takes what begins so for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def everybody(course: Path, sheet: Handout, records: Sequence[GradeRecord]) -> list[GradeRecord]:
    """The records, and one for each submission that has none yet."""
    known = {one.learner: one for one in records}
    for learner, folder in learners(course, sheet.name):
        late, when = handing_in(folder)
        missing = GradeRecord(learner, sheet.name, "ungraded", "not graded yet", late=late)
        known.setdefault(learner, replace(missing, handed_in=when))
    return [known[learner] for learner in sorted(known)]


def long_csv(sheet: Handout, records: Iterable[GradeRecord]) -> str:
    """A line for each learner and exercise."""
    rows = []
    for record in records:
        marks = {mark.exercise: mark for mark in record.marks}
        for check in sheet.checks.values():
            why = "" if record.note else "not graded"
            blank = Grade(check.exercise, "", 0.0, check.points, "ungraded", why)
            mark = marks.get(check.exercise, blank)
            points = "" if mark.status == "ungraded" else _number(mark.points)
            note = "; ".join(filter(None, (mark.note, record.note)))
            status = worst(mark.status, record.status) if record.note else mark.status
            most = _number(mark.max_points)
            row = (record.learner, mark.exercise, points, most, status, note)
            rows.append((*row, *_handed_in(record)))
    return _csv(LONG, rows)


def wide_csv(sheet: Handout, records: Iterable[GradeRecord]) -> str:
    """A line for each learner."""
    most = _number(sum(check.points for check in sheet.checks.values()))
    rows = []
    for record in records:
        points = _number(record.points) if record.marks else ""
        note = "; ".join(noted(record))
        rows.append((record.learner, points, most, record.status, note, *_handed_in(record)))
    return _csv(WIDE, rows)


def results_json(sheet: Handout, record: GradeRecord) -> str:
    """The marks of a submission that was graded, as Gradescope reads and Otter writes them."""
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
    told: dict[str, Any] = {"score": record.points, "output": record.note}
    told |= {"output_format": "text", "execution_time": round(record.seconds, 3)}
    told |= {"stdout_visibility": "hidden", "visibility": "visible", "tests": tests}
    told["extra_data"] = {"late": record.late, "handed_in": record.handed_in}
    return json.dumps(told, indent=1)


def write_results(folder: Path, sheet: Handout, records: Iterable[GradeRecord]) -> int:
    """Write ``LEARNER/results.json`` for each who has marks; how many there are."""
    many = 0
    for record in records:
        place = folder / record.learner / "results.json"
        if record.marks:
            write_whole(place, results_json(sheet, record))
            many += 1
        else:
            place.unlink(missing_ok=True)  # of another time
    return many


def _handed_in(record: GradeRecord) -> tuple[str, str]:
    return "yes" if record.late else "", record.handed_in


def _number(points: float) -> str:
    return f"{points:.4f}".rstrip("0").rstrip(".")


def _csv(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(head)
    out.writerows([map(_safe, row) for row in rows])
    return file.getvalue()


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULAS) else cell
