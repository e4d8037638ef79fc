"""What staff wrote in a folder of theirs, and what learners get of it: whether it tells too much.

Of exercises that staff wrote, a cell of the learners' notebook holds what their checks need, as
data (:mod:`dtree_lab.course.handout`); the file that makes them stays in ``source/``.
"""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.course.assignment import (
    HIDDEN,
    SOLUTION,
    SOURCE,
    Assignment,
    AssignmentError,
    assignments,
    known,
    make,
    meant,
    metadata,
    no_assignment,
    own_exercises,
    text_of,
)
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.handout import NotPlainDataError, handed_out, handout_text
from dtree_lab.course.own import OWN
from dtree_lab.grading.sheets import binds, is_check

RELEASE = "release"
_BLOCKS = [
    re.compile(rf"(?ms)\n?^[ \t]*{re.escape(begin)}.*?^[ \t]*{re.escape(end)}[^\n]*")
    for begin, end in (SOLUTION, HIDDEN)
]
# The cell with what checks of staff's own exercises need, by its id and its role.
HANDOUT = "handout"
_HANDOUT = """\
# What the checks of this notebook need. There is nothing to read or to change here.
import dtree_lab as dt
"""
_MOST_HANDOUT = 300_000
# A line of a solution as short as this may stand anywhere by chance.
_SHORT = 18


def released(source: dict[str, Any]) -> dict[str, Any]:
    """A source version without solutions, unseen cases and outputs."""
    made = copy.deepcopy(source)
    made["metadata"].pop("widgets", None)
    for cell in made["cells"]:
        text = text_of(cell)
        for block in _BLOCKS:
            text = block.sub("", text)
        cell["source"] = text.splitlines(keepends=True)
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        told = cell["metadata"].get("nbgrader")
        if told:
            cell["metadata"]["deletable"] = False
            if told.get("locked"):
                cell["metadata"]["editable"] = False
    return made


def with_handout(notebook: dict[str, Any], text: str) -> dict[str, Any]:
    """A released notebook with a cell, before its first code, that tells its checks exercises."""
    made = dict(notebook)
    at = next((i for i, c in enumerate(made["cells"]) if c["cell_type"] == "code"), 0)
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "id": HANDOUT,
        "metadata": {
            "deletable": False,
            "dtree_lab": {"role": HANDOUT},
            "editable": False,
            "jupyter": {"source_hidden": True},
        },
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
    made["cells"] = [*made["cells"][:at], cell, *made["cells"][at:]]
    return made


def handout_in(release: Path) -> str:
    """The text of the cell with exercises in a notebook that was released; of none, its start."""
    try:
        cells = json.loads(release.read_text(encoding="utf-8"))["cells"]
        return next(text_of(one) for one in cells if one.get("id") == HANDOUT)
    except (OSError, ValueError, KeyError, StopIteration):
        return _HANDOUT


def checked_in(notebook: Mapping[str, Any], own: Mapping[str, Exercise]) -> list[Exercise]:
    """Those of staff's own exercises that a source version checks, in its order."""
    told = (cell["metadata"].get("dtree_lab", {}) for cell in notebook["cells"])
    asked = [one["exercise"] for one in told if one.get("role") == "check"]
    return [own[exercise] for exercise in asked if exercise in own]


def leaks(
    notebook: dict[str, Any], source: dict[str, Any], private: Iterable[str] = ()
) -> Iterator[str]:
    """Where a notebook that is to be released tells what it should not, a line for each cell.

    Sources, metadata, outputs, the state of widgets and attachments are searched for the solutions'
    own lines, the seeds of unseen cases, the marks around both, and lines of other `private` texts:
    what staff's own exercises are made of.
    """
    secrets = set(_secrets(source, private))
    elsewhere = {"the notebook's metadata": notebook.get("metadata", {})}
    cells = {
        f"the cell {cell.get('id', i)!r}": cell for i, cell in enumerate(notebook.get("cells", []))
    }
    for where, what in (elsewhere | cells).items():
        for text in _texts(what):
            found = next((one for one in secrets if one in text), None)
            if found is not None:
                yield f"{where} would tell {found[:60]!r}"
                break


def _secrets(source: dict[str, Any], private: Iterable[str]) -> Iterator[str]:
    """What no learner should find: lines of solutions that are not in the lesson, and seeds."""
    yield from (SOLUTION[0], HIDDEN[0], "BEGIN SOLUTION", "BEGIN HIDDEN TESTS")
    # What a lesson shows as code elsewhere is no secret; what its text says may be an accident.
    cells = [cell for cell in released(source)["cells"] if cell["cell_type"] == "code"]
    plain = "\n".join(map(text_of, cells))
    for cell in source["cells"]:
        text = text_of(cell)
        for block in _BLOCKS:
            for match in block.finditer(text):
                yield from re.findall(r"fresh=(\d{5,})", match[0])
                yield from _lines(match[0], plain)
    for text in private:
        yield from _lines(text, plain)
        yield from _lines(text.replace("return ", ""), plain)  # as a sentence may quote it


def _lines(text: str, plain: str) -> Iterator[str]:
    for line in map(str.strip, text.splitlines()):
        if len(line) >= _SHORT and not line.startswith("#") and line not in plain:
            yield line


