"""Which of many thresholds is the cheapest at each node: estimated in floats, decided exactly.

A criterion's exact cost is a whole number, and for Gini and variance it takes divisions of whole
numbers, which are slow. What a threshold gains is, up to rounding and for each class,

    (rows of the class below - rows below * share of the class)**2 / (rows below * rows above)

summed over the classes and counted per row of the node; for numbers the sum of the ticks takes the
place of the rows of a class. Of many classes, the sums of the squares of their rows on both sides
tell the same, but for a constant. In floats that is a few passes. So thresholds are estimated, and
only those whose estimate is within :func:`slack` of the best are decided exactly, usually one at
each node. All other criteria are costed exactly everywhere.

**How far an estimate may be off.** Let an estimate be per row of a node with `n` rows: no term of
it is above its `scale`, which is 1 for the classes and, for numbers, the sum of the squared ticks.
Every number that enters it is a whole number below 2**63, or a product or quotient of such, and
fewer than ten of these are rounded, each by less than 2**-53 of a number that is no larger than
what stands at the node. So an estimate of ``w`` terms is off by less than ``w * scale * 2**-48``.
Two exact costs that differ by more than the criterion's *tie* never settle for the same number.
Hence a threshold whose estimate lies more than ``4 * tie / n + w * scale * 2**-48`` below the
largest cannot be the cheapest, with room to spare: half of either would do.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from dtree_lab.base.types import Bools, Floats, Ints
from dtree_lab.criteria.classes import GINI, Criterion, Gini
from dtree_lab.criteria.variance import Variance
from dtree_lab.grow.engine.arrays import NEVER, first_of_groups, segmented_argmin
from dtree_lab.tree.arrays import ranges

# Two sums of Gini costs that differ by more than this, in rows, are never a tie.
_GINI_TIE = 2.0**-20
# What a term of an estimate may be off by, as a share of its scale.
_OFF = 2.0**-48
_NOTHING = np.zeros(0, dtype=np.int64)
_FIRST = np.zeros(1, dtype=np.int64)


class CutLayout(NamedTuple):
    """How the thresholds of some columns at some nodes stand in an array of lines.

    Either a line holds a column and each of its segments a node, or the other way round.
    """

    start: Ints  # where each segment of a line begins: CSR offsets
    sizes: Ints  # of each segment
    width: int  # of a line
    by_node: bool  # whether a line is a node
    segment: Ints  # if so, that of each position of a line

    @classmethod
    def of_nodes(cls, sizes: Ints) -> CutLayout:
        """Each line is a node with columns of so many values."""
        segment = np.arange(len(sizes)).repeat(sizes)
        return cls(sizes.cumsum() - sizes, sizes, len(segment), by_node=True, segment=segment)

    @classmethod
    def of_columns(cls, start: Ints, sizes: Ints, width: int) -> CutLayout:
        """Each line is a column with nodes of so many rows."""
        return cls(start, sizes, width, by_node=False, segment=_NOTHING)

    @classmethod
    def of_lines(cls, width: int) -> CutLayout:
        """Each line is a node with one column."""
        return cls(_FIRST, np.array([width]), width, by_node=True, segment=_NOTHING)

    @property
    def whole(self) -> bool:
        """Whether each line is one segment."""
        return len(self.start) == 1

    def spread(self, of_node: Ints) -> Ints:
        """What stands for each node, along the last axis, so that it fits all its thresholds."""
        return of_node[..., None] if self.by_node else of_node.repeat(self.sizes, axis=-1)

    def largest(self, of: Ints) -> Ints:
        """The largest of each segment; shape ``(n_columns, n_nodes)``."""
        if self.whole:  # of each line, which numpy finds faster by its position
            top: Ints = of.ravel().take(of.argmax(axis=1) + np.arange(0, of.size, self.width))
            return top[None] if self.by_node else top[:, None]
        found: Ints = np.maximum.reduceat(of, self.start, axis=1)
        return found.T if self.by_node else found

    def least(self, of: Ints) -> Ints:
        """The least of each segment; shape ``(n_columns, n_nodes)``."""
        found: Ints = np.minimum.reduceat(of, self.start, axis=1)
        return found.T if self.by_node else found

    def at(self, column: Ints, node: Ints) -> tuple[Ints, Ints]:
        """Where the thresholds of some columns at some nodes stand, and how many of each."""
        line, segment = (node, column) if self.by_node else (column, node)
        sizes = self.sizes.take(segment)
        return ranges(line * self.width + self.start.take(segment), sizes), sizes

    def cheapest(self, key: Ints, column: Ints, node: Ints) -> Ints:
        """Where the first of the cheapest thresholds of some columns at some nodes stands."""
        at, sizes = self.at(column, node)
        _, first = segmented_argmin(key.ravel().take(at), np.cumsum(sizes) - sizes, sizes)
        return at.take(first)

    def near(self, gain: Floats, reach: Floats) -> tuple[Ints, Ints, Ints]:
        """The positions that reach so far, ``(n_columns, n_nodes)``; their columns and nodes."""
        of_line = reach.T if self.by_node else reach
        if not self.whole:
            of_line = np.repeat(of_line, self.sizes, axis=1)
        at = np.flatnonzero(gain >= of_line)
        line, position = np.divmod(at, self.width)
        segment = np.searchsorted(self.start, position, side="right") - 1
        return (at, segment, line) if self.by_node else (at, line, segment)


class BestThresholds(NamedTuple):
    """The best thresholds of some columns at some nodes."""

    column: Ints
    node: Ints
    at: Ints  # where they stand in their layout
    after: Ints  # what they cost
    below: Ints = _NOTHING  # rows below them; empty, as `ends`, until the best thresholds are known
    ends: Ints = _NOTHING  # the ranks of the values next to them, below and above; `(2, n)`


# -- what stands below a threshold ---------------------------------------------------------------


class Sides(Protocol):
    """What stands on both sides of each of some thresholds, in whole numbers."""

    def cost(self, at: Ints, node: Ints, stats: Ints, criterion: Criterion) -> Ints:
        """The exact cost of some thresholds, given their nodes and the statistics of these."""

    def signature(self, at: Ints, node: Ints, stats: Ints) -> tuple[Ints, Ints, Ints] | None:
        """Of some thresholds the rows below, and a number for what is below and what is above.

        Two thresholds of a node whose numbers are the same, whichever is below, cost the same.
        None if there are no such numbers.
        """


class Counts(NamedTuple):
    """What stands below each threshold, counted."""

    rows: Ints  # `(n_lines, width)`, or `(width,)` if the same in every line
    low: Ints  # of each class but the last, or the sum of the ticks; `(w, n_lines, width)`

    def _below(self, at: Ints) -> tuple[Ints, Ints]:
        rows = self.rows.ravel().take(at % self.rows.size)
        low = self.low.reshape(len(self.low), -1).take(at, axis=1)
        return rows.astype(np.int64, copy=False), low.astype(np.int64, copy=False)

    def cost(self, at: Ints, node: Ints, stats: Ints, criterion: Criterion) -> Ints:  # noqa: ARG002
        """See :class:`Sides`."""
        rows, low = self._below(at)
        cost = two_sides(criterion, stats, rows, low)
        cost[rows == criterion.rows(stats)] = NEVER  # nothing is above
        return cost

    def signature(self, at: Ints, node: Ints, stats: Ints) -> tuple[Ints, Ints, Ints] | None:  # noqa: ARG002
        """See :class:`Sides`."""
        if len(self.low) > 1:
            return None
        rows, low = self._below(at)
        return rows, low[0], stats[:, 0 if stats.shape[1] == 2 else 1] - low[0]  # noqa: PLR2004

    def classes(self) -> Ints:
        """All classes below each threshold."""
        rest = self.rows - self.low.sum(axis=0)
        return np.concatenate([self.low, rest[None]])

    def gain(self, layout: CutLayout, stats: Ints, sizes: Ints, criterion: Criterion) -> Floats:
        """About what each threshold gains, per row of its node; see the top of this page.

        Of two classes the squares are the same, and one of them does.
        """
        of_numbers = isinstance(criterion, Variance)
        total = stats.T[1:2] if of_numbers else stats.T
        n, rows = sizes.astype(np.float64), self.rows.astype(np.float64)
        share = layout.spread(total / -n)
        classes = self.low if len(self.low) == 1 else self.classes()
        gain: Floats = np.zeros(0)
        for c, column in enumerate(classes):
            apart = rows * share[c]
            apart = np.add(apart, column, out=apart if apart.shape == column.shape else None)
            np.square(apart, out=apart)
            gain = np.add(gain, apart, out=gain) if c else apart
        above = layout.spread(n) - rows
        above *= rows
        gain /= np.maximum(above, 1, out=above)  # at the ends nothing is above, or below
        return gain


class Apart(NamedTuple):
    """Below each threshold, as ``s = n * (class below) - rows * (class of the node)``."""

    rows: Ints  # rows below, `(width,)`
    s: Ints  # of the first of two classes, or of the ticks; `(n_lines, width)`
    total: Ints  # of each node that class or sum
    sizes: Ints  # the rows of each node

    def _below(self, at: Ints, node: Ints) -> tuple[Ints, Ints]:
        rows = self.rows.take(at % self.rows.size)
        low: Ints = self.s.ravel().take(at) + self.total.take(node) * rows
        return rows, low // self.sizes.take(node)

    def cost(self, at: Ints, node: Ints, stats: Ints, criterion: Criterion) -> Ints:
        """See :class:`Sides`."""
        rows, low = self._below(at, node)
        return two_sides(criterion, stats, rows, low[None])

    def signature(self, at: Ints, node: Ints, stats: Ints) -> tuple[Ints, Ints, Ints]:  # noqa: ARG002
        """See :class:`Sides`."""
        rows, low = self._below(at, node)
        return rows, low, self.total.take(node) - low


class Squares(NamedTuple):
    """The sums of the squares of the classes' counts on both sides of each threshold."""

    rows: Ints  # below; `(n_lines, width)`, or `(width,)` if the same in every line
    low: Ints  # both `(n_lines, width)`
    high: Ints
    sizes: Ints  # the rows of each node

    def gain(self, layout: CutLayout) -> Floats:
        """How pure both sides are, per row of the node: what is gained, but for a constant."""
        above = layout.spread(self.sizes) - self.rows
        gain: Floats = self.low / np.maximum(self.rows, 1)
        gain += self.high / np.maximum(above, 1)
        gain /= layout.spread(self.sizes)
        return gain

    def cost(self, at: Ints, node: Ints, stats: Ints, criterion: Criterion) -> Ints:  # noqa: ARG002
        """See :class:`Sides`."""
        rows = self.rows.ravel().take(at % self.rows.size)
        cost = GINI.of_squares(self.low.ravel().take(at), rows)
        cost += GINI.of_squares(self.high.ravel().take(at), self.sizes.take(node) - rows)
        return cost

    def signature(self, at: Ints, node: Ints, stats: Ints) -> tuple[Ints, Ints, Ints]:  # noqa: ARG002
        """See :class:`Sides`."""
        rows = self.rows.ravel().take(at % self.rows.size)
        return rows, self.low.ravel().take(at), self.high.ravel().take(at)


