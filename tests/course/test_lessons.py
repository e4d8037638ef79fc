"""The lessons: what each has, and run from top to bottom with their solutions.

nbval runs them unsolved, and holds them to what is kept (tests/keptnotebooks.py).
"""

from __future__ import annotations

import ast
import copy
import re
import subprocess
import sys
from dataclasses import fields, replace
from itertools import pairwise

import nbformat
import pytest
from IPython.core.formatters import DisplayFormatter
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.discovery import all_estimators, all_functions

import dtree_lab as dt
from course.sources import FURTHER, LESSONS, SOURCES, lessons, prose, source_of
from dtree_lab.course.lessons import guesses, names
from dtree_lab.course.tasks.answers import Question
from dtree_lab.labs.catalogue import LABS


def place_of(source):
    return lessons.places(source)[0]


# The call that asks by a card, up to its first argument's end.
CARD = re.compile(r'(dt\.course\.ask\(\s*"[^"]+")')


def is_guess(cell):
    """Whether a cell asks to guess, by a card or in code."""
    is_answer = cell.metadata.get("dtree_lab", {}).get("role") == "answer"
    asks = "dt.course.reveal(" in cell.source or CARD.search(cell.source)
    return cell.cell_type == "code" and bool(asks) and not is_answer


def texts(notebook):
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            shown = output.get("data", {}).get("text/plain", output.get("text", ""))
            found.setdefault(cell.id, []).append(shown)
    return {name: "\n".join(shown) for name, shown in found.items()}


@pytest.fixture(scope="module", params=SOURCES, ids=lambda s: s.stem)
def source(request):
    return request.param


@pytest.fixture(scope="module", params=LESSONS, ids=lambda s: s.stem)
def lesson_source(request):
    return request.param


def test_every_notebook_has_a_source():
    kept = {*lessons.NOTEBOOKS.glob("*.ipynb"), *lessons.NOTEBOOKS.glob("further/*.ipynb")}
    assert {place_of(source) for source in SOURCES} == kept


NBVAL = ("-m", "pytest", "-q", "--nbval-lax", "--nbval-current-env", "-o", "cache_dir=cache")


# All have been run unsolved by then, and the laws try every solution in its place in the lesson, in
# the tests' own process: those whose own cells take longest are not solved in a kernel each time.
LONG = ("02", "03", "05", "06", "07", "08", "09", "10")
SOLVED = [
    pytest.param(one, marks=pytest.mark.thorough if one.stem[:2] in LONG else [], id=one.stem)
    for one in (*LESSONS, *FURTHER)
]


@pytest.fixture(scope="module", params=SOLVED)
def solved(request):
    """A lesson with its solutions, run; each guess is neither a number nor an option."""
    lesson_source = request.param
    notebook = lessons.solve(lessons.build(lesson_source.text))
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = cell.source.replace("guess = ...", 'guess = "neither nor"')
            if is_guess(cell):
                cell.source = re.sub(CARD, r'\1, answer="neither nor"', cell.source)
    return lessons.run(notebook)


def test_the_solved_lesson_passes_every_check(solved):
    """No guess gives its answer away, and no widget has swallowed an error."""
    outputs = [output for cell in solved.cells for output in cell.get("outputs", [])]
    assert [output for output in outputs if output.output_type == "error"] == []
    shown = texts(solved)
    checks = {
        cell.metadata.dtree_lab.exercise: shown[cell.id]
        for cell in solved.cells
        if cell.metadata.get("dtree_lab", {}).get("role") == "check"
    }
    assert list(checks) == [one.id for one in dt.course.exercises() if one.id in checks]
    assert all(text.startswith("PASS") for text in checks.values()), checks
    guesses = [shown[c.id] for c in solved.cells if is_guess(c) and "neither nor" in c.source]
    assert all(re.search("^ONCE MORE", text, re.MULTILINE) for text in guesses), guesses
    assert not any(re.search("AS YOU|NOT THIS", text) for text in guesses)


