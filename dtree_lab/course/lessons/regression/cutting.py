"""The cut that leaves the least variance.

First what goes wrong on the way, as functions that go wrong so; then the exercise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from statistics import variance as estimated

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.regression.variance import (
    AREAS,
    RENTS,
    best_cuts,
    left_of,
    mean_of,
    middles_of,
    sides_of,
    squares_of,
    variance_of,
)
from dtree_lab.course.tasks import Case, Code
from dtree_lab.criteria.classes import entropy, gini

Numbers = Sequence[float]


def by(cost: Callable[[list[float], list[float]], float]) -> Callable[[Numbers, Numbers], float]:
    """The first cut whose two sides cost least by some measure."""
    return lambda x, y: min(middles_of(x), key=lambda cut: cost(*sides_of(x, y, cut)))


def the_cut(x: Numbers, y: Numbers) -> float:
    """The best cut, the lowest in a tie."""
    return best_cuts(x, y)[0]


def low_end(x: Numbers, y: Numbers) -> float:
    """The value below the best cut."""
    return max(a for a in x if a < the_cut(x, y))


def high_end(x: Numbers, y: Numbers) -> float:
    """The value above it."""
    return min(a for a in x if a > the_cut(x, y))


def what_is_left(x: Numbers, y: Numbers) -> float:
    """The variance that it leaves."""
    return left_of(sides_of(x, y, the_cut(x, y)))


def taken(x: Numbers, y: Numbers) -> float:
    """The variance that it takes away."""
    return variance_of(y) - what_is_left(x, y)


def unsorted(x: Numbers, y: Numbers) -> float:
    """Takes neighbours as they come: the rows before a place against those after it."""
    places = range(1, len(x))
    at = min(places, key=lambda i: left_of((y[:i], y[i:])))
    return (x[at - 1] + x[at]) / 2


def between_equals(x: Numbers, y: Numbers) -> float:
    """Sorts, and cuts between any two rows, though they have the same x."""
    rows = sorted(zip(x, y, strict=True))
    labels = [b for _, b in rows]
    at = min(range(1, len(rows)), key=lambda i: left_of((labels[:i], labels[i:])))
    return (rows[at - 1][0] + rows[at][0]) / 2


def widest(x: Numbers, _: Numbers) -> float:
    """The middle of the widest gap."""
    low, high = max(pairwise(sorted(set(x))), key=lambda pair: pair[1] - pair[0])
    return (low + high) / 2


def largest_jump(x: Numbers, y: Numbers) -> float:
    """Where the label jumps highest."""
    rows = sorted(zip(x, y, strict=True))
    (low, _), (high, _) = max(pairwise(rows), key=lambda two: abs(two[1][1] - two[0][1]))
    return (low + high) / 2


def sample(side: list[float], alone: float = 0.0) -> float:
    """The variance that divides by one less than the number of rows."""
    return squares_of(side) / (len(side) - 1) if len(side) > 1 else alone


def rows_times_sample(alone: float) -> Callable[[Numbers, Numbers], float]:
    """Weighs variances that divide by one less; `alone` is what it takes for a single row."""
    return by(lambda one, other: sum(len(s) * sample(s, alone) for s in (one, other)))


def no_number_for_one(x: Numbers, y: Numbers) -> float:
    """As numpy's with ``ddof=1``: a side of a single row is never the best."""
    found = [c for c in middles_of(x) if min(map(len, sides_of(x, y, c))) > 1]
    return rows_times_sample(math.inf)(x, y) if found else math.nan


def ends(side: list[float]) -> float:
    """From the smallest label to the largest."""
    return max(side) - min(side)


def from_median(side: list[float]) -> float:
    """The plain distances from the median, added up."""
    return math.fsum(abs(b - median(side)) for b in side)


def on_values(x: Numbers, y: Numbers) -> float:
    """The first of the best cuts, rounded down."""
    return the_cut(x, y) // 1


