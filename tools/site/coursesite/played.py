"""The labs of a lesson as recordings, which play on its page without Python."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

import dtree_lab as dt
from coursesite.cells import PLAYS
from coursesite.needed import needed
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.playing import box, kept_data, player

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from coursesite.lesson import Lesson
    from dtree_lab.labs.playing import Recording

# How many views of a lab are recorded: of the tree that a person grows more, for each is small and
# they branch; of what is measured anew for each setting fewer.
MOST, MOST_OF = 200, {"TreeBuilder": 500, "BiasVarianceLab": 60}
MOST_BYTES = 150_000
# What is done in it is typed, which has no end.
_TYPED = "dt.Practice("


@dataclass(frozen=True)
class Played:
    """A recorded lab, as a page needs it.

    Attributes
    ----------
    title, still
        What the lab is called, and the picture that stays where no scripts run.
    views
        How many were kept.
    data
        They, deflated, as base64.
    """

    title: str
    still: str
    views: int
    data: str


def labs_of(lesson: Lesson) -> dict[str, list[str]]:
    """The cells of a lesson that show a lab, by their ids, each with the code that it needs."""
    sources: list[str] = []
    found = {}
    for cell in lesson.notebook.cells:
        if cell.cell_type != "code":
            continue
        sources.append(cell.source)
        is_lab = "widget" in cell.metadata.get("tags", []) and "dt.course." not in cell.source
        if is_lab and _TYPED not in cell.source:
            found[cell.id] = needed(sources)
    return found


def recorded(
    lessons: Iterable[Lesson],
    kept: Path,
    jobs: int | None = None,
    further: Mapping[str, list[str]] | None = None,
) -> dict[str, Played]:
    """The labs of lessons, recorded, by the ids of their cells.

    Parameters
    ----------
    lessons
        Whose labs.
    kept
        The folder where recordings are kept for the next time, each by the code that makes it.
    jobs
        How many processes record.
    further
        The code of labs that stand in no lesson, by names of theirs.
    """
    wanted = {id_: code for lesson in lessons for id_, code in labs_of(lesson).items()}
    wanted |= further or {}
    places = {id_: kept / f"{_name(code)}.json" for id_, code in wanted.items()}
    missing = {place: wanted[id_] for id_, place in places.items() if not place.exists()}
    kept.mkdir(parents=True, exist_ok=True)
    if missing:
        with ProcessPoolExecutor(min(jobs or os.cpu_count() or 1, len(missing))) as pool:
            for _ in pool.map(_keep, missing, missing.values()):
                pass
    return {id_: Played(**json.loads(place.read_text("utf-8"))) for id_, place in places.items()}


def _keep(place: Path, code: Sequence[str]) -> None:
    with redirect_stdout(StringIO()):
        lab = run(code)
        most = MOST_OF.get(type(lab).__name__, MOST)
        recording = lab.record(most=most, most_bytes=MOST_BYTES)
    part = place.with_suffix(".part")
    part.write_text(json.dumps(asdict(played(recording))), encoding="utf-8")
    part.replace(place)


def played(recording: Recording) -> Played:
    """A recording as a page needs it."""
    record = recording.record
    return Played(recording.title, recording.still, len(record.views), record.base64())


def play(shown: Any, labs: Mapping[str, Played]) -> str:
    """Put recorded labs in place of their pictures; gives what stands at the end of the page.

    What several cells show is there once.

    Parameters
    ----------
    shown
        A notebook as `for_readers` makes it.
    labs
        Recorded labs, by the ids of their cells.
    """
    data: dict[str, str] = {}
    for cell in shown.cells:
        if cell.id in labs:
            lab = labs[cell.id]
            name = hashed(lab.data)
            data[name] = kept_data(name, lab.data)
            page = box(cell.id, lab.still, name)
            cell.outputs = [nbformat.v4.new_output("display_data", {"text/html": page})]
            cell.metadata["says"] = PLAYS
    return "\n".join(data.values()) + player() if data else ""


def hashed(data: str) -> str:
    """What a page calls a record."""
    return f"d{hashlib.sha256(data.encode()).hexdigest()[:8]}"


def run(code: Sequence[str]) -> Lab[Any]:
    """The lab that is the last value of some cells."""
    space: dict[str, Any] = {"__name__": "__main__"}
    shown = None
    for source in code:
        tree = ast.parse(source)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<cell>", "exec"), space)  # noqa: S102 - the lessons' own code
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)  # noqa: S307
    if not isinstance(shown, Lab):
        raise TypeError(f"the last cell does not show a lab:\n{code[-1]}")
    return shown


def _name(code: Sequence[str]) -> str:
    """What a recording is kept by: all that it depends on."""
    told = json.dumps([list(code), MOST, MOST_OF, MOST_BYTES, _library()])
    return hashlib.sha256(told.encode()).hexdigest()[:20]


@cache
def _library() -> str:
    """All code of the library, and the version of what it counts with."""
    told = hashlib.sha256(version("numpy").encode())
    for place in sorted(Path(dt.__file__).parent.rglob("*.py")):
        if "course" not in place.parts:
            told.update(place.read_bytes())
    return told.hexdigest()
