"""Numbers to predict put into groups, so that what grows trees for classes can predict them.

The groups are given by a width, or are the k clusters with the least spread within, found exactly.
In one dimension these are stretches of the sorted numbers, so the search for k-means is dynamic
programming over where a stretch ends (sources: :func:`grouped`). The best beginning of the last
group never moves back when the numbers to be grouped go further, so each answer bounds the others:
O(k m log m) for m different numbers instead of O(k m²) (Grønlund et al. 2017, Fast exact k-means,
k-medians and Bregman divergence clustering in 1D, arXiv:1701.07204).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import isfinite
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real, is_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import listing, number, plural
from dtree_lab.base.types import Floats, Ints
from dtree_lab.continuous.reduction import round_width, rounding_bounds
from dtree_lab.criteria.variance import Scale, Variance
from dtree_lab.grow.prepare import check_spread, check_table
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree import splits as s
from dtree_lab.tree.arrays import ranges


@dataclass(frozen=True, eq=False, repr=False)
class Regrouping:
    """A table whose numbers have become classes, and the way back.

    Attributes
    ----------
    table
        The rows with a discrete target: its classes are the groups, in increasing order, and its
        `labels` the group of each row.
    numbers
        The number of each row, shape ``(n_rows,)``.
    cuts
        Where one group ends and the next begins: the group of a number is how many of them are at
        or below it.
    means
        The mean of each group's numbers.
    """

    table: Table
    numbers: Floats
    cuts: tuple[float, ...]
    means: tuple[float, ...]

    def number_of(self, label: Any) -> Any:
        """The mean of a group's rows; of several labels, such as predictions, an array.

        Raises
        ------
        ValueError
            For a label that none of the groups has.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> ages = dt.Table.from_columns({"x": list("uvw"), "Age": [4, 6, 41]}, target="Age")
        >>> found = dt.grouped(ages, width=10)
        >>> found.table.column("Age")
        ['-5 to 5', '5 to 15', '35 to 45']
        >>> found.number_of("35 to 45")
        41.0
        """
        if isinstance(label, str | int | float | np.generic):
            return self.means[self._code(label)]
        labels, place = np.unique(np.asarray(label), return_inverse=True)
        numbers = np.array([self.means[self._code(v)] for v in labels], dtype=np.float64)
        return numbers[place]

    def _code(self, label: Any) -> int:
        plain = label.item() if isinstance(label, np.generic) else label
        code = self.table.target.code(plain)
        if code < 0:
            groups = listing(self.table.classes)
            msg = f"{plain!r} is no group of {self.table.target.name!r}; the groups are {groups}"
            raise ValueError(msg)
        return code

    def regrouped(self, table: Table) -> Table:
        """Other rows with the same groups, for instance to prune with or to measure on.

        Raises
        ------
        TypeError
            For what is no table.
        ValueError
            For a table with another target.
        """
        labels = s.interval_of(self._numbers(table), np.array(self.cuts))
        return replace(table, target=self.table.target, labels=labels)

    def predict(self, classifier: Any, data: Any) -> Any:
        """The number for a row, or for each of several: the mean of the group that is predicted.

        Parameters
        ----------
        classifier
            What was grown on `table` or on regrouped rows: a tree, a forest, …
        data
            What its ``predict`` takes.
        """
        return self.number_of(classifier.predict(data))

    def error(self, classifier: Any, table: Table | None = None) -> float:
        """The mean squared error of the predicted numbers.

        It can be held against that of a regression tree. A classifier that finds every row's group
        has the error `within`.

        Parameters
        ----------
        classifier
            As in :meth:`predict`.
        table
            Rows with numbers to predict; without one, those that were grouped.

        Raises
        ------
        TypeError, ValueError
            As :meth:`regrouped` does.
        """
        numbers = self.numbers if table is None else self._numbers(table)
        said = self.predict(classifier, self.table if table is None else table)
        return float(np.square(said - numbers).mean())

    def _numbers(self, table: Table) -> Floats:
        check_table(table)
        mine, theirs = self.table.target.name, table.target
        if theirs.name != mine or theirs.values is not None:
            raise ValueError(
                f"the groups are of the numbers {mine!r}, but the table's target is"
                f" {theirs.name!r} ({theirs.kind})"
            )
        return table.labels

    @cached_property
    def within(self) -> float:
        """The mean squared distance of a number from its group's mean: what grouping costs."""
        return float(np.square(self.numbers - np.array(self.means)[self.table.labels]).mean())

    @cached_property
    def between(self) -> float:
        """The mean squared distance of a row's group mean from the mean of all."""
        apart = np.array(self.means) - self.numbers[0] - self._counted.mean()
        return float(np.square(apart) @ self.table.counts() / self.table.n_rows)

    @property
    def total(self) -> float:
        """The variance of the numbers, which is `within` and `between` together."""
        return float(self._counted.var())

    @property
    def _counted(self) -> Floats:
        """The numbers counted from the first, so that equal ones have no variance at all."""
        counted: Floats = self.numbers - self.numbers[0]
        return counted

    @terminal
    def __repr__(self) -> str:
        rows = self.table.counts().tolist()
        lines = [
            f"{label if isinstance(label, str) else number(label)}: {plural(n, 'row')}, mean"
            f" {_short(mean)}"
            for label, n, mean in zip(self.table.classes, rows, self.means, strict=True)
        ]
        parts = f"{_short(self.within)} within the groups + {_short(self.between)} between them"
        return "\n".join([*lines, f"variance: {parts} = {_short(self.total)}"])


