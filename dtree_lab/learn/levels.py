"""The fast grower: the same tree as :mod:`dtree_lab.learn.grow`, a level at a time, in numpy.

All nodes of a level are handled together. For every attribute the rows stand in the order
(node, value) and are counted into *groups*, one for each value at each node; running sums over the
groups give the cost of every cut at every node in a few array operations. What wins is decided by
the same :func:`~dtree_lab.learn.recipe.merit` that the textbook grower uses.

Each column is sorted once, at the start. From level to level its order is only parted by child.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.flat import Flat, trimmed
from dtree_lab.learn.candidates import orders
from dtree_lab.learn.recipe import Recipe, enough_gain, merit
from dtree_lab.splits import group_of, interval_of, midpoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table

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


# -- levels into a tree --------------------------------------------------------------------------


@dataclass
class Growing:
    """The arrays of a tree while it grows, a list entry per level."""

    attr: list[NDArray[np.int32]] = field(default_factory=list)
    width: list[NDArray[np.int32]] = field(default_factory=list)
    start: list[Ints] = field(default_factory=list)
    cuts: list[NDArray[np.float64]] = field(default_factory=list)
    routes: list[NDArray[np.int32]] = field(default_factory=list)
    counts: list[Ints] = field(default_factory=list)
    gain: list[Ints] = field(default_factory=list)

    def add(self, counts: Ints, may: NDArray[np.bool_], asked: Asked, gain: Ints) -> None:
        """Add a level: all its nodes' counts, and what those that may be split ask and gain."""
        # This level's parts of the pools follow those of the levels above.
        pooled = np.where(asked.by_cut, sum(map(len, self.cuts)), sum(map(len, self.routes)))
        start = np.where(asked.attr >= 0, asked.start + pooled, 0)
        self.attr.append(_spread(asked.attr, may, -1))
        self.width.append(_spread(asked.width, may, 0))
        self.start.append(_spread(start, may, 0))
        self.gain.append(_spread(gain, may, 0))
        self.counts.append(counts)
        self.cuts.append(asked.cuts)
        self.routes.append(asked.routes)

    def flat(self) -> Flat:
        """The finished tree."""
        attr, width = np.concatenate(self.attr), np.concatenate(self.width)
        first = np.where(attr >= 0, np.cumsum(width) - width + 1, 0).astype(np.int32)
        return Flat(
            attr,
            first,
            width,
            np.concatenate(self.start),
            np.concatenate(self.cuts),
            np.concatenate(self.routes),
            np.concatenate(self.counts),
        )


def grow_levels(table: Table, recipe: Recipe) -> Flat:
    """The tree that ``grow(table, recipe)`` returns, as arrays.

    Raises
    ------
    ValueError
        For a table with a continuous target or too many rows for exact costs.
    """
    growing = Growing()
    columns = [
        Column.of(column, continuous=attribute.values is None)
        for attribute, column in zip(table.attributes, table.columns, strict=True)
    ]
    n_values = [a.n_values for a in table.attributes]
    node, counts = np.zeros(table.n_rows, dtype=np.int64), table.counts()[None, :]
    while True:
        may = _may_split(counts, recipe, depth=len(growing.attr))
        number = np.where(may, np.cumsum(may) - 1, -1)
        level = Level(np.where(node >= 0, number[node], -1), counts[may])
        best = _look(columns, level, table.labels, recipe) if level.n else []
        chosen, gain = _decide(best, level, recipe)
        asked = _asked(chosen, best, n_values)
        growing.add(counts, may, asked, gain)
        n_children, k = int(asked.width.sum()), counts.shape[1]
        if not n_children:
            break
        node = _route(table, asked, level.node)
        moved = node >= 0
        key = node[moved] * k + table.labels[moved]
        counts = np.bincount(key, minlength=n_children * k).reshape(n_children, k)
    flat = growing.flat()
    if not recipe.stop.best_first:
        return flat
    opened = _opened_best_first(flat, np.concatenate(growing.gain), recipe)
    return trimmed(flat, opened, n_values)


def _spread(some: NDArray[Any], where: NDArray[np.bool_], rest: int) -> NDArray[Any]:
    spread = np.full(len(where), rest, dtype=some.dtype)
    spread[where] = some
    return spread


def _look(columns: list[Column], level: Level, labels: NDArray[Any], recipe: Recipe) -> list[Best]:
    for column in columns:
        column.part(level.node)
    return [best_of(column, level, labels, recipe) for column in columns]


