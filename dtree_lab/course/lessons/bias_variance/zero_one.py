"""The parts of the 0-1 loss, and the noise at a row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.bias_variance.parts import apart, part_is
from dtree_lab.course.tasks import Case, Code, Number

Labels = list[str]


def _parts(said: Labels, truth: str, main: str) -> tuple[int, float, float]:
    n = len(said)
    return int(main != truth), (n - said.count(main)) / n, (n - said.count(truth)) / n


def _mains(said: Labels) -> list[str]:
    """The classes that are said most, in the order in which they come."""
    most = max(map(said.count, said))
    return [label for label in dict.fromkeys(said) if said.count(label) == most]


_TOLERANCE = 0.001
_PARTS = {"the bias": "first", "the variance": "second", "the error": "third"}


def _cases(said: Labels, truth: str) -> tuple[Case, ...]:
    """Each of the three numbers for itself: who has one of them right is paid for it."""
    wants = tuple(dict.fromkeys(_parts(said, truth, main) for main in _mains(said)))
    return tuple(
        Case(
            (said, truth),
            wants,
            holds=part_is(i, wants, _TOLERANCE),
            wanted=" or ".join(dict.fromkeys(f"{want[i]:.4g}" for want in wants))
            + f" as the {_PARTS[behaviour]} of three",
            via=_in_numbers,
            behaviour=behaviour,
        )
        for i, behaviour in enumerate(_PARTS)
    )


def _in_numbers(zero_one: Callable[[Labels, str], Any], said: Labels, truth: str) -> Any:
    """What a function returns, with 0 or 1 for a truth value: for the bias it is as good."""
    given = zero_one(said, truth)
    if not isinstance(given, tuple | list):
        return given
    return [int(one) if isinstance(one, bool | np.bool_) else one for one in given]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    labels = ("above", "below", "beside")
    drawn = [[str(one) for one in rng.choice(labels, size=n)] for n in (5, 8, 9, 12)]
    return tuple(case for said in drawn for case in _cases(said, str(rng.choice(labels))))


def _wrong(change: Callable[..., Any]) -> Callable[[Labels, str], Any]:
    """The right three numbers, changed by a mistake."""

    def zero_one(said: Labels, truth: str) -> Any:
        return change(*_parts(said, truth, _mains(said)[0]), said)

    return zero_one


def _gini(bias: int, variance: float, error: float, said: Labels) -> Any:  # noqa: ARG001 - the mistake
    return bias, 1 - sum((said.count(one) / len(said)) ** 2 for one in set(said)), error


def _with_main(main: Callable[[Labels], Any]) -> Callable[[Labels, str], Any]:
    """The three numbers, with another main prediction."""
    return lambda said, truth: _parts(said, truth, main(said))


def _of_two(said: Labels) -> str:
    return "above" if said.count("above") > len(said) / 2 else "below"


def _by_halves(said: Labels, truth: str) -> Any:
    error = (len(said) - said.count(truth)) / len(said)
    return int(error > 1 / 2), min(error, 1 - error), error


_PAIRS = (
    "Its variance is made of the squares of the shares, or of their products, as Kohavi and Wolpert"
    " have it. Here it is simpler: a share of trees."
)

ZERO_ONE = Exercise(
    id="bias-variance/zero-one",
    title="The parts of the 0-1 loss",
    points=3,
    heading="the parts of the 0-1 loss",
    text="""Write `zero_one(predictions, truth)` for one row without noise: `predictions` is the
