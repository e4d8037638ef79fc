"""Rows go through a tree, some thousands at a time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.routing.nodes import Asked
from dtree_lab.routing.ways import Halves, Slots

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.routing.nodes import Floats, Ints, Nodes

# Rows that go through a tree at a time, and the numbers they may have together: few enough to stay
# in the cache, enough to forget what the calls cost.
_MOST_ROWS, _MOST_NUMBERS = 1 << 14, 1 << 19
# So few rows go one by one: nothing has to be made ready for them.
_FEW = 8
# Rows at rest are looked for after so many steps, and taken out when fewer than this share move.
_STEPS, _SHARE = 3, 0.8


def where_rows_stop(nodes: Nodes, n_values: Sequence[int], columns: Sequence[NDArray[Any]]) -> Ints:
    """The node where each row stops: its leaf, or where its value has no branch.

    Parameters
    ----------
    nodes
        A tree.
    n_values
        For each attribute its number of values, 0 for a continuous one.
    columns
        For each attribute the rows' codes (-1 where missing) or numbers (NaN where missing), shape
        ``(n_rows,)``. The first tells how many rows there are; without columns there are none.

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
    n_rows = len(columns[0]) if columns else 0
    if n_rows <= _FEW:
        walked = [_walked(nodes, n_values, columns, row) for row in range(n_rows)]
        return np.array(walked, dtype=np.intp)
    stops = np.zeros(n_rows, dtype=np.intp)
    if nodes.attr[0] < 0:
        return stops
    asked = Asked.of(nodes, np.array([*n_values, 0]))
    values = _Values.of([columns[a] for a in asked.attributes], asked.n_continuous)
    halves = Halves.of(nodes, asked, values.n_rows) if asked.only_thresholds else None
    slots: Slots | None = None
    for begin in range(0, len(stops), values.n_rows):
        part = stops[begin : begin + values.n_rows]
        missing = values.load(begin, len(part))
        if halves and not missing:
            part[:] = halves.top(values.numbers[:, : len(part)])
            _descend(part, halves, values.numbers)
        else:
            slots = slots or Slots.of(nodes, asked, values.n_rows)
            _descend(part, slots, values.numbers)
    return stops


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


def _descend(stops: Ints, way: Halves | Slots, numbers: Floats) -> None:
    """Send some rows on, from the nodes in `stops` as far as they go."""
    rows, at, values = np.arange(len(stops)), stops.copy(), numbers.reshape(-1)
    moving = len(rows)
    while moving:
        for _ in range(_STEPS):
            before, at = at, way.step(at, rows, values)
        moved = at != before
        moving = int(np.count_nonzero(moved))
        if moving < _SHARE * len(rows):
            stops[rows] = at
            kept = np.flatnonzero(moved)
            rows, at = rows.take(kept), at.take(kept)


@dataclass(frozen=True)
class _Values:
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
    def of(cls, columns: list[NDArray[Any]], n_continuous: int) -> _Values:
        """Make room."""
        n_rows = min(_MOST_ROWS, _MOST_NUMBERS // len(columns) + 1, len(columns[0]))
        return cls(np.zeros((len(columns) + 1, n_rows)), columns, n_continuous)

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
