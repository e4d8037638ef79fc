"""Subtree raising: a node's largest branch takes its place, and the node's rows go through it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.table import Table, missing_of
from dtree_lab.tree.arrays import from_splits
from dtree_lab.tree.splits import ByValue, Split
from dtree_lab.tree.tree import Tree

# Expected errors of some nodes: the counts of the rows that stop there, and the answers there.
Expected = Callable[[Ints, Ints], Floats]


class _Standing:
    """A node while others are raised: it changes."""

    def __init__(self, rows: Ints) -> None:
        self.rows = rows
        self.split: Split | None = None
        self.children: list[_Standing] = []

    def below(self) -> list[_Standing]:
        """The node and all below it, breadth first."""
        found = [self]
        for node in found:
            found += node.children
        return found


class Raising:
    """The training rows on a tree in which subtrees are raised, and what is expected of them."""

    def __init__(self, tree: Tree, table: Table, expected: Expected, slack: float) -> None:
        if (tree.flat.gaps >= 0).any():
            raise ValueError("raising=True is for trees in which rows without a value rest")
        self._tree, self._table, self._expected, self._slack = tree, table, expected, slack
        nodes = [_Standing(np.arange(table.n_rows)) for _ in range(tree.n_nodes)]
        for i, node in enumerate(nodes):
            node.split = tree.flat.split(i, tree.attributes)
            first = int(tree.flat.first[i])
            node.children = nodes[first : first + int(tree.flat.width[i])]
        self.root = nodes[0]
        self._pass_down(self.root)

    def run(self) -> Tree:
        """From the leaves up each node stands, becomes a leaf, or gives way to a branch."""
        waiting = self.root.below()
        while waiting:
            node = waiting.pop()
            if node.split is None:
                continue
            # The last of equally large ones, as the program has it.
            largest = max(reversed(node.children), key=lambda child: self._counts(child.rows).sum())
            leaf, stands = self._costs([node.rows]), self._costs_below(node, node.rows)
            raised = self._costs_below(largest, node.rows)
            if leaf <= min(stands, raised) + self._slack:
                node.split, node.children = None, []
            elif raised <= stands + self._slack:
                node.split, node.children = largest.split, largest.children
                self._pass_down(node)
                waiting += node.below()
        every = self.root.below()
        counts = np.array([self._counts(node.rows) for node in every])
        splits = [node.split for node in every]
        tree, flat = self._tree, from_splits(splits, counts, self._tree.attributes)
        criterion, unit = tree.criterion, tree.weight_unit
        return Tree(tree.attributes, tree.target, flat, criterion=criterion, weight_unit=unit)

    def _pass_down(self, top: _Standing) -> None:
        """Send a node's rows on."""
        for node in (waiting := [top]):
            if node.split is None:
                continue
            parts, _ = self._parted(node, node.rows)
            if isinstance(node.split, ByValue):
                node.split = ByValue(node.split.attribute, tuple(group for group, *_ in parts))
            node.children = [child for _, child, _ in parts]
            for _, child, rows in parts:
                child.rows = rows
            waiting += node.children

    def _parted(
        self, node: _Standing, rows: Ints
    ) -> tuple[list[tuple[tuple[int, ...], _Standing, Ints]], Ints]:
        """The branches of rows at a node, new ones for values new to it, and which rows rest."""
        split = cast("Split", node.split)
        column = self._table.columns[split.attribute][rows]
        branch, gaps = split.branch(column), missing_of(column)
        groups = getattr(split, "groups", [()] * split.n_branches)
        parts = [
            (group, child, rows[branch == b])
            for b, (group, child) in enumerate(zip(groups, node.children, strict=True))
        ]
        if max(map(len, groups)) != 1:
            return parts, rows[branch < 0]
        for code in np.unique(column[(branch < 0) & ~gaps]).tolist():
            new = rows[column == code]
            insort(parts, ((code,), _Standing(new), new), key=lambda part: part[0])
        return parts, rows[gaps]

    def _costs_below(self, top: _Standing, rows: Ints) -> float:
        """What a subtree is expected to get wrong of some rows."""
        waiting, stops, resting = [(top, rows)], [], 0.0
        for node, here in waiting:
            if node.split is None:
                stops.append(here)
                continue
            parts, rest = self._parted(node, here)
            waiting += [part[1:] for part in parts]
            if len(rest):  # they are answered by all that came
                resting += self._costs([rest], here)
        return self._costs(stops) + resting

    def _costs(self, groups: Sequence[Ints], answered: Ints | None = None) -> float:
        counts = np.array([self._counts(rows) for rows in groups if len(rows)])
        if not len(counts):
            return 0.0
        answers = counts if answered is None else self._counts(answered)[None]
        return float(self._expected(counts, answers.argmax(axis=1)).sum())

    def _counts(self, rows: Ints) -> Ints:
        weights = None if self._table.weights is None else self._table.weights[rows]
        counts = np.bincount(self._table.labels[rows], weights, len(self._tree.classes))
        return counts.astype(np.int64)
