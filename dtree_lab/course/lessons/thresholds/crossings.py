"""Exercises on where bell curves cross."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Case, Code, Number

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np


def _log_ratio(x: float, plus: float, minus: float, variance: float, p: float) -> float:
    """The natural logarithm of the likelihood ratio with priors."""
    return math.log(p / (1 - p)) + ((x - minus) ** 2 - (x - plus) ** 2) / (2 * variance)


def crossing(plus: float, minus: float, variance: float, p: float, tau: float = 1.0) -> float:
    """Where the ratio is tau, by halving an interval: apart from the formula of the lesson."""
    up = plus > minus
    low, high = -1e6, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        more = _log_ratio(middle, plus, minus, variance, p) > math.log(tau)
        low, high = (low, middle) if more == up else (middle, high)
    return (low + high) / 2


# -- by hand ---------------------------------------------------------------------------------------

_ROWS = ((5, 15), (4, 16), (15, 5), (16, 4), (6, 24), (24, 6))


def _slips(data: dict[str, int]) -> tuple[Mistake, ...]:
    plus, minus, variance = data["mean_plus"], data["mean_minus"], data["variance"]
    more, fewer = data["rows_plus"], data["rows_minus"]
    middle, apart = (plus + minus) / 2, plus - minus
    log = math.log(fewer / more)
    return (
        Mistake(middle, "That is half-way between the means: right for equal priors."),
        Mistake(
            middle - variance / apart * log,
            "The step goes the wrong way. Which class is rarer, and which way should the crossing"
            " move so that it gets the smaller part of the line?",
        ),
        Mistake(
            middle + variance / apart * math.log2(fewer / more),
            "That is with a logarithm of base 2. A bell curve is made with e, so here it is the"
            " natural one, ``math.log``.",
        ),
        Mistake(
            middle + math.sqrt(variance) / apart * log,
            "That is with the standard deviation, its square root. What stands in the formula is"
            " the variance itself.",
        ),
        Mistake(
            middle + variance * log,
            "The step was not divided by the distance between the means.",
        ),
        Mistake(
            middle + variance / apart * (fewer / more),
            "That is with the ratio of the priors as it is. What became of it when we took"
            " logarithms?",
        ),
        Mistake(
            (plus * more + minus * fewer) / (more + fewer),
            "That is the mean of all rows. The crossing starts half-way between the two means,"
            " however many rows each has, and moves from there.",
        ),
    )


def _drawn(rng: np.random.Generator) -> dict[str, int]:
    minus = int(rng.integers(20, 60))
    more, fewer = _ROWS[int(rng.integers(len(_ROWS)))]
    return {
        "mean_plus": minus + int(rng.choice([6, 8, 10, 12])),
        "mean_minus": minus,
        "variance": int(rng.choice([9, 16, 25, 36])),
        "rows_plus": more,
        "rows_minus": fewer,
    }


def _apart(data: dict[str, int]) -> bool:
    answers = [_right(data), *(slip.wrong for slip in _slips(data))]
    return all(abs(a - b) > 0.05 for i, a in enumerate(answers) for b in answers[:i])  # noqa: PLR2004


def _right(data: dict[str, int]) -> float:
    share = data["rows_plus"] / (data["rows_plus"] + data["rows_minus"])
    return crossing(data["mean_plus"], data["mean_minus"], data["variance"], share)


def _by_hand(rng: np.random.Generator) -> Exercise:
    data = drawn_until("thresholds/crossing", lambda: _drawn(rng), _apart)
    return Exercise(
        id="thresholds/crossing",
        title="Where your bells cross",
        points=2,
        answer="my_theta",
        task=Number(_right(data), 0.01),
        mistakes=_slips(data),
        more="The priors are the shares of the rows, and in their ratio the total cancels. With"
        " τ = 1 the logarithm is that of rows_minus over rows_plus.",
        solution="""half = (bells["mean_plus"] + bells["mean_minus"]) / 2
apart = bells["mean_plus"] - bells["mean_minus"]
my_theta = half + bells["variance"] / apart * math.log(bells["rows_minus"] / bells["rows_plus"])
""",
        why="Half-way between the means, and a step towards the mean of the rarer class: the more"
        " the classes overlap, the longer the step.",
        data=data,
    )


CROSSING = personal(_by_hand)


# -- as a function ---------------------------------------------------------------------------------


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


def _case(*args: float) -> Case:
    return Case(args, (crossing(*args),))


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for _ in range(4):
        plus, minus = rng.choice(range(10, 60), 2, replace=False).tolist()
        tau = float(rng.choice([0.5, 1, 4]))
        drawn.append(
            _case(plus, minus, int(rng.integers(4, 50)), float(rng.choice([0.2, 0.6])), tau)
        )
    return tuple(drawn)


GAUSSIAN = Exercise(
    id="thresholds/gaussian",
    title="The crossing as a function",
    points=3,
    answer="gaussian_threshold",
    task=Code(
        "gaussian_threshold",
        (
            _case(10, 4, 9, 0.5),
            _case(10, 4, 9, 0.25),
            _case(4, 10, 9, 0.25),
            _case(90, 110, 1790, 0.3),
            _case(10, 4, 9, 0.5, 3),
            _case(10, 4, 9, 0.8, 0.5),
            _case(31.5, 32, 0.25, 0.4, 2),
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
