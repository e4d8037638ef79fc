"""What becomes of a table's rows at the nodes of a tree, and nodes in a few words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.encoding import labels_for
from dtree_lab.learn.pruning.arrays import errors_on, summed_up
from dtree_lab.shown import value
from dtree_lab.splits import question, reason

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table
    from dtree_lab.tree import Path, Tree


@dataclass(frozen=True, eq=False)
class Passed:
    """Where rows go in a classification tree.

    Attributes
    ----------
    stops
        The number of the node where each row stops; shape ``(n_rows,)``.
    rows_wrong
        The rows that come out wrong, as positions in the table.
    rows, wrong
        Of each node, how many rows come there, and how many of them come out wrong, there or
        below; shape ``(n_nodes,)``.
    as_leaf
        How many would come out wrong, were the node a leaf.
    """

    stops: NDArray[Any]
    rows_wrong: NDArray[np.intp]
    rows: NDArray[Any]
    wrong: NDArray[Any]
    as_leaf: NDArray[Any]

    @classmethod
    def of(cls, tree: Tree, table: Table) -> Passed:
        """Send the rows of a table through a tree."""
        labels = labels_for(tree.target, table, "the tree")
        stops = tree.apply(table)
        as_leaf, stopped_wrong = errors_on(tree, table, "the table")
        stopped = np.bincount(stops, minlength=tree.n_nodes)
        return cls(
            stops,
            np.flatnonzero(tree.flat.majority[stops] != labels),
            summed_up(tree.flat, stopped),
            summed_up(tree.flat, stopped_wrong),
            as_leaf,
        )


def paths(tree: Tree) -> list[Path]:
    """The path of each node, in the order of their numbers."""
    found: list[Path] = [()]
    for node, width in enumerate(tree.flat.width.tolist()):  # children stand in parents' order
        found.extend((*found[node], branch) for branch in range(width))
    return found


def attributes_asked(tree: Tree, path: Path) -> set[int]:
    """The positions of the attributes that are asked on a way, the node at its end included."""
    node, asked = 0, {int(tree.flat.attr[0])}
    for branch in path:
        node = int(tree.flat.first[node]) + branch
        asked.add(int(tree.flat.attr[node]))
    return asked


def last_reason(tree: Tree, path: Path) -> str:
    """What led to a node last; the way above is to be seen in a picture."""
    if not path:
        return "the root"
    node = 0
    for branch in path[:-1]:
        node = int(tree.flat.first[node]) + branch
    split = tree.flat.split(node, tree.attributes)
    if split is None:
        msg = f"the tree has no node at the path {path!r}"
        raise ValueError(msg)
    above = "… " if len(path) > 1 else ""
    return f"{above}{reason(split, tree.attributes[split.attribute], path[-1])}"


def does(tree: Tree, node: int) -> str:
    """What a node does: ``asks Refund``, ``answers No``."""
    split = tree.flat.split(node, tree.attributes)
    if split is None:
        return f"answers {value(tree.classes[int(tree.flat.majority[node])])}"
    return f"asks {question(split, tree.attributes[split.attribute])}"
