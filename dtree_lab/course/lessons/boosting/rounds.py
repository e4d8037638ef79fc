"""What a round of AdaBoost does with the weights: of one row, and of all.

A round stands there in every way in which learners get it wrong, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Case, Code, Number
from dtree_lab.course.tasks.code import stops

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


def scaled(
    right: Callable[[float], float],
    bad: Callable[[float], float],
    alpha: Callable[[float], float],
    *,
    shares: bool = True,
) -> Callable[..., Any]:
    """A round in which right and wrong rows are multiplied by something that follows from alpha."""

    def one_round(weights: list[float], wrong: list[bool]) -> Any:
        e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
        a = alpha(e)
        new = [w * (bad(a) if b else right(a)) for w, b in zip(weights, wrong, strict=True)]
        return a, [w / sum(new) for w in new] if shares else new

    return one_round


def half_log(e: float) -> float:
    """Alpha, with its ½."""
    return math.log((1 - e) / e) / 2


def down(a: float) -> float:
    """The factor of the right rows."""
    return math.exp(-a)


def counted(weights: list[float], wrong: list[bool]) -> Any:
    """The number of wrong rows taken for their weight."""
    e = sum(wrong) / len(wrong)
    a = half_log(e) if 0 < e < 1 else 0.0
    new = [w * math.exp(a if b else -a) for w, b in zip(weights, wrong, strict=True)]
    return a, [w / sum(new) for w in new]


def divided(
    bad: Callable[[float], float], right: Callable[[float], float], *, shares: bool = True
) -> Callable[..., Any]:
    """A round by the short cut, with divisors that follow from the error; `shares` weighs it."""

    def one_round(weights: list[float], wrong: list[bool]) -> Any:
        parts = [w if shares else 1 / len(wrong) for w in weights]
        e = sum(w for w, b in zip(parts, wrong, strict=True) if b)
        pairs = zip(weights, wrong, strict=True)
        return half_log(e), [w / (bad(e) if b else right(e)) for w, b in pairs]

    return one_round


def sum_on_the_move(weights: list[float], wrong: list[bool]) -> Any:
    """The sum worked out anew for each weight, while they are divided one after the other."""
    e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
    a = half_log(e)
    new = [w * math.exp(a if b else -a) for w, b in zip(weights, wrong, strict=True)]
    for i in range(len(new)):
        new[i] /= sum(new)
    return a, new


def by_position(weights: list[float], wrong: list[bool]) -> Any:
    """The truth values taken for positions: True for 1 and False for 0."""
    return half_log(sum(weights[i] for i in wrong)), weights


def in_equal_parts(weights: list[float], wrong: list[bool]) -> Any:
    """Each side has one half, and its rows share it alike."""
    e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
    bad = sum(wrong)
    return half_log(e), [1 / (2 * bad) if b else 1 / (2 * (len(wrong) - bad)) for b in wrong]


def by_the_largest(weights: list[float], wrong: list[bool]) -> Any:
    """Divided by the largest weight instead of by the sum."""
    alpha, new = scaled(down, math.exp, half_log)(weights, wrong)
    return alpha, [w / max(new) for w in new]


def reweighted(weights: Sequence[float], wrong: Sequence[bool]) -> tuple[float, list[float]]:
    """The weight of the stump's vote, and the rows' new weights: each side gets one half."""
    e = math.fsum(w for w, bad in zip(weights, wrong, strict=True) if bad)
    pairs = zip(weights, wrong, strict=True)
    return math.log((1 - e) / e) / 2, [w / (2 * e if bad else 2 * (1 - e)) for w, bad in pairs]


def _case(weights: Sequence[float], wrong: Sequence[bool]) -> Case:
    alpha, new = reweighted(weights, wrong)
    wanted = f"alpha {alpha:.4f} with the weights {', '.join(f'{w:.3g}' for w in new)}"
    alike = max(weights) - min(weights) < 1e-9  # noqa: PLR2004
    shows = "rows that weigh the same" if alike else "rows that do not weigh the same"
    return Case((list(weights), list(wrong)), ((alpha, new),), wanted=wanted, behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n, alike in ((4, False), (7, True), (7, False), (10, True), (10, False)):
        parts = np.ones(n) if alike else np.array([1, 9, *rng.integers(1, 9, n - 2)])
        wrong = [bool(i == rng.integers(n) or i == 1) for i in range(n)]
        cases.append(_case([float(p) for p in parts / parts.sum()], wrong))
    return tuple(cases)


def _shape(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which not a number and a list came back, in this order."""
    return [
        i
        for i, o in enumerate(outcomes)
        if o.kind == "number"
        or (
            o.kind == "values" and not (len(o.value) == 2 and isinstance(o.value[1], tuple))  # noqa: PLR2004 - two things
        )
    ]


_no_logarithm = stops("ValueError")


