"""Numbers to predict, put into groups, so that what classifies can predict them."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from dtree_lab import splits as s
from dtree_lab.learn.continuous.clusters import least_spread
from dtree_lab.learn.continuous.regrouping import Grouped
from dtree_lab.learn.continuous.rounding import round_width, rounded
from dtree_lab.learn.ready import check_spread, check_table
from dtree_lab.shown import listing, number, plural
from dtree_lab.table import Attribute, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

By: TypeAlias = Literal["rounding", "clusters"]
Labels: TypeAlias = Literal["ranges", "means"]


def grouped(
    table: Table,
    by: By = "rounding",
    *,
    width: float | None = None,
    n_groups: int | None = None,
    labels: Labels = "ranges",
) -> Grouped:
    """Turn the numbers to predict into a few classes, by rounding them off or by clustering.

    What classifies can then be grown on them. Classes have no order: a prediction that is one
    group off counts as wrong as one that is far off.

    Parameters
    ----------
    table
        Rows with a continuous target. The attributes stay as they are.
    by
        ``"rounding"``: to the nearest multiple of `width`, halves up. ``"clusters"``: into the
        `n_groups` groups with the least spread within, found exactly. Of equally good ones it is
        those whose last group begins lowest, then the last but one, and so on.
    width
        For rounding, in the target's unit, such as 10.
    n_groups
        For clusters, from 1 to as many as there are different numbers. For rounding, instead of a
        width, the most groups: the width becomes a round one (1, 2 or 5 times a power of ten).
    labels
        What the classes are called: ``"ranges"``, as in ``"115 to 125"`` (from, and below), or
        ``"means"``, the mean of each group as a number.

    Returns
    -------
    Grouped
        Its `table` is for a classifier; its `number_of` leads from a class back to a number.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a discrete target, numbers more than 1e150 apart, another `by` or `labels`, neither or
        both of `width` and `n_groups`, or one out of range.

    Notes
    -----
    The variance of the numbers is what is left within the groups plus what lies between them. A
    classifier that finds every row's group still has the first as its mean squared error. With
    clusters nothing that answers with no more than `n_groups` different numbers can have less, for
    that is how they are chosen; where numbers are rounded, a number can be nearer to the mean of
    the next group than to that of its own.

    Sources for the clusters: Fisher (1958), On grouping for maximum homogeneity, Journal of the
    American Statistical Association 53, 789-798; Wang and Song (2011), Ckmeans.1d.dp, The R Journal
    3(2), 29-33.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> rents = dt.Table.from_columns(
    ...     {"Rooms": [1, 1, 2, 2, 3, 4], "Rent": [410, 440, 600, 640, 790, 1220]}, target="Rent"
    ... )
    >>> found = grouped(rents, "clusters", n_groups=3)
    >>> found
    < 520: 2 rows, mean 425
    520 to 1005: 3 rows, mean 676.667
    ≥ 1005: 1 row, mean 1220
    variance: 3419.44 within the groups + 70269.4 between them = 73688.9
    >>> tree = dt.id3(found.table)
    >>> tree.predict({"Rooms": 2}), found.predict(tree, {"Rooms": 2})
    ('520 to 1005', 676.6666666666666)
    """
    numbers = _checked(table, by, labels)
    if by == "clusters":
        cuts, ranges = _clustered(numbers, _number_of_groups(numbers, width, n_groups))
    else:
        cuts, ranges = _rounded_off(numbers, _width(numbers, width, n_groups))
    group = s.interval_of(numbers, np.array(cuts))
    means = _means(numbers, cuts)
    target = Attribute(table.target.name, ranges if labels == "ranges" else means)
    return Grouped(Table(table.attributes, target, table.columns, group), numbers, cuts, means)


def _rounded_off(numbers: Floats, width: float) -> tuple[tuple[float, ...], tuple[str, ...]]:
    edges = rounded(numbers, width)
    said = _told_apart(np.unique(edges))
    ranges = tuple(f"{said[low]} to {said[high]}" for low, high in edges.tolist())
    # A number that rounds to a multiple without rows goes to the nearer of its neighbours.
    return tuple(s.midpoint(edges[:-1, 1], edges[1:, 0]).tolist()), ranges


def _clustered(numbers: Floats, k: int) -> tuple[tuple[float, ...], tuple[str, ...]]:
    values, after = least_spread(numbers, k)
    cuts = s.midpoint(values[after], values[after + 1])
    said = list(_told_apart(cuts).values())
    if not said:
        return (), ("any",)
    middle = (f"{low} to {high}" for low, high in pairwise(said))
    return tuple(cuts.tolist()), (f"< {said[0]}", *middle, f"≥ {said[-1]}")


def _told_apart(numbers: Floats) -> dict[float, str]:
    """Each of some increasing numbers as text, with all digits where they are close together."""
    gap = float(np.diff(numbers).min(initial=np.inf))
    short = {x: number(x) for x in numbers.tolist()}
    if all(abs(float(text) - x) <= gap / 1000 for x, text in short.items()):
        return short
    return {x: text if x.is_integer() else f"{Decimal(repr(x)):f}" for x, text in short.items()}


def _means(numbers: Floats, cuts: tuple[float, ...]) -> tuple[float, ...]:
    """The mean of each group."""
    ordered = np.sort(numbers)
    start = np.searchsorted(ordered, [-np.inf, *cuts])
    end = np.append(start[1:], len(ordered))
    low, rows = ordered[start], end - start
    # Counted from a number of their own, equal numbers have just that mean.
    mean = low + np.add.reduceat(ordered - np.repeat(low, rows), start) / rows
    return tuple(mean.tolist())


# -- what can be asked for -----------------------------------------------------------------------


def _checked(table: Table, by: Any, labels: Any) -> Floats:
    """The numbers of a table, if they can be grouped in that way."""
    check_table(table)
    if table.target.values is not None:
        msg = f"the target {table.target.name!r} is discrete already; only numbers are grouped"
        raise ValueError(msg)
    for name, given, known in (("by", by, get_args(By)), ("labels", labels, get_args(Labels))):
        if given not in known:
            msg = f"{name}={given!r} must be one of {listing(known)}"
            raise ValueError(msg)
    check_spread(table)
    numbers: Floats = table.labels
    return numbers


def _width(numbers: Floats, width: Any, n_groups: Any) -> float:
    if (width is None) is (n_groups is None):
        some = number(round_width(numbers, 5))
        msg = f"rounding takes a width or the most groups; say one of them, such as width={some}"
        raise ValueError(msg)
    if width is None:
        return round_width(numbers, _whole(n_groups, None))
    whole_or_not = isinstance(width, int | float | np.integer | np.floating)
    if isinstance(width, bool) or not whole_or_not or not (isfinite(width) and width > 0):
        msg = f"width={width!r} must be a number above 0"
        raise ValueError(msg)
    return float(width)


def _number_of_groups(numbers: Floats, width: Any, n_groups: Any) -> int:
    if width is not None or n_groups is None:
        msg = "clusters take a number of groups and no width; say n_groups=, such as 5"
        raise ValueError(msg)
    return _whole(n_groups, len(np.unique(numbers)))


def _whole(n_groups: Any, most: int | None) -> int:
    whole = isinstance(n_groups, int | np.integer) and not isinstance(n_groups, bool)
    if whole and n_groups >= 1 and (most is None or n_groups <= most):
        return int(n_groups)
    there = "" if most is None else f" to {most}: there are {plural(most, 'different number')}"
    least = "at least 1" if most is None else "from 1"
    msg = f"n_groups={n_groups!r} must be a whole number {least}{there}"
    raise ValueError(msg)
