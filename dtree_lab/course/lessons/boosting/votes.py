"""The exercise on the vote of weighted stumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome


def _sum(answers: Sequence[int], alphas: Sequence[float]) -> float:
    return sum(s * a for s, a in zip(answers, alphas, strict=True))


def _vote(answers: Sequence[int], alphas: Sequence[float]) -> int:
    return 1 if _sum(answers, alphas) > 0 else -1


def _heads(answers: Sequence[int]) -> int:
    return 1 if sum(answers) > 0 else -1


def _vote_case(answers: Sequence[int], alphas: Sequence[float]) -> Case:
    label = _vote(answers, alphas)
    if min(alphas) < 0:
        shows = "a negative alpha"
    elif label != _heads(answers) or not sum(answers):
        shows = "a few stumps that outweigh the others"
    else:
        shows = "a majority that also weighs more"
    return Case((list(answers), list(alphas)), (label,), behaviour=shows)


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    """Two of each behaviour, one for either label; none is a tie."""
    found: dict[tuple[str, Any], Case] = {}
    while len(found) < 6:  # noqa: PLR2004 - three behaviours, two labels
        n = int(rng.integers(3, 9))
        alphas = rng.integers(1, 90, n) * rng.choice([1, 1, 1, -1], n)
        one = [int(s) for s in rng.choice([1, -1], n)], [int(a) / 50 for a in alphas]
        if abs(_sum(*one)) > 1e-6:  # noqa: PLR2004
            case = _vote_case(*one)
            found.setdefault((case.behaviour, case.wants[0]), case)
    return tuple(found.values())


def _texts(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, outcome in enumerate(outcomes) if outcome.kind == "text"]


_HALF = 0.5
_HEADS = (
    "It counts heads. Each stump's answer weighs as much as its alpha, so one good stump may"
    " overrule two poor ones."
)
_BORDER = (
    "The border is in the wrong place. The labels are 1 and -1, so those that say 1 weigh more than"
    " the others just when the sum is above 0; neither ½ nor 1 is of any importance."
)

_FIRST = (
    "It gives what the first stump says. Does a ``return`` stand inside the loop, and end it in its"
    " first round?"
)
_LAST = "It gives what the last stump says. Is the sum set back to 0 in each round of the loop?"
_WHATEVER = (
    "It decides without what the stumps say. It is their answers, 1 or -1, that are weighed: do"
    " they get into the sum?"
)
_SIGN = (
    "Look at a negative alpha. Its stump was wrong more often than right, so it counts against what"
    " it says: the sign belongs to the sum."
)

VOTE = Exercise(
    id="boosting/vote",
    title="The vote",
    points=2,
    heading="the vote",
    text="""Write `vote(answers, alphas)` for one row: `answers` are what the stumps say, 1 or −1,
