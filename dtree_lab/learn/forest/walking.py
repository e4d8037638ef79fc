"""Rows on their way through many trees at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.splits import group_of, interval_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.table import Attribute

    Ints = NDArray[Any]

# Pairs of a tree and a row that are on their way together: few enough to stay in the cache.
_AT_A_TIME = 1 << 14


@dataclass(frozen=True, eq=False)
class Grove:
    """The nodes of several trees in one array each, tree after tree; see :class:`~.flat.Flat`.

    Attributes
    ----------
    root
        The number of each tree's root.
    attr, first, start
        Of each node, counted through all trees.
    cuts, routes
        Those of all trees.
    discrete
        Whether each attribute is discrete, and False for -1, the attribute of a leaf.
    """

    root: Ints
    attr: Ints
    first: Ints
    start: Ints
    cuts: NDArray[np.float64]
    routes: NDArray[np.int32]
    discrete: NDArray[np.bool_]

    @classmethod
    def of(cls, flats: Sequence[Flat], attributes: Sequence[Attribute]) -> Grove:
        """Put trees of two branches at each node together."""
        discrete = np.array([*(a.values is not None for a in attributes), False])
        nodes = [flat.n_nodes for flat in flats]

        def earlier(lengths: Sequence[int]) -> Ints:
            return np.repeat(np.cumsum(lengths) - lengths, nodes)

        attr = np.concatenate([flat.attr for flat in flats])
        return cls(
            np.cumsum(nodes) - nodes,
            attr,
            np.concatenate([flat.first for flat in flats]) + earlier(nodes),
            np.concatenate([flat.start for flat in flats])
            + np.where(
                discrete[attr],
                earlier([len(flat.routes) for flat in flats]),
                earlier([len(flat.cuts) for flat in flats]),
            ),
            np.concatenate([flat.cuts for flat in flats]),
            np.concatenate([flat.routes for flat in flats]),
            discrete,
        )

    def stops(
        self, tree: Ints, row: Ints, table: Rows, attribute: int = -1, other: Ints | None = None
    ) -> Ints:
        """The node where each row stops in each tree, pair by pair, counted through all trees.

        Parameters
        ----------
        tree, row
            The pairs.
        table
            The rows.
        attribute, other
            An attribute whose value is taken from another row, and that row for each pair.
        """
        node = self.root[tree]
        for begin in range(0, len(node), _AT_A_TIME):
            some = slice(begin, begin + _AT_A_TIME)
            mine = row[some]
            foreign = mine if other is None else other[some]
            self._walk(node[some], (mine, foreign), attribute, table)
        return node

    def _walk(self, node: Ints, rows: tuple[Ints, Ints], attribute: int, table: Rows) -> None:
        """Send some rows from their roots as far as they go; `node` is where they end."""
        row, foreign = rows
        moving = np.flatnonzero(self.attr[node] >= 0)
        while moving.size:
            at = node[moving]
            asked, start = self.attr[at], self.start[at]
            cell = row[moving]
            if foreign is not row:
                cell = np.where(asked == attribute, foreign[moving], cell)
            cell += table.first[asked]
            if not self.discrete.any():
                went = interval_of(table.numbers[cell], self.cuts[start][None, :])
            else:
                went = self._both(asked, cell, start, table)
            stays = went < 0
            if stays.any():
                moving, at, went = moving[~stays], at[~stays], went[~stays]
            at = self.first[at] + went
            node[moving] = at
            moving = moving[self.attr[at] >= 0]

    def _both(self, asked: Ints, cell: Ints, start: Ints, table: Rows) -> Ints:
        went = np.empty(len(asked), dtype=np.int32)
        among = self.discrete[asked]
        went[among] = group_of(table.codes[cell[among]], self.routes, start[among])
        between = ~among
        went[between] = interval_of(
            table.numbers[cell[between]], self.cuts[start[between]][None, :]
        )
        return went


@dataclass(frozen=True, eq=False)
class Rows:
    """Columns of continuous attributes one after the other, and columns of discrete ones.

    Attributes
    ----------
    numbers, codes
        All columns of one kind.
    first
        Where each attribute's column begins among those of its kind.
    n
        How many rows.
    """

    numbers: NDArray[np.float64]
    codes: Ints
    first: Ints
    n: int

    @classmethod
    def of(cls, columns: Sequence[NDArray[Any]], attributes: Sequence[Attribute], n: int) -> Rows:
        """Put the columns of a table, or of rows to predict, one after the other."""
        kinds: tuple[list[NDArray[Any]], list[NDArray[Any]]] = ([], [])
        first = []
        for attribute, column in zip(attributes, columns, strict=True):
            kind = kinds[attribute.values is not None]
            first.append(len(kind) * n)
            kind.append(column)
        numbers = np.concatenate([np.zeros(0), *kinds[0]])
        codes = np.concatenate([np.zeros(0, dtype=np.int32), *kinds[1]])
        return cls(numbers, codes, np.array([*first, 0], dtype=np.intp), n)
