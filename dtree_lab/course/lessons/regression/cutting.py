"""The exercise on the best cut of a continuous attribute."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from statistics import variance as sample
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.regression.common import (
    AREAS,
    RENTS,
    left_of,
    mean_of,
    variance_of,
)
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    Numbers = Sequence[float]

_ROWS: tuple[tuple[list[float], list[float]], ...] = (
    (list(AREAS), list(RENTS)),
    ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 100, 101]),
    # Those that tell most mistakes apart.
    ([12, 9, 7, 2, 8, 11, 8], [3, 13, 5, 5, 9, 5, 1]),
    ([2, 3, 10, 7, 5, 1, 3], [0, 4, 12, 9, 5, 6, 12]),
    ([2, 6, 11, 5, 9, 10, 2], [2, 8, 7, 4, 0, 5, 14]),
    ([1, 2, 3, 4, 5, 6, 7], [7, 0, 1, 4, 6, 8, 9]),
    ([5, 4, 3, 2, 1], [2, 2, 2, 2, 12]),
    ([1, 2, 3, 4, 7], [0, 6, 0, 6, 0]),
    ([-3, 0.5, 2], [1, 5, 1]),
    ([10, 30], [4, 7]),
)


def _sides(x: Numbers, y: Numbers, cut: float) -> tuple[list[float], list[float]]:
    below = [b for a, b in zip(x, y, strict=True) if a < cut]
    return below, [b for a, b in zip(x, y, strict=True) if a >= cut]


def _middles(x: Numbers) -> list[float]:
    return [(low + high) / 2 for low, high in pairwise(sorted(set(x)))]


def best_cuts(x: Numbers, y: Numbers) -> tuple[float, ...]:
    """All cuts that leave the least variance, compared in fractions: a tie is an equality."""

    def kept(cut: float) -> Fraction:
        total = Fraction(0)
        for side in _sides(x, y, cut):
            exact = [Fraction(b) for b in side]
            middle = sum(exact, Fraction(0)) / len(exact)
            total += sum(((b - middle) ** 2 for b in exact), Fraction(0))
        return total

    costs = {cut: kept(cut) for cut in _middles(x)}
    return tuple(cut for cut, cost in costs.items() if cost == min(costs.values()))


def _by(cost: Callable[[list[float], list[float]], float]) -> Callable[[Numbers, Numbers], float]:
    """The first cut whose two sides cost least by some measure."""
    return lambda x, y: min(_middles(x), key=lambda cut: cost(*_sides(x, y, cut)))


def _the_cut(x: Numbers, y: Numbers) -> float:
    return best_cuts(x, y)[0]


def _low_end(x: Numbers, y: Numbers) -> float:
    return max(a for a in x if a < _the_cut(x, y))


def _high_end(x: Numbers, y: Numbers) -> float:
    return min(a for a in x if a > _the_cut(x, y))


def _what_is_left(x: Numbers, y: Numbers) -> float:
    return left_of(_sides(x, y, _the_cut(x, y)))


def _taken(x: Numbers, y: Numbers) -> float:
    return variance_of(y) - _what_is_left(x, y)


def _unsorted(x: Numbers, y: Numbers) -> float:
    """Takes neighbours as they come: the rows before a place against those after it."""
    places = range(1, len(x))
    at = min(places, key=lambda i: left_of((y[:i], y[i:])))
    return (x[at - 1] + x[at]) / 2


def _between_equals(x: Numbers, y: Numbers) -> float:
    """Sorts, and cuts between any two rows, though they have the same x."""
    rows = sorted(zip(x, y, strict=True))
    labels = [b for _, b in rows]
    at = min(range(1, len(rows)), key=lambda i: left_of((labels[:i], labels[i:])))
    return (rows[at - 1][0] + rows[at][0]) / 2


def _widest(x: Numbers, _: Numbers) -> float:
    low, high = max(pairwise(sorted(set(x))), key=lambda pair: pair[1] - pair[0])
    return (low + high) / 2


def _largest_jump(x: Numbers, y: Numbers) -> float:
    rows = sorted(zip(x, y, strict=True))
    (low, _), (high, _) = max(pairwise(rows), key=lambda two: abs(two[1][1] - two[0][1]))
    return (low + high) / 2


def _spread(side: list[float]) -> float:
    return math.sqrt(variance_of(side)) * len(side)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in rng.integers(2, 14, 6).tolist():
        x = rng.integers(0, 12, n).tolist()
        x[:2] = [0, 11]  # two values at least
        y = rng.integers(0, 30, n).tolist()
        cases.append(Case((x, y), best_cuts(x, y)))
    return tuple(cases)


BEST_CUT = Exercise(
    id="regression/best-cut",
    title="The cut that leaves the least variance",
    points=4,
    answer="best_cut",
    task=Code(
        "best_cut",
        tuple(Case((x, y), best_cuts(x, y)) for x, y in _ROWS),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _by(lambda one, other: variance_of(one) + variance_of(other)),
            "It adds or averages the variances of the two sides as if both were equally large. Each"
            " side counts by its number of rows.",
        ),
        Mistake(
            _unsorted,
            "It takes neighbours as they come in the list. The rows need not be in the order of x:"
            " sort them first, and each label with its x.",
        ),
        Mistake(
            lambda x, y: _unsorted(sorted(x), sorted(y)),
            "It sorts x and y each on its own, so labels come to other rows. Each label stays with"
            " its x.",
        ),
        Mistake(
            lambda x, y: (_the_cut(x, y), _what_is_left(x, y)),
            "It returns the cut and what is left, both. Only the cut is asked for.",
        ),
        Mistake(
            _by(lambda one, other: len(one) * sample(one) + len(other) * sample(other)),
            "``variance`` of ``statistics`` divides by one less than the number of rows, and stops"
            " at a single one. ``pvariance`` divides by their number.",
        ),
        Mistake(
            _between_equals,
            "It cuts between two rows with the same x. No question about x can tell those two"
            " apart: go through the *different* values.",
        ),
        Mistake(
            _low_end,
            "It returns the value below the cut. The cut lies half-way to the next one.",
        ),
        Mistake(
            _high_end,
            "It returns the value above the cut. The cut lies half-way between that and the one"
            " before.",
        ),
        Mistake(
            _what_is_left,
            "It returns the variance that is left. Asked for is the cut that leaves it.",
        ),
        Mistake(
            _taken,
            "It returns how much variance is taken away. Asked for is the cut that does it.",
        ),
        Mistake(
            _by(lambda one, other: -left_of((one, other))),
            "It finds the cut that leaves the *most* variance. Which end do you want?",
        ),
        Mistake(
            _by(lambda one, other: abs(len(one) - len(other))),
            "It halves the rows, whatever their labels are. The labels decide.",
        ),
        Mistake(
            _by(lambda one, other: abs(mean_of(one) - mean_of(other)) * -1),
            "It takes the two means that lie farthest apart, even if one is that of a single row."
            " How many rows are on each side counts, too.",
        ),
        Mistake(
            _by(lambda one, other: _spread(one) + _spread(other)),
            "It averages standard deviations. Compare variances, without the root: the two do not"
            " always agree on the best cut.",
        ),
        Mistake(
            _widest,
            "It cuts where x has its widest gap. The labels decide, and not the values of x.",
        ),
        Mistake(
            _largest_jump,
            "It cuts at the largest jump from one label to the next. What counts is how far *all*"
            " labels on a side are from their mean.",
        ),
    ),
    more="``sorted(set(x))`` gives the different values in order, and ``pairwise`` their"
    " neighbours. For each cut make two lists of labels, below it and not below it, and compare"
    " ``len(side) * variance(side)``, added up for both.",
    solution="""def best_cut(x, y):
    def cost(cut):
        below = [b for a, b in zip(x, y) if a < cut]
        above = [b for a, b in zip(x, y) if a >= cut]
        return len(below) * variance(below) + len(above) * variance(above)

    values = sorted(set(x))
    return min(((low + high) / 2 for low, high in pairwise(values)), key=cost)
""",
    why="Every cut is tried, and each side counts by its rows. The sum of the squares decides as"
    " well as their mean: to divide by the number of all rows changes nothing in the order.",
)
