"""The tree that a person grows: nodes that know their rows and never change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.recipe import Candidate, Recipe, recipe
from dtree_lab.grow.textbook import best_candidate, best_split
from dtree_lab.labs.kit.actions import NotPossibleError
from dtree_lab.table.table import Table, Value
from dtree_lab.tree.splits import Split
from dtree_lab.tree.tree import Branch, Counts, Leaf, Node, Path, Tree, unflatten

# Marks on all axes together, and bins of one axis: more would take long to draw, and be no clearer.
_MARKS, _FEWEST, _MOST = 800, 16, 100


@dataclass(frozen=True)
class AttributeAxis:
    """One attribute's values."""

    # The least and the greatest value.
    low: float
    high: float
    # The cut that parts the distinct values in halves; None where there is but one value.
    middle: float | None
    # ``[x, class, rows]``, in bins where there are too many to be drawn one by one.
    points: list[list[float]]


def _axes(part: Table) -> tuple[AttributeAxis | None, ...]:
    continuous = sum(attribute.values is None for attribute in part.attributes)
    bins = _MARKS // max(1, continuous * len(part.classes))
    most = min(max(bins, _FEWEST), _MOST)
    return tuple(
        None if attribute.values is not None else _axis(part, column, most)
        for attribute, column in zip(part.attributes, part.columns, strict=True)
    )


