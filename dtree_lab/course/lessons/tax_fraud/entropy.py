"""The entropy of counts, as a number and as a function."""

from __future__ import annotations

import math

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_SIX_TO_FOUR, _ENTROPY = page(__file__, "six-to-four"), page(__file__, "entropy")


def _percent(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    (one,) = outcomes  # rounded, too
    percent = 100 * _SIX_TO_FOUR.right()
    return (0,) if one.kind == "number" and abs(one.value - percent) < 1 else ()


SIX_TO_FOUR = _SIX_TO_FOUR.exercise(seen={"per cent": _percent})


_ZERO_CASES = (2, 5, 7)


def _zero_trouble(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    fails = [o.kind == "raised" or (o.kind == "number" and math.isnan(o.value)) for o in outcomes]
    # An answer that always fails has other troubles.
    return _ZERO_CASES if all(fails[i] for i in _ZERO_CASES) and not fails[0] else ()


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(0, 20, size).tolist() for size in (2, 3, 4, 5)]
    return tuple(_case(counts) for counts in drawn if sum(counts))


def _case(counts: list[int]) -> Case:
    behaviour = "one label or two" if len(counts) < 3 else "more labels than two"  # noqa: PLR2004
    if 0 in counts:
        behaviour = "a label that never occurs"
    return Case((counts,), (_ENTROPY.right()(counts),), behaviour=behaviour)


ENTROPY = _ENTROPY.exercise(
    Code(
        "entropy",
        (
            _case([5, 5]),
            _case([7, 3]),
            _case([10, 0]),
            _case([1, 1, 2]),
            _case([1, 1, 1, 1]),
            _case([0, 6, 2]),
            _case([4]),
            _case([6, 2, 0]),
        ),
        tolerance=0.001,
        fresh=_fresh,
    ),
    seen={"zero": _zero_trouble, "just two": stops("ValueError", "unpack")},
)
