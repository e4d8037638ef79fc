"""Weighted rows at a node, and what attributes offer to part them with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dtree_lab.learn.boost.measure import Measure
    from dtree_lab.splits import Split

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class WeightedRows:
    """Rows at a node with their weights.

    Attributes
    ----------
    rows
        Which rows of the table, increasing.
    labels
        The class of each row *of the table*.
    ticks
        The weight of each row of the table: whole numbers, held as floats, which add up faster.
    by_class
        For each class the ticks of the rows of the table that are of it, and 0 for the others;
        shape ``(n_classes, n_rows)``.
    """

    rows: Ints
    labels: Ints
    ticks: Floats
    by_class: Floats

    @classmethod
    def of(cls, labels: Ints, ticks: Floats, n_classes: int) -> WeightedRows:
        """All rows of a table."""
        is_class = labels == np.arange(n_classes)[:, None]
        return cls(np.arange(len(labels)), labels, ticks, np.where(is_class, ticks, 0.0))

    def part(self, mask: NDArray[np.bool_]) -> WeightedRows:
        """Some of the rows; the mask is over those of the table."""
        return replace(self, rows=np.flatnonzero(mask))

    @property
    def total(self) -> Floats:
        """Ticks of each class at the node."""
        total: Floats = self.by_class[:, self.rows].sum(axis=1)
        return total


@dataclass(frozen=True)
class Offers:
    """The best split of some attributes.

    Attributes
    ----------
    attribute
        Their positions in the table. One that cannot part the rows is not among them; nor need be
        one that is far from the best.
    key
        What each split is compared by, the lower the better.
    split
        From a place among these attributes to the question.
    """

    attribute: Ints
    key: Ints
    split: Callable[[int], Split]

    def best(self, most: int) -> tuple[int, int, int] | None:
        """The least key, `most` standing for those above it, and the first attribute that has it.

        Returns
        -------
        tuple of int, or None
            Key, attribute, and the attribute's place among these.
        """
        if not self.attribute.size:
            return None
        key = np.minimum(self.key, most)
        i = int(np.lexsort((self.attribute, key))[0])
        return int(key[i]), int(self.attribute[i]), i


def exact(below: Floats, total: Floats, measure: Measure) -> Ints:
    """What parting a node costs, settled.

    Parameters
    ----------
    below
        Ticks of each class on one side, shape ``(n_classes, ...)``.
    total
        Ticks of each class at the node, shape ``(n_classes,)`` or one that stretches to `below`.
    """
    one = np.moveaxis(below, 0, -1).astype(np.int64)
    other = np.moveaxis(total - below, 0, -1).astype(np.int64)
    return measure.settle(measure.cost(one) + measure.cost(other))
