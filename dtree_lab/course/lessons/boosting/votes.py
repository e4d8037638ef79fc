"""The exercise on the vote of weighted stumps."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def _vote_case(answers: Sequence[int], alphas: Sequence[float]) -> Case:
    return Case((list(answers), list(alphas)), (_vote(answers, alphas),))


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    draws = [(rng.choice([1, -1], n), rng.integers(1, 90, n)) for n in (3, 5, 8, 4)]
    read = [([int(s) for s in said], [int(a) / 50 for a in given]) for said, given in draws]
    clear = [one for one in read if abs(_sum(*one)) > 1e-6]  # noqa: PLR2004 - no tie
    return tuple(_vote_case(*one) for one in clear)


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

VOTE = Exercise(
    id="boosting/vote",
    title="The vote",
    points=2,
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
            "It gives what the first stump says. Does a ``return`` stand inside the loop, and end"
            " it in its first round?",
        ),
        Mistake(
            lambda answers, _: answers[-1],
            "It gives what the last stump says. Is the sum set back to 0 in each round of the"
            " loop?",
        ),
        Mistake(
            lambda answers, _: 1 if answers else -1,
            "It says 1 whatever the stumps say. Alphas are positive, and it is the answers that"
            " bring in the sign: do they get into the sum?",
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
