"""Numbers in fewer values: thresholds as binary features, without any loss, and rounded off.

The thresholds that matter for m training rows lie between neighbouring values, so a continuous
attribute can be replaced, before anything is grown, by the features 1[x < θ_j]. A tree grown on
them makes the same training errors with the same number of nodes as one grown with thresholds.

Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, section 18.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import number, plural
from dtree_lab.base.types import Floats
from dtree_lab.grow.api import id3
from dtree_lab.grow.prepare import check_classes
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import interval_of, midpoint
from dtree_lab.tree.tree import Tree

# Beyond so many widths from 0, neighbouring multiples are no longer told apart by floats.
_MOST_WIDTHS = 2.0**50


def rounding_bounds(numbers: Floats, width: float) -> Floats:
    """From where and below where numbers round to the same multiple, halves up: ``(k, 2)``."""
    largest = float(np.abs(numbers).max())
    if largest >= _MOST_WIDTHS * width:
        raise ValueError(f"width={width!r} is too small for numbers as large as {largest:g}")
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
    """The narrowest width of 1, 2 or 5 times a power of ten that makes at most so many groups."""
    largest = float(np.abs(numbers).max())
    least = float(numbers.max() / most - numbers.min() / most) or largest or 1.0
    widths = _round_from(max(least, largest * 2 / _MOST_WIDTHS))
    return next(width for width in widths if len(rounding_bounds(numbers, width)) <= most)


def _round_from(least: float) -> Iterator[float]:
    """1, 2 and 5 times the powers of ten, from a least number on."""
    power = floor(log10(least))
    while True:
        widths = [float(f"{digit}e{power}") for digit in (1, 2, 5)]
        yield from (width for width in widths if width >= least)
        power += 1


_MOST_CELLS = 50_000_000


def binary_features(table: Table, *, ends: bool = True) -> Table:
    """The table with a feature 1[x < θ_j] for each threshold, instead of continuous attributes.

    Sort an attribute's different values, x_1 < … < x_m, and let x_0 = -∞ and x_{m+1} = ∞. Between
    two neighbours lies a threshold, their midpoint; at the ends, θ = -∞ and θ = ∞. So m values
    make m + 1 features. The two at the ends are the same for every row (no number lies below -∞,
    each lies below ∞): they can never be asked, and are kept so that the convention can be seen.

    Parameters
    ----------
    table
        Rows with a discrete target. Discrete attributes are kept as they are.
    ends
        Whether to include the two constant features of each attribute.

    Returns
    -------
    Table
        The features of an attribute take its place, thresholds increasing, so that "the first
        attribute wins a tie" says the same as "the first attribute, then the lowest cut". Their
        values are ``"yes"`` and ``"no"``, in this order, so that the branch of the rows below
        the threshold comes first, as it does in a threshold's split.

    Raises
    ------
    ValueError
        For a continuous target, a missing value, a feature whose name a column already has, or
        when the features would take more than 50 million cells (m rows times d m features grow
        with the square of m).

    Examples
    --------
    >>> import dtree_lab as dt
    >>> small = dt.Table.from_columns({"Age": [20, 40, 90], "y": ["a", "b", "a"]}, target="y")
    >>> features = binary_features(small)
    >>> features.names
    ('Age < -inf', 'Age < 30', 'Age < 65', 'Age < inf')
    >>> features.column("Age < 65")
    ['yes', 'yes', 'no']
    """
    check_classes(table)
    cuts = [
        _thresholds(column, ends=ends) if attribute.values is None else None
        for attribute, column in zip(table.attributes, table.columns, strict=True)
    ]
    _check_room(table, sum(len(c) for c in cuts if c is not None))
    attributes: list[Attribute] = []
    columns: list[NDArray[Any]] = []
    for attribute, column, theta in zip(table.attributes, table.columns, cuts, strict=True):
        if theta is None:
            attributes.append(attribute)
            columns.append(column)
            continue
        names = _names(attribute.name, theta.tolist())
        attributes.extend(Attribute(name, ("yes", "no")) for name in names)
        # interval_of is where "goes left" is written: below the cut is branch 0, which is "yes".
        columns.extend(interval_of(column, cut) for cut in theta[:, None])
    _check_names([a.name for a in attributes], table.target.name)
    return replace(table, attributes=tuple(attributes), columns=tuple(columns))


def _thresholds(column: NDArray[np.float64], *, ends: bool) -> NDArray[np.float64]:
    values = np.unique(column)
    between = midpoint(values[:-1], values[1:])
    return np.concatenate([[-np.inf], between, [np.inf]]) if ends else between


def _check_room(table: Table, n_features: int) -> None:
    if n_features * table.n_rows > _MOST_CELLS:
        raise ValueError(
            f"{n_features:,} features of {plural(table.n_rows, 'row')} are"
            f" {n_features * table.n_rows:,} cells, more than {_MOST_CELLS:,}; take fewer rows"
        )


def _names(attribute: str, cuts: list[float]) -> list[str]:
    """``Age < 30``; with all digits where six are too few to tell the cuts apart."""
    short = [number(c) for c in cuts]
    said = short if len(set(short)) == len(short) else [repr(c) for c in cuts]
    return [f"{attribute} < {text}" for text in said]


def _check_names(names: Sequence[str], target: str) -> None:
    seen = {target}
    for name in names:
        if name in seen:
            msg = f"two columns would be called {name!r}; rename the one that the table has"
            raise ValueError(msg)
        seen.add(name)


@dataclass(frozen=True, repr=False)
class Reduction:
    """A tree grown with thresholds, beside one grown on the constructed features."""

    table: Table  # the rows as they are
    features: Table  # the rows with binary features
    original: Tree  # grown on `table`
    constructed: Tree  # grown on `features`

    @cached_property
    def errors(self) -> tuple[float, float]:
        """The training error of both trees, between 0 and 1."""
        return self.original.error(self.table), self.constructed.error(self.features)

    @property
    def n_nodes(self) -> tuple[int, int]:
        """The number of nodes of both trees."""
        return self.original.n_nodes, self.constructed.n_nodes

    @cached_property
    def same_rows(self) -> bool:
        """Whether each training row stops at the same node in both: more than the theorem says."""
        stops = self.original.apply(self.table), self.constructed.apply(self.features)
        return bool(np.array_equal(*stops))

    @property
    def holds(self) -> bool:
        """Whether training error and number of nodes are the same."""
        return self.errors[0] == self.errors[1] and self.n_nodes[0] == self.n_nodes[1]

    @terminal
    def __repr__(self) -> str:
        n = len(self.features.attributes)
        lines = [
            _line("thresholds", self.original, self.errors[0]),
            _line(plural(n, "feature"), self.constructed, self.errors[1]),
            "the same training error and number of nodes" if self.holds else "they differ",
        ]
        return "\n".join(lines)


def _line(what: str, tree: Tree, error: float) -> str:
    return f"{what}: {plural(tree.n_nodes, 'node')}, training error {number(error)}"


def reduction(
    table: Table, grower: Callable[..., Tree] = id3, *, ends: bool = True, **keywords: Any
) -> Reduction:
    """Grow on a table and on its binary features, to see that nothing is lost.

    Parameters
    ----------
    table
        Rows with a discrete target.
    grower
        :func:`dtree_lab.id3`, :func:`dtree_lab.cart` or :func:`dtree_lab.stump`.
        :func:`dtree_lab.c45` can be tried, but nothing is promised: it leaves out attributes
        whose gain is below the *average* one, and the features change the average.
    ends
        As in :func:`binary_features`.
    **keywords
        The grower's.

    Raises
    ------
    ValueError
        As :func:`binary_features` and the grower do.

    Notes
    -----
    The two growers ask in the same order. At a node, the features of an attribute part the rows in
    exactly the ways in which its thresholds do (several features may part them alike, where values
    between two of the node's are elsewhere: the first wins, and it is the lowest). Equal
    partitions cost the same number of ticks, so what wins with thresholds wins with features,
    ties included. Only the cut can differ: midpoints of the whole table rather than of the node.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> reduction(dt.datasets.tax_fraud())
    thresholds: 10 nodes, training error 0
    13 features: 10 nodes, training error 0
    the same training error and number of nodes
    """
    features = binary_features(table, ends=ends)
    return Reduction(table, features, grower(table, **keywords), grower(features, **keywords))
