"""A notebook as graders see it: a list of cells, read from a file that may hold anything."""

from __future__ import annotations

import ast
import codecs
import gzip
import io
import json
import re
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dtree_lab.base.text import number
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.course.exercise import Exercise

MOST_BYTES, MOST_CELLS, MOST_TEXT = 25 << 20, 3_000, 400_000
# Of all code cells: twenty times the longest lesson. To read Python takes far longer than JSON.
MOST_CODE = 1_000_000


_BEGUN = re.compile(r"(?m)^(?:def (?P<f>\w+)\(|class (?P<c>\w+)|(?P<v>\w+) ?=(?!=))")


class SubmissionError(ValueError):
    """A file that cannot be graded; the message says why, in words for staff."""


@dataclass(frozen=True)
class Cell:
    """A cell."""

    kind: str  # "code", "markdown", or anything else that a file says
    text: str
    id: str = ""  # its own
    grade_id: str = ""  # that which nbgrader gave it
    role: str = ""  # "answer", "check" or "name" in this course
    exercise: str = ""  # of which exercise it is


@dataclass(frozen=True)
class Check:
    """A check cell, as the source version has it."""

    exercise: str  # its id
    answer: str  # the expression that gives it
    name: str  # that which gives the learner's name; none for most
    points: float  # what it is worth
    fresh: int | None  # the seed of the cases that nobody has seen
    cell: str  # the cell's id in nbgrader


@dataclass(frozen=True)
class Handout:
    """What was released of an assignment, with what the judge knows of it."""

    name: str  # the assignment's
    cells: tuple[Cell, ...]  # of the release
    checks: Mapping[int, Check]  # by the places of their cells
    exercises: Mapping[str, Exercise]  # of the checks, as who has no name gets them
    version: str  # what is different if anything of it is


def cells_of(path: Path) -> list[Cell]:
    """The cells of a notebook's file; raises as :func:`notebook_text` does."""
    return cells_in(notebook_text(path))


def notebook_text(path: Path) -> str:
    """The text of a notebook's file, unless it is none or too large to be one of this course."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise SubmissionError(f"the file has {number(size / (1 << 20))} MB, {_AT_MOST}")
        data = path.read_bytes()
    except OSError as problem:
        raise SubmissionError(f"the file cannot be read: {problem.strerror}") from None
    if data.startswith(_GZIP):
        data = _unzipped(data)
    try:
        return data.decode(_encoding(data))
    except UnicodeDecodeError:
        raise SubmissionError("the file is no text in UTF-8 or UTF-16, so no notebook") from None


_GZIP = b"\x1f\x8b"
_AT_MOST = f"and at most {MOST_BYTES >> 20} MB are read: ask for it again with all outputs cleared"


def _unzipped(data: bytes) -> bytes:
    """What a browser or a server has packed and left so, within the limit of any file."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            found = file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise SubmissionError("the file is packed by gzip, and torn") from None
    if len(found) > MOST_BYTES:
        raise SubmissionError(f"the file, which is packed by gzip, is too large, {_AT_MOST}")
    return found


def _encoding(data: bytes) -> str:
    """How a text is written: as its first bytes say, and JSON begins with two signs of ASCII."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data[:2].count(0) == 1:
        return "utf-16-be" if data[0] == 0 else "utf-16-le"
    return "utf-8-sig"


def python_of(text: str) -> str:
    """The version of Python that a notebook's text says it was written in; nothing without one."""
    told = _dict(_dict(json.loads(text)).get("metadata"))
    return _text(_dict(told.get("language_info")).get("version"))


def cells_in(text: str) -> list[Cell]:
    """The cells of a notebook's text; a SubmissionError for a text that is none."""
    if not text.strip():
        raise SubmissionError("the file is empty")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise SubmissionError("the file is torn or no notebook: it is not JSON") from None
    written = _written(found)
    if written is None:
        raise SubmissionError("this JSON is no notebook")
    if len(written) > MOST_CELLS:
        raise SubmissionError(f"the notebook has more than {MOST_CELLS:,} cells")
    cells = [_cell(one) for one in written if isinstance(one, dict)]
    if sum(len(cell.text) for cell in cells if cell.kind == "code") > MOST_CODE:
        raise SubmissionError(f"the notebook has more than {MOST_CODE:,} characters of code")
    return cells


