"""Exercises on thresholds as binary features."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import GENERATOR, generators


def _features(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return [[int(x < theta) for theta in thresholds] for x in values]


_SHOWN = ("what lies below and what does not", "a value that is exactly a threshold", "the order")


def _case(values: list[float], thresholds: list[float], behaviour: str) -> Case:
    ones = _features(values, thresholds)
    # A truth value says the same as a 1 or a 0.
    truths = [[bool(x) for x in row] for row in ones]
    return Case((values, thresholds), (ones, truths), wanted=str(ones), behaviour=behaviour)


def _at_most(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return [[int(x <= theta) for theta in thresholds] for x in values]


def _above(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return [[int(x >= theta) for theta in thresholds] for x in values]


def _strictly_above(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return [[int(x > theta) for theta in thresholds] for x in values]


def _transposed(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return [[int(x < theta) for x in values] for theta in thresholds]


def _flat(values: Sequence[float], thresholds: Sequence[float]) -> list[int]:
    return [int(x < theta) for x in values for theta in thresholds]


def _one_row(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return _features(values, thresholds)[:1]


def _one_list(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    """The list of a row is made once, before the loop, so that all rows are the same list."""
    return [_flat(values, thresholds)] * len(values)


def _in_pairs(values: Sequence[float], thresholds: Sequence[float]) -> list[int]:
    return [int(x < theta) for x, theta in zip(values, thresholds, strict=False)]


def _ones_only(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return [[1 for theta in thresholds if x < theta] for x in values]


def _in_order(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return _features(sorted(values), thresholds)


def _thresholds_in_order(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    return _features(values, sorted(thresholds))


def _digits(values: Sequence[float], thresholds: Sequence[float]) -> list[list[str]]:
    return [[str(one) for one in row] for row in _features(values, thresholds)]


def _intervals(values: Sequence[float], thresholds: Sequence[float]) -> list[int]:
    return [sum(x >= theta for theta in thresholds) for x in values]


def _words(values: Sequence[float], thresholds: Sequence[float]) -> list[list[str]]:
    return [["yes" if x < theta else "no" for theta in thresholds] for x in values]


def _first_only(values: Sequence[float], thresholds: Sequence[float]) -> list[list[int]]:
    """A one for the first threshold above a value alone, as if the features excluded each other."""
    found = []
    for row in _features(values, thresholds):
        first = row.index(1) if 1 in row else -1
        found.append([int(j == first) for j in range(len(row))])
    return found


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for (n, m), behaviour in zip(((6, 4), (5, 7), (4, 3)), _SHOWN, strict=True):
        values = rng.integers(0, 20, size=n).tolist()
        thresholds = rng.integers(0, 20, size=m) + 0.5
        if behaviour == _SHOWN[1]:
            thresholds[0] = values[0]
        in_order = behaviour != _SHOWN[2]
        own = np.sort(thresholds) if in_order else rng.permutation(thresholds)
        drawn.append(_case(values, own.tolist(), behaviour))
    return tuple(drawn)


_TURNED = (
    "Ones and zeros have changed places: the feature is 1 where the value is *below* the threshold."
)

_TEXTS = "Texts are asked for nowhere: a 1 or a 0, please (True and False will do)."

BINARY_FEATURES = Exercise(
    id="thresholds/binary-features",
    title="Thresholds as features",
    points=2,
    heading="build the features",
    text="""Write `binary_features(values, thresholds)`: a list with one row for each value, and in
it a 1 or a 0 for each threshold, values and thresholds in the order in which they are given.
`binary_features([3, 8], [5, 8])` is `[[1, 1], [0, 0]]`.""",
    stub="""def binary_features(values, thresholds):
    # your lines, in place of the dots
    ...""",
    answer="binary_features",
    task=Code(
        "binary_features",
        (
            _case([3, 8], [5, 8], _SHOWN[1]),
            _case([60, 70, 75], [-inf, 65, 72.5, inf], _SHOWN[0]),
            _case([1, 2, 3], [2], _SHOWN[1]),
            _case([5], [5, 6, 7], _SHOWN[1]),
            _case([5], [4, 6, 7], _SHOWN[0]),
            _case([9, 4, 4], [4.5, 7], _SHOWN[2]),
            _case([6, 1], [9, 5, 7], _SHOWN[2]),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _at_most,
            "Look at a value that is exactly a threshold. The feature is x < θ: does 8 lie below"
            " 8?",
        ),
        Mistake(_above, _TURNED),
        Mistake(_strictly_above, _TURNED),
        Mistake(
            _transposed,
            "Rows and columns have changed places. There is one row for each value, and in it one"
            " entry for each threshold.",
        ),
        Mistake(
            _flat,
            "All entries stand in one long list. Each value needs a list of its own inside it.",
        ),
        Mistake(
            _one_row,
            "It gives the row of the first value and stops. Is the ``return`` inside the loop?",
        ),
        Mistake(
            _intervals,
            "That is the number of the interval that each value lies in: one attribute with many"
            " values. Asked for are many attributes with two values each.",
        ),
        Mistake(_words, _TEXTS),
        Mistake(_digits, _TEXTS),
        Mistake(
            lambda values, thresholds: _features(values, thresholds)[0][0],
            "It gives a single number and stops. Is the ``return`` inside the loops?",
        ),
        Mistake(
            _one_list,
            "All rows are one and the same list, which grows and grows. Where is a new one begun"
            " for each value?",
        ),
        Mistake(
            _in_pairs,
            "It puts the first value to the first threshold, the second to the second, and so on."
            " Every value is put to *every* threshold.",
        ),
        Mistake(
            _ones_only,
            "The zeros are missing: a row has an entry for each threshold, also where the answer is"
            " no.",
        ),
        Mistake(
            _in_order,
            "It puts the values in order first. The rows stay in the order in which the values were"
            " given.",
        ),
        Mistake(
            _thresholds_in_order,
            "It puts the thresholds in order first. The entries of a row stay in the order in which"
            " the thresholds were given.",
        ),
        Mistake(
            lambda values, thresholds: _features(sorted(values), sorted(thresholds)),
            "It puts values and thresholds in order first. Both stay in the order in which they"
            " were given.",
        ),
        Mistake(
            lambda values, thresholds: [
                [x, *row] for x, row in zip(values, _features(values, thresholds), strict=True)
            ],
            "Each row begins with the value itself. Asked for are its features alone.",
        ),
        Mistake(
            lambda values, thresholds: [
                [2 * one - 1 for one in row] for row in _features(values, thresholds)
            ],
            "The answer no is written as -1. Asked for is a 0.",
        ),
        Mistake(
            lambda values, thresholds: dict(
                zip(values, _features(values, thresholds), strict=True)
            ),
            "It returns a dict, in which equal values share a row. Asked for is a list of rows.",
        ),
        Mistake(
            lambda values, thresholds: (row for row in _features(values, thresholds)),
            GENERATOR,
            when=generators,
        ),
        Mistake(
            _first_only,
            "It puts a single 1 into each row. But a value that lies below one threshold lies"
            " below all the larger ones too.",
        ),
    ),
    more="Two loops, one in the other: the outer one over the values makes the rows, the inner one"
    " over the thresholds makes the entries. ``int(True)`` is 1.",
    solution="""def binary_features(values, thresholds):
    return [[int(x < theta) for theta in thresholds] for x in values]
""",
    why="Each threshold asks every row one yes-or-no question. The answers of one row, from the"
    " smallest threshold to the largest, are always zeros first and then ones.",
)

_SAME = (
    "The theorem promises that this is the same in both, and the cell above counted it. What does"
    " it not speak about?"
)
