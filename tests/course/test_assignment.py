"""A lesson as an nbgrader assignment: what is released, and what comes of grading, by nbgrader."""

from __future__ import annotations

import ast
import copy
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from effort import profile

import dtree_lab as dt
from course.sources import GRADED, LESSONS, lessons, source_of
from dtree_lab.cli import main
from dtree_lab.course import lessons as course
from dtree_lab.course.assignment import (
    CONFIG,
    AssignmentError,
    config_text,
    lesson_file,
    make,
    metadata,
    report,
    source_version,
)
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Ask, start

SEED = 987_654_321
REAL = "01-tax-fraud"


def plain(source):
    """A lesson's notebook as its file holds it, made anew from its source."""
    notebook = lessons.build(source.text)
    return json.loads(nbformat.writes(notebook))


def texts(notebook):
    return [(cell["id"], cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def role(cell):
    return cell["metadata"].get("dtree_lab", {}).get("role")


# -- every lesson, without a run -------------------------------------------------------------------


@pytest.fixture(scope="module", params=[*LESSONS, *GRADED], ids=lambda s: s.stem)
def lesson(request):
    return plain(request.param)


def released(made):
    """What nbgrader's own steps leave of a source version, with the stub of our configuration."""
    from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
    from traitlets.config import Config

    found = {}
    exec(config_text("c"), {"get_config": lambda: found.setdefault("c", Config())})  # noqa: S102 - ours
    notebook = nbformat.reads(json.dumps(made), as_version=4)
    for step in (ClearSolutions(config=found["c"]), ClearHiddenTests(config=found["c"])):
        notebook, _ = step.preprocess(notebook, {})
    return json.loads(nbformat.writes(notebook))


@pytest.fixture(autouse=True)
def _progress_bars_as_before(monkeypatch):
    monkeypatch.setenv("TQDM_DISABLE", "1")  # the configuration sets it; this takes it back


def test_what_is_released_is_the_lesson(lesson):
    learners = released(source_version(lesson, SEED))
    assert texts(learners) == texts(lesson)
    assert [c["metadata"] for c in learners["cells"]] == [c["metadata"] for c in lesson["cells"]]
    assert str(SEED) not in json.dumps(learners)


def test_the_source_version_holds_every_solution_and_the_unseen_cases(lesson):
    made = source_version(lesson, SEED)
    for cell in made["cells"]:
        if role(cell) not in TOLD:
            continue
        exercise = dt.course.exercises(cell["metadata"]["dtree_lab"]["exercise"].partition("/")[0])
        one = next(e for e in exercise if e.id == cell["metadata"]["dtree_lab"]["exercise"])
        text = "".join(cell["source"])
        ast.parse(text)
        if role(cell) == "answer":
            before, _, rest = text.partition("\n### BEGIN SOLUTION\n")
            assert rest == one.solution.strip() + "\n### END SOLUTION"
            assert before
        elif one.task.kind == "code":
            first, again = [n.value for n in ast.parse(text).body]
            (fresh,) = [k for k in again.keywords if k.arg == "fresh"]
            assert fresh.value.value == SEED
            again.keywords.remove(fresh)
            assert ast.unparse(again) == ast.unparse(first)
            assert "### BEGIN HIDDEN TESTS\n" in text
            assert text.endswith("\n### END HIDDEN TESTS")
        else:
            assert "HIDDEN" not in text


def test_nbgrader_accepts_what_its_cells_are_told(lesson):
    from nbgrader.nbgraderformat import MetadataValidator

    MetadataValidator().validate_nb(nbformat.reads(json.dumps(lesson), as_version=4))
    marked = {c["id"]: c["metadata"]["nbgrader"] for c in lesson["cells"] if role(c) in TOLD}
    assert {c["id"] for c in lesson["cells"] if "nbgrader" in c["metadata"]} == set(marked)
    assert all(told["grade_id"] == name for name, told in marked.items())
    graded = [told["points"] for told in marked.values() if told["grade"]]
    inside = [c["metadata"]["dtree_lab"]["exercise"] for c in lesson["cells"] if role(c) == "check"]
    assert graded == [one.points for one in dt.course.exercises() if one.id in inside]
    assert all(told["locked"] == told["grade"] != told["solution"] for told in marked.values())


TOLD = ("answer", "check")


def test_making_changes_nothing_in_what_it_is_given(lesson):
    before = copy.deepcopy(lesson)
    made = source_version(lesson, SEED)
    assert lesson == before
    assert made == source_version(lesson, SEED)
    has_hidden = "BEGIN HIDDEN TESTS" in json.dumps(made)
    assert (made != source_version(lesson, SEED + 1)) == has_hidden


# -- the cells that are hard to get right ----------------------------------------------------------


def tiny(answer, check, exercise="tax-fraud/entropy", *, mark=True):
    """A notebook of two cells."""
    cells = []
    for kind, source in (("answer", answer), ("check", check)):
        cell = nbformat.v4.new_code_cell(source)
        cell.id = f"{kind}-1"
        cell.metadata["dtree_lab"] = {"exercise": exercise, "role": kind}
        if mark:
            cell.metadata["nbgrader"] = metadata(kind, cell.id, 3)
        cells.append(cell)
    kernel = {"kernelspec": lessons.KERNEL}
    return json.loads(nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=kernel)))


