"""What the exercises share; written apart from the library's, so that each checks the other."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The eight flats of the lesson: area in square metres, and rent in hundreds a month.
AREAS = (20, 25, 30, 40, 55, 60, 75, 110)
RENTS = (3, 4, 5, 6, 9, 10, 12, 15)


def mean_of(numbers: Sequence[float]) -> float:
    """The mean."""
    return math.fsum(numbers) / len(numbers)


def squares_of(numbers: Sequence[float]) -> float:
    """The squared distances from the mean, added up."""
    middle = mean_of(numbers)
    return math.fsum((y - middle) ** 2 for y in numbers)


def variance_of(numbers: Sequence[float]) -> float:
    """The mean squared distance from the mean."""
    return squares_of(numbers) / len(numbers)


def left_of(heaps: Iterable[Sequence[float]]) -> float:
    """The variance within heaps, averaged over the rows."""
    kept = list(heaps)
    return math.fsum(map(squares_of, kept)) / sum(map(len, kept))


def sides_of(x: Sequence[float], y: Sequence[float], cut: float) -> tuple[list[float], list[float]]:
    """The labels below a cut, and those at it and above."""
    below = [b for a, b in zip(x, y, strict=True) if a < cut]
    return below, [b for a, b in zip(x, y, strict=True) if a >= cut]


def middles_of(x: Sequence[float]) -> list[float]:
    """Half-way between neighbouring different values."""
    return [(low + high) / 2 for low, high in pairwise(sorted(set(x)))]


def best_cuts(x: Sequence[float], y: Sequence[float]) -> tuple[float, ...]:
    """All cuts that leave the least variance, compared in fractions: a tie is an equality."""

    def kept(cut: float) -> Fraction:
        total = Fraction(0)
        for side in sides_of(x, y, cut):
            exact = [Fraction(b) for b in side]
            middle = sum(exact, Fraction(0)) / len(exact)
            total += sum(((b - middle) ** 2 for b in exact), Fraction(0))
        return total

    costs = {cut: kept(cut) for cut in middles_of(x)}
    return tuple(cut for cut, cost in costs.items() if cost == min(costs.values()))
