"""The exercises and guesses of all lessons; a lesson is loaded when one of its own is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dtree_lab.shown import did_you_mean, listing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dtree_lab.course.exercise import Exercise, Guess

# In the order of the course, by the word that the ids of their exercises begin with.
LESSONS = (
    "tax-fraud",
    "entropy",
    "word-senses",
    "expressiveness",
    "thresholds",
    "pruning",
    "bias-variance",
    "regression",
    "boosting",
    "forests",
)


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
    if lesson not in ("", *LESSONS):
        close = did_you_mean(lesson, LESSONS)
        raise ValueError(f"no lesson {lesson!r}; there are {listing(LESSONS, most=20)}.{close}")
    return [one for name in LESSONS if lesson in ("", name) for one in _module(name).EXERCISES]


def find(exercise: str, name: Any = "") -> Exercise:
    """The exercise of an id, as the learner of a name gets it.

    Raises
    ------
    ValueError
        For an id that no exercise has.
    """
    found = next((one for one in _of(exercise) if one.id == exercise), None)
    if found is None:
        known = [one.id for one in _of(exercise) or exercises()]
        close = did_you_mean(exercise, known)
        raise ValueError(f"no exercise {exercise!r}; there are {listing(known, most=20)}.{close}")
    return found.of(name)


def guess(about: str) -> Guess:
    """A guess of a lesson that brings its own answer; a ValueError for a name that none has."""
    lesson = about.partition("/")[0]
    looked = [lesson] if lesson in LESSONS else LESSONS
    known: dict[str, Guess] = {}
    for each in looked:
        known |= _module(each).GUESSES
    if about not in known:
        raise ValueError(f"no guess {about!r}; there are {listing(known)}")
    return known[about]


def _of(exercise: object) -> Iterable[Exercise]:
    lesson = exercise.partition("/")[0] if isinstance(exercise, str) else ""
    return exercises(lesson) if lesson in LESSONS else []


def _module(lesson: str) -> Any:
    return import_module(f"{__name__}.{lesson.replace('-', '_')}")
