"""The weak learner: a stump, or a small tree, grown on weighted rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.engine.columns import Columns
from dtree_lab.learn.engine.grow import grow_on
from dtree_lab.learn.recipe import Recipe, Stop
from dtree_lab.tree import Branch, Leaf, Node, unflatten

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.boost.measure import Measure
    from dtree_lab.table import Table

    Ints = NDArray[Any]

# What all the weight together is shown as at a node.
WHOLE = 1_000_000


@dataclass(frozen=True)
class WeakLearner:
    """A table made ready to be asked again and again with other weights.

    It grows what ``dt.cart`` would grow on a table in which each row stands as often as it has
    ticks: two branches everywhere; the first attribute, then the lowest cut, wins a tie.
    """

    table: Table
    measure: Measure
    recipe: Recipe
    columns: Columns

    @classmethod
    def of(cls, table: Table, measure: Measure, max_depth: int) -> WeakLearner:
        """Make a table ready."""
        stop = Stop(max_depth=max_depth)
        asked = Recipe("weak learner", measure.criterion, two_groups=True, stop=stop)
        return cls(table, measure, asked, Columns.of(table))

    def grow(self, ticks: NDArray[np.float64]) -> tuple[Node, Ints]:
        """A tree for weighted rows, its counts being ticks, and its answer to each of the rows.

        Parameters
        ----------
        ticks
            Whole numbers above 0, held as floats; shape ``(n_rows,)``.
        """
        flat = grow_on(self.columns, self.table, self.recipe, ticks, keep=True)
        root = unflatten(flat, self.table.attributes)
        if isinstance(root, Leaf):  # no attribute says how many rows there are
            return root, np.full(self.table.n_rows, flat.majority[0])
        return root, flat.majority[flat.apply(self.table.columns, self.table.attributes)]


def in_millionths(node: Node, whole: int) -> Node:
    """The tree with counts that are millionths of all the weight, and the same answers."""
    match node:
        case Leaf():
            ticks = np.array(node.counts)
            counts = np.rint(ticks * (WHOLE / whole)).astype(np.int64)
            if counts.argmax() != ticks.argmax():
                counts[ticks.argmax()] = counts.max() + 1
            return Leaf(tuple(counts.tolist()))
        case Branch():
            children = tuple(in_millionths(child, whole) for child in node.children)
            counts = np.sum([child.counts for child in children], axis=0)
            return Branch(tuple(counts.tolist()), node.split, children)
