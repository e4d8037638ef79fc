"""The out-of-bag error, as a function and by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.forests.bags import votes_of
from dtree_lab.course.tasks import Case, Code, Number

_LABELS = ("No", "Yes")
_WITH_EMPTY = [1, 3]  # the cases in which a row has no vote


def _winner(votes: Sequence[str]) -> str:
    return Counter(votes).most_common(1)[0][0]


def error_of(truth: Sequence[str], votes: Sequence[Sequence[str]]) -> float:
    """The share of rows that are wrong, of those that have a vote; written without ties."""
    judged = [(y, _winner(v)) for y, v in zip(truth, votes, strict=True) if v]
    return sum(y != said for y, said in judged) / len(judged)


def _error_case(truth: Sequence[str], votes: Sequence[Sequence[str]]) -> Case:
    shows = "rows that all have a vote" if all(votes) else "rows without a vote"
    if any(tied(some) for some in votes):
        shows = "a tie"
    return Case((list(truth), [list(v) for v in votes]), (error_of(truth, votes),), behaviour=shows)


def tied(votes: Sequence[str]) -> bool:
    """Whether two labels or more have the most votes."""
    counts = [n for _, n in Counter(votes).most_common(2)]
    return len(set(counts)) < len(counts)


def _twice(one: str, other: str) -> list[list[str]]:
    """The votes of two rows between the same two labels: whoever wins there, wins twice."""
    return [[one, other], [one, other]]


def _fresh_errors(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (5, 8, 20):
        # An odd number of votes for two labels: no ties.
        votes = [[str(v) for v in rng.choice(_LABELS, rng.choice([0, 1, 3]))] for _ in range(n)]
        cases.append(_error_case([str(y) for y in rng.choice(_LABELS, n)], [*votes[:-1], ["No"]]))
        full = [some or ["Yes"] for some in votes]
        cases.append(_error_case([str(y) for y in rng.choice(_LABELS, n)], full))
        between = _twice(*(str(y) for y in rng.permutation(_LABELS)))
        labels = [*(str(y) for y in rng.choice(_LABELS, n)), *_LABELS]
        cases.append(_error_case(labels, [*full, *between]))
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


def _judged(
    wrong: Callable[[str, list[str]], object], *, every: bool = False
) -> Callable[..., float]:
    """The share of rows of which something holds, of those that have a vote, or of every row."""

    def error(truth: list[str], votes: list[list[str]]) -> float:
        pairs = zip(truth, votes, strict=True)
        found = [bool(wrong(y, some)) for y, some in pairs if some or every]
        return sum(found) / len(found)

    return error


def _until_empty(truth: list[str], votes: list[list[str]]) -> float:
    """Ends at the first row without a vote."""
    before = [len(votes), *(i for i, some in enumerate(votes) if not some)]
    pairs = list(zip(truth, votes, strict=True))[: min(before)]
    return sum(y != _winner(some) for y, some in pairs) / len(truth)


def _mean_share(truth: list[str], votes: list[list[str]]) -> float:
    pairs = [(y, some) for y, some in zip(truth, votes, strict=True) if some]
    return sum(1 - some.count(y) / len(some) for y, some in pairs) / len(pairs)


def _untied(truth: list[str], votes: list[list[str]]) -> float:
    """Leaves out the rows with a tie as well."""
    return error_of(truth, [[] if tied(some) else some for some in votes])


def _slipped(truth: list[str], votes: list[list[str]]) -> float:
    """Leaves out the empty votes and not their labels, so that the rest slip."""
    return error_of(truth[: sum(map(bool, votes))], [some for some in votes if some])


def _by_votes(truth: list[str], votes: list[list[str]]) -> float:
    wrong = error_of(truth, votes) * sum(map(bool, votes))
    return wrong / sum(map(len, votes))


def _first_row(truth: list[str], votes: list[list[str]]) -> float:
    return next(float(y != _winner(v)) for y, v in zip(truth, votes, strict=True) if v)


OOB_ERROR = Exercise(
    id="forests/oob-error",
    title="The out-of-bag error",
    points=3,
    heading="the out-of-bag error",
    text="""Write `oob_error(truth, votes)`: `truth` has the label of each row, `votes` a list of
