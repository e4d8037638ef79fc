"""A notebook that course staff wrote, made an assignment: its cells are told what they are.

Whatever calls ``dt.course.check`` is a check, and the cell above it that gives the checked name a
value is where the answer goes. So an assignment can have any exercises of the course, in any order,
and staff's own.
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dtree_lab.course.assignment import AssignmentError, known, metadata, text_of
from dtree_lab.course.exercise import Exercise
from dtree_lab.grading.sheets import binds, is_check

_ODD = " ()[]{}'\""


def annotated(path: Path, own: Mapping[str, Exercise]) -> dict[str, Any]:
    """A notebook whose unmarked checks and answers are marked for this course and nbgrader."""
    try:
        made: dict[str, Any] = copy.deepcopy(json.loads(path.read_text(encoding="utf-8")))
        cells = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
        for i, cell in enumerate(made["cells"]):
            cell.setdefault("id", f"cell-{i}")
            cell.setdefault("metadata", {})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise AssignmentError(f"{path} is no notebook") from None
    made["nbformat"], made["nbformat_minor"] = 4, max(5, made.get("nbformat_minor", 5))
    seen: set[str] = set()
    for i, cell in enumerate(cells):
        text = text_of(cell)
        if "dtree_lab" in cell["metadata"]:
            continue
        if binds(text, "me"):
            cell["metadata"]["dtree_lab"] = {"role": "name"}
        elif is_check(text):
            exercise = _checked(text, cell["id"], own)
            if exercise.id in seen:
                raise AssignmentError(f"{path.name} checks {exercise.id} twice")
            seen.add(exercise.id)
            _mark(cell, "check", exercise)
            _mark(_answer(cells[:i], exercise, path.name), "answer", exercise)
    return made


def _checked(text: str, cell: str, own: Mapping[str, Exercise]) -> Exercise:
    """The exercise that a cell checks."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    match calls[0].args:
        case [ast.Constant(value=str(exercise)), _]:
            try:
                return known(exercise, own)
            except AssignmentError as problem:
                raise AssignmentError(f"the cell {cell!r}: {problem}") from None
    raise AssignmentError(f'the cell {cell!r}: say dt.course.check("lesson/exercise", answer)')


def _answer(above: list[dict[str, Any]], exercise: Exercise, name: str) -> dict[str, Any]:
    for cell in reversed(above):
        found: dict[str, Any] = cell
        if "dtree_lab" not in found["metadata"] and binds(text_of(found), exercise.answer):
            return found
    said = f"no cell above the check of {exercise.id} gives {exercise.answer} a value"
    raise AssignmentError(f"{name}: {said}: put one there, with what learners begin from")


def _mark(cell: dict[str, Any], role: str, exercise: Exercise) -> None:
    cell["id"] = f"{role}-{exercise.id.replace('/', '-')}"
    cell["metadata"]["dtree_lab"] = {"exercise": exercise.id, "role": role}
    cell["metadata"]["nbgrader"] = metadata(role, cell["id"], exercise.points)


def assignment_name(path: Path) -> str:
    """What an assignment made of a notebook is called, by nbgrader and in a shell."""
    name = path.stem
    if not name or "+" in name or any(char in name for char in _ODD):
        raise AssignmentError(f"{path.name}: give it a name without spaces, brackets, quotes and +")
    return name
