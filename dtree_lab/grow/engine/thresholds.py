"""The best thresholds of continuous columns at every open node: two ways to the same answer.

- **Histogram.** While nodes and values are few, rows are counted by (class, node, value) and prefix
  sums along the values say what stands below each. Nothing is sorted.
- **Sorted scan.** The rows of each column stand by (node, value): sorted once, and from level to
  level only parted by the branch they take. Prefix sums along the rows say what stands below.

Where nodes draw their columns there is a third, see :mod:`~.packed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.criteria.classes import Criterion, Entropy, Gini, n_log_n, n_log_ns
from dtree_lab.grow.engine.arrays import radix_order, take_along
from dtree_lab.grow.engine.columns import AT_A_TIME, ContinuousColumns
from dtree_lab.grow.engine.decide import (
    Apart,
    BestSoFar,
    BestThresholds,
    Counts,
    CutLayout,
    Squares,
    costs_of_all,
    is_estimated,
)
from dtree_lab.grow.engine.frontier import BestSplits, Frontier
from dtree_lab.grow.recipe import Recipe
from dtree_lab.grow.release8 import Release8

# Up to so many cells are counted rather than sorted, however few the rows.
_FEW_CELLS = 1 << 14
# Scanning past a row costs as much as this many cells.
_CELLS_PER_ROW = 2
# What is sorted already is counted when so many rows share a value on average.
_SPARSE = 8
# From so many cells on, leaving out the classes that a node does not have is worth the effort.
_MANY_CELLS = 1 << 13
# Up to so many thresholds between classes are costed exactly: to estimate them takes more calls.
_FEW_COSTS = 1 << 12
# Bits of half a number: all rows together weigh fewer than 2**27 ticks.
_HALF = 32


class ThresholdSearch:
    """The best thresholds of some columns, level after level of one tree, numbered from `first`."""

    def __init__(self, columns: ContinuousColumns, first: int, *, keep: bool) -> None:
        self.columns, self.first, self.keep = columns, first, keep
        # Those at open nodes by (node, value), once they have been scanned; ``(n_columns, m)``.
        self.order: Ints | None = None

    def best(self, frontier: Frontier, recipe: Recipe) -> BestSplits:
        """The best threshold of each column at each node, or the best of all where gain decides."""
        columns, d = self.columns, len(self.columns.rank)
        cells = frontier.n * columns.n_values * frontier.stats.shape[1]
        few = cells <= max(_CELLS_PER_ROW * frontier.m * d, _FEW_CELLS)
        if self.keep:  # what has been sorted need not be sorted again
            few = columns.n_values * _SPARSE <= frontier.m * d
        way: _Histogram | _SortedScan
        if few and self.order is None:
            way = _Histogram(columns, frontier, recipe)
            parts = _parts(d, max(frontier.m, cells // d))
        else:
            parts = _parts(d, frontier.m)
            self.order = self._sorted(frontier)
            way = _SortedScan(columns, self.order, frontier, recipe)
        found = [way.best(part) for part in parts]
        one, *more = found
        every = recipe.by_ratio
        if not more and not every and len(one.node) == frontier.n and way.in_order:
            # Each node has its threshold, and they are in order.
            column = one.column + self.first
            return BestSplits(one.after[None], None, None, column[None], one.ends[:, None])
        return self._spread(found, parts, frontier, every=every)

    def _spread(
        self, best: list[BestThresholds], parts: list[slice], frontier: Frontier, *, every: bool
    ) -> BestSplits:
        """What was found of some columns at some nodes, told for all."""
        shape = len(self.columns.rank) if every else 1, frontier.n
        splits = np.zeros((5, *shape), dtype=np.int64)
        splits[0] = -1
        for part, one in zip(parts, best, strict=True):
            column = one.column + part.start
            line = column if every else 0
            splits[:, line, one.node] = one.after, one.below, column + self.first, *one.ends
        after, below, column = splits[:3]
        info = split_info(below, frontier.sizes) if every else None
        return BestSplits(after, info, None, column, splits[3:])

    def _sorted(self, frontier: Frontier) -> Ints:
        """The order of this level's rows, from that of the level before if there was one."""
        n_rows = self.columns.rank.shape[1]
        if self.order is not None and frontier.side is not None:
            return _parted(self.order, frontier.side, frontier, n_rows)
        order = self.columns.sorted_rows(keep=self.keep)
        return _in_order(order, frontier) if frontier.n > 1 or frontier.m < n_rows else order


