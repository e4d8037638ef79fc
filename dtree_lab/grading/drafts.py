"""What course staff wrote in a folder of theirs: found, and made an assignment."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from dtree_lab.course.assignment import (
    SOURCE,
    Assignment,
    AssignmentError,
    assignments,
    make,
    meant,
    no_assignment,
    own_exercises,
)
from dtree_lab.course.own import OWN
from dtree_lab.grading.annotating import annotated, assignment_name

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
    """The course's folder and the name of an assignment; of a draft, in a folder of the moment.

    It is called by its name in the course, its folder in ``source/``, or the draft's path.
    """
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
