"""Every lesson of the course, solved, is right when it is judged from outside."""

from __future__ import annotations

import json
from itertools import compress

import pytest

import dtree_lab as dt
from course.sources import GRADED, SOURCES, lessons
from dtree_lab.course.assignment import source_version
from dtree_lab.course.lessons import lessons as all_lessons
from dtree_lab.grading.batch import sheet_of
from dtree_lab.grading.judge import judged_submission
from dtree_lab.grading.releasing import released
from dtree_lab.grading.sandbox import Allowance, sandbox
from dtree_lab.grading.sheets import cells_in

# Lesson 10 asks for all that is hard to send: generators of numbers, functions, objects of its own.
STEMS = [one.stem for one in (*all_lessons(), *GRADED)]
QUICK = ("10-forests",)


@pytest.mark.parametrize(
    "stem",
    [pytest.param(one, marks=[] if one in QUICK else [pytest.mark.thorough]) for one in STEMS],
)
def test_the_solutions_of_a_lesson_get_all_points(tmp_path, stem):
    (text,) = [one.text for one in SOURCES if one.stem == stem]
    source = source_version(json.loads(json.dumps(lessons.build(text))), 123_456)
    place = tmp_path / "source" / stem / f"{stem}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(source), encoding="utf-8")
    sheet = sheet_of(tmp_path, stem)
    solved = released(source)
    inside = [f'dt.course.check("{one.id}"' in text for one in dt.course.exercises()]
    solutions = {one.id: one.solution for one in compress(dt.course.exercises(), inside)}
    for cell in solved["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer":
            cell["source"] = solutions[told["exercise"]]
        if told.get("role") == "name":
            cell["source"] = "me = 'Ada'"
    cells = cells_in(json.dumps(solved))
    record = judged_submission(sheet, "ada", cells, sandbox(), Allowance(), (tmp_path,))
    wrong = [one.card for one in record.marks if one.points < one.max_points]
    assert not wrong, "\n".join(wrong)
    assert record.status == "graded"
    assert len(record.marks) == len(solutions)
