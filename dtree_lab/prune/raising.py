"""Subtree raising: a node's largest branch takes its place, and the node's rows go through it."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.table import Table, missing_of
from dtree_lab.tree.arrays import from_splits
from dtree_lab.tree.parts import in_fewest_ticks, in_parts, parts_of
from dtree_lab.tree.splits import IN_PARTS, RESTS, ByValue, Split
from dtree_lab.tree.tree import Tree

# So many times less than a row are the ticks that two equal sums of parts may differ by.
_TRACE = 500
# Expected errors of some nodes: the ticks of the rows that stop there, and the answers there; and
# how many ticks a row is.
Expected = Callable[[Ints, Ints, int], Floats]


class _Rows(NamedTuple):
    """Rows of the table, or parts of them."""

    at: Ints
    ticks: Ints

    def take(self, some: NDArray[Any], ticks: Ints | None = None) -> _Rows:
        return _Rows(self.at[some], (self.ticks if ticks is None else ticks)[some])


class _Standing:
    """A node while others are raised: it changes."""

    def __init__(self, rows: _Rows) -> None:
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
        self._tree, self._expected, self._slack = tree, expected, slack
        self._least = table.weight_unit
        self._table = table = in_parts(table) if tree.parts_rows else table
        ones = np.ones(table.n_rows, dtype=np.int64)
        every = _Rows(np.arange(len(ones)), ones if table.weights is None else table.weights)
        nodes = [_Standing(every) for _ in range(tree.n_nodes)]
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
            # The last of equally large ones, as the program has it; parts are off by some ticks.
            sizes = np.array([int(child.rows.ticks.sum()) for child in node.children])
            near = sizes + self._table.weight_unit // _TRACE >= sizes.max()
            largest = node.children[int(np.flatnonzero(near)[-1])]
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
        flat, unit = in_fewest_ticks(flat, self._table.weight_unit, self._least)
        return replace(tree.with_nodes(flat), weight_unit=unit)

    def _pass_down(self, top: _Standing) -> None:
        """Send a node's rows on."""
        for node in (waiting := [top]):
            if node.split is None:
                continue
            parts, _ = self._parted(node, node.rows)
            if isinstance(node.split, ByValue):
                node.split = replace(node.split, groups=tuple(group for group, *_ in parts))
            node.children = [child for _, child, _ in parts]
            for _, child, rows in parts:
                child.rows = rows
            waiting += node.children

    def _parted(
        self, node: _Standing, rows: _Rows
    ) -> tuple[list[tuple[tuple[int, ...], _Standing, _Rows]], _Rows]:
        """The branches of rows at a node, new ones for values new to it, and which rows rest."""
        split = cast("Split", node.split)
        column = self._table.columns[split.attribute][rows.at]
        branch, groups = split.branch(column), getattr(split, "groups", [()] * split.n_branches)
        branches = list(zip(groups, node.children, strict=True))
        if isinstance(split, ByValue) and max(map(len, groups)) == 1:
            for code in np.unique(column[(branch == RESTS) & ~missing_of(column)]).tolist():
                new = _Standing(rows.take(column == code))
                insort(branches, ((code,), new), key=lambda way: way[0])
            branch = replace(split, groups=tuple(group for group, _ in branches)).branch(column)
        here = [branch == b for b in range(len(branches))]
        known = np.array([rows.ticks[mine].sum() for mine in here])
        parts = parts_of(np.where(branch == IN_PARTS, rows.ticks, 0), known)
        ways = [
            (group, child, rows.take(mine | (part > 0), np.where(mine, rows.ticks, part)))
            for (group, child), mine, part in zip(branches, here, parts, strict=True)
        ]
        return ways, rows.take(branch == RESTS)

    def _costs_below(self, top: _Standing, rows: _Rows) -> float:
        """What a subtree is expected to get wrong of some rows."""
        waiting, stops, resting = [(top, rows)], [], 0.0
        for node, here in waiting:
            if node.split is None:
                stops.append(here)
                continue
            parts, rest = self._parted(node, here)
            waiting += [part[1:] for part in parts]
            if len(rest.at):  # they are answered by all that came
                resting += self._costs([rest], here)
        return self._costs(stops) + resting

    def _costs(self, groups: Sequence[_Rows], answered: _Rows | None = None) -> float:
        counts = np.array([self._counts(rows) for rows in groups if len(rows.at)])
        if not len(counts):
            return 0.0
        answers = counts if answered is None else self._counts(answered)[None]
        unit = self._table.weight_unit
        return float(self._expected(counts, answers.argmax(axis=1), unit).sum())

    def _counts(self, rows: _Rows) -> Ints:
        labels = self._table.labels[rows.at]
        return np.bincount(labels, rows.ticks, len(self._tree.classes)).astype(np.int64)
