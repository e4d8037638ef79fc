"""What the search for the best threshold tells: rows cross the cut, one value at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.learn.candidates import branch_stats
from dtree_lab.splits import midpoint

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.continuous.thresholds import Search
    from dtree_lab.table import Table
    from dtree_lab.tree import Counts


@dataclass(frozen=True, eq=False)
class Ordered:
    """An attribute's rows were sorted.

    Attributes
    ----------
    attribute
        Its name.
    order
        The rows by increasing value, shape ``(n_rows,)``.
    n_cuts
        How many midpoints lie between neighbouring values.
    """

    attribute: str
    order: NDArray[np.intp] = field(repr=False)
    n_cuts: int


@dataclass(frozen=True)
class Tried:
    """A midpoint was weighed.

    Attributes
    ----------
    attribute, cut
        What would be asked: is it below the cut?
    below, above
        Rows of each class on either side.
    ticks
        The cost of both sides, in ticks of the criterion.
    remaining
        The same for one row, in the criterion's unit: H(Y|X) in bits for entropy.
    best
        Whether nothing before it was as cheap, of this attribute or an earlier one.
    """

    attribute: str
    cut: float
    below: Counts
    above: Counts
    ticks: int
    remaining: float
    best: bool


@dataclass(frozen=True)
class Found:
    """All cuts were weighed: the first of the cheapest is taken."""

    search: Search


Event: TypeAlias = Ordered | Tried | Found


def crossing(
    table: Table, attribute: int, criterion: Criterion, best: tuple[int, Tried] | None
) -> Generator[Event, None, tuple[int, Tried] | None]:
    """Sort an attribute's rows, then move them below the cut, one value at a time.

    Parameters
    ----------
    table, attribute
        The rows, and the position of a continuous attribute with at least two values.
    criterion
        What the cuts are weighed by.
    best
        The best cut of the attributes before it, with its settled cost.

    Returns
    -------
    tuple or None
        The best cut so far.
    """
    name, column = table.attributes[attribute].name, table.columns[attribute]
    values, place = np.unique(column, return_inverse=True)
    yield Ordered(name, np.argsort(column, kind="stable"), len(values) - 1)
    at_value = branch_stats(table, place, len(values), criterion)
    above = at_value.sum(axis=0)
    below = np.zeros_like(above)
    for i, cut in enumerate(midpoint(values[:-1], values[1:]).tolist()):
        below, above = below + at_value[i], above - at_value[i]
        ticks = criterion.cost(np.stack([below, above])).sum()
        cost = int(criterion.settle(ticks))
        better = best is None or cost < best[0]
        remaining: Any = criterion.per_row(ticks, len(column))
        counts = tuple(below.tolist()), tuple(above.tolist())
        tried = Tried(name, cut, *counts, int(ticks), float(remaining), better)
        if better:
            best = cost, tried
        yield tried
    return best
