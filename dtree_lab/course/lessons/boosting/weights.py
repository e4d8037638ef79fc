"""The exercise on the weight of one row after a round, in numbers of one's own."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Number

_PARTS, _N, _APART = 40, 6, 0.004
# What the rows weigh, the positions of those that are wrong, and the position that is asked for.
_Given: TypeAlias = tuple[tuple[float, ...], tuple[int, ...], int]
NOT_SHARES = (
    "These weights do not sum to 1 any more. At the end of a round they are divided by their sum."
)
NATURAL = (
    "The logarithm in alpha is the natural one, ``math.log``: it belongs to the ``math.exp`` of the"
    " weights. With another base the wrong rows do not come to one half."
)
ONE_SIDE = (
    "Only one side was changed, the wrong rows or the right ones, and so by half of what it takes."
    " With this alpha the wrong rows become heavier and the right ones lighter, by the same factor."
)
_UNWEIGHTED = (
    "You took the share of the rows that are wrong for ε. These rows do not weigh the same: ε is"
    " the sum of the wrong rows' weights."
)
EQUAL = (
    "Each side has one half after the round, but its rows do not share it in equal parts: each"
    " keeps its proportion to the others."
)
_SHARE = (
    "That is the row's share of its own side. How much weight has that side, wrong or right,"
    " after the round?"
)
_INVERTED = (
    "With this update the wrong rows become lighter and the right ones heavier. The next stump is"
    " to look at what this one got wrong."
)
_TWICE = (
    "The ½ of alpha is missing: with e to the alpha on one side and e to the -alpha on the other,"
    " the wrong rows get more than one half."
)

_UNDIVIDED = (
    "Or you multiplied by (1 - ε)/ε and left the right rows as they are: then all is to be divided"
    " by the sum."
)


def _heavier(rng: np.random.Generator) -> Exercise:
    return _with(*drawn_until("boosting/heavier", lambda: _drawn(rng), _usable))


def _drawn(rng: np.random.Generator) -> _Given:
    """Six weights, two wrong rows, and a row that may be wrong or right."""
    parts = rng.multinomial(_PARTS - _N, np.full(_N, 1 / _N)) + 1
    shuffled = [int(i) for i in rng.permutation(_N)]
    wrong, right = sorted(shuffled[:2]), shuffled[2:]
    row = wrong[0] if rng.integers(2) else right[0]
    return tuple(int(p) / _PARTS for p in parts), tuple(wrong), row


def _usable(given: _Given) -> bool:
    """Whether every mistake comes to a number of its own."""
    weights, wrong, _ = given
    right, *others = _numbers(*given)
    near = min(abs(x - right) for x in others)
    apart = min(abs(x - y) for i, x in enumerate(others) for y in others[:i])
    fit = 0.2 < sum(weights[i] for i in wrong) < 0.45 and 0.05 < right < 0.45  # noqa: PLR2004
    return near > _APART and apart > _APART / 2 and fit


def _numbers(*given: Any) -> list[float]:
    right, mistakes = _weighed(*given)
    return [right, *(number for number, _ in mistakes)]


def _weighed(
    weights: tuple[float, ...], wrong: tuple[int, ...], row: int
) -> tuple[float, tuple[tuple[float, str], ...]]:
    """The new weight of the row; then what mistakes make of it, each with its hint."""
    w, e = weights[row], sum(weights[i] for i in wrong)
    bad = row in wrong
    odds, count = (1 - e) / e, len(wrong) / len(weights)

    def after(up: float, down: float) -> float:
        """With the wrong rows multiplied by one factor, the right ones by another; divided."""
        return w * (up if bad else down) / (e * up + (1 - e) * down)

    root, two, ten = (math.exp(log(odds) / 2) for log in (math.log, math.log2, math.log10))
    factor = (1 - count) / count
    side, other, rows = (e, 1 - e, len(wrong)) if bad else (1 - e, e, len(weights) - len(wrong))
    kind, opposite = ("wrong", "right") if bad else ("right", "wrong")
    return w / (2 * side), (
        (w * (root if bad else 1 / root), f"The factor is right. {NOT_SHARES}"),
        # Their sum is 1 as it is, so to divide by it or not comes to the same.
        (after(odds, 1 / odds), f"{_TWICE} {_UNDIVIDED}" if bad else _TWICE),
        (
            w / (2 * other),
            (
                f"That is what the row would weigh if the stump had got it {opposite}. Position"
                f" {row} is a {kind} one, counted from 0."
            ),
        ),
        (after(1 / root, root), _INVERTED),
        (w * 2 * side, "The short cut *divides* by twice the weight of a side. You multiply."),
        (after(root, 1), ONE_SIDE),
        (after(two, 1 / two), NATURAL),
        (after(ten, 1 / ten), NATURAL),
        (1 / (2 * rows), EQUAL),
        (
            w,
            (
                "That is the weight that the row had before the round. It changes for every row:"
                " the wrong ones become heavier, the right ones lighter."
            ),
        ),
        (w / side, _SHARE),
        (w / (2 * (count if bad else 1 - count)), _UNWEIGHTED),
        (after(factor, 1), _UNWEIGHTED),
    )


def _with(weights: tuple[float, ...], wrong: tuple[int, ...], row: int) -> Exercise:
    right, mistakes = _weighed(weights, wrong, row)
    return Exercise(
        id="boosting/heavier",
        title="A row after a round",
        points=2,
        heading="a row after a round",
        text="""These six rows have weights of their own, and `wrong` names the positions (from 0)
that a stump gets wrong. What does the row at position `row` weigh **after** the round? (The answer
may be off by 0.001.)

```python
mine = dt.course.data("boosting/heavier", me)
mine
```""",
        stub="new_weight = ...",
        answer="new_weight",
        data={"weights": weights, "wrong": wrong, "row": row},
        task=Number(right),
        mistakes=tuple(Mistake(number, hint) for number, hint in mistakes),
        more="First ε: add the weights of all the wrong rows. After the round those together weigh"
        " one half, and so do the right ones; each row keeps its proportion to those of its side."
        " On which side is yours?",
        solution="""error = sum(mine["weights"][i] for i in mine["wrong"])
side = error if mine["row"] in mine["wrong"] else 1 - error
new_weight = mine["weights"][mine["row"]] / (2 * side)
""",
        why="The wrong rows weighed ε together and weigh 1/2 now, so each is divided by 2ε; the"
        " right ones weighed 1 - ε and weigh 1/2, so each is divided by 2(1 - ε). Working out"
        " alpha, multiplying by e to the alpha or to the -alpha, and dividing by the sum comes to"
        " the same.",
    )


HEAVIER = personal(_heavier)
