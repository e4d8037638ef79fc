"""A tree's questions by names and values, which any table with these attributes can be asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from dtree_lab.table.table import Table
from dtree_lab.tree.splits import Intervals, Split
from dtree_lab.tree.tree import Path, Tree


def as_tree(thing: Any, table: Table) -> Tree:
    """A tree, an estimator's, or a model's, filled with the rows, its cuts in the middle."""
    tree = thing if isinstance(thing, Tree) else getattr(thing, "tree_", None)
    return tree if isinstance(tree, Tree) else Tree.from_model(thing, table, cuts="middle")


def questions_of(tree: Tree) -> list[Any]:
    """What each node asks, breadth first: a name with its cuts or groups of values, None at a leaf.

    Where rows without a value go on, the number of their branch comes third.

    Lists, numbers and texts alone, so that it can stand in JSON.
    """
    nodes = range(tree.n_nodes)
    splits = [tree.flat.split(node, tree.attributes) for node in nodes]
    return [None if split is None else _question(split, tree) for split in splits]


def _question(split: Split, tree: Tree) -> list[Any]:
    attribute = tree.attributes[split.attribute]
    gaps = [split.gaps] if split.gaps >= 0 else []
    if isinstance(split, Intervals):
        return [attribute.name, list(split.cuts), *gaps]
    values = attribute.values or ()
    return [attribute.name, [[values[code] for code in group] for group in split.groups], *gaps]


def by_path(questions: Sequence[Any]) -> dict[Path, Any]:
    """Questions that stand breadth first, by their paths; a ValueError for what is no tree's."""
    found: dict[Path, Any] = {}
    waiting: deque[Path] = deque([()])
    for question in questions:
        if not waiting:
            raise ValueError("there are more questions than nodes")
        path = waiting.popleft()
        match question:
            case None:
                continue
            case [str(name), [list(), *_] as groups, *gaps]:
                found[path], width = (name, groups, *gaps), len(groups)
            case [str(name), [_, *_] as cuts, *gaps]:
                found[path], width = (name, cuts, *gaps), len(cuts) + 1
            case _:
                raise ValueError(f"{question!r:.60} is no question")
        waiting.extend((*path, branch) for branch in range(width))
    if waiting:
        raise ValueError(f"it is not said what the node at {list(waiting[0])} asks")
    return found
