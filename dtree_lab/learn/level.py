"""The nodes of one depth, their rows, and what an attribute can do for all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[Any]

_RADIX_BITS = 16
_RADIX = 1 << _RADIX_BITS
# The key of a place where a node must not be parted: above every cost.
NEVER = np.int64(1) << 62


@dataclass(frozen=True)
class Level:
    """The nodes of one depth that may be split: `n` of them, with `m` rows.

    Attributes
    ----------
    node
        The node of each of their rows; shape ``(m,)``.
    stats
        The criterion's statistics of each node, shape ``(n, w)``.
    sizes
        Rows of each node.
    labels
        The class of each row, or its number in ticks.
    k
        How many classes there are; 0 for numbers.
    rows
        Where the rows stand in the table, in increasing order; None for a table's rows as they are.
    side
        The branch that each row took to get here; None at the root.
    cost
        What each node costs, in the criterion's ticks.
    """

    node: Ints
    stats: Ints
    sizes: Ints
    labels: Ints
    k: int
    rows: Ints | None = None
    side: Ints | None = None
    cost: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @property
    def n(self) -> int:
        """How many nodes."""
        return len(self.sizes)

    @property
    def m(self) -> int:
        """Rows of all nodes."""
        return len(self.node)

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
    def start(self) -> Ints:
        """Where each node begins when the rows stand node by node."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def at(self) -> Ints:
        """The node of each position when the rows stand node by node; shape ``(m,)``."""
        return np.repeat(np.arange(self.n), self.sizes)

    @cached_property
    def low(self) -> Ints:
        """How many rows of its node stand up to each position, that one included."""
        low: Ints = np.arange(1, self.m + 1) - self.start.take(self.at)
        return low

    @cached_property
    def high(self) -> Ints:
        """How many rows of its node stand after each position."""
        after: Ints = self.sizes.take(self.at) - self.low
        return after

    def outer(self, least: int) -> Ints:
        """The positions behind which a side has fewer than so many rows, or none."""
        return np.flatnonzero(np.minimum(self.low, self.high) < max(least, 1))

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

        Parameters
        ----------
        labels
            The rows' classes as they stand, node by node; shape ``(n_columns, m)``.
        """
        if self.k == 2:  # noqa: PLR2004 - then a running sum tells
            ones = np.cumsum(labels, axis=1, dtype=np.int32)
            behind, before = self._two_classes
            place: Ints = np.where(labels == 1, ones + behind, before - ones)
            return place
        order = stable_order(self.at * self.k + labels, self.n * self.k)
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


@dataclass(frozen=True)
class Best:
    """The best splits of some attributes at each node of a level.

    Attributes
    ----------
    after
        Cost of the branches in ticks, -1 where an attribute cannot split a node; shape
        ``(n_splits, n_nodes)``: a split for each attribute, or only the best of all.
    split_info
        Cost of telling the branches apart, in entropy ticks, the same shape; None when nobody asks.
    before
        Cost of the rows that have a value, the same shape; None where all have one.
    column
        Which of the attributes a split is by, the same shape; None where there is one for each.
    ends
        For continuous attributes, which are cut: the ranks of the values next to the cut, below and
        above; two of that shape.
    values
        For a discrete attribute, which stands alone: how its values are sorted into branches.
    """

    after: Ints
    split_info: Ints | None
    before: Ints | None = None
    column: Ints | None = None
    ends: Ints | None = None
    values: Values | None = None


@dataclass(frozen=True)
class Values:
    """How the values of a discrete attribute are sorted into branches.

    Attributes
    ----------
    node, place, branch
        Which value (`place`) of which node takes which branch; shape ``(n_groups,)``.
    width
        How many branches each node would have; ``(n_nodes,)``.
    """

    node: Ints
    place: Ints
    branch: Ints
    width: Ints


def stable_order(key: Ints, n_keys: int) -> Ints:
    """The stable order of keys below `n_keys`, along the last axis.

    numpy sorts 16 bits by counting, some ten times faster than more of them by comparing; so
    larger keys are sorted in two rounds, as on a punched-card sorter.
    """
    if n_keys <= _RADIX:
        return np.argsort(key.astype(np.uint16), axis=-1, kind="stable")
    by_low = np.argsort((key & (_RADIX - 1)).astype(np.uint16), axis=-1, kind="stable")
    rest = picked(key >> _RADIX_BITS, by_low)
    return picked(by_low, stable_order(rest, -(-n_keys // _RADIX)))


def picked(of: Ints, at: Ints) -> Ints:
    """``of[..., at]`` row by row, as ``numpy.take_along_axis`` does with more ceremony."""
    width = of.shape[-1]
    if of.size == width:
        return of.ravel().take(at)
    first = np.arange(0, of.size, width).reshape(*of.shape[:-1], 1)
    return of.ravel().take(at + first)


def stretches(start: Ints, sizes: Ints) -> Ints:
    """The positions of several stretches, one after the other."""
    begin = np.cumsum(sizes) - sizes
    positions: Ints = np.repeat(start - begin, sizes) + np.arange(int(sizes.sum()))
    return positions


def first_least(key: Ints, start: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """For each stretch of the last axis its least key, and the first position that has it.

    Parameters
    ----------
    key
        Shape ``(..., m)``.
    start, sizes
        Where each stretch begins and how long it is; they follow one another, none is empty.

    Returns
    -------
    tuple of numpy.ndarray
        Both of shape ``(..., n_stretches)``.
    """
    if not len(start):
        nothing = np.zeros((*key.shape[:-1], 0), dtype=np.intp)
        return nothing, nothing
    least = np.minimum.reduceat(key, start, axis=-1)
    m = key.shape[-1]
    found = np.flatnonzero(key == np.repeat(least, sizes, axis=-1))
    # The first position found at or behind each beginning; every stretch has one of its own.
    begin = (np.arange(0, key.size, m)[:, None] + start).ravel()
    position = found[np.searchsorted(found, begin)] % m
    return least, position.reshape(least.shape)