def is_estimated(criterion: Criterion) -> bool:
    """Whether a criterion's costs are estimated first."""
    return isinstance(criterion, Gini | Variance)


def slack(criterion: Criterion, stats: Ints, sizes: Ints) -> Floats:
    """How far below the largest estimate of a node that of its best threshold may lie."""
    if isinstance(criterion, Variance):
        tie, off = criterion.tie, stats[:, 2] * _OFF
    else:
        tie, off = _GINI_TIE, np.full(len(sizes), stats.shape[1] * _OFF)
    return 4 * tie / sizes + off


def two_sides(criterion: Criterion, stats: Ints, rows: Ints, low: Ints) -> Ints:
    """The exact cost of parting nodes in two, given the rows and the statistics below.

    `stats` are the nodes' statistics, ``(n, w)``; `low` are all classes but the last, or the sum of
    the ticks, of the `rows` below.
    """
    if isinstance(criterion, Variance):
        return criterion.two_sides(stats, rows, low[0])
    below = np.concatenate([low, (rows - low.sum(axis=0))[None]]).T
    return criterion.cost(below) + criterion.cost(stats - below)


def costs_of_all(counts: Counts, layout: CutLayout, stats: Ints, criterion: Criterion) -> Ints:
    """The exact cost of every threshold, by any criterion of classes."""
    low = counts.classes().astype(np.int64, copy=False)
    cost: Ints = criterion.cost(low.transpose(1, 2, 0))
    total = layout.spread(stats.T).reshape(len(low), *((-1, 1) if layout.by_node else (1, -1)))
    cost += criterion.cost((total - low).transpose(1, 2, 0))
    return cost


