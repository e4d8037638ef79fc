"""Exercises on votes out of the bag, and on the error that follows from them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome

    Bags = Sequence[Sequence[int]]
    Answers = Sequence[Sequence[str]]

_LABELS = ("No", "Yes")
_WITH_EMPTY = [1, 3]  # the cases of the error in which a row has no vote


def votes_of(bags: Bags, answers: Answers, row: int) -> list[str]:
    """What the trees say of a row that they were not grown on, in the order of the trees."""
    pairs = zip(bags, answers, strict=True)
    return [said[row] for bag, said in pairs if row not in bag]


def _case(bags: Bags, answers: Answers, row: int) -> Case:
    given = [list(bag) for bag in bags], [list(said) for said in answers], row
    return Case(given, (votes_of(bags, answers, row),))


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (4, 6):
        bags = [[int(i) for i in rng.integers(0, n, n)] for _ in range(5)]
        answers = [[str(one) for one in rng.choice(_LABELS, n)] for _ in range(5)]
        cases += [_case(bags, answers, row) for row in (0, n - 1)]
    return tuple(cases)


_BAGS = ((0, 0, 2), (1, 2, 2), (1, 1, 0))
_SAYS = (("Yes", "No", "No"), ("Yes", "Yes", "No"), ("No", "No", "Yes"))

OOB_VOTES = Exercise(
    id="forests/oob-votes",
    title="Who may vote on a row",
    points=3,
    answer="oob_votes",
    task=Code(
        "oob_votes",
        (
            _case(_BAGS, _SAYS, 0),
            _case(_BAGS, _SAYS, 1),
            _case(_BAGS, _SAYS, 2),
            _case(((0, 1), (1, 0)), (("No", "Yes"), ("Yes", "No")), 1),
            _case(((3, 3, 1, 1), (0, 2, 2, 0)), (("a", "b", "c", "d"), ("d", "c", "b", "a")), 3),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda _, answers, row: [said[row] for said in answers],
            "All trees vote, also those that were grown on the row. These have seen its label, so"
            " their votes say nothing about rows that are new.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said[row] for bag, said in zip(bags, answers, strict=True) if row in bag
            ],
            "It is the other way round: those vote that were grown on the row. Asked for are the"
            " trees that have *not* seen it.",
        ),
        Mistake(
            lambda bags, answers, row: len(votes_of(bags, answers, row)),
            "It says how many trees vote. Asked for is what they say, as a list.",
        ),
        Mistake(
            lambda bags, answers, row: [
                said for bag, said in zip(bags, answers, strict=True) if row not in bag
            ],
            "It gives all that a tree says of all rows. Of each list only the row's own place is"
            " asked for.",
        ),
        Mistake(
            lambda bags, _, row: [i for i, bag in enumerate(bags) if row not in bag],
            "It gives the trees' numbers. What do these trees *say* of the row?",
        ),
        Mistake(
            lambda bags, answers, row: (
                Counter(votes_of(bags, answers, row)).most_common(1)[0][0]
                if votes_of(bags, answers, row)
                else None
            ),
            "It counts the vote already. Here the list of the votes is asked for; who wins comes"
            " next.",
        ),
        Mistake(
            lambda bags, answers, row: [
                answers[row][t] for t, bag in enumerate(bags) if row not in bag
            ],
            "Row and tree have changed places: ``answers`` has a list for each *tree*, and in it"
            " there is a place for each row.",
        ),
        Mistake(
            lambda bags, answers, row: [
                None if row in bag else said[row] for bag, said in zip(bags, answers, strict=True)
            ],
            "It keeps a place for trees that may not vote. These are to be left out of the list.",
        ),
    ),
    more="Walk through the trees, ``zip(bags, answers)``. If ``row`` is not in the tree's bag, what"
    " it says of that row joins the list.",
    solution="""def oob_votes(bags, answers, row):
    return [said[row] for bag, said in zip(bags, answers) if row not in bag]
