"""What trees answer, and what their votes come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from dtree_lab.tree import Tree

# Sums of votes that differ by less are a tie: what is equal on paper may differ by a rounding.
_TIE = 2.0**-30
_STUMP = 3  # nodes


def answers_of(tree: Tree, columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
    """A tree's answer to each row, as codes of classes; shape ``(n_rows,)``.

    Parameters
    ----------
    tree
        A classification tree.
    columns
        The rows as arrays of codes and floats, one for each of its attributes.
    """
    flat, split = tree.flat, tree.flat.split(0, tree.attributes)
    if split is None or flat.n_nodes != _STUMP:
        node = flat.apply(columns, tree.attributes)
    else:  # children are the nodes 1 and 2; a row without a branch, -1, stays at the root
        node = split.branch(columns[split.attribute]) + 1
    answers: NDArray[np.intp] = flat.majority[node]
    return answers


def most(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The class with the highest score, the first of them in a tie; shape ``(n_rows,)``."""
    best: NDArray[np.intp] = np.rint(scores / _TIE).argmax(axis=1)
    return best