def _texts(value: Any) -> Iterator[str]:
    """All texts in something, sources and outputs as they are read: their lines joined."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value):
            yield "".join(value)
        for one in value:
            yield from _texts(one)
    elif isinstance(value, int | float):
        yield str(value)


def release(course: Path, assignment: str) -> Path:
    """Write the learners' copy into the course's folder, unless it would tell a solution."""
    source = course / SOURCE / assignment / f"{assignment}.ipynb"
    if not source.is_file():
        raise no_assignment(course, assignment)
    own = own_exercises(source.parent)
    try:
        notebook = json.loads(source.read_text(encoding="utf-8"))
        made, mine = released(notebook), checked_in(notebook, own)
        if mine:
            made = with_handout(made, _handed_out(mine))
        private = [*_bodies(source.parent / OWN), *(one.solution for one in mine)] if own else []
        found = [*leaks(made, notebook, private), *_unmarked(made, own)]
    except AssignmentError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        raise AssignmentError(f"{source} is no notebook") from None
    if found:
        raise AssignmentError("nothing is released: " + "; ".join(found))
    place = course / RELEASE / assignment / f"{assignment}.ipynb"
    write_whole(place, json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    return place


def _handed_out(mine: Iterable[Exercise]) -> str:
    """What learners get of staff's exercises, as the text of a cell."""
    try:
        text = handout_text(handed_out(one).exercise for one in mine)
    except NotPlainDataError as problem:
        raise AssignmentError(f"nothing is released: {problem}") from None
    if len(text) > _MOST_HANDOUT:
        most = f"{len(text):,} characters of visible cases, and at most {_MOST_HANDOUT:,} fit"
        raise AssignmentError(f"nothing is released: {most}; let unseen cases be the large ones")
    # A raw text, in which nothing is escaped a second time.
    quoted = text.replace("'''", r"\u0027" * 3)
    return f"{_HANDOUT}dt.course.handout(r'''{quoted}''')"


def _bodies(path: Path) -> Iterator[str]:
    """The bodies of the functions in a file of staff's, without docstrings."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            start = 1 if ast.get_docstring(node) is not None else 0
            yield from (ast.get_source_segment(text, one) or "" for one in node.body[start:])


def _unmarked(notebook: dict[str, Any], own: Mapping[str, Exercise]) -> Iterator[str]:
    """Answer cells that hold the worked solution outside of the marks that take it out."""
    for cell in notebook["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer":
            solution = known(told["exercise"], own).solution
            if "".join(solution.split()) in "".join(text_of(cell).split()):
                yield f"the cell {cell.get('id')!r} holds the worked solution"


_SEED = 1


def draft(place: str) -> Path:
    """The notebook that staff wrote, by its own path or by that of the folder with it alone."""
    path = Path(place).expanduser()
    if path.name == OWN and path.is_file():
        path = path.parent
    if path.is_dir():
        found = sorted(one for one in path.glob("*.ipynb") if not one.name.startswith("."))
        if len(found) != 1:
            names = ", ".join(one.name for one in found) or "none"
            raise AssignmentError(f"{path} has to have one notebook in it; there is {names}")
        return found[0]
    if path.suffix == ".ipynb" and path.is_file():
        return path
    raise AssignmentError(f"{place} is neither a notebook nor a folder with one")


def made_of(notebook: Path, course: Path, course_id: str, seed: int) -> Assignment:
    """An assignment of a notebook that staff wrote, with the exercises in the file beside it."""
    folder = notebook.resolve().parent
    own = own_exercises(folder)
    with TemporaryDirectory(prefix="dtree-lab-new-") as place:
        marked = Path(place, f"{assignment_name(notebook)}.ipynb")
        marked.write_text(json.dumps(annotated(notebook, own)), encoding="utf-8")
        return make(marked, course, course_id, seed, folder)


def left_behind(notebook: Path) -> list[str]:
    """What else lies beside a notebook of staff's: learners do not get it, nor does the judge."""
    kept = (notebook.name, OWN)
    beside = (one.name for one in notebook.resolve().parent.iterdir())
    return sorted(name for name in beside if name not in kept and name[0] not in "._")


@contextmanager
def as_assignment(name: str, course: Path) -> Iterator[tuple[Path, str]]:
    """The folder and name of an assignment, called by name, folder, or a draft's path."""
    path, there = Path(name).expanduser().resolve(), assignments(course)
    if name in there:
        yield course, name
    elif not path.exists() and there:
        if not (match := meant(name, there)):
            raise no_assignment(course, name)
        yield course, match
    elif path.parent.name == SOURCE and (path / f"{path.name}.ipynb").is_file():
        yield path.parents[1], path.name
    else:
        with TemporaryDirectory(prefix="dtree-lab-check-") as place:
            yield Path(place), made_of(draft(name), Path(place), "draft", _SEED).name


# -- a notebook that course staff wrote, made an assignment ----------------------------------------

_ODD = " ()[]{}'\""


def annotated(path: Path, own: Mapping[str, Exercise]) -> dict[str, Any]:
    """A notebook whose unmarked checks and answers are marked for this course and nbgrader.

    Whatever calls ``dt.course.check`` is a check, and the cell above it that gives the checked name
    a value is where the answer goes. So an assignment can have any exercises, and staff's own.
    """
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
