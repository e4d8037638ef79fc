"""Exercises on the cuts that are worth trying."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.thresholds.common import best_cuts, midpoints, parted
from dtree_lab.course.lessons.thresholds.common import remaining as left_by
from dtree_lab.course.tasks import Case, Code, Number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome


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


def _decreasing(values: Sequence[float]) -> list[float]:
    return midpoints(values)[::-1]


def _past_the_end(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if (o.kind, o.value) == ("raised", "IndexError")]


def _index_error(values: Sequence[float]) -> list[float]:
    ordered = sorted(set(values))
    return [(ordered[i] + ordered[i + 1]) / 2 for i in range(len(ordered))]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(-20, 20, size=n).tolist() for n in (5, 12, 30)]
    return tuple(Case((values,), (midpoints(values),)) for values in drawn)


_DATA = "These are values of the column itself. A midpoint lies half-way between two of them."

CANDIDATES = Exercise(
    id="thresholds/candidates",
    title="All midpoints",
    points=2,
    answer="candidate_thresholds",
    task=Code(
        "candidate_thresholds",
        (
            Case(([60, 70, 75, 85],), ([65, 72.5, 80],)),
            Case(([85, 60, 75, 70],), ([65, 72.5, 80],)),
            Case(([7, 3, 3],), ([5],)),
            Case(([1, 2, 2, 2, 5],), ([1.5, 3.5],)),
            Case(([-4, 4, 1],), ([-1.5, 2.5],)),
            Case(([3, 4],), ([3.5],)),
            Case(([8, 8, 8],), ([],)),
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
        Mistake(
            _with_equals,
            "It also gives a midpoint between two equal values. A cut there would have to part"
            " rows that look alike.",
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
        Mistake(
            _whole,
            "It rounds down to whole numbers: ``//`` does. A midpoint may lie between them.",
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
    more="``sorted(set(values))`` gives the different values in order. ``pairwise``, which the"
    " lesson imports, goes through the neighbours.",
    solution="""def candidate_thresholds(values):
    return [(low + high) / 2 for low, high in pairwise(sorted(set(values)))]
""",
    why="Different values in order, and the middle of each gap. Any other cut in the same gap sorts"
    " the training rows alike, so n different values have n - 1 cuts worth looking at.",
)


# -- a small column of one's own -------------------------------------------------------------------

_CHANGES = 3
_ROWS = 8


def _column(rng: np.random.Generator) -> tuple[list[int], list[str]]:
    """Eight different numbers with labels that change three times along them, in any order."""
    hours, tired = drawn_until("thresholds/best-cut", lambda: _sorted(rng), _usable)
    order = rng.permutation(_ROWS).tolist()
    return [hours[i] for i in order], [tired[i] for i in order]


def _sorted(rng: np.random.Generator) -> tuple[list[int], list[str]]:
    hours = sorted(rng.choice(range(2, 40), _ROWS, replace=False).tolist())
    return hours, [("no", "yes")[k] for k in rng.integers(0, 2, _ROWS).tolist()]


def _usable(column: tuple[list[int], list[str]]) -> bool:
    """Whether one cut is the best, and no wrong answer happens to be another one or right."""
    hours, tired = column
    changes = sum(a != b for a, b in pairwise(tired))
    if changes != _CHANGES or len(best_cuts(hours, tired)) > 1:
        return False
    answers = [best_cuts(hours, tired)[0], *(wrong for wrong, _ in _slips(hours, tired))]
    return len({round(x, 2) for x in answers}) == len(answers)


def _slips(hours: list[int], tired: list[str]) -> list[tuple[float, str]]:
    """Wrong answers and their hints, always as many."""
    (best,) = best_cuts(hours, tired)
    pairs = sorted(zip(hours, tired, strict=True))
    changes = [(a + b) / 2 for (a, p), (b, q) in pairwise(pairs) if p != q]
    low = max(x for x in hours if x < best)
    gain = entropy_of([tired.count("no"), tired.count("yes")])
    gain -= left_by(*parted(hours, tired, best))
    return [
        (low, _VALUE),
        (2 * best - low, _VALUE),
        *((other, _OTHER) for other in changes if other != best),
        ((min(hours) + max(hours)) / 2, _RANGE),
        (sum(hours) / len(hours), _MEAN),
        (gain, _GAIN),
    ]


_VALUE = (
    "That is one of the eight values. A cut lies between two of them, so that a row with that very"
    " value is on a clear side."
)
_OTHER = (
    "The label does change there, and another change gains more. Count the labels on both sides of"
    " each, and weigh the two entropies by the rows."
)
_RANGE = "That is the middle between the least and the greatest. The labels do not come into it."
_MEAN = "That is the mean of the hours. A good cut parts the labels, not the numbers."
_GAIN = "That is what the best cut gains, in bits. Asked for is the place where it lies."


def _best_cut(rng: np.random.Generator) -> Exercise:
    hours, tired = _column(rng)
    data: dict[str, Any] = {"hours": hours, "tired": tired}
    return Exercise(
        id="thresholds/best-cut",
        title="The best cut of a column of yours",
        points=2,
        answer="my_cut",
        task=Number(best_cuts(hours, tired)[0]),
        mistakes=tuple(Mistake(wrong, hint) for wrong, hint in _slips(hours, tired)),
        more="Sort the eight rows by their hours. The label changes three times: for each of the"
        " three cuts count yes and no below and above, and compute what it leaves.",
        solution="""columns = sorted(zip(hikers["hours"], hikers["tired"]))
left = {}
for (low, before), (high, after) in pairwise(columns):
    cut = (low + high) / 2
    sides = [[t for h, t in columns if h < cut], [t for h, t in columns if h >= cut]]
    left[cut] = sum(
        len(side) / 8 * dt.entropy([side.count("yes"), side.count("no")]) for side in sides
    )
my_cut = min(left, key=left.get)
""",
        why="Only three of the seven midpoints lie between neighbours of different labels, so only"
        " three need to be compared; the one that leaves the least entropy gains most.",
        data=data,
    )


BEST_CUT = personal(_best_cut)
