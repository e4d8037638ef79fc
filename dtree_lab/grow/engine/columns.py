"""A table's columns made ready: every value as its rank among the distinct values of its column.

:class:`Columns` serves one tree, whose nodes look at every column: continuous ones in blocks, so
that numpy is called once for many, and presorted. Many trees, whose nodes draw the columns that
they look at, have :class:`~.packed.PackedColumns`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.grow.engine.arrays import radix_order, take_along
from dtree_lab.grow.engine.decide import CutLayout
from dtree_lab.grow.engine.frontier import ChosenSplits, Frontier
from dtree_lab.table.table import Attribute, Table, missing_of
from dtree_lab.tree.splits import group_of

# Columns with up to so many values may be counted rather than sorted.
FEW = 64
# Numbers handled at a time: enough to forget the cost of a call, few enough for the cache.
AT_A_TIME = 1 << 17
# From so many rows, counting their leading bits sorts numbers faster than comparing them does.
_LONG = 1 << 10


@dataclass(frozen=True)
class Ranked:
    """A continuous column as ranks."""

    values: Floats  # increasing: the distinct ones, or all whole numbers in their range
    rank: Ints  # of each row's value
    order: Ints | None  # the rows by rank; None where they have not been sorted


def rank_columns(columns: Sequence[Floats]) -> list[Ranked]:
    """Rank columns without gaps, as many at a time as fit the cache."""
    step = max(1, AT_A_TIME // len(columns[0])) if columns else 1
    parts = [np.array(columns[i : i + step]) for i in range(0, len(columns), step)]
    return [one for part in parts for one in _ranked(part)]


def _ranked(x: Floats) -> list[Ranked]:
    """Rank the rows of an array."""
    numbered = _numbered(x)
    if not any(numbered):
        return _by_order(x)
    others = iter(() if all(numbered) else _by_order(x[[not one for one in numbered]]))
    return [_by_number(x[i]) if one else next(others) for i, one in enumerate(numbered)]


def _numbered(x: Floats) -> list[bool]:
    """Which rows of an array hold whole numbers close together."""
    first = x[:, 0]
    if not (first == np.floor(first)).any():  # mostly tells
        return [False]
    # Fewer than the rows: then some value comes twice, as it seems from their number.
    close = x.max(axis=1) - x.min(axis=1) < min(FEW, x.shape[1] - 1)
    whole: list[bool] = (close & (x == np.floor(x)).all(axis=1)).tolist()
    return whole


def _by_number(column: Floats) -> Ranked:
    """Whole numbers close together are ranks as they are."""
    least = column.min()
    rank = (column - least).astype(np.uint8)
    return Ranked(least + np.arange(float(rank.max()) + 1), rank, None)


def _by_order(x: Floats) -> list[Ranked]:
    """Any numbers, by sorting them."""
    order = _order(x)
    ordered = take_along(x, order)
    new = np.ones(x.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=new[:, 1:])
    running = new.cumsum(axis=1, dtype=np.int32)
    rank = np.empty(x.shape, dtype=np.int32)
    rank.ravel()[order + np.arange(0, x.size, x.shape[1])[:, None]] = running
    rank -= 1
    values = ordered[new]
    order = order.astype(np.int32)
    ends = list(accumulate(running[:, -1].tolist(), initial=0))
    return [
        Ranked(values[i:j], *one) for i, j, *one in zip(ends, ends[1:], rank, order, strict=False)
    ]


def _order(x: Floats) -> Ints:
    """The order of each row of numbers: a radix sort by their leading bits, then mended."""
    if x.shape[1] < _LONG:
        return x.argsort(axis=1)
    # Rounded to 32 bits, whose order is that of whole numbers once those below 0 are turned round,
    # they are sorted but for a few neighbours; sorting what is almost in order takes little.
    with np.errstate(over="ignore"):
        bits = x.astype(np.float32).view(np.int32)
    bits ^= (bits >> 31) & 0x7FFFFFFF
    order = radix_order(bits.view(np.uint32) ^ np.uint32(1 << 31), 1 << 32)
    return take_along(order, take_along(x, order).argsort(axis=1, kind="stable"))


# -- for one tree: columns in blocks -------------------------------------------------------------


@dataclass
class ContinuousColumns:
    """Continuous columns without gaps, looked at together."""

    rank: Ints  # of each row's value among the distinct ones of its column; `(n_columns, n)`
    sizes: Ints  # how many values each column has
    distinct: bool  # no column has a value twice
    order: Ints | None = None  # rows by rank, unless they are to be counted first; `(n_columns, n)`
    _parts: dict[tuple[int, int], tuple[Ints, int, CutLayout]] = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Sequence[Ranked]) -> ContinuousColumns:
        """Put some columns together."""
        rank = np.array([one.rank for one in columns])
        sizes = [len(one.values) for one in columns]
        orders = [one.order for one in columns if one.order is not None]
        many = len(orders) == len(columns) and min(sizes) > FEW  # few values are counted first
        return cls(
            rank, np.array(sizes), sum(sizes) == rank.size, np.array(orders) if many else None
        )

    @cached_property
    def n_values(self) -> int:
        """How many values all columns have."""
        return int(self.sizes.sum())

    @cached_property
    def _cells(self) -> Ints:
        """Each row's values among those of all columns, one after the other."""
        begin = self.sizes.cumsum() - self.sizes
        kind = np.uint16 if self.n_values <= 1 << 16 else np.int64
        cells: Ints = self.rank.astype(kind) + begin[:, None].astype(kind)
        return cells

    def cells(self, part: slice) -> tuple[Ints, int, CutLayout]:
        """Some columns, made ready to be counted: in cells, a value of a column each.

        Told are each row's cell, how many cells stand before the first of these columns, and how
        the thresholds of these columns stand.
        """
        key = part.start, part.stop
        if key not in self._parts:
            sizes = self.sizes[part]
            before = int(self.sizes[: part.start].sum())
            layout = CutLayout.of_nodes(sizes)
            self._parts[key] = self._cells[part], before, layout
        return self._parts[key]

    def take(self, rows: Ints) -> ContinuousColumns:
        """As if the table had some of its rows, one or more times."""
        return ContinuousColumns(self.rank.take(rows, axis=1), self.sizes, self.distinct)

    def sorted_rows(self, *, keep: bool) -> Ints:
        """The rows by rank; kept for the next tree, or handed over."""
        if self.order is None:
            self.order = radix_order(self.rank, int(self.sizes.max())).astype(np.int32)
        order = self.order
        if not keep:
            self.order = None
        return order

    def branch(self, rows: Ints, node: Ints, chosen: ChosenSplits, first: int) -> Ints:
        """The branch of some rows: 0 below the threshold, 1 above; columns count from `first`."""
        column = chosen.column.take(node) - first
        # Ranks are in the order of the values, and a threshold lies between two neighbours.
        rank = self.rank.ravel().take(column * self.rank.shape[1] + rows)
        branch: Ints = (rank > chosen.ends[0].take(node)).astype(np.int64)
        return branch


