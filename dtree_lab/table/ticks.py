"""What rows weigh, in whole ticks: weights add up exactly, in any order, as rows do.

Whole numbers are ticks as they are. Fractions and decimals are brought to their common denominator,
exactly, while all rows together weigh at most ``2**24`` ticks so. Other numbers are rounded to a
grid on which all rows together weigh about ``2**22`` ticks, and each row at least one.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

# All rows together in ticks: at most, for costs to be exact; at most for fractions as they are;
# and about so many where weights are rounded.
MOST_TICKS, _EXACT, _GRID = 80_000_000, 1 << 24, 1 << 22
_LEAST = 1e-30
# So many rows are repeated at a time.
_AT_A_TIME = 1 << 22


def ticks_from(
    given: Any, n_rows: int, source: str, times: Sequence[int] | None = None
) -> tuple[NDArray[np.int64], int]:
    """The weights of rows, which count `times`, in ticks, and the ticks of a weight of 1."""
    listed = _numbers(given, n_rows, source)
    total = math.fsum(listed if times is None else map(operator.mul, listed, times))
    if not total:
        msg = f"{source}: every weight is zero, so no row is left; at least one must be above 0"
        raise ValueError(msg)
    if total > MOST_TICKS:
        raise ValueError(
            f"{source}: the weights add up to {total:,.0f}, more than {MOST_TICKS:,}; divide them,"
            f" for instance by {10 ** math.ceil(math.log10(total / MOST_TICKS)):,}"
        )
    if total < _LEAST:
        msg = f"{source}: the weights add up to {total:g}; multiply them, so that they are larger"
        raise ValueError(msg)
    unit = _common(listed, Fraction(total))
    if unit:
        return np.array([int(_fraction(w) * unit) for w in listed], dtype=np.int64), unit
    unit = max(1, int(Fraction(_GRID) / Fraction(total)))
    weights = np.array(listed, dtype=np.float64)
    return np.where(weights > 0, np.maximum(np.rint(weights * unit), 1), 0).astype(np.int64), unit


def _numbers(given: Any, n_rows: int, source: str) -> list[Any]:
    """The weights as Python's numbers, each looked at."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        msg = f"{source} must be a column's name, or a number for each row; got {given!r:.60}"
        raise TypeError(msg)
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    if len(listed) != n_rows:
        msg = f"{source}: {len(listed):,} weights for {n_rows:,} rows; give one for each row"
        raise ValueError(msg)
    for row, w in enumerate(listed, start=1):
        if isinstance(w, np.generic):
            listed[row - 1] = w = w.item()  # noqa: PLW2901
        if isinstance(w, bool) or not isinstance(w, int | float | Fraction | Decimal):
            msg = f"row {row}: its weight in {source} is {w!r}; a weight is a number, at least 0"
            raise TypeError(msg)
        if not 0 <= w < math.inf:
            msg = f"row {row}: its weight in {source} is {w!r}; a weight is at least 0 and finite"
            raise ValueError(msg)
    return listed


def _fraction(w: float | Fraction | Decimal) -> Fraction:
    """A weight as it is written: 0.1 is a tenth."""
    return Fraction(str(w)) if isinstance(w, float) else Fraction(w)


def _common(listed: list[Any], total: Fraction) -> int:
    """The least common denominator; 0 where all rows would weigh too many ticks by it."""
    unit = 1
    for w in listed:
        if isinstance(w, int):
            continue
        unit = math.lcm(unit, _fraction(w).denominator)
        if unit > 1 and unit * total > _EXACT:
            return 0
    return unit


def weighted_sums(
    place: NDArray[Any], y: NDArray[Any], n: int, weights: NDArray[np.int64] | None
) -> NDArray[np.float64]:
    """Sums of numbers at each of `n` places, each number added as often as it weighs ticks.

    Sums of floats depend on their order: only what is added one by one is what repeated rows give.
    """
    if weights is None:
        plain: NDArray[Any] = np.bincount(place, y, n)
        return plain
    total: NDArray[np.float64] = np.zeros(n)
    part = (np.cumsum(weights) - 1) // _AT_A_TIME
    for begin, end in pairwise([*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(y)]):
        times = weights[begin:end]
        np.add.at(total, np.repeat(place[begin:end], times), np.repeat(y[begin:end], times))
    return total


def averaged(values: NDArray[Any], weights: NDArray[np.int64] | None) -> float:
    """The mean of some values, each as often as it weighs ticks."""
    if values.dtype == bool and weights is not None:
        return int(weights[values].sum()) / int(weights.sum())
    return float((values if weights is None else np.repeat(values, weights)).mean())


def in_units(ticks: float, unit: int) -> int | float:
    """What some rows weigh, as it is told: a whole number as one, others to six digits.

    >>> in_units(2000, 1), in_units(21, 7), in_units(10, 4)
    (2000, 3, 2.5)
    """
    whole, rest = divmod(ticks, unit)
    return float(f"{ticks / unit:.6g}") if rest else whole
