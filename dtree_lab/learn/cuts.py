"""The best cut of continuous attributes at every node of a level.

All continuous columns are handled together, a row of an array each, because a small table costs
mostly the number of numpy's calls. There are two ways to the same costs:

- **By counting**, while nodes and values are few: rows are counted by (class, node, value) and
  summed up along the values. No sorting at all.
- **By order**, from then on: the rows of each column stand by (node, value). They are sorted once;
  from level to level they only have to be parted by child, which :func:`~.level.stable_order`
  does by counting. Walking through the rows of a node, the cost of cutting behind each follows
  from the one before it (:meth:`~dtree_lab.criteria.Criterion.parted`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import n_log_n
from dtree_lab.learn.level import NEVER, Best, first_least, stable_order
from dtree_lab.splits import midpoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.learn.level import Level
    from dtree_lab.learn.recipe import Recipe

    Ints = NDArray[Any]

# Numbers handled at a time: enough to forget the cost of a call, few enough for the cache.
_AT_A_TIME = 1 << 17
# Up to so many cells per column are counted rather than sorted, however few the rows.
_FEW_CELLS = 1 << 11


@dataclass(frozen=True)
class Found:
    """The best cut of some columns at each node, shape ``(n_columns, n_nodes)``.

    Attributes
    ----------
    after
        Cost of the two sides, -1 where there is no cut.
    below
        Rows below the cut.
    low, high
        The ranks of the values next to the cut.
    """

    after: Ints
    below: Ints
    low: Ints
    high: Ints


@dataclass(frozen=True)
class Ranked:
    """A continuous column as ranks: its distinct values, and which of them each row has."""

    values: NDArray[np.float64]
    place: Ints

    @classmethod
    def of(cls, column: NDArray[np.float64]) -> Ranked:
        """Rank a column."""
        order = np.argsort(column)
        ordered = column[order]
        new = np.empty(len(column), dtype=bool)
        new[:1] = True
        np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
        place = np.empty(len(column), dtype=np.int32)
        place[order] = np.cumsum(new) - 1
        return cls(ordered[new], place)


@dataclass
class Cuts:
    """Continuous columns of a table, made ready.

    Attributes
    ----------
    place
        The rank of each row's value among the distinct ones of its column; ``(n_columns, n)``.
    values
        The distinct values of each column.
    distinct
        Whether no column has a value twice.
    order
        The rows at open nodes by (node, place), once they have been sorted; ``(n_columns, m)``.
    """

    place: Ints
    values: list[NDArray[np.float64]]
    distinct: bool
    order: Ints | None = None

    @classmethod
    def of(cls, columns: Sequence[Ranked]) -> Cuts:
        """Put some columns together."""
        values = [one.values for one in columns]
        place = np.stack([one.place for one in columns])
        return cls(place, values, all(len(some) == place.shape[1] for some in values))

    def best(self, level: Level, recipe: Recipe) -> Best:
        """Each column's best cut at each node."""
        widest = max(map(len, self.values))
        cells = level.n * widest * level.k
        if self.order is None and cells <= max(level.m, _FEW_CELLS):
            found = [self._counted(level, recipe, part, widest) for part in self._parts(level.m)]
        else:
            self._sort(level, widest)
            found = [self._walked(level, recipe, part) for part in self._parts(level.m)]
        after, below, low, high = (
            np.concatenate(arrays)
            for arrays in zip(*((f.after, f.below, f.low, f.high) for f in found), strict=True)
        )

        def cut(i: int, nodes: Ints) -> NDArray[np.float64]:
            return midpoint(self.values[i][low[i, nodes]], self.values[i][high[i, nodes]])

        return Best(after, _telling(below, level) if recipe.by_ratio else None, cut=cut)

    def _parts(self, m: int) -> Iterator[slice]:
        step = max(1, _AT_A_TIME // m)
        yield from (slice(i, i + step) for i in range(0, len(self.place), step))

    def _sort(self, level: Level, widest: int) -> None:
        """Bring the order up to date: rows at rest left out, the others parted by node."""
        ordered = np.empty((len(self.place), level.m), dtype=np.int32)
        if self.order is None:
            at = level.node[level.rows] * widest
            for part in self._parts(level.m):
                key = at + self.place[part][:, level.rows]
                ordered[part] = level.rows[stable_order(key, level.n * widest)]
        else:
            # Rows at rest get the last number, so that they are sorted to the end and cut off.
            at = np.where(level.node < 0, level.n, level.node)
            at = at.astype(np.uint16 if level.n < 1 << 16 else np.int32)
            for part in self._parts(self.order.shape[1]):
                rows = self.order[part]
                ordered[part] = _picked(rows, stable_order(at[rows], level.n + 1)[:, : level.m])
        self.order = ordered

    def _walked(self, level: Level, recipe: Recipe, part: slice) -> Found:
        assert self.order is not None  # noqa: S101 - best() sorts first
        order, criterion = self.order[part], recipe.criterion
        crossing = criterion.crossing(level.rank, level.total)
        after = criterion.parted(crossing[:, by_class(level.labels[order], level)], level)
        key = criterion.settle(after)
        key = key.copy() if key is after else key
        key[:, level.outer(recipe.min_branch)] = NEVER
        if not self.distinct:  # no cut between equal values
            place = _picked(self.place[part], order)
            key[:, :-1][place[:, 1:] == place[:, :-1]] = NEVER
        least, last = first_least(key, level.start, level.sizes)
        raw = np.where(least < NEVER, _picked(after, last), -1)
        at = np.minimum(last, level.m - 2)
        low, high = (_picked(self.place[part], _picked(order, at + i)) for i in (0, 1))
        return Found(raw, level.low[last], low, high)

    def _counted(self, level: Level, recipe: Recipe, part: slice, widest: int) -> Found:
        criterion, place = recipe.criterion, self.place[part]
        if level.m < place.shape[1]:
            place = place[:, level.rows]
        d, cells = len(place), level.n * widest
        at = level.node[level.rows] * widest + level.labels[level.rows] * (d * cells)
        key = place + at + np.arange(0, d * cells, cells)[:, None]
        counts = np.bincount(key.ravel(), minlength=level.k * d * cells)
        # Classes come first in memory, where they add up fastest, and last in shape.
        below = counts.reshape(level.k, d, level.n, widest).cumsum(axis=3).transpose(1, 2, 3, 0)
        low = below.sum(axis=3)
        high = level.sizes[:, None] - low
        after = criterion.cost(below) + criterion.cost(level.counts[:, None] - below)
        allowed = np.minimum(low, high) >= max(recipe.min_branch, 1)
        key = np.where(allowed, criterion.settle(after), NEVER)
        # An absent value costs what the present one before it does, and the first wins a tie. The
        # next value above the cut is the first that adds a row.
        at = key.argmin(axis=2)[..., None]
        most = _picked(low, at)
        raw = np.where(_picked(key, at) < NEVER, _picked(after, at), -1)
        return Found(raw[..., 0], most[..., 0], at[..., 0], (low > most).argmax(axis=2))


def _picked(of: Ints, at: Ints) -> Ints:
    """``of[..., at]`` row by row, as ``numpy.take_along_axis`` does with more ceremony."""
    width = of.shape[-1]
    first = np.arange(0, of.size, width).reshape(*of.shape[:-1], 1)
    picked: Ints = of.ravel()[at + first]
    return picked


def _telling(below: Ints, level: Level) -> Ints:
    """What it costs to tell two sides apart, in entropy ticks."""
    log = n_log_n(int(level.sizes.max()))
    telling: Ints = log[level.sizes] - log[below] - log[level.sizes - below]
    return telling


def by_class(labels: Ints, level: Level) -> Ints:
    """Where each row stands when the rows are sorted by (node, class), keeping their order.

    Parameters
    ----------
    labels
        The rows' classes as they stand, node by node; shape ``(n_columns, m)``.
    level
        Their nodes.
    """
    if level.k == 2:  # noqa: PLR2004 - then a running sum tells
        ones = np.cumsum(labels, axis=1, dtype=np.int32)
        first, second = level.counts[:, 0], level.counts[:, 1]
        earlier = np.cumsum(second) - second  # rows of the second class at the nodes before
        behind = (level.start + first - 1 - earlier)[level.at].astype(np.int32)
        before = (np.arange(level.m) + earlier[level.at]).astype(np.int32)
        place: Ints = np.where(labels == 1, ones + behind, before - ones)
        return place
    order = stable_order(level.at * level.k + labels, level.n * level.k)
    place = np.empty(labels.shape, dtype=np.int32)
    first = np.arange(0, labels.size, level.m)[:, None]
    place.ravel()[order + first] = np.arange(level.m, dtype=np.int32)
    return place
