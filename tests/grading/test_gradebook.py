"""Our marks in nbgrader's own gradebook and its exchange, and what was given by hand there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from grading.csvread import lines_of
from grading.kinds import ENTROPY, REAL, filled, right
from nbgrader.api import Gradebook

from dtree_lab.cli import main
from dtree_lab.grading import exports
from dtree_lab.grading.batch import graded
from dtree_lab.grading.collecting import collect
from dtree_lab.grading.gradebook import graded_notebook, into_gradebook, manual_grades
from dtree_lab.grading.pages import feedback
from dtree_lab.grading.records import Grade, GradeRecord, Records
from dtree_lab.grading.sandbox import Allowance, sandbox

CELL = f"check-{ENTROPY.replace('/', '-')}"


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A gradebook with nothing in it: nbgrader takes seconds to make one."""
    folder = tmp_path_factory.mktemp("gradebook")
    with pytest.MonkeyPatch.context() as patch:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        patch.setenv("PATH", path)  # nbgrader calls alembic by name
        with opened(folder):
            return folder / "gradebook.db"


@pytest.fixture
def book(course, empty):
    """The course's folder with a gradebook."""
    shutil.copy(empty, course / "gradebook.db")
    return course


@contextmanager
def opened(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        yield book


def record(sheet, learner="ada_1", share=1.0):
    marks = tuple(
        Grade(c.exercise, c.cell, c.points * share, c.points, "graded", card="PASS")
        for c in sheet.checks.values()
    )
    return GradeRecord(learner, REAL, "graded", "", marks, "Ada", {ENTROPY: "entropy = 3"})


def give(course, learner, points, comment="", cells=(CELL,)):
    """Give points by hand, as Formgrader does."""
    with opened(course) as book:
        for cell in cells:
            book.find_grade(cell, REAL, REAL, learner).manual_score = points
        for one in book.find_submission(REAL, learner).notebooks[0].comments:
            if ENTROPY.replace("/", "-") in one.name:
                one.manual_comment = comment
        book.db.commit()


def test_points_and_words_by_hand_stay_and_are_what_counts(book, sheet):
    into_gradebook(book, sheet, [record(sheet)])
    give(book, "ada_1", 1.5, "A fine idea!")
    into_gradebook(book, sheet, [record(sheet, share=0.5)])  # judged anew, after a check was mended
    with opened(book) as there:
        grade = there.find_grade(CELL, REAL, REAL, "ada_1")
        assert (grade.auto_score, grade.manual_score, grade.score) == (1.5, 1.5, 1.5)
    into_gradebook(book, sheet, [record(sheet)])
    with opened(book) as there:
        grade = there.find_grade(CELL, REAL, REAL, "ada_1")
        assert (grade.auto_score, grade.score, grade.needs_manual_grade) == (3, 1.5, True)
        total = there.find_submission(REAL, "ada_1").score
    (one,) = manual_grades(book, sheet, [record(sheet)])
    assert one.points == total == 17.5
    (line,) = lines_of(exports.wide_csv(sheet, [one]))
    assert line["points"] == "17.5"
    lines = lines_of(exports.long_csv(sheet, [one]))
    (line,) = (line for line in lines if line["exercise"] == ENTROPY)
    assert (line["points"], line["note"]) == ("1.5", "1.5 by hand, 3 by the judge; A fine idea!")
    page = feedback(sheet, one)
    assert "17.5 of 19 points" in page
    assert "A fine idea!" in page


def test_the_time_of_handing_in_is_there_too(book, sheet):
    when = "2026-11-02 15:58:23.948203 UTC"
    kept = [record(sheet), record(sheet, "bob_2"), record(sheet, "cyd_3")]
    odd = replace(kept[1], handed_in="yesterday")
    into_gradebook(book, sheet, [replace(kept[0], handed_in=when), odd, kept[2]])
    with opened(book) as there:
        times = [there.find_submission(REAL, one.learner).timestamp for one in kept]
    assert [one and one.isoformat() for one in times] == ["2026-11-02T15:58:23.948203", None, None]


def test_without_a_gradebook_nothing_changes(course, sheet):
    assert manual_grades(course, sheet, [record(sheet)]) == [record(sheet)]
    assert not (course / "gradebook.db").exists()


def test_who_is_new_since_has_what_the_judge_gave(book, sheet):
    into_gradebook(book, sheet, [record(sheet)])
    assert manual_grades(book, sheet, [record(sheet, "new_2")]) == [record(sheet, "new_2")]


def test_what_could_not_be_judged_can_be_marked_by_hand_and_only_whole(book, sheet):
    torn = GradeRecord("bob_2", REAL, "ungraded", "the file is torn")
    into_gradebook(book, sheet, [torn])
    cells = [check.cell for check in sheet.checks.values()]
    give(book, "bob_2", 1.0, cells=cells[1:])
    assert manual_grades(book, sheet, [torn]) == [torn]
    give(book, "bob_2", 1.0, cells=cells[:1])
    (one,) = manual_grades(book, sheet, [torn])
    assert (one.points, one.max_points) == (len(cells), 19)
    assert (one.status, one.note) == ("flagged", "points by hand; the file is torn")
    into_gradebook(book, sheet, [torn])
    assert manual_grades(book, sheet, [torn]) == [one]


def test_a_mark_of_before_does_not_outlive_what_it_was_for(book, sheet):
    """Handed in again, and torn: the points of the first time are nobody's."""
    into_gradebook(book, sheet, [record(sheet, "eve_3")])
    into_gradebook(book, sheet, [GradeRecord("eve_3", REAL, "ungraded", "the file is torn")])
    with opened(book) as there:
        submission = there.find_submission(REAL, "eve_3")
        assert (submission.score, submission.needs_manual_grade) == (0, True)
        assert there.find_grade(CELL, REAL, REAL, "eve_3").auto_score is None


def test_the_graded_notebook_shows_the_name_and_the_answer(course, sheet):
    place = course / "release" / REAL / f"{REAL}.ipynb"
    made = graded_notebook(json.loads(place.read_text(encoding="utf-8")), record(sheet))
    texts = ["".join(cell["source"]) for cell in made["cells"]]
    assert "me = 'Ada'" in texts
    assert "entropy = 3" in texts


def test_the_graded_notebook_shows_what_the_judge_noted(course, sheet):
    """Formgrader shows a cell's page, and not its text."""
    one = record(sheet)
    marks = tuple(replace(mark, note="did <not> end", html="<b>x</b>") for mark in one.marks)
    place = course / "release" / REAL / f"{REAL}.ipynb"
    made = graded_notebook(json.loads(place.read_text(encoding="utf-8")), replace(one, marks=marks))
    pages = [out["data"]["text/html"] for cell in made["cells"] for out in cell.get("outputs", ())]
    assert pages == ["<b>x</b><p>did &lt;not&gt; end</p>"] * len(marks)


def test_the_command_writes_to_the_gradebook_when_it_grades_anew(book, hand_in, monkeypatch):
    hand_in("ada", filled({}))
    monkeypatch.setattr("dtree_lab.cli.assignment.sandbox", lambda: "bubblewrap")
    made = {"ada": 0.5}

    def judged(sheet, learner, *_):
        return replace(record(sheet, learner, made[learner]), sheet=sheet.version)

    monkeypatch.setattr("dtree_lab.grading.batch.judged_submission", judged)
    monkeypatch.setattr("dtree_lab.grading.batch.apart", lambda work, given, *_: work(*given))
    for step, want in (("grade", 9.5), ("regrade", 19.0)):
        assert main.main(["assignment", step, REAL, "--course", str(book), "--gradebook"]) == 0
        with opened(book) as there:
            assert there.find_submission(REAL, "ada").score == want
        made["ada"] = 1.0


# -- the exchange, by nbgrader's own programs ------------------------------------------------------


def nbgrader(folder, tmp_path, *words):
    """Run nbgrader in a folder, away from the user's own."""
    places = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    given = {**os.environ, **places, "PATH": path, "HOME": str(tmp_path), "USER": "ada"}
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=folder,
        env=given,
        capture_output=True,
        text=True,
        check=True,
    )


