"""The variance as a function, and what a question takes away of it.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from statistics import median, stdev, variance

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Case, Code, Number

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


_YES, _NO, _HIGHEST = 3, 5, 20
_TOLERANCE, _APART = 0.01, 0.03


_ROOTS = "You computed with standard deviations. Take the variances, without roots."
_ONE_HEAP = "There is one heap in it, alone. Both count, each by its share of the rows."


def _mistakes(yes: list[int], no: list[int]) -> tuple[Mistake, ...]:
    every = yes + no
    n, before, left = len(every), variance_of(every), left_of((yes, no))
    one, other = variance_of(yes), variance_of(no)
    sample = squares_of(every) / (n - 1)
    sample_left = (
        len(yes) * squares_of(yes) / (len(yes) - 1) + len(no) * squares_of(no) / (len(no) - 1)
    ) / n
    roots = (len(yes) * math.sqrt(one) + len(no) * math.sqrt(other)) / n
    return (
        Mistake(left, "That is the variance that is left. Asked for is how much is taken away."),
        Mistake(before, "That is the variance before the question. How much of it is left after?"),
        Mistake(
            before - (one + other) / 2,
            "You averaged the heaps as if they were equally large. Each counts by its share of the"
            " rows.",
        ),
        Mistake(
            before - one - other,
            "You took off the heaps' variances as they are. Each counts by its share of the rows.",
        ),
        Mistake(
            before - (len(no) * one + len(yes) * other) / n,
            "The two weights have changed places: how many rows does each heap have?",
        ),
        Mistake(
            n * (before - left),
            "That is the sum of squares that is taken away. For the variance it is divided by the"
            " number of all rows.",
        ),
        Mistake(
            sample - sample_left,
            "You divided by one less than the number of rows, as one does to estimate from a"
            " sample. A tree divides by the number of rows itself.",
        ),
        Mistake(
            math.sqrt(before) - roots,
            _ROOTS,
        ),
        Mistake(math.sqrt(before) - math.sqrt(left), _ROOTS),
        Mistake(math.sqrt(before - left), _ROOTS),
        Mistake(
            (one + other) / 2,
            "That is the plain mean of the two heaps' variances. Each heap counts by its share of"
            " the rows; and what is left is not yet what is taken away.",
        ),
        Mistake(one, _ONE_HEAP),
        Mistake(other, _ONE_HEAP),
        Mistake(before - one, _ONE_HEAP),
        Mistake(before - other, _ONE_HEAP),
        Mistake(
            left / before,
            "That is the share of the variance that stays. Asked for is the amount that goes.",
        ),
        Mistake(
            sample - left,
            "The first variance was divided by one less than the number of rows, the others not."
            " Divide by the number of rows each time.",
        ),
        Mistake(
            left - before,
            "The size is right, the sign is not: what is left is taken off what there was.",
        ),
        Mistake(
            (before - left) / before,
            "That is the share of the variance that goes. Asked for is the amount.",
        ),
        Mistake(
            100 * (before - left) / before,
            "That is what goes in per cent of the variance. Asked for is the amount.",
        ),
        Mistake(
            abs(mean_of(yes) - mean_of(no)),
            "That is how far the two means lie apart. It has to do with it, but what is asked for"
            " is a difference of variances.",
        ),
    )


def _fits(yes: list[int], no: list[int]) -> bool:
    """Whether the question takes something away, and every wrong number is one of its own."""
    every = yes + no
    if len(set(every)) < len(every):
        return False
    right = variance_of(every) - left_of((yes, no))
    numbers = (right, *(mistake.wrong for mistake in _mistakes(yes, no)))
    return right > 1 and all(abs(x - y) > _APART for x, y in combinations(numbers, 2))


def _drawn(rng: np.random.Generator) -> tuple[list[int], list[int]]:
    numbers = rng.integers(1, _HIGHEST + 1, _YES + _NO).tolist()
    return sorted(numbers[:_YES]), sorted(numbers[_YES:])


def _reduction(rng: np.random.Generator) -> Exercise:
    yes, no = drawn_until("regression/reduction", lambda: _drawn(rng), lambda heaps: _fits(*heaps))
    return Exercise(
        id="regression/reduction",
        title="What a question takes away",
        points=2,
        heading="a reduction",
        text="""An attribute with the answers Yes and No sorts some rows into two heaps. These are
the labels, yours alone:

```python
labels = dt.course.data("regression/reduction", me)
print(labels)
```

By how much does the question reduce the variance? (The answer may be off by 0.01.)""",
        stub="reduction = ...",
        answer="reduction",
        data={"Yes": yes, "No": no},
        task=Number(variance_of(yes + no) - left_of((yes, no)), _TOLERANCE),
        mistakes=_mistakes(yes, no),
        more="Put both heaps together and take the variance. Then the variance of each heap, times"
        " its share of the eight rows. Your own function does the rest.",
        solution="from statistics import pvariance  # your own function does as well\n\n"
        'yes, no = labels["Yes"], labels["No"]\n'
        "n = len(yes) + len(no)\n"
        "left = len(yes) / n * pvariance(yes) + len(no) / n * pvariance(no)\n"
        "reduction = pvariance(yes + no) - left",
        why="The variance of all, less the weighted mean of what is left in the heaps. It is what"
        " lies *between* the heaps: the variance of their means, each counted as often as it has"
        " rows.",
    )


REDUCTION = personal(_reduction)
