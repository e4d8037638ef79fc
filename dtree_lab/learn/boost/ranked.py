"""The best cut of continuous attributes for weighted rows.

The columns are sorted once. From round to round of boosting only the weights change, so a round is
one pass of running sums over the sorted columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.boost.measure import slack
from dtree_lab.learn.boost.offers import Offers, exact
from dtree_lab.splits import Split, midpoint, threshold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.learn.boost.measure import Measure
    from dtree_lab.learn.boost.offers import WeightedRows
    from dtree_lab.table import Table

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]

# Numbers handled at a time: few enough for the cache.
_AT_A_TIME = 1 << 15


@dataclass(frozen=True)
class Ranked:
    """The continuous columns, sorted.

    Attributes
    ----------
    attributes
        Their positions in the table; shape ``(d,)``.
    order
        The rows by value; shape ``(d, m)``.
    values
        The values in that order.
    """

    attributes: Ints
    order: Ints
    values: Floats

    @classmethod
    def of(cls, table: Table, which: Sequence[int]) -> Ranked:
        """Sort some continuous columns of a table."""
        columns = np.zeros((len(which), table.n_rows))
        for column, i in zip(columns, which, strict=True):
            column[:] = table.columns[i]
        order = np.argsort(columns, axis=1, kind="stable")
        values = np.take_along_axis(columns, order, axis=1)
        return cls(np.array(which, dtype=np.intp), order, values)

    def within(self, mask: NDArray[np.bool_]) -> Ranked:
        """The same for some of the rows; they stay in order."""
        kept, shape = mask[self.order], (len(self.order), int(mask.sum()))
        order, values = self.order[kept].reshape(shape), self.values[kept].reshape(shape)
        return Ranked(self.attributes, order, values)

    def offers(self, node: WeightedRows, measure: Measure) -> Offers:
        """The best cut, the lowest in a tie, of each attribute that may have the best of all."""
        column, place, below = self._near_least(node, measure)
        key = exact(below, node.total[:, None], measure)
        by_key = np.lexsort((place, key, column))
        first = by_key[np.flatnonzero(np.diff(column[by_key], prepend=-1))]

        def split(i: int) -> Split:
            values, at = self.values[column[first[i]]], int(place[first[i]])
            cut = midpoint(values[at : at + 1], values[at + 1 : at + 2])[0]
            return threshold(int(self.attributes[column[first[i]]]), cut)

        return Offers(self.attributes[column[first]], key[first], split)

    def _near_least(self, node: WeightedRows, measure: Measure) -> tuple[Ints, Ints, Floats]:
        """The cuts that may cost least: column, place and, ``(n_classes, n)``, ticks below."""
        total = node.total
        margin, least = slack(float(total.sum())), np.inf
        found = []
        for start, cost, below in self._costs(node, measure, total):
            low = cost.min(initial=np.inf)
            if low == np.inf or low > least + margin:
                continue
            least = min(least, low)
            column, place = np.nonzero(cost <= least + margin)
            ticks = np.stack([one[column, place] for one in below])
            found.append((cost[column, place], column + start, place, ticks))
        if not found:
            nothing = np.zeros(0, dtype=np.intp)
            return nothing, nothing, np.zeros((len(total), 0))
        cost, column, place, ticks = (np.concatenate(a, axis=-1) for a in zip(*found, strict=True))
        near = cost <= least + margin
        return column[near], place[near], ticks[:, near]

    def _costs(
        self, node: WeightedRows, measure: Measure, total: Floats
    ) -> Iterator[tuple[int, Floats, list[Floats]]]:
        """Some columns at a time: the first, rough costs of each cut, ticks of each class below."""
        d, m = self.order.shape
        step, pairs = max(1, _AT_A_TIME // m), _in_pairs(node.by_class)
        for start in range(0, d, step):
            part = slice(start, start + step)
            order, values = self.order[part], self.values[part]
            below = [one[:, :-1] for pair in pairs for one in _running(pair[order])]
            cost = measure.rough(below)
            cost += measure.rough([t - b for t, b in zip(total, below, strict=True)])
            cost[values[:, 1:] == values[:, :-1]] = np.inf  # no cut between equal values
            yield start, cost, below


def _in_pairs(by_class: Floats) -> list[NDArray[Any]]:
    """The ticks of two classes at a time as one complex number; an odd class stays as it is.

    In a running sum each addition waits for the one before; a second one beside it costs nothing.
    """
    k = len(by_class)
    pairs = [by_class[i] + 1j * by_class[i + 1] for i in range(0, k - 1, 2)]
    return [*pairs, by_class[-1]] if k % 2 else pairs


def _running(ticks: NDArray[Any]) -> list[Floats]:
    """The running sums of each class, along the rows of an array."""
    sums = np.cumsum(ticks, axis=1)
    return [sums.real.copy(), sums.imag.copy()] if sums.dtype.kind == "c" else [sums]
