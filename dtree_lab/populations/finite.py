"""Populations made from a table: its rows are all there is, or all that was seen of one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.populations.base import (
    Chances,
    Numbers,
    Population,
    Seed,
    Test,
    Truth,
    between,
    evenly,
    relabelled,
    tabular,
)
from dtree_lab.table.encoding import encode, recode
from dtree_lab.table.table import Table


@dataclass(frozen=True, eq=False)
class Finite(Population):
    """A table's rows, each as probable as the other, are all there is; made by :func:`finite`."""

    table: Table
    noise: float

    @cached_property
    def everything(self) -> Truth:
        """All different rows, how probable each is, and the truth about its label."""
        first, cell, counts = _cells(self.table)
        weights = counts / counts.sum()
        rows = self.table.take(first)
        if self.table.target.values is None:
            y = self.table.labels
            mean = np.bincount(cell, y) / counts
            spread = np.bincount(cell, (y - mean[cell]) ** 2) / counts
            return Numbers(relabelled(rows, mean), weights, mean, spread + self.noise**2)
        k = self.table.target.n_values
        of_class = np.bincount(cell * k + self.table.labels, minlength=len(counts) * k)
        p = self._turned(of_class.reshape(-1, k) / counts[:, None])
        return Chances(relabelled(rows, p.argmax(axis=1).astype(np.int32)), weights, p)

    @property
    def least_loss(self) -> float:
        """The Bayes error, or the noise variance."""
        return self.everything.least_loss

    def sample(self, n_rows: int | None = None, *, seed: Seed = 0) -> Table:
        """Rows drawn with replacement, with noise; as many as the table has unless it is said."""
        n = self.table.n_rows if n_rows is None else checked_whole("n_rows", n_rows, 1)
        rng = np.random.default_rng(seed)
        drawn = self.table.take(rng.integers(self.table.n_rows, size=n))
        k = self.table.target.n_values
        if not k:
            return relabelled(drawn, drawn.labels + self.noise * rng.standard_normal(n))
        turned, by = rng.random(n) < self.noise, rng.integers(1, max(k, 2), size=n)
        labels = np.where(turned, (drawn.labels + by) % k, drawn.labels)
        return relabelled(drawn, labels.astype(np.int32))

    def truth(self, table: Table) -> Truth:
        """The truth about rows of this population.

        Raises
        ------
        ValueError
            For a row that the population does not have.
        """
        every = self.everything
        own = list(zip(*every.table.columns, strict=True)) or [()]
        place = {row: i for i, row in enumerate(own)}
        given = encode(self.table.attributes, table)
        rows = list(zip(*given, strict=True)) if given else [()] * len(table)
        for i, row in enumerate(rows, start=1):
            if row not in place:
                msg = f"test row {i} is none of the population's, so its label is not known"
                raise ValueError(msg)
        at = np.array([place[row] for row in rows])
        best, weights = every.table.take(at), evenly(table)
        if isinstance(every, Numbers):
            return Numbers(best, weights, every.mean[at], every.variance[at])
        return Chances(best, weights, every.p[at])

    def parted(self, test: Test = None, *, seed: Seed = 0) -> tuple[Population, Truth]:
        """The population, and by default all its different rows, with their probabilities."""
        if test is None:
            return self, self.everything
        return super().parted(test, seed=seed)

    def _turned(self, p: NDArray[np.float64]) -> NDArray[np.float64]:
        """Class shares after a share of the labels has been turned over to other classes."""
        others = max(p.shape[1] - 1, 1)
        turned: NDArray[np.float64] = p * (1 - self.noise) + (1 - p) * self.noise / others
        return turned


def finite(table: Table, *, noise: float = 0.0) -> Finite:
    """The population whose rows are those of a table, each as probable as the other.

    All rows are known, so the expectations over them are exact. Equal rows with different labels
    are noise, and more can be added: a noisy truth table is one of the lecture's examples.

    Parameters
    ----------
    table
        The rows.
    noise
        The share of labels that are turned over at random, each to one of the other classes. Of a
        continuous target, the standard deviation of what is added to it.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a table with missing values or with weights, or a noise out of range.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> population = finite(dt.datasets.truth_table("majority", 3), noise=0.1)
    >>> population.sample(20).n_rows, round(population.least_loss, 3)
    (20, 0.1)
    """
    tabular(table)
    if table.has_missing:
        msg = "a population's rows need all their values; make the table with missing='drop'"
        raise ValueError(msg)
    classes = table.target.n_values
    if classes == 1 and noise:
        msg = "noise turns labels over to other classes, but the target has a single class"
        raise ValueError(msg)
    return Finite(table, between("noise", noise, 0, 1 if classes else inf))


