"""What the trees say of the rows that they were not grown on, put together as trees are added."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.table import Table


@dataclass(frozen=True, eq=False)
class OutOfBagAnswers:
    """What one tree says of its out-of-bag rows, in increasing order: codes or numbers."""

    rows: Ints
    answers: NDArray[Any]


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """What a forest says of its training rows, each answered by the trees that did not see it."""

    labels: NDArray[Any]  # the rows' classes, as codes, or numbers
    # How many trees say each class, `(n_rows, n_classes)`, or say any number, `(n_rows, 1)`.
    votes: NDArray[np.int64]
    total: Floats  # of numbers, the sum of what they say; `(n_rows,)`
    errors: Floats  # after each tree; NaN while no row has been out of bag


def of_copies(new: OutOfBagAnswers, out: NDArray[np.bool_], row_of: Ints) -> OutOfBagAnswers:
    """What is said of the copies of rows that are `out`; `row_of` has the row of each copy."""
    copies = np.flatnonzero(out)
    return OutOfBagAnswers(copies, new.answers[np.searchsorted(new.rows, row_of[copies])])


def of_rows(copies: NDArray[Any], row_of: Ints, together: np.ufunc = np.add) -> NDArray[Any]:
    """The copies of each row, along the first axis, put together."""
    return together.reduceat(copies, np.flatnonzero(np.diff(row_of, prepend=-1)))


def counting(table: Table, row_of: Ints | None) -> Counting:
    """What counts a forest's answers to its training rows, or to the copies of these."""
    return (Means if table.target.values is None else Votes)(table, row_of)


class Counting:
    """What the trees so far say of rows, or of copies of them."""

    def __init__(self, table: Table, row_of: Ints | None = None) -> None:
        self._rows = table.labels, row_of
        self._labels = table.labels if row_of is None else table.labels[row_of]
        n = len(self._labels)
        self.votes = np.zeros((n, max(table.target.n_values, 1)), dtype=np.int64)
        self.total = np.zeros(n if table.target.values is None else 0)
        self._errors: list[float] = []

    def add(self, new: OutOfBagAnswers) -> float:
        """Count one more tree; the error after it."""
        self._errors.append(self._added(new))
        return self._errors[-1]

    def _added(self, new: OutOfBagAnswers) -> float:
        raise NotImplementedError

    def counted(self) -> OutOfBag:
        """All trees so far, told of rows."""
        labels, row_of = self._rows
        votes: NDArray[Any] = self.votes
        total: NDArray[Any] = self.total
        if row_of is not None:
            votes = of_rows(votes, row_of)
            total = of_rows(total, row_of) if len(total) else total
        return OutOfBag(labels, votes, total, np.array(self._errors))


class Votes(Counting):
    """Votes for classes; the first class wins a tie."""

    def __init__(self, table: Table, row_of: Ints | None = None) -> None:
        super().__init__(table, row_of)
        self._right, self._known = np.zeros((2, len(self._labels)), dtype=bool)
        self._n_right = 0
        self._n_known = 0

    def _added(self, new: OutOfBagAnswers) -> float:
        rows = new.rows
        self.votes[rows, new.answers] += 1
        self._n_right -= int(self._right[rows].sum())
        self._right[rows] = self.votes[rows].argmax(axis=1) == self._labels[rows]
        self._n_right += int(self._right[rows].sum())
        self._n_known += int((~self._known[rows]).sum())
        self._known[rows] = True
        wrong = self._n_known - self._n_right
        return wrong / self._n_known if self._n_known else float("nan")


class Means(Counting):
    """Means of numbers, by their squared errors."""

    def _added(self, new: OutOfBagAnswers) -> float:
        self.votes[new.rows, 0] += 1
        self.total[new.rows] += new.answers
        known = np.flatnonzero(self.votes[:, 0])
        if not known.size:
            return float("nan")
        mean = self.total[known] / self.votes[known, 0]
        return float(np.square(mean - self._labels[known]).mean())
