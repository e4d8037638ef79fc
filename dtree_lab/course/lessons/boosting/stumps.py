"""The exercise in which a learner writes the search for a stump."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome

_THREE, _CLOSE = 3, 1e-6


def offers(
    xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]
) -> list[tuple[float, float, int]]:
    """Every stump: the weight of the rows that it gets wrong, the cut, and what it says below."""
    found = []
    for low, high in pairwise(sorted(set(xs))):
        cut = (low + high) / 2
        for below in (1, -1):
            said = [below if x < cut else -below for x in xs]
            rows = zip(said, labels, weights, strict=True)
            found.append((sum(w for s, y, w in rows if s != y), cut, below))
    return found


def _best(xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]) -> tuple[Any, ...]:
    error, cut, below = min(offers(xs, labels, weights))
    return cut, below, error


def _read(function: Callable[..., Any], xs: list[float], *rest: list[Any]) -> Any:
    """What the stump says of each row, and its error: cuts that part the rows alike are alike."""
    found = function(xs, *rest)
    if found is None:
        return None
    if not isinstance(found, tuple | list) or len(found) != _THREE:
        raise ValueError("three things are to come back: the cut, the label below it, the error")
    cut, below, error = found
    # Of the middles of neighbours, as the task asks; another place within the gap is as good.
    return tuple(below if x < cut else -below for x in xs), error


def _case(xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]) -> Case:
    all_of_them = offers(xs, labels, weights)
    least = min(all_of_them)[0]
    wants = tuple(
        (tuple(below if x < cut else -below for x in xs), least)
        for error, cut, below in all_of_them
        if error <= least + 1e-9
    )
    shown = ", ".join(str(list(part)) for part in (xs, labels, weights))
    said = " or ".join(f"{error:.3g}, with the labels {list(s)}" for s, error in wants[:2])
    return Case(
        (list(xs), list(labels), list(weights)), wants, shown, wanted=f"error {said},", via=_read
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (5, 8, 12):
        xs = [int(x) for x in rng.permutation(30)[:n]]
        labels = [1, -1, *(int(y) for y in rng.choice([1, -1], n - 2))]
        parts = rng.integers(1, 9, n)
        cases.append(_case(xs, labels, [float(p) for p in parts / parts.sum()]))
    return tuple(cases)


def _counting(xs: list[float], labels: list[int], weights: list[float]) -> Any:
    cut, below, wrong = _best(xs, labels, [1 / len(weights)] * len(weights))
    return cut, below, wrong


def _one_way(xs: list[float], labels: list[int], weights: list[float]) -> Any:
    error, cut, below = min(one for one in offers(xs, labels, weights) if one[2] == 1)
    return cut, below, error


def _as_given(xs: list[float], labels: list[int], weights: list[float]) -> Any:
    found = []
    for low, high in pairwise(xs):
        cut = (low + high) / 2
        for below in (1, -1):
            said = [below if x < cut else -below for x in xs]
            wrong = sum(w for s, y, w in zip(said, labels, weights, strict=True) if s != y)
            found.append((wrong, cut, below))
    error, cut, below = min(found)
    return cut, below, error


def _right_weight(xs: list[float], labels: list[int], weights: list[float]) -> Any:
    cut, below, error = _best(xs, labels, weights)
    return cut, below, sum(weights) - error


def _worst(xs: list[float], labels: list[int], weights: list[float]) -> Any:
    error, cut, below = max(offers(xs, labels, weights))
    return cut, below, error


def _first(xs: list[float], labels: list[int], weights: list[float]) -> Any:
    error, cut, below = offers(xs, labels, weights)[0]
    return cut, below, error


def _told(outcomes: tuple[Outcome, ...], says: Callable[..., tuple[float, ...]]) -> list[int]:
    """The cases whose error is one of those that a mistake would give.

    Not the stump is compared: of several that are equally wrong a learner may take any.
    """
    found = []
    for i, (case, outcome) in enumerate(zip(CASES, outcomes, strict=False)):
        if outcome.kind != "values" or len(outcome.value) != 2:  # noqa: PLR2004 - see _read
            continue
        given = outcome.value[1]
        found += [i] if any(abs(given - e) < _CLOSE for e in says(*case.args)) else []
    return found


def _counts(xs: list[float], labels: list[int], weights: list[float]) -> tuple[float, ...]:
    if len(set(weights)) == 1:
        return ()  # to count and to weigh come to the same
    wrong = min(offers(xs, labels, [1.0] * len(xs)))[0]
    return wrong, wrong / len(xs)


def _largest(*rows: Any) -> tuple[float, ...]:
    return (max(offers(*rows))[0],)


def _when(says: Callable[..., tuple[float, ...]], least: int) -> Callable[..., list[int]]:
    """Recognises a mistake by its errors, seen in so many cases at least."""

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        found = _told(outcomes, says)
        return found if len(found) >= least else []

    return recognise


def _neighbours_in_the_list(*rows: Any) -> tuple[float, ...]:
    least, given = min(offers(*rows))[0], _as_given(*rows)[2]
    return (given,) if given > least + _CLOSE else ()


def _shape(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which not three things came back, or the second is no label."""
    return [
        i
        for i, o in enumerate(outcomes)
        if "three things are to come back" in o.says
        or (o.kind == "values" and len(o.value) == 2 and not set(o.value[0]) <= {1, -1})  # noqa: PLR2004 - see _read
    ]


