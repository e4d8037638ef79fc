"""What goes wrong when the best cut is looked for: each slip as a function that makes it."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from dtree_lab.course.lessons.regression.common import (
    best_cuts,
    left_of,
    mean_of,
    middles_of,
    sides_of,
    squares_of,
    variance_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
