"""Cuts of a column: all that there are, the best one, and where two bell curves cross."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import generators, stops

_ALIKE = 1e-9
_MIDPOINTS = page(__file__, "candidates")
midpoints = _MIDPOINTS.right()


def parted(
    values: Sequence[float], labels: Sequence[str], cut: float
) -> tuple[list[int], list[int]]:
    """How many of each label lie below a cut, and how many at or above it."""
    names = sorted(set(labels))
    pairs = list(zip(values, labels, strict=True))
    below = [label for value, label in pairs if value < cut]
    above = [label for value, label in pairs if value >= cut]
    return [below.count(n) for n in names], [above.count(n) for n in names]


def remaining(below: Sequence[int], above: Sequence[int]) -> float:
    """H(Y|X) of the two sides, in bits."""
    n = sum(below) + sum(above)
    return sum(sum(side) / n * entropy_of(side) for side in (below, above) if sum(side))


def best_cuts(
    values: Sequence[float],
    labels: Sequence[str],
    cost: Callable[[Sequence[int], Sequence[int]], float] = remaining,
) -> list[float]:
    """All midpoints with the least cost."""
    costs = {cut: cost(*parted(values, labels, cut)) for cut in midpoints(values)}
    least = min(costs.values())
    return [cut for cut, one in costs.items() if one <= least + _ALIKE]


_SHOWN = ("the order of the values", "a value that comes several times", "numbers below 0")


def _midpoints_case(values: list[int], behaviour: str) -> Case:
    return Case((values,), (midpoints(values),), behaviour=behaviour)


def _fresh_columns(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(-20, 20, size=n).tolist() for n in (5, 12, 30)]
    return tuple(
        _midpoints_case(values, behaviour) for values, behaviour in zip(drawn, _SHOWN, strict=True)
    )


CANDIDATES = _MIDPOINTS.exercise(
    Code(
        "candidate_thresholds",
        (
            _midpoints_case([60, 70, 75, 85], _SHOWN[0]),
            _midpoints_case([85, 60, 75, 70], _SHOWN[0]),
            _midpoints_case([3, 4], _SHOWN[0]),
            _midpoints_case([7, 3, 3], _SHOWN[1]),
            _midpoints_case([1, 2, 2, 2, 5], _SHOWN[1]),
            _midpoints_case([8, 8, 8], _SHOWN[1]),
            _midpoints_case([-4, 4, 1], _SHOWN[2]),
            _midpoints_case([-6, -9], _SHOWN[2]),
        ),
        fresh=_fresh_columns,
    ),
    seen={
        "generator": generators,
        "no list": stops((), "'NoneType' object"),
        "no number": stops("TypeError", "'NoneType' and", "and 'NoneType'"),
        "past the end": stops("IndexError"),
    },
)


_BINARY = page(__file__, "binary-features")
_PLACES = (
    "what lies below and what does not",
    "a value that is exactly a threshold",
    "the order",
)


def _features_case(values: list[float], thresholds: list[float], behaviour: str) -> Case:
    ones = _BINARY.right()(values, thresholds)
    # A truth value says the same as a 1 or a 0.
    truths = [[bool(x) for x in row] for row in ones]
    return Case((values, thresholds), (ones, truths), wanted=str(ones), behaviour=behaviour)


def _fresh_features(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for (n, m), behaviour in zip(((6, 4), (5, 7), (4, 3)), _PLACES, strict=True):
        values = rng.integers(0, 20, size=n).tolist()
        thresholds = rng.integers(0, 20, size=m) + 0.5
        if behaviour == _PLACES[1]:
            thresholds[0] = values[0]
        in_order = behaviour != _PLACES[2]
        own = np.sort(thresholds) if in_order else rng.permutation(thresholds)
        drawn.append(_features_case(values, own.tolist(), behaviour))
    return tuple(drawn)


BINARY_FEATURES = _BINARY.exercise(
    Code(
        "binary_features",
        (
            _features_case([3, 8], [5, 8], _PLACES[1]),
            _features_case([60, 70, 75], [-inf, 65, 72.5, inf], _PLACES[0]),
            _features_case([1, 2, 3], [2], _PLACES[1]),
            _features_case([5], [5, 6, 7], _PLACES[1]),
            _features_case([5], [4, 6, 7], _PLACES[0]),
            _features_case([9, 4, 4], [4.5, 7], _PLACES[2]),
            _features_case([6, 1], [9, 5, 7], _PLACES[2]),
        ),
        fresh=_fresh_features,
    ),
    seen={"generator": generators},
)


_MANY, _FIRST_B = 8_000, 2_500


def _too_slow(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Only the large case hangs."""
    last = len(_SEARCHES) - 1
    hung = [i for i, o in enumerate(outcomes) if o.kind == "hung"]
    return (last,) if hung == [last] else ()


