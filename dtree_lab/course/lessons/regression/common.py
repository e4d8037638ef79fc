"""What the exercises share; written apart from the library's, so that each checks the other."""

from __future__ import annotations

import math
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
