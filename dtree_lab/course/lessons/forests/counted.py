"""The exercise on the out-of-bag error of a small forest, in a table of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.forests.bags import votes_of
from dtree_lab.course.lessons.forests.errors import error_of, tied
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

_N, _TREES, _APART = 6, 3, 0.01
_LABELS = ("No", "Yes")
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
