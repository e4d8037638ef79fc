"""What each attribute is worth to a forest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.forest.batch import answers_of
from dtree_lab.learn.forest.draws import shuffled, times_drawn
from dtree_lab.learn.repeats import repeated
from dtree_lab.populations.checks import whole
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.criteria import Criterion
    from dtree_lab.flat import Flat
    from dtree_lab.learn.forest.forest import Forest
    from dtree_lab.table import Table

    Floats = NDArray[np.float64]
    Ints = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class Importance:
    """A number for each attribute; the higher, the more it matters.

    Attributes
    ----------
    names
        The attributes, in the order of the table.
    values
        What each is worth, shape ``(n_attributes,)``.
    errors
        The standard error of each value over the trees: how far as many other trees on the same
        rows may be off. None if that is not known.

    Examples
    --------
    >>> worth = Importance(("a", "b"), np.array([0.25, 0.75]), None)
    >>> worth["b"], worth.ranked()
    (0.75, [('b', 0.75), ('a', 0.25)])
    """

    names: tuple[str, ...]
    values: Floats
    errors: Floats | None

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.names.index(name)])

    def ranked(self) -> list[tuple[str, float]]:
        """Names and values, the highest first."""
        order = np.argsort(-self.values, kind="stable").tolist()
        return [(self.names[i], float(self.values[i])) for i in order]

    @terminal
    def __repr__(self) -> str:
        wide = max(map(len, self.names), default=0)
        lines = []
        for name, value in self.ranked():
            error = "" if self.errors is None else f" ± {self.errors[self.names.index(name)]:.3f}"
            lines.append(f"{name:{wide}}  {value:.3f}{error}")
        return "\n".join(lines)


# -- by impurity ---------------------------------------------------------------------------------


def by_impurity(forest: Forest) -> Importance:
    """The average over the trees; see :meth:`~.forest.Forest.impurity_importance`."""
    criterion, n = forest.plan.recipe.criterion, len(forest.attributes)
    shares = []
    for tree in forest.trees:
        inner = np.flatnonzero(tree.flat.attr >= 0)
        cost = _costs(tree.flat, criterion)
        first = tree.flat.first[inner]
        gained = np.maximum(cost[inner] - cost[first] - cost[first + 1], 0)
        summed = np.bincount(tree.flat.attr[inner], gained, n)
        if summed.any():
            shares.append(summed / summed.sum())
    values = np.mean(shares, axis=0) if shares else np.zeros(n)
    return Importance(_names(forest), values, None)


def _costs(flat: Flat, criterion: Criterion) -> Floats:
    """What the rows at each node cost: impurity times rows."""
    if flat.values.shape[1]:
        costs: Floats = flat.values[:, 1] * flat.counts[:, 0]
        return costs
    return criterion.cost(flat.counts).astype(np.float64)


def _names(forest: Forest) -> tuple[str, ...]:
    return tuple(attribute.name for attribute in forest.attributes)


# -- by permutation ------------------------------------------------------------------------------


def by_permutation(
    forest: Forest, table: Table, seed: int, repeats: int, n_jobs: int | None
) -> Importance:
    """See :meth:`~.forest.Forest.permutation_importance`."""
    bags = Bags.of(forest, table)
    repeats = whole("repeats", repeats, 1)
    before = bags.losses()
    each = [(attribute, seed, repeats) for attribute in range(len(forest.attributes))]
    after = repeated(_shuffled_losses, each, what="shuffling", n_jobs=n_jobs, common=(bags,))
    worse = np.array(after).reshape(len(each), len(before)) - before
    errors = np.full(len(each), np.nan)
    if len(before) > 1:
        errors = worse.std(axis=1, ddof=1) / np.sqrt(len(before))
    return Importance(_names(forest), worse.mean(axis=1), errors)


@dataclass(frozen=True, eq=False)
class Bags:
    """The rows that are out of each tree's bag, tree after tree.

    Attributes
    ----------
    forest, columns
        The forest, and the columns that it was grown on.
    trees
        The numbers of the trees that have rows out of bag.
    sizes
        How many rows are out of bag for each of these.
    tree, row
        For each pair of a tree and a row that is out of its bag, both.
    answers
        What each node of the forest's grove answers.
    """

    forest: Forest
    columns: tuple[NDArray[Any], ...]
    trees: Ints
    sizes: Ints
    tree: Ints
    row: Ints
    answers: NDArray[Any]

    @classmethod
    def of(cls, forest: Forest, table: Table) -> Bags:
        """The bags of a forest; raises a ValueError if no row is out of any."""
        n, plan = forest.n_rows, forest.plan
        each = range(forest.n_trees)
        out = times_drawn(plan.seed, each, n, bootstrap=plan.bootstrap) == 0
        if not out.any():
            msg = (
                "no row is out of bag, so there is nothing to predict; grow the forest with"
                " bootstrap=True"
            )
            raise ValueError(msg)
        sizes, (tree, row) = out.sum(axis=1), np.nonzero(out)
        trees = np.flatnonzero(sizes)
        answers = answers_of(forest.trees)
        return cls(forest, table.columns, trees, sizes[trees], tree, row, answers)

    def losses(self, attribute: int = -1, shuffled: Ints | None = None) -> Floats:
        """Each tree's share of wrong answers, or mean squared error, shape ``(n_trees,)``.

        With an `attribute`, each pair has that attribute's value of another row, `shuffled`.
        """
        stops = self.forest.grove.stops(self.tree, self.row, self.columns, attribute, shuffled)
        said, right = self.answers[stops], self.forest.out_of_bag.labels[self.row]
        numbers = self.forest.target.values is None
        wrong = np.square(said - right) if numbers else (said != right).astype(np.float64)
        losses: Floats = np.add.reduceat(wrong, np.cumsum(self.sizes) - self.sizes) / self.sizes
        return losses


def _shuffled_losses(bags: Bags, attribute: int, seed: int, repeats: int) -> Floats:
    """What the trees lose on average when an attribute is shuffled within each bag."""
    begins = (np.cumsum(bags.sizes) - bags.sizes).tolist()
    total = np.zeros(len(bags.sizes))
    for repeat in range(repeats):
        order = [
            begin + shuffled(size, seed, tree, attribute, repeat)
            for begin, size, tree in zip(
                begins, bags.sizes.tolist(), bags.trees.tolist(), strict=True
            )
        ]
        total += bags.losses(attribute, bags.row[np.concatenate(order)])
    return total / repeats
