"""The exercise on a round of AdaBoost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.boosting.scaling import (
    by_position,
    by_the_largest,
    counted,
    divided,
    down,
    half_log,
    in_equal_parts,
    scaled,
    sum_on_the_move,
)
from dtree_lab.course.lessons.boosting.weights import EQUAL, NATURAL, NOT_SHARES, ONE_SIDE
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.course.calls import Outcome


def reweighted(weights: Sequence[float], wrong: Sequence[bool]) -> tuple[float, list[float]]:
    """The weight of the stump's vote, and the rows' new weights: each side gets one half."""
    e = math.fsum(w for w, bad in zip(weights, wrong, strict=True) if bad)
    pairs = zip(weights, wrong, strict=True)
    return math.log((1 - e) / e) / 2, [w / (2 * e if bad else 2 * (1 - e)) for w, bad in pairs]


def _case(weights: Sequence[float], wrong: Sequence[bool]) -> Case:
    alpha, new = reweighted(weights, wrong)
    wanted = f"alpha {alpha:.4f} with the weights {', '.join(f'{w:.3g}' for w in new)}"
    alike = max(weights) - min(weights) < 1e-9  # noqa: PLR2004
    shows = "rows that weigh the same" if alike else "rows that do not weigh the same"
    return Case((list(weights), list(wrong)), ((alpha, new),), wanted=wanted, behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n, alike in ((4, False), (7, True), (7, False), (10, True), (10, False)):
        parts = np.ones(n) if alike else np.array([1, 9, *rng.integers(1, 9, n - 2)])
        wrong = [bool(i == rng.integers(n) or i == 1) for i in range(n)]
        cases.append(_case([float(p) for p in parts / parts.sum()], wrong))
    return tuple(cases)


def _shape(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which not a number and a list came back, in this order."""
    return [
        i
        for i, o in enumerate(outcomes)
        if o.kind == "number"
        or (
            o.kind == "values" and not (len(o.value) == 2 and isinstance(o.value[1], tuple))  # noqa: PLR2004 - two things
        )
    ]


_no_logarithm = stops("ValueError")


_COUNTED = (
    "It takes the *number* of wrong rows for ε. From the second round on the rows do not weigh the"
    " same: ε is the sum of the wrong rows' weights."
)
_T, _F = True, False
_GIVEN = (
    ([0.25, 0.25, 0.25, 0.25], [_F, _F, _T, _F]),
    ([0.1] * 10, [_F, _F, _F, _F, _F, _F, _T, _T, _F, _F]),
    ([0.5, 0.125, 0.125, 0.25], [_F, _T, _T, _F]),
    ([0.125, 0.5, 0.125, 0.25], [_T, _F, _F, _T]),
    ([0.2, 0.2, 0.6], [_F, _T, _F]),
)
ROUND = Exercise(
    id="boosting/round",
    title="One round of AdaBoost",
    points=3,
    heading="one round",
    text="""Write `one_round(weights, wrong)`: `wrong` is a list of truth values, one for each row.
Return two things: α (with the ½), and the list of the new weights. (Within 0.000001.)""",
    stub="""def one_round(weights, wrong):
    # your lines, in place of the dots
    ...""",
    answer="one_round",
    task=Code(
        "one_round",
        tuple(_case(*given) for given in _GIVEN),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(scaled(down, math.exp, half_log, shares=False), NOT_SHARES),
        Mistake(
            scaled(down, math.exp, lambda e: math.log2((1 - e) / e) / 2),
            NATURAL,
        ),
        Mistake(scaled(down, math.exp, lambda e: math.log10((1 - e) / e) / 2), NATURAL),
        Mistake(
            scaled(lambda _: 1.0, math.exp, lambda e: math.log((1 - e) / e)),
            "The weights are right and alpha is twice what is asked for. Some books, and this"
            " library, leave out the ½; here it belongs to it.",
        ),
        Mistake(
            scaled(down, math.exp, lambda e: math.log((1 - e) / e)),
            "The ½ of alpha is missing. With e to the alpha on one side and e to the -alpha on the"
            " other, the wrong rows then get more than one half.",
        ),
        Mistake(scaled(lambda _: 1.0, math.exp, half_log), ONE_SIDE),
        Mistake(
            scaled(lambda _: 1.0, math.exp, half_log, shares=False),
            "Only the wrong rows were changed. With this alpha the right rows become lighter, by"
            " the same factor; and at the end all are divided by their sum.",
        ),
        Mistake(
            scaled(math.exp, down, half_log),
            "The right rows become heavier and the wrong ones lighter. The next stump is to look at"
            " what this one got wrong.",
        ),
        Mistake(
            scaled(math.exp, down, lambda e: -half_log(e)),
            "The fraction in alpha is upside down: a stump with a small error is to get a large"
            " vote, not a negative one.",
        ),
        Mistake(
            scaled(down, math.exp, lambda e: -half_log(e)),
            "The fraction in alpha is upside down, or ε was added up over the right rows; and so"
            " right rows become heavier and wrong ones lighter.",
        ),
        Mistake(counted, _COUNTED),
        Mistake(in_equal_parts, EQUAL),
        Mistake(
            by_the_largest,
            "The weights are divided by the largest of them. Divided by their *sum* they are shares"
            " of all.",
        ),
        Mistake(divided(lambda e: 2 * e, lambda e: 2 * (1 - e), shares=False), _COUNTED),
        Mistake(
            divided(lambda e: 1 / (2 * e), lambda e: 1 / (2 * (1 - e))),
            "The short cut *divides* by twice the weight of a side. You multiply by it, and the"
            " wrong rows become lighter.",
        ),
        Mistake(
            divided(lambda e: 2 * (1 - e), lambda e: 2 * e),
            "The two divisors of the short cut have changed places. Which of the two sides is to"
            " become heavier?",
        ),
        Mistake(
            divided(lambda e: e, lambda e: 1 - e),
            "Now either side weighs 1, and all together 2. Each side is to have one half.",
        ),
        Mistake(
            sum_on_the_move,
            "The weights are divided one after the other, each by another sum: that of weights of"
            " which some have been divided before. Work the sum out once, and keep it.",
        ),
        Mistake(
            lambda *given: tuple(reversed(reweighted(*given))),
            "Two things are asked for, in this order: alpha, then the list of the new weights.",
            when=_shape,
        ),
        Mistake(
            by_position,
            "The logarithm was asked for a number that is not positive. Is ``wrong`` taken for a"
            " list of positions? Here it holds a truth value for each row. Or are brackets"
            " missing? All of 1 - ε is divided by ε.",
            when=_no_logarithm,
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
