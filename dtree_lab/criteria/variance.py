"""From the numbers of a node to their spread, exactly.

A target of numbers is measured once, before anything is grown, in whole *ticks*: sums of ticks and
of their squares add up exactly in any order, as counts of classes do. A node with ``n`` rows whose
ticks sum up to ``S`` and their squares to ``Q`` costs ``Q - S**2 / n``: ``n`` times the variance.

The quotient is taken in whole numbers. With ``S = a n + b`` it is ``a a n + 2 a b + b b / n``, in
which only the last part is no whole number; it is kept with as many fractional bits as fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats, Ints
from dtree_lab.criteria.classes import Ticks

# Bits of a cost: n times the largest square of a tick, with its fraction, has to fit.
_BITS, _LEAST_FRACTION, _MOST_FRACTION, _MOST_GUARD = 62, 12, 36, 16
_DECIMALS = 7


@dataclass(frozen=True)
class Scale:
    """How numbers are measured in ticks: a number is about ``origin + unit * tick``."""

    origin: float
    unit: float
    fraction: int  # fractional bits of a cost
    exact: bool  # every number is a whole number of ticks from the origin

    @classmethod
    def of(cls, numbers: Floats, n_rows: int | None = None) -> tuple[Scale, Ints]:
        """A scale that fits some numbers, which count as `n_rows` rows, and these in ticks."""
        n = max(len(numbers) if n_rows is None else n_rows, 1)
        most = isqrt((1 << (_BITS - _LEAST_FRACTION)) // n)
        found = _decimal(numbers, most)
        if found is not None:
            ticks, origin, unit = found
            return cls(origin, unit, _fraction(n, ticks), exact=True), ticks
        low, high = numbers.min(), numbers.max()
        # Numbers so close that no unit is small enough are one number.
        origin, unit = float(low / 2 + high / 2), float((high / 2 - low / 2) / most) or 1.0
        ticks = np.rint((numbers - origin) / unit).astype(np.int64)
        return cls(origin, unit, _fraction(n, ticks), exact=False), ticks


def _decimal(numbers: Floats, most: int) -> tuple[Ints, float, float] | None:
    """Numbers of a few decimals as whole ticks, their origin and unit; None for others."""
    for decimals in range(_DECIMALS):
        scale = 10.0**decimals
        whole = np.rint(numbers * scale)
        if not (np.abs(whole) < 1 << 53).all():
            return None
        if not np.array_equal(whole / scale, numbers):
            continue
        ticks = whole.astype(np.int64)
        step = int(np.gcd.reduce(ticks - ticks.min())) or 1
        middle = int(ticks.min()) + step * (int(ticks.max() - ticks.min()) // step // 2)
        ticks = (ticks - middle) // step
        if int(np.abs(ticks).max(initial=0)) <= most:
            return ticks, middle / scale, step / scale
        return None
    return None


def _fraction(n: int, ticks: NDArray[np.int64]) -> int:
    """How many fractional bits a cost of so many rows with such ticks has room for."""
    largest = n * max(int(np.abs(ticks).max(initial=0)), 1) ** 2
    return min(_BITS - largest.bit_length(), _MOST_FRACTION, _BITS - n.bit_length())


@dataclass(frozen=True)
class Variance:
    """The criterion of regression trees, by rows, the sum of their ticks, and of the squares."""

    scale: Scale
    name: str = "variance"
    unit: str = ""
    alike: str = "all rows have the same number"

    def tally(
        self,
        place: NDArray[Any],
        labels: NDArray[Any],
        n_places: int,
        n_classes: int,  # noqa: ARG002 - numbers have none
        weights: NDArray[Any] | None = None,
    ) -> NDArray[np.int64]:
        """Rows, sums and sums of squares; the sums stay below 2**53, where floats are exact."""
        at, ticks = place.ravel(), np.broadcast_to(labels, place.shape).ravel()
        stats = np.empty((3, n_places), dtype=np.int64)
        times = None if weights is None else np.broadcast_to(weights, place.shape).ravel()
        stats[0] = np.bincount(at, times, n_places)
        terms = ticks if times is None else ticks * times
        stats[1] = np.bincount(at, terms, n_places)
        stats[2] = np.bincount(at, terms * ticks, n_places)
        return stats.T

    def rows(self, stats: NDArray[Any]) -> NDArray[np.int64]:
        """The first statistic."""
        return stats[..., 0]

    def counts(self, stats: NDArray[Any]) -> NDArray[np.int64]:
        """The first statistic, as if all rows were of one class."""
        return stats[..., :1]

    def pure(self, stats: NDArray[Any]) -> NDArray[np.bool_]:
        """All numbers are the same: the cost, which is rounded up, is nothing."""
        pure: NDArray[np.bool_] = self.cost(stats) == 0
        return pure

    def cost(self, stats: NDArray[Any]) -> Ticks:
        """``Q - S**2 / n`` in squared ticks, with the scale's fractional bits, rounded up."""
        return self._spread(stats[..., 0], stats[..., 1], stats[..., 2])

    def settle(self, ticks: Ticks) -> Ticks:
        """Rounded to half of the fractional bits: more than the divisions can have lost."""
        return (ticks + (1 << (self._guard - 1))) >> self._guard

    @property
    def tie(self) -> float:
        """Two sums of costs that differ by more than this, in squared ticks, are never a tie."""
        return 2.0 ** (self._guard - self.scale.fraction)

    @property
    def _guard(self) -> int:
        return min(self.scale.fraction // 2, _MOST_GUARD)

    def per_row(self, ticks: Any, rows: Any) -> Any:
        """The variance, in the target's unit squared."""
        return ticks / (rows * float(1 << self.scale.fraction)) * self.scale.unit**2

    def wrong(self, stats: NDArray[Any], resting: NDArray[Any]) -> int:
        """The squared distances of the resting rows from the node's mean."""
        own = int(self.cost(resting))
        n = int(resting[0])
        if n in (0, int(stats[0])):
            return own
        apart = int(resting[1]) * int(stats[0]) - int(stats[1]) * n
        return own + ((apart * apart) << self.scale.fraction) // (n * int(stats[0]) ** 2)

    def error(self, wrong: int, rows: int) -> float:
        """The mean squared error."""
        return float(self.per_row(wrong, rows))

    def orders(self, stats: NDArray[Any]) -> list[NDArray[np.float64]]:
        """The mean: one order is enough for the best two groups (Fisher 1958)."""
        return [stats[:, 1] / stats[:, 0]]

    def two_sides(self, stats: NDArray[Any], rows: NDArray[Any], sums: NDArray[Any]) -> Ticks:
        """The cost of parting nodes in two, by rows on one side and the sum of their ticks."""
        # The squares of both sides add up to the node's, wherever it is cut.
        one = self._spread(rows, sums, stats[..., 2])
        other = self._spread(stats[..., 0] - rows, stats[..., 1] - sums, np.int64(0))
        return one + other

    def _spread(self, rows: Any, sums: Any, squares: Any) -> Ticks:
        """``squares - sums**2 / rows``, rounded up."""
        divisor = np.maximum(rows, 1)
        whole, rest = np.divmod(sums, divisor)
        quotient, remainder = np.divmod(rest * rest, divisor)
        bits = self.scale.fraction
        parts = whole * (whole * divisor + 2 * rest) + quotient
        ticks: Ticks = ((squares - parts) << bits) - (remainder << bits) // divisor
        return ticks