CASES = (
    _case([1, 2, 3, 4], [1, 1, -1, -1], [0.25, 0.25, 0.25, 0.25]),
    _case([1, 2, 3, 4], [-1, -1, -1, 1], [0.25, 0.25, 0.25, 0.25]),
    _case([1, 2, 3, 4, 5], [1, -1, 1, 1, -1], [0.1, 0.1, 0.1, 0.1, 0.6]),
    _case([1, 2, 3, 4, 5], [1, -1, 1, 1, -1], [0.1, 0.6, 0.1, 0.1, 0.1]),
    _case([5, 20, 1, 6, 3], [1, -1, 1, -1, -1], [0.2, 0.2, 0.2, 0.2, 0.2]),
    _case([3, 3, 8, 8, 5], [1, -1, 1, 1, -1], [0.15, 0.15, 0.2, 0.2, 0.3]),
)

BEST_STUMP = Exercise(
    id="boosting/best-stump",
    title="The best stump on weighted rows",
    points=4,
    answer="best_stump",
    task=Code(
        "best_stump",
        CASES,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda *rows: _best(*rows)[:2],
            "Three things are asked for, in this order: the cut, the label below it, and the"
            " weighted error.",
            when=_shape,
        ),
        Mistake(
            _counting,
            "It counts the wrong rows, as if all weighed the same. The error of a stump is how much"
            " its wrong rows *weigh*.",
            when=_when(_counts, 3),
        ),
        Mistake(
            _one_way,
            "It tries only one way round. Below the cut a stump may say 1, and it may say -1;"
            " both are to be tried at each place.",
        ),
        Mistake(
            _as_given,
            "It takes neighbours in the list for neighbours on the line. The rows come in any"
            " order: sort the values first.",
            when=_when(_neighbours_in_the_list, 1),
        ),
        Mistake(
            _right_weight,
            "The stump is right, and the number with it is the weight of the rows that it gets"
            " right. Asked for is the rest.",
        ),
        Mistake(
            _worst,
            "It finds the largest error. The best stump has the smallest.",
            when=_when(_largest, 4),
        ),
        Mistake(
            _first,
            "It stops at the first cut that it tries. Where does ``return`` stand? Indented like"
            " the lines of the loop, it ends the loop in its first round.",
        ),
    ),
    more="Three loops inside one another: over the cuts (half-way between neighbours of"
    " ``sorted(set(xs))``), over 1 and -1 for the label below the cut, and over the rows, to add"
    " up the weights of those that come out wrong. Keep the best so far.",
    solution="""def best_stump(xs, labels, weights):
    best = None
    values = sorted(set(xs))
    for low, high in zip(values, values[1:]):
        cut = (low + high) / 2
        for below in (1, -1):
            error = 0.0
            for x, label, weight in zip(xs, labels, weights):
                says = below if x < cut else -below
                if says != label:
                    error += weight
            if best is None or error < best[2]:
                best = cut, below, error
    return best
""",
    why="Every cut, both ways round, and the smallest sum of wrong weights. Sorted once, one pass"
    " from left to right would do: the error changes by one weight at a time. That is why stumps"
    " are fast.",
)
