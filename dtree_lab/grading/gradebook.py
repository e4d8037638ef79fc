"""nbgrader's own gradebook: our marks in it, so that Formgrader and its exports show them."""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.grading.judge import Handout
from dtree_lab.grading.records import GradeRecord
from dtree_lab.grading.releasing import RELEASE

GRADEBOOK, AUTOGRADED = "gradebook.db", "autograded"


def into_gradebook(course: Path, sheet: Handout, records: Sequence[GradeRecord]) -> int:
    """Write marks into a course's gradebook, and what was graded beside it, for Formgrader.

    Points that somebody has given by hand stay. What could not be graded has no mark there, which
    Formgrader calls *needs manual grade*.

    Returns
    -------
    int
        How many submissions have marks there now.

    Raises
    ------
    AssignmentError
        When nbgrader is not installed, or nothing was released.
    """
    try:
        # Only where it is asked for: nothing else here needs nbgrader.
        gradebook: Any = importlib.import_module("nbgrader.api").Gradebook
    except ModuleNotFoundError:
        raise AssignmentError("nbgrader is not installed: pip install nbgrader") from None
    released = course / RELEASE / sheet.name / f"{sheet.name}.ipynb"
    if not released.is_file():
        raise AssignmentError(f"{sheet.name} is not released yet: dtree-lab assignment release")
    # nbgrader calls a program of its environment by name, active or not.
    os.environ["PATH"] = os.pathsep.join(
        [os.environ.get("PATH", ""), str(Path(sys.executable).parent)]
    )
    notebook = json.loads(released.read_text(encoding="utf-8"))
    with warnings.catch_warnings(), gradebook(f"sqlite:///{course / GRADEBOOK}") as book:
        warnings.simplefilter("ignore")  # how nbgrader talks to its database is its own matter
        _assignment(book, sheet)
        for record in records:
            book.update_or_create_student(record.learner)
            book.update_or_create_submission(sheet.name, record.learner)
            for mark in record.marks:
                grade = book.find_grade(mark.cell, sheet.name, sheet.name, record.learner)
                grade.auto_score = mark.points
                grade.needs_manual_grade = grade.manual_score is not None
            book.db.commit()
            text = json.dumps(shown(notebook, record), ensure_ascii=False, indent=1)
            place = course / AUTOGRADED / record.learner / sheet.name / f"{sheet.name}.ipynb"
            write_whole(place, text)
    return sum(bool(record.marks) for record in records)


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


def shown(notebook: Mapping[str, Any], record: GradeRecord) -> dict[str, Any]:
    """The notebook as it was graded: the release with the answers, and a card at each check."""
    made: dict[str, Any] = json.loads(json.dumps(notebook))
    marks = {mark.cell: mark for mark in record.marks}
    for cell in made["cells"]:
        told = cell["metadata"]
        role = told.get("dtree_lab", {})
        if role.get("role") == "answer" and role["exercise"] in record.answers:
            cell["source"] = record.answers[role["exercise"]].splitlines(keepends=True)
        mark = marks.get(told.get("nbgrader", {}).get("grade_id", ""))
        if mark is not None:
            said = "\n".join(filter(None, (mark.card, mark.note)))
            data = {"text/plain": said.splitlines(keepends=True), "text/html": mark.html}
            output = {"output_type": "display_data", "data": data, "metadata": {}}
            cell["outputs"] = [output]
    return made
