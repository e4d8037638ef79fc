"""How much each attribute matters: what the questions that ask it take away of the impurity.

Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 5.3.4, as
scikit-learn counts it. Rows without a value of what a node asks rest there; they say nothing about
its question.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.terminal import terminal
from dtree_lab.base.types import Floats
from dtree_lab.criteria.classes import Criterion
from dtree_lab.tree.arrays import Flat


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
    errors: Floats | None = None

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


def impurity_shares(flat: Flat, n_attributes: int, criterion: Criterion) -> Floats:
    """Each attribute's share of what a tree's questions gain; all 0 where they gain nothing."""
    gained = question_gains(flat, criterion)
    by_attribute = np.bincount(flat.attr[flat.attr >= 0], gained, n_attributes)
    return by_attribute / (by_attribute.sum() or 1.0)


def question_gains(flat: Flat, criterion: Criterion) -> Floats:
    """How much each question lowers the cost of its rows: in ticks, or of numbers in squares."""
    if flat.values.shape[1]:
        return _of_numbers(flat)
    before = criterion.cost(_below(flat, flat.counts))
    gained: Floats = np.maximum(before - _below(flat, criterion.cost(flat.counts)), 0.0)
    return gained


def _of_numbers(flat: Flat) -> Floats:
    """What is gained of the squares of the distances from the mean.

    Where rows rest, theirs are not known apart: the spread of the children's answers about their
    common mean is the same, unless they answer by vote, or by lines, which are drawn through the
    rows without gaps.
    """
    asks, rows = flat.attr >= 0, flat.counts[:, 0].astype(np.float64)
    answer, squares = flat.values[:, 0], rows * flat.values[:, 1]
    below = _below(flat, rows)
    middle = _below(flat, rows * answer) / below
    spread = np.zeros(flat.n_nodes)
    spread[1:] = rows[1:] * np.square(answer[1:] - np.repeat(middle, flat.width[asks]))
    gained = np.maximum(squares[asks] - _below(flat, squares), 0.0)
    return np.where(rows[asks] > below, _below(flat, spread), gained)


def _below(flat: Flat, of: NDArray[Any]) -> NDArray[Any]:
    """The sums over the children of each node that asks; they are neighbours, breadth first."""
    first = flat.first[flat.attr >= 0]
    if not first.size:
        return of[:0]
    return np.add.reduceat(of[1:], first - 1, axis=0)
