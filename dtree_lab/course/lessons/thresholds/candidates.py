"""The midpoints of a column: all the cuts that there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import generators, stops
from dtree_lab.datasets import penguins
from dtree_lab.table.table import Table

_ALIKE = 1e-9
_PAGE = page(__file__, "candidates")
midpoints = _PAGE.right()


def parted(
    values: Sequence[float], labels: Sequence[str], cut: float
) -> tuple[list[int], list[int]]:
    """How many of each label lie below a cut, and how many at or above it."""
    names = sorted(set(labels))
    pairs = list(zip(values, labels, strict=True))
    below = [label for value, label in pairs if value < cut]
    above = [label for value, label in pairs if value >= cut]
    return [below.count(n) for n in names], [above.count(n) for n in names]


def remaining(below: Sequence[int], above: Sequence[int]) -> float:
    """H(Y|X) of the two sides, in bits."""
    n = sum(below) + sum(above)
    return sum(sum(side) / n * entropy_of(side) for side in (below, above) if sum(side))


def best_cuts(
    values: Sequence[float],
    labels: Sequence[str],
    cost: Callable[[Sequence[int], Sequence[int]], float] = remaining,
) -> list[float]:
    """All midpoints with the least cost."""
    costs = {cut: cost(*parted(values, labels, cut)) for cut in midpoints(values)}
    least = min(costs.values())
    return [cut for cut, one in costs.items() if one <= least + _ALIKE]


def whole_penguins() -> Table:
    """The penguins without a gap."""
    return penguins("drop")


def two_species() -> Table:
    """The bill lengths of the Adelie and Chinstrap penguins without a gap."""
    rows = [row for row in whole_penguins().rows() if row["species"] != "Gentoo"]
    columns = {name: [row[name] for row in rows] for name in ("bill_length_mm", "species")}
    return Table.from_columns(columns, target="species")


_SHOWN = ("the order of the values", "a value that comes several times", "numbers below 0")


def _case(values: list[int], behaviour: str) -> Case:
    return Case((values,), (midpoints(values),), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(-20, 20, size=n).tolist() for n in (5, 12, 30)]
    return tuple(_case(values, behaviour) for values, behaviour in zip(drawn, _SHOWN, strict=True))


CANDIDATES = _PAGE.exercise(
    Code(
        "candidate_thresholds",
        (
            _case([60, 70, 75, 85], _SHOWN[0]),
            _case([85, 60, 75, 70], _SHOWN[0]),
            _case([3, 4], _SHOWN[0]),
            _case([7, 3, 3], _SHOWN[1]),
            _case([1, 2, 2, 2, 5], _SHOWN[1]),
            _case([8, 8, 8], _SHOWN[1]),
            _case([-4, 4, 1], _SHOWN[2]),
            _case([-6, -9], _SHOWN[2]),
        ),
        fresh=_fresh,
    ),
    seen={
        "generator": generators,
        "no list": stops((), "'NoneType' object"),
        "no number": stops("TypeError", "'NoneType' and", "and 'NoneType'"),
        "past the end": stops("IndexError"),
    },
)
