"""What shuffling an attribute costs."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from dtree_lab.base.text import number
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_PAGE = page(__file__, "permuted")
Row = dict[str, Any]
Predict = Callable[[Row], str]
_CHANGED = "right, but the rows that it was given have changed"
_TOLERANCE = 1e-6


def by_size(row: Row) -> str:
    """A tree with one question."""
    return "Yes" if row["size"] > 5 else "No"  # noqa: PLR2004 - a cut


def by_both(row: Row) -> str:
    """A tree with two."""
    return "Yes" if row["size"] > 5 and row["colour"] == "red" else "No"  # noqa: PLR2004 - a cut


def _case(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> Case:
    shown = f"{predict.__name__}, {len(rows)} rows, labels, {name!r}, {order}"
    questions = "one question" if predict is by_size else "two questions"
    given = predict, rows, labels, name, order
    return Case(given, (_PAGE.right()(*given),), shown, behaviour=f"a tree with {questions}")


def _watched(function: Callable[..., Any], *given: Any) -> Any:
    """What a function gives; or, if that is right, that it has changed what it was given."""
    before = copy.deepcopy(given[1:])
    result = function(*given)
    if given[1:] == before or not isinstance(result, int | float):
        return result
    want = _PAGE.right()(given[0], *before)
    return _CHANGED if math.isclose(result, want, abs_tol=_TOLERANCE) else result


def _kept(case: Case) -> Case:
    """A case in which the rows must be afterwards what they were."""
    wanted = f"{number(case.wants[0])}, and the rows as they were,"
    return replace(case, via=_watched, wanted=wanted, behaviour="rows that are left as they were")


def _rows(pairs: Iterable[tuple[int, str]]) -> list[Row]:
    return [{"size": size, "colour": colour} for size, colour in pairs]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for predict, n in ((by_both, 5), (by_size, 9)):
        sizes, colours = rng.integers(1, 11, n).tolist(), rng.choice(["red", "blue"], n).tolist()
        rows = _rows(zip(sizes, colours, strict=True))
        labels, order = rng.choice(["Yes", "No"], n).tolist(), rng.permutation(n).tolist()
        cases += [_case(predict, rows, labels, name, order) for name in ("size", "colour")]
    return (*cases, *(_kept(case) for case in cases if case.wants[0]))


_FIVE = _rows([(2, "red"), (8, "red"), (9, "blue"), (4, "blue"), (7, "red")])
_FIVE_LABELS = ["No", "Yes", "Yes", "No", "Yes"]
_TURNED = ["Yes", "No", "Yes", "No", "Yes"]
_SIX = _rows([(1, "red"), (9, "red"), (8, "red"), (3, "blue"), (7, "blue"), (6, "red")])
_SIX_LABELS = ["No", "Yes", "No", "No", "No", "Yes"]

_CASES = (
    _case(by_size, _FIVE, _FIVE_LABELS, "size", [1, 0, 3, 2, 4]),
    _case(by_size, _FIVE, _FIVE_LABELS, "colour", [1, 2, 3, 4, 0]),
    _case(by_both, _SIX, _SIX_LABELS, "size", [1, 2, 3, 4, 5, 0]),
    _case(by_both, _SIX, _SIX_LABELS, "colour", [3, 4, 5, 0, 1, 2]),
    _case(by_both, _FIVE, _FIVE_LABELS, "colour", [4, 2, 1, 3, 0]),
    _case(by_size, _FIVE, _TURNED, "size", [1, 0, 2, 3, 4]),  # it helps, by luck
)


def _lacks(*names: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises where a row has no entry of one of some names."""
    says = [f"KeyError: {name!r}" for name in names]
    return lambda outcomes: [
        i for i, o in enumerate(outcomes) if o.kind == "raised" and o.says in says
    ]


PERMUTED = _PAGE.exercise(
    Code(
        "lost_by_shuffling",
        (*_CASES, *map(_kept, (_CASES[0], _CASES[2], _CASES[5]))),
        _TOLERANCE,
        fresh=_fresh,
    ),
    seen={
        "in quotes": _lacks("name"),
        "alone": _lacks("size", "colour"),
        # Where None is used as if it were something, and where a tree compares it with a cut.
        "nothing": stops((), "'NoneType' object"),
        "no value": stops("TypeError", "'NoneType' and 'int'"),
    },
)
