"""The nodes of one depth, their rows, and what an attribute can do for all of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ints = NDArray[Any]

_RADIX = 1 << 16
# The key of a place where a node must not be parted: above every cost.
NEVER = np.int64(1) << 62


@dataclass(frozen=True)
class Level:
    """The nodes of one depth that may be split: `n` of them.

    Attributes
    ----------
    node
        For each row of the table its node among these, -1 for a row elsewhere.
    counts
        Rows of each class, shape ``(n, n_classes)``.
    labels
        The class of each row of the table.
    """

    node: Ints
    counts: Ints
    labels: Ints

    @property
    def n(self) -> int:
        """How many nodes."""
        return len(self.counts)

    @property
    def k(self) -> int:
        """How many classes."""
        return int(self.counts.shape[1])

    @cached_property
    def sizes(self) -> Ints:
        """Rows of each node."""
        rows: Ints = self.counts.sum(axis=1)
        return rows

    @cached_property
    def start(self) -> Ints:
        """Where each node begins when the rows stand node by node."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def m(self) -> int:
        """Rows of all nodes."""
        return int(self.sizes.sum())

    @cached_property
    def rows(self) -> Ints:
        """The rows at these nodes, in the order of the table."""
        return np.flatnonzero(self.node >= 0)

    @cached_property
    def at(self) -> Ints:
        """The node of each position when the rows stand node by node; shape ``(m,)``."""
        return np.repeat(np.arange(self.n), self.sizes)

    @cached_property
    def low(self) -> Ints:
        """How many rows of its node stand up to each position, that one included."""
        low: Ints = np.arange(1, self.m + 1) - self.start[self.at]
        return low

    @cached_property
    def high(self) -> Ints:
        """How many rows of its node stand after each position."""
        after: Ints = self.sizes[self.at] - self.low
        return after

    def outer(self, least: int) -> Ints:
        """The positions behind which a side has fewer than so many rows, or none."""
        return np.flatnonzero(np.minimum(self.low, self.high) < max(least, 1))

    @cached_property
    def rank(self) -> Ints:
        """When the rows stand by (node, class): how many of the same stand before each."""
        counts = self.counts.ravel()
        rank: Ints = np.arange(self.m) - np.repeat(np.cumsum(counts) - counts, counts)
        return rank

    @cached_property
    def total(self) -> Ints:
        """When the rows stand by (node, class): how many of the same there are."""
        counts = self.counts.ravel()
        return np.repeat(counts, counts)


@dataclass(frozen=True)
class Best:
    """The best split of some attributes at each node of a level.

    Attributes
    ----------
    after
        Cost of the branches in ticks, -1 where an attribute cannot split a node; shape
        ``(n_attributes, n_nodes)``.
    split_info
        Cost of telling the branches apart, in entropy ticks, the same shape; None when nobody asks.
    cut
        For continuous attributes: from an attribute's position among these and some nodes to cuts.
    values
        For a discrete attribute, which stands alone: how its values are sorted into branches.
    """

    after: Ints
    split_info: Ints | None
    cut: Callable[[int, Ints], NDArray[np.float64]] | None = None
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
    by_low = np.argsort((key % _RADIX).astype(np.uint16), axis=-1, kind="stable")
    rest = np.take_along_axis(key // _RADIX, by_low, axis=-1)
    return np.take_along_axis(by_low, stable_order(rest, n_keys // _RADIX + 1), axis=-1)


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
    least = np.minimum.reduceat(key, start, axis=-1)
    m = key.shape[-1]
    found = np.flatnonzero(key == np.repeat(least, sizes, axis=-1))
    # The first position found at or behind each beginning; every stretch has one of its own.
    begin = (np.arange(0, key.size, m)[:, None] + start).ravel()
    position = found[np.searchsorted(found, begin)] % m
    return least, position.reshape(least.shape)