_COUNTED = (
    "It takes the *number* of wrong rows for ε. From the second round on the rows do not weigh the"
    " same: ε is the sum of the wrong rows' weights."
)
_T, _F = True, False
_GIVEN = (
    ([0.25, 0.25, 0.25, 0.25], [_F, _F, _T, _F]),
    ([0.1] * 10, [_F, _F, _F, _F, _F, _F, _T, _T, _F, _F]),
    ([0.5, 0.125, 0.125, 0.25], [_F, _T, _T, _F]),
    ([0.125, 0.5, 0.125, 0.25], [_T, _F, _F, _T]),
    ([0.2, 0.2, 0.6], [_F, _T, _F]),
)
ROUND = Exercise(
    id="boosting/round",
    title="One round of AdaBoost",
    points=3,
    heading="one round",
    text="""Write `one_round(weights, wrong)`: `wrong` is a list of truth values, one for each row.
Return two things: α (with the ½), and the list of the new weights. (Within 0.000001.)""",
    stub="""def one_round(weights, wrong):
    # your lines, in place of the dots
    ...""",
    answer="one_round",
    task=Code(
        "one_round",
        tuple(_case(*given) for given in _GIVEN),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(scaled(down, math.exp, half_log, shares=False), NOT_SHARES),
        Mistake(
            scaled(down, math.exp, lambda e: math.log2((1 - e) / e) / 2),
            NATURAL,
        ),
        Mistake(scaled(down, math.exp, lambda e: math.log10((1 - e) / e) / 2), NATURAL),
        Mistake(
            scaled(lambda _: 1.0, math.exp, lambda e: math.log((1 - e) / e)),
            "The weights are right and alpha is twice what is asked for. Some books, and this"
            " library, leave out the ½; here it belongs to it.",
        ),
        Mistake(
            scaled(down, math.exp, lambda e: math.log((1 - e) / e)),
            "The ½ of alpha is missing. With e to the alpha on one side and e to the -alpha on the"
            " other, the wrong rows then get more than one half.",
        ),
        Mistake(scaled(lambda _: 1.0, math.exp, half_log), ONE_SIDE),
        Mistake(
            scaled(lambda _: 1.0, math.exp, half_log, shares=False),
            "Only the wrong rows were changed. With this alpha the right rows become lighter, by"
            " the same factor; and at the end all are divided by their sum.",
        ),
        Mistake(
            scaled(math.exp, down, half_log),
            "The right rows become heavier and the wrong ones lighter. The next stump is to look at"
            " what this one got wrong.",
        ),
        Mistake(
            scaled(math.exp, down, lambda e: -half_log(e)),
            "The fraction in alpha is upside down: a stump with a small error is to get a large"
            " vote, not a negative one.",
        ),
        Mistake(
            scaled(down, math.exp, lambda e: -half_log(e)),
            "The fraction in alpha is upside down, or ε was added up over the right rows; and so"
            " right rows become heavier and wrong ones lighter.",
        ),
        Mistake(counted, _COUNTED),
        Mistake(in_equal_parts, EQUAL),
        Mistake(
            by_the_largest,
            "The weights are divided by the largest of them. Divided by their *sum* they are shares"
            " of all.",
        ),
        Mistake(divided(lambda e: 2 * e, lambda e: 2 * (1 - e), shares=False), _COUNTED),
        Mistake(
            divided(lambda e: 1 / (2 * e), lambda e: 1 / (2 * (1 - e))),
            "The short cut *divides* by twice the weight of a side. You multiply by it, and the"
            " wrong rows become lighter.",
        ),
        Mistake(
            divided(lambda e: 2 * (1 - e), lambda e: 2 * e),
            "The two divisors of the short cut have changed places. Which of the two sides is to"
            " become heavier?",
        ),
        Mistake(
            divided(lambda e: e, lambda e: 1 - e),
            "Now either side weighs 1, and all together 2. Each side is to have one half.",
        ),
        Mistake(
            sum_on_the_move,
            "The weights are divided one after the other, each by another sum: that of weights of"
            " which some have been divided before. Work the sum out once, and keep it.",
        ),
        Mistake(
            lambda *given: tuple(reversed(reweighted(*given))),
            "Two things are asked for, in this order: alpha, then the list of the new weights.",
            when=_shape,
        ),
        Mistake(
            by_position,
            "The logarithm was asked for a number that is not positive. Is ``wrong`` taken for a"
            " list of positions? Here it holds a truth value for each row. Or are brackets"
            " missing? All of 1 - ε is divided by ε.",
            when=_no_logarithm,
        ),
    ),
    more="Four steps: ``error`` is the sum of the weights where ``wrong`` is true; then alpha; then"
    " each weight times ``math.exp(alpha)`` or ``math.exp(-alpha)``; then each divided by the sum"
    " of all.",
    solution="""def one_round(weights, wrong):
    error = sum(w for w, bad in zip(weights, wrong) if bad)
    alpha = 0.5 * math.log((1 - error) / error)
    scaled = [w * math.exp(alpha if bad else -alpha) for w, bad in zip(weights, wrong)]
    total = sum(scaled)
    return alpha, [w / total for w in scaled]
""",
    why="Wrong rows are multiplied by e to the alpha and right ones by e to the -alpha; divided by"
    " their sum, each side has one half of all weight.",
)
