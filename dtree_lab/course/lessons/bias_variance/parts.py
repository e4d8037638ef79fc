"""Bias and variance at one row, in numbers and as a function."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Iterable
from itertools import pairwise, product
from math import fsum, sqrt
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Case, Code, Number
from dtree_lab.course.tasks.code import alike, stops

Numbers = list[float]

_TREES = 5


def apart(numbers: Iterable[float], least: float) -> bool:
    """Whether numbers lie so far from each other that no answer can be taken for two of them."""
    return all(b - a >= least for a, b in pairwise(sorted(numbers)))


_FIVE_HINTS = {
    "no noise": "That is bias² and variance. The new label scatters, too, and its part is given.",
    "no variance": "That is noise and bias². How far do the five lie from their own mean?",
    "no bias": "That is noise and variance. How far does the mean of the five lie from the best"
    " answer?",
    "not squared": "The bias went in as it is. In the squared error it is squared, like all else.",
    "one less": "You divided the variance by one less than the number of trees. That is for a"
    " sample of training sets; here the five are all there are.",
    "root": "One of the three is a standard deviation, the root of a variance. Squared errors are"
    " made of squares: leave out the root.",
    "summed": "You summed the squared distances from the mean and did not divide. An expected value"
    " is an average.",
    "bias alone": "That is bias² alone. What of the scatter of the five, and of the new label?",
    "variance alone": "That is the variance of the five alone. What of the other two parts?",
    "twice": "The mean squared distance from the best answer holds bias² and the variance already:"
    " you have counted the variance twice.",
    "median": "You measured from the middle one of the five. The main prediction is their mean.",
    "noise squared": "The variance of the noise is a square already: do not square it again.",
}


def _five_wrong(noise: float, bias: float, off: list[int]) -> dict[str, float]:
    """What comes of each mistake; the five lie so far off their mean."""
    n = _TREES
    variance = sum(d * d for d in off) / n
    middle = sorted(off)[n // 2]
    return {
        "no noise": bias**2 + variance,
        "no variance": noise + bias**2,
        "no bias": noise + variance,
        "not squared": noise + abs(bias) + variance,
        "one less": noise + bias**2 + variance * n / (n - 1),
        "root": noise + bias**2 + sqrt(variance),
        "summed": noise + bias**2 + variance * n,
        "bias alone": bias**2,
        "variance alone": variance,
        "twice": noise + bias**2 + 2 * variance,
        "median": noise + (bias + middle) ** 2 + sum((d - middle) ** 2 for d in off) / n,
        "noise squared": noise**2 + bias**2 + variance,
    }


def _five_drawn(rng: np.random.Generator) -> tuple[list[int], int, int, int]:
    """How far each tree is from their mean, the best answer, the noise and the bias."""
    off = [int(d) for d in rng.integers(-4, 5, size=_TREES - 1)]
    off.append(-sum(off))
    best, noise = int(rng.integers(10, 20)), int(rng.integers(2, 6))
    return off, best, noise, int(rng.choice([-3, -2, 2, 3]))


def _five_fit(five: tuple[list[int], int, int, int]) -> bool:
    off, _, noise, bias = five
    variance = sum(d * d for d in off) / _TREES
    answers = (noise + bias**2 + variance, *_five_wrong(noise, bias, off).values())
    return abs(off[-1]) <= 4 and variance >= 2 and apart(answers, 0.1)  # noqa: PLR2004


def _five_trees(rng: np.random.Generator) -> Exercise:
    five = drawn_until("bias-variance/five-trees", lambda: _five_drawn(rng), _five_fit)
    off, best, noise, bias = five
    variance = sum(d * d for d in off) / _TREES
    data = {
        "predictions": [best + bias + d for d in off],
        "best answer": best,
        "noise variance": noise,
    }
    return _five_exercise(data, noise + bias**2 + variance, _five_wrong(noise, bias, off))


def _five_exercise(data: dict[str, Any], want: float, wrong: dict[str, float]) -> Exercise:
    return Exercise(
        id="bias-variance/five-trees",
        title="Five trees at one row",
        points=2,
        heading="five trees at one row",
        text="""Here are your own numbers: what five trees, from five training sets, say of one row,
the best answer there, and the variance of the noise. Treat the five as all the training sets there
are. What is the **expected squared error** at this row? (It may be off by 0.01.)

