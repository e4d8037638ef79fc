"""The exercise on where bell curves cross, as a function."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds.crossings import crossing
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np


def _wrong(
    step: Callable[[float, float, float, float, float], float],
) -> Callable[..., float]:
    """A function that goes half-way and then makes a wrong step of its own."""

    def function(
        mu_plus: float, mu_minus: float, variance: float, p_plus: float, tau: float = 1
    ) -> float:
        return (mu_plus + mu_minus) / 2 + step(
            mu_plus - mu_minus, variance, p_plus, 1 - p_plus, tau
        )

    return function


def _instead_of_half_way(
    start: Callable[[float, float], float],
) -> Callable[..., float]:
    """A function that makes the right step, and not from half-way."""

    def function(
        mu_plus: float, mu_minus: float, variance: float, p_plus: float, tau: float = 1
    ) -> float:
        step = variance / (mu_plus - mu_minus) * math.log(tau * (1 - p_plus) / p_plus)
        return start(mu_plus, mu_minus) + step

    return function


_PRIORS, _SIDES, _TAU = "the priors", "which class has the larger mean", "τ"


def _case(behaviour: str, *args: float) -> Case:
    return Case(args, (crossing(*args),), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for behaviour, taus in ((_PRIORS, [1]), (_SIDES, [1]), (_TAU, [0.5, 4]), (_TAU, [2, 3])):
        minus, plus = sorted(rng.choice(range(10, 60), 2, replace=False).tolist())
        if behaviour == _SIDES:
            minus, plus = plus, minus
        tau, p_plus = float(rng.choice(taus)), float(rng.choice([0.2, 0.6]))
        drawn.append(_case(behaviour, plus, minus, int(rng.integers(4, 50)), p_plus, tau))
    return tuple(drawn)


_ALL_ROWS = (
    "That weighs the two means by the priors. The crossing starts half-way between them, and its"
    " step needs the variance, too."
)
_no_brackets = stops("ValueError", "math domain")


GAUSSIAN = Exercise(
    id="thresholds/gaussian",
    title="The crossing as a function",
    points=3,
    heading="the crossing as a function",
    text="""Write `gaussian_threshold(mu_plus, mu_minus, variance, p_plus, tau=1)`, where `p_plus`
is $P(+)$. It returns θ. (The means are never equal here: such bells would not cross.)""",
    stub="""def gaussian_threshold(mu_plus, mu_minus, variance, p_plus, tau=1):
    # your lines, in place of the dots
    ...""",
    answer="gaussian_threshold",
    task=Code(
        "gaussian_threshold",
        (
            _case(_PRIORS, 10, 4, 9, 0.5),
            _case(_PRIORS, 10, 4, 9, 0.25),
            _case(_SIDES, 4, 10, 9, 0.25),
            _case(_SIDES, 90, 110, 1790, 0.3),
            _case(_TAU, 10, 4, 9, 0.5, 3),
            _case(_TAU, 10, 4, 9, 0.8, 0.5),
            _case(_TAU, 31.5, 32, 0.25, 0.4, 2),
        ),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(_wrong(lambda *_: 0.0), "It always goes half-way. Priors and τ move the crossing."),
        Mistake(
            _wrong(lambda d, v, p, q, _: v / d * math.log(q / p)),
            "It leaves τ out. What does a τ of 3 ask for, before the answer is plus?",
        ),
        Mistake(
            _wrong(lambda d, v, _p, _q, t: v / d * math.log(t)),
            "It leaves the priors out: with different priors it still goes half-way.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: -v / d * math.log(t * q / p)),
            "The step goes the wrong way: with a rare plus, the side of plus should get smaller.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log(q / p / t)),
            "The priors are right, and τ works backwards: a larger τ must make plus rarer.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / abs(d) * math.log(t * q / p)),
            "It is right where plus has the larger mean, and wrong where it has the smaller one."
            " The sign of the distance matters.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: math.sqrt(v) / d * math.log(t * q / p)),
            "It takes the root of the variance. The function is given σ² already.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v**2 / d * math.log(t * q / p)),
            "It squares the variance, which is σ² already.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log2(t * q / p)),
            "That is a logarithm of base 2. A bell is made with e: take the natural one.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log10(t * q / p)),
            "That is a logarithm of base 10. A bell is made with e: take the natural one.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * math.log(t * p / q)),
            "τ is right, and the priors are upside down: with a rare plus, the side of plus should"
            " get smaller.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * t * math.log(q / p)),
            "τ stands before the logarithm. In the formula it stands inside.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d * t * q / p),
            "The logarithm is missing: with equal priors and τ = 1 there should be no step at all.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / (2 * d) * math.log(t * q / p)),
            "The step is half as long as it should be. The 2 below σ² went when we solved for x:"
            " there was a 2 before x, too.",
        ),
        Mistake(
            _wrong(lambda _, v, p, q, t: v * math.log(t * q / p)),
            "The step is not divided by the distance between the means.",
        ),
        Mistake(
            _wrong(lambda d, v, _p, _q, t: v / d * math.log(t * 7 / 3)),
            "It takes 7/3, the priors of the ten incomes, for everybody. Here ``p_plus`` says what"
            " they are.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: v / d**2 * math.log(t * q / p)),
            "The distance between the means is squared. In the formula it stands as it is.",
        ),
        Mistake(
            _wrong(lambda d, v, p, q, t: 2 * v / d * math.log(t * q / p)),
            "The step is twice as long as it should be. The 2 below σ² went when we solved for x.",
        ),
        Mistake(
            _wrong(lambda d, v, p, _q, t: v / d * math.log(t * 1 - p / p)),
            "Look at the order of the operations: ``1 - p_plus`` needs brackets before it is"
            " multiplied or divided.",
            when=_no_brackets,
        ),
        Mistake(
            lambda a, b, _v, p, _t=1: a * p + b * (1 - p),
            _ALL_ROWS,
        ),
        Mistake(
            lambda a, b, _v, p, _t=1: a * (1 - p) + b * p,
            _ALL_ROWS,
        ),
        Mistake(
            _instead_of_half_way(lambda a, b: (a - b) / 2),
            "It starts from half the distance between the means. Half-way is half their sum.",
        ),
        Mistake(
            _instead_of_half_way(lambda a, b: a + b / 2),
            "Look at the order of the operations: without brackets only the second mean is halved.",
        ),
        Mistake(
            _instead_of_half_way(lambda *_: 0.0), "That is the step alone. Where does it start?"
        ),
        Mistake(
            _wrong(lambda d, v, p, _q, t: v / d * math.log(t / p)),
            "One prior is missing: P(+) is given, and what is P(-) then?",
        ),
    ),
    more="Two terms: half the sum of the means, and the"
    " variance over their difference times ``math.log`` of a ratio with τ and both priors.",
    solution="""def gaussian_threshold(mu_plus, mu_minus, variance, p_plus, tau=1):
    step = variance / (mu_plus - mu_minus) * math.log(tau * (1 - p_plus) / p_plus)
    return (mu_plus + mu_minus) / 2 + step
""",
    why="With equal variances the logarithm of the ratio is a straight line in x, so it crosses"
    " ln τ exactly once (unless the means are equal: then the line is level).",
)
