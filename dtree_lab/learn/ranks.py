"""Continuous columns as ranks: which of its column's distinct values each row has."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.level import picked, stable_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Ints = NDArray[Any]
    Floats = NDArray[np.float64]

# Columns with up to so many values may be counted rather than sorted.
FEW = 64
# Numbers handled at a time: enough to forget the cost of a call, few enough for the cache.
AT_A_TIME = 1 << 17
# From so many rows, counting their leading bits sorts numbers faster than comparing them does.
_LONG = 1 << 10


@dataclass(frozen=True)
class Ranked:
    """A continuous column as ranks.

    Attributes
    ----------
    values
        What the ranks stand for, in increasing order: the distinct values, or all whole numbers
        from the least to the greatest.
    place
        The rank of each row's value.
    order
        The rows by rank; None where they have not been sorted.
    """

    values: Floats
    place: Ints
    order: Ints | None

    @classmethod
    def of(cls, column: Floats) -> Ranked:
        """Rank a column."""
        return ranked([column])[0]


def ranked(columns: Sequence[Floats]) -> list[Ranked]:
    """Rank columns without gaps, as many at a time as fit the cache."""
    step = max(1, AT_A_TIME // len(columns[0])) if columns else 1
    parts = [np.array(columns[i : i + step]) for i in range(0, len(columns), step)]
    return [one for part in parts for one in _ranked(part)]


def _ranked(x: Floats) -> list[Ranked]:
    """Rank the rows of an array."""
    numbered = _numbered(x)
    if not any(numbered):
        return _by_order(x)
    others = iter(() if all(numbered) else _by_order(x[[not one for one in numbered]]))
    return [_by_number(x[i]) if one else next(others) for i, one in enumerate(numbered)]


def _numbered(x: Floats) -> list[bool]:
    """Which rows of an array hold whole numbers close together."""
    first = x[:, 0]
    if not (first == np.floor(first)).any():  # mostly tells
        return [False]
    # Fewer than the rows: then some value comes twice, as it seems from their number.
    close = x.max(axis=1) - x.min(axis=1) < min(FEW, x.shape[1] - 1)
    whole: list[bool] = (close & (x == np.floor(x)).all(axis=1)).tolist()
    return whole


def _by_number(column: Floats) -> Ranked:
    """Whole numbers close together are ranks as they are."""
    least = column.min()
    place = (column - least).astype(np.uint8)
    return Ranked(least + np.arange(float(place.max()) + 1), place, None)


def _by_order(x: Floats) -> list[Ranked]:
    """Any numbers, by sorting them."""
    order = _order(x)
    ordered = picked(x, order)
    new = np.ones(x.shape, dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=new[:, 1:])
    rank = new.cumsum(axis=1, dtype=np.int32)
    place = np.empty(x.shape, dtype=np.int32)
    place.ravel()[order + np.arange(0, x.size, x.shape[1])[:, None]] = rank
    place -= 1
    values = ordered[new]
    order = order.astype(np.int32)
    ends = list(accumulate(rank[:, -1].tolist(), initial=0))
    return [
        Ranked(values[i:j], *one) for i, j, *one in zip(ends, ends[1:], place, order, strict=False)
    ]


def _order(x: Floats) -> Ints:
    """The order of each row of numbers."""
    if x.shape[1] < _LONG:
        return x.argsort(axis=1)
    # Rounded to 32 bits, whose order is that of whole numbers once those below 0 are turned round,
    # they are sorted but for a few neighbours; sorting what is almost in order takes little.
    with np.errstate(over="ignore"):
        bits = x.astype(np.float32).view(np.int32)
    bits ^= (bits >> 31) & 0x7FFFFFFF
    order = stable_order(bits.view(np.uint32) ^ np.uint32(1 << 31), 1 << 32)
    return picked(order, picked(x, order).argsort(axis=1, kind="stable"))
