"""The stump with the fewest errors, and the best stump on weighted rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code, Goal, Grow, when
from dtree_lab.course.tasks.do import Handed
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.table.table import Table

_LETTERS = (
    ("No", 8, 12, "No"),
    ("No", 7, 29, "Yes"),
    ("No", 5, 57, "Yes"),
    ("Yes", 4, 52, "No"),
    ("No", 2, 15, "Yes"),
    ("Yes", 4, 4, "No"),
    ("No", 0, 56, "No"),
    ("No", 2, 17, "No"),
    ("No", 5, 9, "Yes"),
    ("Yes", 4, 27, "No"),
    ("No", 5, 26, "No"),
    ("No", 8, 8, "Yes"),
)
_STUMP, _FEWEST = 3, 3


def letters() -> Table:
    """Twelve letters, as the lesson types them in."""
    names = ["Known sender", "Links", "Capitals", "Spam"]
    return Table.from_rows(_LETTERS, target="Spam", names=names)


def _errors(handed: Handed) -> int:
    return round(handed.tree.error(letters()) * len(_LETTERS))


def _asks(handed: Handed, name: str) -> bool:
    split = handed.tree.flat.split(0, handed.tree.attributes)
    return split is not None and handed.tree.attributes[split.attribute].name == name


def _one(handed: Handed) -> bool:
    return handed.tree.n_nodes == _STUMP


FEWEST_ERRORS = page(__file__, "fewest-errors").exercise(
    Grow(
        letters,
        (
            Goal(_one, lambda h: f"nodes: {h.tree.n_nodes}", "one question and two leaves"),
            Goal(
                lambda h: _errors(h) <= _FEWEST,
                lambda h: f"letters wrong: {_errors(h)} of {len(_LETTERS)}",
                "the fewest that one question can have",
            ),
        ),
    ),
    seen={
        "bits": Mistake(
            by_hand(letters(), {(): "Known sender"}),
            when=when(lambda h: _one(h) and _asks(h, "Known sender"), 1),
        ),
        "links": Mistake(
            by_hand(letters(), {(): ("Links", 1)}),
            when=when(lambda h: _one(h) and _asks(h, "Links"), 1),
        ),
        "capitals": Mistake(
            by_hand(letters(), {(): ("Capitals", 20)}),
            when=when(lambda h: _one(h) and _asks(h, "Capitals"), 1),
        ),
        "not a stump": Mistake(
            id3(letters()),
            when=when(lambda h: not _one(h), 0),
        ),
    },
)


def offers(
    xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]
) -> list[tuple[float, float, int]]:
    """Every stump: the weight of the rows that it gets wrong, the cut, and what it says below."""
    found = []
    for cut in [(low + high) / 2 for low, high in pairwise(sorted(set(xs)))]:
        for below in (1, -1):
            said = [below if x < cut else -below for x in xs]
            wrong = sum(w for s, y, w in zip(said, labels, weights, strict=True) if s != y)
            found.append((wrong, cut, below))
    return found


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
    """The cases that are wrong, if all of those have rows that do not come in order.

    Where it says the same of all rows, it goes wrong by another mistake.
    """
    alike = [o.kind == "values" and len({*o.value[0]}) == 1 for o in outcomes]
    found = [i for i in _wrong(outcomes) if not alike[i]]
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
    # The label that is heavier below each cut is better said above it.
    _case([1, 2, 3, 4], [1, 1, -1, 1], [0.1, 0.35, 0.1, 0.45]),
    _case([1, 2, 3, 4], [-1, -1, 1, -1], [0.15, 0.2, 0.15, 0.5]),
)
BEST_STUMP = page(__file__, "best-stump").exercise(
    Code("best_stump", CASES, fresh=_fresh),
    seen={
        "shape": _shape,
        "counted": _when(_counts, 3),
        "out of order": _only_out_of_order,
        "another stump": _other_stump,
        "worst": _when(_largest, 4),
    },
)
