"""Exercises whose answer is a number, two of them with data of the learner's own."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

_TREES = 5


def _apart(numbers: Iterable[float], least: float) -> bool:
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
    "noise squared": "The variance of the noise is a square already: do not square it again.",
}


def _five_wrong(noise: float, bias: float, variance: float) -> dict[str, float]:
    """What comes of each mistake."""
    n = _TREES
    return {
        "no noise": bias**2 + variance,
        "no variance": noise + bias**2,
        "no bias": noise + variance,
        "not squared": noise + abs(bias) + variance,
        "one less": noise + bias**2 + variance * n / (n - 1),
        "root": noise + bias**2 + sqrt(variance),
        "summed": noise + bias**2 + variance * n,
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
    answers = (noise + bias**2 + variance, *_five_wrong(noise, bias, variance).values())
    return abs(off[-1]) <= 4 and variance >= 2 and _apart(answers, 0.1)  # noqa: PLR2004


def _five_trees(rng: np.random.Generator) -> Exercise:
    five = drawn_until("bias-variance/five-trees", lambda: _five_drawn(rng), _five_fit)
    off, best, noise, bias = five
    variance = sum(d * d for d in off) / _TREES
    data = {
        "predictions": [best + bias + d for d in off],
        "best answer": best,
        "noise variance": noise,
    }
    return _five_exercise(data, noise + bias**2 + variance, _five_wrong(noise, bias, variance))


def _five_exercise(data: dict[str, Any], want: float, wrong: dict[str, float]) -> Exercise:
    return Exercise(
        id="bias-variance/five-trees",
        title="Five trees at one row",
        points=2,
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

THREE_DAYS = Exercise(
    id="bias-variance/three-days",
    title="Three days instead of two",
    points=2,
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


_NOISY_HINTS = {
    "trees only": "That is how often a tree is wrong about the right class. But the label that it"
    " is held against is itself sometimes turned over.",
    "added": "You added the two shares. Where the tree is wrong *and* the label is turned over,"
    " they agree: two wrongs make a hit.",
    "either": "That is how often something is amiss: the tree wrong, or the label turned over, or"
    " both. And when it is both?",
    "both right": "That is how often prediction and label agree. Asked for is how often they do"
    " not.",
    "right trees": "That is one of the two ways to be counted wrong: the tree right, the label"
    " turned over. What is the other?",
    "wrong trees": "That is one of the two ways to be counted wrong: the tree wrong, the label as"
    " it should be. What is the other?",
    "both wrong": "Tree wrong and label turned over: then the two agree, and it counts as right.",
    "noise only": "That is the noise alone: the error of a tree that always says the right class.",
}


def _disagree(q: float, n: float) -> float:
    """How often a tree that says the right class so often differs from a label with noise."""
    return q * n + (1 - q) * (1 - n)


def _noisy_wrong(q: float, n: float) -> dict[str, float]:
    """What comes of each mistake."""
    return {
        "trees only": 1 - q,
        "added": 1 - q + n,
        "either": 1 - q * (1 - n),
        "both right": 1 - _disagree(q, n),
        "right trees": q * n,
        "wrong trees": (1 - q) * (1 - n),
        "both wrong": (1 - q) * n,
        "noise only": n,
    }


def _noisy_drawn(rng: np.random.Generator) -> tuple[float, float]:
    """How often the right class is said, and how many labels are turned over."""
    q = float(rng.choice([0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85]))
    return q, float(rng.choice([0.05, 0.1, 0.15, 0.2, 0.3]))


def _noisy_fit(drawn: tuple[float, float]) -> bool:
    return _apart((_disagree(*drawn), *_noisy_wrong(*drawn).values()), 0.005)


def _noisy_row(rng: np.random.Generator) -> Exercise:
    q, n = drawn_until("bias-variance/noisy-row", lambda: _noisy_drawn(rng), _noisy_fit)
    data = {"say the right class": q, "labels turned over": n}
    return _noisy_exercise(data, _disagree(q, n), _noisy_wrong(q, n))


def _noisy_exercise(data: dict[str, float], want: float, wrong: dict[str, float]) -> Exercise:
    return Exercise(
        id="bias-variance/noisy-row",
        title="Noise at a row",
        points=2,
        answer="error_with_noise",
        data=data,
        task=Number(want, tolerance=0.001),
        mistakes=tuple(Mistake(wrong[name], hint) for name, hint in _NOISY_HINTS.items()),
        more="A prediction counts as wrong when it differs from the label as it came. Tree right or"
        " wrong, label as it should be or turned over: in which two of the four do they differ, and"
        " how probable is each?",
        solution="""right, turned = noisy_row.values()
error_with_noise = right * turned + (1 - right) * (1 - turned)
""",
        why="The tree right and the label turned over, or the tree wrong and the label as it should"
        " be. Noise adds to the error of a tree that is mostly right, but less than its own share,"
        " because it also makes some wrong predictions right.",
    )


NOISY_ROW = personal(_noisy_row)
