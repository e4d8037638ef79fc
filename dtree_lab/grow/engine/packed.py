"""Packed keys: thresholds where many trees grow in step and nodes draw their columns.

What a row contributes to a threshold is packed into one whole number: its value's rank in front,
then its label, then how often it counts. The rows of each node are gathered; sorting such numbers
brings them into order and their labels along, and numpy sorts many short stretches of plain numbers
some twenty times faster than it finds the order of anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.criteria.classes import Criterion
from dtree_lab.grow.engine.arrays import NEVER, RADIX, prefix_sums
from dtree_lab.grow.engine.columns import rank_columns
from dtree_lab.grow.engine.decide import (
    Counts,
    CutLayout,
    LineThresholds,
    cheapest_of_lines,
    costs_of_all,
    decided_of_lines,
    is_estimated,
)
from dtree_lab.grow.engine.frontier import ChosenSplits, Frontier
from dtree_lab.grow.recipe import Recipe
from dtree_lab.table.table import Attribute, Table, missing_of

# A row is hardly ever drawn 32 times; if one is, its batch is packed with more bits.
WEIGHT_BITS = 5
_NARROW = 31
# Packed keys handled at a time: enough to forget the cost of a call, few enough for the cache.
_KEYS_AT_A_TIME = 1 << 15
# Blocks are put together as long as that fills up fewer entries: so many are worked through in the
# time that numpy's calls for one more block take.
_FILLED_UP = 6000
# Up to this width, numpy sorts numbers of 64 bits faster than those of 32.
_WIDE = 64
# From this width on, it is faster to sort 16 bits by counting.
_BY_COUNTING = 512
# How many costs a table holds: a megabyte of them, of which a forest uses a small part.
_CELLS = 1 << 17


@dataclass(frozen=True, eq=False)
class PackedColumns:
    """The columns of a table as packed keys."""

    # The value's rank and the label, with room for a weight, `(n_attributes * (n_rows + 1),)`: for
    # each attribute its rows and one entry above all others, for no row and no value.
    key: Ints
    weight_bits: int  # with `label_bits`, how the numbers in `key` are packed
    label_bits: int
    most: int  # the rank of no value, above all others
    labels: Ints  # the class of each row, or its number in ticks
    ticks: Ints  # the different numbers of a regression table, which packed labels count
    # The different ones of continuous attributes, one attribute after the other.
    values: NDArray[np.float64]
    begin: Ints  # where each attribute's begin
    attribute: Ints  # of each column, itself; one more -1 at the end
    by_cut: Bools  # attributes with a threshold of ranks: continuous, or discrete with two values
    gappy: Bools  # which have gaps
    n_values: Ints  # 0 for a continuous attribute; one more 0 at the end, for a leaf's -1
    distinct: bool  # no attribute of `by_cut` has a value twice
    discrete: bool  # whether any attribute is
    gaps: bool
    n_classes: int  # 0 for numbers

    @property
    def n_rows(self) -> int:
        """How many rows the table has."""
        return len(self.labels)

    @property
    def n_attributes(self) -> int:
        """How many attributes."""
        return len(self.attribute) - 1

    @property
    def shift(self) -> int:
        """How many bits stand below a rank."""
        return self.weight_bits + self.label_bits

    def rank(self, attribute: Ints, row: Ints) -> Ints:
        """The ranks of some rows' values of some attributes; `most` for no value."""
        return self.key.take(attribute * (self.n_rows + 1) + row) >> self.shift

    def branch(self, frontier: Frontier, chosen: ChosenSplits) -> Ints:
        """The branch that each row takes, -1 where it rests."""
        asked = chosen.column.take(frontier.node)
        rank = self.rank(np.maximum(asked, 0), frontier.place)
        branch: Ints = (rank > chosen.ends[0].take(frontier.node)).astype(np.int64)
        if not self.by_cut.all():
            among = np.flatnonzero(~self.by_cut.take(asked) & (asked >= 0))
            start = chosen.start.take(frontier.node.take(among))
            known = np.minimum(rank.take(among), self.n_values.take(asked.take(among)) - 1)
            branch[among] = chosen.routes.take(start + known)
        if self.gaps:
            branch[rank == self.most] = -1
        if (chosen.column < 0).any():
            branch[asked < 0] = -1
        return branch

    @classmethod
    def of(cls, table: Table, weight_bits: int | None = None) -> PackedColumns:
        """Rank the columns and pack them; numbers to predict must be in ticks already."""
        weight_bits = weight_bits or WEIGHT_BITS
        n_values = np.array([*(a.n_values for a in table.attributes), 0], dtype=np.int64)
        made = [_rank_known(a, c) for a, c in zip(table.attributes, table.columns, strict=True)]
        many = [
            len(values) if a.values is None else a.n_values
            for (_, values), a in zip(made, table.attributes, strict=True)
        ]
        ticks, label = np.zeros(0, dtype=np.int64), table.labels
        if table.target.values is None:
            ticks, label = np.unique(table.labels, return_inverse=True)
        label_bits = int(label.max()).bit_length()
        most = max(many, default=0)
        shift = weight_bits + label_bits
        narrow = most.bit_length() + shift <= _NARROW
        key = np.full(
            (len(many), table.n_rows + 1), most << shift, dtype=np.int32 if narrow else np.int64
        )
        low = label.astype(key.dtype) << weight_bits
        gappy = np.zeros(len(made), dtype=bool)
        for i, (rank, _) in enumerate(made):
            key[i, :-1] = (rank.astype(key.dtype) << shift) | low
            gap = rank < 0
            gappy[i] = gap.any()
            if gappy[i]:
                key[i, :-1][gap] = most << shift
        by_cut = n_values[:-1] <= 2  # noqa: PLR2004 - 0 for a continuous one
        each = [values for _, values in made]
        return cls(
            key.ravel(),
            weight_bits,
            label_bits,
            most,
            table.labels,
            ticks,
            np.concatenate([np.zeros(0), *each]),
            np.cumsum([0, *map(len, each)]),
            np.array([*range(len(made)), -1]),
            by_cut,
            gappy,
            n_values,
            all(
                a.values is not None or len(values) == table.n_rows
                for (_, values), a in zip(made, table.attributes, strict=True)
            )
            and not (n_values[:-1][by_cut] > 0).any(),
            bool(n_values.any()),
            bool(gappy.any()),
            table.target.n_values,
        )


