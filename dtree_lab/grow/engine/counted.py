"""The loop where rows stay where they are: each level is counted by whoever has them.

The counts of a column's values at the open nodes are a few rows that weigh, such as the searches
of the other files know. So nothing is decided here: what is looked for, and what wins, is the same.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from dtree_lab.base.types import Ints
from dtree_lab.grow.engine.assemble import Level, assemble
from dtree_lab.grow.engine.columns import Columns, ContinuousColumns, DiscreteColumns, GappyColumn
from dtree_lab.grow.engine.discrete import GappySearch
from dtree_lab.grow.engine.frontier import BestSplits, ChosenSplits, Frontier
from dtree_lab.grow.engine.grow import Winners, choose_splits, choose_winners
from dtree_lab.grow.recipe import Recipe, Stop, may_split
from dtree_lab.table.scan import Counted, Scan, Way
from dtree_lab.table.ticks import MOST_TICKS
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.counted import way_down

# About so many nodes an engine can be asked for at once.
_MOST_NODES = 5_000


def grow_counted(scan: Scan, recipe: Recipe) -> Flat:
    """The tree of a scan's rows, which :func:`~.grow.grow_tree` grows where they fit."""
    search = CountedColumns(scan, recipe)
    levels: list[Level] = []
    n = 1
    while n:
        flat = search.so_far(levels, n)
        rows = scan.count(search.way(flat, np.arange(n)))
        stats = recipe.criterion.tally(rows.place, rows.labels, n, flat.counts.shape[1], rows.times)
        frontier = search.frontier(stats)
        may = may_split(frontier.sizes, frontier.cost, search.recipe, len(levels))
        if may.sum() > _MOST_NODES:
            raise ValueError(
                f"{may.sum():,} nodes are open at depth {len(levels)}, too many to count rows at;"
                " say max_depth=, or a higher min_rows= or min_leaf="
            )
        chosen = None
        if may.any() and scan.attributes:
            search.open = search.way(flat, np.where(may, may.cumsum() - 1, -1))
            frontier = search.frontier(stats[may])
            won = search.winners(frontier)
            chosen = choose_splits(frontier, won, search.columns, search.recipe)
            chosen = search.with_ends(chosen)
        levels.append(Level(None, stats, may if chosen else np.zeros_like(may), chosen))
        n = int(chosen.width.sum()) if chosen else 0
    return assemble(levels, 1, search.columns, recipe)[0]


class CountedColumns:
    """Every open node looks at the counts of every column."""

    open: Way = 0  # to the open nodes

    def __init__(self, scan: Scan, recipe: Recipe) -> None:
        self.scan, self._each = scan, 1
        if scan.n_rows > MOST_TICKS:  # they are counted in twos or threes, of few there is one
            self._each = -(-2 * scan.n_rows // MOST_TICKS)
            recipe = replace(recipe, unit=Fraction(1, self._each))
        self.recipe = recipe
        self._numbers = list(scan.numbers)
        for i in range(len(scan.attributes)):
            if scan.is_coarse(i):  # what stands beside its cuts comes to light with them
                self._numbers[i] = np.zeros(0)
        self._cells: dict[int, Counted] = {}

    @property
    def columns(self) -> Columns:
        """What is known of the columns."""
        n, sizes = len(self.scan.attributes), [len(x) for x in self._numbers]
        return Columns(
            [],
            [],
            np.array([*range(n), -1]),
            np.zeros(n + 1, dtype=np.int64),
            np.cumsum([0, *sizes]),
            np.concatenate([np.zeros(0), *self._numbers]),
            np.array([*(a.n_values for a in self.scan.attributes), 0]),
            any(a.n_values for a in self.scan.attributes),
        )

    def so_far(self, levels: list[Level], n: int) -> Flat:
        """The tree that the levels make, with the `n` nodes of the next one."""
        k = self.scan.target.n_values
        leaves = Level(None, np.zeros((n, k), dtype=np.int64), np.zeros(n, dtype=bool), None)
        whole = replace(self.recipe, stop=Stop())
        return assemble([*levels, leaves], 1, self.columns, whole)[0]

    def way(self, flat: Flat, places: Ints) -> Way:
        """The way to some places among a tree's last nodes."""
        every = np.full(flat.n_nodes, -1)
        every[flat.n_nodes - len(places) :] = places
        return way_down(flat, self.scan.attributes, self.scan, every)

    def frontier(self, stats: Ints, counted: Counted | None = None) -> Frontier:
        """Some nodes, whose rows are told by what was counted."""
        criterion, stats = self.recipe.criterion, -(-stats // self._each)
        node = labels = times = np.zeros(0, dtype=np.int64)
        if counted is not None:
            node, labels, times = counted.place, counted.labels, -(-counted.times // self._each)
            stats = criterion.tally(node, labels, len(stats), stats.shape[1], times)
        sizes, cost = criterion.rows(stats), criterion.cost(stats)
        return Frontier(node, stats, sizes, labels, stats.shape[1], None, None, cost, times)

    def winners(self, frontier: Frontier) -> Winners:
        """The best split of each node."""
        best: list[BestSplits] = []
        for some in self.scan.together(frontier.n):
            counted = self.scan.count(self.open, some)
            rows = self.frontier(frontier.stats, counted)
            for i in some:
                rank = counted.ranks[i]
                there, n = np.maximum(rank, 0)[None], self.scan.n_ranks(i)
                column: ContinuousColumns | DiscreteColumns = DiscreteColumns(there, n)
                if self.scan.attributes[i].values is None:
                    column = ContinuousColumns(there, np.array([n]), distinct=False)
                search = GappySearch(GappyColumn(rank >= 0, column), i, keep=False)
                best.append(search.best(rows, self.recipe))
                if self.scan.is_coarse(i):
                    self._cells[i] = counted
        attribute = self.columns.attribute
        return choose_winners(best, (frontier.cost, frontier.sizes), attribute, self.recipe)

    def with_ends(self, chosen: ChosenSplits) -> ChosenSplits:
        """With what stands next to the cuts of coarse columns, in place of its cell."""
        ends = chosen.ends.copy()
        for i, counted in self._cells.items():
            rank, (least, most) = counted.ranks[i], counted.ends
            for node in np.flatnonzero(chosen.column == i):
                here = counted.place == node
                low = most[here & (rank >= 0) & (rank <= ends[0, node])].max()
                high = least[here & (rank >= ends[1, node])].min()
                ends[:, node] = len(self._numbers[i]) + np.arange(2)
                self._numbers[i] = np.concatenate([self._numbers[i], [low, high]])
        return chosen._replace(ends=ends)
