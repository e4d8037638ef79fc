"""How many concepts there are."""

from __future__ import annotations

from math import prod

import numpy as np

from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

_PAGE = page(__file__, "count-concepts")
# The bits of numpy's whole numbers: of so many instances they cannot count the concepts.
_MANY = 64


def _case(values: list[int], labels: int) -> Case:
    concepts = _PAGE.right()(values, labels)
    return Case((values, labels), (concepts,), behaviour=_shown(values, labels))


def _shown(values: list[int], labels: int) -> str:
    if prod(values) >= _MANY:
        return "very many concepts"
    if labels > 2:  # noqa: PLR2004
        return "more labels than two"
    two = set(values) == {2}
    return "attributes with two values" if two else "attributes with more values"


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(2, 5 if n < 3 else 4, size=n) for n in (1, 2, 3, 2)]  # noqa: PLR2004
    cases = [_case([int(v) for v in values], int(rng.integers(2, 4))) for values in drawn]
    return (*cases, _case([4, 4, int(rng.integers(4, 7))], 2))


COUNT_CONCEPTS = _PAGE.exercise(
    Code(
        "count_concepts",
        (
            _case([2, 2], 2),
            _case([2, 3], 2),
            _case([2], 2),
            _case([2, 2, 2], 2),
            _case([3], 5),
            _case([2, 3], 3),
            _case([3, 4], 2),
            _case([2, 4, 2, 4], 2),
            _case([3, 3, 3, 3], 2),
        ),
        fresh=_fresh,
    )
)