STUBS = {
    "two lines": 'a = ...  # "A" or "B"\nb = ...  # 1 or 2',
    "a widget": "mine = dt.TreeBuilder(table)\nmine",
    "a function": "def f(x):\n    # your lines\n    ...",
    "an empty line": "\na = ...\n\nb = ...",
    "a line at the end": "a = ...\n",
}
CHECKS = {
    "plain": 'dt.course.check("tax-fraud/entropy", entropy)',
    "with a name": 'dt.course.check("tax-fraud/entropy", entropy, name=me)',
    "over lines": 'dt.course.check(\n    "tax-fraud/entropy",\n    entropy,\n)',
}


@pytest.mark.parametrize("stub", STUBS.values(), ids=STUBS)
@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_any_stub_and_any_check_come_back_as_they_were(stub, check):
    notebook = tiny(stub, check)
    made = source_version(notebook, SEED)
    assert texts(released(made)) == texts(notebook)
    assert f"fresh={SEED}" in "".join(made["cells"][1]["source"])


@pytest.mark.parametrize(
    ("notebook", "words"),
    [
        (tiny("a = ...", "1", mark=False), "not marked for nbgrader"),
        ({"cells": [], "nbformat": 4}, "no exercises"),
        (tiny("a = ...", "1", exercise="tax-fraud/nothing"), "no exercise 'tax-fraud/nothing'"),
    ],
)
def test_what_is_no_lesson_is_refused(notebook, words):
    with pytest.raises(ValueError, match=words):
        source_version(notebook, SEED)


# -- files and the command -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "asked", ["1", "01", "tax-fraud", "Tax-Fraud", "01-tax-fraud", "01-tax-fraud.ipynb"]
)
def test_a_lesson_is_found_by_number_or_name(asked):
    assert lesson_file(asked, lessons.NOTEBOOKS).stem == REAL


def test_a_further_page_is_found_by_its_name_and_not_by_the_lessons_number():
    assert lesson_file("sentences", lessons.NOTEBOOKS).stem == "03-sentences"
    assert lesson_file("3", lessons.NOTEBOOKS).stem == "03-word-senses"


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("labs", "no lesson"),
        ("0", "no lesson"),
        ("tax-frod", "Did you mean 'tax-fraud'"),
        ("", "no"),
    ],
)
def test_another_name_is_refused(asked, words):
    with pytest.raises(AssignmentError, match=words):
        lesson_file(asked, lessons.NOTEBOOKS)


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A folder of lessons that is up to date, whatever stands in the project's own."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / f"{REAL}.ipynb").write_text(json.dumps(plain(source_of(REAL))), encoding="utf-8")
    (folder / "02-broken.ipynb").write_text("{", encoding="utf-8")
    monkeypatch.setattr(course, "notebooks_folder", lambda: folder)
    return folder


