"""The fast grower: the same tree as :mod:`dtree_lab.learn.grow`, a level at a time, in numpy.

All nodes of a level are handled together: :mod:`dtree_lab.learn.cuts` and
:mod:`dtree_lab.learn.groups` find each attribute's best split at each of them, and the same
:func:`~dtree_lab.learn.recipe.merit` that the textbook grower uses decides what wins.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.flat import Flat, pool_starts, trimmed
from dtree_lab.learn.cuts import Cuts, Ranked
from dtree_lab.learn.groups import best_of
from dtree_lab.learn.level import Best, Level
from dtree_lab.learn.recipe import enough_gain, merit
from dtree_lab.splits import group_of, interval_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.table import Table

    Ints = NDArray[np.int64]

# Columns with up to so many values may be counted rather than sorted.
_FEW = 64


@dataclass(frozen=True)
class Asked:
    """What the nodes of a level that may be split ask, and gain.

    Attributes
    ----------
    attr, width
        As in :class:`~dtree_lab.flat.Flat`; -1 and 0 for a node that stays a leaf.
    start
        Where a node's part of `cuts` or `routes` begins.
    cuts, routes
        The parts of the nodes that ask, one after the other.
    gain
        Each node's settled gain.
    """

    attr: NDArray[np.int32]
    width: Ints
    start: Ints
    cuts: NDArray[np.float64]
    routes: NDArray[np.int32]
    gain: Ints


@dataclass
class Growing:
    """A tree while it grows, a list entry per level."""

    counts: list[Ints] = field(default_factory=list)
    may: list[NDArray[np.bool_]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)

    def flat(self, n_values: Ints) -> tuple[Flat, Ints]:
        """The finished tree, and each node's settled gain."""
        may = np.concatenate(self.may)

        def spread(arrays: list[NDArray[Any]], rest: int) -> NDArray[Any]:
            spread = np.full(len(may), rest, dtype=arrays[0].dtype)
            spread[may] = np.concatenate(arrays)
            return spread

        attr = spread([one.attr for one in self.asked], -1)
        width = spread([one.width for one in self.asked], 0).astype(np.int32)
        first = np.where(attr >= 0, np.cumsum(width) - width + 1, 0).astype(np.int32)
        flat = Flat(
            attr,
            first,
            width,
            pool_starts(attr, width, n_values),
            np.concatenate([one.cuts for one in self.asked]),
            np.concatenate([one.routes for one in self.asked]),
            np.concatenate(self.counts),
        )
        return flat, spread([one.gain for one in self.asked], 0)


def grow_levels(table: Table, recipe: Recipe) -> Flat:
    """The tree that ``grow(table, recipe)`` returns, as arrays.

    Raises
    ------
    ValueError
        For a table with a continuous target or too many rows for exact costs.
    """
    growing = Growing()
    look = _Look.of(table)
    node, counts = np.zeros(table.n_rows, dtype=np.int64), table.counts()[None, :]
    k = len(table.classes)
    while True:
        may = _may_split(counts, recipe, depth=len(growing.may))
        number = np.full(len(may) + 1, -1)  # a row at rest, -1, finds the last entry
        number[:-1][may] = np.arange(np.count_nonzero(may))
        level = Level(number[node], counts[may], table.labels)
        best = look.best(level, recipe) if level.n else []
        asked = _asked(best, level, look, recipe)
        growing.counts.append(counts)
        growing.may.append(may)
        growing.asked.append(asked)
        n_children = int(asked.width.sum())
        if not n_children:
            break
        node = _route(table, asked, level.node)
        moved = np.flatnonzero(node >= 0)
        key = node[moved] * k + table.labels[moved]
        counts = np.bincount(key, minlength=n_children * k).reshape(n_children, k)
    flat, gain = growing.flat(look.n_values)
    if not recipe.stop.best_first:
        return flat
    return trimmed(flat, _opened_best_first(flat, gain, recipe), look.n_values[:-1].tolist())


