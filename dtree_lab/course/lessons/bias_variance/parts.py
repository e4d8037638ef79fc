"""The exercise on bias² and variance as a function."""

from __future__ import annotations

import statistics
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.common import alike
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    import numpy as np

    from dtree_lab.course.calls import Outcome

    Numbers = list[float]


def _mean(numbers: Numbers) -> float:
    return fsum(numbers) / len(numbers)


def _variance(said: Numbers) -> float:
    """The mean of the squares less the square of the mean: another way than the lesson's."""
    return _mean([y * y for y in said]) - _mean(said) ** 2


_TOLERANCE = 0.001
_PARTS = {"the squared bias": "first", "the variance": "second"}


def _cases(said: Numbers, truth: float) -> tuple[Case, ...]:
    """Each of the two numbers for itself: who has one of them right is paid for it."""
    both = _mean([y - truth for y in said]) ** 2, _variance(said)
    return tuple(
        Case(
            (said, truth),
            (both,),
            holds=part_is(i, (both,), _TOLERANCE),
            wanted=f"{both[i]:.4g} as the {_PARTS[behaviour]} of two",
            behaviour=behaviour,
        )
        for i, behaviour in enumerate(_PARTS)
    )


def part_is(i: int, wants: Collection[tuple[float, ...]], tolerance: float) -> Callable[..., bool]:
    """Whether one of several numbers is that of a right answer, whatever the others are."""

    def holds(given: Any) -> bool:
        fits = isinstance(given, tuple) and any(len(given) == len(want) for want in wants)
        return fits and any(alike(given[i], want[i], tolerance) for want in wants)

    return holds


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Case] = []
    for n in (1, 2, 5, 9):
        said = [round(float(y), 2) for y in rng.normal(3, 2, size=n)]
        drawn += _cases(said, float(rng.integers(-5, 9)))
    return tuple(drawn)


def _about_truth(said: Numbers, truth: float) -> tuple[float, float]:
    return (_mean(said) - truth) ** 2, _mean([(y - truth) ** 2 for y in said])


def _one_tree(said: Numbers, truth: float) -> tuple[float, float]:
    return (said[0] - truth) ** 2, _variance(said)


def _mean_square(said: Numbers, truth: float) -> tuple[float, float]:
    return _mean([(y - truth) ** 2 for y in said]), _variance(said)


def _bias2(said: Numbers, truth: float) -> float:
    return (_mean(said) - truth) ** 2


def _by_median(said: Numbers, truth: float) -> tuple[float, float]:
    return (statistics.median(said) - truth) ** 2, _variance(said)


def _whole_mean(said: Numbers, truth: float) -> tuple[float, float]:
    main = sum(said) // len(said)
    return (main - truth) ** 2, _mean([(y - main) ** 2 for y in said])


def _no_mean(said: Numbers, truth: float) -> tuple[float, float]:
    total = sum(said)
    return (total - truth) ** 2, _mean([(y - total) ** 2 for y in said])


def _no_brackets(said: Numbers, truth: float) -> tuple[float, float]:
    return _mean(said) - truth**2, _variance(said)


def _first_only(said: Numbers, truth: float) -> tuple[float, float]:
    return _bias2(said, truth), (said[0] - _mean(said)) ** 2 / len(said)


def _by_a_hat(said: Numbers, truth: float) -> tuple[float, float]:
    return (_mean(said) - truth) ^ 2, 0.0  # type: ignore[operator] # that is its mistake


_CASES = (
    *_cases([3, 5], 4),
    *_cases([1, 1, 1], 4),
    *_cases([2, 4, 9], 3),
    *_cases([7], 7),
    *_cases([0.5, 1.5, 2.5, 3.5], 1),
    *_cases([-1, -3], 2),
    *_cases([2, 3], 0),  # a mean that is no whole number
)
_CLOSE = 1e-6


