"""A table whose numbers have become classes, and the way back from classes to numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab import splits as s
from dtree_lab.learn.ready import check_table
from dtree_lab.shown import listing, number, plural
from dtree_lab.table import Table
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Grouped:
    """A table whose numbers have become classes, and the way back.

    Attributes
    ----------
    table
        The rows with a discrete target: its classes are the groups, in increasing order, and its
        `labels` the group of each row.
    numbers
        The number of each row, shape ``(n_rows,)``.
    cuts
        Where one group ends and the next begins: the group of a number is how many of them are at
        or below it.
    means
        The mean of each group's numbers.
    """

    table: Table
    numbers: Floats
    cuts: tuple[float, ...]
    means: tuple[float, ...]

    def number_of(self, label: Any) -> Any:
        """The mean of a group's rows; of several labels, such as predictions, an array.

        Raises
        ------
        ValueError
            For a label that none of the groups has.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> ages = dt.Table.from_columns({"x": list("uvw"), "Age": [4, 6, 41]}, target="Age")
        >>> found = dt.grouped(ages, width=10)
        >>> found.table.column("Age")
        ['-5 to 5', '5 to 15', '35 to 45']
        >>> found.number_of("35 to 45")
        41.0
        """
        if isinstance(label, str | int | float | np.generic):
            return self.means[self._code(label)]
        labels, place = np.unique(np.asarray(label), return_inverse=True)
        numbers = np.array([self.means[self._code(v)] for v in labels], dtype=np.float64)
        return numbers[place]

    def _code(self, label: Any) -> int:
        plain = label.item() if isinstance(label, np.generic) else label
        code = self.table.target.code(plain)
        if code < 0:
            groups = listing(self.table.classes)
            msg = f"{plain!r} is no group of {self.table.target.name!r}; the groups are {groups}"
            raise ValueError(msg)
        return code

    def regrouped(self, table: Table) -> Table:
        """Other rows with the same groups, for instance to prune with or to measure on.

        Raises
        ------
        TypeError
            For what is no table.
        ValueError
            For a table with another target.
        """
        labels = s.interval_of(self._numbers(table), np.array(self.cuts))
        return Table(table.attributes, self.table.target, table.columns, labels)

    def predict(self, classifier: Any, data: Any) -> Any:
        """The number for a row, or for each of several: the mean of the group that is predicted.

        Parameters
        ----------
        classifier
            What was grown on `table` or on regrouped rows: a tree, a forest, …
        data
            What its ``predict`` takes.
        """
        return self.number_of(classifier.predict(data))

    def error(self, classifier: Any, table: Table | None = None) -> float:
        """The mean squared error of the predicted numbers.

        It can be held against that of a regression tree. A classifier that finds every row's group
        has the error `within`.

        Parameters
        ----------
        classifier
            As in :meth:`predict`.
        table
            Rows with numbers to predict; without one, those that were grouped.

        Raises
        ------
        TypeError, ValueError
            As :meth:`regrouped` does.
        """
        numbers = self.numbers if table is None else self._numbers(table)
        said = self.predict(classifier, self.table if table is None else table)
        return float(np.square(said - numbers).mean())

    def _numbers(self, table: Table) -> Floats:
        check_table(table)
        mine, theirs = self.table.target.name, table.target
        if theirs.name != mine or theirs.values is not None:
            msg = (
                f"the groups are of the numbers {mine!r}, but the table's target is"
                f" {theirs.name!r} ({theirs.kind})"
            )
            raise ValueError(msg)
        numbers: Floats = table.labels
        return numbers

    @cached_property
    def within(self) -> float:
        """The mean squared distance of a number from its group's mean: what grouping costs."""
        return float(np.square(self.numbers - np.array(self.means)[self.table.labels]).mean())

    @cached_property
    def between(self) -> float:
        """The mean squared distance of a row's group mean from the mean of all."""
        apart = np.array(self.means) - self.numbers[0] - self._counted.mean()
        return float(np.square(apart) @ self.table.counts() / self.table.n_rows)

    @property
    def total(self) -> float:
        """The variance of the numbers, which is `within` and `between` together."""
        return float(self._counted.var())

    @property
    def _counted(self) -> Floats:
        """The numbers counted from the first, so that equal ones have no variance at all."""
        counted: Floats = self.numbers - self.numbers[0]
        return counted

    @terminal
    def __repr__(self) -> str:
        rows = self.table.counts().tolist()
        lines = [
            f"{label if isinstance(label, str) else number(label)}: {plural(n, 'row')}, mean"
            f" {_short(mean)}"
            for label, n, mean in zip(self.table.classes, rows, self.means, strict=True)
        ]
        parts = f"{_short(self.within)} within the groups + {_short(self.between)} between them"
        return "\n".join([*lines, f"variance: {parts} = {_short(self.total)}"])


def _short(x: float) -> str:
    return number(float(f"{x:.6g}"))
