"""Who may vote on a row, and the out-of-bag error: as a function and by hand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import multimode
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

_VOTES, _ERROR = page(__file__, "oob-votes"), page(__file__, "oob-error")
_COUNTED = page(__file__, "counted")
_LABELS = ("No", "Yes")


def _case(bags: Sequence[Sequence[int]], answers: Sequence[Sequence[str]], row: int) -> Case:
    given = [list(bag) for bag in bags], [list(said) for said in answers], row
    votes = _VOTES.right()(*given)
    shows = "a row that some trees have seen"
    if len(votes) in (0, len(bags)):
        shows = "a row that all trees have seen, and one that none has"
    return Case(given, (votes,), behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (4, 6):
        bags = [rng.integers(0, n, n).tolist() for _ in range(5)]
        answers = [rng.choice(_LABELS, n).tolist() for _ in range(5)]
        cases += [_case(bags, answers, row) for row in (0, n - 1)]
    return tuple(cases)


_BAGS = ((0, 0, 2, 3), (1, 2, 2, 1), (1, 3, 3, 1), (0, 1, 1, 0))
_SAYS = (
    ("Yes", "No", "No", "Yes"),
    ("Yes", "Yes", "No", "Yes"),
    ("No", "Yes", "No", "Yes"),
    ("Yes", "Yes", "No", "No"),
)
_THREE = ((0, 2, 2), (1, 1, 1), (2, 0, 0), (0, 0, 0), (2, 2, 1))
_LETTERS = (("a", "c", "b"), ("b", "b", "a"), ("a", "a", "b"), ("a", "c", "c"), ("c", "b", "b"))

OOB_VOTES = _VOTES.exercise(
    Code(
        "oob_votes",
        (
            *(_case(_BAGS, _SAYS, row) for row in range(4)),
            _case(((0, 1), (1, 0)), (("No", "Yes"), ("Yes", "No")), 1),
            _case(((0, 2, 2), (2, 2, 0)), (("No", "Yes", "No"), ("No", "No", "Yes")), 1),
            _case(_THREE, _LETTERS, 1),
            _case(_THREE, _LETTERS, 2),
        ),
        fresh=_fresh,
    )
)


# -- the error ------------------------------------------------------------------------------------

_WITH_EMPTY = [1, 3]  # the cases in which a row has no vote


def _tied(votes: Sequence[str]) -> bool:
    return len(multimode(votes)) > 1


def _error_case(truth: Sequence[str], votes: Sequence[Sequence[str]]) -> Case:
    shows = "rows that all have a vote" if all(votes) else "rows without a vote"
    if any(map(_tied, votes)):
        shows = "a tie"
    given = list(truth), [list(some) for some in votes]
    return Case(given, (_ERROR.right()(*given),), behaviour=shows)


def _twice(one: str, other: str) -> list[list[str]]:
    """The votes of two rows between the same two labels: whoever wins there, wins twice."""
    return [[one, other], [one, other]]


def _fresh_errors(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (5, 8, 20):
        # An odd number of votes for two labels: no ties.
        votes = [rng.choice(_LABELS, rng.choice([0, 1, 3])).tolist() for _ in range(n)]
        cases.append(_error_case(rng.choice(_LABELS, n).tolist(), [*votes[:-1], ["No"]]))
        full = [some or ["Yes"] for some in votes]
        cases.append(_error_case(rng.choice(_LABELS, n).tolist(), full))
        between = _twice(*rng.permutation(_LABELS).tolist())
        labels = [*rng.choice(_LABELS, n).tolist(), *_LABELS]
        cases.append(_error_case(labels, [*full, *between]))
    return tuple(cases)


def _stumbles(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases with a row that has no vote, if they are the first at which an answer stops."""
    stopped = [i for i, outcome in enumerate(outcomes) if outcome.kind == "raised"]
    return stopped if stopped[:2] == _WITH_EMPTY else []


OOB_ERROR = _ERROR.exercise(
    Code(
        "oob_error",
        (
            _error_case(["No", "Yes", "No"], [["No"], ["No", "Yes", "No"], ["No"]]),
            _error_case(["No", "Yes", "No", "Yes"], [["No"], [], ["Yes", "Yes"], []]),
            _error_case(["a", "b", "c"], [["b", "a", "b"], ["c", "b", "b"], ["c"]]),
            _error_case(
                ["Yes", "No", "No", "Yes", "No"],
                [[], ["Yes"], ["Yes"], ["No", "Yes", "Yes"], ["Yes"]],
            ),
            _error_case(["No", "No"], [["No", "No", "Yes"], ["No"]]),
            _error_case(["a", "c"], [["b", "a", "c", "a", "d"], ["a", "b", "a"]]),
            _error_case(["No", "No", "Yes"], [["Yes"], *_twice("No", "Yes")]),
            _error_case(["b", "c", "a", "a"], [["b", "c", "b"], *_twice("c", "a"), ["a"]]),
        ),
        fresh=_fresh_errors,
    ),
    seen={"stumbles": _stumbles},
)


# -- by hand --------------------------------------------------------------------------------------

_N, _TREES, _APART = 6, 3, 0.01


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    """The truth, each tree's rows, and what each tree says."""
    bags = tuple(tuple(sorted(rng.integers(0, _N, _N).tolist())) for _ in range(_TREES))
    truth = tuple(rng.choice(_LABELS, _N).tolist())
    return {"truth": truth, "bags": bags, "answers": tuple(_answers(b, truth, rng) for b in bags)}


def _answers(bag: Sequence[int], truth: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    """What a fully grown tree may say: right on its own rows, often wrong on the others."""
    turned = {"No": "Yes", "Yes": "No"}
    luck = rng.random(len(truth))
    return tuple(
        y if i in bag or lucky < 0.4 else turned[y]  # noqa: PLR2004 - how often
        for i, (y, lucky) in enumerate(zip(truth, luck, strict=True))
    )


def _usable(mine: dict[str, Any]) -> bool:
    """Whether no vote is tied, some row has none, and every mistake is a number of its own."""
    votes = [_VOTES.right()(mine["bags"], mine["answers"], row) for row in range(_N)]
    if any(map(_tied, votes)) or all(votes) or not any(votes):
        return False
    right = float(_COUNTED.right(forest_of_mine=mine))
    # Two ways to the same hint may both come to 0.
    others = [wrong for wrong in _COUNTED.wrongs(forest_of_mine=mine) if wrong]
    apart: float = min(abs(x - y) for x, y in combinations([right, *others], 2))
    return 0 < right < 1 and apart > _APART


def _counted(rng: np.random.Generator) -> Exercise:
    mine = drawn_until("forests/counted", lambda: _drawn(rng), _usable)
    return _COUNTED.exercise(shown=mine, forest_of_mine=mine)


COUNTED = personal(_counted)
