"""The best cuts of continuous attributes of many values, by order.

The rows of each column stand by (node, value). They are sorted once; from level to level they only
have to be parted by the branch they take. Walking through the rows of a node, the cost of cutting
behind each follows from the one before it (:meth:`~dtree_lab.criteria.Criterion.parted`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.level import NEVER, picked, stable_order
from dtree_lab.learn.lineup import Found, Lineup
from dtree_lab.learn.numbers import NumberRace, apart

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.learn.cuts import Cuts
    from dtree_lab.learn.level import Level
    from dtree_lab.learn.lineup import Race

    Ints = NDArray[Any]


def in_order(by_place: Ints, level: Level, parts: Iterable[slice]) -> Ints:
    """The rows of a level by (node, place) in each column, given those of the table by place."""
    order = np.empty((len(by_place), level.m), dtype=np.int32)
    node = level.spread(level.node, by_place.shape[1], level.n)  # rows elsewhere go to the end
    for part in parts:
        rows = by_place[part]
        order[part] = picked(rows, stable_order(node.take(rows), level.n + 1)[:, : level.m])
    return order


def parted(order: Ints, level: Level, n_rows: int, parts: Iterable[slice]) -> Ints:
    """The rows of the level before, as they stand, parted by the branch that each takes.

    All first branches come first, then all second ones: the rows of a node stay together, those
    at rest are left out. More than two branches are parted by one bit after the other.
    """
    assert level.side is not None  # noqa: S101 - only the root has none
    for bit in range(max(int(level.side.max()).bit_length(), 1)):
        way = level.spread(((level.side >> bit) & 1).astype(np.int8), n_rows, -1)
        after = np.empty((len(order), level.m), dtype=np.int32)
        for part in parts:
            rows = order[part]
            ways = way.take(rows).ravel()
            branches = [
                rows.ravel().take((ways == branch).nonzero()[0]).reshape(len(rows), -1)
                for branch in (0, 1)
            ]
            np.concatenate(branches, axis=1, out=after[part])
        order = after
    return order


class Walking:
    """A level whose rows stand in order.

    Parameters
    ----------
    cuts
        The columns.
    level
        The nodes.
    criterion
        What costs are costs of.
    least
        The fewest rows on a side of a cut.

    Attributes
    ----------
    nodes
        The nodes as they stand.
    level
        The level with its nodes in that order.
    """

    def __init__(self, cuts: Cuts, level: Level, criterion: Criterion, least: int) -> None:
        assert cuts.order is not None  # noqa: S101 - the rows stand
        self.cuts, self.order, self.criterion = cuts, cuts.order, criterion
        n_rows = cuts.place.shape[1]
        standing = level.spread(level.node, n_rows, -1).take(self.order[0])
        begin = np.flatnonzero(np.diff(standing, prepend=-1))
        self.nodes = nodes = standing.take(begin)
        assert level.cost is not None  # noqa: S101
        self.level = replace(
            level,
            stats=level.stats.take(nodes, axis=0),
            sizes=level.sizes.take(nodes),
            cost=level.cost.take(nodes),
        )
        self.outer = self.level.outer(least)
        if level.k:
            narrow = np.uint8 if level.k <= 1 << 8 else np.int32
            self.labels = level.spread(level.labels.astype(narrow), n_rows, 0)
        else:
            self.labels = level.spread(apart(level), n_rows, 0)
            self.weight, self.bar = self._weights()

    def best(self, part: slice, race: Race) -> Found:
        """The best cuts of some of the columns."""
        order, level = self.order[part], self.level
        lineup = Lineup(level.start, level.sizes, level.m, by_node=False)
        place = self.cuts.place[part]
        equal = None
        if not self.cuts.distinct:  # no cut between equal values
            ranks = picked(place, order)
            equal = np.zeros(ranks.shape, dtype=bool)
            np.equal(ranks[:, 1:], ranks[:, :-1], out=equal[:, :-1])
        steps = self.labels.take(order)
        if isinstance(race, NumberRace):
            found = self._numbers(steps, equal, lineup, race)
        else:
            after = self.criterion.parted(steps, level)
            key = self.criterion.settle(after)
            key[:, self.outer] = NEVER
            if equal is not None:
                np.copyto(key, NEVER, where=equal)
            column, node, at = race.run(lineup, key)
            found = Found(column, node, at, after.ravel().take(at))
        # The rows next to the cut.
        ends = order.ravel().take(np.array((found.at, found.at + 1)))
        ends = place.ravel().take(ends + found.column * place.shape[1])
        below = level.low.take(found.at % level.m)
        return Found(found.column, self.nodes.take(found.node), found.at, found.after, below, ends)

    def _numbers(self, steps: Ints, equal: Ints | None, lineup: Lineup, race: NumberRace) -> Found:
        s = np.cumsum(steps, axis=1, out=steps)
        gain = s.astype(np.float64)
        gain *= gain
        gain *= self.weight
        gain += self.bar
        if equal is not None:
            np.copyto(gain, -1, where=equal)
        return race.decide(lineup, s, gain, self.level.low)

    def _weights(self) -> tuple[Ints, Ints]:
        """What ``s**2`` is multiplied by, and what makes it negative where there is no cut."""
        level = self.level
        # In floats: the product of three numbers of rows is no 64-bit number for millions.
        weight = 1 / np.maximum(level.low * 1.0 * level.high * level.sizes.take(level.at), 1)
        bar = np.zeros(level.m)
        weight[self.outer], bar[self.outer] = 0, -1
        return weight, bar
