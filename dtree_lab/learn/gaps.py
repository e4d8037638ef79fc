"""A column in which some rows have no value: its best split among the rows that have one.

Rows without a value of the attribute that a node asks rest at that node. They are not in any
branch, so they say nothing about the split: its gain is counted over the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.learn.cuts import Cuts
from dtree_lab.learn.groups import Codes
from dtree_lab.learn.level import Best, Level
from dtree_lab.learn.ranks import Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.asked import Asked
    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.table import Attribute

    Ints = NDArray[Any]


@dataclass(frozen=True)
class Gappy:
    """A column with gaps, made ready.

    Attributes
    ----------
    known
        Which rows have a value.
    column
        The codes of a discrete attribute, or the cuts of a continuous one.
    values
        The distinct values of a continuous one.
    """

    known: NDArray[np.bool_]
    column: Codes | Cuts
    values: NDArray[np.float64]

    @classmethod
    def of(cls, attribute: Attribute, column: Ints, known: NDArray[np.bool_]) -> Gappy:
        """Make a column ready."""
        if attribute.values is not None:
            codes = Codes(column, attribute.n_values)
            return cls(known, codes, codes.values)
        ranked = Ranked.of(column[known])
        place = np.zeros(len(column), dtype=ranked.place.dtype)
        place[known] = ranked.place
        return cls(known, Cuts.of([Ranked(ranked.values, place, None)]), ranked.values)

    def best(self, level: Level, recipe: Recipe) -> Best:
        """The column's best split at each node, among the rows that have a value."""
        criterion = recipe.criterion
        known = level.of(self.known).nonzero()[0]
        node, labels = level.node.take(known), level.labels.take(known)
        stats = criterion.tally(node, labels, level.n, level.k)
        sizes, cost = criterion.rows(stats), criterion.cost(stats)
        there = sizes.nonzero()[0]
        number = np.zeros(level.n, dtype=np.intp)
        number[there] = np.arange(len(there))
        part = Level(
            number.take(node),
            stats[there],
            sizes[there],
            labels,
            level.k,
            known if level.rows is None else level.rows.take(known),
            None if level.side is None else level.side.take(known),
            cost[there],
        )
        if not part.n:
            none = np.full((1, level.n), -1)
            return Best(none, np.zeros_like(none), none)
        return _spread(self.column.best(part, recipe), level, there, part.sizes, cost)

    def side(self, rows: Ints, node: Ints, asked: Asked, first: int) -> Ints:
        """The branch of some rows, see :meth:`~.cuts.Cuts.side`; -1 without a value."""
        side = self.column.side(rows, node, asked, first)
        return np.where(self.known.take(rows), side, -1)


def _spread(found: Best, level: Level, there: Ints, known: Ints, before: Ints) -> Best:
    """What was found at the nodes where rows have a value, told for all nodes of the level."""
    after = np.full((1, level.n), -1)
    after[:, there] = found.after
    telling = None
    if found.split_info is not None:  # rows without a value are told apart from the others too
        log = n_log_n(int(level.sizes.max()))
        sizes = level.sizes[there]
        telling = np.zeros((1, level.n), dtype=np.int64)
        telling[:, there] = found.split_info + log[sizes] - log[known] - log[sizes - known]
    values = found.values
    if values is not None:
        width = np.zeros(level.n, dtype=np.int64)
        width[there] = values.width
        return Best(
            after,
            telling,
            before[None, :],
            values=replace(values, node=there[values.node], width=width),
        )
    ends = np.zeros((2, 1, level.n), dtype=np.int64)
    if found.ends is not None:  # it is a cut, so it has
        ends[..., there] = found.ends
    return Best(after, telling, before[None, :], ends=ends)
