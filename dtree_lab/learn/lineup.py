"""Cuts in line, and which of them is the cheapest at each node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dtree_lab.learn.level import NEVER, first_least, stretches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.level import Level
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]


class Lineup(NamedTuple):
    """How the cuts of some columns at some nodes stand in an array.

    Either a line holds a column and each of its stretches a node, or the other way round.

    Attributes
    ----------
    start, sizes
        Where each stretch of a line begins, and its length.
    width
        The length of a line.
    by_node
        Whether a line is a node.
    """

    start: Ints
    sizes: Ints
    width: int
    by_node: bool

    def over(self, reduce: np.ufunc, of: Ints) -> Ints:
        """Such as the least of each stretch; shape ``(n_columns, n_nodes)``."""
        found: Ints = reduce.reduceat(of, self.start, axis=1)
        return found.T if self.by_node else found

    def of(self, column: Ints, node: Ints) -> tuple[Ints, Ints]:
        """Where the cuts of some columns at some nodes stand, and how many of each there are."""
        line, stretch = (node, column) if self.by_node else (column, node)
        sizes = self.sizes.take(stretch)
        return stretches(line * self.width + self.start.take(stretch), sizes), sizes

    def first_least(self, key: Ints, column: Ints, node: Ints) -> Ints:
        """Where the first of the cheapest cuts of some columns at some nodes stands."""
        at, sizes = self.of(column, node)
        _, first = first_least(key.ravel().take(at), np.cumsum(sizes) - sizes, sizes)
        return at.take(first)


_NOTHING = np.zeros(0, dtype=np.int64)


class Found(NamedTuple):
    """The best cuts of some columns at some nodes.

    Attributes
    ----------
    column, node
        Which.
    at
        Where they stand in the line-up.
    after
        What they cost.
    below
        Rows below them.
    ends
        The ranks of the values next to them, below and above; shape ``(2, n_cuts)``. These and the
        rows are empty until the best cuts are known.
    """

    column: Ints
    node: Ints
    at: Ints
    after: Ints
    below: Ints = _NOTHING
    ends: Ints = _NOTHING


class Race:
    """The columns of a level compete at each node, so that only the leader is looked at closely.

    Where attributes are compared by gain ratio, every column is.

    Attributes
    ----------
    every
        Whether each column counts.
    most
        What each node itself costs, settled. A cut that costs more gains nothing, as one that
        costs the same.
    best
        What the leader of each node costs so far.
    """

    def __init__(self, level: Level, recipe: Recipe) -> None:
        assert level.cost is not None  # noqa: S101 - the fast grower works it out
        self.every = recipe.by_ratio
        self.most = recipe.criterion.settle(level.cost)
        self.best: Ints | None = None

    def run(self, lineup: Lineup, key: Ints) -> tuple[Ints, Ints, Ints]:
        """The best cuts of more columns: where they take the lead, or all of them.

        Parameters
        ----------
        lineup
            How the cuts stand.
        key
            What each costs, settled; NEVER where there is no cut.

        Returns
        -------
        tuple of numpy.ndarray
            The column, the node and the place in the line-up of each.
        """
        least = lineup.over(np.minimum, key)
        if self.every:
            column, node = (least < NEVER).nonzero()
        else:
            cost = np.where(least < NEVER, np.minimum(least, self.most), NEVER)
            node = self.ahead(cost.min(axis=0))
            column = cost.argmin(axis=0).take(node)
        return column, node, lineup.first_least(key, column, node)

    def ahead(self, cost: Ints) -> Ints:
        """The nodes at which some cost, one for each node, takes the lead."""
        if self.best is None:
            self.best = cost
            return (cost < NEVER).nonzero()[0]
        node = (cost < self.best).nonzero()[0]
        self.best[node] = cost.take(node)
        return node
