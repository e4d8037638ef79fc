"""The midpoints of a column: all the cuts that there are.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from statistics import median
from typing import Any

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import GENERATOR, generators, stops
from dtree_lab.datasets import penguins
from dtree_lab.table.table import Table

_ALIKE = 1e-9


def midpoints(values: Sequence[float]) -> list[float]:
    """Half-way between neighbouring different values, increasing."""
    return [(low + high) / 2 for low, high in pairwise(sorted(set(values)))]


def parted(
    values: Sequence[float], labels: Sequence[str], cut: float
) -> tuple[list[int], list[int]]:
    """How many of each label lie below a cut, and how many at or above it."""
    names = sorted(set(labels))
    pairs = list(zip(values, labels, strict=True))
    below = [label for value, label in pairs if value < cut]
    above = [label for value, label in pairs if value >= cut]
    return [below.count(n) for n in names], [above.count(n) for n in names]


def remaining(below: Sequence[int], above: Sequence[int]) -> float:
    """H(Y|X) of the two sides, in bits."""
    n = sum(below) + sum(above)
    return sum(sum(side) / n * entropy_of(side) for side in (below, above) if sum(side))


def best_cuts(
    values: Sequence[float],
    labels: Sequence[str],
    cost: Callable[[Sequence[int], Sequence[int]], float] = remaining,
) -> list[float]:
    """All midpoints with the least cost."""
    costs = {cut: cost(*parted(values, labels, cut)) for cut in midpoints(values)}
    least = min(costs.values())
    return [cut for cut, one in costs.items() if one <= least + _ALIKE]


def whole_penguins() -> Table:
    """The penguins without a gap."""
    return penguins("drop")


def two_species() -> Table:
    """The bill lengths of the Adelie and Chinstrap penguins without a gap."""
    rows = [row for row in whole_penguins().rows() if row["species"] != "Gentoo"]
    columns = {name: [row[name] for row in rows] for name in ("bill_length_mm", "species")}
    return Table.from_columns(columns, target="species")


def _unsorted(values: Sequence[float]) -> list[float]:
    return [(a + b) / 2 for a, b in pairwise(dict.fromkeys(values))]


def _with_equals(values: Sequence[float]) -> list[float]:
    return [(a + b) / 2 for a, b in pairwise(sorted(values))]


def _lower(values: Sequence[float]) -> list[float]:
    return [a for a, _ in pairwise(sorted(set(values)))]


def _upper(values: Sequence[float]) -> list[float]:
    return [b for _, b in pairwise(sorted(set(values)))]


def _all_values(values: Sequence[float]) -> list[float]:
    return sorted(set(values))


def _with_ends(values: Sequence[float]) -> list[float]:
    return [float("-inf"), *midpoints(values), float("inf")]


def _gaps(values: Sequence[float]) -> list[float]:
    return [b - a for a, b in pairwise(sorted(set(values)))]


def _half_gaps(values: Sequence[float]) -> list[float]:
    return [(b - a) / 2 for a, b in pairwise(sorted(set(values)))]


def _no_brackets(values: Sequence[float]) -> list[float]:
    return [a + b / 2 for a, b in pairwise(sorted(set(values)))]


def _whole(values: Sequence[float]) -> list[float]:
    return [(a + b) // 2 for a, b in pairwise(sorted(set(values)))]


def _rounded(values: Sequence[float]) -> list[int]:
    return [round(x) for x in midpoints(values)]


def _set_of_midpoints(values: Sequence[float]) -> list[float]:
    """The set is made of the midpoints, and should be made of the values."""
    return sorted(set(_with_equals(values)))


def _order_of_a_set(values: Sequence[float]) -> list[float]:
    return [(a + b) / 2 for a, b in pairwise(list(set(values)))]


def _round_the_corner(values: Sequence[float]) -> list[float]:
    ordered = sorted(set(values))
    return [(ordered[i] + ordered[i - 1]) / 2 for i in range(len(ordered))]


def _every_pair(values: Sequence[float]) -> list[float]:
    return [(a + b) / 2 for a, b in combinations(sorted(set(values)), 2)]


def _sorted_in_place(values: list[float]) -> list[float]:
    ordered: Any = values.sort()  # that is the mistake
    return [(a + b) / 2 for a, b in pairwise(ordered)]


def _from_nothing(values: list[float]) -> list[float]:
    found, before = [], None
    for value in sorted(set(values)):
        found.append((before + value) / 2)  # type: ignore[operator]  # that is the mistake
        before = value
    return found


_no_list = stops((), "'NoneType' object")
_no_number = stops("TypeError", "'NoneType' and", "and 'NoneType'")


def _decreasing(values: Sequence[float]) -> list[float]:
    return midpoints(values)[::-1]


_past_the_end = stops("IndexError")


def _index_error(values: Sequence[float]) -> list[float]:
    ordered = sorted(set(values))
    return [(ordered[i] + ordered[i + 1]) / 2 for i in range(len(ordered))]


_SHOWN = ("the order of the values", "a value that comes several times", "numbers below 0")


def _case(values: list[int], behaviour: str) -> Case:
    return Case((values,), (midpoints(values),), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(-20, 20, size=n).tolist() for n in (5, 12, 30)]
    return tuple(_case(values, behaviour) for values, behaviour in zip(drawn, _SHOWN, strict=True))


_EQUAL = (
    "It also gives a midpoint between two equal values. A cut there would have to part rows that"
    " look alike."
)
_ROUND = (
    "It rounds to whole numbers, as ``//``, ``int`` and ``round`` do. A midpoint may lie between"
    " two of them."
)
_SHORT = (
    "A midpoint at one of the ends is missing. How many gaps are there between n different values?"
)
_DATA = "These are values of the column itself. A midpoint lies half-way between two of them."

CANDIDATES = Exercise(
    id="thresholds/candidates",
    title="All midpoints",
    points=2,
    heading="all midpoints",
    text="""Write `candidate_thresholds(values)`. It gets numbers in any order, perhaps some of them
