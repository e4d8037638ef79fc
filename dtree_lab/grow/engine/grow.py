"""The loop: from the open nodes of one depth to those of the next, for one tree or many.

    tally the rows of each node         (a histogram)
    close the nodes that may not be split
    find the best split of each column  (thresholds, discrete)
    choose the column that wins         (the same ``merit`` as the textbook's)
    send the rows down

It grows what :func:`dtree_lab.grow.textbook.grow_by_recipe` grows on a table in which each row
stands as often as it counts, exactly; the tests hold the two to be equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dtree_lab.base.random import subkey
from dtree_lab.base.types import Bools, Ints
from dtree_lab.grow.engine.arrays import NEVER, radix_order
from dtree_lab.grow.engine.assemble import Level, assemble
from dtree_lab.grow.engine.columns import Columns, ContinuousColumns, DiscreteColumns
from dtree_lab.grow.engine.discrete import DiscreteSearch, GappySearch, drawn_values
from dtree_lab.grow.engine.frontier import BestSplits, ChosenSplits, Frontier, ValueBranches
from dtree_lab.grow.engine.packed import PackedColumns, known_stats, packed_thresholds
from dtree_lab.grow.engine.sampling import Urns
from dtree_lab.grow.engine.thresholds import ThresholdSearch, split_info
from dtree_lab.grow.recipe import Recipe, enough_gain, may_split, merit
from dtree_lab.grow.release8 import collapsed
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat, ranges
from dtree_lab.tree.splits import IN_PARTS


def grow_tree(table: Table, recipe: Recipe, weights: Ints | None = None) -> Flat:
    """The tree that the textbook grows, as arrays; numbers to predict are in ticks.

    `weights` are how often each row counts: whole numbers, not all 0; without them the table's own,
    or once. Ticks of numbers to predict are fine enough for what the table's rows weigh: these
    weights add up to no more, as those of a bootstrap sample do.
    """
    return grow_on(Columns.of(table), table, recipe, weights, keep=False)


def grow_on(
    columns: Columns, table: Table, recipe: Recipe, weights: Ints | None = None, *, keep: bool
) -> Flat:
    """As :func:`grow_tree`, on a table made ready; `keep` what more trees will be grown on."""
    labels = table.labels.astype(np.int64, copy=False)
    rows = Rows(np.zeros(len(labels), dtype=np.intp), labels, None, None, None)
    weights = table.weights if weights is None else weights
    if weights is not None:
        some = np.flatnonzero(weights)
        weight = np.asarray(weights).astype(np.int64, copy=False).take(some)
        rows = Rows(rows.node.take(some), labels.take(some), some, weight, None)
    search = EveryColumn(columns, recipe, keep=keep)
    grown = _grow(rows, 1, table.target.n_values, search)[0]
    return collapsed(grown, table.attributes, recipe.unit) if recipe.release8 else grown


def grow_trees(
    table: Table, columns: PackedColumns, recipe: Recipe, times: Ints, drawing: Drawing
) -> list[Flat]:
    """Many trees in step, each node of which draws the attributes that it looks at.

    `times` is how often each row counts in each tree, ``(n_trees, n_rows)``.
    """
    most = int(times.max()).bit_length()
    if most > columns.weight_bits:
        columns = PackedColumns.of(table, most)
    node, row = np.nonzero(times)
    labels = columns.labels.take(row)
    rows = Rows(node, labels, row, times[node, row], None)
    search = DrawnColumns(columns, recipe, drawing)
    return _grow(rows, len(times), columns.n_classes, search)


class Rows(NamedTuple):
    """Rows on their way down; see :class:`~.frontier.Frontier`."""

    node: Ints
    labels: Ints
    rows: Ints | None
    weight: Ints | None
    side: Ints | None

    def take(self, some: Ints, node: Ints) -> Rows:
        """Some of them, at other nodes."""
        rows, weight, side = (None if a is None else a.take(some) for a in self[2:])
        labels = self.labels.take(some)
        return Rows(node, labels, some if self.rows is None else rows, weight, side)


class Winners(NamedTuple):
    """The best split of each node."""

    before: Ints  # cost of the rows that have a value
    after: Ints  # cost of the branches, -1 where there is no split
    column: Ints  # this and `ends` as in `ChosenSplits`
    ends: Ints
    branches: list[ValueBranches]  # how the values of discrete columns are sorted into branches


def _grow(rows: Rows, n_trees: int, k: int, search: EveryColumn | DrawnColumns) -> list[Flat]:
    """Level by level, until no node may be split."""
    recipe, criterion = search.recipe, search.recipe.criterion
    levels: list[Level] = []
    n, tree = n_trees, np.arange(n_trees) if n_trees > 1 else None
    while n:
        stats = criterion.tally(rows.node, rows.labels, n, k, rows.weight)
        sizes, cost = criterion.rows(stats), criterion.cost(stats)
        may = may_split(sizes, cost, recipe, len(levels))
        stays = may.nonzero()[0]
        if not len(stays) or len(search.columns.attribute) == 1:  # that of a leaf
            levels.append(Level(tree, stats, np.zeros(n, dtype=bool), None))
            break
        every = len(stays) == n
        node = rows.node if every else np.where(may, may.cumsum() - 1, -1).take(rows.node)
        rows = _kept(rows, node, every=every, together=search.together)
        frontier = Frontier(
            rows.node,
            stats if every else stats.take(stays, axis=0),
            sizes if every else sizes.take(stays),
            rows.labels,
            k,
            rows.rows,
            rows.side,
            cost if every else cost.take(stays),
            rows.weight,
        )
        won = search.winners(frontier, may)
        chosen = choose_splits(frontier, won, search.columns, recipe)
        levels.append(Level(tree, stats, may, chosen))
        width = chosen.width
        n = int(width.sum())
        if not n:
            break
        side = search.columns.branch(frontier, chosen)
        if side.min() < 0 and isinstance(search, EveryColumn) and recipe.gaps == IN_PARTS:
            rows = search.with_parts(frontier, side, width)
        else:
            node = (width.cumsum() - width).take(rows.node) + side
            rows = rows._replace(node=node, side=side)
            if side.min() < 0:
                some = (side >= 0).nonzero()[0]
                rows = rows.take(some, node.take(some))
        search.descend(width)
        tree = None if tree is None else np.repeat(tree[may], width)
    return assemble(levels, n_trees, search.columns, recipe)


def parts_of_rows(frontier: Frontier, side: Ints, width: Ints) -> tuple[Ints, Ints, Ints]:
    """The rows of all branches: where each stood, its branch, and its ticks.

    A row without a `side` at a node that asks has a part in each of its branches, see
    :func:`~dtree_lab.tree.parts.parts_of`; that of no ticks is left out.
    """
    begin, parent = width.cumsum() - width, np.arange(frontier.n).repeat(width)
    known, gaps = (side >= 0).nonzero()[0], (side < 0) & (width.take(frontier.node) > 0)
    here = begin.take(frontier.node.take(known)) + side.take(known)
    times = frontier.times
    held = np.bincount(here, times.take(known), len(parent)).astype(np.int64)
    ends = held.cumsum()
    ends -= (ends - held).take(begin.take(parent))
    whole = ends.take((begin + width - 1).take(parent))
    place = gaps.nonzero()[0]
    node = frontier.node.take(place)
    place = place.repeat(width.take(node))
    child = ranges(begin.take(node), width.take(node))
    high, low = (
        (2 * times.take(place) * of.take(child) + whole.take(child)) // (2 * whole.take(child))
        for of in (ends, ends - held)
    )
    some = (high > low).nonzero()[0]
    return (
        np.concatenate([known, place.take(some)]),
        np.concatenate([here, child.take(some)]),
        np.concatenate([times.take(known), (high - low).take(some)]),
    )


def _kept(rows: Rows, node: Ints, *, every: bool, together: bool) -> Rows:
    """The rows of open nodes, these numbered anew; those of a node side by side, if so wanted.

    A stable partition does that: all rows of first branches come first, then those of second ones.
    """
    if every and (not together or rows.side is None):
        return rows
    kept = (node >= 0).nonzero()[0]
    if together and rows.side is not None:
        side = rows.side.take(kept)
        if side.max(initial=0) <= 1:
            kept = np.concatenate([kept[side == 0], kept[side == 1]])
        else:
            kept = kept.take(radix_order(side, int(side.max()) + 1))
        rows = rows._replace(side=None)  # that is all it was good for
    return rows.take(kept, node.take(kept))


def choose_splits(
    frontier: Frontier, won: Winners, columns: Columns | PackedColumns, recipe: Recipe
) -> ChosenSplits:
    """What the nodes ask: the column that wins, where its gain is enough."""
    splits = won.after >= 0
    if recipe.stop.min_gain:
        gained = np.maximum(won.before - won.after, 0)
        splits &= enough_gain(recipe, gained, frontier.sizes)
    gain: Ints = np.zeros(0, dtype=np.int64)
    if recipe.stop.best_first:
        settle = recipe.criterion.settle
        gain = np.maximum(settle(won.before) - settle(won.after), 0)
    column = np.where(splits, won.column, -1)
    width = splits * 2
    if not columns.discrete:
        nothing = np.zeros(0, dtype=np.int64)
        return ChosenSplits(column, won.ends, gain, width, nothing, nothing.astype(np.int32))
    lengths = columns.n_values.take(columns.attribute.take(column))
    start = lengths.cumsum() - lengths
    routes = np.full(int(lengths.sum()), -1, dtype=np.int32)
    for one in won.branches:
        mine = (column.take(one.node) == one.column).nonzero()[0]
        node = one.node.take(mine)
        routes[start.take(node) + one.value.take(mine)] = one.branch.take(mine)
        if one.width is not None:
            width[node] = one.width.take(mine)
    return ChosenSplits(column, won.ends, gain, width, start, routes)


def choose_winners(
    best: list[BestSplits], node: tuple[Ints, Ints], attribute: Ints, recipe: Recipe
) -> Winners:
    """The best split of each node by any column; the first attribute wins a tie.

    `node` is each one's own cost and its rows, `attribute` that of each column.
    """
    cost, rows = node
    branches = [each for one in best for each in one.branches]
    if len(best) == 1 and len(best[0].after) == 1 and recipe.release8 is None:
        return _only(best[0], cost, branches)
    shapes = [one.after.shape for one in best]

    def joined(arrays: Sequence[Ints | None], rest: Ints | int) -> Ints:
        if len(arrays) == 1 and arrays[0] is not None:
            return arrays[0]
        spread = (rest if a is None else a for a in arrays)
        every = [np.broadcast_to(a, shape) for a, shape in zip(spread, shapes, strict=True)]
        return every[0] if len(every) == 1 else np.concatenate(every)

    after = joined([one.after for one in best], 0)
    before = joined([one.before for one in best], cost)
    column = joined([one.column for one in best], 0)
    info = joined([one.split_info for one in best], 0) if recipe.by_ratio else None
    attribute = attribute.take(column)
    ranked = merit(recipe, before, after, info, (attribute, rows))
    most = ranked == ranked.max(axis=0)
    first = np.where(most, attribute, NEVER).argmin(axis=0)
    at = first, np.arange(len(cost))
    low, high = (
        joined([None if one.ends is None else one.ends[i] for one in best], 0)[at] for i in (0, 1)
    )
    after = np.where(ranked[at] < 0, -1, after[at])
    column = np.broadcast_to(column, ranked.shape)
    return Winners(before[at], after, column[at], np.array((low, high)), branches)


def _only(best: BestSplits, cost: Ints, branches: list[ValueBranches]) -> Winners:
    """When there is but one split of each node."""
    n = len(cost)
    return Winners(
        cost if best.before is None else best.before[0],
        best.after[0],
        best.column[0],
        np.zeros((2, n), dtype=np.int64) if best.ends is None else best.ends[:, 0],
        branches,
    )


# -- every column at every node ------------------------------------------------------------------


class EveryColumn:
    """Every node of one tree looks at every column."""

    together = False  # the rows of a node need not stand side by side

    def __init__(self, columns: Columns, recipe: Recipe, *, keep: bool) -> None:
        self.recipe = recipe
        self._look_at(columns, keep=keep)

    def _look_at(self, columns: Columns, *, keep: bool) -> None:
        self.columns = columns
        self._searches: list[ThresholdSearch | DiscreteSearch | GappySearch] = []
        for block, first in zip(columns.blocks, columns.slot, strict=False):
            if isinstance(block, ContinuousColumns):
                self._searches.append(ThresholdSearch(block, first, keep=keep))
            elif isinstance(block, DiscreteColumns):
                self._searches.append(DiscreteSearch(block, first))
            else:
                self._searches.append(GappySearch(block, first, keep=keep))

    def with_parts(self, frontier: Frontier, side: Ints, width: Ints) -> Rows:
        """The rows of the next level, with parts of rows; each column is taken as they stand."""
        place, node, ticks = parts_of_rows(frontier, side, width)
        self._look_at(self.columns.take(frontier.place.take(place)), keep=False)
        return Rows(node, frontier.labels.take(place), None, ticks, None)

    def winners(self, frontier: Frontier, may: Bools) -> Winners:  # noqa: ARG002
        """The best split of each node; `may` says which of all nodes of the depth are open."""
        best = [one.best(frontier, self.recipe) for one in self._searches]
        node = frontier.cost, frontier.sizes
        return choose_winners(best, node, self.columns.attribute, self.recipe)

    def descend(self, width: Ints) -> None:
        """Go on to the children, `width` of each node; nothing depends on which node it is."""


# -- attributes drawn at each node ---------------------------------------------------------------


@dataclass(frozen=True)
class Drawing:
    """How nodes draw the attributes that they look at: `m` of them, and more if none can split."""

    m: int
    keys: Ints  # where the chance of each tree's root comes from
    first: Ints | None = None  # what each root looks at alone, if it can be split by that


class DrawnColumns:
    """Each node draws the attributes that it looks at, keyed by its place in its tree."""

    together = True

    def __init__(self, columns: PackedColumns, recipe: Recipe, drawing: Drawing) -> None:
        self.columns, self.recipe = columns, recipe
        self._m, self._keys, self._first = drawing.m, drawing.keys, drawing.first

    def descend(self, width: Ints) -> None:
        """The key of a child follows from that of its node and its branch."""
        keys = np.repeat(self._keys, width)
        self._keys = subkey(keys, np.arange(len(keys)) - np.repeat(width.cumsum() - width, width))

    def winners(self, frontier: Frontier, may: Bools) -> Winners:
        """The best split of each node by an attribute that it draws.

        A node whose rows none of these can split goes on drawing, one by one, until one can.
        """
        columns, n = self.columns, frontier.n
        self._keys = self._keys[may]
        urns = Urns(self._keys, columns.n_attributes)
        before, after, column = frontier.cost.copy(), np.full(n, -1), np.zeros(n, dtype=np.intp)
        ends, branches = np.zeros((2, n), dtype=np.int64), []
        waiting, more = np.arange(n), min(self._m, columns.n_attributes)
        first, self._first = self._first, None
        while more and len(waiting):
            if first is None:
                drawn = np.stack([urns.draw(waiting) for _ in range(more)], axis=1)
            else:
                drawn, first = first[may][:, None], None
            best = self._best(waiting, drawn, frontier)
            node = frontier.cost[waiting], frontier.sizes[waiting]
            won = choose_winners([best], node, columns.attribute, self.recipe)
            at = np.flatnonzero(won.after >= 0)
            done = waiting.take(at)
            for all_of, some in ((before, won.before), (after, won.after), (column, won.column)):
                all_of[done] = some.take(at)
            ends[:, done] = won.ends[:, at]
            branches += won.branches
            waiting = np.delete(waiting, at)
            more = int(urns.drawn[waiting].min(initial=columns.n_attributes) < columns.n_attributes)
        branches += self._two_values(column, after)
        return Winners(before, after, column, ends, branches)

    def _best(self, nodes: Ints, drawn: Ints, frontier: Frontier) -> BestSplits:
        """The best split of some nodes by each of the attributes that they have drawn."""
        columns, recipe = self.columns, self.recipe
        by_cut = columns.by_cut[drawn]
        branches: tuple[ValueBranches, ...] = ()
        if by_cut.all():
            after, below, *ends = packed_thresholds(nodes, drawn, frontier, columns, recipe)
        else:
            after, below, *ends = (np.full(drawn.shape, -1) for _ in range(4))
            at = np.nonzero(by_cut)
            if len(at[0]):
                pairs = nodes[at[0]], drawn[at][:, None]
                found = packed_thresholds(*pairs, frontier, columns, recipe)
                for all_of, some in zip((after, below, *ends), found, strict=True):
                    all_of[at] = some[:, 0]
        before, info = self._known(nodes, drawn, frontier, below)
        if not by_cut.all():
            at = np.nonzero(~by_cut)
            pairs = nodes[at[0]], drawn[at]
            after[at], telling, branches = drawn_values(*pairs, frontier, columns, recipe)
            if info is not None:
                info.T[at] = telling
        return BestSplits(
            after.T, info, before, drawn.T, np.array(ends).transpose(0, 2, 1), branches
        )

    def _known(
        self, nodes: Ints, drawn: Ints, frontier: Frontier, below: Ints
    ) -> tuple[Ints | None, Ints | None]:
        """The cost of the rows that have a value, and that of telling two sides of these apart."""
        criterion, sizes = self.recipe.criterion, frontier.sizes[nodes][:, None]
        before, known = None, np.broadcast_to(sizes, drawn.shape)
        if self.columns.gaps:
            stats = known_stats(nodes, drawn, frontier, self.columns, criterion)
            before, known = criterion.cost(stats).T, criterion.rows(stats)
        if not self.recipe.by_ratio:
            return before, None
        info = split_info(np.clip(below, 0, known), known)
        return before, (info + split_info(known, np.broadcast_to(sizes, drawn.shape))).T

    def _two_values(self, column: Ints, after: Ints) -> list[ValueBranches]:
        """Discrete attributes of two values are cut between them."""
        two = np.flatnonzero((self.columns.n_values.take(column) == 2) & (after >= 0))  # noqa: PLR2004
        if not len(two):
            return []
        node, value = two.repeat(2), np.tile([0, 1], len(two))
        return [ValueBranches(node, column.take(node), value, value, None)]
