"""The best split of discrete columns at every open node, and of columns with gaps.

Rows are counted into *groups*, one for each value at each node, ordered by node, then value: a
histogram of which only what is there is kept. A branch for each group is ID3's split; prefix sums
over the groups, sorted by the share of a class, give CART's two groups.

Rows without a value of the attribute that a node asks rest at that node. They are not in any
branch, so they say nothing about the split: its gain is counted over the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dtree_lab.base.types import Ints
from dtree_lab.criteria.classes import Criterion, n_log_ns
from dtree_lab.grow.engine.arrays import NEVER, radix_order, segmented_argmin
from dtree_lab.grow.engine.columns import ContinuousColumns, DiscreteColumns, GappyColumn
from dtree_lab.grow.engine.frontier import BestSplits, Frontier, ValueBranches
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.engine.thresholds import ThresholdSearch, split_info
from dtree_lab.grow.recipe import Recipe

# Rows handled at a time.
_AT_A_TIME = 1 << 18


@dataclass(frozen=True)
class Groups:
    """Rows counted by node and value, ordered by node, then value."""

    node: Ints  # of each group, `(n_groups,)`
    value: Ints
    stats: Ints  # the criterion's statistics of each, `(n_groups, w)`
    sizes: Ints  # rows of each
    begin: Ints  # where each node's groups begin, `(n_nodes,)`: CSR offsets

    @classmethod
    def of(cls, codes: Ints, n_values: int, frontier: Frontier, criterion: Criterion) -> Groups:
        """Count a frontier's rows by their values of a column, `codes` of shape ``(m,)``."""
        key = frontier.node * n_values + codes
        labels, weight, cells = frontier.labels, frontier.weight, frontier.n * n_values
        if cells * frontier.stats.shape[1] <= 4 * frontier.m:  # few: the empty ones are counted too
            every = criterion.tally(key, labels, cells, frontier.k, weight)
            present = np.flatnonzero(criterion.rows(every))
            stats = every[present]
        else:
            order = radix_order(key, cells)
            key = key[order]
            new = np.concatenate([[True], key[1:] != key[:-1]])
            present = key[new]
            weight = None if weight is None else weight[order]
            stats = criterion.tally(
                np.cumsum(new) - 1, labels[order], len(present), frontier.k, weight
            )
        node = present // n_values
        begin = np.searchsorted(node, np.arange(frontier.n))
        return cls(node, present % n_values, stats, criterion.rows(stats), begin)

    @property
    def widths(self) -> Ints:
        """How many groups each node has."""
        return np.diff(self.begin, append=len(self.node))


def discrete_splits(
    codes: Ints, n_values: int, frontier: Frontier, recipe: Recipe, column: int = 0
) -> BestSplits:
    """A discrete column's best split at each node; `column` is its number in the answer."""
    groups = Groups.of(codes, n_values, frontier, recipe.criterion)
    return (_two_groups if recipe.two_groups else _by_value)(groups, frontier, recipe, column)


def _by_value(groups: Groups, frontier: Frontier, recipe: Recipe, column: int) -> BestSplits:
    """A branch for each value that is present."""
    sizes, begin = groups.sizes, groups.begin
    after = np.add.reduceat(recipe.criterion.cost(groups.stats), begin)
    after[~recipe.fills(sizes, begin)] = -1
    info = None
    if recipe.by_ratio:
        info = (n_log_ns(frontier.sizes) - np.add.reduceat(n_log_ns(sizes), begin))[None]
    branch = np.arange(len(sizes)) - begin[groups.node]
    column_of = np.full(len(sizes), column)
    width = groups.widths.take(groups.node)
    branches = ValueBranches(groups.node, column_of, groups.value, branch, width)
    return BestSplits(after[None], info, None, np.array([[column]]), branches=(branches,))


