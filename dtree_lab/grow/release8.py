"""What release 8 of Quinlan's C4.5 does beyond his book; Weka's J48 follows it.

:func:`dtree_lab.c45` tells its rules. Here they are as both growers ask for them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.criteria.classes import n_log_n
from dtree_lab.table.table import Attribute, Table, missing_of
from dtree_lab.tree.arrays import Flat, trimmed
from dtree_lab.tree.splits import just_above
from dtree_lab.tree.subtrees import resting, summed_up

# Ticks of entropy that are a bit; see dtree_lab.criteria.classes.
_BIT = 1 << 32
_TENTH, _MOST_BESIDE = 10, 25
# By how much of themselves two numbers differ at most that are one but for rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Release8:
    """What it has to know of the whole table that a tree is grown on."""

    n_classes: int
    unit: int  # ticks of a row of weight 1
    averaged: tuple[bool, ...]  # of each attribute, whether the average gain counts it
    parts: bool  # whether rows without a value go down every branch, in parts
    # Of each attribute that is cut, its distinct values in the data.
    values: tuple[Floats, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, table: Table) -> Release8:
        """What is known of a table."""
        # Words of which there are three for ten rows or more would lift the average; where every
        # attribute is such, all count.
        rows = Fraction(table.n_ticks, table.weight_unit)
        few = tuple(a.values is None or 10 * a.n_values < 3 * rows for a in table.attributes)
        values = tuple(
            np.unique(column[~missing_of(column)] if a.values is None else [])
            for a, column in zip(table.attributes, table.columns, strict=True)
        )
        averaged = few if any(few) else tuple(not one for one in few)
        lacks = table.has_missing
        return cls(table.target.n_values, table.weight_unit, averaged, lacks, values)

    def least_beside(self, rows: Ints) -> Ints:
        """The fewest ticks on either side of a cut, of nodes with so many that have a value."""
        tenth = -(-rows // (_TENTH * self.n_classes))
        least: Ints = np.minimum(tenth, _MOST_BESIDE * self.unit)
        return least

    def price(self, n_cuts: Ints) -> Ints:
        """What it costs to say which of so many cuts is made, in ticks of entropy."""
        log: Ints = n_log_n(int(n_cuts.max(initial=1)))[n_cuts] // np.maximum(n_cuts, 1)
        return log * self.unit

    def cut(self, attribute: int, low: Floats, high: Floats) -> Floats:
        """The cuts of one attribute between neighbours of which `low` go to the first branch.

        A cut is just above the threshold, because rows on the threshold lie below it.
        A value that is the midpoint but for rounding, as 1.07 is of 1.0 and 1.14, is not above.
        """
        values = self.values[attribute]
        middle = low / 2 + high / 2 + _ROUNDING * np.maximum(np.abs(low), np.abs(high))
        below = values[np.searchsorted(values, middle, side="right") - 1]
        return just_above(np.where(below < high, below, low), high)

    def eligible(self, where: tuple[Ints, Ints], gain: Ints, splits: Bools) -> Bools:
        """Whether attributes compete at a node: they gain something, and about the average.

        All are of shape ``(n_attributes, n_nodes)`` or stretch to it: which attribute it is, and
        the rows of the node; its gain, all in ticks; and whether there is a split.
        """
        attribute, rows = where
        counted = splits & np.array(self.averaged)[attribute]
        times, total = counted.sum(axis=0), np.where(counted, gain, 0).sum(axis=0)
        near = (gain + rows * _BIT // 1000) * times >= total
        worth: Bools = splits & (gain > 0) & (times > 0) & near
        return worth


def no_more_right(below: Any, as_leaf: Any, unit: int | Fraction) -> Any:
    """Whether a subtree spares hardly a thousandth of a row, given the ticks that are wrong."""
    return 1000 * (as_leaf - below) <= unit


def collapsed(flat: Flat, attributes: tuple[Attribute, ...], unit: int | Fraction) -> Flat:
    """The tree in which a subtree that gets no more training rows right is a leaf."""
    node, majority = np.arange(flat.n_nodes), flat.majority
    as_leaf = flat.counts.sum(axis=1) - flat.counts[node, majority]
    stopped = np.where((flat.attr >= 0)[:, None], resting(flat), flat.counts)
    below = summed_up(flat, stopped.sum(axis=1) - stopped[node, majority])
    opened = ~no_more_right(below, as_leaf, unit)
    return trimmed(flat, opened, [a.n_values for a in attributes])
