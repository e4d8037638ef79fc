"""A lesson's page: what it begins with, the places of its exercises, and what is made of it."""

from __future__ import annotations

import re
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from course.sources import SOURCES, lessons
from dtree_lab.course import lessons as course
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Code, Number

FRONT = {"number": "3", "title": '"T: t"', "about": "all", "minutes": "25 + 30", "needs": "none"}


def page(folder, text="", **said):
    """A page that begins as told; what is None is left out."""
    lines = [f"{key}: {value}" for key, value in (FRONT | said).items() if value is not None]
    place = folder / "a_lesson" / "lesson.md"
    place.parent.mkdir(exist_ok=True)
    place.write_text("\n".join(["---", *lines, "---", text]), encoding="utf-8")
    return place


# -- what a page begins with -----------------------------------------------------------------------


def test_a_page_says_what_the_lesson_is(tmp_path):
    lesson = course.read_lesson(page(tmp_path, "words\n\n[[a-lesson/b]]\n\n[[a-lesson/a]]\n"))
    assert (lesson.number, lesson.title, lesson.minutes) == (3, "T: t", (25, 30))
    assert (lesson.name, lesson.stem) == ("a-lesson", "03-a-lesson")
    assert lesson.exercises == ("a-lesson/b", "a-lesson/a")
    assert lesson.text.startswith("words")


@pytest.mark.parametrize(
    ("said", "match"),
    [
        ({"title": None}, "lesson.md does not say its title: it begins with a line ---"),
        ({"title": '""', "needs": None}, "does not say its title, needs"),
        ({"number": "three"}, "number: 3 and minutes: 25 [+] 30"),
        ({"minutes": "55"}, "number: 3 and minutes: 25 [+] 30"),
    ],
)
def test_what_it_does_not_say_is_named(tmp_path, said, match):
    with pytest.raises(ValueError, match=match):
        course.read_lesson(page(tmp_path, **said))


def test_a_page_that_says_nothing_is_told_how(tmp_path):
    place = page(tmp_path)
    place.write_text("# A lesson\n", encoding="utf-8")
    with pytest.raises(ValueError, match="does not say its number, title, about, minutes"):
        course.read_lesson(place)


def test_an_exercise_has_one_place(tmp_path):
    with pytest.raises(ValueError, match="more than one place for 'a-lesson/b'"):
        course.read_lesson(page(tmp_path, "[[a-lesson/b]]\n\n[[a-lesson/b]]\n"))


# -- a page and the modules beside it --------------------------------------------------------------

ONE = """
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Number

ONE = Exercise("a-lesson/one", "T", 1, Number(1), "x", (), "", "", "")
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes the page and the modules of a lesson that stands among the others."""

    def write(text, **modules):
        page(tmp_path, text)
        for name, code in {"__init__": "", **modules}.items():
            (tmp_path / "a_lesson" / f"{name}.py").write_text(code, encoding="utf-8")
        monkeypatch.setattr(course, "__path__", [*course.__path__, str(tmp_path)])

    yield write
    for module in [name for name in sys.modules if name.startswith(f"{course.__name__}.a_lesson")]:
        del sys.modules[module]


def test_what_any_module_makes_is_found(written):
    written("[[a-lesson/two]]\n\n[[a-lesson/one]]\n", one=ONE, two=ONE.replace("one", "two"))
    assert [one.id for one in dt.course.exercises("a-lesson")] == ["a-lesson/two", "a-lesson/one"]
    assert course.guesses("a-lesson") == {}


def test_an_exercise_that_another_module_uses_is_one_exercise(written):
    written("[[a-lesson/one]]\n", one=ONE, two=f"from {course.__name__}.a_lesson.one import ONE\n")
    assert len(dt.course.exercises("a-lesson")) == 1


