"""The variance as a function, and what a question takes away of it."""

from __future__ import annotations

import numpy as np

from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

# The eight flats of the lesson: area in square metres, and rent in hundreds a month.
AREAS = (20, 25, 30, 40, 55, 60, 75, 110)
RENTS = (3, 4, 5, 6, 9, 10, 12, 15)

_VARIANCE, _REDUCTION = page(__file__, "variance"), page(__file__, "reduction")
_NUMBERS: tuple[list[float], ...] = (
    [3, 4, 5, 6],
    [9, 10, 12, 15],
    list(RENTS),
    [-1, 1, 3],
    [0.5, 1.5, 4],
    [2, 2, 2],
    [7],
    [101, 103, 106],
    [2, 2, 5, 7, 2],
    [4, 10],
)


def _case(numbers: list[float]) -> Case:
    if len(set(numbers)) < len(numbers) or len(numbers) <= 2:  # noqa: PLR2004 - one or two
        shows = "numbers that repeat, and very few of them"
    elif min(numbers) < 0 or any(y != round(y) for y in numbers):
        shows = "numbers below 0, or not whole"
    else:
        shows = "whole numbers, all different"
    return Case((numbers,), (_VARIANCE.right()(numbers),), behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(3, 12, 4).tolist()
    drawn = [[round(y, 2) for y in rng.normal(10, 20, n).tolist()] for n in sizes]
    whole = [rng.permutation(40)[:n].tolist() for n in (5, 9)]
    repeated = [rng.choice([3, 8, 14], n).tolist() for n in (7, 1)]
    return tuple(map(_case, (*drawn, *whole, *repeated)))


VARIANCE = _VARIANCE.exercise(
    Code("variance", tuple(map(_case, _NUMBERS)), tolerance=0.001, fresh=_fresh)
)


_YES, _NO, _HIGHEST, _APART = 3, 5, 20, 0.03
Heaps = dict[str, list[int]]


def _drawn(rng: np.random.Generator) -> Heaps:
    numbers = rng.integers(1, _HIGHEST + 1, _YES + _NO).tolist()
    return {"Yes": sorted(numbers[:_YES]), "No": sorted(numbers[_YES:])}


def _fits(labels: Heaps) -> bool:
    """Whether the question takes something away, and every wrong number is one of its own."""
    every = labels["Yes"] + labels["No"]
    if len(set(every)) < len(every) or _REDUCTION.right(labels=labels) <= 1:
        return False
    return _REDUCTION.apart(labels=labels) > _APART


def _reduction(rng: np.random.Generator) -> Exercise:
    labels = drawn_until("regression/reduction", lambda: _drawn(rng), _fits)
    return _REDUCTION.exercise(shown=labels, labels=labels)


REDUCTION = personal(_reduction)
