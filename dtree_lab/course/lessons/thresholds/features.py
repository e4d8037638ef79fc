"""Exercises on thresholds as binary features."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np

from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import generators

_PAGE = page(__file__, "binary-features")
_SHOWN = ("what lies below and what does not", "a value that is exactly a threshold", "the order")


def _case(values: list[float], thresholds: list[float], behaviour: str) -> Case:
    ones = _PAGE.right()(values, thresholds)
    # A truth value says the same as a 1 or a 0.
    truths = [[bool(x) for x in row] for row in ones]
    return Case((values, thresholds), (ones, truths), wanted=str(ones), behaviour=behaviour)


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


BINARY_FEATURES = _PAGE.exercise(
    Code(
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
    seen={"generator": generators},
)