def _one_less(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases whose variance is divided by one less; with one prediction alone that is 0/0."""
    found = []
    for i, (case, outcome) in enumerate(zip(_CASES, outcomes, strict=False)):
        said, _ = case.args
        too_much = _variance(said) * len(said) / max(len(said) - 1, 1)
        pair = outcome.value if isinstance(outcome.value, tuple) else ()
        pair = pair if len(pair) > 1 else (0, 0)
        if too_much > _variance(said) + _CLOSE and isinstance(pair[1], int | float):
            found += [i] if abs(pair[1] - too_much) < _CLOSE else []
    return found if len(found) > len(_CASES) / 2 else []


_NOT_SQUARED = (
    "Its first number is the bias as it is, with or without its sign. Asked for is its square."
)

_ONE_NUMBER = "It returns one number. Asked for are two: bias², a comma, and the variance."

SQUARED = Exercise(
    id="bias-variance/squared",
    title="Bias² and variance as a function",
    points=3,
    heading="the two parts as a function",
    text="""Write `bias_variance(predictions, truth)`: at one row, `predictions` is the list of what
the trees from all training sets say, `truth` the best answer. Return two numbers: the **squared**
bias, and the variance (divided by the number of predictions).""",
    stub="""def bias_variance(predictions, truth):
    # your lines, in place of the dots
    ...""",
    answer="bias_variance",
    task=Code(
        "bias_variance",
        _CASES,
        tolerance=_TOLERANCE,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(lambda said, truth: (_mean(said) - truth, _variance(said)), _NOT_SQUARED),
        Mistake(lambda said, truth: (truth - _mean(said), _variance(said)), _NOT_SQUARED),
        Mistake(lambda said, truth: (abs(_mean(said) - truth), _variance(said)), _NOT_SQUARED),
        Mistake(
            _about_truth,
            "Its variance measures from the truth. Variance knows nothing of the truth: it is how"
            " the predictions scatter about their own mean.",
        ),
        Mistake(
            _mean_square,
            "It squares each prediction's distance from the truth and averages afterwards, so the"
            " scatter is still in it. For the bias, average first.",
        ),
        Mistake(
            _one_tree,
            "Its bias is that of one prediction. Bias is about the main prediction of them all.",
        ),
        Mistake(
            lambda said, truth: (_bias2(said, truth), statistics.variance(said)),
            "It divides the variance by one less than the number of predictions. Here they are all"
            " there are.",
            when=_one_less,
        ),
        Mistake(
            lambda said, truth: (_bias2(said, truth), _variance(said) * len(said)),
            "It sums the squared distances from the mean, and does not divide by their number.",
        ),
        Mistake(
            lambda said, truth: (_bias2(said, truth), sqrt(max(_variance(said), 0))),
            "Its second number is the standard deviation. Asked for is the variance, without the"
            " root.",
        ),
        Mistake(
            lambda said, truth: (
                _bias2(said, truth),
                _mean([abs(y - _mean(said)) for y in said]),
            ),
            "Its second number is the mean distance from the mean. For the variance the distances"
            " are squared before they are averaged.",
        ),
        Mistake(
            lambda said, truth: (_variance(said), _bias2(said, truth)),
            "The two numbers have changed places: the bias comes first.",
        ),
        Mistake(
            lambda said, truth: _bias2(said, truth) + _variance(said),
            "It returns the sum of the two. Asked for are two numbers, with a comma between them.",
        ),
        Mistake(_bias2, _ONE_NUMBER),
        Mistake(lambda said, truth: _variance(said), _ONE_NUMBER),  # noqa: ARG005 - the mistake
        Mistake(
            lambda said, truth: (
                _bias2(said, truth),
                _variance(said),
                _bias2(said, truth) + _variance(said),
            ),
            "It returns three numbers. Leave out the sum: two are asked for.",
        ),
        Mistake(
            lambda said, truth: (_bias2(said, truth), 0.0),
            "Its variance is 0 whatever the predictions are. Distances below the mean and above it"
            " cancel out if they are added up as they are: square each of them first.",
        ),
        Mistake(
            _whole_mean,
            "Its mean is a whole number: ``//`` throws the rest away. A mean is divided by ``/``.",
        ),
        Mistake(
            lambda said, truth: (_bias2(said, truth), max(said) - min(said)),
            "Its second number is the range, from the least to the greatest. The variance looks at"
            " every prediction's distance from the mean.",
        ),
        Mistake(
            lambda said, truth: (_mean([abs(y - truth) for y in said]) ** 2, _variance(said)),
            "It takes the distance of each prediction from the truth, without its sign. Those on"
            " the two sides of the truth make up for each other: average first.",
        ),
        Mistake(
            lambda said, truth: (_mean(said) - truth, sqrt(max(_variance(said), 0))),
            "Both numbers want a square: bias², and the variance without the root.",
        ),
        Mistake(
            _by_median,
            "Its main prediction is the median. For squared errors it is the mean.",
        ),
        Mistake(
            _no_mean,
            "Its main prediction is the sum of the predictions. What makes a mean of it?",
        ),
        Mistake(
            _no_brackets,
            "It squares the truth alone: ``**`` comes before ``-``. Brackets help.",
        ),
        Mistake(
            _first_only,
            "Only the first prediction is in its variance. Does ``return`` stand inside the loop?",
        ),
        Mistake(
            _by_a_hat,
            "``^`` is something else in Python. A square is written ``** 2``.",
            when=stops("TypeError", "for ^"),
        ),
    ),
    more="Three lines will do. The first: ``main = sum(predictions) / len(predictions)``. Both"
    " parts start from it: one measures from it to the truth, the other from it to each"
    " prediction.",
    solution="""def bias_variance(predictions, truth):
    main = sum(predictions) / len(predictions)
    variance = sum((y - main) ** 2 for y in predictions) / len(predictions)
    return (main - truth) ** 2, variance
""",
    why="The main prediction is the hinge: from it to the truth is bias, from it to the single"
    " predictions is variance.",
)
