"""The exercise on the variance."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from statistics import median, stdev, variance
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.regression.common import RENTS, mean_of, squares_of, variance_of
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    [2, 2, 5, 7, 2],
    [4, 10],
)


def _case(numbers: list[float]) -> Case:
    if len(set(numbers)) < len(numbers) or len(numbers) <= 2:  # noqa: PLR2004 - one or two
        shows = "numbers that repeat, and very few of them"
    elif min(numbers) < 0 or any(y != round(y) for y in numbers):
        shows = "numbers below 0, or not whole"
    else:
        shows = "whole numbers, all different"
    return Case((numbers,), (variance_of(numbers),), behaviour=shows)


_ONE_LESS = (
    "It divides by one less than the number of rows. That estimates the variance of a larger whole"
    " from a sample; a tree measures just the rows that it has, and divides by how many they are."
)


_WHOLE = "Its mean is rounded to a whole number, as ``//`` and ``round`` do."


_ENDS = (
    "It looks at the largest and the smallest number alone. All numbers count, by how far each is"
    " from the mean."
)


_TWO_SLIPS = (
    "Two things at once: the root at the end makes it the standard deviation, and it divides by one"
    " less than the number of rows."
)


def _one_less(alone: float) -> Callable[[Sequence[float]], float]:
    """Divides by one less, and has some answer for a single row: numpy's is no number."""
    return lambda numbers: variance(numbers) if len(numbers) > 1 else alone


def _mean_of_squares(numbers: Sequence[float]) -> float:
    return math.fsum(y * y for y in numbers) / len(numbers)


def _root_of_one_less(alone: float) -> Callable[[Sequence[float]], float]:
    return lambda numbers: stdev(numbers) if len(numbers) > 1 else alone


def _last_alone(numbers: Sequence[float]) -> float:
    return (numbers[-1] - mean_of(numbers)) ** 2 / len(numbers)


def _first_alone(numbers: Sequence[float]) -> float:
    return (numbers[0] - mean_of(numbers)) ** 2 / len(numbers)


def _each_square(numbers: Sequence[float]) -> list[float]:
    return [(y - mean_of(numbers)) ** 2 for y in numbers]


def _from_the_rents(numbers: Sequence[float]) -> float:
    return sum((y - mean_of(RENTS)) ** 2 for y in numbers) / len(numbers)


def _in_whole_steps(cut: Callable[[float], int]) -> Callable[[Sequence[float]], float]:
    """Measures from a mean without its decimals."""
    return lambda numbers: (
        math.fsum((y - cut(mean_of(numbers))) ** 2 for y in numbers) / len(numbers)
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(3, 12, 4).tolist()
    drawn = [[round(y, 2) for y in rng.normal(10, 20, n).tolist()] for n in sizes]
    whole = [rng.permutation(40)[:n].tolist() for n in (5, 9)]
    repeated = [rng.choice([3, 8, 14], n).tolist() for n in (7, 1)]
    return tuple(map(_case, (*drawn, *whole, *repeated)))


VARIANCE = Exercise(
    id="regression/variance",
    title="The variance as a function",
    points=2,
    heading="the variance",
    text="""Write `variance(numbers)`: the mean squared distance from the mean. (0.001 either way
will do.)""",
    stub="""def variance(numbers):
    # your lines, in place of the dots
    ...""",
    answer="variance",
    task=Code(
        "variance",
        tuple(map(_case, _NUMBERS)),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(variance, _ONE_LESS),
        Mistake(_one_less(math.nan), _ONE_LESS),
        Mistake(_one_less(0.0), _ONE_LESS),
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
            "Without squares the distances above and below the mean cancel out, always. (``** 2``"
            " squares; ``* 2`` only doubles.)",
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
        Mistake(_root_of_one_less(math.nan), _TWO_SLIPS),
        Mistake(_root_of_one_less(0.0), _TWO_SLIPS),
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
        Mistake(_in_whole_steps(math.floor), _WHOLE),
        Mistake(_in_whole_steps(round), _WHOLE),
        Mistake(
            lambda numbers: (
                math.fsum(abs(a - b) for a in numbers for b in numbers) / len(numbers) ** 2
            ),
            "It averages the distances between all pairs. The variance averages the *squared*"
            " distances from the mean.",
        ),
        Mistake(
            lambda numbers: variance_of(numbers[1:] or numbers),
            "The first number is left out. A list begins at position 0.",
        ),
        Mistake(
            lambda numbers: variance_of(numbers[:-1] or numbers),
            "The last number is left out. ``range(len(numbers))`` reaches it.",
        ),
        Mistake(
            lambda numbers: math.fsum(y * y for y in numbers) - mean_of(numbers) ** 2,
            "In the short formula the squares are averaged, too, before the square of the mean is"
            " taken off.",
        ),
        Mistake(lambda numbers: max(numbers) - min(numbers), _ENDS),
        Mistake(lambda numbers: (max(numbers) - min(numbers)) ** 2, _ENDS),
        Mistake(lambda numbers: (max(numbers) - min(numbers)) / 2, _ENDS),
        Mistake(
            lambda numbers: max(_each_square(numbers)),
            "Only the number farthest from the mean counts. All of them do, each alike.",
        ),
        Mistake(
            lambda numbers: variance_of(list(set(numbers))),
            "A ``set`` keeps each number once. Numbers that come twice count twice.",
        ),
        Mistake(
            lambda numbers: (
                math.fsum((a - b) ** 2 for a in numbers for b in numbers) / len(numbers) ** 2
            ),
            "It averages the squared distances of all pairs: that is twice the variance. The"
            " distances are to be those from the mean.",
        ),
        Mistake(
            lambda numbers: math.fsum((b - a) ** 2 for a, b in pairwise(numbers)) / len(numbers),
            "It measures from each number to the next. The variance measures from each to the mean"
            " of all.",
        ),
        Mistake(
            lambda numbers: math.fsum(abs(y - median(numbers)) for y in numbers) / len(numbers),
            "It averages plain distances from the median. The variance averages *squared* distances"
            " from the mean.",
        ),
        Mistake(
            lambda numbers: mean_of(numbers) ** 2 - _mean_of_squares(numbers),
            "The short formula is turned round: it is the mean of the squares, less the square of"
            " the mean. What you have is never above 0.",
        ),
        Mistake(
            lambda numbers: squares_of(numbers) / len(numbers) ** 2,
            "It divides by the number of rows twice. Is one ``/ len(numbers)`` inside the sum, and"
            " another outside?",
        ),
        Mistake(
            lambda numbers: squares_of(numbers) / (len(numbers) + 1),
            "It divides by one more than the number of rows. Divide by how many they are.",
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