```python
one_row = dt.course.data("bias-variance/five-trees", me)
one_row
```""",
        stub="error_there = ...",
        answer="error_there",
        data=data,
        task=Number(want, tolerance=0.01),
        mistakes=tuple(Mistake(wrong[name], hint) for name, hint in _FIVE_HINTS.items()),
        more="Take the mean of the five first. Its distance from the best answer, squared, is one"
        " part; the mean of the five squared distances from *it* is another; the third is given.",
        solution="""said = one_row["predictions"]
main = sum(said) / len(said)
bias2 = (main - one_row["best answer"]) ** 2
variance = sum((y - main) ** 2 for y in said) / len(said)
error_there = one_row["noise variance"] + bias2 + variance
""",
        why="Noise, bias² and variance, and nothing else. Bias² and variance together are also the"
        " mean squared distance of the five from the best answer: a quick way to check.",
    )


FIVE_TREES = personal(_five_trees)

_LEAF_NOISE, _LEAF_BIAS2, _SALES = 1, 4, 5


def _tree_of_three() -> float:
    """The error of a tree on workdays, by its rule: the mean of its workdays, or of all days."""
    squares = []
    for days in product((1, 3, 5, 7), repeat=3):
        known = [sold for sold in days if sold in _WORKDAYS] or days
        squares += [(sold - sum(known) / len(known)) ** 2 for sold in _WORKDAYS]
    return sum(squares) / len(squares)


_WORKDAYS = (1, 3)
_TREE_OF_THREE = _tree_of_three()

THREE_DAYS = Exercise(
    id="bias-variance/three-days",
    title="Three days instead of two",
    points=2,
    heading="three days instead of two",
    text="""The baker now notes three days before guessing, so that there are $4^3 = 64$ training
sets. What is the *leaf's* expected squared error? Say first which of the three parts change. (You
may count with the computer; 0.01 either way.)""",
    stub="error_of_three = ...",
    answer="error_of_three",
    task=Number(_LEAF_NOISE + _LEAF_BIAS2 + _SALES / 3, tolerance=0.01),
    mistakes=(
        Mistake(
            _LEAF_NOISE + _LEAF_BIAS2 + _SALES / 2,
            "That is the leaf's error with two days. Something must change: what the mean of three"
            " numbers does less than the mean of two.",
        ),
        Mistake(
            _LEAF_NOISE + _LEAF_BIAS2 + _SALES,
            "The variance in it is that of one day's sales. The leaf answers with a mean, and a"
            " mean scatters less than what it is the mean of.",
        ),
        Mistake(
            _LEAF_NOISE + _LEAF_BIAS2 + _SALES / 9,
            "You divided the variance by the square of the number of days. It is the standard"
            " deviation that goes with a root; which power is left for the variance?",
        ),
        Mistake(
            _LEAF_NOISE + _LEAF_BIAS2 * 2 / 3 + _SALES / 3,
            "The bias does not fall with more days: what is the leaf's main prediction, for two"
            " days and for three?",
        ),
        Mistake(
            _LEAF_NOISE * 2 / 3 + _LEAF_BIAS2 + _SALES / 3,
            "The noise is the world's: it does not know how many days the baker has noted.",
        ),
        Mistake(
            _LEAF_BIAS2 + _SALES / 3,
            "That is bias² and variance. The number sold on the new day scatters, too.",
        ),
        Mistake(
            _LEAF_NOISE + _SALES / 3,
            "That is noise and variance. Does the leaf's main prediction hit the best answers?",
        ),
        Mistake(
            (_LEAF_NOISE + _LEAF_BIAS2 + _SALES / 2) * 2 / 3,
            "You took two thirds of the whole error. Only one of its three parts falls.",
        ),
        Mistake(
            _LEAF_NOISE + _LEAF_BIAS2 + _SALES / 4,
            "You halved the variance once more. It halves when the number of days is doubled, and"
            " three is not twice two.",
        ),
        Mistake(
            _TREE_OF_THREE,
            "That is the error of the tree, which may ask for the day. Asked for is the leaf's.",
        ),
        Mistake(_SALES / 3, "That is the variance alone. What of the other two parts?"),
    ),
    more="Only one part hangs on the number of days. Look at it for one day: the sales 1, 3, 5, 7"
    " scatter about their mean with a variance of 5. For two days it was half of that.",
    solution="""means = [Fraction(sum(days), 3) for days in product((1, 3, 5, 7), repeat=3)]
squares = [(t - y) ** 2 for t in (1, 3, 5, 7) for y in means]
error_of_three = float(sum(squares) / len(squares))
""",
    why="1 + 4 + 5/3: noise and bias are as before, and the mean of three draws has a third of the"
    " variance of one. That more rows help against variance only is exact here.",
)


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
