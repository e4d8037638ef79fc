"""The exercise on the gain ratio."""

from __future__ import annotations

import math

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.entropy.numbers import drawn_heaps
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

_PAGE = page(__file__, "ratio")
_ONE_HEAP, _NEAR = [[5, 3]], 1e-3
_HEAPS: tuple[list[list[int]], ...] = (
    [[4, 0], [1, 3]],
    [[3, 1], [2, 2]],
    [[1, 0]] * 5 + [[0, 1]] * 3,
    [[1, 0], [7, 8]],
    [[2, 2], [4, 0], [1, 1]],
    [[1, 1, 2], [0, 3, 0]],
    [[6, 2], [2, 6]],
    [[2, 1, 0], [0, 1, 3]],
    _ONE_HEAP,
)


def _nothing_to_divide_by(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Where there is one heap and it fails, or gives no number; not if the others fail too."""
    fails = [
        o.kind == "raised" or (o.kind == "number" and not math.isfinite(o.value)) for o in outcomes
    ]
    return (len(_HEAPS) - 1,) if fails[len(_HEAPS) - 1] and not any(fails[:2]) else ()


def _only_one_heap(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Where a number comes back for one heap, and all is right but that."""
    *others, one = outcomes[: len(_HEAPS)]
    right = all(
        o.kind == "number" and abs(o.value - _PAGE.right()(heaps)) < _NEAR
        for o, heaps in zip(others, _HEAPS, strict=False)
    )
    wrong = one.kind == "number" and math.isfinite(one.value) and abs(one.value) > _NEAR
    return (len(_HEAPS) - 1,) if right and wrong else ()


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((2, 2), (7, 4), (6, 2)).tolist()
    drawn = [drawn_heaps(rng, n, k) for n, k in shapes]
    return tuple(map(_case, drawn))


def _case(heaps: list[list[int]]) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "one heap, or more than two"  # noqa: PLR2004
    if len(heaps[0]) > 2:  # noqa: PLR2004
        behaviour = "three labels"
    return Case((heaps,), (_PAGE.right()(heaps),), behaviour=behaviour)


RATIO = _PAGE.exercise(
    Code("gain_ratio", tuple(map(_case, _HEAPS)), tolerance=0.001, fresh=_fresh),
    seen={"nothing to divide by": _nothing_to_divide_by, "only one heap": _only_one_heap},
)
