"""A lesson as an nbgrader assignment: the source version, laid out in the folder of a course.

Learners get the lesson's own notebook. The source version, from which nbgrader makes the rest, is
the same but for two things: after the stub in each answer cell stands the worked solution, and in
the check cell of a function a second check, with cases that nobody has seen, drawn from a secret
seed. nbgrader takes both out of what it releases, and puts the second check back when it grades.
"""

from __future__ import annotations

import ast
import copy
import json
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dtree_lab.base.text import did_you_mean, listing, plural
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.lessons import EXAMS, FURTHER, find, names
from dtree_lab.course.own import OWN, exercises_in
from dtree_lab.course.tasks import Code

SCHEMA = 3
SOLUTION = "### BEGIN SOLUTION", "### END SOLUTION"
HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


class AssignmentError(ValueError):
    """There is no assignment to be had; the message says why in one line."""


def metadata(role: str, cell: str, points: int = 0) -> dict[str, Any]:
    """What nbgrader is told of a cell that the learner fills in, or of one that grades."""
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


def lesson_file(lesson: str, folder: Path) -> Path:
    """The notebook of a lesson, by its number or its name, a further page's, or the exam's."""
    numbered = [path for path in sorted(folder.glob("*.ipynb")) if path.stem[:2].isdigit()]
    there = {path.stem: path for path in numbered if int(path.stem[:2])}  # 00 is the way in
    there |= {path.stem: path for path in sorted(folder.glob(f"{FURTHER}/*.ipynb"))}
    there |= {path.stem: path for path in folder.glob(f"{EXAMS}.ipynb")}
    if found := meant(lesson, there):
        return there[found]
    lesson = lesson.removesuffix(".ipynb").lower()
    close = did_you_mean(lesson, [stem.partition("-")[2] for stem in there])
    raise AssignmentError(f"no lesson {lesson!r}; there are {listing(there, most=20)}.{close}")


def meant(wanted: str, there: Collection[str]) -> str:
    """Which of some names, such as ``01-tax-fraud``, a number or a name means; nothing if none.

    >>> [meant(asked, ["01-tax-fraud", "week3"]) for asked in ("1", "Tax-Fraud", "week3", "2")]
    ['01-tax-fraud', '01-tax-fraud', 'week3', '']
    """
    if wanted in there:
        return wanted
    wanted = wanted.removesuffix(".ipynb").lower()
    for stem in there:
        number, _, name = stem.lower().partition("-")
        same_number = wanted.isdecimal() and number.isdecimal() and int(wanted) == int(number)
        if same_number or (wanted and wanted in (stem.lower(), name)):
            return stem
    return ""


def assignments(course: Path) -> list[str]:
    """What is in a course's ``source/``."""
    files = sorted((course / SOURCE).glob("*/*.ipynb"))
    return [path.stem for path in files if path.stem == path.parent.name]


def no_assignment(course: Path, name: str) -> AssignmentError:
    """The error for an assignment that is not in a course's folder."""
    there = assignments(course)
    if there:
        names = [*there, *(one.partition("-")[2] for one in there)]
        close = did_you_mean(name, names).replace(" Did you", "; did you")
        others = f"; there are {', '.join(there)}{close}"
        return AssignmentError(f"no assignment {name!r} in {course}{others}")
    if (course / SOURCE).is_dir():
        return AssignmentError(f"no assignment {name!r} in {course}: make it with new")
    said = "go to the course's folder, or say --course FOLDER; dtree-lab assignment new makes one"
    return AssignmentError(f"no assignment {name!r}: {course} is no course's folder: {said}")


def own_exercises(folder: Path) -> dict[str, Exercise]:
    """The exercises that staff's file in a folder makes; none where there is no such file."""
    try:
        return exercises_in(folder / OWN, names())
    except ValueError as problem:
        raise AssignmentError(str(problem)) from problem


def known(exercise: str, own: Mapping[str, Exercise]) -> Exercise:
    """The exercise of an id: one of staff's own, or the course's."""
    if exercise in own:
        return own[exercise]
    if exercise.partition("/")[0] in (*names(), EXAMS):
        try:
            return find(exercise)
        except ValueError as problem:
            raise AssignmentError(str(problem)) from None
    if not own:
        mine = f"no lesson's exercise begins so, and there is no {OWN} beside the notebook"
        raise AssignmentError(f"no exercise {exercise!r}: {mine}")
    close = did_you_mean(exercise, own)
    raise AssignmentError(f"no exercise {exercise!r}; {OWN} makes {listing(own, most=20)}.{close}")


