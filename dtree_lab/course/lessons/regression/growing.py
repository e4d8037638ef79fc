"""The exercise of growing a regression tree and asking it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.regression.variance import (
    AREAS,
    RENTS,
    best_cuts,
    mean_of,
    middles_of,
)
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

Numbers = Sequence[float]

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
_TO_THE_END = (
    "It grows to the end, whatever ``depth`` is. Does it stop at depth 0, and go on with one"
    " question *less*?"
)
_SUM = "Its leaves answer the sum of their labels. They should answer the mean."
_OTHER_SIDE = "It goes on with the other side: the rows that ``new`` is *not* with."
_DEEP = 3
# Those where the rows that are left cannot be told apart.
_ALIKE = (6, 7)


def _grown(  # noqa: PLR0913 - each may go wrong alone
    rows: tuple[Numbers, Numbers],
    depth: int,
    new: float,
    *,
    answer: Callable[[Numbers], float] = mean_of,
    goes: Callable[[float, float], bool] = lambda a, cut: a < cut,
    where: Callable[[Numbers, Numbers], float] = lambda x, y: best_cuts(x, y)[0],
) -> float:
    x, y = rows
    if depth <= 0 or len(set(x)) == 1:
        return answer(y)
    cut = where(x, y)
    kept = [i for i, a in enumerate(x) if (a < cut) == goes(new, cut)]
    rest = [x[i] for i in kept], [y[i] for i in kept]
    return _grown(rest, depth - 1, new, answer=answer, goes=goes, where=where)


def _halves(x: Numbers, _: Numbers) -> float:
    """The middle one of the cuts, whatever the labels."""
    cuts = middles_of(x)
    return cuts[len(cuts) // 2]


def _nearest(x: Numbers, new: float) -> float:
    return min(abs(a - new) for a in x)


def _never_told_apart(x: Numbers, y: Numbers, depth: int, new: float) -> float:
    """Stops by the depth alone, and so has no cut where all x are the same."""
    if depth == 0 or len(set(y)) == 1:
        return mean_of(y)
    cut = best_cuts(x, y)[0]
    kept = [i for i, a in enumerate(x) if (a < cut) == (new < cut)]
    return _never_told_apart([x[i] for i in kept], [y[i] for i in kept], depth - 1, new)


def _sums_where_level(x: Numbers, y: Numbers, depth: int, new: float) -> float:
    """Adds up the labels of a leaf, and has one where all labels are the same."""
    if len(set(y)) == 1:
        return math.fsum(y)
    return _grown((x, y), depth, new, answer=math.fsum)


def _one_level(x: Numbers, y: Numbers, depth: int, new: float) -> float:
    return _grown((x, y), min(depth, 1), new)


def _no_cut_to_be_had(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """The cases with rows alike, where these fail and the first ones do not."""
    fails = [o.kind == "raised" and o.value != "RecursionError" for o in outcomes]
    return _ALIKE if all(fails[i] for i in _ALIKE) and not any(fails[:5]) else ()


_endless = stops("RecursionError")


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
    return Case((x, y, depth, new), (_grown((x, y), depth, new),), says, behaviour=shows)


def _forever(*_: Any) -> float:
    raise RecursionError


PREDICT = Exercise(
    id="regression/predict",
    title="A regression tree in one function",
    points=4,
    heading="grow and answer",
    text="""Now the whole algorithm in one function: `predict(x, y, depth, new)` grows a tree on one
continuous attribute, with at most `depth` questions on a path, and returns its answer for the value
`new`.

- When `depth` is 0, or all x are the same, or all y are the same: return the mean of y.
- Otherwise find the best cut, keep only the rows on the side where `new` lies (below the cut, or at
  the cut and above), and go on with one question less.

A function may call itself. Use your `best_cut`. (0.001 either way will do.)""",
    stub="""def predict(x, y, depth, new):
    # your lines, in place of the dots
    ...""",
    answer="predict",
    task=Code(
        "predict",
        tuple(_case(*rows, depth, new, said) for rows, depth, new, said in _ASKED),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _forever,
            "It calls itself without end. Is there one question less each time, and does it look at"
            " the depth *before* it goes on?",
            when=_endless,
        ),
        Mistake(
            _never_told_apart,
            "Rows with the same x make it stumble: between them there is no cut. What does the rule"
            " say for rows that are all alike?",
            when=_no_cut_to_be_had,
        ),
        Mistake(lambda x, y, _, new: _grown((x, y), 99, new), _TO_THE_END),
        Mistake(lambda x, y, depth, new: _grown((x, y), 99 if depth else 0, new), _TO_THE_END),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth - 1, new),
            "It stops one question too early: at depth 1 there is still one to ask.",
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth + 1, new),
            "It asks one question too many: at depth 0 there is none.",
        ),
        Mistake(
            _one_level,
            "It asks a single question. Does it call itself for the rows that are left?",
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, goes=lambda a, cut: a <= cut),
            "Look at a value exactly at the cut. The branches are below the cut, and at the cut"
            " and above.",
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, goes=lambda a, cut: a >= cut),
            _OTHER_SIDE,
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, goes=lambda a, cut: a > cut),
            _OTHER_SIDE,
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, answer=median),
            "Its leaves answer the median. In this tree they answer the mean.",
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, answer=lambda labels: labels[0]),
            "Its leaves answer one of the labels that they hold. They should answer the mean of"
            " all.",
        ),
        Mistake(lambda x, y, depth, new: _grown((x, y), depth, new, answer=math.fsum), _SUM),
        Mistake(_sums_where_level, _SUM),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, goes=lambda *_: True),
            "It always goes on with the rows below the cut, wherever ``new`` lies.",
        ),
        Mistake(
            lambda x, y, *_: mean_of(y) + 0 * len(x),
            "It always answers the mean of all rows. Only those on the side of ``new`` should go"
            " on, in y as well as in x.",
        ),
        Mistake(
            lambda x, y, _, new: y[min(range(len(x)), key=lambda i: abs(x[i] - new))],
            "It answers with the label of the nearest x. A tree finds the side of each cut, and"
            " answers the mean of the rows that are left there.",
        ),
        Mistake(
            lambda x, y, _, new: mean_of(
                [b for a, b in zip(x, y, strict=True) if abs(a - new) <= _nearest(x, new)]
            ),
            "It answers with the rows of the nearest x. A tree finds the side of each cut, and"
            " answers the mean of the rows that are left there.",
        ),
        Mistake(
            lambda x, y, depth, new: _grown((x, y), depth, new, where=_halves),
            "It halves the values of x, whatever the labels are. The best cut is to be asked for at"
            " each step: ``best_cut`` finds it.",
        ),
        Mistake(
            lambda x, y, depth, new: round(_grown((x, y), depth, new)),
            "It answers a whole number, as ``//`` and ``round`` do. A mean need not be one.",
        ),
    ),
    more="First the line that stops. Then three steps: find the cut; collect the rows that lie on"
    " the same side of it as ``new``, x and y each in a list; return what ``predict`` says of"
    " those, with one question less. (Two values are on the same side when both are below the"
    " cut, or neither is.)",
    solution="""def predict(x, y, depth, new):
    if depth == 0 or len(set(x)) == 1 or len(set(y)) == 1:
        return sum(y) / len(y)
    cut = best_cut(x, y)  # that of Exercise 4
    kept = [i for i in range(len(x)) if (x[i] < cut) == (new < cut)]
    return predict([x[i] for i in kept], [y[i] for i in kept], depth - 1, new)
""",
    why="It never builds the whole tree, only the path that the new value takes. What is left at"
    " its end is the leaf, and the leaf's mean is the answer.",
)
