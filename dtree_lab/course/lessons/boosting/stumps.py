"""The exercise in which a learner writes the search for a stump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.boosting import missed
from dtree_lab.course.lessons.boosting.missed import offers
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dtree_lab.course.calls import Outcome

_THREE, _CLOSE = 3, 1e-6


def _read(function: Callable[..., Any], xs: list[float], *rest: list[Any]) -> Any:
    """What the stump says of each row, and its error: cuts that part the rows alike are alike."""
    found = function(xs, *rest)
    if found is None:
        return None
    if not isinstance(found, tuple | list) or len(found) != _THREE:
        raise ValueError("three things are to come back: the cut, the label below it, the error")
    cut, below, error = found
    if isinstance(cut, str) or isinstance(below, str) or below not in (1, -1):
        raise ValueError("the second thing is to be the label below the cut: the number 1 or -1")
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
        (list(xs), list(labels), list(weights)),
        wants,
        shown,
        wanted=f"error {said},",
        via=_read,
        behaviour=_shows(xs, weights),
    )


def _shows(xs: Sequence[float], weights: Sequence[float]) -> str:
    if list(xs) != sorted(set(xs)):
        return "rows in any order, some with equal values"
    alike = len(set(weights)) == 1
    return "rows that weigh the same" if alike else "rows that do not weigh the same"


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n, sort, alike in (
        (5, True, True),
        (8, True, True),
        (8, True, False),
        (12, True, False),
        (5, False, False),
        (12, False, False),
    ):
        xs = [int(x) for x in rng.permutation(30)[:n]]
        labels = [1, -1, *(int(y) for y in rng.choice([1, -1], n - 2))]
        parts = np.ones(n) if alike else np.array([1, 9, *rng.integers(1, 9, n - 2)])
        # Out of order for certain, and the last two rows of one value.
        xs = sorted(xs) if sort else [30, *xs[: n - 3], 0, 0]
        cases.append(_case(xs, labels, [float(p) for p in parts / parts.sum()]))
    return tuple(cases)


def _told(outcomes: tuple[Outcome, ...], says: Callable[..., tuple[float, ...]]) -> list[int]:
    """The cases whose error is one of those that a mistake would give.

    Not the stump is compared: of several that are equally wrong a learner may take any.
    """
    found = []
    for i, (case, outcome) in enumerate(zip(CASES, outcomes, strict=False)):
        if outcome.kind == "values":
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


def _wrong(outcomes: tuple[Outcome, ...]) -> list[int]:
    lines = BEST_STUMP.task.judge(outcomes[: len(CASES)])  # hidden ones tell the same
    return [i for i, line in enumerate(lines) if not line.passed]


def _only_out_of_order(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases that are wrong, if all of those have rows that do not come in order."""
    found = _wrong(outcomes)
    ordered = [list(case.args[0]) == sorted(case.args[0]) for case in CASES]
    return [] if any(i >= len(CASES) or ordered[i] for i in found) else found