# -- the best of all -----------------------------------------------------------------------------


class BestSoFar:
    """The columns of a node compete, so that only the leader is looked at closely.

    Where attributes are compared by gain ratio, and where nodes draw theirs, every column counts:
    `cost`, that of each node itself, is None then. A threshold that costs more than its node gains
    nothing, as one that costs the same.
    """

    def __init__(self, criterion: Criterion, stats: Ints, sizes: Ints, cost: Ints | None) -> None:
        self.criterion, self.stats, self.sizes = criterion, stats, sizes
        self.every = cost is None
        self._most: Ints = _NOTHING if cost is None else criterion.settle(cost)
        self._best: Ints | None = None  # what the leader of each node costs so far
        self._gain: Floats | None = None  # about what it gains, where that is estimated

    # -- by exact costs

    def exact(self, layout: CutLayout, after: Ints, barred: Ints | None) -> BestThresholds:
        """The best thresholds of more columns: where they take the lead, or all of them.

        `after` is what each costs; where there is none is `barred`: a mask, or positions in every
        line.
        """
        key = self.criterion.settle(after)
        if barred is not None and barred.dtype == bool:
            np.copyto(key, NEVER, where=barred)
        elif barred is not None:
            key[:, barred] = NEVER
        if layout.by_node:
            column, node, at = self._of_lines(layout, key)
        else:
            column, node = self._leaders(layout.least(key))
            at = layout.cheapest(key, column, node)
        return BestThresholds(column, node, at, after.ravel().take(at))

    def _leaders(self, least: Ints) -> tuple[Ints, Ints]:
        """The columns and nodes whose least costs count; all of ``(n_columns, n_nodes)``."""
        if self.every:
            column, node = (least < NEVER).nonzero()
            return column, node
        cost = np.where(least < NEVER, np.minimum(least, self._most), NEVER)
        node = self._ahead(cost.min(axis=0))
        return cost.argmin(axis=0).take(node), node

    def _of_lines(self, layout: CutLayout, key: Ints) -> tuple[Ints, Ints, Ints]:
        """A node's columns stand in one line: the first of the cheapest is the first column's."""
        if self.every:
            column, node = self._leaders(layout.least(key))
            return column, node, layout.cheapest(key, column, node)
        line = np.arange(0, key.size, layout.width)
        at = key.argmin(axis=1) + line
        cost = key.ravel().take(at)
        owner = layout.segment
        lost = (cost >= self._most).nonzero()[0]
        if len(lost):  # where nothing gains, the first column that can be cut
            lost = lost[cost[lost] < NEVER]
            first = owner.take((key.take(lost, axis=0) < NEVER).argmax(axis=1))
            at[lost] = layout.cheapest(key, first, lost)
            cost[lost] = self._most.take(lost)
        node = self._ahead(cost)
        return owner.take((at - line).take(node)), node, at.take(node)

    def _ahead(self, cost: Ints) -> Ints:
        """The nodes at which some cost, one for each node, takes the lead."""
        if self._best is None:
            self._best = cost
            return (cost < NEVER).nonzero()[0]
        node = (cost < self._best).nonzero()[0]
        self._best[node] = cost.take(node)
        return node

    # -- by estimates

    def estimated(self, layout: CutLayout, gain: Floats, sides: Sides) -> BestThresholds:
        """The best thresholds of more columns: where they take the lead, or all of them.

        `gain` is about that per row of the node; negative where there is no threshold.
        """
        if len(self.sizes) == 1 and not self.every:
            return self._estimated_at_one(layout, gain, sides)
        at, column, node = self._near(layout, gain)
        stats = self.stats.take(node, axis=0)
        told = None if self.every else sides.signature(at, node, stats)
        if told is not None:
            new = _new(node, self.sizes.take(node), *told)
            at, column, node = at.take(new), column.take(new), node.take(new)
            stats = stats.take(new, axis=0)
        after = sides.cost(at, node, stats, self.criterion)
        settled = np.where(after < NEVER, self.criterion.settle(after), NEVER)
        first = first_of_groups(settled, column * len(self.sizes) + node)
        first = first[after.take(first) < NEVER]
        if not self.every:
            first = self._won(column, node, settled, first)
        return BestThresholds(*(a.take(first) for a in (column, node, at, after)))

    def _estimated_at_one(self, layout: CutLayout, gain: Floats, sides: Sides) -> BestThresholds:
        """The same at a single node, as the root is; a stump's time is that of numpy's calls."""
        most = gain.max() if self._gain is None else np.maximum(self._gain, gain.max())
        self._gain = np.atleast_1d(most)
        reach = np.maximum(self._gain - slack(self.criterion, self.stats, self.sizes), 0)
        at = (gain.ravel() >= reach).nonzero()[0]
        node = np.zeros(len(at), dtype=np.intp)
        after = sides.cost(at, node, self.stats.take(node, axis=0), self.criterion)
        settled = np.where(after < NEVER, self.criterion.settle(after), NEVER)
        cost = np.where(settled < NEVER, np.minimum(settled, self._most), NEVER)
        position = at % layout.width
        column = layout.segment.take(position) if layout.by_node else at // layout.width
        first = self._ahead(np.array([cost.min(initial=NEVER)]))
        if len(first):  # the first column of those that cost the least, and where it is cheapest
            own = column == column[cost.argmin()]
            first = np.array([np.where(own, settled, NEVER).argmin()])
        return BestThresholds(*(a.take(first) for a in (column, node, at, after)))

    def _near(self, layout: CutLayout, gain: Floats) -> tuple[Ints, Ints, Ints]:
        """The thresholds that might be the best: their positions, columns and nodes."""
        most = layout.largest(gain)
        reach = slack(self.criterion, self.stats, self.sizes)
        if self.every:
            return layout.near(gain, np.maximum(most - reach, 0))
        leader = most.max(axis=0)
        self._gain = leader if self._gain is None else np.maximum(self._gain, leader)
        reach = np.maximum(self._gain - reach, 0)
        column, node = (most >= reach).nonzero()
        at, sizes = layout.at(column, node)
        pair = np.repeat(np.arange(len(node)), sizes)
        near = (gain.ravel().take(at) >= reach.take(node).take(pair)).nonzero()[0]
        pair = pair.take(near)
        return at.take(near), column.take(pair), node.take(pair)

    def _won(self, column: Ints, node: Ints, settled: Ints, first: Ints) -> Ints:
        """Of the best of each column, those that take the lead; the first column does in a tie."""
        owner = node.take(first)
        cost = np.minimum(settled.take(first), self._most.take(owner))
        order = np.lexsort((column.take(first), owner))
        best = order.take(first_of_groups(cost.take(order), owner.take(order)))
        lead = np.full(len(self.sizes), NEVER)
        lead[owner.take(best)] = cost.take(best)
        place = np.empty(len(self.sizes), dtype=np.intp)
        place[owner.take(best)] = first.take(best)
        return place.take(self._ahead(lead))


