"""CART's cost-complexity pruning: the weakest link is cut, again and again, down to the root."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import CRITERIA
from dtree_lab.learn.narrate import narrates
from dtree_lab.learn.pruning.arrays import check_tree
from dtree_lab.learn.pruning.standing import Standing, narrate, run

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from dtree_lab.learn.pruning.cut import Event, PrunedTree
    from dtree_lab.tree import Tree

# Impurities are rounded, so two links that are equal on paper may differ by this share of a row.
_ROUNDING = 2.0**-30


def cost_complexity(tree: Tree, alpha: float, *, measure: str = "error") -> PrunedTree:
    """Prune to the tree with the least cost plus `alpha` for each leaf; the smallest in a tie.

    Parameters
    ----------
    tree
        A classification tree, with the counts of its training rows.
    alpha
        The price of a leaf, at least 0, in the unit of the measure per training row: with
        ``"error"``, a leaf must spare this share of the training rows a wrong answer.
    measure
        As in :func:`dtree_lab.prune.cost_complexity_path`, which has the method and its source.

    Returns
    -------
    PrunedTree
        The tree; its `cuts` are in the order of their links' strength.

    Raises
    ------
    TypeError
        For what is no tree.
    ValueError
        For a price that is negative or no number, another measure, or a regression tree.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.cart(dt.datasets.tax_fraud())
    >>> [dt.prune.cost_complexity(tree, alpha).n_leaves for alpha in (0, 0.09, 0.1)]
    [4, 4, 1]
    """
    return run(tree, *_begin(tree, alpha, measure))


@narrates(cost_complexity)
def cost_complexity_events(
    tree: Tree, alpha: float, *, measure: str = "error"
) -> Generator[Event, None, PrunedTree]:
    """The rounds of :func:`cost_complexity`, one after the other."""
    return narrate(tree, *_begin(tree, alpha, measure))


def _begin(tree: Tree, alpha: float, measure: str) -> tuple[Standing, Iterator[int]]:
    standing, unit = standing_by(tree, measure)
    kinds = (int, float, np.integer, np.floating)
    if isinstance(alpha, bool) or not isinstance(alpha, kinds) or isnan(alpha) or alpha < 0:
        msg = f"alpha={alpha!r} must be a number, at least 0: the price of a leaf"
        raise ValueError(msg)
    return standing, _up_to(alpha, weakest_first(standing, unit))


def _up_to(alpha: float, links: Iterator[tuple[int, float]]) -> Iterator[int]:
    for node, price in links:
        if price > alpha:
            return
        yield node


def standing_by(tree: Tree, measure: str) -> tuple[Standing, float]:
    """The costs in whole numbers, and how many of their units make a row."""
    check_tree(tree)
    counts = tree.flat.counts
    rows = int(counts[0].sum())
    if measure == "error":
        return Standing(tree.flat, counts.sum(axis=1) - counts.max(axis=1), per=rows), 1.0
    if measure not in CRITERIA:
        known = ", ".join(map(repr, ("error", *CRITERIA)))
        msg = f"measure={measure!r} must be one of {known}"
        raise ValueError(msg)
    ticks = CRITERIA[measure].cost(counts)
    unit = 1 / float(CRITERIA[measure].per_row(1, 1))
    return Standing(tree.flat, ticks, per=rows * unit), unit


def weakest_first(standing: Standing, unit: float) -> Iterator[tuple[int, float]]:
    """The weakest link, each time, and the price at which it gives; `unit` is one row."""
    same = 0.0 if unit == 1 else _ROUNDING * unit
    link = np.full(len(standing.asks), np.inf)
    asks = np.flatnonzero(standing.asks)
    link[asks] = _links(standing, asks)
    price = 0.0
    while link[node := int(link.argmin())] < np.inf:
        if link[node] > price + same:
            price = float(link[node])
        yield node, price / standing.per
        above, gone = standing.cut(node)
        link[node] = np.inf
        for stretch in gone:
            link[stretch] = np.inf
        link[above] = _links(standing, above)


def _links(standing: Standing, nodes: Any) -> NDArray[np.float64]:
    rise = np.maximum(standing.as_leaf[nodes] - standing.below[nodes], 0)
    strength: NDArray[np.float64] = rise / (standing.leaves[nodes] - 1)
    return strength
