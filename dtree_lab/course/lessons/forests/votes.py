"""The vote and how near two rows are, the out-of-bag error, and what shuffling costs."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import multimode
from typing import Any

import numpy as np

from dtree_lab.base.text import number
from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import gives, provided, stops

_SPECIES = ("Adelie", "Chinstrap", "Gentoo")


def _vote_case(text: str) -> Case:
    votes = text.split()
    most = tuple(multimode(votes))
    shows = "a winner with at most half"
    if len(most) > 1:
        shows = "a tie"
    elif votes.count(most[0]) > len(votes) / 2:
        shows = "a winner with more than half"
    return Case((votes,), most, behaviour=shows)


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_vote_case(" ".join(rng.choice(_SPECIES, n))) for n in (5, 8, 9, 16))


MAJORITY = page(__file__, "majority-vote").function(_vote_case, _fresh_votes)


_PROXIMITY = page(__file__, "proximity")


def _leaves_case(first: list[int], other: list[int]) -> Case:
    share = _PROXIMITY.right()(first, other)
    shows = "rows that meet in some of the trees"
    if share in (0, 1):
        shows = "rows that always meet, and rows that never do"
    elif len(set(first) & set(other)) != sum(a == b for a, b in zip(first, other, strict=True)):
        shows = "equal numbers in different trees"
    return Case((first, other), (share,), behaviour=shows)


def _fresh_leaves(rng: np.random.Generator) -> tuple[Case, ...]:
    pairs = [rng.integers(1, 4, (2, n)).tolist() for n in (4, 9, 25)]
    apart = rng.permutation(9).tolist()
    some = [n if rng.random() < 0.5 else n + 10 for n in apart]  # noqa: PLR2004 - half of them
    return (
        *(_leaves_case(*pair) for pair in pairs),
        _leaves_case(apart, some),
        _leaves_case(apart, [*apart[1:], apart[0]]),
    )


def _of_a_truth(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where a single truth value is used as if it were an array, or a list."""
    found = stops((), "'bool' object")(outcomes)
    return found if len(found) == len(outcomes) else []


PROXIMITY = _PROXIMITY.function(_leaves_case, _fresh_leaves, {"a truth value": _of_a_truth})


_OOB_VOTES, _ERROR = page(__file__, "oob-votes"), page(__file__, "oob-error")
_LABELS = ("No", "Yes")


def _oob_case(bags: list[list[int]], answers: list[list[str]], row: int) -> Case:
    given = bags, answers, row
    votes = _OOB_VOTES.right()(*given)
    shows = "a row that some trees have seen"
    if len(votes) in (0, len(bags)):
        shows = "a row that all trees have seen, and one that none has"
    return Case(given, (votes,), behaviour=shows)


def _fresh_bags(rng: np.random.Generator) -> Iterator[Case]:
    for n in (4, 6):
        bags = [rng.integers(0, n, n).tolist() for _ in range(5)]
        answers = [rng.choice(_LABELS, n).tolist() for _ in range(5)]
        yield from [_oob_case(bags, answers, row) for row in (0, n - 1)]


OOB_VOTES = _OOB_VOTES.function(_oob_case, _fresh_bags)


_WITH_EMPTY = [1, 3]  # the cases in which a row has no vote


def _error_case(truth: Sequence[str], votes: Sequence[Sequence[str]]) -> Case:
    shows = "rows that all have a vote" if all(votes) else "rows without a vote"
    if any(len(multimode(some)) > 1 for some in votes):
        shows = "a tie"
    return _ERROR.case(shows, list(truth), [list(some) for some in votes])


def _fresh_errors(rng: np.random.Generator) -> Iterator[Case]:
    for n in (5, 8, 20):
        # An odd number of votes for two labels: no ties.
        votes = [rng.choice(_LABELS, rng.choice([0, 1, 3])).tolist() for _ in range(n)]
        yield _error_case(rng.choice(_LABELS, n).tolist(), [*votes[:-1], ["No"]])
        full = [some or ["Yes"] for some in votes]
        yield _error_case(rng.choice(_LABELS, n).tolist(), full)
        # Two rows with a tie between the same two labels: whoever wins there, wins twice.
        between = rng.permutation(_LABELS).tolist()
        labels = [*rng.choice(_LABELS, n).tolist(), *_LABELS]
        yield _error_case(labels, [*full, between, between])


