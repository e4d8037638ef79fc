"""Exercises of course staff's own, from an empty folder to marks, as docs/own-exercise.md says."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from dataclasses import asdict
from pathlib import Path

import pytest
from grading import ownpage
from grading.csvread import lines_of
from grading.ownpage import NAME, SEED, run, write_draft

import dtree_lab as dt
from dtree_lab.course.assignment import own_exercises
from dtree_lab.course.own import exercises_in
from dtree_lab.grading.batch import graded, sheet_of
from dtree_lab.grading.pages import feedback
from dtree_lab.grading.records import Records
from dtree_lab.grading.sandbox import Allowance, sandbox


@pytest.fixture
def course(tmp_path, monkeypatch):
    """The page's course, released as the page does it; but its seed is known."""
    write_draft(tmp_path)
    monkeypatch.chdir(tmp_path)
    new, _, release = ownpage.said("Hand it out")
    assert run(*new, "--seed", SEED) == 0
    monkeypatch.chdir(tmp_path / "trees")
    assert run(*release) == 0
    return tmp_path / "trees"


@pytest.fixture
def released(course):
    return course / "release" / NAME / f"{NAME}.ipynb"


RIGHT = {
    "mine/gini": "def gini(labels):\n    n = len(labels)\n"
    "    return sum(a != b for a in labels for b in labels) / n**2",
    "mine/at-the-root": "root = 0.42",
}
WRONG_SHARE = "def gini(labels):\n    return 1 - max(map(labels.count, labels)) / len(labels)"


