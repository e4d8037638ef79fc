"""Cross-validation: the folds, what is measured on them, and the choice that follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import isnan, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_whole
from dtree_lab.base.parallel import parallel_map
from dtree_lab.base.text import ShownTable, Tabled, value
from dtree_lab.table.table import Table

_SAME = 1e-12  # two shares of rows that differ by less are equal


@dataclass(frozen=True)
class Measure:
    """What one fold says: the error on its rows, the leaves of what was grown, and its rows."""

    error: float
    n_leaves: float
    n_rows: int


@dataclass(frozen=True, repr=False)
class CrossValidation:
    """The errors of a cross-validation, shown in a sentence.

    Attributes
    ----------
    errors
        The error on each fold.
    n_rows
        The rows of each fold; of a weighted table, what they weigh in ticks.
    """

    errors: tuple[float, ...]
    n_rows: tuple[int, ...]

    def __repr__(self) -> str:
        error = f"error {self.mean:.4f}, standard error {self.standard_error:.4f}"
        return f"{error} ({len(self.errors)} folds)"

    @property
    def mean(self) -> float:
        """The error over all rows: each was predicted once, by what was grown without it."""
        return float(np.average(self.errors, weights=self.n_rows))

    @property
    def standard_error(self) -> float:
        """The folds' standard deviation over the root of their number.

        It treats the folds as independent. They share training rows, so it is a little too small.
        """
        return float(np.std(self.errors, ddof=1) / sqrt(len(self.errors)))


@dataclass(frozen=True, repr=False)
class Choice(Tabled):
    """A value of a keyword, chosen by cross-validation, and what each value came to.

    Attributes
    ----------
    parameter
        The keyword.
    value
        The chosen value.
    values
        All that were tried.
    errors, standard_errors
        The cross-validated error of each, and its standard error.
    n_leaves
        The mean number of leaves that each led to; NaN for what has no leaves.
    """

    parameter: str
    value: Any
    values: tuple[Any, ...]
    errors: tuple[float, ...]
    standard_errors: tuple[float, ...]
    n_leaves: tuple[float, ...]

    @property
    def lowest(self) -> int:
        """The position of the value with the lowest error; among equals that with fewest leaves."""
        return self._fewest(min(self.errors))

    @property
    def within_one_se(self) -> int:
        """The position of the value with fewest leaves within one standard error of the lowest."""
        return self._fewest(min(self.errors) + self.standard_errors[self.lowest])

    def _fewest(self, most: float) -> int:
        good = [k for k, error in enumerate(self.errors) if error <= most + _SAME]
        return min(good, key=lambda k: self.n_leaves[k])

    @property
    def sentence(self) -> str:
        """What was chosen, in a sentence."""
        return f"{self.parameter} = {_named(self.value)} is chosen."

    def shown_table(self) -> ShownTable:
        """What is shown."""
        rows = tuple(self._row(k) for k in range(len(self.values)))
        names = (self.parameter, "leaves", *ERROR_COLUMNS)
        return ShownTable(self.sentence, names, rows, (True, True, True, True, False))

    def _row(self, k: int) -> tuple[str, ...]:
        leaves = "none" if isnan(self.n_leaves[k]) else f"{self.n_leaves[k]:.4g}"
        return _named(self.values[k]), leaves, *self._measured(k)

    def _measured(self, k: int) -> tuple[str, str, str]:
        marks = {"lowest": self.lowest, "smallest within one SE": self.within_one_se}
        marked = ", ".join(mark for mark, at in marks.items() if at == k)
        return f"{self.errors[k]:.4f}", f"{self.standard_errors[k]:.4f}", marked


def _named(v: Any) -> str:
    return f"{v:.4g}" if isinstance(v, float) else value(v)


ERROR_COLUMNS = ("cross-validated error", "standard error", "")
Task: TypeAlias = Callable[[Table, Table], list[Measure]]


def each_fold(
    task: Task, table: Table, *, folds: int, seed: int, stratified: bool
) -> list[list[Measure]]:
    """A task's measures on each fold: it is given the other rows and the fold's."""
    fold = _folds(table, folds, seed, stratified=stratified)
    parts = [(table.take(fold != k), table.take(fold == k)) for k in range(folds)]
    return parallel_map(task, parts, what="cross-validating")


def _folds(table: Table, folds: int, seed: int, *, stratified: bool) -> NDArray[np.intp]:
    """The fold of each row; their sizes differ by at most one."""
    if not isinstance(table, Table):
        raise TypeError(f"table must be a dt.Table; got a {type(table).__name__}")
    if not is_whole(folds) or not 2 <= folds <= table.n_rows:  # noqa: PLR2004 - one fold leaves no rows to grow
        msg = f"folds={folds!r} must be a whole number from 2 to the table's {table.n_rows} rows"
        raise ValueError(msg)
    order = np.random.default_rng(seed).permutation(table.n_rows)
    if stratified:
        order = order[np.argsort(table.labels[order], kind="stable")]
    fold = np.empty(table.n_rows, dtype=np.intp)
    fold[order] = np.arange(table.n_rows) % folds
    return fold


def result_of(measures: Sequence[Measure]) -> CrossValidation:
    """The folds' measures as the result of a cross-validation."""
    return CrossValidation(tuple(m.error for m in measures), tuple(m.n_rows for m in measures))


def chosen(
    parameter: str, values: tuple[Any, ...], measures: list[list[Measure]], *, one_se: bool
) -> Choice:
    """The choice that the folds' measures, a list with an entry per value each, come to."""
    by_value = [[fold[k] for fold in measures] for k in range(len(values))]
    results = [result_of(one) for one in by_value]
    errors, spread = [r.mean for r in results], [r.standard_error for r in results]
    leaves = [float(np.mean([m.n_leaves for m in one])) for one in by_value]
    found = Choice(parameter, None, values, tuple(errors), tuple(spread), tuple(leaves))
    return replace(found, value=values[found.within_one_se if one_se else found.lowest])
