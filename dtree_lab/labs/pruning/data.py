"""The rows and the full tree of a pruning lab, and the sequence of trees of each method."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.evaluate import holdout
from dtree_lab.grow.api import id3
from dtree_lab.labs.kit.following import paths
from dtree_lab.labs.kit.taking import check_few_classes, classified, measured_with, numbered
from dtree_lab.populations import diagonal
from dtree_lab.populations.base import whole
from dtree_lab.prune import METHODS
from dtree_lab.prune.pruned import CutOrder
from dtree_lab.prune.reduced import SubtreeErrors
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.subtrees import errors_on
from dtree_lab.tree.tree import Path, Tree

Rows: TypeAlias = Literal["training", "validation"]
_EXAMPLE_ROWS = 240
# Beyond these a legend would fill the page, and so a card's strip has no colours either.
MOST_IN_LEGEND, _MOST_CLASSES = 40, 100


@dataclass(frozen=True, eq=False)
class PruningData:
    """What stays as it is while a tree is pruned.

    Nodes are told by their numbers in the full tree, which are breadth first.
    """

    given: Table  # what the lab was made with, before rows were withheld; without rows with gaps
    training: Table  # the rows that the tree was grown on
    validation: Table  # the rows that it is measured with
    full: Tree  # the tree before any cut
    seed: int  # what the rows were withheld with
    withheld: bool = False  # whether the validation rows are some of the given ones
    # The sequences of trees that were asked for so far, by method and confidence.
    sequences: dict[tuple[str, float], PruningSequence] = field(default_factory=dict, repr=False)

    @property
    def flat(self) -> Flat:
        """The full tree as arrays."""
        return self.full.flat

    @property
    def measured(self) -> Table | None:
        """The validation rows that were given; None where rows were withheld."""
        return None if self.withheld else self.validation

    @cached_property
    def wrong(self) -> dict[Rows, tuple[NDArray[Any], NDArray[Any]]]:
        """Wrong rows of each node as a leaf, and among the rows that stop at it."""
        return {
            "training": errors_on(self.full, self.training, "training"),
            "validation": errors_on(self.full, self.validation),
        }

    def standing(self, rows: Rows) -> SubtreeErrors:
        """The full tree's wrong rows, for cuts to be made."""
        return SubtreeErrors(self.flat, *self.wrong[rows])

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """Where each node is."""
        return tuple(paths(self.full))

    @cached_property
    def parent(self) -> list[int]:
        """Each node's parent, -1 for the root; a list, which is read from one at a time."""
        above: list[int] = self.flat.parent.tolist()
        return above

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """The classes of the validation rows as the tree numbers them, -1 for one it lacks."""
        return labels_for(self.full.target, self.validation, "the tree").astype(np.intp)

    @cached_property
    def stops(self) -> NDArray[np.intp]:
        """The node of the full tree where each validation row stops."""
        return self.full.apply(self.validation).astype(np.intp)

    def covered(self, cuts: tuple[int, ...]) -> NDArray[np.intp]:
        """For each node the uppermost cut at or above it, or itself; shape ``(n_nodes,)``."""
        top, shut = list(range(self.flat.n_nodes)), set(cuts)
        for node, above in enumerate(self.parent[1:], 1):  # parents stand before their children
            if above in shut or top[above] != above:
                top[node] = top[above]
        return np.array(top)


def _example() -> Table:
    """Two classes on either side of a diagonal, a tenth of the labels wrong, numbers to read."""
    rows = diagonal().sample(_EXAMPLE_ROWS)
    columns = tuple(np.round(column, 2) for column in rows.columns)
    return Table(rows.attributes, rows.target, columns, rows.labels)


def prepared(table: Table | None, validation: Table | None, seed: int) -> PruningData:
    """Withhold rows where none are given, and grow a tree to its end."""
    seed = whole("seed", seed, 0)
    given = classified(_example() if table is None else table)
    check_few_classes(given.target, _MOST_CLASSES)
    if validation is None:
        training, measured = holdout(numbered(given), seed=seed)
    else:
        training, measured = given, measured_with(validation)
    full = id3(training)
    full.error(measured)  # raises, naming what does not fit
    return PruningData(given, training, measured, full, seed, withheld=validation is None)


@dataclass(frozen=True, eq=False)
class PruningSequence:
    """A method's cuts in order, from the full tree as far as it goes."""

    order: tuple[int, ...]  # the nodes that are cut, each standing when it is
    # After how many cuts there is a tree of the method's, increasing, the first 0.
    stops: tuple[int, ...]
    # Of each of these trees: its nodes, which only fall, and its wrong rows.
    n_nodes: tuple[int, ...]
    training: tuple[int, ...]
    validation: tuple[int, ...]
    # The tree at which the method ends, by its place in `stops`. The rest shows what would come.
    end: int
    # For cost-complexity, the price of a leaf from which each tree is best; None for a full tree
    # that is never best, because some of its leaves spare no training row.
    prices: tuple[float | None, ...] = ()

    def cuts(self, stop: int) -> tuple[int, ...]:
        """The cuts that lead to a tree."""
        return self.order[: self.stops[stop]]


def sequence_of(data: PruningData, method: str, cf: float) -> PruningSequence:
    """The trees of a method; the confidence matters only to one that needs it."""
    way = METHODS[method]
    key = (method, cf if "cf" in way.needs else 0.0)
    if key not in data.sequences:
        cuts = way.cuts(data.full, data.training, data.validation, cf)
        data.sequences[key] = _sequence(data, cuts)
    return data.sequences[key]


def _sequence(data: PruningData, plan: CutOrder) -> PruningSequence:
    stops = tuple(plan.stops)
    at = set(stops)
    rows = data.standing("training"), data.standing("validation")
    kept = np.ones(data.flat.n_nodes, dtype=bool)
    told: list[tuple[int, ...]] = []
    for made in range(len(plan.order) + 1):
        if made in at:
            told.append((int(kept.sum()), *(int(one.below[0]) for one in rows)))
        if made < len(plan.order):
            for one in rows:
                gone = one.cut(plan.order[made])[1]
            for stretch in gone:
                kept[stretch] = False
    n_nodes, training, validation = zip(*told, strict=True)
    if plan.end is None:
        end = max(i for i, wrong in enumerate(validation) if wrong == min(validation))
    else:
        end = n_nodes.index(plan.end)
    order = tuple(plan.order)
    return PruningSequence(order, stops, n_nodes, training, validation, end, plan.prices)
