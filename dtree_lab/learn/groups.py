"""What the fast grower counts, and each attribute's best split at every node of a level.

For every attribute the rows stand in the order (node, value) and are counted into *groups*, one
for each value at each node; running sums over the groups give the cost of every cut at every node
in a few array operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.learn.candidates import orders
from dtree_lab.splits import midpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Level:
    """The nodes of one depth that may be split: `n` of them.

    Attributes
    ----------
    node
        For each row of the table its node among these, -1 for a row elsewhere.
    counts
        Rows of each class, shape ``(n, n_classes)``.
    """

    node: Ints
    counts: Ints

    @property
    def n(self) -> int:
        """How many nodes."""
        return len(self.counts)


@dataclass
class Column:
    """An attribute's column, ready for counting; `order` is parted further at each level.

    Attributes
    ----------
    place
        Each row's code, or the rank of its value among the distinct ones.
    values
        The distinct values of a continuous attribute; None for a discrete one.
    order
        The rows that are still at open nodes, by node, then place.
    """

    place: NDArray[Any]
    values: NDArray[np.float64] | None
    order: NDArray[np.intp]

    @classmethod
    def of(cls, column: NDArray[Any], *, continuous: bool) -> Column:
        """Sort a column."""
        if not continuous:
            return cls(column, None, np.argsort(column, kind="stable"))
        values, place = np.unique(column, return_inverse=True)
        return cls(place, values, np.argsort(place, kind="stable"))

    def part(self, node: Ints) -> None:
        """Bring the order up to date: drop rows at rest, and part the others by node."""
        at = node[self.order]
        self.order = self.order[at >= 0]
        at = at[at >= 0]
        self.order = self.order[np.argsort(at, kind="stable")]


@dataclass(frozen=True)
class Groups:
    """Rows counted by node and place, ordered by node, then place.

    Attributes
    ----------
    node, place
        What the rows of a group share; shape ``(n_groups,)``.
    counts
        Rows of each class, shape ``(n_groups, n_classes)``.
    """

    node: Ints
    place: Ints
    counts: Ints

    @classmethod
    def of(cls, column: Column, level: Level, labels: NDArray[Any]) -> Groups:
        """Count a level's rows by the places of one column."""
        node, place = level.node[column.order], column.place[column.order]
        new = np.ones(len(node), dtype=bool)
        new[1:] = (node[1:] != node[:-1]) | (place[1:] != place[:-1])
        k = level.counts.shape[1]
        key = (np.cumsum(new) - 1) * k + labels[column.order]
        n = int(new.sum())
        counts = np.bincount(key, minlength=n * k).reshape(n, k)
        return cls(node[new], place[new], counts)

    def begin(self, n_nodes: int) -> Ints:
        """Where each node's groups begin; one more entry for the end."""
        return np.searchsorted(self.node, np.arange(n_nodes + 1))

    def taken(self, order: Ints) -> Groups:
        """The groups in another order."""
        return Groups(self.node[order], self.place[order], self.counts[order])


@dataclass(frozen=True)
class Best:
    """One attribute's best split at each node of a level; arrays have shape ``(n_nodes,)``.

    Attributes
    ----------
    after
        Cost of the branches in ticks, -1 where the attribute cannot split the node.
    split_info
        Cost of telling the branches apart, in entropy ticks.
    width
        How many branches.
    cut
        The cut of a continuous attribute.
    groups, branch
        The values of a discrete attribute at each node, and the branch that each takes.
    """

    after: Ints
    split_info: Ints
    width: Ints
    cut: NDArray[np.float64] | None = None
    groups: Groups | None = None
    branch: Ints | None = None


def best_of(column: Column, level: Level, labels: NDArray[Any], recipe: Recipe) -> Best:
    """One attribute's best split at each node."""
    groups = Groups.of(column, level, labels)
    if column.values is not None:
        return _by_cut(groups, column.values, level, recipe)
    return (_by_two if recipe.two_groups else _by_value)(groups, level, recipe)


