"""The folder of an nbgrader course: where an assignment is laid out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtree_lab.course.assignment import HIDDEN, AssignmentError, source_version, text_of
from dtree_lab.shown import plural

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = "nbgrader_config.py"
SOURCE = "source"
# Where another course's configuration is read instead of ours, this must stand in it.
NEEDED = "ClearSolutions.code_stub"

_CONFIG = '''"""nbgrader's configuration of a course made with `dtree-lab assignment`."""

import os

c = get_config()  # noqa: F821 - nbgrader gives it
c.CourseDirectory.course_id = {course!r}


class NoLines(str):
    """A stub of no lines at all: what learners get stands in front of each solution already."""

    def split(self, *_):
        return []


c.ClearSolutions.code_stub = {{"python": NoLines()}}
# Seconds for a cell; the longest in the course take about five.
c.Execute.timeout = 60
# A slow machine brings out progress bars; to nbgrader whatever they write is an error.
os.environ["TQDM_DISABLE"] = "1"
'''


@dataclass(frozen=True)
class Assignment:
    """An assignment that was made.

    Attributes
    ----------
    name
        Its name in nbgrader, which is that of the lesson's file.
    notebook, config
        Where the source version and the course's configuration are.
    seed
        Where the cases come from that learners do not see.
    exercises, points, hidden
        How many exercises there are, what they are worth together, and how many of them have cases
        that learners do not see.
    own_config
        Whether the configuration was there before, and is somebody else's.
    """

    name: str
    notebook: Path
    config: Path
    seed: int
    exercises: int
    points: int
    hidden: int
    own_config: bool


def make(lesson: Path, course: Path, course_id: str, seed: int) -> Assignment:
    """Lay out an assignment in a course's folder, as nbgrader wants it.

    Parameters
    ----------
    lesson
        The lesson's notebook.
    course
        The folder; made if there is none. A configuration that is in it stays as it is.
    course_id
        nbgrader's name of the course.
    seed
        Where the cases come from that learners do not see.

    Raises
    ------
    AssignmentError
        When the lesson cannot be read, or its assignment is there already.
    OSError
        When a file cannot be written.
    """
    made = source_version(_read(lesson), seed)
    place = course / SOURCE / lesson.stem / lesson.name
    if place.parent.exists():
        msg = f"{place.parent} is there already; nothing is overwritten: move it away first"
        raise AssignmentError(msg)
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    config = course / CONFIG
    there = config.exists()
    if not there:
        config.write_text(_CONFIG.format(course=course_id), encoding="utf-8")
    checks = [cell for cell in made["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]
    return Assignment(
        name=lesson.stem,
        notebook=place,
        config=config,
        seed=seed,
        exercises=len(checks),
        points=sum(cell["metadata"]["nbgrader"]["points"] for cell in checks),
        hidden=sum(HIDDEN[0] in text_of(cell) for cell in checks),
        own_config=there and NEEDED not in config.read_text(encoding="utf-8"),
    )


def _read(lesson: Path) -> dict[str, Any]:
    try:
        notebook: dict[str, Any] = json.loads(lesson.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise AssignmentError(f"{lesson} cannot be read: {problem}") from problem
    return notebook


def report(made: Assignment) -> str:
    """What staff are told of an assignment that was made."""
    lines = [
        f"{made.notebook}",
        f"  {plural(made.exercises, 'exercise')}, {plural(made.points, 'point')}",
        f"  {made.hidden} of them with cases that learners do not see (seed {made.seed})",
    ]
    if made.own_config:
        lines.append(
            f"  {made.config} was there and is left as it is. It does not set {NEEDED}, so nbgrader"
            " will put its own text below each stub; docs/grading.md says what to add."
        )
    lines.append(f"Next, in {made.config.parent}: nbgrader generate_assignment {made.name}")
    return "\n".join(lines)
