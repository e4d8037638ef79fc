"""The exercise on where bell curves cross, by hand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
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
            middle + variance**2 / apart * log,
            "The variance was squared once more. In the formula σ² *is* the variance.",
        ),
        Mistake(
            middle + variance / apart * log / math.log(10),
            "That is with a logarithm of base 10. A bell curve is made with e, so here it is the"
            " natural one, ``math.log``.",
        ),
        Mistake(
            middle + variance / (2 * apart) * log,
            "The step is half as long as it should be. The 2 below σ² went when we solved for x:"
            " there was a 2 before x, too.",
        ),
        Mistake(
            variance / apart * log,
            "That is the step alone. From where is it taken?",
        ),
        Mistake(
            plus + minus + variance / apart * log,
            "The step is right, and it starts at the sum of the means. Where is half-way?",
        ),
        Mistake(middle + variance / apart * math.log(fewer / (more + fewer)), _ONE_PRIOR),
        Mistake(middle + variance / apart * math.log(more / (more + fewer)), _ONE_PRIOR),
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


_ONE_PRIOR = (
    "That is with the logarithm of one prior alone. In the formula one prior is divided by the"
    " other."
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
        heading="your crossing",
        text=r"""The two classes of a column of yours, with their means, the variance that they
share, and their rows. Where do the bells cross, with $\tau = 1$? (The answer may be off by 0.01.)

```python
bells = dt.course.data("thresholds/crossing", me)
bells
```""",
        stub="my_theta = ...",
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