and `alphas` what they weigh; an α may be negative. Return 1 or −1. (In a tie either will do.)""",
    stub="""def vote(answers, alphas):
    # your lines, in place of the dots
    ...""",
    answer="vote",
    task=Code(
        "vote",
        (
            _vote_case([1, -1, 1], [0.69, 0.73, 0.72]),
            _vote_case([1, -1, -1], [0.69, 0.73, 0.72]),
            _vote_case([1, -1, -1], [2.0, 0.4, 0.5]),
            _vote_case([-1, 1, 1, 1], [1.5, 0.3, 0.4, 0.2]),
            _vote_case([-1], [0.3]),
            _vote_case([1, -1], [0.9, 0.4]),
            _vote_case([1, 1, -1], [0.3, 0.4, 0.5]),
            _vote_case([-1, 1, 1], [0.5, 0.4, 0.3]),
            _vote_case([-1, -1, 1], [0.3, 0.4, 0.5]),
            _vote_case([1, 1, -1], [0.2, 0.3, 0.9]),
            _vote_case([-1, -1, 1], [0.2, 0.3, 0.9]),
            _vote_case([1, 1, 1, -1], [0.4, 0.3, 0.6, 0.8]),
            _vote_case([1, -1, 1], [-0.8, 0.3, 0.2]),
            _vote_case([-1, -1, 1], [-0.6, 0.4, 0.1]),
            _vote_case([-1, 1], [-0.5, -0.3]),
            _vote_case([1, 1, 1], [-0.2, 0.3, 0.4]),
            _vote_case([-1, -1, 1], [-0.2, 0.9, 0.3]),
        ),
        fresh=_fresh_votes,
    ),
    mistakes=(
        Mistake(lambda answers, _: 1 if sum(answers) > 0 else -1, _HEADS),
        Mistake(lambda answers, _: 1 if sum(answers) >= 0 else -1, _HEADS),
        Mistake(
            lambda answers, alphas: 1 if _sum(answers, alphas) > sum(alphas) / 2 else -1, _BORDER
        ),
        Mistake(lambda answers, alphas: 1 if _sum(answers, alphas) >= 1 else -1, _BORDER),
        Mistake(lambda answers, alphas: 1 if _sum(answers, alphas) > _HALF else -1, _BORDER),
        Mistake(
            lambda answers, alphas: (
                1 if sum(a for s, a in zip(answers, alphas, strict=True) if s > 0) > 0 else -1
            ),
            "It adds up those that say 1 alone. Those that say -1 speak against them: theirs is"
            " taken off.",
        ),
        Mistake(
            lambda answers, alphas: (
                1 if sum(a for s, a in zip(answers, alphas, strict=True) if s > 0) > _HALF else -1
            ),
            _BORDER,
        ),
        Mistake(
            _sum,
            "It gives the sum itself. How sure the vote is would be worth knowing; asked for is the"
            " label, 1 or -1.",
        ),
        Mistake(
            lambda answers, alphas: answers[alphas.index(max(alphas))],
            "It listens to the stump with the largest alpha alone. Together the others may weigh"
            " more.",
        ),
        Mistake(
            lambda answers, alphas: _sum(answers, alphas) > 0,
            "It gives a truth value. Asked for is the label: the number 1 or the number -1.",
        ),
        Mistake(
            lambda answers, alphas: max(_vote(answers, alphas), 0),
            "It gives 0 where the other label wins. The two labels are 1 and -1.",
        ),
        Mistake(
            lambda answers, alphas: str(_vote(answers, alphas)),
            "It gives a text. The labels are numbers here, without quotes: 1 and -1.",
            when=_texts,
        ),
        Mistake(
            lambda answers, _: answers[0],
            _FIRST,
        ),
        Mistake(lambda answers, alphas: _vote(answers[:1], alphas[:1]), _FIRST),
        Mistake(
            lambda answers, _: answers[-1],
            _LAST,
        ),
        Mistake(lambda answers, alphas: _vote(answers[-1:], alphas[-1:]), _LAST),
        Mistake(
            lambda answers, _: 1 if answers else -1,
            _WHATEVER,
        ),
        Mistake(lambda _, alphas: 1 if sum(alphas) > 0 else -1, _WHATEVER),
        Mistake(
            lambda answers, alphas: _vote(answers, [abs(a) for a in alphas]),
            _SIGN,
        ),
        Mistake(
            lambda answers, alphas: _vote(answers, [max(a, 0.0) for a in alphas]),
            _SIGN,
        ),
        Mistake(
            lambda answers, alphas: -_vote(answers, alphas),
            "It gives the label that loses the vote. A positive sum means 1.",
        ),
    ),
    more="Multiply each answer, 1 or -1, by its alpha and add them all up. The sign of the sum is"
    " the label.",
    solution="""def vote(answers, alphas):
    total = sum(says * alpha for says, alpha in zip(answers, alphas))
    return 1 if total > 0 else -1
""",
    why="Since the labels are 1 and -1, the weighted sum is positive exactly when those that say 1"
    " weigh more.",
)