def _new(node: Ints, sizes: Ints, rows: Ints, low: Ints, high: Ints) -> Ints:
    """Which thresholds part a node's rows otherwise than the first threshold of that node does."""
    # Above and below may change places: the costs are the same two numbers.
    above = sizes - rows
    turned = (rows > above) | ((rows == above) & (low > high))
    rows = np.where(turned, above, rows)
    low, high = np.where(turned, high, low), np.where(turned, low, high)
    cuts = np.arange(len(node))
    first = np.empty(int(node.max(initial=-1)) + 1, dtype=np.intp)
    first[node[::-1]] = cuts[::-1]
    first = first.take(node)
    return np.flatnonzero(
        (first == cuts)
        | (rows != rows.take(first))
        | (low != low.take(first))
        | (high != high.take(first))
    )


# -- where each line is by itself ----------------------------------------------------------------


class LineThresholds(NamedTuple):
    """The best threshold of each of some lines, which do not compete."""

    after: Ints  # what it costs, -1 where there is none
    at: Ints  # where it stands, counted through all lines
    below: Ints = _NOTHING  # the rows below it; empty unless asked for

    def with_rows(self, rows: Ints) -> LineThresholds:
        """With the rows below, given those of all thresholds."""
        return self._replace(below=rows.ravel().take(self.at))


