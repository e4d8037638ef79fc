"""A lesson as an nbgrader assignment: the source version, from which nbgrader makes the rest.

Learners get the lesson's own notebook. The source version is the same, but for two things: after
the stub in each answer cell stands the worked solution, and in the check cell of a function a
second check, with cases that nobody has seen, drawn from a secret seed. nbgrader takes both out of
what it releases, and puts the second check back when it grades.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING, Any

from dtree_lab.course.lessons import find
from dtree_lab.course.tasks import Code
from dtree_lab.shown import did_you_mean, listing

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = 3
SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


class AssignmentError(ValueError):
    """There is no assignment to be had; the message says why in one line."""


def metadata(role: str, cell: str, points: int = 0) -> dict[str, Any]:
    """What nbgrader is told of a cell.

    Parameters
    ----------
    role
        ``"answer"`` for one that the learner fills in, ``"check"`` for one that grades.
    cell
        The cell's id.
    points
        What a check is worth.

    Examples
    --------
    >>> metadata("answer", "answer-a-b")["solution"], metadata("check", "check-a-b", 3)["points"]
    (True, 3)
    """
    graded = role == "check"
    told = {
        "grade": graded,
        "grade_id": cell,
        "locked": graded,
        "schema_version": SCHEMA,
        "solution": not graded,
        "task": False,
    }
    return told | ({"points": points} if graded else {})


def lesson_file(asked: str, folder: Path) -> Path:
    """The notebook of a lesson, by its number or its name.

    Raises
    ------
    AssignmentError
        When there is none, or it is not a lesson.
    """
    numbered = [path for path in sorted(folder.glob("*.ipynb")) if path.stem[:2].isdigit()]
    there = {path.stem: path for path in numbered if int(path.stem[:2])}  # 00 is the way in
    asked = asked.removesuffix(".ipynb").lower()
    for stem, path in there.items():
        number, _, name = stem.partition("-")
        if asked in (stem, name) or (asked.isdigit() and int(asked) == int(number)):
            return path
    close = did_you_mean(asked, [stem.partition("-")[2] for stem in there])
    raise AssignmentError(f"no lesson {asked!r}; there are {listing(there, most=20)}.{close}")


def source_version(notebook: dict[str, Any], seed: int) -> dict[str, Any]:
    """The source version of a lesson's notebook, without outputs.

    Parameters
    ----------
    notebook
        The lesson as nbformat writes it: a dict of plain values.
    seed
        Where the cases come from that learners do not see.

    Raises
    ------
    AssignmentError
        For a notebook without exercises, or one whose cells nbgrader has not been told about.
    """
    made = copy.deepcopy(notebook)
    roles = {"answer": _solved, "check": _with_hidden}
    checks = 0
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") not in roles:
            continue
        if cell["metadata"].get("nbgrader", {}).get("schema_version") != SCHEMA:
            raise AssignmentError(f"the cell {cell.get('id')!r} is not marked for nbgrader")
        checks += told["role"] == "check"
        text = roles[told["role"]](text_of(cell), told["exercise"], seed)
        cell["source"] = text.splitlines(keepends=True)
    if not checks:
        raise AssignmentError("this notebook has no exercises")
    return made


def text_of(cell: dict[str, Any]) -> str:
    """The text of a cell, which a notebook's file holds line by line."""
    return "".join(cell["source"])


def _solved(stub: str, exercise: str, seed: int) -> str:  # noqa: ARG001 - as the other has it
    """The stub, which nbgrader leaves as it is, and the solution, which it takes out."""
    return "\n".join([stub, SOLUTION[0], find(exercise).solution.strip(), SOLUTION[1]])


def _with_hidden(check: str, exercise: str, seed: int) -> str:
    """The check, and the same once more with the cases of a seed; its points are what counts."""
    task = find(exercise).task
    if not isinstance(task, Code) or task.fresh is None:
        return check
    again = ast.parse(check)
    for node in ast.walk(again):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "dt.course.check":
            node.keywords.append(ast.keyword("fresh", ast.Constant(seed)))
    return "\n".join([check, HIDDEN[0], ast.unparse(again), HIDDEN[1]])