def _widest(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The wrong cases, where every cut lies in a gap than which none is wider."""
    found = []
    for i, (case, outcome) in enumerate(zip(_SEARCHES, outcomes, strict=False)):
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


def _search_case(values: list[float], labels: str, behaviour: str = _USUAL) -> Case:
    wants = tuple(best_cuts(values, list(labels)))
    return Case((values, list(labels)), wants, behaviour=behaviour)


def _large() -> Case:
    """Many rows out of order, with one best cut that can be told without counting."""
    values = [i * 3_001 % _MANY for i in range(_MANY)]
    labels = ["a" if value < _FIRST_B else "b" for value in values]
    return Case((values, labels), (_FIRST_B - 0.5,), says="8,000 rows", behaviour=_SWIFT)


def _fresh_searches(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for n, k, behaviour in ((8, 2, _USUAL), (20, 2, _SWIFT), (40, 3, _USUAL)):
        values = [float(x) for x in rng.permutation(3 * n)[:n]]
        drawn.append(
            _search_case(values, "".join("abc"[c] for c in rng.integers(0, k, n)), behaviour)
        )
    often = [float(x) for x in rng.integers(0, 6, 15)]
    drawn.append(_search_case(often, "".join("ab"[c] for c in rng.integers(0, 2, 15)), _SHARED))
    return tuple(drawn)


_SEARCHES = (
    _search_case([60, 70, 75, 85, 90, 95, 100, 120, 125, 220], "nnnyyynnnn"),
    _search_case([5, 1, 4, 2, 8, 7], "baabbb"),
    _search_case([2, 5, 1, 2, 4, 3], "bbaabb", _SHARED),
    _search_case([2, 4, 6, 8, 10, 12, 14, 16], "abaaabbb"),
    _search_case([3, 9, 1, 7, 5, 11], "abcabc"),
    _search_case([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "aabbbaabaaa"),
    _search_case([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20], "abbabaaaaab"),
    _search_case([10, 20, 30, 40, 50, 60, 70, 80, 90], "aabbbbbba"),
    # Gini's index would cut elsewhere; and values with rows of both classes.
    _search_case([1, 2, 3, 4, 5, 6, 7, 8], "aabaabba"),
    _search_case([1, 1, 2, 2, 3, 4, 5, 5], "aaabbbab", _SHARED),
    _search_case([1, 1, 1, 2, 4, 4, 5, 6], "aabaabbb", _SHARED),
    # A few rows beside the many: one number is not enough for both.
    _search_case([1, 2, 3, 4, 5, 6, 7, 8], "bbabbaba", _SWIFT),
    _large(),
)


BEST_THRESHOLD = page(__file__, "best-threshold").exercise(
    Code("best_threshold", _SEARCHES, fresh=_fresh_searches),
    seen={"too slow": _too_slow, "widest": _widest},
)


_GAUSSIAN = page(__file__, "gaussian")
_PRIORS, _SIDES, _TAU = "the priors", "which class has the larger mean", "τ"


def _gaussian_case(behaviour: str, *args: float) -> Case:
    return Case(args, (_GAUSSIAN.right()(*args),), behaviour=behaviour)


def _fresh_bells(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for behaviour, taus in ((_PRIORS, [1]), (_SIDES, [1]), (_TAU, [0.5, 4]), (_TAU, [2, 3])):
        minus, plus = sorted(rng.choice(range(10, 60), 2, replace=False).tolist())
        if behaviour == _SIDES:
            minus, plus = plus, minus
        tau, p_plus = float(rng.choice(taus)), float(rng.choice([0.2, 0.6]))
        drawn.append(_gaussian_case(behaviour, plus, minus, int(rng.integers(4, 50)), p_plus, tau))
    return tuple(drawn)


GAUSSIAN = _GAUSSIAN.exercise(
    Code(
        "gaussian_threshold",
        (
            _gaussian_case(_PRIORS, 10, 4, 9, 0.5),
            _gaussian_case(_PRIORS, 10, 4, 9, 0.25),
            _gaussian_case(_SIDES, 4, 10, 9, 0.25),
            _gaussian_case(_SIDES, 90, 110, 1790, 0.3),
            _gaussian_case(_TAU, 10, 4, 9, 0.5, 3),
            _gaussian_case(_TAU, 10, 4, 9, 0.8, 0.5),
            _gaussian_case(_TAU, 31.5, 32, 0.25, 0.4, 2),
        ),
        tolerance=0.001,
        fresh=_fresh_bells,
    ),
    seen={"no brackets": stops("ValueError", "math domain")},
)
