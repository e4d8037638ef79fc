"""The exercise on the weight of one row after a round, in numbers of one's own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    from collections.abc import Sequence

_PARTS, _N, _APART = 40, 6, 0.004
NOT_SHARES = (
    "These weights do not sum to 1 any more. At the end of a round they are divided by their sum."
)
NATURAL = (
    "The logarithm in alpha is the natural one, ``math.log``: it belongs to the ``math.exp`` of the"
    " weights. With another base the wrong rows do not come to one half."
)
ONE_SIDE = (
    "Only the wrong rows were changed, and by half of what it takes. With this alpha the right rows"
    " become lighter, too, by the same factor."
)
_UNWEIGHTED = (
    "You took the share of the rows that are wrong for ε. These rows do not weigh the same: ε is"
    " the sum of the wrong rows' weights."
)


def _heavier(rng: np.random.Generator) -> Exercise:
    weights, wrong = drawn_until("boosting/heavier", lambda: _drawn(rng), _usable)
    return _with(weights, wrong, _candidates(weights, wrong))


def _drawn(rng: np.random.Generator) -> tuple[tuple[float, ...], list[int]]:
    parts = rng.multinomial(_PARTS - _N, np.full(_N, 1 / _N)) + 1
    wrong = sorted(int(i) for i in rng.choice(_N, 2, replace=False))
    return tuple(int(p) / _PARTS for p in parts), wrong


def _usable(row: tuple[tuple[float, ...], list[int]]) -> bool:
    weights, wrong = row
    numbers = _candidates(weights, wrong)
    right = min(abs(x - numbers[0]) for x in numbers[1:])
    apart = min(abs(x - y) for i, x in enumerate(numbers) for y in numbers[:i])
    return right > _APART and apart > _APART / 2 and 0.2 < sum(weights[i] for i in wrong) < 0.45  # noqa: PLR2004


def _candidates(weights: Sequence[float], wrong: Sequence[int]) -> tuple[float, ...]:
    """The new weight of the first wrong row; then what mistakes make of it."""
    w, e = weights[wrong[0]], sum(weights[i] for i in wrong)
    odds, count = (1 - e) / e, len(wrong) / len(weights)
    root, two, ten = (math.exp(log(odds) / 2) for log in (math.log, math.log2, math.log10))
    factor = (1 - count) / count
    return (
        w / (2 * e),
        w * root,
        w * odds,
        w / (2 * (1 - e)),
        w * root / (e * root + 1 - e),
        *(w * one / (e * one + (1 - e) / one) for one in (two, ten)),
        1 / (2 * len(wrong)),
        w,
        w / e,
        w / (2 * count),
        w * factor / (e * factor + 1 - e),
    )


def _mistaken(numbers: tuple[float, ...]) -> tuple[Mistake, ...]:
    plain, full, lighter, one_side, base_two, base_ten, counted, old, share, *unweighted = numbers
    return (
        Mistake(plain, f"The factor is right. {NOT_SHARES}"),
        Mistake(
            full,
            "Either the ½ of alpha is missing, or you multiplied by (1 - ε)/ε, which leaves the"
            " right rows as they are, and did not divide by the sum.",
        ),
        Mistake(lighter, "That is what the row would weigh if the stump had got it right."),
        Mistake(one_side, ONE_SIDE),
        *(Mistake(number, NATURAL) for number in (base_two, base_ten)),
        Mistake(
            counted,
            "The wrong rows share one half, but not in equal parts: each keeps its proportion"
            " to the others.",
        ),
        Mistake(old, "That is the weight that the row had before the round."),
        Mistake(
            share,
            "That is the row's share of all that was wrong. How much weight do the wrong rows"
            " have together, after the round?",
        ),
        *(Mistake(number, _UNWEIGHTED) for number in unweighted),
    )


def _with(weights: tuple[float, ...], wrong: list[int], numbers: tuple[float, ...]) -> Exercise:
    return Exercise(
        id="boosting/heavier",
        title="A row becomes heavier",
        points=2,
        answer="new_weight",
        data={"weights": weights, "wrong": tuple(wrong), "row": wrong[0]},
        task=Number(numbers[0]),
        mistakes=_mistaken(numbers[1:]),
        more="First ε: add the weights of all the wrong rows. After the round those together weigh"
        " one half, and each of them grows in proportion.",
        solution="""error = sum(mine["weights"][i] for i in mine["wrong"])
new_weight = mine["weights"][mine["row"]] / (2 * error)
""",
        why="The wrong rows weighed ε together and weigh 1/2 now, so each is divided by 2ε. Working"
        " out alpha, multiplying by e to the alpha and dividing by the sum comes to the same.",
    )


HEAVIER = personal(_heavier)