OOB_ERROR = _ERROR.function(
    _error_case,
    _fresh_errors,
    # It stops first at the cases with a row that has no vote.
    {"stumbles": provided(gives("raised"), lambda cases: cases[:2] == _WITH_EMPTY)},
)


_PERMUTED = page(__file__, "permuted")
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


def _shuffled_case(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> Case:
    shown = f"{predict.__name__}, {len(rows)} rows, labels, {name!r}, {order}"
    questions = "one question" if predict is by_size else "two questions"
    given = predict, rows, labels, name, order
    return _PERMUTED.case(f"a tree with {questions}", *given, says=shown)


def _watched(function: Callable[..., Any], *given: Any) -> Any:
    """What a function gives; or, if that is right, that it has changed what it was given."""
    before = copy.deepcopy(given[1:])
    result = function(*given)
    if given[1:] == before or not isinstance(result, int | float):
        return result
    want = _PERMUTED.right()(given[0], *before)
    return _CHANGED if math.isclose(result, want, abs_tol=_TOLERANCE) else result


def _kept(case: Case) -> Case:
    """A case in which the rows must be afterwards what they were."""
    wanted = f"{number(case.wants[0])}, and the rows as they were,"
    return replace(case, via=_watched, wanted=wanted, behaviour="rows that are left as they were")


def _rows(pairs: Iterable[tuple[int, str]]) -> list[Row]:
    return [{"size": size, "colour": colour} for size, colour in pairs]


def _fresh_rows(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for predict, n in ((by_both, 5), (by_size, 9)):
        sizes, colours = rng.integers(1, 11, n).tolist(), rng.choice(["red", "blue"], n).tolist()
        rows = _rows(zip(sizes, colours, strict=True))
        labels, order = rng.choice(["Yes", "No"], n).tolist(), rng.permutation(n).tolist()
        cases += [_shuffled_case(predict, rows, labels, name, order) for name in ("size", "colour")]
    return (*cases, *(_kept(case) for case in cases if case.wants[0]))


_FIVE = _rows([(2, "red"), (8, "red"), (9, "blue"), (4, "blue"), (7, "red")])
_FIVE_LABELS = ["No", "Yes", "Yes", "No", "Yes"]
_TURNED = ["Yes", "No", "Yes", "No", "Yes"]
_SIX = _rows([(1, "red"), (9, "red"), (8, "red"), (3, "blue"), (7, "blue"), (6, "red")])
_SIX_LABELS = ["No", "Yes", "No", "No", "No", "Yes"]

_CASES = (
    _shuffled_case(by_size, _FIVE, _FIVE_LABELS, "size", [1, 0, 3, 2, 4]),
    _shuffled_case(by_size, _FIVE, _FIVE_LABELS, "colour", [1, 2, 3, 4, 0]),
    _shuffled_case(by_both, _SIX, _SIX_LABELS, "size", [1, 2, 3, 4, 5, 0]),
    _shuffled_case(by_both, _SIX, _SIX_LABELS, "colour", [3, 4, 5, 0, 1, 2]),
    _shuffled_case(by_both, _FIVE, _FIVE_LABELS, "colour", [4, 2, 1, 3, 0]),
    _shuffled_case(by_size, _FIVE, _TURNED, "size", [1, 0, 2, 3, 4]),  # it helps, by luck
)


PERMUTED = _PERMUTED.exercise(
    Code(
        "lost_by_shuffling",
        (*_CASES, *map(_kept, (_CASES[0], _CASES[2], _CASES[5]))),
        _TOLERANCE,
        fresh=_fresh_rows,
    ),
)