def cheapest_of_lines(after: Ints, barred: Bools | None, criterion: Criterion) -> LineThresholds:
    """The first of the cheapest thresholds of each line, by exact costs, which are written over.

    They are NEVER where nothing is above; where else there is no threshold, it is `barred`.
    """
    if barred is not None:
        np.copyto(after, NEVER, where=barred)
    at = criterion.settle(after).argmin(axis=1)
    at += np.arange(0, after.size, after.shape[1])
    found = after.ravel().take(at)
    return LineThresholds(np.where(found < NEVER, found, -1), at)


def decided_of_lines(
    counts: Counts, barred: Bools | None, stats: Ints, sizes: Ints, criterion: Criterion
) -> LineThresholds:
    """The first of the cheapest thresholds of each line: estimated, then decided exactly."""
    width, sizes = counts.low.shape[-1], np.maximum(sizes, 1)
    gain = counts.gain(CutLayout.of_lines(width), stats, sizes, criterion)
    if barred is not None:
        np.copyto(gain, -1, where=barred)
    every = gain.ravel()
    most = every.take(gain.argmax(axis=1) + np.arange(0, gain.size, width))
    reach = np.maximum(most - slack(criterion, stats, sizes), 0)
    near = (gain >= reach[:, None]).ravel().nonzero()[0]
    line = near // width
    cost = counts.cost(near, line, stats.take(line, axis=0), criterion)
    first = first_of_groups(np.where(cost < NEVER, criterion.settle(cost), NEVER), line)
    after, at = np.full(len(sizes), -1), np.zeros(len(sizes), dtype=np.intp)
    owner, found = line.take(first), cost.take(first)
    after[owner] = np.where(found < NEVER, found, -1)
    at[owner] = near.take(first)
    return LineThresholds(after, at)