votes for each row. Rows without any vote are left out altogether. Return the share of the others
whose majority is wrong. (Where labels tie, one of them is the answer, as in Exercise 2, and for
equal votes the same one.)""",
    stub="""def oob_error(truth, votes):
    # your lines, in place of the dots
    ...""",
    answer="oob_error",
    task=Code(
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
            _judged(lambda y, some: y != some[-1]),
            "It takes the last vote of each row, whatever the other trees say.",
        ),
        Mistake(
            _judged(lambda y, some: y != max(some)),
            "``max`` of the votes gives the last in the alphabet. Who has the most votes?",
        ),
        Mistake(
            _judged(lambda y, some: any(one != y for one in some)),
            "It counts a row as wrong as soon as one tree is. Most of them decide.",
        ),
        Mistake(
            _judged(lambda y, some: y not in some),
            "It counts a row as wrong only where no tree at all is right. Most of them decide.",
        ),
        Mistake(
            _judged(lambda y, some: 2 * some.count(y) <= len(some)),
            "It asks for more than half of the votes, also where nobody has so many. The label with"
            " the most of them is the answer; in a tie it is one of those with the most, which may"
            " be the right one.",
        ),
        Mistake(
            _judged(lambda y, some: tied(some) or y != _winner(some)),
            "It counts a row as wrong where two labels tie. One of the two is the answer there, and"
            " it may be the right one: ask the vote first, then compare.",
        ),
        Mistake(
            _judged(lambda y, some: some.count(y) < max(map(some.count, some))),
            "It counts a row as right as soon as its label is one of those that tie. The vote has"
            " to name *one* of them before anybody looks at the truth.",
        ),
        Mistake(
            _judged(lambda y, some: 2 * some.count(y) < len(some)),
            "It asks for at least half of the votes. The label with the most of them is the answer,"
            " however many that are; and where two have half each, it is one of them.",
        ),
        Mistake(
            lambda truth, votes: 1.0,  # noqa: ARG005 - whatever they are
            "Every row counts as wrong. What is compared with the label? A list of votes, or a pair"
            " of a label and its count, never equals one: take the winner's label out first.",
        ),
        Mistake(
            _mean_share,
            "It takes the mean of the shares of wrong votes. First the trees vote: a row is right"
            " or wrong as a whole.",
        ),
        Mistake(
            _judged(lambda y, some: y != min(some, key=some.count)),
            "It lets the label with the *fewest* votes win.",
        ),
        Mistake(
            lambda truth, votes: (
                error_of(truth, votes) / (1 - error_of(truth, votes))
                if error_of(truth, votes) < 1
                else 1.0
            ),
            "It divides the wrong rows by the right ones. Divide by all rows that have a vote.",
        ),
        Mistake(
            lambda truth, votes: error_of(truth, [v if len(v) > 1 else [] for v in votes]),
            "It leaves out the rows with a single vote, too. One vote is enough to be judged by.",
        ),
        Mistake(
            lambda truth, votes: int(error_of(truth, votes)),
            "It cuts off the decimals. ``//`` divides whole numbers; ``/`` keeps the share.",
        ),
        Mistake(
            _untied,
            "It leaves out rows with a tie. Only those without any vote are left out: in a tie one"
            " of the labels is the answer.",
        ),
        Mistake(
            _until_empty,
            "It ends at the first row without a vote: ``break`` leaves the loop. ``continue``"
            " leaves out one row.",
        ),
        Mistake(
            _slipped,
            "When it leaves out an empty list of votes, the label of that row stays: from there on"
            " votes are compared with the label of another row.",
        ),
        Mistake(
            _by_votes,
            "It divides by the number of votes. Wrong *rows* are counted: divide by the number of"
            " rows that have a vote.",
        ),
        Mistake(
            _first_row,
            "Only the first row that has a vote counts. Where does ``return`` stand? Indented like"
            " the lines of the loop, it ends the loop in its first round.",
        ),
        Mistake(
            lambda truth, votes: round(error_of(truth, votes), 2),
            "It rounds. Return the share as it is, with all its decimals.",
        ),
        Mistake(
            lambda truth, votes: 100 * error_of(truth, votes),
            "That is in per cent. A share lies between 0 and 1.",
        ),
        Mistake(
            _judged(lambda y, some: y != _winner(some), every=True),
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


_N, _TREES, _APART = 6, 3, 0.01
_SEEN = (
    "You let trees vote on a row that they have in their bag. Only those may that do not have it:"
    " fully grown trees know the rows of their bag by heart."
)
# The truth, each tree's rows, and what each tree says.
Forest: TypeAlias = (
    "tuple[tuple[str, ...], tuple[tuple[int, ...], ...], tuple[tuple[str, ...], ...]]"
)


def _counted(rng: np.random.Generator) -> Exercise:
    forest = drawn_until("forests/counted", lambda: _drawn(rng), _usable)
    return _with(*forest, _numbers(*forest))


def _drawn(rng: np.random.Generator) -> Forest:
    bags = tuple(tuple(sorted(int(i) for i in rng.integers(0, _N, _N))) for _ in range(_TREES))
    truth = tuple(str(y) for y in rng.choice(_LABELS, _N))
    return truth, bags, tuple(_answers(bag, truth, rng) for bag in bags)


def _usable(forest: Forest) -> bool:
    numbers = _numbers(*forest)
    if not numbers:
        return False
    apart = min(abs(x - y) for i, x in enumerate(numbers) for y in numbers[:i])
    return apart > _APART and 0 < numbers[0] < 1


def _answers(bag: Sequence[int], truth: Sequence[str], rng: np.random.Generator) -> tuple[str, ...]:
    """What a fully grown tree may say: right on its own rows, often wrong on the others."""
    turned = {"No": "Yes", "Yes": "No"}
    luck = rng.random(len(truth))
    return tuple(
        y if i in bag or lucky < 0.4 else turned[y]  # noqa: PLR2004 - how often
        for i, (y, lucky) in enumerate(zip(truth, luck, strict=True))
    )


def _numbers(
    truth: Sequence[str], bags: Sequence[Sequence[int]], answers: Sequence[Sequence[str]]
) -> tuple[float, ...]:
    """The error, then what mistakes make of it; nothing for a tie, or if all rows have a vote."""
    votes = [votes_of(bags, answers, row) for row in range(_N)]
    if any(tied(some) for some in votes) or all(votes) or not any(votes):
        return ()
    error, judged = error_of(truth, votes), sum(bool(some) for some in votes)
    wrong = round(error * judged)
    each = [y != v for y, some in zip(truth, votes, strict=True) for v in some]
    everybody = error_of(truth, [[said[row] for said in answers] for row in range(_N)])
    return (
        error,
        wrong / _N,
        (wrong + _N - judged) / _N,
        sum(each) / len(each),
        1 - error,
        float(wrong),
        everybody,
        100 * error,
    )


def _mistaken(numbers: tuple[float, ...]) -> tuple[Mistake, ...]:
    over_all, empty_wrong, of_votes, right, count, everybody, per_cent = numbers
    return (
        Mistake(
            over_all,
            "You divided by all six rows. A row that every tree has seen has no vote, and is"
            " left out below the line as well.",
        ),
        Mistake(
            empty_wrong,
            "You counted a row without any vote as wrong. Nobody has said anything about it: it"
            " is left out.",
        ),
        Mistake(
            of_votes,
            "That is the share of wrong *votes*. The trees vote on a row first; then rows are"
            " counted, each once.",
        ),
        Mistake(right, "That is the share of rows that are right. An error counts the others."),
        Mistake(
            count,
            "That is the number of wrong rows. A share is asked for: of the rows that have a vote.",
        ),
        Mistake(everybody, _SEEN),
        Mistake(0.0, _SEEN),  # of trees that have the row in their bag, which are right about it
        Mistake(per_cent, "That is in per cent. A share lies between 0 and 1."),
    )


def _with(
    truth: tuple[str, ...],
    bags: tuple[tuple[int, ...], ...],
    answers: tuple[tuple[str, ...], ...],
    numbers: tuple[float, ...],
) -> Exercise:
    return Exercise(
        id="forests/counted",
        title="An out-of-bag error by hand",
        points=3,
        heading="a forest by hand",
        text="""Three trees and six rows of your own, numbered from 0. What is the out-of-bag error?
Do it on paper, or with your functions. (Within 0.001.)

```python
forest_of_mine = dt.course.data("forests/counted", me)
forest_of_mine
```""",
        stub="error = ...",
        answer="error",
        data={"truth": truth, "bags": bags, "answers": answers},
        task=Number(numbers[0]),
        mistakes=_mistaken(numbers[1:]),
        more="Make a line for each row, 0 to 5: which trees have it *not* in their bag, what do"
        " these say, who wins, and is that the truth? Rows without a tree are struck out.",
        solution="""bags, answers = forest_of_mine["bags"], forest_of_mine["answers"]
votes = [oob_votes(bags, answers, row) for row in range(6)]
error = oob_error(forest_of_mine["truth"], votes)
""",
        why="Each row is judged by the trees that have not seen it; rows that all three have seen"
        " are not counted. With three trees that is a rough estimate; with a hundred it is a good"
        " one.",
    )


COUNTED = personal(_counted)