@pytest.mark.thorough
def test_the_solved_lesson_gives_the_same_under_nbval(solved, tmp_path):
    place = tmp_path / "solved.ipynb"
    nbformat.write(lessons.tidied(copy.deepcopy(solved)), place)
    again = subprocess.run(
        [sys.executable, *NBVAL, place.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert again.returncode == 0, again.stdout


def test_the_lessons_follow_the_order_of_the_course():
    first = re.compile(r'dt\.course\.check\("([^/]+)/')
    inside = [first.search(source.text)[1] for source in LESSONS]
    assert inside == names()
    assert [int(source.stem[:2]) for source in LESSONS] == list(range(1, len(names()) + 1))


def test_an_unsolved_lesson_says_so_and_gives_nothing_away(lesson_source):
    notebook = nbformat.read(place_of(lesson_source), as_version=4)
    shown = texts(notebook)
    for cell in notebook.cells:
        told = cell.metadata.get("dtree_lab", {})
        if told.get("role") == "check":
            assert shown[cell.id].startswith("NOT ANSWERED YET")
        if told.get("role") == "answer":
            labs = any(f"dt.{lab.cls}(" in cell.source for lab in LABS)
            asks = CARD.search(cell.source) and shown[cell.id].startswith("NOT ANSWERED YET")
            assert "..." in cell.source or labs or asks
        if is_guess(cell):
            assert shown[cell.id].startswith("YOUR GUESS?")
            assert " ✓" not in shown[cell.id]


def test_a_lesson_has_what_a_lesson_has(lesson_source):
    notebook = nbformat.read(place_of(lesson_source), as_version=4)
    code = [c.source for c in notebook.cells if c.cell_type == "code"]
    words = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    assert sum(map(is_guess, notebook.cells)) >= 4
    assert sum("dt.course.check(" in c for c in code) >= 5
    for said in ("What you need", "will be able to", "Shift", "## Summary", "Where this goes next"):
        assert said in words
    assert notebook.metadata == {
        "kernelspec": lessons.KERNEL,
        "language_info": {"name": "python"},
    }


def test_a_lesson_begins_with_something_to_do(lesson_source):
    """A hundred words at most, and the first cell that runs is a lab or a card."""
    blocks = list(lessons.blocks(lesson_source.text))
    first = next(i for i, block in enumerate(blocks) if block.kind == "code")
    words = re.findall(r"\w+", " ".join(block.text for block in blocks[:first]))
    assert first == 1
    assert len(words) <= 100, len(words)
    acts = ["dt.course.ask(", *(f"dt.{lab.cls}(" for lab in LABS)]
    assert any(act in blocks[first].text for act in acts)


def test_prose_is_what_is_read_as_sentences():
    text = "# One two\n\nThree's $a + b$ four-five `code` [six](x.ipynb) 0.5.\n\n| a |\n\n$$x$$\n"
    assert prose(lessons.Source("a", f"{text}\n```text\na b\n```\n\n```python\nc\n```\n")) == [
        *("One", "two", "Three's", "four-five", "six", "0.5"),
    ]


def test_a_lesson_is_at_most_two_thousand_words(lesson_source):
    """Of prose, the exercises' texts among them; what is for the curious lies in further/."""
    assert len(prose(lesson_source)) <= 2000, len(prose(lesson_source))


@pytest.mark.parametrize("further", FURTHER, ids=lambda s: s.stem)
def test_a_further_page_and_its_lesson_lead_to_each_other(further):
    (lesson,) = (one for one in LESSONS if one.stem[:2] == further.stem[:2])
    assert f"](further/{further.stem}.ipynb)" in lesson.text
    assert f"](../{lesson.stem}.ipynb)" in further.text
    assert f"](further/{further.stem}.ipynb)" in source_of("00-start-here").text


def test_headings_go_down_one_level_at_a_time(source):
    levels = [len(m[1]) for m in re.finditer(r"^(#+) ", _prose(source), flags=re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels))


def test_a_lessons_own_loops_leave_the_learners_variables_alone(lesson_source):
    """What a lesson asks the learner to make is not overwritten further down."""
    blocks = list(lessons.blocks(lesson_source.text))
    code = "\n".join(block.text for block in blocks if block.kind == "code")
    looped = {
        node.id
        for loop in ast.walk(ast.parse(code))
        if isinstance(loop, ast.For)
        for node in ast.walk(loop.target)
        if isinstance(node, ast.Name)
    }
    kept = {"table", "tree", "builder", "mine", "lecture", "id3", "person", "guess"}
    assert not looped & kept


def test_a_lesson_promises_only_lessons_that_there_are(source):
    there = {int(path.stem.partition("-")[0]) for path in LESSONS}
    named = {int(n) for n in re.findall(r"\bLesson (\d+)", _prose(source))}
    assert named <= there


def _prose(source):
    blocks = lessons.blocks(source.text)
    return "\n".join(block.text for block in blocks if block.kind == "markdown")


def test_the_gallery_has_every_lab_once_with_something_to_try():
    notebook = nbformat.read(lessons.NOTEBOOKS / "labs.ipynb", as_version=4)
    code = "\n".join(c.source for c in notebook.cells if c.cell_type == "code")
    assert sorted(re.findall(r"dt\.(\w+)\(", code)) == sorted(lab.cls for lab in LABS)
    sections = [c.source for c in notebook.cells if c.source.startswith("## ")]
    assert len(sections) == len(LABS)
    assert all("**Try:**" in text and "**Look for:**" in text for text in sections)
    widgets = [c for c in notebook.cells if "widget" in c.metadata.get("tags", [])]
    assert len(widgets) == len(LABS)
    for cell in widgets:
        (output,) = cell.outputs
        page, text = output.data["text/html"], output.data["text/plain"]
        assert "<img alt=" in page or "<table>" in page
        assert len(text.split()) > 5


def test_ids_are_those_of_the_source_and_stay():
    text = "# A\n\nwords\n\n```python answer=x/y\nz = ...\n```\n\n## B\n\n```python later\n1\n```\n"
    first, second = lessons.build(text), lessons.build(text.replace("words", "other words"))
    assert (
        [c.id for c in first.cells]
        == [c.id for c in second.cells]
        == [
            "a",
            "answer-x-y",
            "b",
            "b-2",
        ]
    )
    assert first.cells[-1].metadata.tags == ["later"]
    with pytest.raises(ValueError, match="not closed"):
        lessons.build("# A\n\n```python\n1\n")


HOSTILE = """
import dtree_lab as dt

def majority(labels):
    while True:
        print(labels)

dt.course.check("tax-fraud/majority", majority)
"""


def test_a_hostile_answer_does_not_break_a_kernel():
    cells = [nbformat.v4.new_code_cell(source) for source in (HOSTILE, "print('still here')")]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    notebook = lessons.run(nbformat.v4.new_notebook(cells=cells))
    first, second = texts(notebook).values()
    assert "did not finish within 2 seconds" in first
    assert "['Yes'" not in first.replace("`majority(['Yes', 'No', 'No'])`", "")
    assert second.strip() == "still here"


EXCHANGED = {"right": "?", "want": 12345.678, "wants": ("?",), "wanted": "?", "wrong": "?"} | {
    "answer": "?",
    "because": "?",
    "within": 0.5,
}


def exchanged(part):
    """The same question with another answer."""
    names = {f.name for f in fields(part)} & EXCHANGED.keys()
    answers = {name: EXCHANGED[name] for name in names}
    if isinstance(part, Question):
        answers["right"] = next(one for one in part.options if one != part.right)
    return replace(part, **answers)


def test_what_lists_the_exercises_tells_no_answer():
    for one in dt.course.exercises():
        bundle, _ = DisplayFormatter().format([one])
        for told in (repr(one), *bundle.values()):
            assert one.id in told
            secrets = (one.solution.strip(), one.why, one.more)
            assert not any(secret in told for secret in secrets), one.id


def test_parts_of_an_exercise_and_guesses_tell_none_either():
    """With the answers exchanged, what is shown of them is the same."""
    for one in dt.course.exercises():
        parts = [one.task, *one.mistakes]
        for name in ("questions", "cases", "goals"):
            parts += getattr(one.task, name, ())
        for part in parts:
            assert repr(exchanged(part)) == repr(part), one.id
    for guess in [guess for lesson in names() for guess in guesses(lesson).values()]:
        assert repr(exchanged(guess)) == repr(guess)


@pytest.fixture(scope="module")
def peers_words():
    """What scikit-learn calls its functions, its estimators, their parameters and methods."""
    words = {name for name, _ in all_functions()}
    for name, estimator in all_estimators():
        words |= {name, *dir(estimator), *estimator._get_param_names()}
    fitted = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    return words | {*dir(fitted), *dir(fitted.tree_)}


def test_what_a_lesson_calls_scikit_learns_is_there(lesson_source, peers_words):
    _, _, after = _prose(lesson_source).partition("**Elsewhere.**")
    words = re.findall(r"`([^`]+)`", after.splitlines()[0])
    called = {name for word in words for name in re.findall(r"\b[A-Za-z_]\w*(?![\"\w])", word)}
    assert "scikit-learn" in after
    assert called - {"X", "y", "m", "True", "sklearn", "utils"} <= peers_words
