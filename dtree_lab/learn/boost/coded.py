"""Attributes with few values: their best split for weighted rows, by counting.

A discrete attribute gets its best two groups of values, a continuous one its best cut. Attributes
with about as many values are handled together, because a small table costs mostly the number of
numpy's calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.boost.offers import Offers, exact
from dtree_lab.splits import ByValue, Split, midpoint, threshold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from dtree_lab.learn.boost.measure import Measure
    from dtree_lab.learn.boost.offers import WeightedRows
    from dtree_lab.table import Table

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]

_NEVER = np.int64(1) << 62


@dataclass(frozen=True)
class Coded:
    """Some attributes of one kind, as codes.

    Attributes
    ----------
    attributes
        Their positions in the table; shape ``(d,)``.
    codes
        Their columns; shape ``(d, n_rows)``.
    width
        The most values that any of them has.
    values
        What the codes of continuous attributes stand for, increasing; None for discrete ones.
    """

    attributes: Ints
    codes: Ints
    width: int
    values: tuple[Floats, ...] | None = None

    @classmethod
    def discrete(cls, table: Table) -> Iterator[Coded]:
        """All discrete attributes of a table."""
        sizes = {i: a.n_values for i, a in enumerate(table.attributes) if a.values is not None}
        for some in _alike(sizes):
            codes = np.stack([table.columns[i] for i in some]).astype(np.intp)
            yield cls(np.array(some), codes, max(sizes[i] for i in some))

    @classmethod
    def continuous(cls, table: Table, which: Iterable[int]) -> Iterator[Coded]:
        """Some continuous attributes of a table."""
        coded = {i: np.unique(table.columns[i], return_inverse=True) for i in which}
        sizes = {i: len(values) for i, (values, _) in coded.items()}
        for some in _alike(sizes):
            codes = np.stack([coded[i][1] for i in some])
            values = tuple(coded[i][0] for i in some)
            yield cls(np.array(some), codes, max(sizes[i] for i in some), values)

    def offers(self, node: WeightedRows, measure: Measure) -> Offers:
        """The best split of each attribute that has two values at a node."""
        counts = self._counted(node)
        size = counts.sum(axis=0)
        d = len(self.codes)
        best, last = np.full(d, _NEVER), np.zeros(d, dtype=np.intp)
        order = np.zeros(size.shape, dtype=np.intp)
        for tried in self._orders(counts, size):
            key = _prefix_keys(counts, tried, measure)
            at = key.argmin(axis=1)
            least = key[np.arange(d), at]
            better = least < best
            best[better], last[better], order[better] = least[better], at[better], tried[better]
        able = np.flatnonzero(best < _NEVER)

        def split(i: int) -> Split:
            one = able[i]
            present = order[one, size[one, order[one]] > 0]
            n_below = int((size[one, order[one, : last[one] + 1]] > 0).sum())
            return self._split(one, present.tolist(), n_below)

        return Offers(self.attributes[able], best[able], split)

    def _orders(self, counts: Floats, size: Floats) -> Iterator[Ints]:
        """In what orders of its values an attribute is tried to be cut in two; ``(d, width)``.

        Numbers have one. With two classes it is enough to sort discrete values by the share of one
        class (Breiman et al. 1984, theorem 4.5). With more, each class gives such an order and the
        best prefix of any is taken, as :func:`dtree_lab.cart` does.
        """
        if self.values is not None:
            yield np.broadcast_to(np.arange(self.width), size.shape)
            return
        for by in counts if len(counts) > 2 else counts[:1]:  # noqa: PLR2004 - then one will do
            # Values that are absent go to the end, where they part nothing.
            share = np.divide(by, size, out=np.full_like(size, np.inf), where=size > 0)
            yield np.argsort(share, axis=1, kind="stable")

    def _counted(self, node: WeightedRows) -> Floats:
        """Ticks of each class, attribute and value; shape ``(n_classes, d, width)``."""
        (d, _), k = self.codes.shape, len(node.by_class)
        place = self.codes[:, node.rows] + np.arange(0, d * self.width, self.width)[:, None]
        key = place + node.labels[node.rows] * (d * self.width)
        ticks = np.broadcast_to(node.ticks[node.rows], key.shape)
        counts = np.bincount(key.ravel(), ticks.ravel(), k * d * self.width)
        return counts.reshape(k, d, self.width).astype(np.float64, copy=False)

    def _split(self, one: int, present: list[int], n_below: int) -> Split:
        attribute = int(self.attributes[one])
        if self.values is not None:
            values = self.values[one]
            low, high = present[n_below - 1], present[n_below]
            return threshold(attribute, midpoint(values[[low]], values[[high]])[0])
        groups = sorted(map(sorted, (present[:n_below], present[n_below:])))
        return ByValue(attribute, tuple(map(tuple, groups)))


def _alike(sizes: dict[int, int]) -> list[list[int]]:
    """Attributes by how many bits their number of values has."""
    alike: dict[int, list[int]] = {}
    for i, size in sizes.items():
        alike.setdefault((size - 1).bit_length(), []).append(i)
    return list(alike.values())


def _prefix_keys(counts: Floats, order: Ints, measure: Measure) -> Ints:
    """What it costs to part the values behind each in some order; shape ``(d, width)``.

    An absent value costs what the one before it does, and the first wins a tie.
    """
    below = np.take_along_axis(counts, order[None], axis=2).cumsum(axis=2)
    key = exact(below, below[:, :, -1:], measure)
    size = below.sum(axis=0)
    key[(size == 0) | (size == size[:, -1:])] = _NEVER
    return key