def source_version(
    notebook: dict[str, Any], seed: int, own: Mapping[str, Exercise] | None = None
) -> dict[str, Any]:
    """The source version of a lesson's notebook (a dict, as nbformat writes it), without outputs.

    The cases that learners do not see come from `seed`; `own` are staff's exercises for it.
    """
    made = copy.deepcopy(notebook)
    checks = 0
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") not in ("answer", "check"):
            continue
        if cell["metadata"].get("nbgrader", {}).get("schema_version") != SCHEMA:
            raise AssignmentError(f"the cell {cell.get('id')!r} is not marked for nbgrader")
        text, exercise = text_of(cell), known(told["exercise"], own or {})
        if told["role"] == "check":
            checks += 1
            text = _with_hidden(text, exercise, seed)
        else:  # nbgrader leaves the stub as it is, and takes the solution out
            text = "\n".join([text, SOLUTION[0], exercise.solution.strip(), SOLUTION[1]])
        cell["source"] = text.splitlines(keepends=True)
    if not checks:
        raise AssignmentError("this notebook has no exercises")
    return made


def text_of(cell: dict[str, Any]) -> str:
    """The text of a cell, which a notebook's file holds line by line."""
    return "".join(cell["source"])


def _with_hidden(check: str, exercise: Exercise, seed: int) -> str:
    """The check, and the same once more with the cases of a seed; its points are what counts.

    Staff may give an exercise of their own its unseen cases later: the seed is there already.
    """
    its_own = exercise.lesson not in names()
    if not isinstance(exercise.task, Code) or (exercise.task.fresh is None and not its_own):
        return check
    again = ast.parse(check)
    for node in ast.walk(again):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "dt.course.check":
            node.keywords.append(ast.keyword("fresh", ast.Constant(seed)))
    return "\n".join([check, HIDDEN[0], ast.unparse(again), HIDDEN[1]])


CONFIG = "nbgrader_config.py"
SOURCE = "source"
# Where another course's configuration is read instead of ours, this must stand in it.
NEEDED = "ClearSolutions.code_stub"


@dataclass(frozen=True)
class Assignment:
    """An assignment that was made."""

    name: str  # in nbgrader, which is that of the lesson's file
    notebook: Path  # the source version
    config: Path  # the course's configuration
    seed: int  # where the cases come from that learners do not see
    exercises: int  # how many
    points: int  # what they are worth together
    hidden: int  # how many of them have cases that learners do not see
    own_config: bool  # the configuration was there before, and is somebody else's
    own: int = 0  # how many are staff's own, which plain nbgrader cannot release


def make(
    lesson: Path, course: Path, course_id: str, seed: int, own: Path | None = None
) -> Assignment:
    """Lay out an assignment in a course's folder, as nbgrader wants it.

    The folder is made if there is none; a configuration that is in it stays as it is. The cases
    that learners do not see come from `seed`. The file of exercises in the folder `own`, that of a
    notebook of staff's own, goes with it. What is there already is not written over.
    """
    mine = own_exercises(own) if own is not None else {}
    made = source_version(_read(lesson), seed, mine)
    place = course / SOURCE / lesson.stem / lesson.name
    if place.parent.exists():
        msg = f"{place.parent} is there already; nothing is overwritten: move it away first"
        raise AssignmentError(msg)
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if own is not None and mine:
        shutil.copyfile(own / OWN, place.parent / OWN)
    config = course / CONFIG
    there = config.exists()
    if not there:
        config.write_text(config_text(course_id), encoding="utf-8")
    checks = [cell for cell in made["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]
    exercises = [known(cell["metadata"]["dtree_lab"]["exercise"], mine) for cell in checks]
    return Assignment(
        name=lesson.stem,
        notebook=place,
        config=config,
        seed=seed,
        exercises=len(checks),
        points=sum(cell["metadata"]["nbgrader"]["points"] for cell in checks),
        hidden=sum(isinstance(one.task, Code) and one.task.fresh is not None for one in exercises),
        own=sum(one.id in mine for one in exercises),
        own_config=there and NEEDED not in config.read_text(encoding="utf-8"),
    )


def config_text(course_id: str) -> str:
    """Nbgrader's configuration of a course."""
    text = Path(__file__).with_name("nbgrader_config.txt").read_text(encoding="utf-8")
    return text.replace("COURSE_ID", repr(course_id))


def _read(lesson: Path) -> dict[str, Any]:
    try:
        notebook: dict[str, Any] = json.loads(lesson.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise AssignmentError(f"{lesson} cannot be read: {problem}") from problem
    return notebook


def report(assignment: Assignment) -> str:
    """What staff are told of an assignment that was made."""
    hidden = f"{assignment.hidden} of them with cases that learners do not see"
    lines = [
        f"{assignment.notebook}",
        f"  {plural(assignment.exercises, 'exercise')}, {plural(assignment.points, 'point')}",
        f"  {hidden} (seed {assignment.seed})",
    ]
    if assignment.own_config:
        lines.append(
            f"  {assignment.config} was there and is left as it is. It does not set {NEEDED}, so"
            " nbgrader will put its own text below each stub; docs/grading.md says what to add."
        )
    if assignment.own:
        lines.append(
            f"  {assignment.own} of them your own, made by {assignment.notebook.with_name(OWN)}"
        )
    lines.append(
        f"Next, in {assignment.config.parent}: dtree-lab assignment release {assignment.name}"
    )
    if not assignment.own:
        lines.append(f"  (or, with plain nbgrader: nbgrader generate_assignment {assignment.name})")
    return "\n".join(lines)
