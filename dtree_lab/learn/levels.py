"""The fast grower: the same tree as :mod:`dtree_lab.learn.grow`, a level at a time, in numpy.

All nodes of a level are handled together: :mod:`dtree_lab.learn.groups` finds each attribute's best
split at each of them, and the same :func:`~dtree_lab.learn.recipe.merit` that the textbook grower
uses decides what wins. Each column is sorted once, at the start; from level to level its order is
only parted by child.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.flat import Flat, trimmed
from dtree_lab.learn.groups import Best, Column, Level, best_of
from dtree_lab.learn.recipe import enough_gain, merit
from dtree_lab.splits import group_of, interval_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.table import Table

    Ints = NDArray[np.int64]


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
