"""The variance and what a question takes away of it, the best cut, and a tree that answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import pvariance

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case

# The eight flats of the lesson: area in square metres, and rent in hundreds a month.
_FLATS: tuple[list[float], list[float]] = (
    [20, 25, 30, 40, 55, 60, 75, 110],
    [3, 4, 5, 6, 9, 10, 12, 15],
)

# -- the variance ---------------------------------------------------------------------------------

_VARIANCE = page(__file__, "variance")


def _variance_case(numbers: list[float]) -> Case:
    if len(set(numbers)) < len(numbers) or len(numbers) <= 2:  # noqa: PLR2004 - one or two
        shows = "numbers that repeat, and very few of them"
    elif min(numbers) < 0 or any(y != round(y) for y in numbers):
        shows = "numbers below 0, or not whole"
    else:
        shows = "whole numbers, all different"
    return Case((numbers,), (_VARIANCE.right()(numbers),), behaviour=shows)


def _fresh_numbers(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(3, 12, 4).tolist()
    drawn = [[round(y, 2) for y in rng.normal(10, 20, n).tolist()] for n in sizes]
    whole = [rng.permutation(40)[:n].tolist() for n in (5, 9)]
    repeated = [rng.choice([3, 8, 14], n).tolist() for n in (7, 1)]
    return tuple(map(_variance_case, (*drawn, *whole, *repeated)))


VARIANCE = _VARIANCE.function(_variance_case, _fresh_numbers)


# -- the cut that leaves the least ----------------------------------------------------------------


def _best_cuts(x: Sequence[float], y: Sequence[float]) -> tuple[float, ...]:
    """All cuts that leave the least variance, compared in fractions: a tie is an equality."""

    def cost(cut: float) -> Fraction:
        rows = list(zip(x, y, strict=True))
        below, above = ([Fraction(b) for a, b in rows if (a < cut) is is_] for is_ in (True, False))
        return len(below) * pvariance(below) + len(above) * pvariance(above)

    costs = {(low + high) / 2: cost((low + high) / 2) for low, high in pairwise(sorted(set(x)))}
    return tuple(cut for cut, cost in costs.items() if cost == min(costs.values()))


def _fresh_rows(rng: np.random.Generator) -> tuple[Case, ...]:
    given = []
    for n in rng.integers(2, 14, 6).tolist():
        x = rng.integers(0, 12, n).tolist()
        x[:2] = [0, 11]  # two values at least
        given.append(x)
    # And each kind for certain.
    ordered, other = sorted(rng.permutation(30)[:9].tolist()), rng.permutation(9).tolist()
    given += [ordered, [a + 5 for a in ordered], [30, *other], [40, 3, *other]]
    return tuple(_cut_case(x, rng.integers(0, 30, len(x)).tolist()) for x in given)


def _cut_case(x: list[float], y: list[float]) -> Case:
    shows = "rows in the order of x"
    if x != sorted(x):
        twice = len(set(x)) < len(x)
        shows = f"rows in no order, {'some with the same x' if twice else 'all x different'}"
    return Case((x, y), _best_cuts(x, y), behaviour=shows)


BEST_CUT = page(__file__, "best-cut").function(_cut_case, _fresh_rows)

# -- growing a tree, and asking it ----------------------------------------------------------------

_PREDICT = page(__file__, "predict")
_GIVEN: dict[str, tuple[list[float], list[float]]] = {
    "flats": _FLATS,
    "mixed": ([4, 1, 4, 2, 9, 6], [7, 1, 9, 2, 30, 14]),
    "the same x": ([3, 3, 3], [1, 2, 9]),
    "a level": ([1, 2, 3], [4, 4, 4]),
}
_DEEP = 3
# Those where the rows that are left cannot be told apart.
_ALIKE = [6, 7]


def _no_cut_to_be_had(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases with rows alike, where these fail and the first ones do not."""
    fails = [o.kind == "raised" and o.value != "RecursionError" for o in outcomes]
    return _ALIKE if all(fails[i] for i in _ALIKE) and not any(fails[:5]) else []


def _fresh_trees(rng: np.random.Generator) -> tuple[Case, ...]:
    """Rows by chance, with labels so fine that no two cuts are equally good."""
    cases: list[Case] = []
    for n, depth in zip(rng.integers(4, 14, 9).tolist(), (0, 1, 2, 3, 1, 2, 1, 9, 9), strict=True):
        x, y = rng.integers(0, 10, n).tolist(), rng.normal(0, 9, n).round(6).tolist()
        x[:2] = [0, 9]  # two values at least
        new = float(rng.integers(-2, 24) / 2)
        if len(cases) in (4, 5, 6):
            new = _best_cuts(x, y)[0]
        cases.append(_tree_case(x, y, depth, new, f"{n} values of x, their labels"))
    return tuple(cases)


def _tree_case(x: list[float], y: list[float], depth: int, new: float, rows: str = "") -> Case:
    rows = "area, rent" if (x, y) == _FLATS else rows or f"{x}, {y}"
    shows = "a number of questions that is given"
    if depth and len(set(x)) > 1 and new in _best_cuts(x, y):
        shows = "a value exactly at a cut"
    elif depth > _DEEP or len(set(x)) == 1 or len(set(y)) == 1:
        shows = "rows that cannot be parted any further"
    given = x, y, depth, new
    return Case(given, (_PREDICT.right()(*given),), f"{rows}, {depth}, {new}", behaviour=shows)


PREDICT = _PREDICT.function(
    lambda rows, depth, new: _tree_case(*_GIVEN[rows], depth, new),
    _fresh_trees,
    {"alike": _no_cut_to_be_had},
)
