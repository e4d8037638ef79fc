"""What learners get of a source version, and whether anything in it tells too much."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.course.assignment import HIDDEN, SOLUTION, SOURCE, AssignmentError, text_of
from dtree_lab.course.lessons import find

RELEASE = "release"
_BLOCKS = [
    re.compile(rf"(?ms)\n?^[ \t]*{re.escape(begin)}.*?^[ \t]*{re.escape(end)}[^\n]*")
    for begin, end in (SOLUTION, HIDDEN)
]
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


def leaks(notebook: dict[str, Any], source: dict[str, Any]) -> Iterator[str]:
    """Where a notebook that is to be released tells what it should not, a line for each cell.

    Sources, metadata, outputs, the state of widgets and attachments are searched for the
    solutions' own lines, the seeds of unseen cases, and the marks around both.
    """
    secrets = set(_secrets(source))
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


def _secrets(source: dict[str, Any]) -> Iterator[str]:
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
                for line in map(str.strip, match[0].splitlines()):
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
    """Write the learners' copy of an assignment into the course's folder.

    Raises
    ------
    AssignmentError
        When there is no source version, or the copy would tell a solution, an unseen case or an
        answer; the message names the cells. Nothing is written then.
    """
    source = course / SOURCE / assignment / f"{assignment}.ipynb"
    if not source.is_file():
        raise AssignmentError(f"no assignment {assignment!r} in {course}: make it with new")
    try:
        notebook = json.loads(source.read_text(encoding="utf-8"))
        made = released(notebook)
        found = [*leaks(made, notebook), *_unmarked(made)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise AssignmentError(f"{source} is no notebook") from None
    if found:
        raise AssignmentError("nothing is released: " + "; ".join(found))
    place = course / RELEASE / assignment / f"{assignment}.ipynb"
    write_whole(place, json.dumps(made, ensure_ascii=False, indent=1) + "\n")
    return place


def _unmarked(notebook: dict[str, Any]) -> Iterator[str]:
    """Answer cells that hold the worked solution outside of the marks that take it out."""
    for cell in notebook["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer":
            solution = find(told["exercise"]).solution
            if "".join(solution.split()) in "".join(text_of(cell).split()):
                yield f"the cell {cell.get('id')!r} holds the worked solution"