def _by_value(groups: Groups, level: Level, recipe: Recipe) -> Best:
    """A branch for each value that is present."""
    begin = groups.begin(level.n)
    sizes, total = groups.counts.sum(axis=1), level.counts.sum(axis=1)
    log = n_log_n(int(total.max()))
    after = np.add.reduceat(recipe.criterion.cost(groups.counts), begin[:-1])
    telling = log[total] - np.add.reduceat(log[sizes], begin[:-1])
    filled = np.add.reduceat((sizes >= recipe.min_branch).astype(np.int64), begin[:-1])
    branch = np.arange(len(sizes)) - begin[groups.node]
    able = filled >= 2  # noqa: PLR2004 - two branches
    return Best(np.where(able, after, -1), telling, np.diff(begin), groups=groups, branch=branch)


@dataclass(frozen=True)
class Prefix:
    """For the nodes that can be parted in two: the last group below, and both sides' costs."""

    node: Ints
    last: Ints
    after: Ints
    split_info: Ints


def _best_prefix(groups: Groups, level: Level, recipe: Recipe) -> Prefix:
    """Where to part each node's groups in two: the cheapest place, the first in a tie."""
    running = np.cumsum(groups.counts, axis=0)
    first = groups.begin(level.n)[:-1]
    before_node = running[first] - groups.counts[first]
    below = running - before_node[groups.node]
    above = level.counts[groups.node] - below
    low, high = below.sum(axis=1), above.sum(axis=1)
    able = np.flatnonzero(np.minimum(low, high) >= max(recipe.min_branch, 1))
    cost = recipe.criterion.cost
    after = cost(below[able]) + cost(above[able])
    at = able[_first_least(recipe.criterion.settle(after), groups.node[able])]
    log = n_log_n(int((low + high).max(initial=0)))
    telling = log[low[at] + high[at]] - log[low[at]] - log[high[at]]
    return Prefix(groups.node[at], at, cost(below[at]) + cost(above[at]), telling)


def _first_least(key: Ints, node: Ints) -> Ints:
    """For each node in a sorted sequence, the position of its least key, the first in a tie."""
    if not len(key):
        return np.zeros(0, dtype=np.int64)
    new = np.ones(len(node), dtype=bool)
    new[1:] = node[1:] != node[:-1]
    least = np.minimum.reduceat(key, np.flatnonzero(new))
    found = np.flatnonzero(key == least[np.cumsum(new) - 1])
    again = node[found[1:]] == node[found[:-1]]
    firsts: Ints = found[np.concatenate([[True], ~again])]
    return firsts


def _by_cut(groups: Groups, values: NDArray[np.float64], level: Level, recipe: Recipe) -> Best:
    """The best midpoint between neighbouring values."""
    best = _best_prefix(groups, level, recipe)
    after, telling = np.full(level.n, -1), np.zeros(level.n, dtype=np.int64)
    cut = np.zeros(level.n)
    after[best.node], telling[best.node] = best.after, best.split_info
    low, high = values[groups.place[best.last]], values[groups.place[best.last + 1]]
    cut[best.node] = midpoint(low, high)
    return Best(after, telling, np.full(level.n, 2), cut=cut)


def _by_two(groups: Groups, level: Level, recipe: Recipe) -> Best:
    """The best two groups of values; see ``candidates._best_two_groups`` for the orders tried."""
    settle, begin = recipe.criterion.settle, groups.begin(level.n)
    after, telling = np.full(level.n, -1), np.zeros(level.n, dtype=np.int64)
    branch = np.zeros(len(groups.node), dtype=np.int64)
    for by in orders(level.counts.shape[1]):
        share = groups.counts[:, by] / groups.counts.sum(axis=1)
        order = np.lexsort((share, groups.node))
        best = _best_prefix(groups.taken(order), level, recipe)
        known = after[best.node]
        better = (known < 0) | (settle(best.after) < settle(known))
        won, last = best.node[better], best.last[better]
        after[won], telling[won] = best.after[better], best.split_info[better]
        end = np.full(level.n, -1)
        end[won] = last
        mine = np.flatnonzero(end[groups.node] >= 0)  # both orders keep each node's groups together
        branch[order[mine]] = mine > end[groups.node[mine]]
    branch ^= branch[begin[:-1]][groups.node]  # the group with the lowest value comes first
    return Best(after, telling, np.full(level.n, 2), groups=groups, branch=branch)
