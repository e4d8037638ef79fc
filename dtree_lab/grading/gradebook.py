"""nbgrader's own gradebook: our marks in it, so that Formgrader and its exports show them."""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.base.text import html
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.course.checking import tenths
from dtree_lab.grading.rebuild import Status
from dtree_lab.grading.records import Grade, GradeRecord, moment
from dtree_lab.grading.releasing import RELEASE
from dtree_lab.grading.sheets import Handout

GRADEBOOK, AUTOGRADED = "gradebook.db", "autograded"


def into_gradebook(course: Path, sheet: Handout, records: Sequence[GradeRecord]) -> int:
    """Write marks into a course's gradebook, and what was graded beside it; how many are there now.

    Points that somebody has given by hand stay. What could not be graded has no mark there, which
    Formgrader calls *needs manual grade*.
    """
    gradebook = _nbgrader()
    released = course / RELEASE / sheet.name / f"{sheet.name}.ipynb"
    if not released.is_file():
        raise AssignmentError(f"{sheet.name} is not released yet: dtree-lab assignment release")
    notebook = json.loads(released.read_text(encoding="utf-8"))
    with warnings.catch_warnings(), gradebook(f"sqlite:///{course / GRADEBOOK}") as book:
        warnings.simplefilter("ignore")  # how nbgrader talks to its database is its own matter
        _assignment(book, sheet)
        for record in records:
            book.update_or_create_student(record.learner)
            then = moment(record.handed_in)
            known = {"timestamp": then} if then is not None else {}
            book.update_or_create_submission(sheet.name, record.learner, **known)
            marks = {mark.cell: mark.points for mark in record.marks}
            for check in sheet.checks.values():
                grade = book.find_grade(check.cell, sheet.name, sheet.name, record.learner)
                grade.auto_score = marks.get(check.cell)  # None, also where there was one before
                by_hand_too = grade.manual_score is not None
                grade.needs_manual_grade = by_hand_too if record.marks else not by_hand_too
            book.db.commit()
            text = json.dumps(graded_notebook(notebook, record), ensure_ascii=False, indent=1)
            place = course / AUTOGRADED / record.learner / sheet.name / f"{sheet.name}.ipynb"
            write_whole(place, text)
    return sum(bool(record.marks) for record in records)


def manual_grades(
    course: Path, sheet: Handout, records: Sequence[GradeRecord]
) -> list[GradeRecord]:
    """The records, with the points and comments that somebody gave in Formgrader.

    Where there is no gradebook, they are as they were. Who could not be graded has marks when each
    exercise has points by hand. A gradebook may hold such points: without nbgrader it is refused.
    """
    if not (course / GRADEBOOK).is_file():
        return list(records)
    gradebook = _nbgrader()
    missing = importlib.import_module("nbgrader.api").MissingEntry
    made = []
    with warnings.catch_warnings(), gradebook(f"sqlite:///{course / GRADEBOOK}") as book:
        warnings.simplefilter("ignore")
        for record in records:
            try:
                (notebook,) = book.find_submission(sheet.name, record.learner).notebooks
            except (missing, ValueError):
                made.append(record)
                continue
            points = {
                one.name: float(one.manual_score) + float(one.extra_credit or 0)
                for one in notebook.grades
                if one.manual_score is not None
            }
            said = {one.name: one.manual_comment for one in notebook.comments if one.manual_comment}
            made.append(_given(sheet, record, points, said))
    return made


def _given(
    sheet: Handout, record: GradeRecord, points: Mapping[str, float], written: Mapping[str, str]
) -> GradeRecord:
    """A record with what was given by hand, by the names of nbgrader's cells."""
    comments = {
        cell.exercise: written[cell.grade_id] for cell in sheet.cells if cell.grade_id in written
    }
    marks = list(record.marks)
    if not marks and points.keys() >= {check.cell for check in sheet.checks.values()}:
        marks = [
            Grade(check.exercise, check.cell, 0.0, check.points, "graded")
            for check in sheet.checks.values()
        ]
    for i, mark in enumerate(marks):
        notes = [mark.note] if mark.note else []
        if mark.cell in points:
            notes.append(f"{tenths(points[mark.cell])} by hand, {tenths(mark.points)} by the judge")
        if mark.exercise in comments:
            notes.append(comments[mark.exercise])
        given = points.get(mark.cell, mark.points)
        marks[i] = replace(mark, points=given, note="; ".join(notes))
    judged = bool(record.marks) or not marks
    status: Status = record.status if judged else "flagged"
    note = record.note if judged else "; ".join(filter(None, ("points by hand", record.note)))
    return replace(record, marks=tuple(marks), status=status, note=note)


def _nbgrader() -> Any:
    """The gradebook of nbgrader, loaded only where it is asked for: nothing else here needs it."""
    try:
        found: Any = importlib.import_module("nbgrader.api").Gradebook
    except ModuleNotFoundError:
        raise AssignmentError("nbgrader is not installed: pip install nbgrader") from None
    # nbgrader calls a program of its environment by name, active or not.
    programs = str(Path(sys.executable).parent)
    if programs not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", ""), programs])
    return found


def _assignment(book: Any, sheet: Handout) -> None:
    name = sheet.name
    book.update_or_create_assignment(name)
    book.update_or_create_notebook(name, name)
    for check in sheet.checks.values():
        known = {"max_score": check.points, "cell_type": "code"}
        book.update_or_create_grade_cell(check.cell, name, name, **known)
    for cell in sheet.cells:
        if cell.role == "answer" and cell.grade_id:
            book.update_or_create_solution_cell(cell.grade_id, name, name)


def graded_notebook(notebook: Mapping[str, Any], record: GradeRecord) -> dict[str, Any]:
    """The notebook as it was graded: the release with the answers, and a card at each check."""
    made: dict[str, Any] = json.loads(json.dumps(notebook))
    marks = {mark.cell: mark for mark in record.marks}
    for cell in made["cells"]:
        told = cell["metadata"]
        role = told.get("dtree_lab", {})
        if role.get("role") == "answer" and role["exercise"] in record.answers:
            cell["source"] = record.answers[role["exercise"]].splitlines(keepends=True)
        if role.get("role") == "name" and record.me:
            cell["source"] = [f"me = {record.me!r}"]
        mark = marks.get(told.get("nbgrader", {}).get("grade_id", ""))
        if mark is not None:
            said = "\n".join(filter(None, (mark.card, mark.note)))
            note = f"<p>{html(mark.note)}</p>" if mark.note else ""
            page = f"{mark.html}{note}"
            data = {"text/plain": said.splitlines(keepends=True), "text/html": page}
            output = {"output_type": "display_data", "data": data, "metadata": {}}
            cell["outputs"] = [output]
    return made
