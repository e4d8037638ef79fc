"""What a round of AdaBoost does with the weights: of one row, and of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_PARTS, _N, _APART = 40, 6, 0.004
_HEAVIER, _ROUND = page(__file__, "heavier"), page(__file__, "round")
# Of a wrong row, the sum of the undivided weights is 1, so to divide by it or not is the same.
_UNDIVIDED = (
    "Or you multiplied by (1 - ε)/ε and left the right rows as they are: then all is to be divided"
    " by the sum."
)


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    """Six weights, two wrong rows, and a row that may be wrong or right."""
    parts = rng.multinomial(_PARTS - _N, np.full(_N, 1 / _N)) + 1
    shuffled = [int(i) for i in rng.permutation(_N)]
    wrong, right = sorted(shuffled[:2]), shuffled[2:]
    row = wrong[0] if rng.integers(2) else right[0]
    return {"weights": tuple(int(p) / _PARTS for p in parts), "wrong": tuple(wrong), "row": row}


def _usable(mine: dict[str, Any]) -> bool:
    """Whether every mistake comes to a number of its own."""
    right = _HEAVIER.right(mine=mine)
    error = sum(mine["weights"][i] for i in mine["wrong"])
    if not (0.2 < error < 0.45 and 0.05 < right < 0.45):  # noqa: PLR2004
        return False
    others = _HEAVIER.wrongs(mine=mine)
    near = min(abs(x - right) for x in others)
    return near > _APART and _HEAVIER.apart(mine=mine) > _APART / 2


def _heavier(rng: np.random.Generator) -> Exercise:
    mine = drawn_until("boosting/heavier", lambda: _drawn(rng), _usable)
    bad = mine["row"] in mine["wrong"]
    kind, opposite = ("wrong", "right") if bad else ("right", "wrong")
    words = {"row": mine["row"], "kind": kind, "opposite": opposite}
    words["undivided"] = _UNDIVIDED if bad else ""
    return _HEAVIER.exercise(shown=mine, words=words, mine=mine)


HEAVIER = personal(_heavier)


def _case(weights: Sequence[float], wrong: Sequence[bool]) -> Case:
    alpha, new = _ROUND.right()(weights, wrong)
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


_T, _F = True, False
_GIVEN = (
    ([0.25, 0.25, 0.25, 0.25], [_F, _F, _T, _F]),
    ([0.1] * 10, [_F, _F, _F, _F, _F, _F, _T, _T, _F, _F]),
    ([0.5, 0.125, 0.125, 0.25], [_F, _T, _T, _F]),
    ([0.125, 0.5, 0.125, 0.25], [_T, _F, _F, _T]),
    ([0.2, 0.2, 0.6], [_F, _T, _F]),
)
ROUND = _ROUND.exercise(
    Code("one_round", tuple(_case(*given) for given in _GIVEN), fresh=_fresh),
    seen={"shape": _shape, "no logarithm": stops("ValueError")},
)
