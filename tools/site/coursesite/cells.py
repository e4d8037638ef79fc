"""What a reader sees of a lesson's cells: no answers, no checks' code, no cards that wait."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

import nbformat

from dtree_lab.course.lessons import find

# Between these marks stands what a course's staff keeps from the learners' copy.
_STAFF = re.compile(
    r"^[ \t]*#+\s*BEGIN (SOLUTION|HIDDEN TESTS|MARK SCHEME)\b.*?(?:^[ \t]*#+\s*END \1[^\n]*\n?|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)
# What an exercise says of its lab's last button, which a page does not have.
_KEEPING = re.compile(r"\([^()]*\*Keep in this cell\*[^()]*\)")
CHECK = "Checked on the spot in the notebook, for {}: what is right, and a hint at what is not."
REVEAL = (
    "Your guess? Put it in place of the dots: the notebook shows the answer to whoever has one."
)
VARIES = "What this shows differs from time to time: run it in the notebook."
CARD = "In the notebook this is answered by a click, and the verdict comes at once."
LAB = "A picture of the lab. In the notebook it answers to mouse and keyboard."
PLAYS = (
    "The lab plays here as far as it was recorded; in the notebook all of it answers, on your rows."
)


def for_readers(notebook: Any, later: dict[str, list[Any]] | None = None) -> Any:
    """A lesson as a page shows it: each code cell's metadata say what it is (``role``).

    ``answer``: the learner's cell, a stub; ``check``: a sentence in place of the code;
    ``guess``: a question to guess at, without its card; ``later``: code whose output would tell too
    early, folded away; ``varies``: code without its output; ``lab``: a widget's picture; ``plain``:
    the rest.

    Parameters
    ----------
    notebook
        The lesson as it is kept.
    later
        The outputs that are kept apart from it, by the ids of their cells.
    """
    points = _points(notebook)
    shown = copy.deepcopy(notebook)
    for cell in shown.cells:
        if cell.cell_type == "markdown":
            cell.source = on_a_page(cell.source, cell.metadata.get("notebook_only", ()))
        told = cell.metadata.get("dtree_lab", {})
        tags = cell.metadata.get("tags", [])
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.source = without_staffs(cell.source)
            cell.metadata = {"role": _role(cell, told, tags), "says": ""}
            if cell.metadata["role"] == "later":
                cell.outputs = [nbformat.from_dict(one) for one in (later or {}).get(cell.id, [])]
            _say(cell, points.get(told.get("exercise", ""), 0))
    shown.cells = [cell for cell in shown.cells if cell.cell_type == "code" or cell.source]
    return shown


def on_a_page(source: str, only: Sequence[str]) -> str:
    r"""A text without what holds in a notebook only; nothing where only its heading is left.

    >>> on_a_page("Here it is. Run it. Look.", ["Run it."]), on_a_page("## So\n\nRun.", ["Run."])
    ('Here it is. Look.', '')
    """
    left = source
    for words in (*only, *_KEEPING.findall(source)):
        left = re.sub(re.escape(words) + " ?", "", left)
    left = left.strip()
    return "" if left != source.strip() and re.fullmatch(r"#+ [^\n]*", left) else left


def without_staffs(source: str) -> str:
    r"""Code without what stands between the marks of solutions and hidden tests.

    >>> print(without_staffs("a\n### BEGIN HIDDEN TESTS\nassert a\n### END HIDDEN TESTS\nb"))
    a
    b
    """
    return _STAFF.sub("", source)


def for_download(notebook: Any) -> Any:
    """The notebook that a page offers: as it is kept, without anything of nbgrader's."""
    kept = copy.deepcopy(notebook)
    for cell in kept.cells:
        cell.metadata.pop("nbgrader", None)
        if cell.cell_type == "code":
            cell.source = without_staffs(cell.source)
    return kept


def _role(cell: Any, told: dict[str, str], tags: list[str]) -> str:
    if told.get("role") in ("answer", "check"):
        return told["role"]
    if "dt.course.reveal(" in cell.source:
        return "guess"
    for kept_apart in ("later", "varies"):
        if kept_apart in tags:
            return kept_apart
    return "lab" if "widget" in tags else "plain"


def _points(notebook: Any) -> dict[str, int]:
    """What the exercises of a notebook are worth."""
    asked = {cell.metadata.get("dtree_lab", {}).get("exercise", "") for cell in notebook.cells}
    return {name: find(name).points for name in asked if name}


def _say(cell: Any, points: int) -> None:
    """Put the sentence of its role below a cell, and take away the output that it stands for."""
    match cell.metadata["role"]:
        case "check":
            cell.outputs = []
            cell.metadata["says"] = CHECK.format("1 point" if points == 1 else f"{points} points")
        case "guess":
            cell.outputs = []
            cell.metadata["says"] = REVEAL
        case "varies":
            cell.outputs = []
            cell.metadata["says"] = VARIES
        case "lab":
            cell.metadata["says"] = CARD if "dt.course." in cell.source else LAB
