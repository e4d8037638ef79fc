"""A tree's leaves one by one: what leads there, what is answered, and how well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import ShownTable, Tabled, amount, value
from dtree_lab.table.table import Table, Value
from dtree_lab.table.ticks import in_units
from dtree_lab.tree import splits as s
from dtree_lab.tree.explanation import four_digits
from dtree_lab.tree.parts import Stops
from dtree_lab.tree.subtrees import errors_on, path_to, resting
from dtree_lab.tree.tree import Path, Tree, own_columns


@dataclass(frozen=True)
class LeafRows:
    """A place where rows stop."""

    node: int  # its number, as `Tree.apply` gives it
    where: tuple[str, ...]  # what holds for its rows, question by question
    answer: Value
    rows: float  # how many, by their weights
    # The share of them answered wrongly; of numbers, their mean squared error. NaN without rows,
    # and where the training rows' is not known.
    error: float
    above: bool = False  # whether it is a question, at which rows stop that lack what it asks


@dataclass(frozen=True, repr=False)
class Leaves(Tabled):
    """Where rows stop in a tree, from left to right; a table where it is shown.

    Attributes
    ----------
    of
        What the rows are: ``"training rows"`` or ``"rows"``.
    leaves
        One :class:`LeafRows` each; also got by a position, ``leaves[0]``, and by a loop.
    """

    of: str
    target: str
    leaves: tuple[LeafRows, ...]
    measure: str  # "share wrong", or "mean squared error"

    def __len__(self) -> int:
        return len(self.leaves)

    def __getitem__(self, i: int) -> LeafRows:
        return self.leaves[i]

    def __iter__(self) -> Iterator[LeafRows]:
        return iter(self.leaves)

    def shown_table(self) -> ShownTable:
        """What is shown."""
        whole = amount(sum(leaf.rows for leaf in self.leaves))
        told = tuple(self._told(leaf) for leaf in self.leaves)
        names = (self.target, self.of, self.measure, "where")
        return ShownTable(f"Where {whole} {self.of} stop", names, told, (False, True, True, False))

    def _told(self, leaf: LeafRows) -> tuple[str, ...]:
        error = "" if leaf.error != leaf.error else f"{leaf.error:.3g}"
        answer = four_digits(leaf.answer) if isinstance(leaf.answer, float) else value(leaf.answer)
        return answer, amount(leaf.rows), error, " and ".join(leaf.where) or "everywhere"


def leaves_of(tree: Tree, table: Table | None) -> Leaves:
    """See :meth:`dtree_lab.Tree.leaves`."""
    flat = tree.flat
    if table is None:
        rows, wrong = _in_training(tree)
    else:
        stops = Stops.of(flat, tree.attributes, own_columns(tree.attributes, table))
        ticks = stops.share * (1 if table.weights is None else table.weights[stops.row])
        rows = np.bincount(stops.node, ticks, flat.n_nodes)
        rows = rows if tree.parts_rows else rows.astype(np.int64)
        wrong = errors_on(tree, table, "the table")[1]
    unit = tree.weight_unit if table is None else table.weight_unit
    found = []
    for path, node in sorted((path_to(flat, node), node) for node in range(flat.n_nodes)):
        above = bool(flat.attr[node] >= 0)
        if above and not rows[node]:
            continue
        error = float(wrong[node] / rows[node]) if rows[node] else nan
        answer = _answer(tree, node)
        where = _conditions(tree, path, node)
        found.append(LeafRows(node, where, answer, in_units(rows[node].item(), unit), error, above))
    measure = "share wrong" if tree.target.values is not None else "mean squared error"
    of = "training rows" if table is None else "rows"
    return Leaves(of, value(tree.target.name), tuple(found), measure)


def _in_training(tree: Tree) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """How many training rows stop at each node, in ticks, and what of them is wrong there."""
    flat = tree.flat
    stopped = np.where((flat.attr >= 0)[:, None], resting(flat), flat.counts)
    rows = stopped.sum(axis=1)
    if tree.target.values is None:
        # Of numbers that rest above a leaf the spread was not kept.
        return rows, np.where(flat.attr >= 0, nan, rows * flat.values[:, 1])
    return rows, rows - stopped[np.arange(flat.n_nodes), flat.majority]


def _answer(tree: Tree, node: int) -> Value:
    if tree.target.values is not None:
        return tree.classes[int(tree.flat.majority[node])]
    return float(tree.flat.values[node, 0])


def _conditions(tree: Tree, path: Path, node: int) -> tuple[str, ...]:
    """What leads to a node, and what makes rows stop there if it asks."""
    found, here = [], 0
    for branch in (*path, -1):
        split = tree.flat.split(here, tree.attributes)
        if split is None:
            break
        attribute = tree.attributes[split.attribute]
        if here == node:
            found.append(f"{attribute.name} is {s.unanswered(split, attribute)}")
            break
        why = s.reason(split, attribute, branch)
        found.append(s.with_gaps(why, split, branch, s.BESIDE_OTHERS))
        here = int(tree.flat.first[here]) + branch
    return tuple(found)
