"""The best cut, found by walking a column once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.thresholds.candidates import best_cuts
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code


def wrong_rows(below: Sequence[int], above: Sequence[int]) -> float:
    """The rows that are not of their side's majority."""
    return sum(sum(side) - max(side) for side in (below, above))


_MANY, _FIRST_B = 8_000, 2_500


def _too_slow(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Only the large case hangs."""
    last = len(_CASES) - 1
    hung = [i for i, o in enumerate(outcomes) if o.kind == "hung"]
    return (last,) if hung == [last] else ()


def _widest(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The wrong cases, where every cut lies in a gap than which none is wider."""
    found = []
    for i, (case, outcome) in enumerate(zip(_CASES, outcomes, strict=False)):
        values = sorted(set(case.args[0]))
        gaps = {(low + high) / 2: high - low for low, high in pairwise(values)}
        if gaps.get(outcome.value) != max(gaps.values()):
            return []
        found += [i] if outcome.value not in case.wants else []
    return found


_USUAL, _SHARED, _SWIFT = (
    "the least entropy, weighed",
    "a value that several rows share",
    "many rows in little time",
)


def _case(values: list[float], labels: str, behaviour: str = _USUAL) -> Case:
    wants = tuple(best_cuts(values, list(labels)))
    return Case((values, list(labels)), wants, behaviour=behaviour)


def _large() -> Case:
    """Many rows out of order, with one best cut that can be told without counting."""
    values = [i * 3_001 % _MANY for i in range(_MANY)]
    labels = ["a" if value < _FIRST_B else "b" for value in values]
    return Case((values, labels), (_FIRST_B - 0.5,), says="8,000 rows", behaviour=_SWIFT)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for n, k, behaviour in ((8, 2, _USUAL), (20, 2, _SWIFT), (40, 3, _USUAL)):
        values = [float(x) for x in rng.permutation(3 * n)[:n]]
        drawn.append(_case(values, "".join("abc"[c] for c in rng.integers(0, k, n)), behaviour))
    often = [float(x) for x in rng.integers(0, 6, 15)]
    drawn.append(_case(often, "".join("ab"[c] for c in rng.integers(0, 2, 15)), _SHARED))
    return tuple(drawn)


_CASES = (
    _case([60, 70, 75, 85, 90, 95, 100, 120, 125, 220], "nnnyyynnnn"),
    _case([5, 1, 4, 2, 8, 7], "baabbb"),
    _case([2, 5, 1, 2, 4, 3], "bbaabb", _SHARED),
    _case([2, 4, 6, 8, 10, 12, 14, 16], "abaaabbb"),
    _case([3, 9, 1, 7, 5, 11], "abcabc"),
    _case([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "aabbbaabaaa"),
    _case([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20], "abbabaaaaab"),
    _case([10, 20, 30, 40, 50, 60, 70, 80, 90], "aabbbbbba"),
    # Gini's index would cut elsewhere; and values with rows of both classes.
    _case([1, 2, 3, 4, 5, 6, 7, 8], "aabaabba"),
    _case([1, 1, 2, 2, 3, 4, 5, 5], "aaabbbab", _SHARED),
    _case([1, 1, 1, 2, 4, 4, 5, 6], "aabaabbb", _SHARED),
    # A few rows beside the many: one number is not enough for both.
    _case([1, 2, 3, 4, 5, 6, 7, 8], "bbabbaba", _SWIFT),
    _large(),
)


BEST_THRESHOLD = page(__file__, "best-threshold").exercise(
    Code("best_threshold", _CASES, fresh=_fresh),
    seen={"too slow": _too_slow, "widest": _widest},
)