several times, and returns the list of midpoints between neighbouring *different* values,
increasing: `candidate_thresholds([7, 3, 3])` is `[5]`.""",
    stub="""def candidate_thresholds(values):
    # your lines, in place of the dots
    ...""",
    answer="candidate_thresholds",
    task=Code(
        "candidate_thresholds",
        (
            _case([60, 70, 75, 85], _SHOWN[0]),
            _case([85, 60, 75, 70], _SHOWN[0]),
            _case([3, 4], _SHOWN[0]),
            _case([7, 3, 3], _SHOWN[1]),
            _case([1, 2, 2, 2, 5], _SHOWN[1]),
            _case([8, 8, 8], _SHOWN[1]),
            _case([-4, 4, 1], _SHOWN[2]),
            _case([-6, -9], _SHOWN[2]),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _unsorted,
            "It takes neighbours in the order in which they were given. Which values are"
            " neighbours on the number line?",
        ),
        Mistake(
            lambda values: [(a + b) / 2 for a, b in pairwise(values)],
            "It takes the values as they come, in their order and as often as they are given."
            " Which different values are neighbours on the number line?",
        ),
        Mistake(_with_equals, _EQUAL),
        Mistake(_set_of_midpoints, _EQUAL),
        Mistake(
            _order_of_a_set,
            "A ``set`` keeps each value once, and keeps no order. Which values are neighbours on"
            " the number line?",
        ),
        Mistake(_lower, _DATA),
        Mistake(_upper, _DATA),
        Mistake(_all_values, _DATA),
        Mistake(
            _with_ends,
            "It adds the two ends at infinity. They belong to the convention further down; here"
            " only what lies between two values counts.",
        ),
        Mistake(_gaps, "These are the distances between neighbours, not places between them."),
        Mistake(
            _half_gaps,
            "These are half the distances between neighbours. From where would one have to walk"
            " so far?",
        ),
        Mistake(
            _no_brackets,
            "Look at the order of the operations: without brackets only the second value is"
            " halved.",
        ),
        Mistake(_whole, _ROUND),
        Mistake(_rounded, _ROUND),
        Mistake(lambda values: [int(x) for x in midpoints(values)], _ROUND),
        Mistake(lambda values: midpoints(values)[:-1], _SHORT),
        Mistake(lambda values: midpoints(values)[1:], _SHORT),
        Mistake(
            _round_the_corner,
            "One midpoint too many, and the first is odd: where i is 0, the index i - 1 is -1, and"
            " that is the *last* value of a list.",
        ),
        Mistake(
            _every_pair,
            "It takes every two values. Only neighbours have nothing between them.",
        ),
        Mistake(
            lambda values: [(min(values) + max(values)) / 2],
            "That is the middle of all values, one number. A midpoint lies between each two"
            " neighbours.",
        ),
        Mistake(
            lambda values: [median(values)],
            "It gives the median, one number. A midpoint lies between each two neighbours.",
        ),
        Mistake(
            lambda values: [sum(values) / len(values)],
            "It gives the mean of all, one number. A midpoint lies between each two neighbours.",
        ),
        Mistake(
            lambda values: list(pairwise(sorted(set(values)))),
            "It gives the pairs of neighbours. The midpoint of each pair is one number.",
        ),
        Mistake(
            lambda values: sorted(_unsorted(values)),
            "It puts the midpoints in order, and should have put the values in order: which values"
            " are neighbours on the number line?",
        ),
        Mistake(
            lambda values: (x for x in values),
            GENERATOR,
            when=generators,
        ),
        Mistake(
            _sorted_in_place,
            "``values.sort()`` puts a list in order and returns nothing. ``sorted(values)`` returns"
            " the values in order.",
            when=_no_list,
        ),
        Mistake(
            _from_nothing,
            "It reckons with None, as if it were a number. The smallest value has none before it:"
            " the first middle lies between the first two.",
            when=_no_number,
        ),
        Mistake(_decreasing, "The right numbers, from the largest down. Increasing was asked for."),
        Mistake(
            lambda values: midpoints(values)[:1],
            "It gives the first midpoint and stops. Is the ``return`` inside the loop?",
        ),
        Mistake(
            _index_error,
            "It reaches past the end of the list: the last value has no neighbour above it. How"
            " many gaps are there between n values?",
            when=_past_the_end,
        ),
    ),
    more="Two steps. First the different values, in order: which of Python's collections keeps each"
    " value once, and what puts numbers in order? Then go through the neighbours, two at a time;"
    " the lesson's first cell imports something that hands them out.",
    solution="""def candidate_thresholds(values):
    return [(low + high) / 2 for low, high in pairwise(sorted(set(values)))]
""",
    why="Different values in order, and the middle of each gap. Any other cut in the same gap sorts"
    " the training rows alike, so n different values have n - 1 cuts worth looking at.",
)
