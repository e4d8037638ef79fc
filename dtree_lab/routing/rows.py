"""Rows go through a tree, or through the trees of a forest, some thousands at a time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.routing.nodes import Asked
from dtree_lab.routing.ways import Halves, Slots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.routing.nodes import Floats, Ints, Nodes

    # An array of numbers has a column in each row.
    Columns = Sequence[NDArray[Any]] | Floats

# Rows that go through a tree at a time, and the numbers they may have together: few enough to stay
# in the cache, enough to forget what the calls cost.
_MOST_ROWS, _MOST_NUMBERS = 1 << 14, 1 << 19
# So few rows go one by one: nothing has to be made ready for them.
_FEW = 8
# Rows at rest are looked for after so many steps, and taken out when fewer than this share move.
_STEPS, _SHARE = 3, 0.8


def where_rows_stop(nodes: Nodes, n_values: Sequence[int], columns: Columns) -> Ints:
    """The node where each row stops: its leaf, or where its value has no branch.

    Parameters
    ----------
    nodes
        A tree.
    n_values
        For each attribute its number of values, 0 for a continuous one.
    columns
        For each attribute the rows' codes (-1 where missing) or numbers (NaN where missing), shape
        ``(n_rows,)``. The first tells how many rows there are; without columns there are none. All
        numbers may stand in one array, shape ``(n_attributes, n_rows)``.

    Returns
    -------
    numpy.ndarray
        The numbers of the nodes, shape ``(n_rows,)``.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.truth_table("or", 2)
    >>> where_rows_stop(dt.id3(table).flat, [2, 2], table.columns).tolist()
    [3, 4, 2, 2]
    """
    n_rows = len(columns[0]) if len(columns) else 0
    if isinstance(columns, np.ndarray):
        if n_rows > _FEW and columns.T.flags.c_contiguous:
            return _stops_in_array(nodes, n_values, columns.T)
        columns = list(columns)
    if n_rows <= _FEW:
        walked = [_walked(nodes, n_values, columns, row) for row in range(n_rows)]
        return np.array(walked, dtype=np.intp)
    if nodes.attr[0] < 0:
        return np.zeros(n_rows, dtype=np.intp)
    return np.concatenate([part[0] for part in stops_in_parts(nodes, [0], n_values, columns)])


def _stops_in_array(nodes: Nodes, n_values: Sequence[int], x: Floats) -> Ints:
    """Where the rows of an array of numbers stop, which stay where they are.

    One tree looks at some of a row's numbers only, so to put all of them into columns would take
    longer than what is gained by it.
    """
    n_columns, values = x.shape[1], x.reshape(-1)
    step = max(1, min(_MOST_ROWS, _MOST_NUMBERS // n_columns))
    asked = Asked.of(nodes, np.array([*n_values, 0]))
    halves = Halves.of(nodes, np.maximum(nodes.attr, 0)) if asked.only_thresholds else None
    begins = np.arange(0, min(step, len(x)) * n_columns, n_columns)
    stops = np.zeros(len(x), dtype=np.intp)
    for begin in range(0, len(x), step):
        part, some = stops[begin : begin + step], x[begin : begin + step]
        # The least of some numbers is NaN if one of them is.
        if halves is None or np.isnan(some.min()):
            part[:] = where_rows_stop(nodes, n_values, list(some.T))
        else:
            cells = Cells(values[begin * n_columns :], begins[: len(part)])
            descend(part, halves, cells)
    return stops


def stops_in_parts(
    nodes: Nodes, roots: Sequence[int], n_values: Sequence[int], columns: Sequence[NDArray[Any]]
) -> Iterator[Ints]:
    """Where rows stop in each of several trees, some rows at a time.

    Parameters
    ----------
    nodes, roots
        The nodes of all trees, tree after tree, and the number of each root.
    n_values, columns
        As in :func:`where_rows_stop`; at least one row.

    Yields
    ------
    numpy.ndarray
        The numbers of the nodes, counted through all trees, shape ``(n_trees, some rows)``.
    """
    asked = Asked.of(nodes, np.array([*n_values, 0]))
    values = Values.of(columns, asked)
    halves = Halves.of(nodes, asked.column * values.n_rows) if asked.only_thresholds else None
    slots: Slots | None = None
    n_rows, sizes = len(columns[0]), np.diff([*roots, len(nodes.attr)]).tolist()
    for begin in range(0, n_rows, values.n_rows):
        stops = np.empty((len(roots), min(values.n_rows, n_rows - begin)), dtype=np.intp)
        missing = values.load(begin, stops.shape[1])
        cells = Cells(values.numbers.reshape(-1), np.arange(stops.shape[1]))
        for part, root, size in zip(stops, roots, sizes, strict=True):
            if halves and not missing:
                part[:] = halves.top(values.numbers[:, : len(part)], root, size)
                np.add(part, root, out=part)
                descend(part, halves, cells)
            else:
                slots = slots or Slots.of(nodes, asked, values.n_rows)
                part[:] = root
                descend(part, slots, cells)
        yield stops


def _walked(
    nodes: Nodes, n_values: Sequence[int], columns: Sequence[NDArray[Any]], row: int
) -> int:
    """The node where one row stops."""
    at = 0
    while (asks := int(nodes.attr[at])) >= 0:
        x, begin = columns[asks][row], int(nodes.start[at])
        if n_values[asks]:
            branch = int(nodes.routes[begin + x]) if x >= 0 else -1
        else:
            end = begin + int(nodes.width[at]) - 1
            branch = -1 if isnan(x) else bisect_right(nodes.cuts, x, begin, end) - begin
        if branch < 0:
            break
        at = int(nodes.first[at]) + branch
    return at


def descend(stops: Ints, way: Halves | Slots, cells: Cells) -> None:
    """Send some rows on, from the nodes in `stops` as far as they go; `stops` is where they end."""
    places, at = np.arange(len(stops)), stops.copy()
    moving = len(places)
    while moving:
        for _ in range(_STEPS):
            before, at = at, way.step(at, cells)
        moved = at != before
        moving = int(np.count_nonzero(moved))
        if moving < _SHARE * len(places):
            stops[places] = at
            kept = np.flatnonzero(moved)
            places, at, cells = places.take(kept), at.take(kept), cells.take(kept)


@dataclass(frozen=True)
class Cells:
    """Where the values of the rows stand that are on their way.

    Attributes
    ----------
    values
        Column after column.
    rows
        The place of each row in its columns.
    swapped, others
        Where a column begins whose values are those of other rows, and these rows; None for none.
    """

    values: Floats
    rows: Ints
    swapped: int = -1
    others: Ints | None = None

    def read(self, column: Ints) -> Floats:
        """The value of each row in a column of its own, told by where that begins."""
        if self.others is None:
            column += self.rows
        else:
            column += np.where(column == self.swapped, self.others, self.rows)
        # Indices are known to be good, and "wrap" is the quickest way to say so.
        return self.values.take(column, mode="wrap")

    def take(self, kept: Ints) -> Cells:
        """Those of some rows."""
        others = None if self.others is None else self.others.take(kept)
        return Cells(self.values, self.rows.take(kept), self.swapped, others)


@dataclass(frozen=True)
class Values:
    """The values of some rows, those of a column next to one another, and at the end zeros.

    Codes stand among the numbers as they are, whole numbers of 64 bits, and one higher, so that a
    missing one is 0. Who takes one reads it as a whole number again; as a float it is next to 0.

    Attributes
    ----------
    numbers
        Room for some rows, shape ``(n_columns + 1, n_rows)``.
    columns
        Whole columns, the continuous ones first.
    n_continuous
        How many of them are continuous.
    """

    numbers: Floats
    columns: list[NDArray[Any]]
    n_continuous: int

    @classmethod
    def of(cls, columns: Sequence[NDArray[Any]], asked: Asked, n_rows: int | None = None) -> Values:
        """Make room for `n_rows` of the columns that are asked, or for as many as go at a time."""
        wanted = [columns[a] for a in asked.attributes]
        if n_rows is None:
            n_rows = min(_MOST_ROWS, _MOST_NUMBERS // max(len(wanted), 1) + 1, len(columns[0]))
        return cls(np.zeros((len(wanted) + 1, n_rows)), wanted, asked.n_continuous)

    @property
    def n_rows(self) -> int:
        """How many rows there is room for."""
        n_rows: int = self.numbers.shape[1]
        return n_rows

    def load(self, begin: int, n_rows: int) -> bool:
        """Put in the values of some rows; gives whether a number is missing."""
        numbers, codes = self.numbers[:, :n_rows], self.numbers.view(np.int64)[:, :n_rows]
        for i, column in enumerate(self.columns):
            if i < self.n_continuous:
                numbers[i] = column[begin : begin + n_rows]
            else:
                np.add(column[begin : begin + n_rows], 1, out=codes[i])
        # The least of some numbers is NaN if one of them is.
        return bool(np.isnan(numbers[: self.n_continuous].min(initial=0)))