def _short(x: float) -> str:
    return number(float(f"{x:.6g}"))


def least_spread(numbers: NDArray[np.float64], k: int) -> tuple[NDArray[np.float64], Ints]:
    """The different numbers, sorted, and after which of them to cut for k groups.

    Of equally good groupings, the one whose last group begins lowest; of those, the one whose last
    but one does, and so on. Numbers are compared as :class:`~dtree_lab.criteria.variance.Scale`
    measures them: whole numbers and those of a few decimals exactly.
    """
    values, place = np.unique(numbers, return_inverse=True)
    scale, ticks = Scale.of(numbers)
    criterion = Variance(scale)
    search = _Search.of(criterion, criterion.tally(place, ticks, len(values), 0))
    for _ in range(k - 1):
        search.one_more_group()
    return values, np.array(search.begins(), dtype=np.intp) - 1


@dataclass
class _Search:
    """The best ways to part the first j values into t + 1 groups, for every j, one t after another.

    What a group costs is its sum of squared distances from its mean. Costs in ticks are rounded up
    group by group: those of t + 1 groups are less than t + 1 ticks above the exact one. So they
    leave a few beginnings that might be the best, between which fractions decide in the end.
    """

    criterion: Variance
    below: Ints  # statistics of the first j values, shape `(m + 1, 3)`
    # For each t the least of the first j values, in ticks; `(m + 1,)`.
    costs: list[Ints] = field(default_factory=list)
    # For each t the first and the last place where the last group of the best may begin.
    first: list[Ints] = field(default_factory=list)
    last: list[Ints] = field(default_factory=list)

    @classmethod
    def of(cls, criterion: Variance, stats: Ints) -> _Search:
        """Everything in one group; `stats` are those of each value."""
        none = np.zeros((1, stats.shape[1]), dtype=np.int64)
        below = np.concatenate([none, stats.cumsum(axis=0)])
        start = np.zeros(len(below), dtype=np.intp)
        return cls(criterion, below, [criterion.cost(below)], [start], [start])

    def one_more_group(self) -> None:
        """Allow a group more."""
        t, m = len(self.costs), len(self.below) - 1  # t groups stand before the last one
        cost = np.zeros(m + 1, dtype=np.int64)
        first, last = np.zeros((2, m + 1), dtype=np.intp)
        # The middle end is answered first, then those in the middle of both halves, and so on: each
        # lies between two answered ones, which bound where its last group can begin.
        n_ends = m - t
        step = 1 << n_ends.bit_length()
        while step := step >> 1:
            at = np.arange(step - 1, n_ends, 2 * step)
            end = t + 1 + at
            low = np.where(at < step, t, first[end - step])
            high = np.where(at + step < n_ends, last[np.minimum(end + step, m)], m)
            cost[end], first[end], last[end] = self._answered(end, low, np.minimum(high, end - 1))
        self.costs.append(cost)
        self.first.append(first)
        self.last.append(last)

    def _answered(self, end: Ints, low: Ints, high: Ints) -> tuple[Ints, Ints, Ints]:
        """The least cost up to each end, and the first and last beginning that may have it."""
        sizes = high - low + 1
        start = np.cumsum(sizes) - sizes
        begin = ranges(low, sizes)
        t = len(self.costs)
        cost = self._cost(t, begin, np.repeat(end, sizes))
        least = np.minimum.reduceat(cost, start)
        maybe = np.flatnonzero(cost <= np.repeat(least + t, sizes))
        first = maybe[np.searchsorted(maybe, start)]
        last = maybe[np.searchsorted(maybe, start + sizes) - 1]
        return least, begin[first], begin[last]

    def _cost(self, t: int, begin: Ints, end: Ints | int) -> Ints:
        """The ticks of t groups up to a beginning, and of one from there to an end."""
        one: Ints = self.criterion.cost(self.below[end] - self.below[begin])
        return self.costs[t - 1][begin] + one

    def begins(self) -> list[int]:
        """Where each of the groups begins, but for the first."""
        wanted, options = {len(self.below) - 1}, list[dict[int, list[int]]]()
        for t in range(len(self.costs) - 1, 0, -1):
            options.append({end: self._options(t, end) for end in wanted})
            wanted = set().union(*options[-1].values())
        exact = {end: self._exact(0, end) for end in wanted}
        chosen = list[dict[int, tuple[Fraction, int]]]()
        for found in reversed(options):
            best = {
                end: min((exact[begin] + self._exact(begin, end), begin) for begin in begins)
                for end, begins in found.items()
            }
            exact = {end: cost for end, (cost, _) in best.items()}
            chosen.append(best)
        end, begins = len(self.below) - 1, list[int]()
        for best in reversed(chosen):
            _, end = best[end]
            begins.append(end)
        return begins[::-1]

    def _options(self, t: int, end: int) -> list[int]:
        """The beginnings of the last of t + 1 groups that may be the best."""
        begin = np.arange(self.first[t][end], self.last[t][end] + 1)
        cost = self._cost(t, begin, end)
        options: list[int] = begin[cost <= cost.min() + t].tolist()
        return options

    def _exact(self, begin: int, end: int) -> Fraction:
        """The cost of a group."""
        n, total, squares = (self.below[end] - self.below[begin]).tolist()
        return Fraction(n * squares - total * total, n)


