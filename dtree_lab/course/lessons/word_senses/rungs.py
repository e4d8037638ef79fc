"""Two rungs on the way to ID3: where it stops, and one level of the tree."""

from __future__ import annotations

import numpy as np

from dtree_lab.course.lessons.word_senses.gains import (
    FORM_TELLS,
    NAMES,
    SEVEN,
    VERBS,
    Row,
    drawn_rows,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

_STOPS, _LEVEL = page(__file__, "stops"), page(__file__, "level")
_AGREE, _LEFT = "rows that agree, and rows that do not", "names that are left, or none"
_YES_NO, _VALUES = "values yes and no", "other values"
_NOUNS = [row for row in SEVEN if row["pos"] == "noun"]


def _stop(behaviour: str, rows: list[Row], names: list[str], says: str) -> Case:
    return Case((rows, names), (_STOPS.right()(rows, names),), says, behaviour=behaviour)


def _level(behaviour: str, rows: list[Row], name: str, says: str) -> Case:
    return Case((rows, name), (_LEVEL.right()(rows, name),), says, behaviour=behaviour)


def _fresh_stops(rng: np.random.Generator) -> tuple[Case, ...]:
    rows = drawn_rows(rng, 9)
    return (
        _stop(_AGREE, rows[:1], NAMES, "a drawn row, 4 names"),
        _stop(_LEFT, rows + SEVEN, [], "many rows, no names"),
    )


def _fresh_levels(rng: np.random.Generator) -> tuple[Case, ...]:
    rows = drawn_rows(rng, 9)
    return (
        _level(_YES_NO, rows, "near(fog)", "nine drawn rows, near(fog)"),
        _level(_VALUES, rows, "pos", "nine drawn rows, pos"),
    )


STOPS = _STOPS.exercise(
    Code(
        "stops",
        (
            _stop(_AGREE, SEVEN, NAMES, "the seven rows, all 4 names"),
            _stop(_AGREE, _NOUNS, NAMES[1:], "the two nouns, 3 names"),
            _stop(_AGREE, SEVEN[:1], NAMES, "a single row, all 4 names"),
            _stop(_LEFT, VERBS, [], "the five verbs, no names"),
            _stop(_LEFT, VERBS, NAMES[1:2], "the five verbs, 1 name"),
            _stop(_LEFT, SEVEN[1:3], NAMES[1:], "two rows of two senses, 3 names"),
        ),
        fresh=_fresh_stops,
    )
)
LEVEL = _LEVEL.exercise(
    Code(
        "level",
        (
            _level(_YES_NO, SEVEN, "near(river)", "the seven rows, near(river)"),
            _level(_YES_NO, VERBS, "near(race)", "the five verbs, near(race)"),
            _level(_VALUES, SEVEN, "pos", "the seven rows, pos"),
            _level(_VALUES, FORM_TELLS, "form", "8 rows about run, form"),
            _level(_VALUES, _NOUNS, "pos", "the two nouns, pos"),
        ),
        fresh=_fresh_levels,
    )
)
