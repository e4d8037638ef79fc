"""The textbook's forest: it narrates with ``yield`` and builds with ``return``.

For each tree: draw a bootstrap sample; grow on it, drawing some attributes at each node and asking
the best of these; ask the tree about the rows that it did not see. That is Breiman's algorithm.
:mod:`dtree_lab.grow.engine` grows the same trees fast; the tests hold the two to be equal.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.random import Keys, subkey
from dtree_lab.ensemble.out_of_bag import OutOfBag, OutOfBagAnswers, Votes, of_copies
from dtree_lab.ensemble.settings import ForestSettings, grown_rows
from dtree_lab.grow.engine.sampling import attributes_drawn, root_key
from dtree_lab.grow.leaf_values import answered
from dtree_lab.grow.recipe import Candidate, Recipe
from dtree_lab.grow.textbook import Considered, Event, Opened, best_split, grow_by_recipe
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Node, Path, Tree, flatten


@dataclass(frozen=True)
class Sampled:
    """A tree begins: its bootstrap sample was drawn."""

    tree: int  # its number, from 0
    rows: tuple[int, ...]  # in increasing order, as often as each was drawn
    out_of_bag: tuple[int, ...]  # the rows that were not drawn


@dataclass(frozen=True)
class Drew:
    """A node drew attributes to choose from."""

    tree: int  # where the node is
    path: Path
    # By position, as drawn: `m`, and more only where none of these can split.
    attributes: tuple[int, ...]


@dataclass(frozen=True)
class InTree:
    """Something happened in a tree: what its grower tells."""

    tree: int
    event: Event


@dataclass(frozen=True)
class Added:
    """A tree is finished and votes from now on."""

    tree: int  # its number, from 0
    n_leaves: int
    oob_error: float  # of all trees so far; NaN while no row has been out of bag


ForestEvent: TypeAlias = Sampled | Drew | InTree | Added
Grown: TypeAlias = "tuple[tuple[Tree, ...], OutOfBag]"


def forest_growth(
    table: Table, in_ticks: Table, plan: ForestSettings, n_trees: int
) -> Generator[ForestEvent, None, Grown]:
    """Grow one tree after the other, on the training rows with their numbers in ticks."""
    row_of = plan.row_of(table.n_rows)
    trees, counted = [], Votes(table, row_of)
    for t in range(n_trees):
        rows = plan.rows(t, table.n_rows)
        others = np.setdiff1d(np.arange(table.n_rows), rows)
        yield Sampled(t, tuple(rows.tolist()), tuple(others.tolist()))
        root = yield from tree_growth(in_ticks.take(rows), plan, t)
        flat = flatten(root, table.attributes)
        tree = answered(
            grown_rows(table, plan).take(rows), flat, criterion=plan.recipe.criterion.name
        )
        trees.append(tree)
        said = said_by(tree, table, others)
        if row_of is not None:
            (out,) = plan.out([t], table.n_rows)
            said = of_copies(said_by(tree, table, np.unique(row_of[out])), out, row_of)
        yield Added(t, tree.n_leaves, counted.add(said))
    return tuple(trees), counted.counted()


def said_by(tree: Tree, table: Table, rows: NDArray[Any]) -> OutOfBagAnswers:
    """What a tree answers to some rows of a table."""
    if not rows.size:
        return OutOfBagAnswers(rows, rows)
    part = table.take(rows)
    if table.target.values is None:
        return OutOfBagAnswers(rows, tree.predict(part))
    return OutOfBagAnswers(rows, tree.flat.majority[tree.apply(part)])


def tree_growth(
    sample: Table, plan: ForestSettings, tree: int
) -> Generator[ForestEvent, None, Node]:
    """Grow one tree on its sample, drawing attributes at each node."""
    drawing = _Drawing(plan, root_key(plan.seed, tree))
    events = grow_by_recipe(sample, replace(plan.recipe, propose=drawing.propose))
    while True:
        try:
            event = next(events)
        except StopIteration as end:
            root: Node = end.value
            return root
        drawn = drawing.follow(event)
        if drawn:
            yield Drew(tree, event.path, drawn)
        yield InTree(tree, event)


class _Drawing:
    """What the nodes of a tree draw while it grows.

    The grower does not say which node it looks at, but the order is known: a node's children come
    after it has been opened, one after the other.
    """

    def __init__(self, plan: ForestSettings, key: Keys) -> None:
        self.m = plan.m
        self.keys: dict[Path, Keys] = {(): key}
        self.waiting: list[Path] = [()]  # the node that is looked at next is on top
        self.drawn: list[int] = []

    def propose(self, part: Table, recipe: Recipe) -> list[Candidate]:
        """The best split by each of `m` attributes, or by the first after these that can split."""
        found: list[Candidate] = []
        for attribute in attributes_drawn(self.keys[self.waiting[-1]], len(part.attributes)):
            self.drawn.append(attribute)
            candidate = best_split(part, attribute, recipe)
            if candidate is not None:
                found.append(candidate)
            if found and len(self.drawn) >= self.m:
                break
        return sorted(found, key=lambda candidate: candidate.split.attribute)

    def follow(self, event: Event) -> tuple[int, ...]:
        """Keep up with the grower; what the node that was looked at has drawn."""
        drawn = tuple(self.drawn)
        self.drawn.clear()
        match event:
            case Considered():
                self.waiting.pop()
            case Opened(path, _, split):
                key = self.keys[path]
                children = {(*path, i): subkey(key, i) for i in range(split.n_branches)}
                self.keys |= children
                self.waiting += reversed(children)
        return drawn
