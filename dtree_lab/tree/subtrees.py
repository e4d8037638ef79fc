"""What pruning asks of a tree's arrays: sums over subtrees, what lies below, paths, errors.

Nodes are numbered breadth first, so a node's children, their children and so on are one stretch
of numbers on each level. That makes sums over subtrees one pass of numpy per level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Ints
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.scan import Scan
from dtree_lab.table.table import Table
from dtree_lab.table.ticks import weighted_sums
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.counted import rows_stopped
from dtree_lab.tree.parts import Stops
from dtree_lab.tree.tree import Path, Tree, own_columns


def summed_up(flat: Flat, values: NDArray[Any]) -> NDArray[Any]:
    """Each node's sum over its subtree, itself included; a node has one entry, or one row."""
    total = values.copy()
    ends = np.searchsorted(flat.depth, np.arange(int(flat.depth.max()) + 2))
    for d in range(len(ends) - 2, 0, -1):
        above = np.arange(ends[d - 1], ends[d])
        above = above[flat.attr[above] >= 0]
        level = total[ends[d] : ends[d + 1]]
        total[above] += np.add.reduceat(level, flat.first[above] - ends[d], axis=0)
    return total


def stretches_below(node: int, first_child: list[int]) -> list[slice]:
    """A stretch of numbers for each level below a node, by what ``children_from`` gives."""
    found: list[slice] = []
    low, high = node, node + 1
    while True:
        low, high = first_child[low], first_child[high]
        if low == high:
            return found
        found.append(slice(low, high))


def children_from(flat: Flat) -> list[int]:
    """Where each node's children begin, or would; a list, as single numbers are read from it."""
    starts: list[int] = np.concatenate(([1], 1 + np.cumsum(flat.width, dtype=np.int64))).tolist()
    return starts


def path_to(flat: Flat, node: int) -> Path:
    """The branches from the root to a node."""
    path = []
    while node:
        above = int(flat.parent[node])
        path.append(node - int(flat.first[above]))
        node = above
    return tuple(reversed(path))


def node_number(flat: Flat, path: Sequence[int]) -> int:
    """The number of the node at a path, which has to be there."""
    node = 0
    for branch in path:
        if not 0 <= branch < int(flat.width[node]):
            raise ValueError(f"the tree has no node at the path {tuple(path)!r}")
        node = int(flat.first[node]) + branch
    return node


# -- errors on rows ------------------------------------------------------------------------------


def check_tree(tree: Any) -> None:
    """Raise for what is no tree, saying what it is."""
    if not isinstance(tree, Tree):
        msg = f"tree must be a dt.Tree, for instance what dt.id3(table) returns; got {tree!r:.60}"
        raise TypeError(msg)


def resting(flat: Flat) -> Ints:
    """The training rows that stop at a node above the leaves, because they lack what it asks.

    Counted as in `flat.counts`; nothing at a leaf.
    """
    below = np.zeros_like(flat.counts)
    np.add.at(below, flat.parent[1:], flat.counts[1:])
    return np.where((flat.attr >= 0)[:, None], flat.counts - below, 0)


def errors_on(
    tree: Tree, rows: Table | Scan, name: str = "validation"
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What each node gets wrong, were it a leaf, and what of it stops there; each ``(n_nodes,)``.

    A leaf answers with the majority of its *training* rows. Wrong rows are counted, by their
    weights in ticks, and parts of a row where each stops; of numbers, squared errors are summed. A
    row with a value that a node has no branch for stops there, and that node answers it whatever is
    below: such errors are the node's own. `name` is what messages call the rows.
    """
    check_tree(tree)
    if isinstance(rows, Scan):
        stopped = rows_stopped(tree.flat, tree.attributes, tree.target, rows, name)
        return _wrong(tree.flat, summed_up(tree.flat, stopped)), _wrong(tree.flat, stopped)
    labels = labels_for(tree.target, rows, "the tree", name)
    if tree.target.values is None:
        return _squares(tree, rows, labels)
    flat, known = tree.flat, len(tree.classes)
    labels = labels.astype(np.intp)
    labels[labels < 0] = known  # one more column, for classes that no node can answer
    stops = Stops.of(flat, tree.attributes, own_columns(tree.attributes, rows))
    place = stops.node * (known + 1) + labels[stops.row]
    ticks = stops.share * (1 if rows.weights is None else rows.weights[stops.row])
    counted = np.bincount(place, ticks, flat.n_nodes * (known + 1))
    stopped = counted.reshape(flat.n_nodes, known + 1)
    if not tree.parts_rows:
        stopped = stopped.astype(np.int64)
    return _wrong(flat, summed_up(flat, stopped)), _wrong(flat, stopped)


def _squares(tree: Tree, rows: Table, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Squared errors: of the rows where they stop, then of each node above them, up to the root."""
    n, node, here = tree.n_nodes, tree.apply(rows), np.arange(rows.n_rows)
    stopped = weighted_sums(node, np.square(tree.answers_at(node, rows) - y), n, rows.weights)
    as_leaf = stopped.copy()
    while (above := tree.flat.parent[node])[inner := above >= 0].size:
        node, here = above[inner], here[inner]
        those = rows.take(here)
        off = tree.answers_at(node, those) - y[here]
        as_leaf += weighted_sums(node, np.square(off), n, those.weights)
    return as_leaf, stopped


def _wrong(flat: Flat, counts: Ints) -> Ints:
    right = counts[np.arange(flat.n_nodes), flat.majority]
    wrong: Ints = counts.sum(axis=1) - right
    return wrong
