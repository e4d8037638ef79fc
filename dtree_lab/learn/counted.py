"""The best cuts of continuous attributes of few values, by counting.

Rows are counted by (class, node, value) and summed up along the values. No sorting at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dtree_lab.learn.level import NEVER
from dtree_lab.learn.lineup import Found, Lineup, Race
from dtree_lab.learn.numbers import NumberRace

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.cuts import Cuts
    from dtree_lab.learn.level import Level

    Ints = NDArray[Any]

# From so many cells on, leaving out the classes that a node does not have is worth the effort.
_MANY_CELLS = 1 << 13


class Counted(NamedTuple):
    """Some columns to be counted, their values one after the other.

    Attributes
    ----------
    cells
        Each row's values among those of all columns; shape ``(n_columns, n_rows)``.
    before
        How many values stand before those of the first of these columns.
    owner
        The column of each value.
    lineup
        How the cuts of these columns stand.
    """

    cells: Ints
    before: int
    owner: Ints
    lineup: Lineup


class Counting:
    """A level whose rows are counted.

    Parameters
    ----------
    cuts
        The columns.
    level
        The nodes.
    criterion
        What counts them.
    least
        The fewest rows on a side of a cut.
    """

    def __init__(self, cuts: Cuts, level: Level, criterion: Criterion, least: int) -> None:
        self.cuts, self.level, self.criterion = cuts, level, criterion
        self.least = max(least, 1)
        self.labels, self.stats = level.labels, level.stats
        if level.k and level.stats.size * cuts.n_values > _MANY_CELLS:
            self.labels, self.stats = _present(level)

    def best(self, part: slice, race: Race) -> Found:
        """The best cuts of some of the columns."""
        n, columns = self.level.n, self.cuts.counted(part)
        lineup = columns.lineup
        sides = self._sides(columns)
        rows = self.criterion.rows(sides).reshape(2, n, -1)
        barred = np.minimum(rows[0], rows[1]) < self.least
        if isinstance(race, NumberRace):
            found = self._numbers(sides, rows, barred, lineup, race)
        else:
            cost = self.criterion.cost(sides).reshape(2, n, -1)
            after = cost[0] + cost[1]
            key = self.criterion.settle(after)
            key[barred] = NEVER
            run = race.run(lineup, key) if race.every else _leaders(key, columns, race)
            found = Found(*run, after.ravel().take(run[2]))
        return _around(found, rows[0], lineup)

    def _sides(self, columns: Counted) -> Ints:
        """The statistics of both sides of each cut, those below first; ``(2 * n * width, w)``."""
        level, width, (n, w) = self.level, columns.lineup.width, self.stats.shape
        key = level.of(columns.cells) + (level.node * width - columns.before)
        counts = self.criterion.tally(key, self.labels, n * width, w)
        total = self.stats.T[:, :, None]
        sides = np.empty((w, 2, n, width), dtype=np.int64)
        # One running sum over all columns: what those before have added up to is taken away.
        counts.T.reshape(w, n, width).cumsum(axis=2, out=sides[:, 0])
        sides[:, 0] -= total * columns.owner
        np.subtract(total, sides[:, 0], out=sides[:, 1])
        return sides.reshape(w, -1).T

    def _numbers(
        self, sides: Ints, rows: Ints, barred: Ints, lineup: Lineup, race: NumberRace
    ) -> Found:
        level = self.level
        low, high = rows
        size = level.sizes[:, None]
        s = sides[: low.size, 1].reshape(low.shape) * size - low * level.stats[:, 1:2]
        # In floats: the product of three numbers of rows is no 64-bit number for millions.
        gain = np.square(s.astype(np.float64)) / np.maximum(low * 1.0 * high * size, 1)
        np.copyto(gain, -1, where=barred)
        return race.decide(lineup, s, gain, low)


def _leaders(key: Ints, columns: Counted, race: Race) -> tuple[Ints, Ints, Ints]:
    """As :meth:`~.lineup.Race.run`: a node's columns stand in one line, so the first wins."""
    lineup, owner = columns.lineup, columns.owner
    line = np.arange(0, key.size, lineup.width)
    at = key.argmin(axis=1) + line
    cost = key.ravel().take(at)
    lost = (cost >= race.most).nonzero()[0]
    if len(lost):  # where nothing gains, the first column that can be cut
        lost = lost[cost[lost] < NEVER]
        first = owner.take((key.take(lost, axis=0) < NEVER).argmax(axis=1))
        at[lost] = lineup.first_least(key, first, lost)
        cost[lost] = race.most.take(lost)
    node = race.ahead(cost)
    return owner.take((at - line).take(node)), node, at.take(node)


def _around(found: Found, low: Ints, lineup: Lineup) -> Found:
    """With the rows below the cuts, and the ranks of the values next to them."""
    cell = found.at - found.node * lineup.width
    below = low.ravel().take(found.at)
    # The next value above the cut is the first that adds a row.
    adds = low.take(found.node, axis=0) > below[:, None]
    adds &= np.arange(lineup.width) > cell[:, None]
    ends = np.array((cell, adds.argmax(axis=1)))
    ends -= lineup.start.take(found.column)
    return Found(*found[:4], below, ends)


def _present(level: Level) -> tuple[Ints, Ints]:
    """The rows' labels and the nodes' statistics, only the classes present at a node numbered.

    A cost does not depend on which class is which, and deep nodes have few of them.
    """
    present = level.stats > 0
    number = np.cumsum(present, axis=1) - 1
    most = int(number[:, -1].max()) + 1
    if most == level.k:
        return level.labels, level.stats
    node, label = present.nonzero()
    stats = np.zeros((level.n, most), dtype=np.int64)
    stats[node, number[node, label]] = level.stats[node, label]
    return number.ravel().take(level.node * level.k + level.labels), stats
