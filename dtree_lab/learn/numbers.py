"""The cheapest cuts when the labels are numbers: estimated first, then decided exactly.

The exact cost of a cut takes five divisions of whole numbers, which are slow. But what a cut gains
is, in floats and up to rounding, ``s**2 / (n * low * high)`` with the whole number
``s = n * (sum below) - low * (sum of the node)``: a few passes. So every cut is estimated, and only
those that might be the cheapest, usually one at each node, are decided exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.level import NEVER, first_least
from dtree_lab.learn.lineup import Found, Race

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.level import Level
    from dtree_lab.learn.lineup import Lineup
    from dtree_lab.learn.recipe import Recipe
    from dtree_lab.variance import Variance

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]

# An estimate is off by less than this share of itself.
_OFF = 2.0**-40


def apart(level: Level) -> Ints:
    """What each row adds to ``s``; over a node that adds up to exactly nothing."""
    steps: Ints = level.labels * level.sizes.take(level.node)
    steps -= level.stats[:, 1].take(level.node)
    return steps


class NumberRace(Race):
    """The columns compete by estimates first.

    Attributes
    ----------
    gain
        About what the leader of each node gains so far.
    """

    def __init__(self, level: Level, recipe: Recipe, criterion: Variance) -> None:
        super().__init__(level, recipe)
        self.gain = np.full(level.n, -1.0)
        self.criterion = criterion
        self.stats = level.stats

    def decide(self, lineup: Lineup, s: Ints, gain: Floats, low: Ints) -> Found:
        """The best cuts of more columns, where they take the lead, or all of them.

        Parameters
        ----------
        lineup
            How the cuts stand.
        s, gain
            For each cut ``s``, and about what it gains; a negative number where there is no cut.
        low
            The rows below each cut, the same in every line if given once.
        """
        column, node, reach = self._leading(lineup.over(np.maximum, gain))
        at, sizes = lineup.of(column, node)
        pair = np.repeat(np.arange(len(node)), sizes)
        near = (gain.ravel().take(at) >= reach.take(pair)).nonzero()[0]
        at, pair = at.take(near), pair.take(near)
        s, low = s.ravel().take(at), low.ravel().take(at % low.size)
        stats = self.stats.take(node.take(pair), axis=0)
        if not self.every:
            new = _new(node.take(pair), s, low, stats[:, 0])
            at, pair, s, low, stats = (a.take(new, axis=0) for a in (at, pair, s, low, stats))
        below = (s + stats[:, 1] * low) // stats[:, 0]
        after = self.criterion.two_sides(stats, low, below)
        first = _firsts(self.criterion.settle(after), pair)
        pair = pair.take(first)
        found = Found(column.take(pair), node.take(pair), at.take(first), after.take(first))
        return found if self.every else self._won(found)

    def _leading(self, gain: Floats) -> tuple[Ints, Ints, Floats]:
        """The columns that might win at each node, and the least estimate that might."""
        self.gain = most = gain if self.every else np.maximum(self.gain, gain.max(axis=0))
        reach = most - (most * _OFF + 2 * self.criterion.tie)
        column, node = ((gain >= 0) & (gain >= reach)).nonzero()
        return column, node, reach[column, node] if self.every else reach.take(node)

    def _won(self, found: Found) -> Found:
        """Those that take the lead; the first column does in a tie."""
        cost = np.minimum(self.criterion.settle(found.after), self.most.take(found.node))
        by_node = found.node.argsort(kind="stable")
        first = by_node.take(_firsts(cost.take(by_node), found.node.take(by_node)))
        lead = np.full(len(self.most), NEVER)
        lead[found.node.take(first)] = cost.take(first)
        node = self.ahead(lead)
        place = np.empty(len(self.most), dtype=np.intp)
        place[found.node.take(first)] = first
        won = place.take(node)
        return Found(*(a.take(won) for a in found[:4]))


def _firsts(key: Ints, group: Ints) -> Ints:
    """The first least key of each group; those of a group stand together."""
    begin = np.flatnonzero(np.diff(group, prepend=-1))
    return first_least(key, begin, np.diff(begin, append=len(group)))[1]


def _new(node: Ints, s: Ints, low: Ints, size: Ints) -> Ints:
    """Which cuts part a node's rows into other sums than the first cut of that node does.

    In a node of two or three rows most columns are a tie.
    """
    high = size - low
    # Above and below may change places: the costs are the same two numbers.
    s = np.where(low < high, s, np.where(low > high, -s, np.abs(s)))
    low = np.minimum(low, high)
    cuts = np.arange(len(node))
    first = np.empty(int(node.max(initial=-1)) + 1, dtype=np.intp)
    first[node[::-1]] = cuts[::-1]
    first = first.take(node)
    return np.flatnonzero((first == cuts) | (s != s.take(first)) | (low != low.take(first)))
