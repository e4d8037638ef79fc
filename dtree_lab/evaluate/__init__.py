"""Measuring what was grown on rows that it was not grown on, and choosing by that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from dtree_lab.evaluate.decomposition import BiasVariance, Decomposition
from dtree_lab.evaluate.folds import Choice, CrossValidation, Measure, chosen, each_fold, result_of
from dtree_lab.evaluate.ranking import Calibration, Roc, calibration, roc
from dtree_lab.evaluate.shares import (
    Confusion,
    Estimate,
    Estimates,
    Paired,
    accuracy,
    confusion,
    paired,
    precision,
    recall,
)
from dtree_lab.evaluate.trials import Decomposed, Resampled, bias_variance
from dtree_lab.table.table import Table

__all__ = [
    "BiasVariance",
    "Calibration",
    "Choice",
    "Confusion",
    "CrossValidation",
    "Decomposed",
    "Decomposition",
    "Estimate",
    "Estimates",
    "Paired",
    "Resampled",
    "Roc",
    "accuracy",
    "bias_variance",
    "calibration",
    "choose",
    "confusion",
    "cross_validate",
    "holdout",
    "paired",
    "precision",
    "recall",
    "roc",
]
__dir__ = __all__.copy  # what is public, and nothing else


def holdout(table: Table, share: float = 1 / 3, *, seed: int = 0) -> tuple[Table, Table]:
    """Withhold some rows, in random order, to measure or prune with.

    Parameters
    ----------
    table
        At least two rows.
    share
        The share of rows to withhold, whatever each weighs, rounded to whole rows; at least one
        row is on each side.
    seed
        The same seed withholds the same rows.

    Returns
    -------
    tuple of Table
        The rows to grow on, and the withheld ones.

    Raises
    ------
    ValueError
        For a share that is not between 0 and 1, or a table with a single row.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> training, validation = dt.evaluate.holdout(dt.datasets.tax_fraud(), 0.3, seed=1)
    >>> len(training), len(validation)
    (7, 3)
    """
    if not 0 < share < 1:
        raise ValueError(f"share={share!r} must lie between 0 and 1, for instance 1/3")
    if len(table) < 2:  # noqa: PLR2004 - one row on each side
        raise ValueError("a table with a single row cannot be parted; it needs at least two")
    order = np.random.default_rng(seed).permutation(len(table))
    withheld = min(max(round(share * len(table)), 1), len(table) - 1)
    return table.take(order[withheld:]), table.take(order[:withheld])


def cross_validate(
    grower: Callable[..., Any],
    table: Table,
    folds: int = 10,
    *,
    seed: int = 0,
    stratified: bool = True,
    **keywords: Any,
) -> CrossValidation:
    """Part the rows into folds, and measure each fold with what was grown on all the others.

    Parameters
    ----------
    grower
        :func:`dtree_lab.id3`, :func:`dtree_lab.random_forest`, or any function of a table whose
        result has an ``error(table)``.
    table
        At least as many rows as folds.
    folds
        How many; as many as rows leaves one row out at a time.
    seed
        The same seed makes the same folds.
    stratified
        Deal the rows of each class to the folds in turn, so that each fold has its share of every
        class. Otherwise at random.
    **keywords
        Passed to the grower.

    Returns
    -------
    CrossValidation
        The error of each fold, their mean and its standard error.

    Raises
    ------
    TypeError
        For what is no table, or a grower whose result has no ``error``.
    ValueError
        For fewer than two folds or more folds than rows, and as the grower does.

    Notes
    -----
    The folds run through joblib where it is installed, so ``joblib.parallel_config`` says where:
    on several cores, or on a cluster. The result is the same.

    A row is in one fold whatever it weighs, so that nothing is measured on a row's twin; of a row
    repeated the copies may be in several. Given the folds, what is grown and the errors are those
    of the rows repeated, bit for bit.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.truth_table("and", 3)  # one row of eight is true
    >>> result = cross_validate(dt.id3, table, folds=4, max_depth=0)
    >>> result
    error 0.1250, standard error 0.1250 (4 folds)
    >>> result.n_rows, result.mean
    ((2, 2, 2, 2), 0.125)
    """
    measures = each_fold(
        _Growing(grower, ({},), keywords), table, folds=folds, seed=seed, stratified=stratified
    )
    return result_of([fold[0] for fold in measures])


def choose(  # noqa: PLR0913 - a grower, a table, a keyword and its values; how to cross-validate
    grower: Callable[..., Any],
    table: Table,
    parameter: str,
    values: Sequence[Any],
    *,
    folds: int = 10,
    seed: int = 0,
    stratified: bool = True,
    one_se: bool = False,
    **keywords: Any,
) -> Choice:
    """Choose the value of a grower's keyword by cross-validation, with the same folds for each.

    Parameters
    ----------
    grower, table, folds, seed, stratified, **keywords
        As in :func:`cross_validate`.
    parameter
        The keyword, such as ``"max_leaves"``.
    values
        What to try.
    one_se
        Take the smallest that is at most one standard error worse than the best, rather than the
        best. The error is flat around its minimum, so the minimum itself is chance (Breiman,
        Friedman, Olshen and Stone 1984, 3.4.3).

    Returns
    -------
    Choice
        With the value that has the lowest error. Among equals the one with the fewest leaves, then
        the first.

    Raises
    ------
    TypeError, ValueError
        For no values, a keyword that is also in `keywords`, and as :func:`cross_validate` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.truth_table("or", 4)
    >>> choose(dt.id3, table, "max_leaves", [1, 3, 5], folds=4).values
    (1, 3, 5)
    """
    tried = tuple(values)
    if not tried:
        msg = f"values is empty; give what to try for {parameter!r}, for instance [2, 4, 8]"
        raise ValueError(msg)
    if parameter in keywords:
        msg = f"{parameter!r} is chosen from values, so it cannot be given as {parameter}= too"
        raise ValueError(msg)
    task = _Growing(grower, tuple({parameter: value} for value in tried), keywords)
    measures = each_fold(task, table, folds=folds, seed=seed, stratified=stratified)
    return chosen(parameter, tried, measures, one_se=one_se)


@dataclass(frozen=True)
class _Growing:
    """A fold's work: grow with each of several keywords, and measure."""

    grower: Callable[..., Any]
    each: tuple[dict[str, Any], ...]
    keywords: dict[str, Any]

    def __call__(self, training: Table, held: Table) -> list[Measure]:
        return [self._measured(own, training, held) for own in self.each]

    def _measured(self, own: dict[str, Any], training: Table, held: Table) -> Measure:
        grown = self.grower(training, **own, **self.keywords)
        if not callable(getattr(grown, "error", None)):
            raise TypeError(
                "grower must be a function of a table whose result has an error(table), such as"
                f" dt.id3; {self.grower!r} gave a {type(grown).__name__}"
            )
        return Measure(float(grown.error(held)), getattr(grown, "n_leaves", nan), held.n_ticks)
