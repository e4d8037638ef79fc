"""CART's cost-complexity pruning: the weakest link is cut, again and again, down to the root."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.criteria import CRITERIA
from dtree_lab.learn.narrate import narrates
from dtree_lab.learn.pruning.arrays import check_tree, resting
from dtree_lab.learn.pruning.cut import pruned
from dtree_lab.learn.pruning.links import Links
from dtree_lab.learn.pruning.standing import Standing, narrate

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from dtree_lab.learn.pruning.cut import Event, PrunedTree
    from dtree_lab.tree import Tree

# Impurities are rounded, so two links that are equal on paper may differ by this share of a row,
# or of the root's squares.
_ROUNDING = 2.0**-30


def cost_complexity(tree: Tree, alpha: float, *, measure: str = "error") -> PrunedTree:
    """Prune to the tree with the least cost plus `alpha` for each leaf; the smallest in a tie.

    Parameters
    ----------
    tree
        A tree, with the counts of its training rows.
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
        For a price that is negative or no number, another measure, or a regression tree grown
        on a table with gaps.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.cart(dt.datasets.tax_fraud())
    >>> [dt.prune.cost_complexity(tree, alpha).n_leaves for alpha in (0, 0.09, 0.1)]
    [4, 4, 1]
    """
    links = _links_up_to(tree, alpha, measure)
    return pruned(tree, links.cuts)


@narrates(cost_complexity)
def cost_complexity_events(
    tree: Tree, alpha: float, *, measure: str = "error"
) -> Generator[Event, None, PrunedTree]:
    """The rounds of :func:`cost_complexity`, one after the other."""
    links = _links_up_to(tree, alpha, measure)
    return narrate(tree, links.standing, _one_by_one(links))


def _one_by_one(links: Links) -> Iterator[int]:
    for node in links.node.tolist():
        yield node
        links.standing.cut(node)


def _links_up_to(tree: Tree, alpha: float, measure: str) -> Links:
    links = weakest_first(tree, measure)
    kinds = (int, float, np.integer, np.floating)
    if isinstance(alpha, bool) or not isinstance(alpha, kinds) or isnan(alpha) or alpha < 0:
        msg = f"alpha={alpha!r} must be a number, at least 0: the price of a leaf"
        raise ValueError(msg)
    return links.first(int(np.searchsorted(links.price, alpha, side="right")))


def weakest_first(tree: Tree, measure: str) -> Links:
    """The links of a tree; costs of classes are kept in whole numbers."""
    check_tree(tree)
    counts, rest = tree.flat.counts, resting(tree.flat)
    rows = int(counts[0].sum())
    if tree.target.values is None:
        return _of_numbers(tree, measure, rows)
    if measure == "error":
        answer = np.arange(tree.n_nodes), tree.flat.majority
        wrong, own = (some.sum(axis=1) - some[answer] for some in (counts, rest))
        return Links.of(Standing(tree.flat, wrong, own, per=rows), same=0)
    if measure not in CRITERIA:
        known = ", ".join(map(repr, ("error", *CRITERIA)))
        msg = f"measure={measure!r} must be one of {known}"
        raise ValueError(msg)
    criterion = CRITERIA[measure]
    row = 1 / float(criterion.per_row(1, 1))
    costs = Standing(tree.flat, criterion.cost(counts), criterion.cost(rest), per=rows * row)
    return Links.of(costs, same=_ROUNDING * row)


def _of_numbers(tree: Tree, measure: str, rows: int) -> Links:
    """The links of a regression tree, by the squares of its rows' distances from their means."""
    if measure not in ("error", "variance"):
        msg = (
            f"measure={measure!r} must be 'error' or 'variance', because the tree predicts numbers"
        )
        raise ValueError(msg)
    if resting(tree.flat).any():
        msg = (
            f"some training rows of this tree for {tree.target.name!r} rest above its leaves,"
            " because they lack a value, and what they cost was not kept; fill the gaps first"
            " (dt.fill_by_proximity), or prune with dt.prune.reduced_error"
        )
        raise ValueError(msg)
    squares = tree.flat.counts[:, 0] * tree.flat.values[:, 1]
    return Links.of(Standing(tree.flat, squares, per=rows), same=_ROUNDING * float(squares[0]))
