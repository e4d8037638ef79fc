"""What the trees say of the rows that they were not grown on, put together as trees are added."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.saved import is_finite, is_whole_within, need

_LARGEST = 1e149


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

    def data(self) -> dict[str, Any]:
        """As plain lists, which :func:`out_of_bag_of_data` reads."""
        return {
            "labels": self.labels.tolist(),
            "votes": self.votes.tolist(),
            "total": self.total.tolist(),
            "errors": [None if np.isnan(error) else error for error in self.errors.tolist()],
        }


def out_of_bag_of_data(
    data: dict[str, Any], target: Attribute, n_trees: int, most: int
) -> OutOfBag:
    """What was saved of rows, read with doubt; of a row there are at most so many votes."""
    labels, votes, total, errors = (data[key] for key in ("labels", "votes", "total", "errors"))
    numbers = target.values is None
    right = _is_label if numbers else (lambda c: is_whole_within(c, 0, target.n_values - 1))
    must = "numbers" if numbers else f"codes of classes, from 0 to {target.n_values - 1}"
    good = isinstance(labels, list) and labels and all(map(right, labels))
    need(good, "forest", "out_of_bag labels", must)
    width, n = (1 if numbers else target.n_values), len(labels)
    rows = len(votes) == n and all(len(row) == width for row in votes)
    good = rows and all(is_whole_within(times, 0, most) for row in votes for times in row)
    need(good, "forest", "out_of_bag votes", f"{width} numbers of trees for each row")
    good = len(total) == (n if numbers else 0) and all(map(is_finite, total))
    need(good, "forest", "out_of_bag total", "a number for each row, or none for classes")
    known = [error for error in errors if error is not None]
    good = len(errors) == n_trees and all(map(is_finite, known)) and min(known, default=0) >= 0
    need(good, "forest", "out_of_bag errors", "a number or null after each tree")
    return OutOfBag(
        np.array(labels, dtype=np.float64 if numbers else np.int32),
        np.array(votes, dtype=np.int64),
        np.array(total, dtype=np.float64),
        np.array([nan if error is None else error for error in errors], dtype=np.float64),
    )


def _is_label(x: Any) -> bool:
    """Whether numbers like it can be squared and summed up."""
    return is_finite(x) and abs(x) <= _LARGEST


def of_copies(new: OutOfBagAnswers, out: NDArray[np.bool_], row_of: Ints) -> OutOfBagAnswers:
    """What is said of the copies of rows that are `out`; `row_of` has the row of each copy."""
    copies = np.flatnonzero(out)
    return OutOfBagAnswers(copies, new.answers[np.searchsorted(new.rows, row_of[copies])])


def of_rows(copies: NDArray[Any], row_of: Ints, together: np.ufunc = np.add) -> NDArray[Any]:
    """The copies of each row, along the first axis, put together."""
    return together.reduceat(copies, np.flatnonzero(np.diff(row_of, prepend=-1)))


class Votes:
    """What the trees so far say of rows, or of copies of them: for classes, or by numbers."""

    def __init__(self, table: Table, row_of: Ints | None = None) -> None:
        self._rows = table.labels, row_of
        self._labels = table.labels if row_of is None else table.labels[row_of]
        n, self._numbers = len(self._labels), table.target.values is None
        self.votes = np.zeros((n, max(table.target.n_values, 1)), dtype=np.int64)
        self.total = np.zeros(n if self._numbers else 0)
        self._wrong, self._known = np.zeros((2, n), dtype=bool)
        self._errors: list[float] = []

    def add(self, new: OutOfBagAnswers) -> float:
        """Count one more tree; the error after it. The first class wins a tie."""
        rows = new.rows
        self._known[rows] = True
        if self._numbers:
            self.votes[rows, 0] += 1
            self.total[rows] += new.answers
            means = self.total[self._known] / self.votes[self._known, 0]
            off: NDArray[Any] = np.square(means - self._labels[self._known])
        else:
            self.votes[rows, new.answers] += 1
            self._wrong[rows] = self.votes[rows].argmax(axis=1) != self._labels[rows]
            off = self._wrong[self._known]
        self._errors.append(float(off.mean()) if off.size else nan)
        return self._errors[-1]

    def counted(self) -> OutOfBag:
        """All trees so far, told of rows."""
        labels, row_of = self._rows
        votes: NDArray[Any] = self.votes
        total: NDArray[Any] = self.total
        if row_of is not None:
            votes = of_rows(votes, row_of)
            total = of_rows(total, row_of) if len(total) else total
        return OutOfBag(labels, votes, total, np.array(self._errors))
