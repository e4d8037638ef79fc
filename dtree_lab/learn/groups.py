"""The best split of a discrete attribute at every node of a level.

Rows are counted into *groups*, one for each value at each node, ordered by node, then value. A
branch for each group is ID3's split; running sums over the groups, sorted by the share of a class,
give CART's two groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.learn.candidates import orders
from dtree_lab.learn.level import NEVER, Best, Values, first_least, stable_order

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
    counts
        Rows of each class, shape ``(n_groups, n_classes)``.
    begin
        Where each node's groups begin, shape ``(n_nodes,)``.
    """

    node: Ints
    place: Ints
    counts: Ints
    begin: Ints

    @classmethod
    def of(cls, column: Ints, n_values: int, level: Level) -> Groups:
        """Count a level's rows by the values of a column of codes."""
        key = level.node[level.rows] * n_values + column[level.rows]
        labels, k, cells = level.labels[level.rows], level.k, level.n * n_values
        if cells * k <= 4 * level.m:  # few enough to count them all, also the empty ones
            every = np.bincount(key * k + labels, minlength=cells * k).reshape(cells, k)
            present = np.flatnonzero(every.any(axis=1))
            counts = every[present]
        else:
            order = stable_order(key, cells)
            key = key[order]
            new = np.concatenate([[True], key[1:] != key[:-1]])
            present = key[new]
            counted = np.bincount((np.cumsum(new) - 1) * k + labels[order])
            counts = np.zeros((len(present), k), dtype=np.int64)
            counts.ravel()[: len(counted)] = counted
        node = present // n_values
        begin = np.searchsorted(node, np.arange(level.n))
        return cls(node, present % n_values, counts, begin)

    @property
    def sizes(self) -> Ints:
        """Rows of each group."""
        rows: Ints = self.counts.sum(axis=1)
        return rows

    @property
    def widths(self) -> Ints:
        """How many groups each node has."""
        return np.diff(self.begin, append=len(self.node))


def best_of(column: Ints, n_values: int, level: Level, recipe: Recipe) -> Best:
    """A discrete attribute's best split at each node."""
    groups = Groups.of(column, n_values, level)
    return (_by_two if recipe.two_groups else _by_value)(groups, level, recipe)


def _by_value(groups: Groups, level: Level, recipe: Recipe) -> Best:
    """A branch for each value that is present."""
    sizes, begin = groups.sizes, groups.begin
    log = n_log_n(int(level.sizes.max()))
    after = np.add.reduceat(recipe.criterion.cost(groups.counts), begin)
    telling = log[level.sizes] - np.add.reduceat(log[sizes], begin)
    filled = np.add.reduceat((sizes >= recipe.min_branch).astype(np.int64), begin)
    after[filled < 2] = -1  # noqa: PLR2004 - no two branches with enough rows
    branch = np.arange(len(sizes)) - begin[groups.node]
    values = Values(groups.node, groups.place, branch, groups.widths)
    return Best(after[None, :], telling[None, :], values=values)


def _by_two(groups: Groups, level: Level, recipe: Recipe) -> Best:
    """The best two groups of values; see ``candidates._best_two_groups`` for the orders tried."""
    settle = recipe.criterion.settle
    after, below = np.full(level.n, -1), np.zeros(level.n, dtype=np.int64)
    branch = np.zeros(len(groups.node), dtype=np.int64)
    for by in orders(level.k):
        order = np.lexsort((groups.counts[:, by] / groups.sizes, groups.node))
        cost, size, last = _best_prefix(groups, groups.counts[order], level, recipe)
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
    groups: Groups, counts: Ints, level: Level, recipe: Recipe
) -> tuple[Ints, Ints, Ints]:
    """Where to part each node's groups in two: the cheapest place, the first in a tie.

    Returns each node's cost (-1 where it cannot be parted), rows below, and last group below.
    """
    running, begin, at = np.cumsum(counts, axis=0), groups.begin, groups.node
    below = running - (running[begin] - counts[begin])[at]
    above = level.counts[at] - below
    low, high = below.sum(axis=1), above.sum(axis=1)
    cost = recipe.criterion.cost(below) + recipe.criterion.cost(above)
    allowed = np.minimum(low, high) >= max(recipe.min_branch, 1)
    key = np.where(allowed, recipe.criterion.settle(cost), NEVER)
    least, last = first_least(key, begin, groups.widths)
    return np.where(least < NEVER, cost[last], -1), low[last], last
