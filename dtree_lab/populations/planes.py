"""Two classes in the plane: a boundary of some form, and labels that are turned over by chance.

The planes of the course are a diagonal, a wave, a circle, a checkerboard, and two Gaussian clouds.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, erfc, inf, pi, radians, sin, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.types import Floats
from dtree_lab.populations.base import Chances, Population, Seed, between, evenly
from dtree_lab.table.encoding import encode
from dtree_lab.table.table import Attribute, Table

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
        """A table of points drawn independently; as :meth:`Population.sample`."""
        n = _ROWS if n_rows is None else checked_whole("n_rows", n_rows, 1)
        rng = np.random.default_rng(seed)
        x1, x2 = self._points(n, rng)
        return self._table(x1, x2, rng.random(n) < self.chance(x1, x2))

    def truth(self, table: Table) -> Chances:
        """P(Y | x) at the rows of a table with attributes x1 and x2."""
        x1, x2 = encode(_POINTS, table)
        second = np.asarray(self.chance(x1, x2), dtype=np.float64)
        p = np.stack([1 - second, second], axis=1)
        best = self._table(x1, x2, p.argmax(axis=1))
        return Chances(best, evenly(table), p)

    def grid(self, side: int = 50) -> Table:
        """The middles of ``side * side`` equal squares, with their best labels.

        Row after row from the bottom, so that ``labels.reshape(side, side)`` is a picture.
        """
        low, high = self._ends()
        steps = (np.arange(checked_whole("side", side, 1)) + 0.5) / side * (high - low) + low
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
        raise ValueError(f"classes={classes!r} must be two different ones, such as ('-', '+')")
    return Plane(rule, noise, Attribute(target, tuple(classes)))


_CLOUDS = Attribute("cloud", ("first", "second"))


def diagonal(*, noise: float = 0.1) -> Plane:
    """Two classes on either side of the diagonal x1 + x2 = 1, a staircase to a tree.

    Its `noise`, and errors, are those of :func:`plane`.

    Examples
    --------
    >>> diagonal(noise=0.1).sample(200, seed=1).classes
    ('below', 'above')
    """
    return plane(_above, noise=noise, target="side", classes=("below", "above"))


def wave(*, height: float = 0.25, noise: float = 0.1) -> Plane:
    """Two classes below and above a wave, x2 = 1/2 + height * sin(2πx1).

    The first question of a tree is nearly always about x2, so that bias and variance go the way of
    the textbooks with its depth. Where classes lie symmetrically (:func:`diagonal`,
    :func:`circle`, :func:`checkerboard`) chance decides the first question, and a stump varies
    more than a deeper tree.

    Parameters
    ----------
    height
        Of the wave, from 0 (a straight boundary) to 0.5.
    noise
        As in :func:`plane`, as are errors.

    Examples
    --------
    >>> wave(height=0, noise=0).grid(2).labels.reshape(2, 2)
    array([[0, 0],
           [1, 1]], dtype=int32)
    """
    rule = _AboveWave(between("height", height, 0, 0.5))
    return plane(rule, noise=noise, target="side", classes=("below", "above"))


def circle(*, radius: float = 1 / sqrt(2 * pi), noise: float = 0.1) -> Plane:
    """A circle around the middle of the square; by default it takes half of the square.

    Parameters
    ----------
    radius
        Up to 0.5, where the circle touches the square's sides.
    noise
        As in :func:`plane`, as are errors.

    Examples
    --------
    >>> circle(noise=0.0).sample(4, seed=0).classes
    ('outside', 'inside')
    """
    rule = _Inside(between("radius", radius, 0, 0.5))
    return plane(rule, noise=noise, target="where", classes=("outside", "inside"))


def checkerboard(*, squares: int = 2, noise: float = 0.1) -> Plane:
    """A checkerboard; with two squares a side it is XOR, which no single question helps with.

    Parameters
    ----------
    squares
        How many along each side.
    noise
        As in :func:`plane`, as are errors.

    Examples
    --------
    >>> checkerboard(noise=0.0).grid(2).labels.reshape(2, 2)
    array([[0, 1],
           [1, 0]], dtype=int32)
    """
    rule = _Odd(checked_whole("squares", squares, 1))
    return plane(rule, noise=noise, target="square", classes=("even", "odd"))


def _above(x1: Floats, x2: Floats) -> Any:
    return x1 + x2 > 1


@dataclass(frozen=True)
class _AboveWave:
    height: float

    def __call__(self, x1: Floats, x2: Floats) -> Any:
        return x2 > 0.5 + self.height * np.sin(2 * pi * x1)


@dataclass(frozen=True)
class _Inside:
    radius: float

    def __call__(self, x1: Floats, x2: Floats) -> Any:
        return np.hypot(x1 - 0.5, x2 - 0.5) < self.radius


@dataclass(frozen=True)
class _Odd:
    squares: int

    def __call__(self, x1: Floats, x2: Floats) -> Any:
        which = np.floor(x1 * self.squares) + np.floor(x2 * self.squares)
        return which % 2 == 1


@dataclass(frozen=True)
class Gaussians(InThePlane):
    """Two round Gaussian clouds; made by :func:`two_gaussians`."""

    distance: float
    angle: float
    target: Attribute = _CLOUDS

    @property
    def least_loss(self) -> float:
        """The Bayes error: beyond half the distance each cloud reaches into the other's side."""
        return erfc(self.distance / 2 / sqrt(2)) / 2

    def chance(self, x1: Floats, x2: Floats) -> Floats:
        """The probability of the second class at some points."""
        along = cos(radians(self.angle)) * x1 + sin(radians(self.angle)) * x2
        # The logistic function, written so that it overflows nowhere.
        return (1 + np.tanh(self.distance * along / 2)) / 2

    def _points(self, n_rows: int, rng: np.random.Generator) -> Floats:
        side = np.where(rng.random(n_rows) < 0.5, -0.5, 0.5) * self.distance  # noqa: PLR2004
        middle = np.outer([cos(radians(self.angle)), sin(radians(self.angle))], side)
        return middle + rng.standard_normal((2, n_rows))

    def _ends(self) -> tuple[float, float]:
        return -self.distance / 2 - 2, self.distance / 2 + 2


def two_gaussians(*, distance: float = 2.0, angle: float = 45.0) -> Gaussians:
    """Two round Gaussian clouds, equally probable, with standard deviation 1 in each direction.

    The best boundary is the straight line between them, so the Bayes error is known:
    the Gaussian's tail beyond half the distance, 15.9 % at a distance of 2.

    Parameters
    ----------
    distance
        Between the middles of the clouds, in standard deviations.
    angle
        From the first to the second, in degrees. At 0 they differ in x1 alone, and a tree needs
        one question; at 45 the boundary is a diagonal.

    Raises
    ------
    ValueError
        For a number out of range.

    Examples
    --------
    >>> round(two_gaussians(distance=2).least_loss, 3)
    0.159
    """
    return Gaussians(between("distance", distance, 0, inf), between("angle", angle, -360, 360))
