"""Two classes in the plane: a boundary of some form, and labels that are turned over by chance."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.encoding import encode
from dtree_lab.populations.base import Chances, Population, Seed, evenly
from dtree_lab.populations.checks import between, whole
from dtree_lab.table import Attribute, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Rule: TypeAlias = Callable[[Any, Any], Any]

_POINTS = (Attribute("x1"), Attribute("x2"))
_ROWS = 100


class InThePlane(Population):
    """Points with attributes x1 and x2, and a target with two classes."""

    target: Attribute

    @abstractmethod
    def chance(self, x1: Floats, x2: Floats) -> Floats:
        """The probability of the second class at some points."""

    @abstractmethod
    def _points(self, n_rows: int, rng: np.random.Generator) -> Floats:
        """Points at random, shape ``(2, n_rows)``."""

    @abstractmethod
    def _ends(self) -> tuple[float, float]:
        """From where to where a picture goes, in both directions."""

    def sample(self, n_rows: int | None = None, *, seed: Seed = 0) -> Table:
        """A table of points drawn independently; 100 unless a number is given.

        Parameters
        ----------
        n_rows
            How many points.
        seed
            The same seed draws the same points. A ``numpy.random.Generator`` will do too.
        """
        n = _ROWS if n_rows is None else whole("n_rows", n_rows, 1)
        rng = np.random.default_rng(seed)
        x1, x2 = self._points(n, rng)
        return self._table(x1, x2, rng.random(n) < self.chance(x1, x2))

    def truth(self, table: Table) -> Chances:
        """P(Y | x) at the rows of a table with attributes x1 and x2."""
        x1, x2 = encode(_POINTS, table)
        second = np.asarray(self.chance(x1, x2), dtype=np.float64)
        p = np.stack([1 - second, second], axis=1)
        best = self._table(x1, x2, p.argmax(axis=1))
        return Chances(best, evenly(len(best)), p)

    def grid(self, side: int = 50) -> Table:
        """The middles of ``side * side`` equal squares, with their best labels.

        Row after row from the bottom, so that ``labels.reshape(side, side)`` is a picture.
        """
        low, high = self._ends()
        steps = (np.arange(whole("side", side, 1)) + 0.5) / side * (high - low) + low
        x2, x1 = (a.ravel() for a in np.meshgrid(steps, steps, indexing="ij"))
        return self.truth(self._table(x1, x2, np.zeros(len(x1)))).table

    def _table(self, x1: Floats, x2: Floats, labels: NDArray[Any]) -> Table:
        return Table(_POINTS, self.target, (x1, x2), labels.astype(np.int32))


@dataclass(frozen=True)
class Plane(InThePlane):
    """Points spread evenly over the unit square; made by :func:`plane` and its like."""

    rule: Rule
    noise: float
    target: Attribute

    @property
    def least_loss(self) -> float:
        """The Bayes error: nobody can be right more often."""
        return self.noise

    def chance(self, x1: Floats, x2: Floats) -> Floats:
        """The probability of the second class at some points."""
        inside = np.asarray(self.rule(x1, x2), dtype=bool)
        return np.where(inside, 1 - self.noise, self.noise)

    def _points(self, n_rows: int, rng: np.random.Generator) -> Floats:
        return rng.random((2, n_rows))

    def _ends(self) -> tuple[float, float]:
        return 0.0, 1.0


def plane(
    rule: Rule, *, noise: float = 0.1, target: str = "class", classes: tuple[str, str] = ("-", "+")
) -> Plane:
    """Points spread evenly over the unit square, labelled by a rule of yours.

    Parameters
    ----------
    rule
        A function of two arrays, x1 and x2, that is true where the second class belongs.
    noise
        The share of labels, from 0 to 0.5, that are turned over at random. It is the Bayes error.
    target, classes
        What they are called.

    Raises
    ------
    TypeError
        For a rule that is no function.
    ValueError
        For a noise out of range, or classes that are not two different ones.

    Examples
    --------
    >>> corner = plane(lambda x1, x2: (x1 > 0.5) & (x2 > 0.5), noise=0.0)
    >>> corner.grid(4).labels.reshape(4, 4)
    array([[0, 0, 0, 0],
           [0, 0, 0, 0],
           [0, 0, 1, 1],
           [0, 0, 1, 1]], dtype=int32)
    """
    if not callable(rule):
        msg = f"rule must be a function of two arrays, x1 and x2; got a {type(rule).__name__}"
        raise TypeError(msg)
    noise = between("noise", noise, 0, 0.5)
    if len(set(classes)) != 2:  # noqa: PLR2004 - two classes
        msg = f"classes={classes!r} must be two different ones, such as ('-', '+')"
        raise ValueError(msg)
    return Plane(rule, noise, Attribute(target, tuple(classes)))