def _rank_known(attribute: Attribute, column: Ints) -> tuple[Ints, Floats]:
    """The codes or ranks of a column, -1 in its gaps, and what ranks stand for."""
    if attribute.values is not None:
        return column, np.zeros(0)
    known = ~missing_of(column)
    if known.all():
        one = rank_columns([column])[0]
        return one.rank, one.values
    rank = np.full(len(column), -1, dtype=np.int32)
    if not known.any():
        return rank, np.zeros(0)
    one = rank_columns([column[known]])[0]
    rank[known] = one.rank
    return rank, one.values


# -- the best thresholds ---------------------------------------------------------------------------


def packed_thresholds(
    nodes: Ints, attribute: Ints, frontier: Frontier, columns: PackedColumns, recipe: Recipe
) -> tuple[Ints, Ints, Ints, Ints]:
    """The best threshold of each node by each attribute that it has drawn; all ``(n, n_drawn)``.

    Nodes of about one size are put together: their rows make the rows of an array, filled up at the
    end with entries for no row, and numpy sorts each by itself.

    Found are the cost of the two sides, -1 where there is no threshold, the rows below it, and the
    ranks next to it.
    """
    after, below, low, high = (np.full(attribute.shape, -1) for _ in range(4))
    heavy = max(frontier.stats.shape[1] - 1, 1) * attribute.shape[1]
    packing = _Packing(frontier, columns)
    for part, width in _blocks(frontier.stretches[1][nodes], heavy):
        drawn, some = attribute[part], nodes[part]
        key = _sorted(packing.keys(some, drawn, width), columns)
        stats = known_stats(some, drawn, frontier, columns, recipe.criterion)
        stats = stats.reshape(drawn.size, -1)
        found = _cheapest(key, stats, columns, recipe)
        after[part] = found.after.reshape(drawn.shape)
        ranks = key.ravel()
        low[part] = (ranks.take(found.at) >> columns.shift).reshape(drawn.shape)
        # Where there is no threshold, nobody asks what lies above it.
        above = ranks.take(found.at + 1, mode="clip") >> columns.shift
        high[part] = above.reshape(drawn.shape)
        if recipe.by_ratio:
            below[part] = found.below.reshape(drawn.shape)
    return after, below, low, high


