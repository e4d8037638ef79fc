"""Thresholds that pay for being named, as release 8 of C4.5 has it."""

from __future__ import annotations

import numpy as np

from dtree_lab.base.types import Bools, Ints
from dtree_lab.criteria.classes import Criterion
from dtree_lab.grow.engine.decide import BestSoFar, BestThresholds, CutLayout
from dtree_lab.grow.engine.frontier import Frontier
from dtree_lab.grow.recipe import Recipe
from dtree_lab.grow.release8 import Release8


def so_far(recipe: Recipe, frontier: Frontier, stats: Ints) -> BestSoFar:
    """The columns of a level's nodes compete, by the recipe's rules."""
    criterion, sizes = recipe.criterion, frontier.sizes
    if recipe.release8 is not None:
        return PricedSoFar(criterion, stats, sizes, frontier.cost, recipe.release8)
    return BestSoFar(criterion, stats, sizes, None if recipe.by_ratio else frontier.cost)


class PricedSoFar(BestSoFar):
    """Every column counts, where its best threshold gains more than it costs to say which it is."""

    def __init__(
        self, criterion: Criterion, stats: Ints, sizes: Ints, cost: Ints, release8: Release8
    ) -> None:
        super().__init__(criterion, stats, sizes, None)
        self._cost, self._release8 = cost, release8

    def exact(self, layout: CutLayout, after: Ints, barred: Ints | None) -> BestThresholds:
        """See :class:`BestSoFar`; each threshold that is not barred is one to choose from."""
        open_: Bools = np.ones(after.shape, dtype=bool)
        if barred is not None and barred.dtype == bool:
            open_ = ~barred
        elif barred is not None:
            open_[:, barred] = False
        n_cuts = np.add.reduceat(open_.astype(np.int64), layout.start, axis=1)
        n_cuts = n_cuts.T if layout.by_node else n_cuts
        found = super().exact(layout, after, barred)
        cost = found.after + self._release8.price(n_cuts[found.column, found.node])
        worth = (cost < self._cost.take(found.node)).nonzero()[0]
        return BestThresholds(*(a.take(worth) for a in (*found[:3], cost)))


def without_repeats(barred: Bools, rows: Ints, layout: CutLayout) -> Bools:
    """Bar, too, the thresholds above values that no row has: they part rows as the one before."""
    adds = np.diff(rows, axis=1, prepend=0) != 0
    adds[:, layout.start] = rows[:, layout.start] > 0
    every: Bools = barred | ~adds
    return every