def _may_split(counts: Ints, recipe: Recipe, depth: int) -> NDArray[np.bool_]:
    stop, rows = recipe.stop, counts.sum(axis=1)
    if stop.max_depth is not None and depth >= stop.max_depth:
        return np.zeros(len(counts), dtype=bool)
    may: NDArray[np.bool_] = (counts.max(axis=1) < rows) & (rows >= stop.min_rows)
    return may


def _decide(best: list[Best], level: Level, recipe: Recipe) -> tuple[Ints, Ints]:
    """Each node's attribute, -1 where it stays a leaf, and its settled gain."""
    if not best:
        return np.full(level.n, -1), np.zeros(level.n, dtype=np.int64)
    before = recipe.criterion.cost(level.counts)
    after, telling = np.stack([b.after for b in best]), np.stack([b.split_info for b in best])
    ranked = merit(recipe, before, after, telling)
    chosen = ranked.argmax(axis=0)
    nodes = np.arange(level.n)
    gain = np.maximum(before - after[chosen, nodes], 0)
    settle = recipe.criterion.settle
    settled = np.maximum(settle(before) - settle(after[chosen, nodes]), 0)
    splits = (ranked[chosen, nodes] >= 0) & enough_gain(recipe, gain, level.counts.sum(axis=1))
    return np.where(splits, chosen, -1), settled


@dataclass(frozen=True)
class Asked:
    """What the nodes of a level ask, in the terms of :class:`~dtree_lab.flat.Flat`."""

    attr: NDArray[np.int32]
    width: NDArray[np.int32]
    start: Ints
    by_cut: NDArray[np.bool_]
    cuts: NDArray[np.float64]
    routes: NDArray[np.int32]


def _asked(chosen: Ints, best: list[Best], n_values: list[int]) -> Asked:
    """The chosen splits laid out node by node; `chosen` is -1 at a leaf."""
    n = len(chosen)
    values = np.array([*n_values, 0])[chosen]  # a leaf, -1, finds the last entry
    discrete = values > 0
    continuous = (chosen >= 0) & ~discrete
    start = np.where(discrete, np.cumsum(values) - values, 0)
    start[continuous] = np.arange(continuous.sum())
    cut, width = np.zeros(n), np.zeros(n, dtype=np.int32)
    routes = np.full(int(values.sum()), -1, dtype=np.int32)
    for a in np.unique(chosen[chosen >= 0]):
        mine, won = chosen == a, best[a]
        width[mine] = won.width[mine]
        if won.cut is not None:
            cut[mine] = won.cut[mine]
        elif won.groups is not None and won.branch is not None:
            here = mine[won.groups.node]
            routes[start[won.groups.node[here]] + won.groups.place[here]] = won.branch[here]
    return Asked(chosen.astype(np.int32), width, start, continuous, cut[continuous], routes)


def _route(table: Table, asked: Asked, node: Ints) -> Ints:
    """Each row's node among all children of a level, -1 for a row at rest."""
    first = np.cumsum(asked.width) - asked.width
    went = np.full(len(node), -1, dtype=np.int64)
    attr = np.where(node >= 0, asked.attr[node], -1)
    for a in np.unique(asked.attr[asked.attr >= 0]):
        rows = np.flatnonzero(attr == a)
        at, column = node[rows], table.columns[a][rows]
        if table.attributes[a].values is None:
            branch = interval_of(column, asked.cuts[asked.start[at]][None, :])
        else:
            branch = group_of(column, asked.routes, asked.start[at])
        went[rows] = first[at] + branch
    return went


def _opened_best_first(flat: Flat, gain: Ints, recipe: Recipe) -> NDArray[np.bool_]:
    """Which nodes of a full tree are split when the largest gain comes next, within the limits."""
    stop = recipe.stop
    rows = int(flat.counts[0].sum())
    limit = stop.max_leaves if stop.max_leaves is not None else rows
    wrong_at = flat.counts.sum(axis=1) - flat.counts.max(axis=1)
    opened = np.zeros(flat.n_nodes, dtype=bool)
    n_leaves, wrong = 1, int(wrong_at[0])
    waiting = [(-int(gain[0]), 0)] if flat.attr[0] >= 0 else []
    while waiting and (stop.max_error is None or wrong > stop.max_error * rows):
        _, i = heapq.heappop(waiting)
        first, width = int(flat.first[i]), int(flat.width[i])
        if n_leaves + width - 1 > limit:
            continue
        opened[i] = True
        n_leaves += width - 1
        wrong += int(wrong_at[first : first + width].sum()) - int(wrong_at[i])
        for child in range(first, first + width):
            if flat.attr[child] >= 0:
                heapq.heappush(waiting, (-int(gain[child]), child))
    return opened
