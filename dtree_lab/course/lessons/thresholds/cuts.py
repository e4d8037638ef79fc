"""Cuts of a column: all that there are, the best one, and where two bell curves cross."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case

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


def _midpoints_case(behaviour: str, values: list[int]) -> Case:
    return Case((values,), (midpoints(values),), behaviour=behaviour)


def _fresh_columns(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(-20, 20, size=n).tolist() for n in (5, 12, 30)]
    return tuple(map(_midpoints_case, _SHOWN, drawn))


CANDIDATES = _MIDPOINTS.function(_midpoints_case, _fresh_columns)


_BINARY = page(__file__, "binary-features")
_PLACES = (
    "what lies below and what does not",
    "a value that is exactly a threshold",
    "the order",
)


def _features_case(behaviour: str, values: list[float], thresholds: list[float]) -> Case:
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
        drawn.append(_features_case(behaviour, values, own.tolist()))
    return tuple(drawn)


BINARY_FEATURES = _BINARY.function(_features_case, _fresh_features)


_BEST = page(__file__, "best-threshold")
_MANY, _FIRST_B = 8_000, 2_500


def _too_slow(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Only the large case hangs."""
    last = len(_BEST.cases) - 1
    hung = [i for i, o in enumerate(outcomes) if o.kind == "hung"]
    return (last,) if hung == [last] else ()


def _widest(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The wrong cases, where every cut lies in a gap than which none is wider."""
    own = outcomes[: len(_BEST.cases)]
    for (_, values, _), outcome in zip(_BEST.cases, own, strict=True):
        pairs = pairwise(sorted(set(values)))
        gaps = {(low + high) / 2: high - low for low, high in pairs}
        if gaps.get(outcome.value) != max(gaps.values()):
            return []
    lines = BEST_THRESHOLD.task.judge(own)
    return [i for i, line in enumerate(lines) if not line.passed]


_USUAL, _SHARED, _SWIFT = (
    "the least entropy, weighed",
    "a value that several rows share",
    "many rows in little time",
)


def _search_case(behaviour: str, values: list[float], labels: str) -> Case:
    many = len(values) == _MANY  # out of order, with one best cut that can be told without counting
    wants = (_FIRST_B - 0.5,) if many else tuple(best_cuts(values, list(labels)))
    says = f"{_MANY:,} rows" if many else ""
    return Case((values, list(labels)), wants, says, behaviour=behaviour)


def _fresh_searches(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for n, k, behaviour in ((8, 2, _USUAL), (20, 2, _SWIFT), (40, 3, _USUAL)):
        values = [float(x) for x in rng.permutation(3 * n)[:n]]
        labels = "".join("abc"[c] for c in rng.integers(0, k, n))
        drawn.append(_search_case(behaviour, values, labels))
    often = [float(x) for x in rng.integers(0, 6, 15)]
    drawn.append(_search_case(_SHARED, often, "".join("ab"[c] for c in rng.integers(0, 2, 15))))
    return tuple(drawn)


BEST_THRESHOLD = _BEST.function(
    _search_case, _fresh_searches, {"too slow": _too_slow, "widest": _widest}
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


GAUSSIAN = _GAUSSIAN.function(_gaussian_case, _fresh_bells)
