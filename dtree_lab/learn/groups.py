"""The best split of a discrete attribute at every node of a level.

Rows are counted into *groups*, one for each value at each node, ordered by node, then value. A
branch for each group is ID3's split; running sums over the groups, sorted by the share of a class,
give CART's two groups.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.learn.level import NEVER, Best, Values, first_least, stable_order
from dtree_lab.splits import group_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.asked import Asked
    from dtree_lab.learn.level import Level
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]


@dataclass(frozen=True)
class Groups:
    """Rows counted by node and value, ordered by node, then value.

    Attributes
    ----------
    node, place
        What the rows of a group share; shape ``(n_groups,)``.
    stats
        The criterion's statistics of each, shape ``(n_groups, w)``.
    sizes
        Rows of each.
    begin
        Where each node's groups begin, shape ``(n_nodes,)``.
    """

    node: Ints
    place: Ints
    stats: Ints
    sizes: Ints
    begin: Ints

    @classmethod
    def of(cls, column: Ints, n_values: int, level: Level, criterion: Criterion) -> Groups:
        """Count a level's rows by the values of a column of codes."""
        key = level.node * n_values + level.of(column)
        labels, cells = level.labels, level.n * n_values
        if cells * level.stats.shape[1] <= 4 * level.m:  # few enough to count the empty ones too
            every = criterion.tally(key, labels, cells, level.k)
            present = np.flatnonzero(criterion.rows(every))
            stats = every[present]
        else:
            order = stable_order(key, cells)
            key = key[order]
            new = np.concatenate([[True], key[1:] != key[:-1]])
            present = key[new]
            stats = criterion.tally(np.cumsum(new) - 1, labels[order], len(present), level.k)
        node = present // n_values
        begin = np.searchsorted(node, np.arange(level.n))
        return cls(node, present % n_values, stats, criterion.rows(stats), begin)

    @property
    def widths(self) -> Ints:
        """How many groups each node has."""
        return np.diff(self.begin, append=len(self.node))


@dataclass(frozen=True)
class Codes:
    """A discrete column made ready.

    Attributes
    ----------
    codes
        The code of each row's value.
    n_values
        How many values there are.
    values
        None: a discrete column is not cut between numbers.
    """

    codes: Ints
    n_values: int
    values: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def best(self, level: Level, recipe: Recipe) -> Best:
        """The best split at each node."""
        return best_of(self.codes, self.n_values, level, recipe)

    def side(self, rows: Ints, node: Ints, asked: Asked, first: int) -> Ints:  # noqa: ARG002
        """The branch of some rows, see :meth:`~.cuts.Cuts.side`."""
        return group_of(self.codes.take(rows), asked.routes, asked.start.take(node))


def best_of(column: Ints, n_values: int, level: Level, recipe: Recipe) -> Best:
    """A discrete attribute's best split at each node."""
    groups = Groups.of(column, n_values, level, recipe.criterion)
    return (_by_two if recipe.two_groups else _by_value)(groups, level, recipe)


def _by_value(groups: Groups, level: Level, recipe: Recipe) -> Best:
    """A branch for each value that is present."""
    sizes, begin = groups.sizes, groups.begin
    log = n_log_n(int(level.sizes.max()))
    after = np.add.reduceat(recipe.criterion.cost(groups.stats), begin)
    telling = log[level.sizes] - np.add.reduceat(log[sizes], begin)
    after[~recipe.fills(sizes, begin)] = -1
    branch = np.arange(len(sizes)) - begin[groups.node]
    values = Values(groups.node, groups.place, branch, groups.widths)
    return Best(after[None, :], telling[None, :], values=values)


def _by_two(groups: Groups, level: Level, recipe: Recipe) -> Best:
    """The best two groups of values; see ``candidates._best_two_groups`` for the orders tried."""
    settle = recipe.criterion.settle
    after, below = np.full(level.n, -1), np.zeros(level.n, dtype=np.int64)
    branch = np.zeros(len(groups.node), dtype=np.int64)
    for by in recipe.criterion.orders(groups.stats):
        order = np.lexsort((by, groups.node))
        cost, size, last = _best_prefix(groups, groups.stats[order], level, recipe)
        better = (cost >= 0) & ((after < 0) | (settle(cost) < settle(after)))
        after, below = np.where(better, cost, after), np.where(better, size, below)
        # Sorting keeps each node's groups together: position i belongs to groups.node[i].
        mine = np.flatnonzero(better[groups.node])
        branch[order[mine]] = mine > last[groups.node[mine]]
    branch ^= branch[groups.begin][groups.node]  # the group with the lowest value comes first
    log = n_log_n(int(level.sizes.max()))
    telling = log[level.sizes] - log[below] - log[level.sizes - below]
    values = Values(groups.node, groups.place, branch, np.full(level.n, 2))
    return Best(after[None, :], telling[None, :], values=values)


def _best_prefix(
    groups: Groups, stats: Ints, level: Level, recipe: Recipe
) -> tuple[Ints, Ints, Ints]:
    """Where to part each node's groups in two: the cheapest place, the first in a tie.

    Returns each node's cost (-1 where it cannot be parted), rows below, and last group below.
    """
    criterion = recipe.criterion
    running, begin, at = np.cumsum(stats, axis=0), groups.begin, groups.node
    below = running - (running[begin] - stats[begin])[at]
    above = level.stats[at] - below
    low, high = criterion.rows(below), criterion.rows(above)
    cost = criterion.cost(below) + criterion.cost(above)
    allowed = np.minimum(low, high) >= max(recipe.min_side, 1)
    key = np.where(allowed, criterion.settle(cost), NEVER)
    least, last = first_least(key, begin, groups.widths)
    return np.where(least < NEVER, cost[last], -1), low[last], last
