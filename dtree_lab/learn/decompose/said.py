"""A measured decomposition as text: what it is, and a line of numbers for each value."""

from __future__ import annotations

from math import floor, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.shown import plural, value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.learn.decompose.result import Decomposition

_NAMES = {
    "squared": "Squared error: loss = noise + bias² + variance",
    "domingos": "0-1 loss by Domingos: loss = net noise + bias + net variance",
    "kohavi-wolpert": "0-1 loss by Kohavi and Wolpert: loss = noise + bias² + variance",
}
_ADDITIVE = {
    "loss": "loss",
    "noise": "noise",
    "bias²": "bias",
    "variance": "variance",
    "training": "training_loss",
}
_DOMINGOS = {
    "loss": "loss",
    "net noise": "net_noise",
    "bias": "bias",
    "net variance": "net_variance",
    "noise": "noise",
    "unbiased variance": "unbiased_variance",
    "biased variance": "biased_variance",
    "training": "training_loss",
}
_DIGITS, _MOST_DECIMALS = 4, 12


def said(parameter: str | None, points: Sequence[Decomposition]) -> str:
    """The text of some points, with their values in front when a keyword was varied."""
    first = points[0]
    columns = _DOMINGOS if first.method == "domingos" else _ADDITIVE
    rows = [[getattr(point, name) for name in columns.values()] for point in points]
    decimals = _decimals(max(point.loss for point in points))
    leaves = [float(np.mean(point.n_leaves)) for point in points]
    cells = [list(columns), *([_fixed(x, decimals) for x in row] for row in rows)]
    if all(map(isfinite, leaves)):
        for line, n in zip(cells, ["leaves", *(f"{n:.1f}" for n in leaves)], strict=True):
            line.append(n)
    if parameter is not None:
        named = [parameter, *(_named(point.value) for point in points)]
        cells = [[name, *line] for name, line in zip(named, cells, strict=True)]
    width = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(c.rjust(w) for c, w in zip(line, width, strict=True)) for line in cells]
    return "\n".join([*_about(points), *lines])


def _named(v: object) -> str:
    return "none" if v is None else value(v)


def _about(points: Sequence[Decomposition]) -> list[str]:
    first = points[0]
    sizes = sorted({point.n_rows for point in points})
    rows = f"{sizes[0]:,} to {sizes[-1]:,} rows" if len(sizes) > 1 else plural(sizes[0], "row")
    sets = plural(len(first.predictions), "training set")
    lines = [
        _NAMES[first.method],
        f"{sets} of {rows}, {plural(len(first.truth.table), 'test row')}",
    ]
    if not first.truth.known:
        lines.append("The noise in the table is not known; it is told with the bias.")
    return lines


def _decimals(largest: float) -> int:
    """Enough for the largest of some numbers to have four digits."""
    if not isfinite(largest) or largest <= 0:
        return _DIGITS
    return min(max(_DIGITS - 1 - floor(log10(largest)), 0), _MOST_DECIMALS)


def _fixed(x: float, decimals: int) -> str:
    """With so many decimals, and no negative zero."""
    return f"{x:z.{decimals}f}"