def test_the_command_lays_out_a_course(shelf, tmp_path, capsys):
    course = tmp_path / "stat 101"
    assert main.main(["assignment", "tax-fraud", str(course), "--seed", "7"]) == 0
    printed = capsys.readouterr().out
    assert "9 exercises, 19 points" in printed
    assert "(seed 7)" in printed
    assert "nbgrader generate_assignment 01-tax-fraud" in printed
    assert (course / "source" / REAL / f"{REAL}.ipynb").is_file()
    assert "course_id = 'stat 101'" in (course / CONFIG).read_text(encoding="utf-8")
    assert shelf.is_dir()


@pytest.mark.usefixtures("shelf")
def test_nothing_is_overwritten(tmp_path, capsys):
    course = tmp_path / "c"
    course.mkdir()
    (course / CONFIG).write_text("c = get_config()\n", encoding="utf-8")
    assert main.main(["assignment", "1", str(course)]) == 0
    assert "was there and is left as it is" in capsys.readouterr().out
    assert (course / CONFIG).read_text(encoding="utf-8") == "c = get_config()\n"
    made = course / "source" / REAL / f"{REAL}.ipynb"
    made.write_text("mine", encoding="utf-8")
    assert main.main(["assignment", "1", str(course)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert made.read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(("asked", "words"), [("2", "cannot be read"), ("9", "no lesson '9'")])
def test_trouble_is_one_line_and_leaves_nothing_behind(tmp_path, capsys, asked, words):
    course = tmp_path / "c"
    assert main.main(["assignment", asked, str(course)]) == 1
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert not course.exists()


@pytest.mark.usefixtures("shelf")
def test_a_secret_seed_is_another_each_time(tmp_path, capsys):
    for name in ("a", "b"):
        assert main.main(["assignment", "1", str(tmp_path / name)]) == 0
    one, other = (line for line in capsys.readouterr().out.splitlines() if "(seed" in line)
    assert one != other
    with pytest.raises(SystemExit):
        main.main(["assignment", "1", str(tmp_path / "c"), "--seed=-1"])


# -- a real run of nbgrader ------------------------------------------------------------------------

GRADES = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as gb:
    print(json.dumps({
        one.student.id: {grade.name: grade.score for grade in one.notebooks[0].grades}
        for one in gb.assignment_submissions(sys.argv[1])
    }))
"""
YES_OR_NO = """
def majority(labels):
    return "Yes" if labels.count("Yes") > labels.count("No") else "No"
"""
BY_HEART = """
SEEN = {cases}

def entropy(counts):
    return SEEN.get(tuple(counts), 0.5)
"""
LOUD = """
import sys, warnings

def who_cheats(row):
    warnings.warn("careful")
    print("here", file=sys.stderr)
    return {lecture}.predict(row)
"""
# By all the ways that lead past what a call catches: each alone once cost all the points.
NOISY = """
import logging, os, subprocess, sys, threading, time, warnings

kept, log = sys.stderr, logging.getLogger("mine")
log.addHandler(logging.StreamHandler())
{solution}
quiet_{name} = {name}

def late():
    time.sleep(0.3)
    log.warning("after the check")

def {name}(*given):
    log.warning("a handler from the answer cell")
    kept.write("the stream itself\\n")
    os.write(2, b"the descriptor\\n")
    print("an error", file=sys.__stderr__, flush=True)
    warnings.warn("a warning")
    threading.Thread(target=late).start()
    return quiet_{name}(*given)
"""
PROGRAM = """
import subprocess, sys

{solution}
quiet_{name} = {name}
FLOOD = "import os; [os.write(2, b'x' * 1000 + bytes([10])) for _ in range(300)]"
subprocess.run([sys.executable, "-c", FLOOD])

def {name}(*given):
    subprocess.run(["sh", "-c", "echo a program >&2"])
    return quiet_{name}(*given)
"""
LECTURE = """dt.by_hand(dt.datasets.tax_fraud(), {(): "Refund",
    (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
    (1, 1): ("Taxable Income", 80)})"""


def kept_tree():
    """The tree builder's cell with the state of a finished tree pasted in."""
    state = start(dt.datasets.tax_fraud())
    for path, cut in (((), 97.5), ((0,), 80)):
        state = update(state, Ask(path, "Taxable Income", cut))
    return f"mine = dt.TreeBuilder(table, state={dump(state)!r})\nmine"


COMMITTED = 'parts = dt.course.ask("tax-fraud/parts", answer=("B", 1), first=("C", 1))\nparts'


def mixed():
    """Half right, by heart, by state text, and right with a lot of noise."""
    entropy = next(e for e in dt.course.exercises("tax-fraud") if e.id == "tax-fraud/entropy")
    seen = {tuple(case.args[0]): case.wants[0] for case in entropy.task.cases}
    return {
        "tax-fraud/majority": YES_OR_NO,
        "tax-fraud/entropy": BY_HEART.format(cases=seen),
        "tax-fraud/small-tree": kept_tree(),
        "tax-fraud/follow": LOUD.format(lecture=LECTURE),
        # The reason is right, the card is not; the first try does not count.
        "tax-fraud/parts": COMMITTED,
        "tax-fraud/cost": 'raise SystemExit("no idea")',
    }


def noisy(solutions):
    """Right answers that log, warn and start programs."""
    found = dict(solutions)
    for name, how in (("majority", NOISY), ("entropy", PROGRAM)):
        exercise = f"tax-fraud/{name}"
        found[exercise] = how.format(name=name, solution=solutions[exercise])
    return found


def filled(notebook, answers, name):
    again = copy.deepcopy(notebook)
    for cell in again["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer" and told["exercise"] in answers:
            cell["source"] = answers[told["exercise"]]
        if told.get("role") == "name":
            cell["source"] = f"me = {name!r}"
    return again


class Course:
    """A course's folder, and nbgrader in it, kept away from the user's home."""

    def __init__(self, folder):
        self.folder = folder
        bin_ = Path(sys.executable).parent
        home = folder / "home"
        home.mkdir(parents=True)
        self.env = os.environ | {
            "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}",  # nbgrader calls alembic by name
            "HOME": str(home),
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "IPYTHONDIR": str(home / "ipython"),
        }

    def run(self, *words, ends=0):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == ends, done.stdout + done.stderr
        return done.stdout

    def hand_in(self, student, notebook):
        place = self.folder / "submitted" / student / REAL / f"{REAL}.ipynb"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The lesson, what nbgrader released of it, and the grades of those who handed in."""
    folder = tmp_path_factory.mktemp("course")
    notebook = plain(source_of(REAL))
    path = folder / f"{REAL}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    course = Course(folder / "c")
    made = make(path, course.folder, "c", SEED)
    assert f"{REAL}" in report(made)
    course.run("-m", "nbgrader", "generate_assignment", REAL)
    release = course.folder / "release" / REAL / f"{REAL}.ipynb"
    learners = json.loads(release.read_text(encoding="utf-8"))
    solutions = {one.id: one.solution for one in dt.course.exercises("tax-fraud")}
    course.hand_in("solved", filled(learners, solutions, "Ada"))
    course.hand_in("mixed", filled(learners, solutions | mixed(), "Grace"))
    if profile() == "thorough":  # nbgrader runs the whole lesson for each
        course.hand_in("blank", learners)
        course.hand_in("noisy", filled(learners, noisy(solutions), "Emmy"))
    course.hand_in("stripped", {**learners, "cells": learners["cells"][:2]})
    course.hand_in("torn", {})
    course.run("-m", "nbgrader", "autograde", REAL, ends=1)
    course.hand_in("late", learners)
    grades = json.loads(course.run("-c", GRADES, REAL))
    yield notebook, learners, grades, course
    shutil.rmtree(folder)


def test_nbgrader_releases_the_lesson_itself(graded):
    notebook, learners, *_ = graded
    assert texts(learners) == texts(notebook)
    text = json.dumps(learners)
    for secret in (str(SEED), "SOLUTION", "HIDDEN", "YOUR CODE HERE", "NotImplementedError"):
        assert secret not in text
    for cell in learners["cells"]:
        if role(cell) == "check":
            assert cell["metadata"]["editable"] is False
        if role(cell) in TOLD:
            assert cell["metadata"]["deletable"] is False


def test_the_solutions_get_all_points(graded):
    points = {
        f"check-{one.id.replace('/', '-')}": one.points for one in dt.course.exercises("tax-fraud")
    }
    assert graded[2]["solved"] == points


@pytest.mark.thorough  # make test has one such answer, among the mixed ones
def test_what_a_right_answer_writes_to_stderr_costs_nothing_and_is_kept(graded):
    _, _, grades, course = graded
    assert grades["noisy"] == grades["solved"]
    done = course.folder / "autograded" / "noisy" / REAL / f"{REAL}.ipynb"
    shown = done.read_text(encoding="utf-8")
    for words in ("a handler from the answer cell", "the stream itself", "the descriptor"):
        assert words in shown
    assert "a program" in shown


@pytest.mark.thorough
def test_the_stubs_get_none(graded):
    assert set(graded[2]["blank"].values()) == {0}
    assert len(graded[2]["blank"]) == 9


def test_the_guide_finds_who_has_no_mark(graded):
    """By the script that it gives; whoever has a mark, of 0 points too, is not among them."""
    course = graded[3]
    guide = (lessons.NOTEBOOKS.parent / "docs/grading.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(import sys\n.*?)```", guide, re.DOTALL)
    (course.folder / "ungraded.py").write_text(script, encoding="utf-8")
    said = dict(line.split(": ") for line in course.run("ungraded.py", REAL).splitlines())
    assert list(said) == ["late", "stripped", "torn"]
    assert said["late"] == "not graded"
    assert said["stripped"].split(" for ")[1].split(", ") == list(graded[2]["solved"])
    assert said["torn"] == "the run failed"
    course.run("-m", "nbgrader", "export")
    marks = (course.folder / "grades.csv").read_text(encoding="utf-8")
    for name in ("stripped", "torn"):  # as the guide says, they look like an empty hand
        assert re.search(rf",{name},.*,0\.0,", marks), marks


def test_an_answer_that_is_partly_right_gets_a_part(graded):
    solved, mixed = graded[2]["solved"], graded[2]["mixed"]
    assert 0 < mixed["check-tax-fraud-majority"] < solved["check-tax-fraud-majority"]
    assert mixed["check-tax-fraud-parts"] == 0  # a reason without its choice


def test_the_cases_that_learners_see_learnt_by_heart_are_not_enough(graded):
    solved, mixed = graded[2]["solved"], graded[2]["mixed"]
    assert mixed["check-tax-fraud-entropy"] < solved["check-tax-fraud-entropy"] / 2


def test_a_labs_state_counts_and_noise_and_a_stop_elsewhere_do_no_harm(graded):
    solved, mixed = graded[2]["solved"], graded[2]["mixed"]
    touched = {"majority", "entropy", "parts", "cost"}
    for name, points in solved.items():
        if name.removeprefix("check-tax-fraud-") not in touched:
            assert mixed[name] == points, name
    assert mixed["check-tax-fraud-cost"] == 0
