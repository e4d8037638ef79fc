"""A population made from a table whose rows are all there is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.encoding import encode
from dtree_lab.populations.base import (
    Chances,
    Numbers,
    Population,
    Seed,
    Test,
    Truth,
    evenly,
    relabelled,
)
from dtree_lab.populations.checks import between, tabular, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table


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
        """Rows drawn with replacement, with noise; as many as the table has unless it is said.

        Parameters
        ----------
        n_rows
            How many rows.
        seed
            The same seed draws the same rows. A ``numpy.random.Generator`` will do too.
        """
        n = self.table.n_rows if n_rows is None else whole("n_rows", n_rows, 1)
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
        best, weights = every.table.take(at), evenly(len(at))
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
        For a table with missing values, or a noise out of range.

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