def _two_groups(groups: Groups, frontier: Frontier, recipe: Recipe, column: int) -> BestSplits:
    """The best two groups of values; see ``candidates._best_two_groups`` for the orders tried."""
    settle = recipe.criterion.settle
    after, below = np.full(frontier.n, -1), np.zeros(frontier.n, dtype=np.int64)
    branch = np.zeros(len(groups.node), dtype=np.int64)
    for by in recipe.criterion.orders(groups.stats):
        order = np.lexsort((by, groups.node))
        cost, size, last = _best_prefix(groups, groups.stats[order], frontier, recipe)
        better = (cost >= 0) & ((after < 0) | (settle(cost) < settle(after)))
        after, below = np.where(better, cost, after), np.where(better, size, below)
        # Sorting keeps each node's groups together: position i belongs to groups.node[i].
        mine = np.flatnonzero(better[groups.node])
        branch[order[mine]] = mine > last[groups.node[mine]]
    branch ^= branch[groups.begin][groups.node]  # the group with the lowest value comes first
    info = split_info(below, frontier.sizes)[None] if recipe.by_ratio else None
    column_of = np.full(len(branch), column)
    branches = ValueBranches(groups.node, column_of, groups.value, branch, None)
    return BestSplits(after[None], info, None, np.array([[column]]), branches=(branches,))


def _best_prefix(
    groups: Groups, stats: Ints, frontier: Frontier, recipe: Recipe
) -> tuple[Ints, Ints, Ints]:
    """Where to part each node's groups in two: the cheapest place, the first in a tie.

    Returns each node's cost (-1 where it cannot be parted), rows below, and last group below.
    """
    criterion = recipe.criterion
    running, begin, at = np.cumsum(stats, axis=0), groups.begin, groups.node
    below = running - (running[begin] - stats[begin])[at]
    above = frontier.stats[at] - below
    low, high = criterion.rows(below), criterion.rows(above)
    cost = criterion.cost(below) + criterion.cost(above)
    allowed = np.minimum(low, high) >= max(recipe.min_side, 1)
    key = np.where(allowed, criterion.settle(cost), NEVER)
    least, last = segmented_argmin(key, begin, groups.widths)
    return np.where(least < NEVER, cost[last], -1), low[last], last


