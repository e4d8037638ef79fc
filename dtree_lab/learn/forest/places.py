"""A table as a forest's trees share it: every value as its place among those of its column.

What a row contributes to a cut is packed into one whole number, its value's place in front, then
its label, then how often it was drawn. Sorting such numbers brings the rows of a node into order
and their labels along, and numpy sorts short stretches of plain numbers some twenty times faster
than it finds the order of anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.ranks import Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Attribute, Table

    Ints = NDArray[Any]

# A row is hardly ever drawn 32 times; if one is, its batch is packed with more bits.
WEIGHT_BITS = 5
_NARROW = 31


@dataclass(frozen=True, eq=False)
class Places:
    """The columns of a table without gaps, made ready.

    Attributes
    ----------
    attributes
        Those of the table.
    key
        For each attribute and row the value's place and the label, packed, with room for a weight;
        for each attribute one more entry at the end, above all others, for no row. Shape
        ``(n_attributes * (n_rows + 1),)``.
    weight_bits, label_bits
        How the numbers in `key` are packed.
    labels
        The class of each row, or its number in ticks.
    ticks
        The different numbers of a regression table, which the packed labels count; else empty.
    values, begin
        The different values of the continuous attributes, one after the other, and where each
        attribute's begin.
    by_cut
        Which attributes are parted by a cut through their places: continuous ones, and discrete
        ones of two values at most.
    n_values
        Each attribute's number of values, 0 for a continuous one; one more 0 at the end, which the
        attribute -1 of a leaf finds.
    distinct
        Whether no attribute that is parted by a cut has a value twice.
    n_classes
        How many classes there are; 0 for numbers.
    """

    attributes: tuple[Attribute, ...]
    key: Ints
    weight_bits: int
    label_bits: int
    labels: Ints
    ticks: Ints
    values: NDArray[np.float64]
    begin: Ints
    by_cut: NDArray[np.bool_]
    n_values: Ints
    distinct: bool
    n_classes: int

    @property
    def n_rows(self) -> int:
        """How many rows the table has."""
        return len(self.labels)

    @property
    def n_attributes(self) -> int:
        """How many attributes."""
        return len(self.attributes)

    @property
    def shift(self) -> int:
        """How many bits stand below a place."""
        return self.weight_bits + self.label_bits

    def place(self, attribute: Ints, row: Ints) -> Ints:
        """The places of some rows' values of some attributes."""
        found: Ints = self.key.take(attribute * (self.n_rows + 1) + row) >> self.shift
        return found

    @classmethod
    def of(cls, table: Table, weight_bits: int | None = None) -> Places:
        """Rank the columns and pack them; numbers to predict must be in ticks already."""
        weight_bits = weight_bits or WEIGHT_BITS
        ranked = [
            Ranked.of(column) if a.values is None else None
            for a, column in zip(table.attributes, table.columns, strict=True)
        ]
        n_values = np.array([*(a.n_values for a in table.attributes), 0], dtype=np.int64)
        many = [
            len(r.values) if r else a.n_values
            for r, a in zip(ranked, table.attributes, strict=False)
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
        for i, (r, column) in enumerate(zip(ranked, table.columns, strict=True)):
            place = column if r is None else r.place
            key[i, :-1] = (place.astype(key.dtype) << shift) | low
        by_cut = n_values[:-1] <= 2  # noqa: PLR2004 - 0 for a continuous one
        each = [r.values if r else np.zeros(0) for r in ranked]
        return cls(
            table.attributes,
            key.ravel(),
            weight_bits,
            label_bits,
            table.labels,
            ticks,
            np.concatenate([np.zeros(0), *each]),
            np.cumsum([0, *map(len, each)]),
            by_cut,
            n_values,
            all(r is None or len(r.values) == table.n_rows for r in ranked)
            and not (n_values[:-1][by_cut] > 0).any(),
            table.target.n_values,
        )