""",
    why="A tree that has not seen the row is as good as new to it, and so is a vote of such trees."
    " The list may be empty: then all trees have seen the row.",
)


# -- the error ------------------------------------------------------------------------------------


def _winner(votes: Sequence[str]) -> str:
    return Counter(votes).most_common(1)[0][0]


def error_of(truth: Sequence[str], votes: Sequence[Sequence[str]]) -> float:
    """The share of rows that are wrong, of those that have a vote; written without ties."""
    judged = [(y, _winner(v)) for y, v in zip(truth, votes, strict=True) if v]
    return sum(y != said for y, said in judged) / len(judged)


def _error_case(truth: Sequence[str], votes: Sequence[Sequence[str]]) -> Case:
    return Case((list(truth), [list(v) for v in votes]), (error_of(truth, votes),))


def _fresh_errors(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (5, 8, 20):
        # An odd number of votes for two labels: no ties.
        votes = [[str(v) for v in rng.choice(_LABELS, rng.choice([0, 1, 3]))] for _ in range(n)]
        cases.append(_error_case([str(y) for y in rng.choice(_LABELS, n)], [*votes[:-1], ["No"]]))
    return tuple(cases)


def _over(total: Callable[[list[Any]], int], *, empty: int = 0) -> Callable[..., float]:
    """The share of wrong rows, counted over another total, the empty ones as so many wrong."""

    def error(truth: list[str], votes: list[list[str]]) -> float:
        pairs = list(zip(truth, votes, strict=True))
        wrong = sum(y != _winner(v) if v else empty for y, v in pairs)
        return wrong / total([v for _, v in pairs])

    return error


def _stumbles(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases with a row that has no vote, if they are the first at which an answer stops."""
    stopped = [i for i, outcome in enumerate(outcomes) if outcome.kind == "raised"]
    return stopped if stopped[:2] == _WITH_EMPTY else []


def _of_votes(truth: list[str], votes: list[list[str]]) -> float:
    each = [y != v for y, some in zip(truth, votes, strict=True) for v in some]
    return sum(each) / len(each)


OOB_ERROR = Exercise(
    id="forests/oob-error",
    title="The out-of-bag error",
    points=3,
    answer="oob_error",
    task=Code(
        "oob_error",
        (
            _error_case(["No", "Yes", "No"], [["No"], ["No", "No", "Yes"], ["No"]]),
            _error_case(["No", "Yes", "No", "Yes"], [["No"], [], ["Yes", "Yes"], []]),
            _error_case(["a", "b", "c"], [["a", "b", "b"], ["b", "b", "c"], ["c"]]),
            _error_case(["Yes"] * 5, [[], ["Yes"], ["No"], ["Yes", "No", "Yes"], ["Yes"]]),
            _error_case(["No", "No"], [["No", "No", "Yes"], ["No"]]),
        ),
        fresh=_fresh_errors,
    ),
    mistakes=(
        Mistake(
            _over(len),
            "It divides by the number of all rows. A row without any vote cannot be judged: it is"
            " left out, below the line as well.",
        ),
        Mistake(
            _over(len, empty=1),
            "It counts a row without any vote as wrong. Nobody has said anything about it: it is"
            " left out.",
        ),
        Mistake(
            _of_votes,
            "It counts wrong votes. First the trees vote on each row, then the wrong *rows* are"
            " counted: a row with two votes against one is right or wrong as a whole.",
        ),
        Mistake(
            lambda truth, votes: 1 - error_of(truth, votes),
            "That is the share of rows that are right. An error counts the others.",
        ),
        Mistake(
            lambda truth, votes: error_of(truth, votes) * sum(bool(v) for v in votes),
            "It gives the number of wrong rows. A share is asked for: of how many?",
        ),
        Mistake(
            lambda truth, votes: error_of(truth, [v[:1] for v in votes]),
            "It takes the first vote of each row, whatever the other trees say.",
        ),
        Mistake(
            lambda truth, votes: 100 * error_of(truth, votes),
            "That is in per cent. A share lies between 0 and 1.",
        ),
        Mistake(
            lambda truth, votes: sum(y != _winner(v) for y, v in zip(truth, votes, strict=True)),
            "It stumbles over a row without any vote: nobody wins there. Such rows are left out.",
            when=_stumbles,
        ),
    ),
    more="Go through the rows; skip those whose list of votes is empty. For each of the others the"
    " majority is compared with the truth. Two counters: rows that were judged, and wrong ones.",
    solution="""def oob_error(truth, votes):
    judged = [(label, some) for label, some in zip(truth, votes) if some]
    wrong = sum(label != max(some, key=some.count) for label, some in judged)
    return wrong / len(judged)
""",
    why="Each row is judged by the majority of the trees that have not seen it. Rows that all trees"
    " have seen are left out; with many trees there are none.",
)