def filled(released, answers):
    notebook = json.loads(released.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer" and told["exercise"] in answers:
            cell["source"] = answers[told["exercise"]]
    return notebook


# -- what learners get -----------------------------------------------------------------------------

LEARNER = """
import json, sys
space = {"__name__": "__main__"}
for cell in json.load(open(sys.argv[1]))["cells"]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "code":
        if text.startswith("dt.course.check"):
            print(eval(text, space), end="\\n\\n")
        else:
            exec(text, space)
"""


def at_home(folder, notebook, more=""):
    """What comes of a notebook in a process of its own, in a folder with nothing else."""
    place = folder / "home"
    place.mkdir(exist_ok=True)
    (place / "mine.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    words = [sys.executable, "-c", LEARNER + more, "mine.ipynb"]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def test_the_learners_notebook_tells_what_the_page_shows(released, tmp_path):
    told = at_home(tmp_path, filled(released, RIGHT | {"mine/gini": WRONG_SHARE}))
    gini, root = ownpage.blocks("Hand it out", "text")
    assert told == f"{gini}\n\n{root}\n\n"
    assert at_home(tmp_path, filled(released, RIGHT)).startswith("PASS  Gini impurity")
    untouched = at_home(tmp_path, filled(released, {}))
    assert untouched.count("NOT ANSWERED YET") == 2
    helps = "exec('print(dt.course.solution(\"mine/gini\", give_up=True))', space)"
    assert "It is with your course staff" in at_home(tmp_path, filled(released, {}), helps)


REACHABLE = """
import gc, types
from dtree_lab.course import own
texts, values, seen = set(), [], {}
todo = list(own._brought.values())
while todo:  # what is reachable from the exercises, down to their classes and modules
    one = todo.pop()
    if id(one) not in seen and not isinstance(one, type | types.ModuleType):
        seen[id(one)] = one
        values.append(one)
        todo += gc.get_referents(one)
held = [[*one] for one in values if type(one) in (list, tuple)]
everything = [*gc.get_objects()]
everything += [text for one in everything for text in gc.get_referents(one)]
texts = "\\0".join({one for one in everything if type(one) is str and len(one) > 9})
print(json.dumps({
    "numbers": [one for one in values if type(one) in (int, float)],
    "functions": [repr(one) for one in values if isinstance(one, types.FunctionType)],
    "held": [one for one in held if all(type(x) is str for x in one)],
    "texts": texts,
}))
"""


def test_nothing_of_a_solution_is_on_the_learners_machine(course, released, tmp_path):
    """Not in the notebook, in the library, or anywhere in a process that runs them."""
    own = exercises_in(course / "source" / NAME / "exercises.py")
    secrets = [
        line.strip()
        for text in (*(one.solution for one in own.values()), *(o.why for o in own.values()))
        for line in text.splitlines()
        if not line.startswith("def ")
    ]
    secrets += ["labels.count(label) / len(labels)", "share**2", "size).tolist()", str(SEED)]
    assert len(secrets) >= 9
    notebook = released.read_text(encoding="utf-8")
    library = [one.read_text("utf-8") for one in Path(dt.__file__).parent.rglob("*.py")]
    told = json.loads(at_home(tmp_path, filled(released, {}), REACHABLE).splitlines()[-1])
    assert "That is the share of rows" in told["texts"]  # what is there is found
    for secret in secrets:
        assert secret not in notebook
        assert secret not in told["texts"], secret
    assert not any(one.solution in text for one in own.values() for text in library)
    assert told["functions"] == []
    assert 0.56 in told["numbers"] or any(abs(one - 0.56) < 1e-9 for one in told["numbers"])
    assert not any(abs(one - 0.42) < 1e-3 for one in told["numbers"])
    task = own["mine/gini"].task
    seen = [case.args[0] for case in task.cases]
    unseen = [case.args[0] for case in task.with_fresh(SEED).cases[len(seen) :]]
    assert all(one in told["held"] for one in seen)
    assert not any(one in told["held"] for one in unseen)


# -- graded ----------------------------------------------------------------------------------------

SUBMISSIONS = {
    "ada": (RIGHT, 4),
    "bob": (RIGHT | {"mine/gini": RIGHT["mine/gini"] + " if len(set(labels)) < 3 else 1"}, 2.5),
    "cyd": (RIGHT | {"mine/gini": "def gini(labels):\n    return 0.5"}, 1),
    "dan": ({}, 0),
    "eve": (RIGHT | {"mine/at-the-root": "root = 0.3"}, 3),
}


def by_heart(course):
    """The visible cases, as they can be copied from the notebook."""
    task = own_exercises(course / "source" / NAME)["mine/gini"].task
    seen = {tuple(case.args[0]): case.wants[0] for case in task.cases}
    return f"SEEN = {seen!r}\ndef gini(labels):\n    return SEEN.get(tuple(labels), 0)"


def hand_in(course, who, notebook):
    place = course / "submitted" / who / NAME / f"{NAME}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(notebook), encoding="utf-8")


def grade(course):
    found = graded(course, NAME, sandbox(), Allowance(cell=6.0), n_jobs=1)
    return {one.learner: one for one in found.records}


def test_from_an_empty_folder_to_marks(course, released, tmp_path):
    handed = {who: answers for who, (answers, _) in SUBMISSIONS.items()}
    handed["fay"] = RIGHT | {"mine/gini": by_heart(course)}
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as file:
        for who, answers in handed.items():
            file.writestr(f"{who}/{NAME}.ipynb", json.dumps(filled(released, answers)))
    collect, grade_, export = ownpage.said("Grade it")
    assert run(*collect[:-1], tmp_path / "submissions.zip") == 0
    assert run(*grade_, *(["--no-sandbox"] if sandbox() == "none" else [])) == 0
    assert run(*export) == 0
    found = {one.learner: one for one in Records(course, NAME).all()}
    wanted = {who: points for who, (_, points) in SUBMISSIONS.items()} | {"fay": 1}
    assert {who: one.points for who, one in found.items()} == wanted
    assert {one.status for one in found.values()} == {"graded"}
    sheet = sheet_of(course, NAME)
    page = feedback(sheet, found["eve"])
    assert "share of rows that a leaf at the root gets wrong" in page
    assert "TO BE GRADED" not in page
    assert "dt.course.solution" not in feedback(sheet, found["ada"])
    assert "unseen case" in found["fay"].marks[0].card
    lines = lines_of((course / "grades.csv").read_text(encoding="utf-8-sig"))
    assert [line["points"] for line in lines] == ["4", "2.5", "1", "0", "3", "1"]


def test_the_page_s_choice_is_asked_released_and_judged(tmp_path, capsys):
    """As the page shows it, below its other exercises."""
    text, *cells = ownpage.blocks("A choice with its reason", "python")
    draft = write_draft(tmp_path, f"{ownpage.exercises_py()}\n{text}\n", [*ownpage.cells(), *cells])
    course = tmp_path / "c"
    assert run("check", draft) == 0
    assert "Nothing to mend" in capsys.readouterr().out
    assert run("new", draft, course) == 0
    assert run("release", NAME, "--course", course) == 0
    released = course / "release" / NAME / f"{NAME}.ipynb"
    ask = 'which = dt.course.ask("mine/which", answer={})\nwhich'
    assert "TO BE GRADED  Which question is best?" in at_home(
        tmp_path, filled(released, {"mine/which": ask.format(("A", 1))})
    )
    for who, answer in {"ada": ("A", 2), "bob": ("A", 1), "cyd": ("C", 2)}.items():
        hand_in(course, who, filled(released, {"mine/which": ask.format(answer)}))
    found = grade(course)
    assert {who: one.points for who, one in found.items()} == {"ada": 2, "bob": 0, "cyd": 0}
    assert "One oak taken away" in found["bob"].marks[-1].card


KINDS = '''
import dtree_lab as dt
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Case, Choose, Code, Goal, Grow, Question

def made(name, task, solution, **others):
    return Exercise(
        id=f"mine/{name}", title=name, points=2, answer=name, task=task, mistakes=(), more="",
        solution=solution, why="", **others
    )

TABLE = dt.datasets.tax_fraud
WHICH = made(
    "which",
    Choose((Question("which", ("A", "B", "C"), "B"), Question("why", ("1", "2", "3", "4"), "3"))),
    'which = dt.course.ask("mine/which", answer=("B", 3))',
    text="""Which?

- **A** a
- **B** b
- **C** c

Why?

- **1** p
- **2** q
- **3** r
- **4** s""",
)
BUILDER = made(
    "builder",
    Grow(TABLE, (Goal(lambda it: not it.tree.error(TABLE()), lambda it: "its error", "none"),)),
    "builder = dt.id3(dt.datasets.tax_fraud())",
)
SHIFT = made(
    "shift",
    Code("shift", tuple(
        Case((n,), holds=lambda found, n=n: found == n + 1, wanted="more", behaviour="a number")
        for n in (1, 2, 5)
    )),
    "def shift(n):\\n    return n + 1",
    data={"step": 1},
)
'''
CELLS = [
    "import dtree_lab as dt",
    'which = dt.course.ask("mine/which")\nwhich',
    'dt.course.check("mine/which", which)',
    "builder = dt.TreeBuilder(dt.datasets.tax_fraud())\nbuilder",
    'dt.course.check("mine/builder", builder)',
    "def shift(n):\n    ...",
    'dt.course.check("mine/shift", shift)',
]


def test_other_kinds_are_answered_at_home_and_judged_at_grading(tmp_path, capsys):
    course = tmp_path / "c"
    assert run("new", write_draft(tmp_path, KINDS, CELLS), course) == 0
    assert run("check", NAME, "--course", course) == 0
    assert capsys.readouterr().out.count("For your knowledge") == 5
    assert run("release", NAME, "--course", course) == 0
    released = course / "release" / NAME / f"{NAME}.ipynb"
    table = dt.datasets.tax_fraud()
    # A lab as it stands in its cell, with the state that was kept there.
    kept = dt.TreeBuilder(table, state=dt.TreeBuilder(table).state).state
    right = {
        "mine/which": 'which = dt.course.ask("mine/which", answer=("B", 3))\nwhich',
        "mine/builder": f"builder = dt.Tree.from_json({dt.id3(table).to_json()!r})",
        "mine/shift": 'STEP = dt.course.data("mine/shift")["step"]\nshift = lambda n: n + STEP',
    }
    wrong = {
        "mine/which": right["mine/which"].replace('"B"', '"A"'),
        "mine/builder": f"builder = dt.TreeBuilder(dt.datasets.tax_fraud(), state={kept!r})",
        "mine/shift": "def shift(n):\n    return 2",
    }
    for who, answers in {"ada": right, "bob": wrong, "cyd": {}}.items():
        hand_in(course, who, filled(released, answers))
    told = at_home(tmp_path, filled(released, right))
    assert told.count("TO BE GRADED") == 3
    found = grade(course)
    assert {who: one.points for who, one in found.items()} == {"ada": 6, "bob": 0, "cyd": 0}
    assert {one.status for one in found.values()} == {"graded"}


PEEPS = """
import os, sys
hits = [name for name in {paths!r} if os.path.exists(name)]
hits += [name for name in sys.modules if "own_exercises" in name]
try:
    from dtree_lab.course.own import _brought
    hits += list(_brought)
except BaseException:
    pass
root = float(len(hits))
"""


def test_the_file_is_not_where_submissions_run(course, released):
    if sandbox() == "none":
        return
    folder = course / "source" / NAME
    paths = [str(one) for one in (course, folder, *folder.iterdir(), course.parent / NAME)]
    assert all(Path(one).exists() for one in paths)
    hand_in(course, "gus", filled(released, {"mine/at-the-root": PEEPS.format(paths=paths)}))
    mark = next(m for m in grade(course)["gus"].marks if m.exercise == "mine/at-the-root")
    assert mark.given == 0.0, mark


def test_a_mended_case_is_graded_anew(course, released, capsys):
    hand_in(course, "ada", filled(released, RIGHT))
    assert grade(course)["ada"].points == 4
    made = course / "source" / NAME / "exercises.py"
    text = made.read_text(encoding="utf-8")
    made.write_text(text.replace("Number(0.42)", "Number(0.3)"), encoding="utf-8")
    words = ["--course", course, *(["--no-sandbox"] if sandbox() == "none" else [])]
    assert run("regrade", NAME, *words) == 0
    assert "ada: 4 before, 3 now" in capsys.readouterr().out


def test_marks_survive_what_learners_do_to_the_cell_with_the_cases(course, released):
    notebook = filled(released, RIGHT)
    notebook["cells"] = [one for one in notebook["cells"] if one.get("id") != "handout"]
    hand_in(course, "without", notebook)
    stripped = filled(released, RIGHT)
    for cell in stripped["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    hand_in(course, "stripped", stripped)
    found = grade(course)
    assert {who: one.points for who, one in found.items()} == {"without": 4, "stripped": 4}
    assert found["without"].status == "graded"
    assert found["stripped"].status == "repaired"


def test_no_feedback_page_holds_an_unseen_case(course, released):
    """What one answer keeps of what it is called with, the next would show as a wrong number."""
    seen = "SEEN = []\ndef gini(labels):\n    SEEN.append(''.join(one[0] for one in labels))\n"
    right = "    return 1 - sum((labels.count(one) / len(labels)) ** 2 for one in set(labels))"
    notebook = json.loads(released.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if "def gini" in "".join(cell["source"]):
            cell["source"] = seen + right
        elif "".join(cell["source"]).startswith("root ="):
            cell["source"] = "root = repr(SEEN)"
    place = course / "submitted" / "eve" / NAME / f"{NAME}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(notebook), encoding="utf-8")
    batch = graded(course, NAME, sandbox(), Allowance(), n_jobs=1)
    (record,) = batch.records
    assert [mark.points for mark in record.marks] == [3, 0]
    sheet = sheet_of(course, NAME)
    task = sheet.exercises["mine/gini"].task
    every = ["".join(one[0] for one in case.args[0]) for case in task.with_fresh(SEED).cases]
    shown, unseen = every[: len(task.cases)], every[len(task.cases) :]
    text = json.dumps([asdict(mark) for mark in record.marks])
    assert len(unseen) == 4
    assert [one for one in shown if f"'{one}'" in text] == shown
    assert not [one for one in unseen if f"'{one}'" in text]
