"""The trees on CART's path with their cross-validated errors, as a table to choose from."""

from __future__ import annotations

from dataclasses import dataclass, field

from dtree_lab.base.text import ShownTable
from dtree_lab.evaluate.folds import ERROR_COLUMNS, Choice
from dtree_lab.prune.weakest_link import CostComplexityPath


@dataclass(frozen=True, repr=False)
class PathChoice(Choice):
    """A price of a leaf, chosen by cross-validation, and the path of all prices: a table.

    From the root down it has each tree's price of a leaf, its leaves, what it costs on the training
    rows (their error, or what else was measured), and its error by cross-validation. The lowest is
    marked, and the smallest tree within one standard error of it. R's `printcp` of rpart has the
    same table, with all errors and the price divided by the root's error.

    Attributes
    ----------
    path
        The path of the tree that was grown on all rows.
    """

    path: CostComplexityPath = field(compare=False)

    @classmethod
    def of(cls, choice: Choice, path: CostComplexityPath) -> PathChoice:
        """A choice among the prices of a path."""
        return cls(**vars(choice), path=path)

    def shown_table(self) -> ShownTable:
        """What is shown."""
        rows = tuple(
            (f"{self.values[k]:.4g}", f"{n:,}", f"{cost:.4f}", *self._measured(k))
            for k, (n, cost) in enumerate(
                zip(self.path.n_leaves.tolist(), self.path.costs.tolist(), strict=True)
            )
        )
        names = ("alpha", "leaves", f"training {self.path.measure}", *ERROR_COLUMNS)
        return ShownTable(self.sentence, names, rows[::-1], (*(True,) * 5, False))
