"""The best threshold of one attribute searched in two ways, each of which tells its steps.

With m rows there are up to m - 1 midpoints for each of d attributes. :func:`naive_search` counts
all rows again for each of them, O(d m²). :func:`sorted_search` sorts the rows and moves them across
the cut one value at a time, O(d m log m). They find the same cut at the same cost, exactly, because
both count whole rows and leave the rest to one criterion.

Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, section 18.2.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from math import ceil, log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import bits, number
from dtree_lab.base.types import Floats, Ints
from dtree_lab.criteria.classes import Criterion
from dtree_lab.grow.prepare import check_classes
from dtree_lab.grow.recipe import recipe
from dtree_lab.grow.steps import narrates
from dtree_lab.grow.textbook import branch_stats
from dtree_lab.table.table import Table
from dtree_lab.tree.splits import Intervals, midpoint, threshold
from dtree_lab.tree.tree import Counts


@dataclass(frozen=True, eq=False)
class Ordered:
    """An attribute's rows were sorted."""

    attribute: str
    order: NDArray[np.intp] = field(repr=False)  # the rows by increasing value, shape `(n_rows,)`
    n_cuts: int  # midpoints between neighbouring values


@dataclass(frozen=True)
class Tried:
    """A midpoint was weighed: is the attribute's value below the cut, or not."""

    attribute: str
    cut: float
    below: Counts  # rows of each class
    above: Counts
    ticks: int  # of both sides, in ticks of the criterion
    remaining: float  # the same for one row, in the criterion's unit: H(Y|X) in bits for entropy
    best: bool  # whether nothing before it was as cheap, of this attribute or an earlier one


@dataclass(frozen=True)
class ThresholdFound:
    """All cuts were weighed: the first of the cheapest is taken."""

    search: Search


Event: TypeAlias = Ordered | Tried | ThresholdFound