def _other_stump(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases whose error is right and does not belong to the stump that came with it."""
    right = _told(outcomes, lambda *rows: (min(offers(*rows))[0],))
    found = [i for i in _wrong(outcomes) if i in right]
    return found if len(found) >= 2 else []  # noqa: PLR2004 - once may be chance


def _shape(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which not three things came back, or the second is no label."""
    told = ("three things are to come back", "the second thing is to be the label")
    return [i for i, o in enumerate(outcomes) if o.says and any(one in o.says for one in told)]


CASES = (
    _case([1, 2, 3, 4], [1, 1, -1, -1], [0.25, 0.25, 0.25, 0.25]),
    _case([1, 2, 3, 4], [-1, -1, -1, 1], [0.25, 0.25, 0.25, 0.25]),
    _case([1, 2, 3, 4, 5], [1, -1, 1, 1, -1], [0.1, 0.1, 0.1, 0.1, 0.6]),
    _case([1, 2, 3, 4, 5], [1, -1, 1, 1, -1], [0.1, 0.6, 0.1, 0.1, 0.1]),
    _case([5, 20, 1, 6, 3], [1, -1, 1, -1, 1], [0.2, 0.2, 0.2, 0.2, 0.2]),
    _case([3, 3, 8, 8, 5], [1, -1, 1, 1, -1], [0.15, 0.15, 0.2, 0.2, 0.3]),
)
_ONE_WAY = (
    "It tries only one way round. Below the cut a stump may say 1, and it may say -1;"
    " both are to be tried at each place."
)

BEST_STUMP = Exercise(
    id="boosting/best-stump",
    title="The best stump on weighted rows",
    points=4,
    heading="the best stump",
    text="""Write `best_stump(xs, labels, weights)`. The labels are 1 and −1; the xs are in any
order, and some may be equal. Return three things: the **cut** (half-way between neighbours), the
label **below** it (above it the stump says the other), and its **weighted error**. In a tie any of
the best will do. (The check looks at the labels that your stump gives to the rows, and at its
error.)""",
    stub="""def best_stump(xs, labels, weights):
    # your lines, in place of the dots
    ...""",
    answer="best_stump",
    task=Code(
        "best_stump",
        CASES,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda *rows: missed.best(*rows)[:2],
            "Three things are asked for, in this order: the cut, the label below it (the number 1"
            " or the number -1), and the weighted error.",
            when=_shape,
        ),
        Mistake(
            missed.counted,
            "It counts the wrong rows, as if all weighed the same. The error of a stump is how much"
            " its wrong rows *weigh*.",
            when=_when(_counts, 3),
        ),
        Mistake(lambda *rows: missed.one_way(1, *rows), _ONE_WAY),
        Mistake(lambda *rows: missed.one_way(-1, *rows), _ONE_WAY),
        Mistake(
            missed.as_given,
            "It goes wrong only where the rows do not come in order. Neighbours in the list need"
            " not be neighbours on the line: sort the values before you look for cuts. And a label"
            " and a weight stay with their row, wherever its value goes.",
            when=_only_out_of_order,
        ),
        Mistake(
            missed.right_weight,
            "The stump is right, and the number with it is the weight of the rows that it gets"
            " right. Asked for is the rest.",
        ),
        Mistake(
            missed.divided,
            "The error is divided by the number of rows. The weights are shares already: the wrong"
            " ones are added up, and that is all.",
        ),
        Mistake(
            missed.label_above,
            "The error is that of the best stump, and the stump that comes with it is another. Is"
            " the label the one *below* the cut? And does the cut lie between two values? A row on"
            " the cut itself counts as above it.",
            when=_other_stump,
        ),
        Mistake(
            missed.worst,
            "It finds the largest error. The best stump has the smallest.",
            when=_when(_largest, 4),
        ),
        Mistake(
            missed.first,
            "It always gives the first stump that it tries. Does a ``return`` stand inside the"
            " loop, and end it in its first round? Or does the sum of wrong weights go on growing"
            " from one stump to the next, instead of starting from 0?",
        ),
        Mistake(
            missed.at_the_last_cut,
            "What it gives comes from the last cut, however good an earlier one was. Is the best so"
            " far forgotten in each round of the loop?",
        ),
        Mistake(
            missed.without_the_last_cut,
            "It never tries the last cut. Between n different values there are n - 1 places to"
            " cut.",
        ),
    ),
    more="Sort the rows by x, each with its label and weight. Begin with the cut below all of them"
    " and 1 below it: then every row is told -1, and the error is the weight of those labelled 1."
    " Now let the cut pass one row after the other. Only that row changes sides: a -1 adds its"
    " weight to the error, a 1 takes it off. The other way round is wrong about all the rest. Look"
    " at the error only where the next x is a larger one, and keep the best so far.",
    solution="""def best_stump(xs, labels, weights):
    rows = sorted(zip(xs, labels, weights))
    error = sum(weight for _, label, weight in rows if label == 1)  # all are told -1
    total, best = sum(weights), None
    for (x, label, weight), (above, _, _) in zip(rows, rows[1:]):
        error += weight if label == -1 else -weight  # this row is told 1 from now on
        if x == above:
            continue  # no cut parts equal values
        for below, wrong in ((1, error), (-1, total - error)):
            if best is None or wrong < best[2]:
                best = (x + above) / 2, below, wrong
    return best
""",
    why="Once sorted, one pass finds it, because the error changes by one weight at a time: that is"
    " why stumps are fast. To add up the wrong rows anew for each cut, both ways round, is as right"
    " and takes a loop more.",
)
