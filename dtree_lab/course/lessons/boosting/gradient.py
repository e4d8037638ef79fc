"""A round of gradient boosting: what is left over after it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import gives

_PAGE = page(__file__, "left-over")


def _case(sizes: Sequence[int], left: Sequence[float], rate: float) -> Case:
    shows = "all of the answer is added" if rate == 1 else "a part of the answer is added"
    wants = (_PAGE.right()([*sizes], [*left], rate),)
    return Case(([*sizes], [*left], rate), wants, behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n, rate in ((4, 1), (7, 1), (4, 0.5), (6, 0.25), (9, 0.1)):
        sizes = np.sort(rng.permutation(100)[:n] + 20).tolist()
        cases.append(_case(sizes, rng.integers(-40, 40, n).tolist(), rate))
    return tuple(cases)


LEFT_OVER = _PAGE.exercise(
    Code(
        "left_after",
        (
            _case([30, 40, 50, 70, 100], [-5, -3, -2, 2, 8], 1),
            _case([30, 40, 50, 70, 100], [-5, -3, -2, 2, 8], 0.5),
            _case([30, 40, 50, 70, 100], [-5, -3, -2, 2, 8], 0.1),
            _case([25, 60, 80], [4, -1, -3], 1),
            _case([25, 60, 80], [4, -1, -3], 0.25),
            _case([20, 30, 45, 90], [7, 1, -6, -2], 0.5),
            _case([20, 30, 45, 90], [-1, 2, 3, -4], 1),
        ),
        fresh=_fresh,
    ),
    seen={"no list": gives("number", "text")},
)
