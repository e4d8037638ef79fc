"""Two trees laid over each other from the root, though they may know different tables."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.pruning.arrays import summed_up
from dtree_lab.shown import value
from dtree_lab.splits import Intervals, answer, question, reason

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.splits import Split
    from dtree_lab.table import Attribute, Table, Value
    from dtree_lab.tree import Path, Tree

Trees = tuple["Tree", "Tree"]


@dataclass(frozen=True)
class Pair:
    """A node of each tree that the same rows come to, since all above is the same in both.

    Attributes
    ----------
    nodes, paths
        Their numbers, and where they are. The trees may take another order of the branches.
    splits
        What they ask; None at a leaf.
    ways
        Where both ask the same, for each branch of the first that of the second; else None.
    where
        What holds for the rows there, question by question.
    """

    nodes: tuple[int, int]
    paths: tuple[Path, Path]
    splits: tuple[Split | None, Split | None]
    ways: tuple[int, ...] | None
    where: tuple[str, ...]


def pairs(trees: Trees) -> Iterator[Pair]:
    """The nodes above which all is the same, breadth first; below others nothing is compared."""
    one, other = trees
    waiting: deque[tuple[tuple[int, int], tuple[Path, Path], tuple[str, ...]]]
    waiting = deque([((0, 0), ((), ()), ())])
    while waiting:
        nodes, paths, where = waiting.popleft()
        mine = one.flat.split(nodes[0], one.attributes)
        theirs = other.flat.split(nodes[1], other.attributes)
        ways = None if mine is None or theirs is None else _ways(trees, mine, theirs)
        yield Pair(nodes, paths, (mine, theirs), ways, where)
        if mine is None or ways is None:
            continue
        first = int(one.flat.first[nodes[0]]), int(other.flat.first[nodes[1]])
        for b, c in enumerate(ways):
            why = reason(mine, one.attributes[mine.attribute], b)
            below = first[0] + b, first[1] + c
            waiting.append((below, ((*paths[0], b), (*paths[1], c)), (*where, why)))


def _ways(trees: Trees, mine: Split, theirs: Split) -> tuple[int, ...] | None:
    """For each branch of the first question that of the second; None where they ask otherwise."""
    one, other = trees
    if one.attributes[mine.attribute].name != other.attributes[theirs.attribute].name:
        return None
    here, there = _branches(mine, one.attributes), _branches(theirs, other.attributes)
    if set(here) != set(there):
        return None
    at = {way: branch for branch, way in enumerate(there)}
    return tuple(at[way] for way in here)


def _branches(split: Split, attributes: Sequence[Attribute]) -> list[Hashable]:
    """What leads into each branch, in terms that hold for any table."""
    if isinstance(split, Intervals):
        return list(zip((None, *split.cuts), (*split.cuts, None), strict=True))
    values = attributes[split.attribute].values or ()
    return [frozenset(_key(values[code]) for code in group) for group in split.groups]


def _key(v: Value) -> Hashable:
    return isinstance(v, bool), v  # True and 1 are not the same value


# -- what nodes do, in words -----------------------------------------------------------------------


def does(trees: Trees, pair: Pair) -> tuple[str, str]:
    """What each tree does at a pair of nodes: ``("asks Refund", "answers No")``.

    Where both ask about the same, which they do with other branches, these are told.
    """
    said = []
    for tree, split, node in zip(trees, pair.splits, pair.nodes, strict=True):
        if split is None:
            said.append(f"answers {_told(tree, node)}")
        else:
            said.append(f"asks {question(split, tree.attributes[split.attribute])}")
    if said[0] == said[1]:
        told = zip(said, pair.splits, trees, strict=True)
        said = [f"{what} ({_listed(split, tree)})" for what, split, tree in told]
    return said[0], said[1]


def answers(trees: Trees, pair: Pair) -> tuple[str, str]:
    """What each tree answers the rows that stop at a pair of nodes."""
    first, second = (_told(tree, at) for tree, at in zip(trees, pair.nodes, strict=True))
    return f"answers {first}", f"answers {second}"


def _listed(split: Split | None, tree: Tree) -> str:
    if split is None:
        return "otherwise"
    attribute = tree.attributes[split.attribute]
    return " / ".join(answer(split, attribute, b) for b in range(split.n_branches))


def _told(tree: Tree, node: int) -> str:
    if tree.target.values is not None:
        return value(tree.classes[int(tree.flat.majority[node])])
    first, _, *line = tree.flat.values[node].tolist()
    return f"{first:.6g} and a line" if any(line[::2]) else f"{first:.6g}"


def answer_alike(trees: Trees, pair: Pair) -> bool:
    """Whether rows that stop at a pair of nodes are all answered the same."""
    return _answer(trees[0], pair.nodes[0]) == _answer(trees[1], pair.nodes[1])


def _answer(tree: Tree, node: int) -> Hashable:
    """What a node answers; of a line everything but how far its rows lie apart."""
    if tree.target.values is not None:
        return _key(tree.classes[int(tree.flat.majority[node])])
    first, _, *line = tree.flat.values[node].tolist()
    return first, *line


# -- what becomes of rows --------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """What becomes of a table's rows in both trees.

    Attributes
    ----------
    answers
        Both answers and the labels, as numbers; shape ``(3, n_rows)``.
    differ
        Which rows are answered differently.
    stopped, passed
        Of each node of the first tree the rows that stop there, and those that stop there or
        below, and of these in turn how many differ; shape ``(n_nodes, 2)``.
    """

    answers: NDArray[Any]
    differ: NDArray[np.bool_]
    stopped: NDArray[Any]
    passed: NDArray[Any]

    @classmethod
    def of(cls, trees: Trees, table: Table) -> Rows:
        """Send the rows through both trees."""
        stops = [tree.apply(table) for tree in trees]
        found = _answered(trees, stops, table)
        differ = found[0] != found[1]
        n, flat = trees[0].n_nodes, trees[0].flat
        at = (np.bincount(stops[0], minlength=n), np.bincount(stops[0][differ], minlength=n))
        stopped = np.stack(at, axis=1)
        return cls(found, differ, stopped, summed_up(flat, stopped))

    def judged(self, *, by_distance: bool) -> tuple[int, int]:
        """How many rows the other tree answers better and worse."""
        one, other, truth = self.answers
        off = (one - truth, other - truth) if by_distance else (one != truth, other != truth)
        wrong, still = (np.abs(o.astype(float)) for o in off)
        return int((still < wrong).sum()), int((still > wrong).sum())


def _answered(trees: Trees, stops: Sequence[NDArray[Any]], table: Table) -> NDArray[Any]:
    """Both trees' answers and the labels as numbers, equal where the values are.

    Parameters
    ----------
    trees, table
        The trees and the rows.
    stops
        The nodes where the rows stop, by tree.

    Returns
    -------
    numpy.ndarray
        Of shape ``(3, n_rows)``.
    """
    both = list(zip(trees, stops, strict=True))
    if table.target.values is None:
        return np.stack([*(tree.answers_at(at, table) for tree, at in both), table.labels])
    numbers: dict[Hashable, int] = {}

    def numbered(values: Sequence[Value]) -> NDArray[Any]:
        return np.array([numbers.setdefault(_key(v), len(numbers)) for v in values])

    found = [numbered(tree.classes)[tree.flat.majority[at]] for tree, at in both]
    return np.stack([*found, numbered(table.classes)[table.labels]])
