"""The fast grower: the same tree as :mod:`dtree_lab.learn.grow`, a level at a time, in numpy.

All nodes of a level are handled together: :mod:`dtree_lab.learn.cuts` and
:mod:`dtree_lab.learn.groups` find each attribute's best split at each of them, and the same
:func:`~dtree_lab.learn.recipe.merit` that the textbook grower uses decides what wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.flat import Flat, pool_starts, trimmed
from dtree_lab.learn.asked import Asked, ask, sides
from dtree_lab.learn.bestfirst import opened_best_first
from dtree_lab.learn.level import Level
from dtree_lab.learn.look import Look
from dtree_lab.learn.recipe import may_split
from dtree_lab.splits import midpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.table import Table

    Ints = NDArray[Any]


def grow_levels(table: Table, recipe: Recipe) -> Flat:
    """The tree that ``grow(table, recipe)`` returns, as arrays.

    Raises
    ------
    ValueError
        For a table with too many rows for exact costs.
    """
    growing, look = Growing(), Look.of(table)
    criterion, k = recipe.criterion, table.target.n_values
    labels = table.labels.astype(np.int64, copy=False)
    # The rows that have come to a node of this depth: where they stand in the table, their nodes
    # and labels, and by which branch they came.
    rows, node, side = None, np.zeros(len(labels), dtype=np.intp), None
    n = 1
    while n:
        stats = criterion.tally(node, labels, n, k)
        sizes, cost = criterion.rows(stats), criterion.cost(stats)
        may = may_split(sizes, cost, recipe.stop, len(growing.may))
        growing.stats.append(stats)
        growing.may.append(may)
        stays = may.nonzero()[0]
        if not len(stays) or not look.blocks:
            break
        if len(stays) < n:
            here = may.take(node).nonzero()[0]
            number = may.cumsum() - 1
            rows, node, labels, side = _taken(here, rows, number.take(node), labels, side)
            stats, sizes, cost = stats.take(stays, axis=0), sizes.take(stays), cost.take(stays)
        level = Level(node, stats, sizes, labels, k, rows, side, cost)
        asked = ask(level, look, recipe)
        growing.asked.append(asked)
        n = int(asked.width.sum())
        if not n:
            break
        side = sides(level, asked, look)
        node = (asked.width.cumsum() - asked.width).take(node) + side
        if side.min() < 0:
            rows, node, labels, side = _taken((side >= 0).nonzero()[0], rows, node, labels, side)
    flat = growing.flat(look, criterion)
    if not recipe.stop.best_first:
        return flat
    gain = growing.of_all("gain", 0)
    opened = opened_best_first(flat, np.concatenate(growing.stats), gain, recipe)
    return trimmed(flat, opened, look.n_values[:-1].tolist())


def _taken(
    some: Ints, rows: Ints | None, node: Ints, labels: Ints, side: Ints | None
) -> tuple[Ints, Ints, Ints, Ints | None]:
    """Some of the rows."""
    return (
        some if rows is None else rows.take(some),
        node.take(some),
        labels.take(some),
        None if side is None else side.take(some),
    )


@dataclass
class Growing:
    """A tree while it grows, a list entry per level."""

    stats: list[Ints] = field(default_factory=list)
    may: list[NDArray[np.bool_]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def flat(self, look: Look, criterion: Criterion) -> Flat:
        """The finished tree."""
        column, width = self.of_all("column", -1), self.of_all("width", 0)
        ends = self.of_all("ends", 0)
        attr = look.attribute.take(column)
        cut = ((column >= 0) & (look.n_values.take(attr) == 0)).nonzero()[0]
        begin = look.begin.take(column.take(cut))
        routes = [one.routes for one in self.asked if one.routes is not None]
        return Flat(
            attr.astype(np.int32),
            np.where(column >= 0, width.cumsum() - width + 1, 0).astype(np.int32),
            width.astype(np.int32),
            pool_starts(attr, width, look.n_values),
            midpoint(*look.values.take(begin + ends.take(cut, axis=1))),
            np.concatenate(routes) if routes else np.zeros(0, dtype=np.int32),
            criterion.counts(np.concatenate(self.stats)),
        )

    def of_all(self, name: str, rest: int) -> Ints:
        """Something of all nodes; `rest` for those that may not be split."""
        if not self.asked:
            return np.full((2, 1) if name == "ends" else 1, rest)
        arrays = np.concatenate([getattr(one, name) for one in self.asked], axis=-1)
        # The last level was not asked if no node of it may be split.
        may = np.concatenate(self.may)
        spread = np.full((*arrays.shape[:-1], len(may)), rest)
        spread[..., may] = arrays
        return spread
