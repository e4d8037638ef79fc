"""What a pruning lab stands on: the rows, the tree grown on them, and what its nodes cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from dtree_lab.encoding import labels_for
from dtree_lab.evaluate import holdout
from dtree_lab.learn.api import id3
from dtree_lab.learn.pruning.arrays import errors_on
from dtree_lab.learn.pruning.standing import Standing
from dtree_lab.populations import diagonal
from dtree_lab.table import Table
from dtree_lab.widgets.kit.taking import (
    check_few_classes,
    classified,
    measured_with,
    numbered,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.pruning.course import Course

Rows: TypeAlias = Literal["training", "validation"]
_EXAMPLE_ROWS = 240
# Beyond these a legend would fill the page, and so a card's strip has no colours either.
MOST_IN_LEGEND, _MOST_CLASSES = 40, 100


@dataclass(frozen=True, eq=False)
class Ground:
    """What stays as it is while a tree is pruned.

    Attributes
    ----------
    given
        The table that the lab was made with, before rows were withheld; without rows with gaps.
    training, validation
        The rows that the tree was grown on, and those that it is measured with.
    full
        The tree before any cut. Nodes are told by their numbers in it, which are breadth first.
    seed
        What the rows were withheld with.
    withheld
        Whether the validation rows are some of the given ones.
    courses
        The sequences of trees that were asked for so far, by method and confidence.
    """

    given: Table
    training: Table
    validation: Table
    full: Tree
    seed: int
    withheld: bool = False
    courses: dict[tuple[str, float], Course] = field(default_factory=dict, repr=False)

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

    def standing(self, rows: Rows) -> Standing:
        """The full tree's wrong rows, for cuts to be made."""
        return Standing(self.flat, *self.wrong[rows])

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """Where each node is."""
        found: list[Path] = [()]
        first = self.flat.first.tolist()
        for node, above in enumerate(self.flat.parent.tolist()):
            if node:
                found.append((*found[above], node - first[above]))
        return tuple(found)

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
        flat = self.flat
        top = np.arange(flat.n_nodes)
        shut = np.zeros(flat.n_nodes, dtype=bool)
        shut[list(cuts)] = True
        for depth in range(1, int(flat.depth.max()) + 1):
            level = np.flatnonzero(flat.depth == depth)
            above = flat.parent[level]
            top[level] = np.where(shut[above], top[above], level)
            shut[level] |= shut[above]
        return top


def _example() -> Table:
    """Two classes on either side of a diagonal, a tenth of the labels wrong, numbers to read."""
    rows = diagonal().sample(_EXAMPLE_ROWS)
    columns = tuple(np.round(column, 2) for column in rows.columns)
    return Table(rows.attributes, rows.target, columns, rows.labels)


def prepared(table: Table | None, validation: Table | None, seed: int) -> Ground:
    """Withhold rows where none are given, and grow a tree to its end.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a table that no classification tree can be grown on, more classes than are shown, rows
        that do not fit it, a single row where some have to be withheld, or a seed that is no whole
        number from 0.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        msg = f"seed={seed!r} must be a whole number, at least 0"
        raise ValueError(msg)
    given = classified(_example() if table is None else table)
    check_few_classes(given.target, _MOST_CLASSES)
    if validation is None:
        training, measured = holdout(numbered(given), seed=seed)
    else:
        training, measured = given, measured_with(validation)
    full = id3(training)
    full.error(measured)  # raises, naming what does not fit
    return Ground(given, training, measured, full, seed, withheld=validation is None)
