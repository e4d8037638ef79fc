"""The weak learner: a stump, or a small tree, grown on weighted rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.boost.coded import Coded
from dtree_lab.learn.boost.offers import WeightedRows
from dtree_lab.learn.boost.ranked import Ranked
from dtree_lab.tree import Branch, Leaf, Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.boost.measure import Measure
    from dtree_lab.splits import Split
    from dtree_lab.table import Table

    Ints = NDArray[Any]

# What all the weight together is shown as at a node.
WHOLE = 1_000_000
# A continuous column is counted rather than sorted when so many rows share a value on average.
_SPARSE = 8


@dataclass(frozen=True)
class WeakLearner:
    """A table made ready to be asked again and again with other weights.

    It grows what ``dt.cart`` would grow on a table in which each row stands as often as it has
    ticks: two branches everywhere; the first attribute, then the lowest cut, wins a tie.
    """

    table: Table
    measure: Measure
    max_depth: int
    ranked: Ranked
    coded: tuple[Coded, ...]

    @classmethod
    def of(cls, table: Table, measure: Measure, max_depth: int) -> WeakLearner:
        """Make a table ready."""
        numbers = [i for i, a in enumerate(table.attributes) if a.values is None]
        few = [i for i in numbers if _n_values(table.columns[i]) * _SPARSE <= table.n_rows]
        ranked = Ranked.of(table, sorted({*numbers} - {*few}))
        coded = (*Coded.discrete(table), *Coded.continuous(table, few))
        return cls(table, measure, max_depth, ranked, coded)

    def grow(self, ticks: NDArray[np.float64]) -> tuple[Node, Ints]:
        """A tree for weighted rows, its counts being ticks, and its answer to each of the rows.

        Parameters
        ----------
        ticks
            Whole numbers above 0, held as floats; shape ``(n_rows,)``.
        """
        answers = np.zeros(self.table.n_rows, dtype=np.intp)
        every = WeightedRows.of(self.table.labels, ticks, len(self.table.classes))
        return self._grow(every, self.ranked, self.max_depth, answers), answers

    def _grow(self, node: WeightedRows, ranked: Ranked, depth: int, answers: Ints) -> Node:
        counts = node.total.astype(np.int64)
        kept = tuple(counts.tolist())
        impure = np.count_nonzero(counts) > 1
        split = self._best(node, ranked, counts) if impure and depth else None
        if split is None:
            answers[node.rows] = counts.argmax()
            return Leaf(kept)
        branch = np.full(len(answers), -1, dtype=np.int32)
        branch[node.rows] = split.branch(self.table.columns[split.attribute][node.rows])
        children = []
        for i in range(split.n_branches):
            mine = branch == i
            below = ranked.within(mine) if depth > 1 else ranked  # a leaf looks at no column
            children.append(self._grow(node.part(mine), below, depth - 1, answers))
        return Branch(kept, split, tuple(children))

    def _best(self, node: WeightedRows, ranked: Ranked, counts: Ints) -> Split | None:
        """What gains most, the first attribute in a tie; None if nothing parts these rows."""
        # Rounding can make a split without gain cost more than no split: both gain nothing.
        before = int(self.measure.settle(self.measure.cost(counts)))
        offers = [ranked.offers(node, self.measure)]
        offers += [one.offers(node, self.measure) for one in self.coded]
        found = [(best, one) for one in offers if (best := one.best(before)) is not None]
        if not found:
            return None
        (_, _, place), one = min(found, key=lambda pair: pair[0])
        return one.split(place)


def _n_values(column: NDArray[Any]) -> int:
    ordered = np.sort(column)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


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
