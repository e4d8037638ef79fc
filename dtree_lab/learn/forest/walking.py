"""Rows on their way through many trees at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.routing.nodes import Asked
from dtree_lab.routing.rows import Cells, Values, descend, stops_in_parts
from dtree_lab.routing.ways import Halves, Slots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.table import Attribute

    Ints = NDArray[Any]

# Pairs of a tree and a row that are on their way together: few enough to stay in the cache.
_AT_A_TIME = 1 << 14
# With so many rows it pays to go through one tree after the other.
_MANY = 1 << 11


@dataclass(frozen=True, eq=False)
class Grove:
    """The nodes of several trees in one array each, tree after tree; see :class:`~.flat.Flat`.

    Attributes
    ----------
    root
        The number of each tree's root.
    attr, first, width, start
        Of each node, counted through all trees.
    cuts, routes
        Those of all trees.
    n_values
        For each attribute its number of values, 0 for a continuous one.
    """

    root: Ints
    attr: NDArray[np.int32]
    first: NDArray[np.int32]
    width: NDArray[np.int32]
    start: NDArray[np.int64]
    cuts: NDArray[np.float64]
    routes: NDArray[np.int32]
    n_values: list[int]

    @classmethod
    def of(cls, flats: Sequence[Flat], attributes: Sequence[Attribute]) -> Grove:
        """Put trees together."""
        n_values = [a.n_values for a in attributes]
        discrete = np.array([*n_values, 0]) > 0
        nodes = [flat.n_nodes for flat in flats]

        def earlier(lengths: Sequence[int]) -> Ints:
            return np.repeat(np.cumsum(lengths) - lengths, nodes)

        attr = np.concatenate([flat.attr for flat in flats])
        first = np.concatenate([flat.first for flat in flats]) + earlier(nodes)
        start = np.concatenate([flat.start for flat in flats]) + np.where(
            discrete[attr],
            earlier([len(flat.routes) for flat in flats]),
            earlier([len(flat.cuts) for flat in flats]),
        )
        return cls(
            np.cumsum(nodes) - nodes,
            attr,
            first.astype(np.int32),
            np.concatenate([flat.width for flat in flats]),
            np.where(attr < 0, 0, start),  # a leaf has no part, and its tree perhaps no cuts
            np.concatenate([flat.cuts for flat in flats]),
            np.concatenate([flat.routes for flat in flats]),
            n_values,
        )

    def stops_of_all(self, columns: Sequence[NDArray[Any]]) -> Iterator[Ints]:
        """The node where each row stops in each tree, ``(n_trees, some rows)`` at a time.

        Parameters
        ----------
        columns
            At least one, as :func:`~dtree_lab.routing.rows.where_rows_stop` takes them.
        """
        n, n_trees = len(columns[0]), len(self.root)
        if n >= _MANY:
            yield from stops_in_parts(self, self.root.tolist(), self.n_values, columns)
        elif n:
            # What few rows cost is numpy's calls, so all trees go together.
            tree, row = np.repeat(np.arange(n_trees), n), np.tile(np.arange(n), n_trees)
            yield self.stops(tree, row, columns).reshape(n_trees, n)

    def stops(
        self,
        tree: Ints,
        row: Ints,
        columns: Sequence[NDArray[Any]],
        attribute: int = -1,
        others: Ints | None = None,
    ) -> Ints:
        """The node where each row stops in each tree, pair by pair, counted through all trees.

        Parameters
        ----------
        tree, row
            The pairs, best in the order of the trees.
        columns
            Those of the rows.
        attribute, others
            An attribute whose value is taken from another row, and that row for each pair.
        """
        node = self.root[tree]
        if (self.attr < 0).all():
            return node
        asked = Asked.of(self, np.array([*self.n_values, 0]))
        if others is not None and attribute not in asked.attributes:
            others = None
        values = Values.of(columns, asked, len(columns[0]))
        missing = values.load(0, values.n_rows)
        way: Halves | Slots
        if asked.only_thresholds and not missing:
            way = Halves.of(self, asked.column * values.n_rows)
        else:
            way = Slots.of(self, asked, values.n_rows)
        swapped = -1 if others is None else asked.attributes.index(attribute) * values.n_rows
        numbers = values.numbers.reshape(-1)
        for begin in range(0, len(node), _AT_A_TIME):
            some = slice(begin, begin + _AT_A_TIME)
            foreign = None if others is None else others[some]
            descend(node[some], way, Cells(numbers, row[some], swapped, foreign))
        return node
