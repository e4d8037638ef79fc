"""What the lesson's exercises share: the cuts of a column, weighed as slowly and plainly as can be.

It is written apart from the library's searches, so that the two can disagree.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from dtree_lab.course.bits import entropy_of
from dtree_lab.datasets import penguins
from dtree_lab.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dtree_lab.course.calls import Outcome

_ALIKE = 1e-9


def midpoints(values: Sequence[float]) -> list[float]:
    """Half-way between neighbouring different values, increasing."""
    return [(low + high) / 2 for low, high in pairwise(sorted(set(values)))]


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


def generators(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a generator came back."""
    return [i for i, outcome in enumerate(outcomes) if outcome.says == "a generator"]


def whole_penguins() -> Table:
    """The penguins without a gap."""
    return penguins("drop")


def two_species() -> Table:
    """The bill lengths of the Adelie and Chinstrap penguins without a gap."""
    rows = [row for row in whole_penguins().rows() if row["species"] != "Gentoo"]
    columns = {name: [row[name] for row in rows] for name in ("bill_length_mm", "species")}
    return Table.from_columns(columns, target="species")
