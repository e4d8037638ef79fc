"""The exercises and guesses of all lessons, by id."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from dtree_lab.course.lessons import tax_fraud

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.course.exercise import Exercise, Guess

_LESSONS = (tax_fraud,)
EXERCISES: Mapping[str, Exercise] = MappingProxyType(
    {exercise.id: exercise for lesson in _LESSONS for exercise in lesson.EXERCISES}
)
GUESSES: Mapping[str, Guess] = MappingProxyType(
    {name: guess for lesson in _LESSONS for name, guess in lesson.GUESSES.items()}
)