def _written(notebook: Any) -> list[Any] | None:
    """The cells as they are written; before 2015 they stood in worksheets."""
    cells = _dict(notebook).get("cells")
    if isinstance(cells, list):
        return cells
    sheets = _dict(notebook).get("worksheets")
    if not isinstance(sheets, list):
        return None
    those = [_dict(one).get("cells") for one in sheets]
    return [cell for some in those if isinstance(some, list) for cell in some]


def _cell(written: Mapping[str, Any]) -> Cell:
    source = written.get("source", written.get("input", ""))  # so it was called before 2015
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    told = _dict(written.get("metadata"))
    ours = _dict(told.get("dtree_lab"))
    id_ = written.get("id") or told.get("id")  # Colab's place for it
    return Cell(
        kind=_text(written.get("cell_type")),
        text=source[:MOST_TEXT] if isinstance(source, str) else "",
        id=_text(id_),
        grade_id=_text(_dict(told.get("nbgrader")).get("grade_id")),
        role=_text(ours.get("role")),
        exercise=_text(ours.get("exercise")),
    )


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value[:200] if isinstance(value, str) else ""


def checks_of(notebook: Mapping[str, Any], name: str) -> dict[int, Check]:
    """The checks of a source version by their cells' places; others' graded cells are refused."""
    found = {}
    for place, cell in enumerate(notebook["cells"]):
        told = _dict(_dict(cell.get("metadata")).get("nbgrader"))
        if not told.get("grade"):
            continue
        calls = _checks_in("".join(cell["source"]))
        if not calls:
            marked = told.get("grade_id", cell.get("id"))
            raise AssignmentError(
                f"{name}: the cell {marked!r} is graded, and is no dt.course.check(…);"
                " only these can be judged outside of the learner's process"
            )
        seeds = [one["fresh"] for one in calls if "fresh" in one]
        first = calls[0]
        found[place] = Check(
            exercise=str(ast.literal_eval(first["exercise"])),
            answer=first["answer"],
            name=first.get("name", ""),
            points=float(told.get("points", 0)),
            fresh=int(ast.literal_eval(seeds[0])) if seeds else None,
            cell=str(told.get("grade_id", "")),
        )
    return found


def _checks_in(text: str) -> list[dict[str, str]]:
    """The calls of ``dt.course.check`` in a cell, as the texts of what they are given."""
    found = []
    for node in ast.walk(_parsed(text)):
        if isinstance(node, ast.Call) and _is_named_check(node.func):
            given = {key.arg: ast.unparse(key.value) for key in node.keywords if key.arg}
            given |= dict(zip(("exercise", "answer"), map(ast.unparse, node.args), strict=False))
            if {"exercise", "answer"} <= set(given):
                found.append(given)
    return found


def _is_named_check(function: ast.expr) -> bool:
    """Whether it is ``course.check``, of whatever; not by its text, which may be endless."""
    match function:
        case ast.Attribute(
            attr="check", value=ast.Name(id="course") | ast.Attribute(attr="course")
        ):
            return True
    return False


def _parsed(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whoever wrote it hears of it elsewhere
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def is_check(text: str) -> bool:
    """Whether a cell does nothing but check."""
    body = _parsed(text).body
    return bool(body) and all(
        isinstance(one, ast.Expr)
        and isinstance(one.value, ast.Call)
        and _is_named_check(one.value.func)
        for one in body
    )


def binds(text: str, name: str) -> bool:
    """Whether a cell gives a value to a name, or defines it."""
    return name in _bound(text)


@lru_cache(maxsize=MOST_CELLS)  # each is asked for every name of a release
def _bound(text: str) -> frozenset[str]:
    """The names that a cell gives a value to, or defines."""
    body = _parsed(text).body
    if not body:  # with a mistake in its grammar; a learner means something by it all the same
        return frozenset(str(one[one.lastgroup or 0]) for one in _BEGUN.finditer(text))
    found: set[str] = set()
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                parts = (one for target in targets for one in ast.walk(target))
                found.update(one.id for one in parts if isinstance(one, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return frozenset(found)