@pytest.mark.thorough
def test_nbgraders_exchange_and_its_validation_go_on_working(course, tmp_path):
    """Released, fetched, answered, validated and submitted with nbgrader; collected both ways."""
    exchange, learner = tmp_path / "exchange", tmp_path / "learner"
    for folder in (exchange, learner):
        folder.mkdir()
    exchange.chmod(0o777)
    common = (f"--Exchange.root={exchange}", "--course=trees")
    nbgrader(course, tmp_path, "release_assignment", REAL, *common)
    nbgrader(learner, tmp_path, "fetch_assignment", REAL, *common)
    place = learner / REAL / f"{REAL}.ipynb"
    said = nbgrader(learner, tmp_path, "validate", str(place)).stdout
    assert "NOT ANSWERED YET  Entropy as a function" in said
    place.write_text(json.dumps(right()), encoding="utf-8")
    said = nbgrader(learner, tmp_path, "validate", str(place)).stdout
    assert "Success! Your notebook passes all the tests." in said
    nbgrader(learner, tmp_path, "submit", REAL, *common)
    nbgrader(course, tmp_path, "collect", REAL, *common)
    ((who, _),) = [(one.parent.name, one) for one in (course / "submitted").glob(f"*/{REAL}")]
    made = graded(course, REAL, sandbox(), Allowance(), n_jobs=1)
    assert [(one.learner, one.points, one.status) for one in made.records] == [(who, 19, "graded")]
    (again,) = collect(exchange / "trees" / "inbound", course, REAL)
    assert (again.learner, again.status) == (who, "same")
    assert Records(course, REAL).read(who).points == 19