def _cells(table: Table) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Of the different rows: where each stands first, which each row is, how often each comes."""
    if not table.columns:
        whole_table = np.zeros(table.n_rows, dtype=np.intp)
        return whole_table[:1], whole_table, np.array([table.n_rows])
    rows = np.stack([np.unique(column, return_inverse=True)[1] for column in table.columns], axis=1)
    _, first, cell, counts = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    return first, cell.ravel(), counts


@dataclass(frozen=True, eq=False)
class Pool(Population):
    """Some rows that stand for the unknown population they came from; see :func:`resampled`."""

    table: Table
    replace: bool

    def sample(self, n_rows: int | None = None, *, seed: Seed = 0) -> Table:
        """Rows of the table, drawn at random.

        Parameters
        ----------
        n_rows
            How many. If it is not said: with replacement as many as the table has, a bootstrap
            sample; without it half of them.
        seed
            The same seed draws the same rows. A ``numpy.random.Generator`` will do too.

        Raises
        ------
        ValueError
            For more rows than the table has, without replacement.
        """
        have = self.table.n_rows
        usual = have if self.replace else (have + 1) // 2
        n = usual if n_rows is None else checked_whole("n_rows", n_rows, 1)
        if n > have and not self.replace:
            raise ValueError(f"n_rows={n} is more than the {have} rows there are to draw from")
        rng = np.random.default_rng(seed)
        return self.table.take(np.sort(rng.choice(have, size=n, replace=self.replace)))

    def truth(self, table: Table) -> Truth:
        """The labels that the rows came with: all that is known.

        Raises
        ------
        ValueError
            For another target, or a label that this table does not have.
        """
        target = self.table.target
        if (table.target.name, table.target.kind) != (target.name, target.kind):
            raise ValueError(
                f"the test rows' target is {table.target.name!r} ({table.target.kind}); it must be"
                f" {target.name!r} ({target.kind})"
            )
        weights = evenly(table)
        if target.values is None:
            return Numbers(table, weights, table.labels, np.zeros(table.n_rows), known=False)
        labels = recode(target, table.target, table.labels)
        if (labels < 0).any():
            odd = table.column(target.name)[int((labels < 0).argmax())]
            msg = f"the test rows have the label {odd!r}, which the rows to draw from lack"
            raise ValueError(msg)
        own = Table(table.attributes, target, table.columns, labels)
        return Chances(own, weights, np.eye(len(target.values))[labels], known=False)

    def parted(self, test: Test = None, *, seed: Seed = 0) -> tuple[Population, Truth]:
        """The rows to draw from, and those held out to measure on.

        Parameters
        ----------
        test
            How many rows to hold out, a third if it is not said; or a table of other rows, and
            then nothing is held out.
        seed
            The same seed holds out the same rows.

        Raises
        ------
        ValueError
            For a number that leaves no row on one of the sides.
        """
        if isinstance(test, Table):
            return self, self.truth(test)
        have = self.table.n_rows
        held = max(round(have / 3), 1) if test is None else checked_whole("test", test, 1)
        if held >= have:
            msg = f"test={held} leaves none of the {have} rows to draw training sets from"
            raise ValueError(msg)
        order = np.random.default_rng(seed).permutation(have)
        pool = Pool(self.table.take(np.sort(order[held:])), self.replace)
        return pool, pool.truth(self.table.take(np.sort(order[:held])))


def resampled(table: Table, *, replace: bool = True) -> Pool:
    """A table's rows as the stand-in for a population that is not known.

    Training sets are drawn from some of them, and the others are held out to measure on. Nobody
    knows the noise in them.

    Parameters
    ----------
    table
        The rows.
    replace
        Draw with replacement: bootstrap samples. Otherwise half of the rows at a time, as Kohavi
        and Wolpert (1996, Bias plus variance decomposition for zero-one loss functions, ICML) do:
        those hold no row twice, which a tree would take for more certain than it is.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For rows with weights.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> pool, held = resampled(dt.datasets.tax_fraud()).parted()
    >>> pool.sample().n_rows, held.table.n_rows
    (7, 3)
    """
    tabular(table)
    return Pool(table, bool(replace))
