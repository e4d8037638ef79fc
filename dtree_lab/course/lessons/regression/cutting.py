"""The cut that leaves the least variance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from statistics import pvariance

import numpy as np

from dtree_lab.course.lessons.regression.variance import AREAS, RENTS
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code


def best_cuts(x: Sequence[float], y: Sequence[float]) -> tuple[float, ...]:
    """All cuts that leave the least variance, compared in fractions: a tie is an equality."""

    def cost(cut: float) -> Fraction:
        rows = list(zip(x, y, strict=True))
        below, above = ([Fraction(b) for a, b in rows if (a < cut) is is_] for is_ in (True, False))
        return len(below) * pvariance(below) + len(above) * pvariance(above)

    costs = {(low + high) / 2: cost((low + high) / 2) for low, high in pairwise(sorted(set(x)))}
    return tuple(cut for cut, cost in costs.items() if cost == min(costs.values()))


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


BEST_CUT = page(__file__, "best-cut").exercise(
    Code("best_cut", tuple(_case(x, y) for x, y in _ROWS), fresh=_fresh)
)
