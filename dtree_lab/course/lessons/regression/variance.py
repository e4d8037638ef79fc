"""The exercise on the variance."""

from __future__ import annotations

import math
from fractions import Fraction
from statistics import median, stdev, variance
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.regression.common import RENTS, mean_of, squares_of, variance_of
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

_NUMBERS: tuple[list[float], ...] = (
    [3, 4, 5, 6],
    [9, 10, 12, 15],
    list(RENTS),
    [-1, 1, 3],
    [0.5, 1.5, 4],
    [2, 2, 2],
    [7],
    [101, 103, 106],
)


_ONE_LESS = (
    "It divides by one less than the number of rows. That estimates the variance of a larger whole"
    " from a sample; a tree measures just the rows that it has, and divides by how many they are."
)


_TWO_SLIPS = (
    "Two things at once: the root at the end makes it the standard deviation, and it divides by one"
    " less than the number of rows."
)


def _numpys(numbers: Sequence[float]) -> float:
    """As numpy's with ``ddof=1``: no number for a single row."""
    return variance(numbers) if len(numbers) > 1 else math.nan


def _mean_of_squares(numbers: Sequence[float]) -> float:
    return math.fsum(y * y for y in numbers) / len(numbers)


def _root_of_one_less(numbers: Sequence[float]) -> float:
    return stdev(numbers) if len(numbers) > 1 else math.nan


def _last_alone(numbers: Sequence[float]) -> float:
    return (numbers[-1] - mean_of(numbers)) ** 2 / len(numbers)


def _first_alone(numbers: Sequence[float]) -> float:
    return (numbers[0] - mean_of(numbers)) ** 2 / len(numbers)


def _each_square(numbers: Sequence[float]) -> list[float]:
    return [(y - mean_of(numbers)) ** 2 for y in numbers]


def _from_the_rents(numbers: Sequence[float]) -> float:
    return sum((y - mean_of(RENTS)) ** 2 for y in numbers) / len(numbers)


def _in_whole_steps(numbers: Sequence[float]) -> float:
    middle = sum(numbers) // len(numbers)
    return sum((y - middle) ** 2 for y in numbers) / len(numbers)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(1, 12, 6).tolist()
    drawn = [[round(y, 2) for y in rng.normal(10, 20, n).tolist()] for n in sizes]
    return tuple(Case((numbers,), (variance_of(numbers),)) for numbers in drawn)


VARIANCE = Exercise(
    id="regression/variance",
    title="The variance as a function",
    points=2,
    answer="variance",
    task=Code(
        "variance",
        tuple(Case((numbers,), (variance_of(numbers),)) for numbers in _NUMBERS),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(variance, _ONE_LESS),
        Mistake(_numpys, _ONE_LESS),
        Mistake(
            lambda numbers: math.sqrt(variance_of(numbers)),
            "It takes the root at the end: that is the standard deviation. The variance is what"
            " stands under the root.",
        ),
        Mistake(
            squares_of,
            "It adds up the squares and does not average them. By how many rows is the sum to be"
            " divided?",
        ),
        Mistake(
            lambda numbers: math.fsum(y - mean_of(numbers) for y in numbers) / len(numbers),
            "Without squares the distances above and below the mean cancel out, always.",
        ),
        Mistake(
            lambda numbers: sum(abs(y - mean_of(numbers)) for y in numbers) / len(numbers),
            "It averages plain distances. The variance averages their *squares*.",
        ),
        Mistake(
            _mean_of_squares,
            "It averages the squares of the numbers themselves. What is squared is how far each is"
            " from the mean.",
        ),
        Mistake(
            lambda numbers: sum((y - median(numbers)) ** 2 for y in numbers) / len(numbers),
            "It measures the distances from the median. The variance measures them from the mean.",
        ),
        Mistake(
            lambda numbers: sum((y - numbers[0]) ** 2 for y in numbers) / len(numbers),
            "It measures the distances from the first number. The variance measures them from the"
            " mean.",
        ),
        Mistake(stdev, _TWO_SLIPS),
        Mistake(_root_of_one_less, _TWO_SLIPS),
        Mistake(
            _each_square,
            "It returns the squared distances, all of them. Asked for is one number, their mean.",
        ),
        Mistake(
            _first_alone,
            "It stops after the first number. Is the ``return`` inside the loop?",
        ),
        Mistake(
            _last_alone,
            "Only the last number counts: each square takes the place of the one before. Add to"
            " the sum with ``+=``.",
        ),
        Mistake(
            _from_the_rents,
            "It measures all distances from 8, the mean of the eight rents. Other numbers have a"
            " mean of their own.",
        ),
        Mistake(
            lambda numbers: squares_of(numbers) / len(RENTS),
            "It always divides by 8, as for the eight rents. How many numbers are there here?",
        ),
        Mistake(mean_of, "It returns the mean. Asked for is how far the numbers lie from it."),
        Mistake(
            lambda numbers: (
                sum((y - Fraction(sum(numbers), len(numbers))) ** 2 for y in numbers) / len(numbers)
            ),
            "``Fraction(a, b)`` takes whole numbers only, and some of these labels are not whole."
            " Divide with ``/``.",
        ),
        Mistake(
            _in_whole_steps,
            "Its mean is rounded to a whole number, as ``//`` and ``round`` do.",
        ),
    ),
    more="Two steps: the mean first, ``sum(numbers) / len(numbers)``; then the same once more, for"
    " the list of the squared distances from it.",
    solution="""def variance(numbers):
    mean = sum(numbers) / len(numbers)
    return sum((y - mean) ** 2 for y in numbers) / len(numbers)
""",
    why="A mean of squares around a mean. It is the mean squared error of a leaf with these rows,"
    " if the leaf answers their mean.",
)
