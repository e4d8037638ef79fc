"""The lessons of the course: a folder each, loaded when one of its own is asked for.

A folder holds ``lesson.md``, which is the page that learners read, a page for each exercise and one
for the guesses (:mod:`dtree_lab.course.pages`), and modules with what takes Python. The lesson's
page begins with what it is (its number, title, minutes …), and a line ``[[tax-fraud/parts]]`` in it
is the place of an exercise: their order is that of the lines. Pages in its folder ``further`` are
projects, and what is for the curious: notebooks of their own, whose exercises are the lesson's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.course.exercise import Exercise, Guess
from dtree_lab.course.own import at_hand
from dtree_lab.course.pages import GUESSES, front_matter, read_guesses, read_page
from dtree_lab.course.tasks import Choose

PAGE, FURTHER = "lesson.md", "further"
# The folders of exercises that stand in no lesson: what is drawn for practice, and the exam.
SKILLS, EXAMS = "skills", "exam"
PLACE = re.compile(r"^\[\[([a-z0-9-]+/[a-z0-9-]+)\]\]$", re.MULTILINE)
# What is not the course's own comes with the notebook, in a cell that may not have run.
_BROUGHT = (
    "If it came with a notebook of your course staff's, run that notebook from the top: one of its"
    " first cells brings it. If it is yours, exercises.py beside the notebook makes it."
)


@dataclass(frozen=True)
class Lesson:
    """What the front matter of a lesson's page says, and where its exercises stand."""

    number: int
    title: str
    # The word that the ids of its exercises begin with: the folder's name, with hyphens.
    name: str
    about: str
    needs: str
    # How long it takes to read and try, and then to do the exercises.
    minutes: tuple[int, int]
    # Their ids, in the order of the page; then those of its further pages.
    exercises: tuple[str, ...]
    further: tuple[Path, ...]
    # The page without what it begins with.
    text: str = field(repr=False)
    page: Path

    @property
    def stem(self) -> str:
        """The name of its notebook, without the ending: ``"01-tax-fraud"``."""
        return f"{self.number:02}-{self.name}"


def read_lesson(page: Path) -> Lesson:
    """The lesson of a page that says what it is and has one place for each exercise."""
    said, text = front_matter(page.read_text(encoding="utf-8"))
    needed = ("number", "title", "about", "minutes", "needs")
    if missing := [key for key in needed if not said.get(key)]:
        does = "it begins with a line --- and lines such as number: 3, up to another ---"
        raise ValueError(f"{page} does not say its {', '.join(missing)}: {does}")
    minutes = re.fullmatch(r"(\d+) \+ (\d+)", said["minutes"])
    if minutes is None or not said["number"].isdigit():
        raise ValueError(f"{page}: numbers are said as in number: 3 and minutes: 25 + 30")
    further = tuple(sorted((page.parent / FURTHER).glob("*.md")))
    every = [text, *(more.read_text(encoding="utf-8") for more in further)]
    exercises = tuple(PLACE.findall("\n".join(every)))
    if twice := [one for one in exercises if exercises.count(one) > 1]:
        raise ValueError(f"{page} has more than one place for {twice[0]!r}")
    return Lesson(
        number=int(said["number"]),
        title=said["title"],
        name=page.parent.name.replace("_", "-"),
        about=said["about"],
        needs=said["needs"],
        minutes=(int(minutes[1]), int(minutes[2])),
        exercises=exercises,
        further=further,
        text=text,
        page=page,
    )


def lessons() -> tuple[Lesson, ...]:
    """The lessons, in the order of the course."""
    return _read(*__path__)


@cache
def _read(*folders: str) -> tuple[Lesson, ...]:
    pages = [page for folder in folders for page in Path(folder).glob(f"*/{PAGE}")]
    return tuple(sorted(map(read_lesson, pages), key=lambda lesson: lesson.number))


