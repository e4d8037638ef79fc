"""Where the rows of a node lie on its continuous attributes, as the browser draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table

# Marks on all axes together, and bins of one axis: more would take long to draw, and be no clearer.
_MARKS, _FEWEST, _MOST = 800, 16, 100


@dataclass(frozen=True)
class Axis:
    """One attribute's values.

    Attributes
    ----------
    low, high
        The least and the greatest value.
    middle
        The cut that parts the distinct values in halves; None where there is but one value.
    points
        ``[x, class, rows]``, in bins where there are too many to be drawn one by one.
    """

    low: float
    high: float
    middle: float | None
    points: list[list[float]]


def axes(part: Table) -> tuple[Axis | None, ...]:
    """The axes of a table's attributes, None for a discrete one."""
    continuous = sum(attribute.values is None for attribute in part.attributes)
    bins = _MARKS // max(1, continuous * len(part.classes))
    most = min(max(bins, _FEWEST), _MOST)
    return tuple(
        None if attribute.values is not None else _axis(part, column, most)
        for attribute, column in zip(part.attributes, part.columns, strict=True)
    )


def _axis(part: Table, column: NDArray[np.float64], most: int) -> Axis:
    values, places = np.unique(column, return_inverse=True)
    low, high = float(values[0]), float(values[-1])
    middle = None
    if len(values) > 1:
        i = (len(values) - 1) // 2
        middle = float((values[i] + values[i + 1]) / 2)
    digits = 12
    if len(values) > most:
        digits = 7  # the middle of a bin is nobody's value
        edges = np.linspace(low, high, most + 1)
        places = np.searchsorted(edges[1:-1], column, side="right")
        values = (edges[1:] + edges[:-1]) / 2
    k = len(part.classes)
    rows = np.bincount(places * k + part.labels, minlength=len(values) * k)
    (found,) = np.nonzero(rows)
    points: list[list[float]] = [
        [float(f"{x:.{digits}g}"), label, n]
        for x, label, n in zip(
            values[found // k].tolist(), (found % k).tolist(), rows[found].tolist(), strict=True
        )
    ]
    return Axis(low, high, middle, points)
