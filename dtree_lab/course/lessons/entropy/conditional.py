"""What a question leaves, as a function of the heaps."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.entropy.numbers import drawn_heaps
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_PAGE = page(__file__, "conditional")
_HEAPS: tuple[list[list[int]], ...] = (
    [[4, 0], [1, 3]],
    [[3, 1], [2, 2]],
    [[2, 2], [4, 0], [1, 1]],
    [[9, 1], [1, 1]],
    [[5, 3]],
    [[1, 1, 2], [0, 3, 0]],
    [[10, 0], [0, 2]],
    [[1, 2], [3, 1], [2, 5], [4, 2]],
    [[3, 1, 0], [2, 2, 2]],
)
# Those in which some label is missing from some heap.
_WITH_ZERO = tuple(i for i, heaps in enumerate(_HEAPS) if any(0 in heap for heap in heaps))
_WITHOUT = tuple(i for i in range(len(_HEAPS)) if i not in _WITH_ZERO)


def _unpacked(
    of: Callable[[list[list[int]]], int],
) -> Callable[[tuple[Outcome, ...]], tuple[int, ...]]:
    """Recognises the cases with something else than two, where all of these fail to be unpacked."""
    others = tuple(i for i, heaps in enumerate(_HEAPS) if of(heaps) != 2)  # noqa: PLR2004

    def recognise(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
        failing = {i for i, o in enumerate(outcomes) if "unpack" in o.says}
        return others if failing.issuperset(others) else ()

    return recognise


def _zero_trouble(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """The cases with a label that does not occur, where these fail and the others do not."""
    fails = [o.kind == "raised" or (o.kind == "number" and math.isnan(o.value)) for o in outcomes]
    stumbles = all(fails[i] for i in _WITH_ZERO) and not any(fails[i] for i in _WITHOUT)
    return _WITH_ZERO if stumbles else ()


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((1, 2), (6, 5), (6, 2)).tolist()
    drawn = [drawn_heaps(rng, n, k) for n, k in shapes]
    return tuple(map(_case, drawn))


def _case(heaps: list[list[int]]) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "any other number of heaps"  # noqa: PLR2004
    if any(0 in heap for heap in heaps):
        behaviour = "a label that is missing from a heap"
    return Case((heaps,), (_PAGE.right()(heaps),), behaviour=behaviour)


CONDITIONAL = _PAGE.exercise(
    Code("conditional_entropy", tuple(map(_case, _HEAPS)), tolerance=0.001, fresh=_fresh),
    seen={
        "a label that is missing": _zero_trouble,
        "two heaps": _unpacked(len),
        "two labels": _unpacked(lambda heaps: len(heaps[0])),
        "lists added": stops((), "'int' and 'list'"),
    },
)
