"""The exercise on how much variance a question takes away, with numbers of everybody's own."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.regression.common import (
    left_of,
    mean_of,
    squares_of,
    variance_of,
)
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    import numpy as np

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