class _Packing:
    """The rows of nodes as packed keys; at the end stands no row, which counts for nothing."""

    def __init__(self, frontier: Frontier, columns: PackedColumns) -> None:
        self.columns = columns
        kind = columns.key.dtype
        self.row = np.append(frontier.place, columns.n_rows)
        self.weight = np.append(frontier.times.astype(kind), np.zeros(1, dtype=kind))
        self.begin, self.lengths = frontier.stretches

    def keys(self, nodes: Ints, drawn: Ints, width: int) -> Ints:
        """The rows of some nodes as packed keys, for each attribute; ``(n * n_drawn, width)``."""
        columns, along = self.columns, np.arange(width)
        size = self.lengths[nodes]
        at = self.begin[nodes][:, None] + along
        if int(size.min()) < width:
            at = np.where(along < size[:, None], at, len(self.row) - 1)
        row = self.row.take(at)
        first = drawn * (columns.n_rows + 1)
        key = columns.key.take(row[:, None, :] + first[:, :, None])
        weight = self.weight.take(at)[:, None, :]
        if columns.gaps:  # a row without a value counts for nothing
            weight = np.where(key >> columns.shift == columns.most, 0, weight)
        key += weight
        packed: Ints = key.reshape(-1, width)
        return packed


def known_stats(
    nodes: Ints, drawn: Ints, frontier: Frontier, columns: PackedColumns, criterion: Criterion
) -> Ints:
    """The statistics of the rows that have a value of the attributes drawn, ``(n, n_drawn, w)``."""
    shape = *drawn.shape, frontier.stats.shape[1]
    stats = np.repeat(frontier.stats[nodes], drawn.shape[1], axis=0).reshape(shape)
    if not columns.gaps:
        return stats
    pair = np.flatnonzero(columns.gappy.take(drawn))
    position, at = frontier.rows_of(nodes.take(pair // drawn.shape[1]))
    rank = columns.rank(drawn.ravel().take(pair).take(position), frontier.place.take(at))
    known = np.flatnonzero(rank != columns.most)
    position, at = position.take(known), at.take(known)
    weight = None if frontier.weight is None else frontier.weight.take(at)
    labels = frontier.labels.take(at)
    of_known = criterion.tally(position, labels, len(pair), frontier.k, weight)
    stats.reshape(-1, shape[-1])[pair] = of_known
    return stats


def _blocks(size: Ints, heavy: int) -> Iterator[tuple[Ints, int]]:
    """Nodes of about one size, and the width that holds each; a row takes `heavy` numbers."""
    order = np.argsort(size.astype(np.min_scalar_type(int(size.max()))), kind="stable")
    ordered = size[order]
    ends = np.unique(np.searchsorted(ordered, _widths(int(ordered[-1])), side="right")).tolist()
    below = np.concatenate([[0], np.cumsum(ordered)]).tolist()
    begin = 0
    for end, after in zip(ends, [*ends[1:], None], strict=True):
        if after is not None:
            filled_up = (after - begin) * int(ordered[after - 1]) - (below[after] - below[begin])
            if filled_up * heavy <= _FILLED_UP:
                continue
        step = max(1, _KEYS_AT_A_TIME // (int(ordered[end - 1]) * heavy)) if end > begin else 1
        for i in range(begin, end, step):
            part = order[i : min(i + step, end)]
            yield part, int(size[part[-1]])
        begin = end


def _widths(most: int) -> Ints:
    """2, 3, 4, 6, 8, 12, … up to the first that is large enough."""
    powers = 2 ** np.arange(1, most.bit_length() + 1)
    return np.sort(np.concatenate([powers, powers[:-1] * 3 // 2]))


def _sorted(key: Ints, columns: PackedColumns) -> Ints:
    """Each row sorted by rank: by comparing, or a counting sort where it is long."""
    width = key.shape[1]
    if width <= _WIDE:
        key = key.astype(np.int64)
    elif width > _BY_COUNTING:
        rank = key >> columns.shift
        if int(rank.max()) < RADIX:
            order = np.argsort(rank.astype(np.uint16), axis=1, kind="stable")
            order += np.arange(0, key.size, width)[:, None]
            return key.ravel().take(order)
    key.sort(axis=1)
    return key


def _cheapest(key: Ints, stats: Ints, columns: PackedColumns, recipe: Recipe) -> LineThresholds:
    """The cheapest threshold of each line of sorted keys, the first in a tie.

    While a node has few rows, its counts are the digits of one number, which finds the cost of a
    side in a table: a prefix sum and two look-ups do it all.
    """
    criterion, ratio = recipe.criterion, recipe.by_ratio
    sizes = criterion.rows(stats)
    barred = _too_few_or_equal(key, sizes, columns, recipe)
    if columns.n_classes and int(sizes.max()) < digits_base(columns.n_classes):
        found = cheapest_of_lines(_tabled(key, stats, columns, criterion), barred, criterion)
        return found.with_rows(_unpacked(key, columns).rows) if ratio else found
    counts = _unpacked(key, columns)
    if is_estimated(criterion):
        found = decided_of_lines(counts, barred, stats, sizes, criterion)
    else:
        after = costs_of_all(counts, CutLayout.of_lines(key.shape[1]), stats, criterion)
        np.copyto(after, NEVER, where=counts.rows == sizes[:, None])  # nothing is above
        found = cheapest_of_lines(after, barred, criterion)
    return found.with_rows(counts.rows) if ratio else found


def _too_few_or_equal(
    key: Ints, sizes: Ints, columns: PackedColumns, recipe: Recipe
) -> Bools | None:
    """Where there is no threshold, but for the last row; None if there is one everywhere."""
    barred = None
    if not columns.distinct:
        rank = key >> columns.shift
        barred = np.zeros(key.shape, dtype=bool)
        np.equal(rank[:, 1:], rank[:, :-1], out=barred[:, :-1])
    if recipe.min_side > 1:
        rows = prefix_sums(key & ((1 << columns.weight_bits) - 1))
        few = np.minimum(rows, sizes[:, None] - rows) < recipe.min_side
        barred = few if barred is None else barred | few
    return barred


def _tabled(key: Ints, stats: Ints, columns: PackedColumns, criterion: Criterion) -> Ints:
    low, high, worth = cost_table(criterion, columns.n_classes)
    label, weight = np.divmod(np.arange(1 << columns.shift), 1 << columns.weight_bits)
    worths = worth.take(label, mode="clip") * weight
    counts = prefix_sums(worths.take(key & ((1 << columns.shift) - 1)))
    after: Ints = low.take(counts)
    after += high.take((stats @ worth)[:, None] - counts)
    return after


def _unpacked(key: Ints, columns: PackedColumns) -> Counts:
    """What stands below each threshold, by prefix sums of what is packed in the keys."""
    k, weights = columns.n_classes, (1 << columns.weight_bits) - 1
    if not k:
        weight = (key & weights).astype(np.int64)
        label = (key >> columns.weight_bits) & ((1 << columns.label_bits) - 1)
        ticks = weight * columns.ticks.take(label, mode="clip")
        return Counts(prefix_sums(weight), prefix_sums(ticks)[None])
    packed = key & ((1 << columns.shift) - 1)
    label, weight = np.divmod(np.arange(1 << columns.shift), weights + 1)
    low = np.empty((k - 1, *key.shape), dtype=np.int64)
    for c in range(k - 1):
        low[c] = prefix_sums(np.where(label == c, weight, 0).take(packed))
    return Counts(prefix_sums(weight.take(packed)), low)


# -- few rows: the cost from a table -------------------------------------------------------------


@lru_cache
def digits_base(n_classes: int) -> int:
    """Counts below this are the digits of a number of the table's size."""
    base = int(_CELLS ** (1 / n_classes)) + 1
    while base**n_classes > _CELLS:
        base -= 1
    return base


@lru_cache
def cost_table(criterion: Criterion, n_classes: int) -> tuple[Ints, Ints, Ints]:
    """The cost of all small counts below a threshold and above it, and what each class is worth."""
    base = digits_base(n_classes)
    worth = base ** np.arange(n_classes)
    counts = np.arange(base**n_classes)[:, None] // worth % base
    low = criterion.cost(counts)
    high = low.copy()
    high[0] = NEVER  # no rows above the threshold
    return low, high, worth
