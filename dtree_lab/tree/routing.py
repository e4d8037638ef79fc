"""Rows on their way through a tree, or through the trees of a forest, some thousands at a time.

A node's next node is looked up for all rows at once. The shorter the formula, the faster, so there
are two: :class:`Halves` where there are only thresholds, :class:`Slots` for all trees. Nearly all
of the time goes into looking up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats, Ints

Columns = Sequence[NDArray[Any]] | Floats


class Nodes:
    """The arrays of a tree that say where rows go, or of many trees, one after the other."""

    attr: NDArray[np.int32]  # the attribute that each node asks, -1 at a leaf
    first: NDArray[np.int32]  # the first child of each
    width: NDArray[np.int32]  # how many children each has
    start: NDArray[np.int64]  # where the part of each in `cuts` or `routes` begins
    cuts: NDArray[np.float64]  # of all nodes
    routes: NDArray[np.int32]  # the branch of each value, -1 for none, of all nodes
    gaps: NDArray[np.int32]  # the branch of rows without a value, -1 where they rest


@dataclass(frozen=True)
class Questions:
    """What the nodes of a tree ask."""

    attributes: list[int]  # those that any node asks, the continuous ones first
    n_continuous: int  # of these
    column: Ints  # the place of each node's attribute among these; behind the last for a leaf
    n_values: Ints  # of each node's attribute, 0 if it is continuous or there is none
    only_thresholds: bool  # every node that asks has one cut

    @classmethod
    def of(cls, nodes: Nodes, n_values: Ints) -> Questions:
        """Of a tree; `n_values` of each attribute, and a last 0 which a leaf, -1, finds."""
        attributes = np.unique(nodes.attr[nodes.attr >= 0])
        discrete = n_values[attributes] > 0
        attributes = attributes[np.argsort(discrete, kind="stable")]
        n_continuous = int(np.count_nonzero(~discrete))
        column = np.full(len(n_values), len(attributes), dtype=np.intp)
        column[attributes] = np.arange(len(attributes))
        halves = n_continuous == len(attributes) and bool(nodes.width.max() == 2)  # noqa: PLR2004
        column, each = column[nodes.attr], n_values[nodes.attr]
        return cls(attributes.tolist(), n_continuous, column, each, halves)


# So many nodes, four levels, are asked of all rows at once. Their children's numbers fit in a byte.
_TOP = 15


@dataclass(frozen=True)
class Halves:
    """Steps where every question has one cut and every number is there.

    Looking up is what takes the time, so what a node says stands in few words: its first child and
    its column share one.
    """

    word: Ints  # first child (a leaf has itself) times `2**bits`, plus where its column begins
    cut: Floats  # of each node; NaN at a leaf, which no number reaches
    bits: int  # how many of a word the column has

    @classmethod
    def of(cls, nodes: Nodes, place: Ints) -> Halves:
        """Of a tree, or of several; `place` is where the column of each node begins."""
        asks = nodes.attr >= 0
        first = np.where(asks, nodes.first, np.arange(len(asks))).astype(np.intp)
        cut = np.where(asks, nodes.cuts[nodes.start], np.nan)
        bits = int(place.max()).bit_length()
        return cls((first << bits) | place, cut, bits)

    def top(self, numbers: Floats, root: int, size: int) -> NDArray[np.uint8]:
        """Where rows are, counted from the root, once past the first nodes, which most rows meet.

        To compare a whole column with one cut takes a tenth of the time in which each row looks up
        its own question, so these are asked of all rows, and what does not concern a row is
        dropped.
        """
        # For a node that asks, where each row would get from there; children come before parents.
        found: dict[int, Any] = {}
        room = numbers.strides[0] // numbers.itemsize
        for node in reversed(range(min(_TOP, size))):
            word = int(self.word[root + node])
            no = (word >> self.bits) - root
            if no != node:
                below, above = (found.pop(i, np.uint8(i)) for i in (no, no + 1))
                column = (word & ((1 << self.bits) - 1)) // room
                yes = numbers[column] >= self.cut[root + node]
                all_bits = np.negative(yes.view(np.uint8))
                found[node] = below ^ ((below ^ above) & all_bits)
        reached: NDArray[np.uint8] = found.get(0, np.zeros(1, dtype=np.uint8))
        return reached

    def step(self, at: Ints, cells: Cells) -> Ints:
        """The next node of each row."""
        word = self.word.take(at, mode="wrap")
        x = cells.read(word & ((1 << self.bits) - 1))
        above = x >= self.cut.take(at, mode="wrap")
        word >>= self.bits
        word += above.view(np.uint8)
        return word


@dataclass(frozen=True)
class Slots:
    """Steps in any tree.

    A node has a slot for each way on. The first, for rows without a value, leads to their branch,
    or back to the node; the others belong to the intervals of a continuous attribute or to the
    values of a discrete one.
    """

    place: Ints  # where the column of each node begins among the values
    slot: Ints  # the first slot of each node
    goal: Ints  # the node that each slot leads to
    # One per node in each, NaN where it has no more; below every number in the first.
    cuts: list[Floats]
    # -1, all bits set, at nodes that ask one, else 0; None if none is continuous.
    discrete: NDArray[np.int64] | None

    @classmethod
    def of(cls, nodes: Nodes, questions: Questions, n_rows: int) -> Slots:
        """Of a tree, with room for some rows in each column of the values."""
        by_value = questions.n_values > 0
        by_cut = (nodes.attr >= 0) & ~by_value
        ways = np.where(by_value, questions.n_values, np.where(by_cut, nodes.width, 0)) + 1
        slot = np.cumsum(ways) - ways
        node = np.repeat(np.arange(len(ways)), ways)
        branch = np.arange(len(node)) - slot[node] - 1
        codes = np.flatnonzero(by_value[node] & (branch >= 0))
        branch[codes] = nodes.routes[nodes.start[node[codes]] + branch[codes]]
        branch[slot] = nodes.gaps
        goal = np.where(branch < 0, node, nodes.first[node] + branch).astype(np.intp)
        discrete = -by_value.astype(np.int64) if questions.n_continuous else None
        cuts = _padded(nodes, by_cut) if questions.n_continuous else []
        return cls(questions.column * n_rows, slot.astype(np.intp), goal, cuts, discrete)

    def step(self, at: Ints, cells: Cells) -> Ints:
        """The next node of each row."""
        x = cells.read(self.place.take(at, mode="wrap"))
        slot: Ints = self.slot.take(at, mode="wrap")
        for cut in self.cuts:
            slot += (x >= cut.take(at, mode="wrap")).view(np.uint8)
        codes = x.view(np.int64)
        slot += codes if self.discrete is None else codes & self.discrete.take(at, mode="wrap")
        return self.goal.take(slot, mode="wrap")


def _padded(nodes: Nodes, by_cut: NDArray[np.bool_]) -> list[Floats]:
    """Of each node a cut below every number, then its first cut, its second, …; NaN for none."""
    cuts = [np.where(by_cut, -np.inf, np.nan)]
    for i in range(int(nodes.width[by_cut].max()) - 1):
        has = np.flatnonzero(by_cut & (nodes.width > i + 1))
        cuts.append(np.full(len(by_cut), np.nan))
        cuts[-1][has] = nodes.cuts[nodes.start[has] + i]
    return cuts


# Rows that go through a tree at a time, and the numbers they may have together: few enough to stay
# in the cache, enough to forget what the calls cost.
_MOST_ROWS, _MOST_NUMBERS = 1 << 14, 1 << 19
# So few rows go one by one: nothing has to be made ready for them.
_FEW = 8
# Rows at rest are looked for after so many steps, and taken out when fewer than this share move.
_STEPS, _SHARE = 3, 0.8


def where_rows_stop(nodes: Nodes, n_values: Sequence[int], columns: Columns) -> Ints:
    """The node where each row stops: its leaf, or where its value has no branch.

    `n_values` is 0 for a continuous attribute. `columns` are codes (-1 where missing) or numbers
    (NaN where missing) of shape ``(n_rows,)``; the first tells how many rows there are, without
    columns there are none. All numbers may stand in one array, shape ``(n_attributes, n_rows)``.
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
    """Where the rows of an array stop, which stay where they are: one tree looks at few numbers."""
    n_columns, values = x.shape[1], x.reshape(-1)
    step = max(1, min(_MOST_ROWS, _MOST_NUMBERS // n_columns))
    asked = Questions.of(nodes, np.array([*n_values, 0]))
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
    """Where rows stop in each of several trees, all nodes counted through; some rows at a time."""
    asked = Questions.of(nodes, np.array([*n_values, 0]))
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
            branch = int(nodes.routes[begin + x] if x >= 0 else nodes.gaps[at])
        else:
            end = begin + int(nodes.width[at]) - 1
            missing = isnan(x)
            branch = (
                int(nodes.gaps[at]) if missing else bisect_right(nodes.cuts, x, begin, end) - begin
            )
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
    """Where the values of the rows stand that are on their way."""

    values: Floats  # column after column
    rows: Ints  # the place of each row in its columns
    swapped: int = -1  # where a column begins whose values are other rows'; None for none
    others: Ints | None = None  # these rows

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
    """

    numbers: Floats  # room for some rows, shape `(n_columns + 1, n_rows)`
    columns: list[NDArray[Any]]  # whole ones, the continuous ones first
    n_continuous: int

    @classmethod
    def of(
        cls, columns: Sequence[NDArray[Any]], questions: Questions, n_rows: int | None = None
    ) -> Values:
        """Make room for `n_rows` of the columns that are asked, or for as many as go at a time."""
        wanted = [columns[a] for a in questions.attributes]
        if n_rows is None:
            n_rows = min(_MOST_ROWS, _MOST_NUMBERS // max(len(wanted), 1) + 1, len(columns[0]))
        return cls(np.zeros((len(wanted) + 1, n_rows)), wanted, questions.n_continuous)

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
