"""Exercises on a round of AdaBoost, and on the vote."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.boosting.weights import BASE_TWO, NOT_SHARES, ONE_SIDE
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np


def reweighted(weights: Sequence[float], wrong: Sequence[bool]) -> tuple[float, list[float]]:
    """The weight of the stump's vote, and the rows' new weights: each side gets one half."""
    e = math.fsum(w for w, bad in zip(weights, wrong, strict=True) if bad)
    pairs = zip(weights, wrong, strict=True)
    return math.log((1 - e) / e) / 2, [w / (2 * e if bad else 2 * (1 - e)) for w, bad in pairs]


# -- a whole round, as a function -----------------------------------------------------------------


def _case(weights: Sequence[float], wrong: Sequence[bool]) -> Case:
    alpha, new = reweighted(weights, wrong)
    wanted = f"alpha {alpha:.4f} with the weights {', '.join(f'{w:.3g}' for w in new)}"
    return Case((list(weights), list(wrong)), ((alpha, new),), wanted=wanted)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n in (4, 7, 10):
        parts = rng.integers(1, 9, n)
        wrong = [bool(i == rng.integers(n) or i == 1) for i in range(n)]
        cases.append(_case([float(p) for p in parts / parts.sum()], wrong))
    return tuple(cases)


def _scaled(
    right: Callable[[float], float],
    bad: Callable[[float], float],
    alpha: Callable[[float], float],
    *,
    shares: bool = True,
) -> Callable[..., Any]:
    """A round in which right and wrong rows are multiplied by something that follows from alpha."""

    def one_round(weights: list[float], wrong: list[bool]) -> Any:
        e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
        a = alpha(e)
        new = [w * (bad(a) if b else right(a)) for w, b in zip(weights, wrong, strict=True)]
        return a, [w / sum(new) for w in new] if shares else new

    return one_round


def _half_log(e: float) -> float:
    return math.log((1 - e) / e) / 2


def _down(a: float) -> float:
    return math.exp(-a)


def _counted(weights: list[float], wrong: list[bool]) -> Any:
    e = sum(wrong) / len(wrong)
    a = _half_log(e) if 0 < e < 1 else 0.0
    new = [w * math.exp(a if b else -a) for w, b in zip(weights, wrong, strict=True)]
    return a, [w / sum(new) for w in new]


_T, _F = True, False
ROUND = Exercise(
    id="boosting/round",
    title="One round of AdaBoost",
    points=3,
    answer="one_round",
    task=Code(
        "one_round",
        (
            _case([0.25, 0.25, 0.25, 0.25], [_F, _F, _T, _F]),
            _case([0.1] * 10, [_F, _F, _F, _F, _F, _F, _T, _T, _F, _F]),
            _case([0.5, 0.125, 0.125, 0.25], [_F, _T, _T, _F]),
            _case([0.125, 0.5, 0.125, 0.25], [_T, _F, _F, _T]),
            _case([0.2, 0.2, 0.6], [_F, _T, _F]),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(_scaled(_down, math.exp, _half_log, shares=False), NOT_SHARES),
        Mistake(
            _scaled(_down, math.exp, lambda e: math.log2((1 - e) / e) / 2),
            BASE_TWO,
        ),
        Mistake(
            _scaled(lambda _: 1.0, math.exp, lambda e: math.log((1 - e) / e)),
            "The weights are right and alpha is twice what is asked for. Some books, and this"
            " library, leave out the ½; here it belongs to it.",
        ),
        Mistake(
            _scaled(_down, math.exp, lambda e: math.log((1 - e) / e)),
            "The ½ of alpha is missing. With e to the alpha on one side and e to the -alpha on the"
            " other, the wrong rows then get more than one half.",
        ),
        Mistake(_scaled(lambda _: 1.0, math.exp, _half_log), ONE_SIDE),
        Mistake(
            _scaled(lambda _: 1.0, math.exp, _half_log, shares=False),
            "Only the wrong rows were changed. With this alpha the right rows become lighter, by"
            " the same factor; and at the end all are divided by their sum.",
        ),
        Mistake(
            _scaled(math.exp, _down, _half_log),
            "The right rows become heavier and the wrong ones lighter. The next stump is to look at"
            " what this one got wrong.",
        ),
        Mistake(
            _scaled(math.exp, _down, lambda e: -_half_log(e)),
            "The fraction in alpha is upside down: a stump with a small error is to get a large"
            " vote, not a negative one.",
        ),
        Mistake(
            _scaled(_down, math.exp, lambda e: -_half_log(e)),
            "The fraction in alpha is upside down, and so right rows become heavier and wrong ones"
            " lighter.",
        ),
        Mistake(
            _counted,
            "It takes the *number* of wrong rows for ε. From the second round on the rows do not"
            " weigh the same: ε is the sum of the wrong rows' weights.",
        ),
    ),
    more="Four steps: ``error`` is the sum of the weights where ``wrong`` is true; then alpha; then"
    " each weight times ``math.exp(alpha)`` or ``math.exp(-alpha)``; then each divided by the sum"
    " of all.",
    solution="""def one_round(weights, wrong):
    error = sum(w for w, bad in zip(weights, wrong) if bad)
    alpha = 0.5 * math.log((1 - error) / error)
    scaled = [w * math.exp(alpha if bad else -alpha) for w, bad in zip(weights, wrong)]
    total = sum(scaled)
    return alpha, [w / total for w in scaled]
""",
    why="Wrong rows are multiplied by e to the alpha and right ones by e to the -alpha; divided by"
    " their sum, each side has one half of all weight.",
)


# -- the vote -------------------------------------------------------------------------------------


def _vote(answers: Sequence[int], alphas: Sequence[float]) -> int:
    return 1 if sum(s * a for s, a in zip(answers, alphas, strict=True)) > 0 else -1


def _vote_case(answers: Sequence[int], alphas: Sequence[float]) -> Case:
    return Case((list(answers), list(alphas)), (_vote(answers, alphas),))


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    draws = [(rng.choice([1, -1], n), rng.integers(1, 90, n)) for n in (3, 5, 8, 4)]
    read = [([int(s) for s in said], [int(a) / 50 for a in given]) for said, given in draws]
    clear = [one for one in read if abs(sum(s * a for s, a in zip(*one, strict=True))) > 1e-6]  # noqa: PLR2004
    return tuple(_vote_case(*one) for one in clear)


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
        ),
        fresh=_fresh_votes,
    ),
    mistakes=(
        Mistake(
            lambda answers, _: 1 if sum(answers) > 0 else -1,
            "It counts heads. Each stump's answer weighs as much as its alpha, so one good stump"
            " may overrule two poor ones.",
        ),
        Mistake(
            lambda answers, alphas: sum(s * a for s, a in zip(answers, alphas, strict=True)),
            "It gives the sum itself. How sure the vote is would be worth knowing; asked for is the"
            " label, 1 or -1.",
        ),
        Mistake(
            lambda answers, alphas: answers[alphas.index(max(alphas))],
            "It listens to the stump with the largest alpha alone. Together the others may weigh"
            " more.",
        ),
        Mistake(
            lambda answers, alphas: sum(s * a for s, a in zip(answers, alphas, strict=True)) > 0,
            "It gives a truth value. Asked for is the label: the number 1 or the number -1.",
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