@pytest.mark.parametrize(
    ("text", "modules", "match"),
    [
        ("", {"one": ONE}, r"no place for 'a-lesson/one': a line \[\[a-lesson/one\]\] where it"),
        ("[[a-lesson/one]]\n", {}, "no module beside it makes the exercise 'a-lesson/one'"),
        (
            "[[a-lesson/one]]\n",
            {"one": ONE, "two": ONE},
            "two exercises have the id 'a-lesson/one'",
        ),
    ],
)
def test_what_does_not_fit_together_is_named(written, text, modules, match):
    written(text, **modules)
    with pytest.raises(ValueError, match=match):
        dt.course.exercises("a-lesson")


# -- what is made of them --------------------------------------------------------------------------


def exercise(task, **more):
    return Exercise("a/b", "T", 1, task, "x", (), "", "", "", heading="h", **more)


def test_the_answer_cell_stands_at_the_end_or_where_it_is_said():
    code = Code("x", ())
    end = lessons.exercise_text(exercise(code, text="what", stub="x = ..."), 4)
    answer, check = (
        "```python answer=a/b\nx = ...\n```",
        '```python\ndt.course.check("a/b", x)\n```',
    )
    assert end == f"### Exercise 4: h\n\nwhat\n\n{answer}\n\n{check}"
    told = "what\n\n[[answer]]\n\nmore"
    inside = lessons.exercise_text(exercise(code, text=told, stub="x = ..."), 4)
    assert inside == f"### Exercise 4: h\n\nwhat\n\n{answer}\n\nmore\n\n{check}"


def test_data_of_ones_own_are_checked_with_the_name():
    own = exercise(Number(1), own=lambda _: None)
    assert 'dt.course.check("a/b", x, name=me)' in lessons.exercise_text(own, 1)


WORDS = st.text("aé1中", min_size=1, max_size=12)
PARAGRAPHS = st.lists(
    st.lists(WORDS, min_size=1, max_size=20).map(" ".join), min_size=1, max_size=3
)


@given(PARAGRAPHS, st.integers(6, 100))
def test_paragraphs_may_be_broken_anywhere(paragraphs, width):
    """However they are wrapped, it is the same Markdown; so are the items of a list."""
    items = [f"- {paragraph}" for paragraph in paragraphs]
    for blocks, join, hang in ((paragraphs, "\n\n", ""), (items, "\n", "  ")):
        wrapped = [
            textwrap.fill(block, width, subsequent_indent=hang, break_long_words=False)
            for block in blocks
        ]
        assert lessons.unwrapped(join.join(wrapped)) == join.join(blocks)


CODE = "```python\na = 1\nb = 2\n```\n\n| a |\n|---|\n| b |\n\n1. one\n2. two\n\n$$x$$\nwith y"


def test_code_tables_and_lists_keep_their_lines():
    assert lessons.unwrapped(CODE) == CODE.replace("$$\nwith", "$$ with")


def test_every_place_is_filled():
    for source in SOURCES:
        assert not re.search(r"^\[\[|\{\{\w+\}\}", source.text, re.MULTILINE), source.stem


def test_no_notebook_tells_a_solution():
    """Nor why it is right, nor a hint that was not asked for."""
    every = {one.id: one for one in dt.course.exercises()}
    for source in SOURCES:
        text = "\n".join(cell.source for cell in lessons.build(source.text).cells)
        for name, one in every.items():
            shown = [one.solution.strip(), one.why, one.more, *(m.hint for m in one.mistakes)]
            assert not [secret for secret in shown if secret in text], (source.stem, name)


def test_the_checks_of_cards_are_folded_and_no_others():
    """In what is released, too: the card tells the verdict, and the cell is there to be graded."""
    kinds = {one.id: one.task.kind for one in dt.course.exercises()}
    for source in SOURCES:
        for cell in lessons.build(source.text).cells:
            told = cell.metadata.get("dtree_lab", {})
            folded = cell.metadata.get("jupyter", {}).get("source_hidden", False)
            is_card = told.get("role") == "check" and kinds.get(told["exercise"]) == "choice"
            assert folded == is_card, cell.source
            assert not is_card or cell.metadata["nbgrader"]["grade"]
