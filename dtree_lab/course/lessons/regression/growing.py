"""The exercise of growing a regression tree and asking it."""

from __future__ import annotations

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.regression.cutting import best_cuts
from dtree_lab.course.lessons.regression.variance import AREAS, RENTS
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_PAGE = page(__file__, "predict")
_FLATS: tuple[list[float], list[float]] = (list(AREAS), list(RENTS))
_MIXED: tuple[list[float], list[float]] = ([4, 1, 4, 2, 9, 6], [7, 1, 9, 2, 30, 14])
_SAME_X: tuple[list[float], list[float]] = ([3, 3, 3], [1, 2, 9])
_LEVEL: tuple[list[float], list[float]] = ([1, 2, 3], [4, 4, 4])
_ASKED: tuple[tuple[tuple[list[float], list[float]], int, float, str], ...] = (
    (_FLATS, 0, 50, "area, rent"),
    (_FLATS, 1, 30, "area, rent"),
    (_FLATS, 1, 47.5, "area, rent"),
    (_FLATS, 2, 26, "area, rent"),
    (_FLATS, 2, 200, "area, rent"),
    (_FLATS, 9, 61, "area, rent"),
    (_MIXED, 9, 4, ""),
    (_SAME_X, 2, 3, ""),
    (_LEVEL, 2, 5, ""),
    (_FLATS, 2, 27.5, "area, rent"),
    (_FLATS, 2, 92.5, "area, rent"),
    (_MIXED, 1, 2, ""),
)
_AT_A_CUT = "a value exactly at a cut"
_PARTED = "rows that cannot be parted any further"
_DEEP = 3
# Those where the rows that are left cannot be told apart.
_ALIKE = (6, 7)


def _no_cut_to_be_had(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """The cases with rows alike, where these fail and the first ones do not."""
    fails = [o.kind == "raised" and o.value != "RecursionError" for o in outcomes]
    return _ALIKE if all(fails[i] for i in _ALIKE) and not any(fails[:5]) else ()


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    """Rows by chance, with labels so fine that no two cuts are equally good."""
    cases: list[Case] = []
    for n, depth in zip(rng.integers(4, 14, 9).tolist(), (0, 1, 2, 3, 1, 2, 1, 9, 9), strict=True):
        x, y = rng.integers(0, 10, n).tolist(), rng.normal(0, 9, n).round(6).tolist()
        x[:2] = [0, 9]  # two values at least
        new = float(rng.integers(-2, 24) / 2)
        if len(cases) in (4, 5, 6):
            new = best_cuts(x, y)[0]
        cases.append(_case(x, y, depth, new, f"{n} values of x, their labels"))
    return tuple(cases)


def _case(x: list[float], y: list[float], depth: int, new: float, rows: str) -> Case:
    says = f"{rows or f'{x}, {y}'}, {depth}, {new}"
    shows = "a number of questions that is given"
    if depth and len(set(x)) > 1 and new in best_cuts(x, y):
        shows = _AT_A_CUT
    elif depth > _DEEP or len(set(x)) == 1 or len(set(y)) == 1:
        shows = _PARTED
    return Case((x, y, depth, new), (_PAGE.right()(x, y, depth, new),), says, behaviour=shows)


PREDICT = _PAGE.exercise(
    Code(
        "predict",
        tuple(_case(*rows, depth, new, said) for rows, depth, new, said in _ASKED),
        tolerance=0.001,
        fresh=_fresh,
    ),
    seen={"endless": stops("RecursionError"), "alike": _no_cut_to_be_had},
)
