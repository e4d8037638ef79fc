"""What docs/new-exercise.md shows is so: its files make a lesson whose exercise keeps the laws."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import sys

import pytest

import dtree_lab as dt
from course import sources
from course.laws import told
from course.sources import CHECKOUT, lessons
from dtree_lab.course import checking
from dtree_lab.course import lessons as course
from dtree_lab.course.asking.series import blocks_of
from dtree_lab.course.assignment import SOLUTION, source_version
from dtree_lab.course.pages import read_page
from dtree_lab.labs.kit.parts import Grid

PAGE = (CHECKOUT / "docs/new-exercise.md").read_text(encoding="utf-8")
BLOCK = r"(?P<fence>````?)\w*\n(?P<text>.*?)\n(?P=fence)\n"
FILE = r"is\s+`dtree_lab/course/lessons/first_steps/(?P<name>[\w.-]+)`:\n\n"
NAME = "first-steps"
ID = f"{NAME}/wrong-share"


@pytest.fixture
def lesson(tmp_path, monkeypatch):
    """The page's lesson in a folder of its own, as if it stood among the others."""
    folder = tmp_path / "first_steps"
    folder.mkdir()
    for file in re.finditer(FILE + BLOCK, PAGE, re.DOTALL):
        (folder / file["name"]).write_text(f"{file['text']}\n", encoding="utf-8")
    there = {"leaves.py", "lesson.md", "wrong-share.md"}
    assert {path.name for path in folder.iterdir()} == there
    monkeypatch.setattr(course, "__path__", [*course.__path__, str(tmp_path)])
    monkeypatch.setattr(sources, "SOURCES", lessons.sources())
    monkeypatch.setattr(checking, "_best", {})
    yield next(one for one in course.lessons() if one.name == NAME)
    for module in [name for name in sys.modules if name.startswith(f"{course.__name__}.first_")]:
        del sys.modules[module]


def test_its_exercise_keeps_every_law(lesson, capsys, monkeypatch):
    """By the test class that the page shows."""
    space = {}
    shown = (block["text"] for block in re.finditer(BLOCK, PAGE, re.DOTALL))
    exec(next(text for text in shown if "(Laws)" in text), space)  # noqa: S102 - our own page
    laws = space["TestExercises"]()
    (exercise,) = dt.course.exercises(laws.lesson)
    at_hand = {"exercise": exercise, "capsys": capsys, "monkeypatch": monkeypatch}
    tried = 0
    for name, law in inspect.getmembers(laws, inspect.ismethod):
        asked = inspect.signature(law).parameters
        if name.startswith("test_") and name != "test_the_lesson_has_enough_of_every_kind":
            law(**{one: at_hand[one] for one in asked})
            tried += 1
    assert tried >= 10


def test_the_right_answer_passes_and_each_mistake_gets_its_hint(lesson):
    (exercise,) = dt.course.exercises(NAME)
    assert dt.course.check(
        ID, lambda labels: 1 - max(map(labels.count, labels)) / len(labels)
    ).passed
    assert len(exercise.mistakes) >= 2
    for mistake in exercise.mistakes:
        assert told(dt.course.check(ID, mistake.wrong)) == [mistake.hint]


def test_what_the_page_shows_of_a_check_is_so(lesson):
    shown = doctest.DocTestParser().get_doctest(PAGE, {}, "page", None, 0)
    assert shown.examples
    assert doctest.DocTestRunner().run(shown).failed == 0


def test_the_notebook_has_it_in_its_place_and_tells_no_solution(lesson):
    (source,) = (one for one in lessons.sources() if one.stem == "11-first-steps")
    notebook = lessons.build(source.text)
    (exercise,) = dt.course.exercises(NAME)
    heads = [line for cell in notebook.cells for line in cell.source.splitlines()[:1]]
    assert heads[0] == "# 11. First steps: what a leaf gets wrong"
    assert "Take 5 minutes, and 5 more for the exercises." in notebook.cells[0].source
    assert heads[3] == "### Exercise 1: what a leaf gets wrong"
    answer, check = notebook.cells[-2:]
    assert answer.source == exercise.stub
    assert check.source == f'dt.course.check("{ID}", wrong_share)'
    assert check.metadata.nbgrader.points == exercise.points
    plain = json.loads(json.dumps(notebook))
    for secret in (exercise.solution.strip(), exercise.why, exercise.mistakes[0].hint):
        assert secret not in "".join(cell.source for cell in notebook.cells)
    for cell in plain["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    made = source_version(plain, seed=1)  # what course staff get
    assert f"{SOLUTION[0]}\n{exercise.solution}" in "".join(made["cells"][-2]["source"])


def test_the_skill_of_the_page_is_drawn_without_any_python_beside_it(tmp_path):
    path = r"is `dtree_lab/course/lessons/skills/(?P<name>[\w-]+).md`:\n\n"
    (shown,) = re.finditer(path + BLOCK, PAGE, re.DOTALL)
    place = tmp_path / "skills" / f"{shown['name']}.md"
    place.parent.mkdir()
    place.write_text(shown["text"], encoding="utf-8")
    made = read_page(place).whole()
    assert (made.id, made.skill, made.taught) == ("skills/share-wrong", made.id, "tax-fraud")
    for name in ("Ada", "Bo", "Cy"):
        one = made.of(name)
        wrong = 1 - max(one.data.values()) / sum(one.data.values())
        assert one.task.want == pytest.approx(wrong)
        assert one.anew().steps[-1][1] == one.task.want
        (grid,) = (block for block in blocks_of(one) if isinstance(block, Grid))
        assert [tuple(row) for row in grid.rows] == [(k, str(n)) for k, n in one.data.items()]
        for mistake in one.mistakes:
            assert told(checking.checked(one, mistake.wrong)) == [mistake.hint]


def test_the_map_and_readme_get_its_row(lesson):
    row = (
        "| [11. First steps: what a leaf gets wrong]({}) | how a leaf answers, and how often it is"
        " wrong | 5 + 5 | a little Python |"
    )
    (start,) = (one for one in lessons.sources() if one.stem == "00-start-here")
    assert row.format("11-first-steps.ipynb") in start.text.splitlines()
    assert row.format("notebooks/11-first-steps.ipynb") in lessons.readme().splitlines()


def test_the_line_is_the_one_in_the_lesson(lesson):
    assert f"```markdown\n[[{ID}]]\n```" in PAGE
    assert lesson.exercises == (ID,)
    assert f"\n[[{ID}]]\n" in lesson.text