list of classes that the trees say, `truth` the right class. Return three numbers: the bias (0 or
1), the variance, and the error (the share of trees that are wrong). If two classes are said equally
often, either may be the main one.""",
    stub="""def zero_one(predictions, truth):
    # your lines, in place of the dots
    ...""",
    answer="zero_one",
    task=Code(
        "zero_one",
        (
            *_cases(["above"] * 7 + ["below"] * 3, "above"),
            *_cases(["below"] * 7 + ["above"] * 3, "above"),
            *_cases(["above"] * 4, "above"),
            *_cases(["below"] * 4, "above"),
            *_cases(["run1", "run2", "run2", "run3"], "run1"),
            *_cases(["yes", "yes", "yes", "no", "maybe"], "no"),
            # A tie, in which a mistake shows alike whichever class is taken for the main one.
            *_cases(["run1", "run2", "run1", "run2"], "run3"),
        ),
        tolerance=_TOLERANCE,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _wrong(lambda b, v, e, said: (b, e, e)),  # noqa: ARG005 - the mistake
            "Its variance counts the trees that differ from the truth; that is the error. Variance"
            " knows nothing of the truth: from what do the trees differ?",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v, b + v)),  # noqa: ARG005 - the mistake
            "Its error is always bias plus variance. Can more than all trees be wrong? Where the"
            " main prediction is wrong, a tree that differs may be right.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v, abs(b - v))),  # noqa: ARG005 - the mistake
            "Its error is right for two classes. With three a tree that differs from a wrong main"
            " prediction may be wrong as well: count the wrong ones.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (e, v, e)),  # noqa: ARG005 - the mistake
            "Its bias is the share of trees that are wrong. Bias looks at the main prediction"
            " alone, and that is right or wrong: 0 or 1.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (1 - b, v, e)),  # noqa: ARG005 - the mistake
            "Its bias is the wrong way round: there is bias where the main prediction is *not* the"
            " right class.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v, 1 - e)),  # noqa: ARG005 - the mistake
            "Its third number is the share of trees that are right. Asked for is the error.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, 1 - v, e)),  # noqa: ARG005 - the mistake
            "Its variance is the share of trees that agree with the main prediction. Asked for are"
            " those that do not.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v * len(said), e * len(said))),
            "It gives numbers of trees. Asked for are shares of all trees.",
        ),
        Mistake(
            _wrong(_gini),
            _PAIRS,
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, e * (1 - e), e)),  # noqa: ARG005 - the mistake
            _PAIRS,
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, e, v)),  # noqa: ARG005 - the mistake
            "Variance and error have changed places: bias, variance, error is the order.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v)),  # noqa: ARG005 - the mistake
            "It returns two numbers. The third is missing: the error.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, 100 * v, 100 * e)),  # noqa: ARG005 - the mistake
            "It gives per cent. Asked for are shares, from 0 to 1.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v, b - v)),  # noqa: ARG005 - the mistake
            "Its error is always bias less variance, and so below 0 at times. Count the trees that"
            " are wrong.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, (len(set(said)) - 1) / len(said), e)),  # noqa: ARG005
            "Its variance counts the different classes that are said. Count the trees that differ"
            " from the main prediction.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v, b)),  # noqa: ARG005 - the mistake
            "Its error is that of the main prediction. Asked for is the share of the trees that are"
            " wrong.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v, 1 - v)),  # noqa: ARG005 - the mistake
            "Its third number is the share of trees that agree with the main prediction. An error"
            " is held against the truth.",
        ),
        Mistake(
            _wrong(lambda b, v, e, said: (b, v * len(said) / max(len(said) - 1, 1), e)),
            "It divides the variance by one less than the number of trees. Here it is a share of"
            " all of them.",
        ),
        Mistake(
            _with_main(lambda said: min(said, key=said.count)),
            "Its main prediction is the class that is said least. Which class do most trees say?",
        ),
        Mistake(
            _with_main(max),
            "Its main prediction is the class that comes last in the alphabet: that is what ``max``"
            " finds among texts. Tell it what to go by.",
        ),
        Mistake(
            _with_main(lambda said: said[0]),
            "Its main prediction is what the first tree says. It should be what most of them say.",
        ),
        Mistake(
            _with_main(lambda said: max(map(said.count, said))),
            "Its main prediction is no class, so that every tree differs from it. Is it a count, or"
            " a class and its count together?",
        ),
        Mistake(
            _with_main(_of_two),
            "It knows the classes above and below, and no others. Other rows have other classes.",
        ),
        Mistake(
            lambda said, truth: _parts(said, "above", _mains(said)[0]),  # noqa: ARG005
            "It holds the trees against the class above, whatever the right one is.",
        ),
        Mistake(
            _by_halves,
            "It works out bias and variance from the error. That goes well with two classes only:"
            " with three, the main prediction may have less than half of the trees.",
        ),
    ),
    more="Find the main prediction first. ``predictions.count(label)`` says how many trees say a"
    " class; which class has most? Then three comparisons are left: main prediction with truth,"
    " and, tree by tree, with each of the two.",
    solution="""def zero_one(predictions, truth):
    main = max(predictions, key=predictions.count)
    variance = sum(one != main for one in predictions) / len(predictions)
    error = sum(one != truth for one in predictions) / len(predictions)
    return int(main != truth), variance, error
""",
    why="Three comparisons: main prediction with truth (bias), trees with the main prediction"
    " (variance), trees with the truth (error). Only with two classes does the third follow from"
    " the other two.",
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
    "right": "That is how often a tree is right. Asked for is an error.",
    "both as they should": "That is the tree right and the label as it should be: then they agree.",
    "taken away": "You took the noise away from the tree's error. A label that is turned over makes"
    " some wrong trees right, and more right trees wrong.",
    "per cent": "That is per cent. Asked for is a share, from 0 to 1.",
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
        "right": q,
        "both as they should": q * (1 - n),
        "taken away": 1 - q - n,
        "per cent": 100 * _disagree(q, n),
        "noise only": n,
    }


def _noisy_drawn(rng: np.random.Generator) -> tuple[float, float]:
    """How often the right class is said, and how many labels are turned over."""
    right, turned = 5 * int(rng.integers(11, 19)), 2 * int(rng.integers(2, 16))
    return right / 100, turned / 100


def _noisy_fit(drawn: tuple[float, float]) -> bool:
    return apart((_disagree(*drawn), *_noisy_wrong(*drawn).values()), 0.005)


def _noisy_row(rng: np.random.Generator) -> Exercise:
    q, n = drawn_until("bias-variance/noisy-row", lambda: _noisy_drawn(rng), _noisy_fit)
    data = {"say the right class": q, "labels turned over": n}
    return _noisy_exercise(data, _disagree(q, n), _noisy_wrong(q, n))


def _noisy_exercise(data: dict[str, float], want: float, wrong: dict[str, float]) -> Exercise:
    return Exercise(
        id="bias-variance/noisy-row",
        title="Noise at a row",
        points=2,
        heading="noise in it",
        text="""Your own numbers once more: of the trees that could be grown, how large a share says
the *right* class at some row, and how large a share of the labels there is turned over. There are
two classes. What is the expected error at this row, against the labels *as they come*? (0.001
either way.)

```python
noisy_row = dt.course.data("bias-variance/noisy-row", me)
noisy_row
```""",
        stub="error_with_noise = ...",
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