def notebooks_folder() -> Path:
    """Where the lessons' notebooks lie: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parents[2]
    for found in (package / "notebooks", package.parent / "notebooks"):
        if found.is_dir():
            return found
    msg = f"dtree_lab is installed in {package} without its notebooks; install it again."
    raise FileNotFoundError(msg)


def names() -> list[str]:
    """The lessons' names, in the order of the course: what their exercises' ids begin with."""
    return [lesson.name for lesson in lessons()]


def exercises(lesson: str = "") -> list[Exercise]:
    """The exercises of a lesson, in order; of all lessons without one.

    Raises
    ------
    ValueError
        For a lesson that there is not.

    Examples
    --------
    >>> len(exercises("tax-fraud")) >= 8
    True
    """
    if lesson != "":
        known_lesson(lesson)
    return [made for one in lessons() if lesson in ("", one.name) for made in _exercises(one)]


def known_lesson(lesson: str) -> str:
    """The name of a lesson; a ValueError for one that there is not."""
    known = names()
    if lesson not in known:
        close = did_you_mean(lesson, known)
        raise ValueError(f"no lesson {lesson!r}; there are {listing(known, most=20)}.{close}")
    return lesson


def find(exercise: str, name: Any = "") -> Exercise:
    """The exercise of an id, as the learner of a name gets it: the course's, or staff's own."""
    known = {one.id: one for one in _of(exercise)} or at_hand(names())
    if isinstance(exercise, str) and exercise in known:
        return known[exercise].of(name)
    near = did_you_mean(exercise, [*known] or [one.id for one in exercises()])
    if not known and not near and "/" in str(exercise):
        raise ValueError(f"no exercise {exercise!r} here. {_BROUGHT}")
    there = listing(known or [one.id for one in exercises()], most=20)
    raise ValueError(f"no exercise {exercise!r}; there are {there}.{near}")


def guesses(lesson: str) -> dict[str, Guess]:
    """The guesses of a lesson, by their names; a ValueError for a lesson that there is not."""
    return read_guesses(_folder(known_lesson(lesson)))


def askable(about: str) -> dict[str, Exercise | Guess]:
    """What a card can ask, by its id: what the lesson has that an id names, else all have."""
    lesson = about.partition("/")[0]
    known: dict[str, Exercise | Guess] = {}
    for each in [lesson] if lesson in names() else names():
        known |= {one.id: one for one in exercises(each) if isinstance(one.task, Choose)}
        known |= {key: one for key, one in guesses(each).items() if one.asks}
    return known


def guess(about: str) -> Guess:
    """A guess of a lesson that brings its own answer; a ValueError for a name that none has."""
    lesson = about.partition("/")[0]
    looked = [lesson] if lesson in names() else names()
    known = {key: one for each in looked for key, one in guesses(each).items()}
    if about not in known:
        raise ValueError(f"no guess {about!r}; there are {listing(known)}")
    return known[about]


def _of(exercise: object) -> Iterable[Exercise]:
    lesson = exercise.partition("/")[0] if isinstance(exercise, str) else ""
    if lesson in (SKILLS, EXAMS):
        made = loose_exercises(lesson)
        return made.values() if exercise in made else []  # staff's own may begin so, too
    return exercises(lesson) if lesson in names() else []


@cache
def loose_exercises(folder: str) -> dict[str, Exercise]:
    """The exercises of a folder that is no lesson's, by their ids."""
    return _made_in(folder)


def _made_in(lesson: str) -> dict[str, Exercise]:
    """The exercises that the modules of a folder make, and its other pages, by their ids."""
    made: dict[str, Exercise] = {}
    folder = _folder(lesson)
    for path in sorted(folder.glob("*.py")):
        module = import_module(f"{__name__}.{folder.name}.{path.stem}")
        for one in vars(module).values():
            if isinstance(one, Exercise) and made.setdefault(one.id, one) is not one:
                raise ValueError(f"two exercises have the id {one.id!r}")
    for path in folder.glob("*.md"):
        if path.name not in (PAGE, GUESSES) and (found := read_page(path)).id not in made:
            made[found.id] = found.whole()
    return made


@cache
def _exercises(lesson: Lesson) -> tuple[Exercise, ...]:
    """The exercises that a lesson's modules make, in the order of its page."""
    made = _made_in(lesson.name)
    for missing in [one for one in lesson.exercises if one not in made]:
        raise ValueError(f"{lesson.page}: no module beside it makes the exercise {missing!r}")
    for placeless in [one for one in made if one not in lesson.exercises]:
        wanted = f"a line [[{placeless}]] where it belongs"
        raise ValueError(f"{lesson.page} has no place for {placeless!r}: {wanted}")
    return tuple(made[one] for one in lesson.exercises)


def _folder(lesson: str) -> Path:
    places = (Path(one, lesson.replace("-", "_")) for one in __path__)
    return next(place for place in places if place.is_dir())
