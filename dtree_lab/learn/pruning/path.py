"""All trees that cost-complexity pruning leaves, from the price of a leaf at which each is best."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.pruning.arrays import errors_on
from dtree_lab.learn.pruning.cut import PrunedTree, pruned
from dtree_lab.learn.pruning.standing import Standing
from dtree_lab.learn.pruning.weakest import weakest_first

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.pruning.cut import Cut
    from dtree_lab.learn.pruning.links import Links
    from dtree_lab.table import Table
    from dtree_lab.tree import Tree


@dataclass(frozen=True, eq=False)
class CostComplexityPath:
    """All trees that are best for some price of a leaf, from the largest to the root alone.

    Each is a pruning of the one before.

    Attributes
    ----------
    tree
        The tree that was pruned.
    measure
        ``"error"``, ``"gini"`` or ``"entropy"``.
    alphas
        Increasing prices of a leaf, the first 0; float64, shape ``(n_trees,)``. Tree k is the
        best (the smallest of the best) for prices from ``alphas[k]`` up to ``alphas[k + 1]``.
    costs
        Each tree's cost without the price of its leaves, per training row; ``(n_trees,)``.
    n_leaves
        Each tree's leaves; int64, ``(n_trees,)``.
    n_cuts
        How many of `cuts` lead to each tree; int64, ``(n_trees,)``.
    links
        The cuts as arrays.
    """

    tree: Tree
    measure: str
    alphas: NDArray[np.float64]
    costs: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    n_cuts: NDArray[np.int64]
    links: Links = field(repr=False)

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """All cuts, in order."""
        return self.links.cuts

    def __len__(self) -> int:
        """How many trees."""
        return len(self.alphas)

    def __getitem__(self, k: int) -> PrunedTree:
        """Tree k; raises an IndexError for one that the path does not have."""
        return pruned(self.tree, self.cuts[: int(self.n_cuts[k])])

    def at(self, alphas: Any) -> NDArray[np.intp]:
        """The number of the tree that is best at each price."""
        found: NDArray[np.intp] = np.searchsorted(self.alphas, alphas, side="right") - 1
        return found

    def errors(self, table: Table) -> NDArray[np.float64]:
        """The share of a table's rows that each tree gets wrong, shape ``(n_trees,)``.

        Raises
        ------
        TypeError, ValueError
            For what is no table, one without rows, or one that does not fit the tree.
        """
        standing = Standing(self.tree.flat, *errors_on(self.tree, table, "table"))
        wrong = standing.below[0] + np.concatenate(([0], np.cumsum(self.links.changes(standing))))
        errors: NDArray[np.float64] = wrong[self.n_cuts] / table.n_rows
        return errors

    def best(self, validation: Table) -> float:
        """The price whose tree errs least on withheld rows; the highest (smallest tree) in a tie.

        Raises as :meth:`errors` does.
        """
        errors = self.errors(validation)
        return float(self.alphas[np.flatnonzero(errors == errors.min())[-1]])


def cost_complexity_path(tree: Tree, *, measure: str = "error") -> CostComplexityPath:
    """The prices of a leaf at which CART's pruning changes the tree, and the trees.

    The cost of a tree is ``R(T) + alpha * leaves``. A node's link is worth
    ``g = (R(as leaf) - R(its subtree)) / (leaves of its subtree - 1)``: the price of a leaf above
    which the node is better as a leaf. The weakest link is cut, g is measured anew, and so on up
    to the root.

    Parameters
    ----------
    tree
        A tree, with the counts of its training rows.
    measure
        What R adds up over the leaves, per training row: ``"error"``, the share of wrong rows, as
        in the book; ``"gini"`` or ``"entropy"``, the impurity, as scikit-learn does. Of a
        regression tree the variance of the rows' numbers, whichever of ``"error"`` and
        ``"variance"`` it is called by.

    Raises
    ------
    TypeError
        For what is no tree.
    ValueError
        For another measure, or a regression tree grown on a table with gaps.

    Notes
    -----
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, chapter 3.
    Links that are equally weak have one price. With ``"error"`` that is decided in whole numbers;
    impurities are equal when they agree to a billionth of a row.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> path = dt.prune.cost_complexity_path(dt.cart(dt.datasets.tax_fraud()))
    >>> [int(n) for n in path.n_leaves]
    [4, 1]
    """
    links = weakest_first(tree, measure)
    standing = links.standing
    price = np.concatenate(([0.0], links.price))
    cost = standing.below[0] + np.concatenate(([0], np.cumsum(links.rise)))
    leaves = standing.leaves[0] - np.concatenate(([0], np.cumsum(links.fewer)))
    # Of equally weak links the last leaves the tree that is best at their price.
    made = np.flatnonzero(np.diff(price, append=np.inf) > 0)
    costs = standing.told(cost[made])
    return CostComplexityPath(tree, measure, price[made], costs, leaves[made], made, links)