def _axis(part: Table, column: NDArray[np.float64], most: int) -> AttributeAxis:
    values, places = np.unique(column, return_inverse=True)
    low, high = float(values[0]), float(values[-1])
    middle = None
    if len(values) > 1:
        i = (len(values) - 1) // 2
        middle = float((values[i] + values[i + 1]) / 2)
    digits = 12
    if len(values) > most:
        digits = 7  # the middle of a bin is nobody's value
        edges = np.linspace(low, high, most + 1)
        places = np.searchsorted(edges[1:-1], column, side="right")
        values = (edges[1:] + edges[:-1]) / 2
    k = len(part.classes)
    rows = np.bincount(places * k + part.labels, minlength=len(values) * k)
    (found,) = np.nonzero(rows)
    points: list[list[float]] = [
        [float(f"{x:.{digits}g}"), label, n]
        for x, label, n in zip(
            values[found // k].tolist(), (found % k).tolist(), rows[found].tolist(), strict=True
        )
    ]
    return AttributeAxis(low, high, middle, points)


ID3 = recipe("id3")
MOST_DEPTH = 100
# What depends on a node's rows alone outlives an edit of its question, or of what is below it.
_OF_ROWS = ("part", "counts", "offers", "axes")


@dataclass(frozen=True, eq=False)
class BuiltNode:
    """A node with its rows. An edit makes new nodes on the path to it and shares all others."""

    table: Table  # the whole training table
    rows: NDArray[np.intp]  # the node's rows, as positions in it
    split: Split | None = None  # what it asks; None at a leaf
    children: tuple[BuiltNode, ...] = ()  # one node per branch
    # At the root, what the latest questions were chosen by: a person's by entropy.
    criterion: str = "entropy"

    @cached_property
    def part(self) -> Table:
        """The node's rows as a table."""
        return self.table.take(self.rows)

    @cached_property
    def counts(self) -> Counts:
        """Rows of each class."""
        k = len(self.table.classes)
        return tuple(np.bincount(self.table.labels[self.rows], minlength=k).tolist())

    @property
    def pure(self) -> bool:
        """Whether all rows have one class."""
        return max(self.counts) == len(self.rows)

    @cached_property
    def offers(self) -> tuple[Candidate | None, ...]:
        """Each attribute's best split here, None for one that parts nothing."""
        return tuple(best_split(self.part, i, ID3) for i in range(len(self.table.attributes)))

    @cached_property
    def axes(self) -> tuple[AttributeAxis | None, ...]:
        """Where the rows lie on each continuous attribute's axis."""
        return _axes(self.part)

    @property
    def best(self) -> Candidate | None:
        """What ID3 would ask here, were the rows not pure."""
        return best_candidate([offer for offer in self.offers if offer], ID3)

    @cached_property
    def node(self) -> Node:
        """The subtree as plain leaves and branches."""
        if self.split is None:
            return Leaf(self.counts)
        return Branch(self.counts, self.split, tuple(child.node for child in self.children))

    @cached_property
    def tree(self) -> Tree:
        """The subtree as a tree."""
        tree = Tree.of(self.table, self.node, self.criterion)
        vars(tree)["root"] = self.node  # known already
        return tree

    @cached_property
    def wrong(self) -> int:
        """Training rows that the leaves below get wrong."""
        if self.split is None:
            return len(self.rows) - max(self.counts)
        return sum(child.wrong for child in self.children)

    @cached_property
    def unfinished(self) -> bool:
        """Whether the rows of any leaf below have several classes."""
        if self.split is None:
            return not self.pure
        return any(child.unfinished for child in self.children)

    def growable(self, locked: frozenset[Path], path: Path = ()) -> bool:
        """Whether any leaf that is not locked has rows of several classes."""
        if path in locked or not self.unfinished:
            return False
        below = (child.growable(locked, (*path, i)) for i, child in enumerate(self.children))
        return self.split is None or any(below)

    def at(self, path: Path) -> BuiltNode | None:
        """The node of a path, or None."""
        node = self
        for branch in path:
            if not 0 <= branch < len(node.children):
                return None
            node = node.children[branch]
        return node

    def nearest(self, path: Path) -> Path:
        """The longest part of a path that leads to a node."""
        while self.at(path) is None:
            path = path[:-1]
        return path

    def edited(self, path: Path, edit: Callable[[BuiltNode], BuiltNode]) -> BuiltNode:
        """The tree with the node of a path replaced."""
        if not path:
            return edit(self)
        children = list(self.children)
        children[path[0]] = children[path[0]].edited(path[1:], edit)
        return self._made(children=tuple(children))

    def told_by(self, criterion: str) -> BuiltNode:
        """The tree with a criterion, which its nodes are told by from now on."""
        return self._made(criterion=criterion) if criterion != self.criterion else self

    def _made(self, **changes: Any) -> BuiltNode:
        """The node with another question, say; what was computed of its rows stays."""
        made = replace(self, **changes)
        made.__dict__.update({key: vars(self)[key] for key in _OF_ROWS if key in vars(self)})
        return made

    def leaf(self) -> BuiltNode:
        """The node without its question."""
        return self._made(split=None, children=())

    def asking(self, split: Split) -> BuiltNode:
        """The node with a question, and a leaf for each answer."""
        return self._made(split=split, children=self._parted(split))

    def _parted(self, split: Split) -> tuple[BuiltNode, ...]:
        """A leaf for each answer to a question."""
        branch = split.branch(self.table.columns[split.attribute][self.rows])
        rows = (self.rows[branch == i] for i in range(split.n_branches))
        return tuple(BuiltNode(self.table, each) for each in rows)

    def like(self, node: Node) -> BuiltNode:
        """The node with the questions of a tree that was grown on its rows."""
        if isinstance(node, Leaf):
            made = self.leaf()
        else:
            below = zip(self._parted(node.split), node.children, strict=True)
            made = self._made(split=node.split, children=tuple(g.like(n) for g, n in below))
        vars(made).update(counts=node.counts, node=node)  # the same rows, so the same counts
        return made

    def finished(self, how: Recipe, locked: frozenset[Path], path: Path = ()) -> BuiltNode:
        """The tree with every leaf that is not locked grown on."""
        if path in locked or not self.unfinished:
            return self
        if self.split is None:
            flat = grow_tree(self.part, how)
            check_depth(len(path) + int(flat.depth.max()))
            return self.like(unflatten(flat, self.table.attributes))
        below = (child.finished(how, locked, (*path, i)) for i, child in enumerate(self.children))
        return self._made(children=tuple(below))

    def leaves(self, path: Path = ()) -> Iterator[tuple[Path, BuiltNode]]:
        """The leaves with their paths."""
        if self.split is None:
            yield path, self
        for i, child in enumerate(self.children):
            yield from child.leaves((*path, i))


def check_depth(depth: int) -> None:
    """Raise a NotPossibleError for a tree that would be too deep to be looked at."""
    if depth > MOST_DEPTH:
        raise NotPossibleError(
            f"The tree would be {depth:,} questions deep; a tree builder grows at most"
            f" {MOST_DEPTH}. dt.id3 and its kin grow deeper ones."
        )


def planted(table: Table) -> BuiltNode:
    """The tree before anything was asked: one leaf with all rows."""
    return BuiltNode(table, np.arange(table.n_rows))


def present(node: BuiltNode, name: str) -> list[Value]:
    """The values of a discrete attribute that rows at a node have, in their order."""
    i = node.table.index(name)
    values = node.table.attributes[i].values or ()
    return [values[code] for code in np.unique(node.part.columns[i]).tolist()]