def spread(side: list[float]) -> float:
    """The standard deviation, times the rows."""
    return math.sqrt(variance_of(side)) * len(side)


def distances(side: list[float]) -> float:
    """The plain distances from the mean, added up."""
    return math.fsum(abs(b - mean_of(side)) for b in side)


def cheapest(x: Numbers, y: Numbers, places: list[float]) -> float:
    """The first of some places that leaves least, among those that part the rows at all."""
    return min(
        (cut for cut in places if all(sides_of(x, y, cut))),
        key=lambda c: left_of(sides_of(x, y, c)),
    )


def order_of_a_set(x: Numbers, y: Numbers) -> float:
    """Takes neighbours as a set happens to give them."""
    return cheapest(x, y, [(a + b) / 2 for a, b in pairwise(list(set(x)))])


def neighbours_in_the_list(x: Numbers, y: Numbers) -> float:
    """Takes neighbours as the list has them."""
    return cheapest(x, y, [(a + b) / 2 for a, b in pairwise(x)])


_ROWS: tuple[tuple[list[float], list[float]], ...] = (
    (list(AREAS), list(RENTS)),
    ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 100, 101]),
    # Those that tell most mistakes apart.
    ([12, 9, 7, 2, 8, 11, 8], [3, 13, 5, 5, 9, 5, 1]),
    ([2, 3, 10, 7, 5, 1, 3], [0, 4, 12, 9, 5, 6, 12]),
    ([2, 6, 11, 5, 9, 10, 2], [2, 8, 7, 4, 0, 5, 14]),
    ([1, 2, 3, 4, 5, 6, 7], [7, 0, 1, 4, 6, 8, 9]),
    ([5, 4, 3, 2, 1], [2, 2, 2, 2, 12]),
    ([2, 5, 6, 7, 8, 9, 12, 13], [12, 0, 7, 14, 12, 7, 5, 5]),
    ([6, 1, 10, 3, 11, 4, 2], [1, 9, 9, 5, 2, 1, 6]),
    ([10, 8, 2, 5, 12, 9, 1, 3], [7, 8, 2, 2, 5, 15, 9, 14]),
    ([12, 1, 11, 13, 0, 4, 3, 2], [7, 0, 4, 8, 0, 0, 3, 6]),
    ([11, 10, 3, 8, 4, 6, 12, 2], [11, 9, 0, 2, 7, 11, 11, 7]),
    ([1, 6, 3, 7, 3, 2, 5, 1], [11, 8, 12, 11, 5, 7, 9, 1]),
    ([1, 2, 3, 4, 7], [0, 6, 0, 6, 0]),
    ([-3, 0.5, 2], [1, 5, 1]),
    ([10, 30], [4, 7]),
)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    given = []
    for n in rng.integers(2, 14, 6).tolist():
        x = rng.integers(0, 12, n).tolist()
        x[:2] = [0, 11]  # two values at least
        given.append(x)
    # And each kind for certain.
    ordered, other = sorted(rng.permutation(30)[:9].tolist()), rng.permutation(9).tolist()
    given += [ordered, [a + 5 for a in ordered], [30, *other], [40, 3, *other]]
    return tuple(_case(x, rng.integers(0, 30, len(x)).tolist()) for x in given)


def _case(x: list[float], y: list[float]) -> Case:
    if x != sorted(x):
        twice = len(set(x)) < len(x)
        shows = f"rows in no order, {'some with the same x' if twice else 'all x different'}"
    else:
        shows = "rows in the order of x"
    return Case((x, y), best_cuts(x, y), behaviour=shows)


