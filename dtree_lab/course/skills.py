"""Skills: exercises that are drawn anew as often as one likes, each time with other numbers.

A skill is an exercise with numbers of everybody's own whose page has a card: its text, a number or
a choice, and mostly the steps to it. What is drawn has the same difficulty each time; none of its
foreseen wrong readings comes to what is right, nor to another reading.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, takewhile

import numpy as np

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.course.exercise import Exercise, drawn_until, seed_of
from dtree_lab.course.lessons import EXAMS, SKILLS, exercises, lessons, loose_exercises, names
from dtree_lab.course.tasks import Number

MASTERED = 3  # so many right in a row
_APART, _DRAWS = 4, 20  # among how many in a row none comes twice, and how often it is tried
EXAM, QUESTIONS = f"{EXAMS}/twelve", 12


@cache
def skills() -> dict[str, Exercise]:
    """All skills by their ids, in the order of the lessons that teach them."""
    every = [
        one for one in (*exercises(), *loose_exercises(SKILLS).values()) if one.skill == one.id
    ]
    return {one.id: one for one in sorted(every, key=lambda skill: names().index(skill.taught))}


@cache
def skills_of_lessons() -> dict[str, Exercise]:
    """Those that a lesson itself has, and not only a further page: what everybody is asked."""
    pages = "\n".join(lesson.text for lesson in lessons())
    here = {one.skill for one in exercises() if f"[[{one.id}]]" in pages}
    return {key: one for key, one in skills().items() if key in here or f'"{key}"' in pages}


def skill_of(about: object) -> str:
    """The skill that an exercise is, or that is drawn for it; a ValueError where there is none."""
    known = skills()
    drawn = {one.id: one.skill for one in exercises() if one.skill} | {key: key for key in known}
    if about in drawn:
        return drawn[str(about)]
    near = did_you_mean(about, known)
    raise ValueError(f"no skill {about!r}; there are {listing(known, most=len(known))}.{near}")


@lru_cache(maxsize=256)
def instance(skill: str, name: object, key: str) -> Exercise:
    """A skill as somebody gets it under a key, such as ``"1"`` for the first of many."""
    return _drawn(skills()[skill], np.random.default_rng(seed_of(f"{skill} {key}", name)))


@lru_cache(maxsize=64)
def instances(skill: str, name: object, series: str, many: int) -> tuple[Exercise, ...]:
    """The first of many, under the keys 1, 2, 3 …; none is like one of the few before it.

    Where it would be, its key is another: 5.1, 5.2 ….
    """
    drawn: list[Exercise] = []
    for i in range(1, many + 1):
        keys = (f"{series}{i}", *(f"{series}{i}.{j}" for j in range(1, _DRAWS)))
        recent = [one.anew() for one in drawn[-_APART:]]
        each = (instance(skill, name, key) for key in keys)
        new = (one for one in each if one.anew() not in recent)
        drawn.append(next(new, instance(skill, name, keys[0])))
    return tuple(drawn)


def _drawn(skill: Exercise, rng: np.random.Generator) -> Exercise:
    own = skill.own
    assert own is not None  # noqa: S101 - else it had no numbers to draw
    return drawn_until(skill.id, lambda: own(rng), are_apart)


def exam_questions(rng: np.random.Generator) -> tuple[Exercise, ...]:
    """Twelve skills drawn over everything: one of each lesson, and two more of any."""
    every = list(skills_of_lessons().values())
    taught = [[one for one in every if one.taught == name] for name in names()]
    first = [each[int(rng.integers(len(each)))] for each in taught if each]
    left = [one for one in every if one not in first]
    more = rng.permutation(len(left))[: QUESTIONS - len(first)]
    chosen = sorted([*first, *(left[i] for i in more)], key=every.index)
    return tuple(_drawn(one, rng) for one in chosen)


def number_of(exercise: Exercise) -> Number:
    """What a skill asks for."""
    assert isinstance(exercise.task, Number)  # noqa: S101 - it asks for nothing else
    return exercise.task


def are_apart(exercise: Exercise) -> bool:
    """Whether no typed number could be two of what is right and what is foreseen as wrong."""
    task = number_of(exercise)
    wrong = [one for one in exercise.mistakes if is_real(one.wrong)]
    if any(abs(one.wrong - task.want) <= 2 * task.tolerance for one in wrong):
        return False
    # What has a condition of its own is not known by its number alone.
    pairs = combinations([one for one in wrong if one.when is None], 2)
    return all(
        abs(one.wrong - other.wrong) > 2 * task.tolerance
        for one, other in pairs
        if one.hint != other.hint
    )


@dataclass(frozen=True)
class Practised:
    """How somebody does in a skill."""

    skill: str  # its id
    # Whether each that was drawn was right at the first try, in their order.
    marks: tuple[bool, ...] = ()
    lesson: int = 0  # the number of the lesson in which it was asked last; 0 where it never was

    @property
    def in_a_row(self) -> int:
        """How many of the last were right."""
        return len([*takewhile(bool, reversed(self.marks))])

    @property
    def mastered(self) -> bool:
        """Whether the last three were."""
        return self.in_a_row >= MASTERED


def weakest(known: Mapping[str, Practised], among: Collection[str]) -> str:
    """Of some skills, the one with the fewest right in a row; of those the one longest ago."""
    done = {skill: known.get(skill, Practised(skill)) for skill in among}
    return min(done, key=lambda skill: (min(done[skill].in_a_row, MASTERED), done[skill].lesson))
