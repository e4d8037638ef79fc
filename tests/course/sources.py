"""The lessons' sources, and what running them in this process gives."""

from __future__ import annotations

import ast
import importlib.util
import symtable
import sys
from functools import cache
from pathlib import Path

import dtree_lab as dt

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


def source_of(stem):
    """The source of a notebook, by its name."""
    return next(source for source in SOURCES if source.stem == stem)


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
    names, taken = _names(code)[0], []
    for text in (solutions.get(answers, text) for answers, text in reversed(before)):
        used, made = _names(text)
        if made & names:
            names = names - (made - used) | used  # what is made afresh is not needed from before
            taken.append(text)
    space = {"display": lambda *_: None, "__name__": "lesson"}
    for text in reversed(taken):
        exec(text, space)  # noqa: S102 - our own lessons
    return space


def _names(code):
    """The variables that a cell looks at, and those that it gives a value or may change."""
    cell = symtable.symtable(code, "cell", "exec")
    used = {one.get_name() for one in cell.get_symbols() if one.is_referenced()}
    inner = list(cell.get_children())
    for function in inner:
        used |= {one.get_name() for one in function.get_symbols() if one.is_global()}
        inner += function.get_children()
    bound = [one for one in cell.get_symbols() if one.is_assigned() or one.is_imported()]
    changed = set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                changed.add(_root(node))
            case ast.Expr(value=ast.Call(func=ast.Attribute() as called)):  # as in rows.append(row)
                changed.add(_root(called))
    return used, {one.get_name() for one in bound} | changed - {"dt", "np", "math", "plt"}


def _root(node):
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def _drawing(exercise):
    """The statements of the lesson that fetch an exercise's data."""
    asked = f'dt.course.data("{exercise.id}"'
    for _, text in code_of(exercise.lesson):
        if asked in text:
            lines = ast.parse(text).body
            yield from (ast.unparse(s) for s in lines if asked in ast.get_source_segment(text, s))
