"""Pruning: a smaller tree, before it has grown or after.

- :func:`grow_until`: pre-pruning on held-out rows. (The growers' own limits, such as
  ``max_depth``, `max_leaves`, `min_rows` and `min_gain`, pre-prune too.)
- :func:`reduced_error`: post-pruning on held-out rows, as in the lecture.
- :func:`cost_complexity` and :func:`cost_complexity_path`: CART's, with a price for each leaf;
  :func:`choose_alpha` finds the price by cross-validation.
- :func:`pessimistic`: C4.5's, on the training counts alone.
- ``dt.steps(dt.prune.reduced_error, …)``: what any of them does, event by event.

What prunes returns a tree that remembers its cuts: ``.cuts``, ``.after(n)``, ``.without(path)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtree_lab.evaluate.folds import Measure, chosen, each_fold
from dtree_lab.prune.confidence import PESSIMISTIC, pessimistic, upper_limit
from dtree_lab.prune.early import EARLY_STOPPING, Grew, LevelGrown, Stopped, grow_until
from dtree_lab.prune.pruned import Cut, Finished, Measured, Pruned, PrunedTree, PruningMethod
from dtree_lab.prune.reduced import REDUCED_ERROR, reduced_error
from dtree_lab.prune.weakest_link import (
    COST_COMPLEXITY,
    CostComplexityPath,
    PathChoice,
    cost_complexity,
    cost_complexity_path,
)
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

__all__ = [
    "CostComplexityPath",
    "Cut",
    "Finished",
    "Grew",
    "LevelGrown",
    "Measured",
    "PathChoice",
    "Pruned",
    "PrunedTree",
    "Stopped",
    "choose_alpha",
    "cost_complexity",
    "cost_complexity_path",
    "grow_until",
    "pessimistic",
    "reduced_error",
    "upper_limit",
]
__dir__ = __all__.copy  # what is public, and nothing else


# Every way to prune that labs show: the one list.
_SHIPPED = (REDUCED_ERROR, COST_COMPLEXITY, PESSIMISTIC, *EARLY_STOPPING)
METHODS: dict[str, PruningMethod] = {one.name: one for one in _SHIPPED}


def choose_alpha(  # noqa: PLR0913 - a grower, its table, and how to cross-validate
    grower: Callable[..., Tree],
    table: Table,
    *,
    measure: str = "error",
    folds: int = 10,
    seed: int = 0,
    stratified: bool = True,
    one_se: bool = False,
    **keywords: Any,
) -> PathChoice:
    """Choose the price of a leaf for :func:`cost_complexity` by cross-validation.

    A tree is grown on all rows; its path has only so many prices that matter, each standing for
    the prices up to the next one. For each fold a tree is grown on the other rows, pruned at the
    geometric middle of each of those ranges, and measured on the fold.

    Parameters
    ----------
    grower
        :func:`dtree_lab.cart`, or any function that grows a tree on a table.
    table
        The rows to grow on and to measure with.
    measure
        As in :func:`cost_complexity_path`.
    folds, seed, stratified
        As in :func:`dtree_lab.evaluate.cross_validate`.
    one_se
        As in :func:`dtree_lab.evaluate.choose`.
    **keywords
        Passed to the grower.

    Returns
    -------
    PathChoice
        Its `value` is the price; its `values` are the path's prices. It is a table where it is
        shown, as rpart's `printcp` has it.

    Raises
    ------
    TypeError, ValueError
        As :func:`cost_complexity_path` and :func:`dtree_lab.evaluate.cross_validate` do.

    Notes
    -----
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, 3.4.2.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> dt.prune.choose_alpha(dt.cart, table, folds=5)
    alpha = 0 is chosen.
    alpha  leaves  training error  cross-validated error  standard error
      0.1       1          0.3000                 0.3000          0.1225  smallest within one SE
        0       4          0.0000                 0.2000          0.1225  lowest
    """
    path = cost_complexity_path(grower(table, **keywords), measure=measure)
    prices = path.alphas
    # Above the last price the root stands alone, whatever the fold.
    middles = np.append(np.sqrt(prices[:-1] * prices[1:]), np.inf)
    task = _Pruning(grower, keywords, measure, tuple(middles.tolist()))
    measures = each_fold(task, table, folds=folds, seed=seed, stratified=stratified)
    return PathChoice.of(chosen("alpha", tuple(prices.tolist()), measures, one_se=one_se), path)


@dataclass(frozen=True)
class _Pruning:
    """A fold's work: grow once, and measure the tree that each price leaves."""

    grower: Callable[..., Tree]
    keywords: dict[str, Any]
    measure: str
    alphas: tuple[float, ...]

    def __call__(self, training: Table, held: Table) -> list[Measure]:
        tree = self.grower(training, **self.keywords)
        path = cost_complexity_path(tree, measure=self.measure)
        at = path.at(self.alphas)
        errors, leaves = path.errors(held)[at].tolist(), path.n_leaves[at].tolist()
        return [Measure(e, n, held.n_ticks) for e, n in zip(errors, leaves, strict=True)]
