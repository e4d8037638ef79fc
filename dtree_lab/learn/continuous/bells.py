"""Bell curves, one for each class at a node, and the regions in which each class wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.shown import number, value
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from dtree_lab.splits import Intervals
    from dtree_lab.table import Attribute, Value


@dataclass(frozen=True)
class Bell:
    """The normal density of one class at a node.

    Attributes
    ----------
    value
        The class.
    rows
        How many rows it was fitted to.
    mean, sd
        Maximum likelihood: the variance is the mean squared distance from the mean.
    prior
        P(Y = value).
    pooled
        Whether `sd` is that of all classes together, each row's distance taken from its own
        class's mean: asked for, or because this class has one row or one value.
    """

    value: Value
    rows: int
    mean: float
    sd: float
    prior: float
    pooled: bool = False

    def density(self, x: Any) -> Any:
        """P(X=x | Y=value), per unit of x; with an `sd` of 0, infinite at the mean, else 0."""
        x = np.asarray(x, dtype=np.float64)
        if self.sd == 0:
            return np.where(x == self.mean, np.inf, 0.0)
        z = (x - self.mean) / self.sd
        return np.exp(-z * z / 2) / (self.sd * np.sqrt(2 * np.pi))


@dataclass(frozen=True, repr=False)
class GaussianFit:
    """Bell curves for the classes of some rows, and the regions in which each class wins.

    Attributes
    ----------
    attribute
        The continuous attribute.
    bells
        One for each class that has rows here, in the order of the target's classes.
    crossings
        Where the answer changes, increasing.
    winners
        The answer in each region, one more than there are crossings.
    split
        The question: the crossings that leave rows in each branch; None when that is no crossing.
    tau
        What the ratio is compared with, for two classes.
    positive
        The class in the ratio's numerator; None when the target has not two classes.
    """

    attribute: Attribute
    bells: tuple[Bell, ...]
    crossings: tuple[float, ...]
    winners: tuple[Value, ...]
    split: Intervals | None
    tau: float
    positive: Value | None

    @property
    def regions(self) -> tuple[tuple[float, float, Value], ...]:
        """Each region as (from, below, winner); the outer ones reach to infinity."""
        ends = (-np.inf, *self.crossings, np.inf)
        return tuple(zip(ends[:-1], ends[1:], self.winners, strict=True))

    def bell(self, value: Value) -> Bell:
        """The bell of a class; a KeyError for one that has no rows here."""
        for one in self.bells:
            if one.value == value:
                return one
        raise KeyError(value)

    def log_ratio(self, x: Any) -> Any:
        """The logarithm of the likelihood ratio with priors, in bits; it crosses log2(tau).

        Raises
        ------
        ValueError
            When there are not two classes with rows and a spread to compare.
        """
        if self.positive is None or len(self.bells) != 2 or not all(b.sd for b in self.bells):  # noqa: PLR2004
            msg = "a ratio compares two classes, both with rows here, of which one has a spread"
            raise ValueError(msg)
        above = self.bell(self.positive)
        below = next(b for b in self.bells if b is not above)
        with np.errstate(divide="ignore"):
            return (_log_joint(above, x) - _log_joint(below, x)) / np.log(2)

    @terminal
    def __repr__(self) -> str:
        lines = [
            f"{value(b.value)}: mean {number(b.mean)}, sd {number(b.sd)}, prior {number(b.prior)}"
            for b in self.bells
        ]
        said = [f"{value(w)} from {number(lo)} to {number(hi)}" for lo, hi, w in self.regions]
        return "\n".join([self.attribute.name, *lines, "; ".join(said)])


def _log_joint(bell: Bell, x: Any) -> Any:
    z = (np.asarray(x, dtype=np.float64) - bell.mean) / bell.sd
    return np.log(bell.prior) - np.log(bell.sd) - z * z / 2
