"""A number to predict from one attribute: a curve, and Gaussian noise around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.populations.base import Numbers, Population, Seed, between, evenly
from dtree_lab.table.encoding import encode
from dtree_lab.table.table import Attribute, Table

_X, _Y = (Attribute("x"),), Attribute("y")
_ROWS = 100


@dataclass(frozen=True)
class Curve(Population):
    """x spread evenly over a stretch, and y = f(x) + noise; made by :func:`curve`."""

    function: Callable[[Any], Any]
    noise: float
    low: float
    high: float

    @property
    def least_loss(self) -> float:
        """The noise variance: nobody can have a smaller expected squared error."""
        return self.noise**2

    def sample(self, n_rows: int | None = None, *, seed: Seed = 0) -> Table:
        """A table of rows drawn independently; as :meth:`Population.sample`."""
        n = _ROWS if n_rows is None else checked_whole("n_rows", n_rows, 1)
        rng = np.random.default_rng(seed)
        x = rng.uniform(self.low, self.high, n)
        return _table(x, self._mean(x) + self.noise * rng.standard_normal(n))

    def truth(self, table: Table) -> Numbers:
        """E[y | x] and the noise variance at the rows of a table with the attribute x."""
        (x,) = encode(_X, table)
        mean = self._mean(x)
        noise = np.full(len(x), self.noise**2)
        return Numbers(_table(x, mean), evenly(table), mean, noise)

    def grid(self, n: int = 200) -> Table:
        """The middles of `n` equal pieces of the stretch, in order, with the curve as labels."""
        steps = (np.arange(checked_whole("n", n, 1)) + 0.5) / n
        x = self.low + steps * (self.high - self.low)
        return _table(x, self._mean(x))

    def _mean(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        # A function that is a constant returns one number for all.
        mean = np.broadcast_to(np.asarray(self.function(x), dtype=np.float64), x.shape)
        if not np.isfinite(mean).all():
            at = x[~np.isfinite(mean)][0]
            raise ValueError(f"the function is not finite at x = {at:g}")
        return mean.copy()


def _table(x: NDArray[np.float64], y: NDArray[np.float64]) -> Table:
    return Table(_X, _Y, (x,), y)


def curve(
    function: Callable[[Any], Any], *, noise: float = 0.3, low: float = 0.0, high: float = 1.0
) -> Curve:
    """Y = f(x) + noise for a function of yours, x spread evenly.

    Parameters
    ----------
    function
        From an array of x to one of the same shape, or to a number.
    noise
        The standard deviation of the noise, in the unit of y.
    low, high
        Where x lies.

    Raises
    ------
    TypeError
        For what is no function.
    ValueError
        For a negative noise, ends in the wrong order, or, when rows are drawn, a function that is
        not finite at one of them.

    Examples
    --------
    >>> curve(np.abs, low=-1).grid(4).column("y")
    [0.75, 0.25, 0.25, 0.75]
    """
    if not callable(function):
        raise TypeError(f"function must be a function of an array; got a {type(function).__name__}")
    noise = between("noise", noise, 0, inf)
    low, high = between("low", low, -inf, inf), between("high", high, -inf, inf)
    if not low < high:
        raise ValueError(f"low={low:g} must be below high={high:g}")
    return Curve(function, noise, low, high)


def sine(*, noise: float = 0.3) -> Curve:
    """One period of a sine, sin(2πx) for x from 0 to 1, with noise.

    Parameters
    ----------
    noise
        The standard deviation of the noise. That of the sine itself is 0.71.

    Raises
    ------
    ValueError
        For a negative noise.

    Examples
    --------
    >>> sine(noise=0.5).least_loss
    0.25
    """
    return curve(_period, noise=noise)


def _period(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sin(2 * pi * x)