@dataclass(frozen=True)
class DiscreteColumns:
    """Discrete columns without gaps, looked at together."""

    codes: Ints  # of each row's value; `(n_columns, n)`
    n_values: int  # the most that any of them has

    def take(self, rows: Ints) -> DiscreteColumns:
        """See :meth:`ContinuousColumns.take`."""
        return DiscreteColumns(self.codes.take(rows, axis=1), self.n_values)

    def branch(self, rows: Ints, node: Ints, chosen: ChosenSplits, first: int) -> Ints:
        """The branch of some rows, see :meth:`ContinuousColumns.branch`."""
        at = rows
        if len(self.codes) > 1:
            at = (chosen.column.take(node) - first) * self.codes.shape[1] + rows
        return group_of(self.codes.ravel().take(at), chosen.routes, chosen.start.take(node))


@dataclass(frozen=True)
class GappyColumn:
    """A column in which some rows have no value."""

    known: Bools  # which rows have a value
    column: ContinuousColumns | DiscreteColumns  # as if all had, whatever stands in the gaps

    @classmethod
    def of(cls, attribute: Attribute, column: Ints, known: Bools) -> tuple[GappyColumn, Floats]:
        """Make a column ready; its distinct values if it is continuous."""
        if attribute.values is not None:
            return cls(known, DiscreteColumns(column[None], attribute.n_values)), np.zeros(0)
        one = rank_columns([column[known]])[0]
        rank = np.zeros(len(column), dtype=one.rank.dtype)
        rank[known] = one.rank
        return cls(known, ContinuousColumns.of([Ranked(one.values, rank, None)])), one.values

    def take(self, rows: Ints) -> GappyColumn:
        """See :meth:`ContinuousColumns.take`."""
        return GappyColumn(self.known.take(rows), self.column.take(rows))

    def branch(self, rows: Ints, node: Ints, chosen: ChosenSplits, first: int) -> Ints:
        """The branch of some rows, see :meth:`ContinuousColumns.branch`; -1 without a value."""
        branch = self.column.branch(rows, node, chosen, first)
        return np.where(self.known.take(rows), branch, -1)