By: TypeAlias = Literal["rounding", "clusters"]
Labels: TypeAlias = Literal["ranges", "means"]


def grouped(
    table: Table,
    by: By = "rounding",
    *,
    width: float | None = None,
    n_groups: int | None = None,
    labels: Labels = "ranges",
) -> Regrouping:
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
    Regrouping
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
    return Regrouping(Table(table.attributes, target, table.columns, group), numbers, cuts, means)


def _rounded_off(numbers: Floats, width: float) -> tuple[tuple[float, ...], tuple[str, ...]]:
    edges = rounding_bounds(numbers, width)
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
    if table.weights is not None:
        raise ValueError(
            f"numbers are grouped of rows that count alike, and these weigh {table.weight_name!r};"
            " make the table without weights="
        )
    for name, given, known in (("by", by, get_args(By)), ("labels", labels, get_args(Labels))):
        if given not in known:
            raise ValueError(f"{name}={given!r} must be one of {listing(known)}")
    check_spread(table)
    return table.labels


def _width(numbers: Floats, width: Any, n_groups: Any) -> float:
    if (width is None) is (n_groups is None):
        some = number(round_width(numbers, 5))
        msg = f"rounding takes a width or the most groups; say one of them, such as width={some}"
        raise ValueError(msg)
    if width is None:
        return round_width(numbers, _whole(n_groups, None))
    if not is_real(width) or not (isfinite(width) and width > 0):
        raise ValueError(f"width={width!r} must be a number above 0")
    return float(width)


def _number_of_groups(numbers: Floats, width: Any, n_groups: Any) -> int:
    if width is not None or n_groups is None:
        raise ValueError("clusters take a number of groups and no width; say n_groups=, such as 5")
    return _whole(n_groups, len(np.unique(numbers)))


def _whole(n_groups: Any, most: int | None) -> int:
    if is_whole(n_groups) and n_groups >= 1 and (most is None or n_groups <= most):
        return int(n_groups)
    there = "" if most is None else f" to {most}: there are {plural(most, 'different number')}"
    least = "at least 1" if most is None else "from 1"
    raise ValueError(f"n_groups={n_groups!r} must be a whole number {least}{there}")
