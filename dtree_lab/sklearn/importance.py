"""How much each attribute lowers the impurity in a tree, as scikit-learn counts it.

Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 5.3.4.
Rows without a value of what a node asks rest there; they say nothing about its question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.tree import Tree

    Floats = NDArray[np.float64]
    Cost = Callable[[NDArray[Any]], NDArray[np.int64]]


def of_classes(tree: Tree, cost: Cost) -> Floats:
    """Each attribute's share of the decrease in impurity, over all nodes of a tree.

    Parameters
    ----------
    tree
        A classification tree.
    cost
        What groups of rows cost, given their counts of classes, shape ``(..., n_classes)``.

    Returns
    -------
    numpy.ndarray
        Shape ``(n_attributes,)``; sums up to 1, or is all 0 if no question lowers the impurity.
    """
    flat = tree.flat
    before, after = cost(_children(flat, flat.counts)), _children(flat, cost(flat.counts))
    return _shares(tree, np.maximum(before - after, 0))


def of_numbers(tree: Tree, mean: Floats) -> Floats:
    """The same for a regression tree, whose impurity is the variance.

    Parameters
    ----------
    tree
        A regression tree.
    mean
        The mean of the rows at each node, shape ``(n_nodes,)``; not always what a node answers.
    """
    flat = tree.flat
    rows = flat.counts[:, 0].astype(np.float64)
    middle = _children(flat, rows * mean) / _children(flat, rows)
    # What a question takes away is the spread of its children's means about their common one.
    spread = np.zeros(flat.n_nodes)
    spread[1:] = rows[1:] * np.square(mean[1:] - np.repeat(middle, flat.width[flat.attr >= 0]))
    return _shares(tree, _children(flat, spread))


def _children(flat: Flat, of: NDArray[Any]) -> NDArray[Any]:
    """The sums over the children of each node that asks; they are neighbours, breadth first."""
    first = flat.first[flat.attr >= 0]
    if not first.size:
        return of[:0]
    summed: NDArray[Any] = np.add.reduceat(of[1:], first - 1, axis=0)
    return summed


def _shares(tree: Tree, gained: NDArray[Any]) -> Floats:
    asked = tree.flat.attr[tree.flat.attr >= 0]
    by_attribute = np.bincount(asked, gained, len(tree.attributes))
    total = by_attribute.sum()
    shares: Floats = by_attribute / (total or 1.0)
    return shares