Block: TypeAlias = ContinuousColumns | DiscreteColumns | GappyColumn


@dataclass(frozen=True)
class Columns:
    """Columns in blocks that are looked at together.

    The continuous ones without gaps make two blocks, few values apart from many; in a small table,
    where numpy's calls are what takes time, discrete ones of about as many values are a block too.
    Each of the others stands alone. A column with one value or none is left out: no question parts
    it.
    """

    blocks: list[Block]
    slot: list[int]  # where the columns of each block begin when all stand one after the other
    attribute: Ints  # of each column; one more -1 at the end, for a leaf's column -1
    block: Ints  # the same
    begin: Ints  # where the values of each continuous column begin in `values`
    values: Floats  # the distinct ones of the continuous columns, one column after the other
    n_values: Ints  # of each attribute, 0 for a continuous one; one more 0 at the end
    discrete: bool  # whether any attribute is

    @classmethod
    def of(cls, table: Table) -> Columns:
        """Make a table ready."""
        numbers, discrete, gappy = _sorted_out(table)
        together = _together(table, discrete)
        columns = rank_columns([table.columns[i] for i in numbers])
        few = [i for i, one in enumerate(columns) if 1 < len(one.values) <= FEW]
        many = [i for i, one in enumerate(columns) if len(one.values) > FEW]
        both = [some for some in (few, many) if some]
        blocks: list[Block] = [ContinuousColumns.of([columns[i] for i in some]) for some in both]
        n_values = [a.n_values for a in table.attributes]
        for some in together:
            codes = np.array([table.columns[i] for i in some])
            blocks.append(DiscreteColumns(codes, max(n_values[i] for i in some)))
        blocks += [one for one, _ in gappy.values()]
        held = [*map(len, both), *map(len, together), *(1 for _ in gappy)]
        values = [columns[i].values for some in both for i in some]
        values += [np.zeros(0)] * len(discrete) + [each for _, each in gappy.values()]
        others = [*(i for some in together for i in some), *gappy]
        return cls(
            blocks,
            list(accumulate(held, initial=0)),
            np.array([*(numbers[i] for some in both for i in some), *others, -1]),
            np.array([*(b for b, width in enumerate(held) for _ in range(width)), -1]),
            np.array(list(accumulate(map(len, values), initial=0))),
            np.concatenate([np.zeros(0), *values]),
            np.array([*n_values, 0]),
            any(n_values),
        )

    def take(self, rows: Ints) -> Columns:
        """See :meth:`ContinuousColumns.take`."""
        return replace(self, blocks=[block.take(rows) for block in self.blocks])

    def branch(self, frontier: Frontier, chosen: ChosenSplits) -> Ints:
        """The branch that each row takes, -1 where it rests."""
        rows = frontier.place
        block = self.block.take(chosen.column)
        asking = set(block.tolist())
        if len(asking) == 1:
            b = asking.pop()
            only: Ints = self.blocks[b].branch(rows, frontier.node, chosen, self.slot[b])
            return only
        branch: Ints = np.full(frontier.m, -1)
        of = block.take(frontier.node)
        for b in asking - {-1}:
            mine = (of == b).nonzero()[0]
            node = frontier.node.take(mine)
            branch[mine] = self.blocks[b].branch(rows.take(mine), node, chosen, self.slot[b])
        return branch


def _sorted_out(table: Table) -> tuple[list[int], list[int], dict[int, tuple[GappyColumn, Floats]]]:
    """The continuous attributes without gaps, the discrete ones; those with gaps, made ready."""
    numbers: list[int] = []
    discrete: list[int] = []
    gappy: dict[int, tuple[GappyColumn, Floats]] = {}
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        least = column.min()  # NaN if any number is, and the code of a missing value if any is
        if np.isnan(least) if attribute.values is None else least < 0:
            known = ~missing_of(column)
            if known.any():
                gappy[i] = GappyColumn.of(attribute, column, known)
        elif attribute.values is not None:
            discrete.append(i)
        else:
            numbers.append(i)
    return numbers, discrete, gappy


def _together(table: Table, discrete: list[int]) -> list[list[int]]:
    """Attributes by how many bits their number of values has, as many as fit the cache."""
    step, alike = max(1, AT_A_TIME // table.n_rows), dict[int, list[int]]()
    for i in discrete:
        alike.setdefault(table.attributes[i].n_values.bit_length(), []).append(i)
    return [some[j : j + step] for some in alike.values() for j in range(0, len(some), step)]