def split_info(below: Ints, sizes: Ints) -> Ints:
    """What it costs to tell two sides apart, in entropy ticks."""
    return n_log_ns(sizes) - n_log_ns(below) - n_log_ns(sizes - below)


def _parts(n_columns: int, per_column: int) -> list[slice]:
    """As many columns at a time as fit the cache."""
    step = max(1, AT_A_TIME // per_column)
    return [slice(i, min(i + step, n_columns)) for i in range(0, n_columns, step)]


# -- thresholds that pay for being named, as release 8 of C4.5 has it ------------------------------


def _so_far(recipe: Recipe, frontier: Frontier, stats: Ints) -> BestSoFar:
    """The columns of a level's nodes compete, by the recipe's rules."""
    criterion, sizes = recipe.criterion, frontier.sizes
    if recipe.release8 is not None:
        return _PricedSoFar(criterion, stats, sizes, frontier.cost, recipe.release8)
    return BestSoFar(criterion, stats, sizes, None if recipe.by_ratio else frontier.cost)


class _PricedSoFar(BestSoFar):
    """Every column counts, where its best threshold gains more than it costs to say which it is."""

    def __init__(
        self, criterion: Criterion, stats: Ints, sizes: Ints, cost: Ints, release8: Release8
    ) -> None:
        super().__init__(criterion, stats, sizes, None)
        self._cost, self._release8 = cost, release8

    def exact(self, layout: CutLayout, after: Ints, barred: Ints | None) -> BestThresholds:
        """See :class:`BestSoFar`; each threshold that is not barred is one to choose from."""
        open_: Bools = np.ones(after.shape, dtype=bool)
        if barred is not None and barred.dtype == bool:
            open_ = ~barred
        elif barred is not None:
            open_[:, barred] = False
        n_cuts = np.add.reduceat(open_.astype(np.int64), layout.start, axis=1)
        n_cuts = n_cuts.T if layout.by_node else n_cuts
        found = super().exact(layout, after, barred)
        cost = found.after + self._release8.price(n_cuts[found.column, found.node])
        worth = (cost < self._cost.take(found.node)).nonzero()[0]
        return BestThresholds(*(a.take(worth) for a in (*found[:3], cost)))


def _without_repeats(barred: Bools, rows: Ints, layout: CutLayout) -> Bools:
    """Bar, too, the thresholds above values that no row has: they part rows as the one before."""
    adds = np.diff(rows, axis=1, prepend=0) != 0
    adds[:, layout.start] = rows[:, layout.start] > 0
    every: Bools = barred | ~adds
    return every


class _Histogram:
    """A level whose rows are counted by (class, node, value)."""

    in_order = True

    def __init__(self, columns: ContinuousColumns, frontier: Frontier, recipe: Recipe) -> None:
        self.columns, self.frontier, self.criterion = columns, frontier, recipe.criterion
        self.least = recipe.min_beside(frontier.sizes).reshape(-1, 1)
        self.counts_cuts = recipe.release8 is not None
        self.labels, self.stats = frontier.labels, frontier.stats
        if frontier.k and frontier.stats.size * columns.n_values > _MANY_CELLS:
            self.labels, self.stats = _present(frontier)
        self.best_so_far = _so_far(recipe, frontier, self.stats)

    def best(self, part: slice) -> BestThresholds:
        """The best thresholds of some of the columns."""
        cells, before, layout = self.columns.cells(part)
        n, criterion = self.frontier.n, self.criterion
        sides = self._sides(cells, before, layout)
        rows = criterion.rows(sides.reshape(len(sides), -1).T).reshape(2, n, -1)
        barred = np.minimum(rows[0], rows[1]) < self.least
        if self.counts_cuts:
            barred = _without_repeats(barred, rows[0], layout)
        if is_estimated(criterion) and rows.size > _MANY_CELLS:
            found = self._estimated(sides, rows[0], barred, layout)
        else:
            cost = criterion.cost(sides.reshape(len(sides), -1).T).reshape(2, n, -1)
            found = self.best_so_far.exact(layout, cost[0] + cost[1], barred)
        return _around(found, rows[0], layout)

    def _estimated(
        self, sides: Ints, rows: Ints, barred: Bools, layout: CutLayout
    ) -> BestThresholds:
        sizes = self.frontier.sizes
        counted: Counts | Squares
        if len(sides) > 2 and self.frontier.k:  # noqa: PLR2004 - more than two classes
            squares = np.square(sides).sum(axis=0)
            counted = Squares(rows, squares[0], squares[1], sizes)
            gain = counted.gain(layout)
        else:
            counted = Counts(rows, sides[1:2, 0] if not self.frontier.k else sides[:1, 0])
            gain = counted.gain(layout, self.stats, sizes, self.criterion)
        np.copyto(gain, -1, where=barred)
        return self.best_so_far.estimated(layout, gain, counted)

    def _sides(self, cells: Ints, before: int, layout: CutLayout) -> Ints:
        """The statistics of both sides of each threshold; ``(w, 2, n, width)``, those below first.

        One prefix sum runs over all columns: what those before have added up to is taken away.
        """
        frontier, width, (n, w) = self.frontier, layout.width, self.stats.shape
        key = frontier.of(cells) + (frontier.node * width - before)
        counts = self.criterion.tally(key, self.labels, n * width, w, frontier.weight)
        total = self.stats.T[:, :, None]
        sides = np.empty((w, 2, n, width), dtype=np.int64)
        counts.T.reshape(w, n, width).cumsum(axis=2, out=sides[:, 0])
        sides[:, 0] -= total * layout.segment
        np.subtract(total, sides[:, 0], out=sides[:, 1])
        return sides


def _around(best: BestThresholds, low: Ints, layout: CutLayout) -> BestThresholds:
    """With the rows below the thresholds, and the ranks of the values next to them."""
    cell = best.at - best.node * layout.width
    below = low.ravel().take(best.at)
    # The next value above the threshold is the first that adds a row.
    adds = low.take(best.node, axis=0) > below[:, None]
    adds &= np.arange(layout.width) > cell[:, None]
    ends = np.array((cell, adds.argmax(axis=1)))
    ends -= layout.start.take(best.column)
    return BestThresholds(*best[:4], below, ends)


def _present(frontier: Frontier) -> tuple[Ints, Ints]:
    """The rows' labels and the nodes' statistics, only the classes present at a node numbered.

    A cost does not depend on which class is which, and deep nodes have few of them.
    """
    present = frontier.stats > 0
    number = np.cumsum(present, axis=1) - 1
    most = int(number[:, -1].max()) + 1
    if most == frontier.k:
        return frontier.labels, frontier.stats
    node, label = present.nonzero()
    stats = np.zeros((frontier.n, most), dtype=np.int64)
    stats[node, number[node, label]] = frontier.stats[node, label]
    return number.ravel().take(frontier.node * frontier.k + frontier.labels), stats


def _in_order(by_rank: Ints, frontier: Frontier) -> Ints:
    """The rows of a level by (node, rank) in each column, given those of the table by rank."""
    order = np.empty((len(by_rank), frontier.m), dtype=np.int32)
    node = frontier.spread(frontier.node, by_rank.shape[1], frontier.n)  # others go to the end
    for part in _parts(*by_rank.shape):
        rows = by_rank[part]
        first = radix_order(node.take(rows), frontier.n + 1)[:, : frontier.m]
        order[part] = take_along(rows, first)
    return order


def _parted(order: Ints, side: Ints, frontier: Frontier, n_rows: int) -> Ints:
    """The rows of the level before, as they stand, parted by the branch that each takes.

    A stable partition: all first branches come first, then all second ones, so the rows of a node
    stay together; those at rest are left out. More than two branches are parted by one bit after
    the other.
    """
    for bit in range(max(int(side.max()).bit_length(), 1)):
        way = frontier.spread(((side >> bit) & 1).astype(np.int8), n_rows, -1)
        after = np.empty((len(order), frontier.m), dtype=np.int32)
        for part in _parts(*order.shape):
            rows = order[part]
            ways = way.take(rows).ravel()
            branches = [
                rows.ravel().take((ways == branch).nonzero()[0]).reshape(len(rows), -1)
                for branch in (0, 1)
            ]
            np.concatenate(branches, axis=1, out=after[part])
        order = after
    return order


class _SortedScan:
    """A level whose rows stand by (node, value), as do its `nodes` and `frontier`."""

    in_order = False

    def __init__(
        self, columns: ContinuousColumns, order: Ints, frontier: Frontier, recipe: Recipe
    ) -> None:
        self.columns, self.order, self.criterion = columns, order, recipe.criterion
        self.n_rows = columns.rank.shape[1]
        self.nodes, self.frontier = self._as_they_stand(frontier)
        frontier = self.frontier
        least = recipe.min_beside(frontier.sizes)
        self.least = least.take(frontier.at) if least.ndim else least
        self.layout = CutLayout.of_columns(frontier.start, frontier.lengths, frontier.m)
        self.best_so_far = _so_far(recipe, frontier, frontier.stats)
        # Positions behind which a side has too few rows, whatever the column; where rows are
        # weighted that depends on their order.
        self.outer = np.flatnonzero(
            np.minimum(frontier.low, frontier.high) < (self.least if frontier.weight is None else 1)
        )
        self._make_ready()

    def _as_they_stand(self, frontier: Frontier) -> tuple[Ints, Frontier]:
        if frontier.n == 1:
            return np.zeros(1, dtype=np.intp), frontier
        standing = frontier.spread(frontier.node, self.n_rows, -1).take(self.order[0])
        nodes = standing.take(np.flatnonzero(np.diff(standing, prepend=-1)))
        number = np.empty(frontier.n, dtype=np.intp)
        number[nodes] = np.arange(frontier.n)
        return nodes, replace(
            frontier,
            node=number.take(frontier.node),
            stats=frontier.stats.take(nodes, axis=0),
            sizes=frontier.sizes.take(nodes),
            cost=frontier.cost.take(nodes),
        )

    def _make_ready(self) -> None:
        """What each row adds when a threshold passes it, for the way that suits the criterion."""
        frontier, k = self.frontier, self.frontier.k
        self.apart = self.crossing = self.squares = False
        if frontier.weight is not None:
            self.steps = self._weighted()
            return
        if is_estimated(self.criterion) and k <= 2:  # noqa: PLR2004 - numbers, or two classes
            self.apart = True
            self.total = frontier.stats[:, 0 if k else 1]
            # What a row adds to ``s``, see Apart; over a node that adds up to exactly nothing.
            own = np.equal(frontier.labels, 0).astype(np.int64) if k else frontier.labels
            steps = own * frontier.sizes.take(frontier.node)
            steps -= self.total.take(frontier.node)
            self.labels = frontier.spread(steps, self.n_rows, 0)
            self.weight, self.bar = self._weights()
            return
        self.crossing = isinstance(self.criterion, Entropy)
        self.squares = isinstance(self.criterion, Gini)
        narrow = np.uint8 if k <= 1 << 8 else np.int32
        self.labels = frontier.spread(frontier.labels.astype(narrow), self.n_rows, 0)

    def _weighted(self) -> list[Ints]:
        """What a row adds to all rows, and to those of each class but the last, or to the ticks."""
        frontier, weight = self.frontier, self.frontier.times
        if frontier.k:
            own = (np.where(frontier.labels == c, weight, 0) for c in range(frontier.k - 1))
            added = _in_pairs([weight, *own])
        else:
            added = [weight, weight * frontier.labels]
        return [frontier.spread(one, self.n_rows, 0) for one in added]

    def best(self, part: slice) -> BestThresholds:
        """The best thresholds of some of the columns."""
        order, frontier, layout = self.order[part], self.frontier, self.layout
        rank = self.columns.rank[part]
        equal = None
        if not self.columns.distinct:  # no threshold between equal values
            ranks = take_along(rank, order)
            equal = np.zeros(ranks.shape, dtype=bool)
            np.equal(ranks[:, 1:], ranks[:, :-1], out=equal[:, :-1])
        rows = frontier.low
        if self.apart:
            found = self._by_apart(order, equal)
        elif self.crossing:
            after = entropy_scan(self.labels.take(order), frontier)
            found = self.best_so_far.exact(layout, after, self._barred(equal))
        elif self.squares:
            found = self._by_squares(order, equal)
        else:
            counts = self._counts(order)
            rows = counts.rows
            if frontier.weight is not None:
                equal = self._too_few(rows, equal)
            found = self._by_counts(counts, equal)
        # The rows next to the threshold.
        ends = order.ravel().take(np.array((found.at, found.at + 1)))
        ends = rank.ravel().take(ends + found.column * rank.shape[1])
        below = rows.ravel().take(found.at % rows.size)
        return BestThresholds(
            found.column, self.nodes.take(found.node), found.at, found.after, below, ends
        )

    def _barred(self, equal: Bools | None) -> Ints:
        """Where there is no threshold."""
        if equal is None:
            return self.outer
        equal[:, self.outer] = True
        return equal

    def _too_few(self, rows: Ints, equal: Bools | None) -> Bools | None:
        """Where a side has too few rows, each as often as it counts, or values are equal."""
        if not self.least.ndim and self.least == 1:
            return equal
        above = self.frontier.sizes.take(self.frontier.at) - rows
        few: Bools = np.minimum(rows, above) < self.least
        return few if equal is None else few | equal

    def _by_apart(self, order: Ints, equal: Bools | None) -> BestThresholds:
        steps = self.labels.take(order)
        s = np.cumsum(steps, axis=1, out=steps)
        gain = s.astype(np.float64)
        gain *= gain
        gain *= self.weight
        gain += self.bar
        if equal is not None:
            np.copyto(gain, -1, where=equal)
        apart = Apart(self.frontier.low, s, self.total, self.frontier.sizes)
        return self.best_so_far.estimated(self.layout, gain, apart)

    def _by_squares(self, order: Ints, equal: Bools | None) -> BestThresholds:
        """When one more row of a class crosses the threshold, one square grows and one shrinks."""
        frontier = self.frontier
        rank, crossed = frontier.rank, frontier.by_class(self.labels.take(order))
        whole = (frontier.stats**2).sum(axis=1)
        earlier = (np.cumsum(whole) - whole)[frontier.at]
        below = np.cumsum((2 * rank + 1)[crossed], axis=-1)
        below -= earlier
        above = np.cumsum((1 - 2 * (frontier.total - rank))[crossed], axis=-1)
        above += whole[frontier.at] + earlier
        squares = Squares(frontier.low, below, above, frontier.sizes)
        gain = squares.gain(self.layout)
        gain[:, self.outer] = -1
        if equal is not None:
            np.copyto(gain, -1, where=equal)
        return self.best_so_far.estimated(self.layout, gain, squares)

    def _weights(self) -> tuple[Floats, Floats]:
        """What ``s**2`` is multiplied by, and what makes it negative where there is no threshold.

        In floats: the product of four numbers of rows is no 64-bit number for millions.
        """
        frontier = self.frontier
        size = frontier.sizes.take(frontier.at).astype(np.float64)
        weight = 1 / np.maximum(frontier.low * frontier.high * size * size, 1)
        bar = np.zeros(frontier.m)
        weight[self.outer], bar[self.outer] = 0, -1
        return weight, bar

    def _counts(self, order: Ints) -> Counts:
        """What stands below each threshold, by prefix sums of each class, or of the ticks."""
        frontier, stats = self.frontier, self.frontier.stats
        if frontier.weight is None:
            labels = self.labels.take(order)
            low = np.array([np.cumsum(labels == c, axis=1) for c in range(frontier.k - 1)])
            low -= self._earlier(stats.T[:-1])
            return Counts(frontier.low, low)
        sums = [np.cumsum(one.take(order), axis=1) for one in self.steps]
        whole = stats.T if not frontier.k else _in_pairs([stats.sum(axis=1), *stats.T[:-1]])
        if frontier.n > 1:
            for one, total in zip(sums, whole, strict=False):  # of numbers, squares are left
                np.subtract(one, (np.cumsum(total) - total).take(frontier.at), out=one)
        if not frontier.k:
            return Counts(sums[0], sums[1][None])
        low = np.empty((frontier.k, *order.shape), dtype=np.int64)
        for one, first, second in zip(sums, low[::2], (*low[1::2], None), strict=False):
            np.bitwise_and(one, (1 << _HALF) - 1, out=first)
            if second is not None:
                np.right_shift(one, _HALF, out=second)
        return Counts(low[0], low[1:])

    def _earlier(self, stats: Ints) -> Ints | int:
        """What the nodes before have added up to, ``(w, 1, m)``."""
        if self.frontier.n == 1:
            return 0
        earlier = np.cumsum(stats, axis=1) - stats
        return earlier.take(self.frontier.at, axis=1)[:, None]

    def _by_counts(self, counts: Counts, equal: Bools | None) -> BestThresholds:
        frontier, layout = self.frontier, self.layout
        if is_estimated(self.criterion) and not (frontier.k and counts.low.size <= _FEW_COSTS):
            gain = counts.gain(layout, frontier.stats, frontier.sizes, self.criterion)
            gain[:, self.outer] = -1
            if equal is not None:
                np.copyto(gain, -1, where=equal)
            return self.best_so_far.estimated(layout, gain, counts)
        after = costs_of_all(counts, layout, frontier.stats, self.criterion)
        return self.best_so_far.exact(layout, after, self._barred(equal))


def _in_pairs(counts: Sequence[Ints]) -> list[Ints]:
    """Two at a time in the halves of one number: one prefix sum serves both."""
    pairs = [a + (b << _HALF) for a, b in zip(counts[::2], counts[1::2], strict=False)]
    return pairs + list(counts[2 * len(pairs) :])


def entropy_scan(labels: Ints, frontier: Frontier) -> Ints:
    """The cost ``cost(rows up to here) + cost(rows after)`` by entropy at each row of many nodes.

    When one more row of a class crosses the threshold, one term grows below it and one shrinks
    above, whatever the number of classes. Over a node that adds up to 0, so one prefix sum serves
    all nodes. The labels, ``(n_columns, m)``, stand node by node, each row counting once.
    """
    rank, total = frontier.rank, frontier.total
    table = n_log_n(int(total.max(initial=0)) + 1)
    change = table[1:] - table[:-1]
    crossing = change[rank] - change[total - rank - 1]
    table = n_log_n(int(frontier.low.max(initial=0)))
    whole = table[frontier.stats].sum(axis=1)
    sides = table[frontier.low] + table[frontier.high] - whole[frontier.at]
    ticks: Ints = sides - np.cumsum(crossing[frontier.by_class(labels)], axis=-1)
    return ticks
