"""The lessons' sources, and what running them in this process gives."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from functools import cache
from pathlib import Path

import dtree_lab as dt
from dtree_lab.grading.needed import names_in

CHECKOUT = Path(__file__).parents[2]


def _builder():
    name = "build_lessons"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, CHECKOUT / "tools/build_lessons.py")
        sys.modules[name] = importlib.util.module_from_spec(spec)  # where dataclasses look
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


lessons = _builder()
SOURCES = lessons.sources()
# A lesson has a number; the map, 00, and the gallery of labs have no exercises.
LESSONS = [s for s in SOURCES if s.stem[0].isdigit() and s.stem[:2] != "00" and not s.folder]
FURTHER = [s for s in SOURCES if s.folder]
# The further ones with exercises.
GRADED = [s for s in FURTHER if "dt.course.check(" in s.text]


def source_of(stem):
    """The source of a notebook, by its name."""
    return next(source for source in SOURCES if source.stem == stem)


# What a Markdown cell has beside prose: code, tables, formulas, and where links lead.
_NO_PROSE = re.compile(
    r"^```.*?^```|^\|.*?$|\$\$.*?\$\$|\$[^$\n]+\$|`[^`\n]+`|\]\([^)]*\)", re.DOTALL | re.MULTILINE
)
# A word may have an apostrophe, a hyphen, a decimal point within: don't, yes-or-no, 0.811.
_PROSE_WORD = re.compile(r"\w+(?:['’.,-]\w+)*")


def prose(source):
    """The words of a notebook's Markdown cells, exercises' texts among them.

    What a card asks stands in no such cell. Code, tables and formulas are no prose.
    """
    blocks = [block.text for block in lessons.blocks(source.text) if block.kind == "markdown"]
    return _PROSE_WORD.findall(_NO_PROSE.sub(" ", "\n\n".join(blocks)))


def code_of(lesson):
    """The cells of a lesson as (the exercise answered in it, or nothing, and its text)."""
    for source in SOURCES:
        if f'dt.course.check("{lesson}/' in source.text:
            for block in lessons.blocks(source.text):
                if block.kind == "code":
                    answers = [word[7:] for word in block.words if word.startswith("answer=")]
                    yield (answers or [""])[0], block.text


@cache
def variables(lesson):
    """The variables before each exercise of a lesson whose earlier ones are all solved."""
    solutions = {one.id: one.solution for one in dt.course.exercises(lesson)}
    space = {"display": lambda *_: None, "__name__": "lesson"}
    found = {}
    for exercise, text in code_of(lesson):
        if exercise:
            found[exercise] = dict(space)
        exec(solutions.get(exercise, text), space)  # noqa: S102 - our own lessons
    return found


def solved(exercise, name=""):
    """What the answer cell gives that holds the worked solution, for the learner of a name."""
    drawing = list(_drawing(exercise)) if exercise.own else []
    wanted = "\n".join([*drawing, exercise.solution, exercise.answer])
    space = dict(needed(exercise.id, wanted))
    if exercise.own:
        space["me"] = name
        for statement in drawing:
            exec(statement, space)  # noqa: S102 - our own lessons
    exec(exercise.solution, space)  # noqa: S102 - our own solutions
    return eval(exercise.answer, space)  # noqa: S307


@cache
def needed(exercise, code):
    """The variables that code before an exercise needs, from the cells that have to do with them.

    The rest of a lesson takes many seconds and changes nothing about them; as a whole it is run in
    a kernel (test_lessons.py).
    """
    lesson = exercise.partition("/")[0]
    solutions = {one.id: one.solution for one in dt.course.exercises(lesson)}
    cells = list(code_of(lesson))
    before = cells[: next(i for i, (answers, _) in enumerate(cells) if answers == exercise)]
    names, taken = names_in(code)[0], []
    for text in (solutions.get(answers, text) for answers, text in reversed(before)):
        used, made = names_in(text)
        if made & names:
            names = names - (made - used) | used  # what is made afresh is not needed from before
            taken.append(text)
    space = {"display": lambda *_: None, "__name__": "lesson"}
    for text in reversed(taken):
        exec(text, space)  # noqa: S102 - our own lessons
    return space


def _drawing(exercise):
    """The statements of the lesson that fetch an exercise's data."""
    asked = f'dt.course.data("{exercise.id}"'
    for _, text in code_of(exercise.lesson):
        if asked in text:
            lines = ast.parse(text).body
            yield from (ast.unparse(s) for s in lines if asked in ast.get_source_segment(text, s))