def crossing(
    table: Table, attribute: int, criterion: Criterion, best: tuple[int, Tried] | None
) -> Generator[Event, None, tuple[int, Tried] | None]:
    """Sort an attribute's rows, then move them below the cut, one value at a time.

    Returns the best cut so far, with its settled cost; `best` is that of the attributes before it.
    The attribute, by position, is continuous and has at least two values.
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
        remaining: Any = criterion.per_row(ticks, table.n_ticks)
        counts = tuple(below.tolist()), tuple(above.tolist())
        tried = Tried(name, cut, *counts, int(ticks), float(remaining), better)
        if better:
            best = cost, tried
        yield tried
    return best


_NO_THRESHOLD = "no continuous attribute has two values, so there is no threshold to search for"


@dataclass(frozen=True, repr=False)
class Search:
    """The best threshold of a table, and what finding it took.

    Two are equal when they found the same threshold, whatever it took.

    Attributes
    ----------
    attribute
        Its name.
    split
        The question.
    ticks
        The cost of the two branches in ticks of the criterion: whole numbers, equal for a tie.
    remaining
        The same for one row, in the criterion's unit: H(Y|X) in bits for entropy.
    unit
        ``"bits"``, or nothing for Gini.
    operations
        Rows looked at, and comparisons made while sorting.
    """

    attribute: str
    split: Intervals
    ticks: int
    remaining: float
    unit: str
    operations: int = field(compare=False)

    @property
    def cut(self) -> float:
        """Where the attribute is cut: branch 0 lies below."""
        return self.split.cuts[0]

    @terminal
    def __repr__(self) -> str:
        cost = f"{bits(self.remaining)} {self.unit}".strip()
        return f"{self.attribute} < {number(self.cut)}: {cost}, {self.operations:,} operations"


def naive_search(table: Table, *, criterion: str = "entropy") -> Search:
    """The best threshold, counting all rows for each cut: O(d m²).

    Parameters
    ----------
    table
        Rows with a discrete target; its discrete attributes are left out.
    criterion
        ``"entropy"`` or ``"gini"``.

    Returns
    -------
    Search
        The first attribute, then the lowest cut, wins a tie. `operations` counts a row each time
        that it is compared with a cut.

    Raises
    ------
    ValueError
        For a continuous target, a missing value, another criterion, or when no continuous
        attribute has two values.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> naive_search(dt.datasets.tax_fraud())
    Taxable Income < 97.5: 0.600 bits, 90 operations
    """
    return _search(table, criterion, _naively)


def sorted_search(table: Table, *, criterion: str = "entropy") -> Search:
    """The best threshold, sorting each attribute once: O(d m log m).

    Parameters, errors and ties are those of :func:`naive_search`. `operations` counts m ⌈log2 m⌉
    comparisons for sorting m rows, and each row once as it crosses the cut.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> sorted_search(dt.datasets.tax_fraud())
    Taxable Income < 97.5: 0.600 bits, 50 operations
    >>> sorted_search(dt.datasets.tax_fraud()) == naive_search(dt.datasets.tax_fraud())
    True
    """
    return _search(table, criterion, _by_sorting)


@narrates(sorted_search)
def sorted_search_events(
    table: Table, *, criterion: str = "entropy"
) -> Generator[Event, None, Search]:
    """The steps of :func:`sorted_search`: the cuts of one attribute after the other."""
    check_classes(table)
    chosen = recipe("id3", criterion).criterion
    best: tuple[int, Tried] | None = None
    m, operations = table.n_rows, 0
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        if attribute.values is None and column.min() < column.max():
            best = yield from crossing(table, i, chosen, best)
            operations += m * ceil(log2(m)) + m
    if best is None:
        raise ValueError(_NO_THRESHOLD)
    won = best[1]
    split = threshold(table.index(won.attribute), won.cut)
    found = Search(won.attribute, split, won.ticks, won.remaining, chosen.unit, operations)
    yield ThresholdFound(found)
    return found


Below: TypeAlias = Callable[[NDArray[Any], Floats, NDArray[Any]], tuple[Ints, int]]


def _search(table: Table, criterion: str, count: Below) -> Search:
    """The cheapest cut, where `count` says how many rows of each class lie below each midpoint."""
    check_classes(table)
    chosen = recipe("id3", criterion).criterion
    best: tuple[int, int, float, int] | None = None
    operations, own = 0, branch_stats(table, np.arange(table.n_rows), table.n_rows, chosen)
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        if attribute.values is not None or column.min() == column.max():
            continue
        values = np.unique(column)
        cuts = midpoint(values[:-1], values[1:])
        below, looked = count(own, column, cuts)
        operations += looked
        ticks = chosen.cost(below) + chosen.cost(own.sum(axis=0) - below)
        costs = chosen.settle(ticks)
        at = int(costs.argmin())
        if best is None or costs[at] < best[0]:
            best = int(costs[at]), int(ticks[at]), float(cuts[at]), i
    if best is None:
        raise ValueError(_NO_THRESHOLD)
    _, cost, cut, i = best
    remaining = float(chosen.per_row(cost, table.n_ticks))
    name = table.attributes[i].name
    return Search(name, threshold(i, cut), cost, remaining, chosen.unit, operations)


def _naively(own: NDArray[Any], column: Floats, cuts: NDArray[Any]) -> tuple[Ints, int]:
    """For each midpoint, go through all rows."""
    below = np.array([own[column < cut].sum(axis=0) for cut in cuts])
    return below, len(column) * len(cuts)


def _by_sorting(own: NDArray[Any], column: Floats, cuts: NDArray[Any]) -> tuple[Ints, int]:
    """Sort, and let running counts say it."""
    order, m = np.argsort(column, kind="stable"), len(column)
    last = np.searchsorted(column[order], cuts) - 1  # the last row below each midpoint
    return own[order].cumsum(axis=0)[last], m * ceil(log2(m)) + m