class DiscreteSearch:
    """The best splits of discrete columns without gaps, level by level, numbered from `first`."""

    def __init__(self, columns: DiscreteColumns, first: int) -> None:
        self.columns, self.first = columns, first

    def best(self, frontier: Frontier, recipe: Recipe) -> BestSplits:
        """The best split of each column at each node.

        A pair of a column and a node stands for a node, so that all are found at once.
        """
        codes, n = frontier.of(self.columns.codes), frontier.n
        d, n_values = len(codes), self.columns.n_values
        if d == 1:
            return discrete_splits(codes[0], n_values, frontier, recipe, self.first)
        column = np.arange(d)[:, None]
        pairs = Frontier(
            (frontier.node + column * n).ravel(),
            np.tile(frontier.stats, (d, 1)),
            np.tile(frontier.sizes, d),
            np.tile(frontier.labels, d),
            frontier.k,
            None,
            None,
            np.tile(frontier.cost, d),
            None if frontier.weight is None else np.tile(frontier.weight, d),
        )
        found = discrete_splits(codes.ravel(), n_values, pairs, recipe)
        info = None if found.split_info is None else found.split_info.reshape(d, n)
        branches = tuple(
            one._replace(node=one.node % n, column=self.first + one.node // n)
            for one in found.branches
        )
        column = column + self.first
        return BestSplits(found.after.reshape(d, n), info, None, column, branches=branches)


class GappySearch:
    """The best splits of a column with gaps, level after level, among the rows that have a value.

    It is for one tree only unless `keep` is set.
    """

    def __init__(self, column: GappyColumn, number: int, *, keep: bool) -> None:
        self.column, self.number = column, number
        self.search: ThresholdSearch | DiscreteSearch = (
            ThresholdSearch(column.column, number, keep=keep)
            if isinstance(column.column, ContinuousColumns)
            else DiscreteSearch(column.column, number)
        )

    def best(self, frontier: Frontier, recipe: Recipe) -> BestSplits:
        """The best split at each node."""
        known = frontier.of(self.column.known).nonzero()[0]
        part, there = among_known(frontier, known, recipe.criterion)
        before = np.zeros(frontier.n, dtype=np.int64)
        before[there] = part.cost
        if not part.n:
            found = BestSplits(np.zeros((1, 0)), None, None, np.array([[self.number]]))
        else:
            found = self.search.best(part, recipe)
        return _for_all(found, frontier, (there, part.sizes), before, self.number)


def among_known(frontier: Frontier, known: Ints, criterion: Criterion) -> tuple[Frontier, Ints]:
    """The nodes of a frontier that have some of the rows, with these only; and which nodes."""
    node, labels = frontier.node.take(known), frontier.labels.take(known)
    weight = None if frontier.weight is None else frontier.weight.take(known)
    stats = criterion.tally(node, labels, frontier.n, frontier.k, weight)
    sizes, cost = criterion.rows(stats), criterion.cost(stats)
    there = sizes.nonzero()[0]
    number = np.zeros(frontier.n, dtype=np.intp)
    number[there] = np.arange(len(there))
    part = Frontier(
        number.take(node),
        stats[there],
        sizes[there],
        labels,
        frontier.k,
        frontier.place.take(known),
        None if frontier.side is None else frontier.side.take(known),
        cost[there],
        weight,
    )
    return part, there


def _for_all(
    best: BestSplits, frontier: Frontier, known: tuple[Ints, Ints], before: Ints, number: int
) -> BestSplits:
    """What was found at the nodes where rows have a value, told for all nodes of the frontier.

    `known` has these nodes, and how many rows of each have a value.
    """
    there, sizes = known
    after = np.full((1, frontier.n), -1)
    after[:, there] = best.after
    info = None
    if best.split_info is not None:
        info = np.zeros((1, frontier.n), dtype=np.int64)
        # Rows without a value are told apart from the others, too.
        info[:, there] = best.split_info + split_info(sizes, frontier.sizes[there])
    ends = None
    if best.ends is not None:
        ends = np.zeros((2, 1, frontier.n), dtype=np.int64)
        ends[..., there] = best.ends
    branches = tuple(one._replace(node=there[one.node]) for one in best.branches)
    return BestSplits(after, info, before[None], np.array([[number]]), ends, branches)


# -- where nodes draw their attributes -----------------------------------------------------------


def drawn_values(
    nodes: Ints, attribute: Ints, frontier: Frontier, columns: PackedColumns, recipe: Recipe
) -> tuple[Ints, Ints | None, tuple[ValueBranches, ...]]:
    """The best split by value of each pair of a node and a discrete attribute.

    What a column can do for a whole level is found for pairs here: each stands for a node. So the
    cost of the branches, -1 where there is no split, that of telling them apart, both
    ``(n_pairs,)``, and how values are sorted into branches go by pairs, too.
    """
    part = np.cumsum(frontier.stretches[1][nodes]) // _AT_A_TIME
    begins = np.flatnonzero(np.diff(part, prepend=-1)).tolist()
    after, info = np.full(len(nodes), -1), np.zeros(len(nodes), dtype=np.int64)
    made = []
    for begin, end in zip(begins, [*begins[1:], len(nodes)], strict=True):
        some = slice(begin, end)
        pairs, codes = _pairs(nodes[some], attribute[some], frontier, columns)
        known, there = pairs, np.arange(end - begin)
        if columns.gaps:
            with_value = (codes != columns.most).nonzero()[0]
            known, there = among_known(pairs, with_value, recipe.criterion)
            codes = codes.take(with_value)
        if not known.n:
            continue
        n_values = int(columns.n_values[attribute[some]].max())
        found = discrete_splits(codes, n_values, known, recipe)
        after[begin + there] = found.after[0]
        if found.split_info is not None:
            gaps = split_info(known.sizes, pairs.sizes[there])
            info[begin + there] = found.split_info[0] + gaps
        for one in found.branches:
            pair = begin + there[one.node]
            made.append(one._replace(node=nodes[pair], column=attribute[pair]))
    return after, info if recipe.by_ratio else None, tuple(made)


def _pairs(
    nodes: Ints, attribute: Ints, frontier: Frontier, columns: PackedColumns
) -> tuple[Frontier, Ints]:
    """A frontier in which each pair is a node, and the codes of its rows."""
    pair, at = frontier.rows_of(nodes)
    rows = frontier.place.take(at)
    pairs = replace(
        frontier,
        node=pair,
        stats=frontier.stats[nodes],
        sizes=frontier.sizes[nodes],
        labels=frontier.labels.take(at),
        rows=rows,
        side=None,
        cost=frontier.cost[nodes],
        weight=frontier.times.take(at),
    )
    return pairs, columns.rank(attribute[pair], rows)
