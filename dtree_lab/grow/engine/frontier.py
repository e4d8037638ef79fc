"""What passes between the engine's files: the open nodes, their best splits, what they ask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Ints
from dtree_lab.grow.engine.arrays import radix_order
from dtree_lab.tree.arrays import ranges


@dataclass(frozen=True)
class Frontier:
    """The open nodes of one depth, of one tree or many: `n` of them, with `m` rows.

    A row that counts several times (a bootstrap sample's, a weighted one) stands here once, with a
    whole number as its weight. A row stands once for each tree.
    """

    node: Ints  # of each row; `(m,)`
    stats: Ints  # the criterion's statistics of each node, `(n, w)`
    sizes: Ints  # rows of each node, each as often as it counts
    labels: Ints  # the class of each row, or its number in ticks
    k: int  # how many classes there are; 0 for numbers
    # Where they stand in the table, in order where one tree is grown, node by node where many are;
    # None for a table's rows as they are.
    rows: Ints | None
    side: Ints | None  # the branch that each row took to get here; None at the root
    cost: Ints  # of each node, in the criterion's ticks
    weight: Ints | None  # how often each row counts; None for once

    @property
    def n(self) -> int:
        """How many nodes."""
        return len(self.sizes)

    @property
    def m(self) -> int:
        """Rows of all nodes."""
        return len(self.node)

    @property
    def place(self) -> Ints:
        """Where each row stands in the table."""
        return np.arange(self.m) if self.rows is None else self.rows

    @property
    def times(self) -> Ints:
        """How often each row counts."""
        return np.ones(self.m, dtype=np.int64) if self.weight is None else self.weight

    def of(self, table: Ints) -> Ints:
        """What columns of the table hold in these rows, along the last axis."""
        return table if self.rows is None else table.take(self.rows, axis=-1)

    def spread(self, values: Ints, n_rows: int, rest: int) -> Ints:
        """A column of the table that holds some values in these rows, and `rest` in the others."""
        if self.rows is None:
            return values
        column = np.full(n_rows, rest, dtype=values.dtype)
        column[self.rows] = values
        return column

    @cached_property
    def lengths(self) -> Ints:
        """How many rows stand here for each node."""
        return self.sizes if self.weight is None else np.bincount(self.node, minlength=self.n)

    @cached_property
    def start(self) -> Ints:
        """Where each node begins when the rows stand node by node."""
        return np.cumsum(self.lengths) - self.lengths

    @cached_property
    def stretches(self) -> tuple[Ints, Ints]:
        """Where the rows of each node begin and how many there are, if they stand node by node."""
        new = np.concatenate([[True], self.node[1:] != self.node[:-1]])[: self.m]
        begins = np.flatnonzero(new)
        here = self.node.take(begins)
        begin, length = np.zeros(self.n, dtype=np.intp), np.zeros(self.n, dtype=np.intp)
        begin[here], length[here] = begins, np.diff(begins, append=self.m)
        return begin, length

    def rows_of(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Where the rows of some nodes stand, node by node, and which of these nodes has each."""
        begin, length = (each.take(nodes) for each in self.stretches)
        return np.repeat(np.arange(len(nodes)), length), ranges(begin, length)

    @cached_property
    def at(self) -> Ints:
        """The node of each position when the rows stand node by node; shape ``(m,)``."""
        return np.repeat(np.arange(self.n), self.lengths)

    @cached_property
    def low(self) -> Ints:
        """How many rows of its node stand up to each position, that one included."""
        return np.arange(1, self.m + 1) - self.start.take(self.at)

    @cached_property
    def high(self) -> Ints:
        """How many rows of its node stand after each position."""
        return self.lengths.take(self.at) - self.low

    @cached_property
    def rank(self) -> Ints:
        """When the rows stand by (node, class): how many of the same stand before each."""
        counts = self.stats.ravel()
        rank: Ints = np.arange(self.m) - np.repeat(np.cumsum(counts) - counts, counts)
        return rank

    @cached_property
    def total(self) -> Ints:
        """When the rows stand by (node, class): how many of the same there are."""
        counts = self.stats.ravel()
        return np.repeat(counts, counts)

    def by_class(self, labels: Ints) -> Ints:
        """Where each row would stand by (node, class), keeping their order.

        The labels, ``(n_columns, m)``, stand node by node.
        """
        if self.k == 2:  # noqa: PLR2004 - then a prefix sum tells
            ones = np.cumsum(labels, axis=1, dtype=np.int32)
            behind, before = self._two_classes
            return np.where(labels == 1, ones + behind, before - ones)
        order = radix_order(self.at * self.k + labels, self.n * self.k)
        place = np.empty(labels.shape, dtype=np.int32)
        first = np.arange(0, labels.size, self.m)[:, None]
        place.ravel()[order + first] = np.arange(self.m, dtype=np.int32)
        return place

    @cached_property
    def _two_classes(self) -> tuple[Ints, Ints]:
        """What a running count of the second class is added to, and subtracted from."""
        first, second = self.stats[:, 0], self.stats[:, 1]
        earlier = np.cumsum(second) - second  # rows of the second class at the nodes before
        behind = (self.start + first - 1 - earlier).astype(np.int32)[self.at]
        before = (np.arange(self.m) + earlier[self.at]).astype(np.int32)
        return behind, before


class ValueBranches(NamedTuple):
    """How the values of discrete attributes are sorted into branches."""

    node: Ints  # which value of which column of which node takes which branch; `(n_groups,)`
    column: Ints
    value: Ints
    branch: Ints
    width: Ints | None  # how many branches that node would have; None for two


@dataclass(frozen=True)
class BestSplits:
    """The best splits of some columns at each of some nodes.

    There is a split for each column, or only the best of all: arrays are of shape ``(n_splits,
    n_nodes)``.
    """

    after: Ints  # cost of the branches in ticks, -1 where a column cannot split a node
    split_info: Ints | None  # that of telling them apart, in entropy ticks; None when nobody asks
    before: Ints | None  # cost of the rows that have a value; None where all have one
    column: Ints  # which a split is by; of that shape or one that stretches to it
    # Of columns that are cut, the ranks next to the threshold, below and above.
    ends: Ints | None = None
    # How the values of discrete ones are sorted into branches.
    branches: tuple[ValueBranches, ...] = ()


class ChosenSplits(NamedTuple):
    """What the nodes of a frontier ask; all of shape ``(n,)`` but `routes`."""

    column: Ints  # -1 for a node that stays a leaf
    ends: Ints  # for a continuous column the ranks next to the threshold; `(2, n)`
    gain: Ints  # settled; nothing unless the tree is grown best first
    width: Ints  # how many branches
    start: Ints  # of a discrete column, where the branches of its values begin in `routes`
    routes: NDArray[np.int32]  # nothing when no column is discrete