_ONE_LESS = (
    "``variance`` of ``statistics`` (and numpy with ``ddof=1``) divides by one less than the number"
    " of rows, and has no answer for a single one. ``pvariance`` divides by their number."
)
_WORSE = "It looks at the worse side alone. What both leave is added up, each counted by its rows."
_AN_END = (
    "It takes a cut at an end, or looks at one side alone. A single row is always pure: what is"
    " left on *both* sides is to be added up, each counted by its rows. (Or is the cost there NaN,"
    " with which every comparison fails?)"
)
_ENDS = (
    "It measures a side by its largest and its smallest label. The variance asks how far *all* of"
    " them are from their mean."
)
_CLASSES = (
    "It counts each label as a class of its own, as for entropy or Gini. For numbers the question"
    " is how far they are from their mean."
)
_BOTH = "It returns two things. Only the cut is asked for."

BEST_CUT = Exercise(
    id="regression/best-cut",
    title="The cut that leaves the least variance",
    points=4,
    heading="the best cut",
    text="""Write `best_cut(x, y)`: two lists of the same length, the values of a continuous
attribute and the labels. It returns the cut that leaves the least variance. A cut lies half-way
between two *different* neighbouring values of x, which need not come in order. In a tie any of the
best will do. (Use your `variance`, or `pvariance` from Python's `statistics`.)""",
    stub="""def best_cut(x, y):
    # your lines, in place of the dots
    ...""",
    answer="best_cut",
    task=Code(
        "best_cut",
        tuple(_case(x, y) for x, y in _ROWS),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            by(lambda one, other: variance_of(one) + variance_of(other)),
            "It adds or averages the variances of the two sides as if both were equally large. Each"
            " side counts by its number of rows.",
        ),
        Mistake(
            unsorted,
            "It takes neighbours as they come in the list. The rows need not be in the order of x:"
            " sort them first, and each label with its x.",
        ),
        Mistake(
            lambda x, y: unsorted(sorted(x), sorted(y)),
            "It sorts x and y each on its own, so labels come to other rows. Each label stays with"
            " its x.",
        ),
        Mistake(lambda x, y: (the_cut(x, y), what_is_left(x, y)), _BOTH),
        Mistake(lambda x, y: (what_is_left(x, y), the_cut(x, y)), _BOTH),
        Mistake(
            order_of_a_set,
            "A ``set`` keeps each value once, and keeps no order. Sort it before you look for"
            " neighbours.",
        ),
        Mistake(
            neighbours_in_the_list,
            "It cuts half-way between values that stand side by side in the list. Neighbours are"
            " side by side in *order*: sort x first.",
        ),
        Mistake(
            by(lambda one, other: len(one) * estimated(one) + len(other) * estimated(other)),
            _ONE_LESS,
        ),
        Mistake(rows_times_sample(0.0), _ONE_LESS),
        Mistake(rows_times_sample(math.inf), _ONE_LESS),
        Mistake(no_number_for_one, _ONE_LESS),
        Mistake(
            by(lambda one, other: max(variance_of(one), variance_of(other))),
            _WORSE,
        ),
        Mistake(
            by(lambda one, other: max(squares_of(one), squares_of(other))),
            _WORSE,
        ),
        Mistake(by(lambda one, _: squares_of(one)), _AN_END),
        Mistake(by(lambda _, other: squares_of(other)), _AN_END),
        Mistake(by(lambda one, _: variance_of(one)), _AN_END),
        Mistake(by(lambda _, other: variance_of(other)), _AN_END),
        Mistake(by(lambda one, other: min(variance_of(one), variance_of(other))), _AN_END),
        Mistake(lambda x, _: middles_of(x)[0], _AN_END),
        Mistake(lambda x, _: middles_of(x)[-1], _AN_END),
        Mistake(
            by(lambda one, other: from_median(one) + from_median(other)),
            "It adds up plain distances from the median. A variance takes *squared* distances from"
            " the mean.",
        ),
        Mistake(by(lambda one, other: ends(one) + ends(other)), _ENDS),
        Mistake(
            by(lambda one, other: len(one) * ends(one) + len(other) * ends(other)),
            _ENDS,
        ),
        Mistake(
            by(lambda one, other: len(one) * squares_of(one) + len(other) * squares_of(other)),
            "Each side is weighted twice by its rows: the squares that are added up have grown with"
            " them already.",
        ),
        Mistake(
            by(lambda one, other: math.sqrt(variance_of(one)) + math.sqrt(variance_of(other))),
            "It adds up standard deviations, as if both sides were equally large. Take variances,"
            " without the root, each counted by its rows.",
        ),
        Mistake(
            by(
                lambda one, other: sum(
                    len(s) * gini([s.count(b) for b in set(s)]) for s in (one, other)
                )
            ),
            _CLASSES,
        ),
        Mistake(
            by(
                lambda one, other: sum(
                    len(s) * entropy([s.count(b) for b in set(s)]) for s in (one, other)
                )
            ),
            _CLASSES,
        ),
        Mistake(
            on_values,
            "It cuts at a whole number, as ``//`` does. Half-way between two values need not be"
            " one: divide by 2 with ``/``.",
        ),
        Mistake(
            between_equals,
            "It cuts between two rows with the same x. No question about x can tell those two"
            " apart: go through the *different* values.",
        ),
        Mistake(
            low_end,
            "It returns the value below the cut. The cut lies half-way to the next one.",
        ),
        Mistake(
            high_end,
            "It returns the value above the cut. The cut lies half-way between that and the one"
            " before.",
        ),
        Mistake(
            what_is_left,
            "It returns the variance that is left. Asked for is the cut that leaves it.",
        ),
        Mistake(
            taken,
            "It returns how much variance is taken away. Asked for is the cut that does it.",
        ),
        Mistake(
            lambda x, y: len(y) * what_is_left(x, y),
            "It returns the sum of squares that is left. Asked for is the cut that leaves it.",
        ),
        Mistake(
            by(lambda one, other: len(other) * variance_of(one) + len(one) * variance_of(other)),
            "The weights have changed places: each side counts by the rows that it has itself.",
        ),
        Mistake(
            by(lambda one, other: distances(one) + distances(other)),
            "It adds up plain distances from the mean. A variance takes their *squares*.",
        ),
        Mistake(
            lambda x, _: median(x),
            "It halves the rows, whatever their labels are. The labels decide.",
        ),
        Mistake(
            by(lambda one, other: -left_of((one, other))),
            "It finds the cut that leaves the *most* variance. Which end do you want?",
        ),
        Mistake(
            by(lambda one, other: abs(len(one) - len(other))),
            "It halves the rows, whatever their labels are. The labels decide.",
        ),
        Mistake(
            by(lambda one, other: abs(mean_of(one) - mean_of(other)) * -1),
            "It takes the two means that lie farthest apart, even if one is that of a single row."
            " How many rows are on each side counts, too.",
        ),
        Mistake(
            by(lambda one, other: spread(one) + spread(other)),
            "It averages standard deviations. Compare variances, without the root: the two do not"
            " always agree on the best cut.",
        ),
        Mistake(
            widest,
            "It cuts where x has its widest gap. The labels decide, and not the values of x.",
        ),
        Mistake(
            largest_jump,
            "It cuts at the largest jump from one label to the next. What counts is how far *all*"
            " labels on a side are from their mean.",
        ),
    ),
    more="``sorted(set(x))`` gives the different values in order, and ``pairwise`` their"
    " neighbours. For each cut make two lists of labels, below it and not below it, and compare"
    " ``len(side) * variance(side)``, added up for both.",
    solution="""from statistics import pvariance  # your own function does as well


def best_cut(x, y):
    def cost(cut):
        below = [b for a, b in zip(x, y) if a < cut]
        above = [b for a, b in zip(x, y) if a >= cut]
        return len(below) * pvariance(below) + len(above) * pvariance(above)

    values = sorted(set(x))
    return min(((low + high) / 2 for low, high in pairwise(values)), key=cost)
""",
    why="Every cut is tried, and each side counts by its rows. The sum of the squares decides as"
    " well as their mean: to divide by the number of all rows changes nothing in the order.",
)
