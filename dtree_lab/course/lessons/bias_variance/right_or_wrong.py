"""The exercise on the parts of the 0-1 loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Labels = list[str]


def _parts(said: Labels, truth: str, main: str) -> tuple[int, float, float]:
    n = len(said)
    return int(main != truth), (n - said.count(main)) / n, (n - said.count(truth)) / n


def _mains(said: Labels) -> list[str]:
    """The classes that are said most, in the order in which they come."""
    most = max(map(said.count, said))
    return [label for label in dict.fromkeys(said) if said.count(label) == most]


def _case(said: Labels, truth: str) -> Case:
    wants = [_parts(said, truth, main) for main in _mains(said)]
    # A truth value for the bias is as good as 0 or 1.
    either = [(bias, v, e) for b, v, e in wants for bias in (b, bool(b))]
    wanted = " or ".join(str(want) for want in dict.fromkeys(wants))
    return Case((said, truth), tuple(either), wanted=wanted)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    labels = ("above", "below", "beside")
    drawn = [[str(one) for one in rng.choice(labels, size=n)] for n in (5, 8, 9, 12)]
    return tuple(_case(said, str(rng.choice(labels))) for said in drawn)


def _wrong(change: Callable[..., Any]) -> Callable[[Labels, str], Any]:
    """The right three numbers, changed by a mistake."""

    def zero_one(said: Labels, truth: str) -> Any:
        return change(*_parts(said, truth, _mains(said)[0]), said)

    return zero_one


def _gini(bias: int, variance: float, error: float, said: Labels) -> Any:  # noqa: ARG001 - the mistake
    return bias, 1 - sum((said.count(one) / len(said)) ** 2 for one in set(said)), error


ZERO_ONE = Exercise(
    id="bias-variance/zero-one",
    title="The parts of the 0-1 loss",
    points=3,
    answer="zero_one",
    task=Code(
        "zero_one",
        (
            _case(["above"] * 7 + ["below"] * 3, "above"),
            _case(["below"] * 7 + ["above"] * 3, "above"),
            _case(["above"] * 4, "above"),
            _case(["below"] * 4, "above"),
            _case(["run1", "run2", "run2", "run3"], "run1"),
            _case(["yes", "yes", "yes", "no", "maybe"], "no"),
            # A tie, in which a mistake shows alike whichever class is taken for the main one.
            _case(["run1", "run2", "run1", "run2"], "run3"),
        ),
        tolerance=0.001,
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
            "Its variance is what Kohavi and Wolpert call so, or twice that. Here it is simpler: a"
            " share of trees.",
        ),
    ),
    more="Find the main prediction first: ``max(predictions, key=predictions.count)``. Then"
    " count twice: the trees that differ from it, and the trees that differ from the truth.",
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
