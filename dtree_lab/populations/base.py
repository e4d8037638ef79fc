"""What a population is, what is known about the labels of some rows, and checks of its numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import isfinite
from sys import float_info
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole, is_real
from dtree_lab.table.table import Table


def whole(name: str, given: object, least: int, most: int | None = None) -> int:
    """A whole number that is large enough; a ValueError names the argument otherwise."""
    n = checked_whole(name, given, least)
    if most is not None and n > most:
        raise ValueError(f"{name}={given!r} must be at most {most}")
    return n


def between(name: str, given: object, low: float, high: float) -> float:
    """A finite number in range, ends included; a ValueError names the argument otherwise."""
    # Compared as it is: a whole number may be too large to become a float.
    if not is_real(given) or not low <= given <= high:
        up_to = f" to {high:g}" if isfinite(high) else " up"
        raise ValueError(f"{name}={given!r} must be a number from {low:g}{up_to}")
    if not abs(given) <= float_info.max:
        raise ValueError(f"{name}={given!r} must be finite")
    return float(given)


def tabular(given: object) -> None:
    """Raise for what is no table, and for one whose rows weigh something."""
    if not isinstance(given, Table):
        raise TypeError(f"a population is made from a dt.Table; got a {type(given).__name__}")
    if given.weights is not None:
        raise ValueError(
            f"a population's rows count alike, and these weigh {given.weight_name!r}; make the"
            " table without weights=, or draw rows by them: dt.bootstrap(table).sample"
        )


Seed: TypeAlias = int | np.random.Generator
# Whole numbers and tables say which rows to measure on; None leaves it to the population.
Test: TypeAlias = int | Table | None

_TEST_ROWS = 1000


@dataclass(frozen=True, eq=False)
class Chances:
    """Rows, and how probable each class is at each of them.

    Attributes
    ----------
    table
        The rows. Their labels are the best answers: the most probable class of each row, the
        first of them in a tie.
    weights
        The probability of each row; positive, with sum 1; shape ``(n_rows,)``.
    p
        P(Y | x), shape ``(n_rows, n_classes)``.
    known
        Whether `p` is the truth. Otherwise it is 1 for the one label that each row came with.
    """

    table: Table
    weights: NDArray[np.float64]
    p: NDArray[np.float64]
    known: bool = True

    @property
    def least_loss(self) -> float:
        """The expected error of the best answers on these rows: their Bayes error."""
        return float(self.weights @ (1 - self.p.max(axis=1)))


@dataclass(frozen=True, eq=False)
class Numbers:
    """Rows, and what number to expect at each of them.

    Attributes
    ----------
    table
        The rows. Their labels are the best answers: the expected ones.
    weights
        The probability of each row; positive, with sum 1; shape ``(n_rows,)``.
    mean, variance
        E[Y | x] and Var[Y | x], the latter being the noise; shape ``(n_rows,)``.
    known
        Whether they are the truth. Otherwise they are the one label that each row came with, and 0.
    """

    table: Table
    weights: NDArray[np.float64]
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]
    known: bool = True

    @property
    def least_loss(self) -> float:
        """The expected squared error of the best answers on these rows."""
        return float(self.weights @ self.variance)


Truth: TypeAlias = Chances | Numbers


class Population(ABC):
    """Where training sets come from: it can be sampled again and again, and knows the truth.

    For a population of your own, give a subclass these two methods. (With joblib on several cores
    it must be possible to pickle it: define it in a module.)
    """

    @abstractmethod
    def sample(self, n_rows: int | None = None, *, seed: Seed = 0) -> Table:
        """A table of rows drawn independently; 100 unless a number is given.

        Parameters
        ----------
        n_rows
            How many rows.
        seed
            The same seed draws the same rows. A ``numpy.random.Generator`` will do too.
        """

    @abstractmethod
    def truth(self, table: Table) -> Truth:
        """What is known about the labels of some rows, whatever labels they came with."""

    def parted(self, test: Test = None, *, seed: Seed = 0) -> tuple[Population, Truth]:
        """What to draw training sets from, and rows to measure on with the truth about them.

        Parameters
        ----------
        test
            How many rows to draw, 1,000 if it is not said; or a table of rows, such as a grid.
        seed
            The same seed draws the same rows.
        """
        if isinstance(test, Table):
            return self, self.truth(test)
        n = _TEST_ROWS if test is None else checked_whole("test", test, 1)
        return self, self.truth(self.sample(n, seed=np.random.default_rng(seed)))


def evenly(table: Table) -> NDArray[np.float64]:
    """The share of each row of all: the same, unless they weigh something."""
    weights = np.ones(table.n_rows) if table.weights is None else table.weights
    return np.asarray(weights / weights.sum())


def relabelled(table: Table, labels: NDArray[np.generic]) -> Table:
    """The same rows with other labels."""
    return Table(table.attributes, table.target, table.columns, labels)
