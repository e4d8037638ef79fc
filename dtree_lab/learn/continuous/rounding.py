"""Numbers rounded off to multiples of a width."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Beyond so many widths from 0, neighbouring multiples are no longer told apart by floats.
_MOST_WIDTHS = 2.0**50


def rounded(numbers: Floats, width: float) -> Floats:
    """From where and below where numbers round to the same multiple, halves being rounded up.

    Parameters
    ----------
    numbers
        Shape ``(n_rows,)``.
    width
        Above 0. It is taken as it is written: multiples of 0.1 are those of one tenth.

    Returns
    -------
    numpy.ndarray
        A row for each multiple that numbers round to, in increasing order; shape ``(k, 2)``.

    Raises
    ------
    ValueError
        For a width too small for so large numbers.

    Examples
    --------
    >>> rounded(np.array([0.25, 0.34, 0.35]), 0.1)
    array([[0.25, 0.35],
           [0.35, 0.45]])
    """
    largest = float(np.abs(numbers).max())
    if largest >= _MOST_WIDTHS * width:
        msg = f"width={width!r} is too small for numbers as large as {largest:g}"
        raise ValueError(msg)
    exact = Fraction(repr(float(width)))

    def edges(multiple: Floats) -> Floats:
        """Where each multiple begins."""
        return np.array([float((int(k) - Fraction(1, 2)) * exact) for k in multiple])

    # A quotient of floats may be off by one; where a multiple begins is exact up to its last bit.
    multiple, place = np.unique(np.floor(numbers / width + 0.5), return_inverse=True)
    low, high = edges(multiple)[place], edges(multiple + 1)[place]
    there = np.unique(multiple[place] - (numbers < low) + (numbers >= high))
    return np.stack([edges(there), edges(there + 1)], axis=1)


def round_width(numbers: Floats, most: int) -> float:
    """A width of 1, 2 or 5 times a power of ten that makes at most so many groups.

    The narrowest of those that fit at most so many times between the least and the greatest number.

    Examples
    --------
    >>> round_width(np.array([60.0, 220.0]), 5)
    50.0
    """
    largest = float(np.abs(numbers).max())
    least = float(numbers.max() / most - numbers.min() / most) or largest or 1.0
    widths = _round_from(max(least, largest * 2 / _MOST_WIDTHS))
    return next(width for width in widths if len(rounded(numbers, width)) <= most)


def _round_from(least: float) -> Iterator[float]:
    """1, 2 and 5 times the powers of ten, from a least number on."""
    power = floor(log10(least))
    while True:
        widths = [float(f"{digit}e{power}") for digit in (1, 2, 5)]
        yield from (width for width in widths if width >= least)
        power += 1