@dataclass(frozen=True)
class _Look:
    """A table's columns made ready: the continuous ones together, few values apart from many.

    Attributes
    ----------
    table
        Where the discrete columns are.
    cuts
        The continuous ones.
    attributes
        The attribute of each row of the blocks that :meth:`best` gives, taken together.
    rows
        The row of each attribute.
    n_values
        Each attribute's number of values, 0 for a continuous one; one more 0 at the end, which the
        attribute -1 of a leaf finds.
    """

    table: Table
    cuts: list[Cuts]
    attributes: Ints
    rows: Ints
    n_values: Ints

    @classmethod
    def of(cls, table: Table) -> _Look:
        """Rank the continuous columns."""
        few: dict[int, Ranked] = {}
        many: dict[int, Ranked] = {}
        discrete = []
        for i, attribute in enumerate(table.attributes):
            if attribute.values is not None:
                discrete.append(i)
                continue
            ranked = Ranked.of(table.columns[i])
            (few if len(ranked.values) <= _FEW else many)[i] = ranked
        cuts = [Cuts.of(list(block.values())) for block in (few, many) if block]
        attributes = np.array([*few, *many, *discrete], dtype=np.int64)
        n_values = np.array([*(a.n_values for a in table.attributes), 0])
        return cls(table, cuts, attributes, np.argsort(attributes), n_values)

    def best(self, level: Level, recipe: Recipe) -> list[Best]:
        """Each attribute's best split at each node, in blocks."""
        found = [cuts.best(level, recipe) for cuts in self.cuts]
        for i, attribute in enumerate(self.table.attributes):
            if attribute.values is not None:
                found.append(best_of(self.table.columns[i], attribute.n_values, level, recipe))
        return found


def _may_split(counts: Ints, recipe: Recipe, depth: int) -> NDArray[np.bool_]:
    stop, rows = recipe.stop, counts.sum(axis=1)
    if stop.max_depth is not None and depth >= stop.max_depth:
        return np.zeros(len(counts), dtype=bool)
    may: NDArray[np.bool_] = (counts.max(axis=1) < rows) & (rows >= stop.min_rows)
    return may


def _asked(best: list[Best], level: Level, look: _Look, recipe: Recipe) -> Asked:
    """What each node asks: the attribute that wins, where its gain is enough."""
    if not best:
        none = np.zeros(level.n, dtype=np.int64)
        return Asked(
            none.astype(np.int32) - 1, none, none, np.zeros(0), np.zeros(0, np.int32), none
        )
    criterion = recipe.criterion
    before, after = criterion.cost(level.counts), np.concatenate([b.after for b in best])
    info = np.concatenate([b.split_info for b in best]) if recipe.by_ratio else None
    ranked = merit(recipe, before, after, info)
    # Blocks are not in the order of the attributes, which decides a tie.
    row = look.rows[ranked[look.rows].argmax(axis=0)]
    nodes = np.arange(level.n)
    after = after[row, nodes]
    splits = ranked[row, nodes] >= 0
    splits &= enough_gain(recipe, np.maximum(before - after, 0), level.sizes)
    gain = np.maximum(criterion.settle(before) - criterion.settle(after), 0)
    return _laid_out(np.where(splits, row, -1), best, look, gain)


def _laid_out(row: Ints, best: list[Best], look: _Look, gain: Ints) -> Asked:
    """The chosen splits, node by node; `row` is their place in the blocks, -1 at a leaf."""
    attr = np.append(look.attributes, -1)[row].astype(np.int32)
    width = np.where(attr >= 0, 2, 0)
    start = pool_starts(attr, width, look.n_values)
    cuts = np.zeros(int(((attr >= 0) & (look.n_values[attr] == 0)).sum()))
    routes = np.full(int(look.n_values[attr].sum()), -1, dtype=np.int32)
    blocks = [(block, i) for block in best for i in range(len(block.after))]
    for r in set(row.tolist()) - {-1}:
        block, i = blocks[r]
        nodes = np.flatnonzero(row == r)
        if block.cut is not None:
            cuts[start[nodes]] = block.cut(i, nodes)
        elif block.values is not None:
            values = block.values
            width[nodes] = values.width[nodes]
            here = np.flatnonzero(row[values.node] == r)
            routes[start[values.node[here]] + values.place[here]] = values.branch[here]
    return Asked(attr, width, start, cuts, routes, gain)


def _route(table: Table, asked: Asked, node: Ints) -> Ints:
    """Each row's node among all children of a level, -1 for a row at rest."""
    first = np.cumsum(asked.width) - asked.width
    went = np.full(len(node), -1, dtype=np.int64)
    attr = np.append(asked.attr, np.int32(-1))[node]  # a row at rest, -1, finds the last entry
    for a in set(asked.attr.tolist()) - {-1}:
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
