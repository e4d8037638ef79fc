"""More than one cut: a continuous attribute as a few intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from dtree_lab import splits as s
from dtree_lab.learn.candidates import weigh
from dtree_lab.learn.continuous.interval_search import by_frequency, filled, least_entropy
from dtree_lab.learn.ready import check_classes
from dtree_lab.learn.recipe import Candidate
from dtree_lab.shown import bits, plural
from dtree_lab.table import Attribute, Table
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Method: TypeAlias = Literal["entropy", "width", "frequency"]


@dataclass(frozen=True, repr=False)
class Cut:
    """A continuous attribute cut into intervals, as one question.

    Attributes
    ----------
    attribute
        Which one.
    candidate
        The split, the rows of each class in each interval, and what asking it would bring.
    """

    attribute: Attribute
    candidate: Candidate

    @property
    def split(self) -> s.Intervals:
        """The question, with a branch for each interval."""
        assert isinstance(self.candidate.split, s.Intervals)  # noqa: S101 - intervals made it
        return self.candidate.split

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cuts, increasing; the interval of x is how many of them are at or below it."""
        return self.split.cuts

    @property
    def conditional_entropy(self) -> float:
        """H(Y|X) in bits, X being the interval."""
        return self.candidate.remaining

    @property
    def gain(self) -> float:
        """I(Y, X) in bits."""
        return self.candidate.gain

    @property
    def gain_ratio(self) -> float:
        """The gain divided by the entropy of the intervals' sizes: more intervals cost more."""
        return self.candidate.gain_ratio

    @terminal
    def __repr__(self) -> str:
        each = [s.answer(self.split, self.attribute, b) for b in range(self.split.n_branches)]
        left = f"H(Y|X) = {bits(self.conditional_entropy)} bits"
        return f"{self.attribute.name} {', '.join(each)}: {left}, gain {bits(self.gain)} bits"


def intervals(table: Table, name: str, k: int, *, method: Method = "entropy") -> Cut:
    """Cut a continuous attribute into k intervals.

    Parameters
    ----------
    table
        Rows with a discrete target.
    name
        A continuous attribute.
    k
        How many intervals, at least 2 and at most as many as there are different values.
    method
        ``"entropy"``: the cuts that leave the least H(Y|X) of all, found exactly; of equals, the
        ones with the lowest last cut, then the lowest before it, and so on. ``"width"``: k equal
        stretches between the least and the greatest value. ``"frequency"``: as near to n / k rows
        in each as equal values allow. The last two do not look at the labels, and give fewer than
        k intervals when some would be empty.

    Returns
    -------
    Cut
        Its `cuts` can be asked by hand, ``dt.by_hand(table, {(): (name, cut.cuts)})``, or be given
        to :func:`discretised`.

    Raises
    ------
    ValueError
        For a discrete attribute, a `k` out of range, another method, or a table that no tree can
        be grown on.

    Notes
    -----
    The exact search is dynamic programming over the least cost of cutting the first j blocks of
    values into t intervals, O(k m²) for m blocks. A block ends at a *boundary point*, where not
    all rows of two neighbouring values are of one class: a cut elsewhere is never better.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> intervals(dt.datasets.tax_fraud(), "Taxable Income", 3)
    Taxable Income < 80, 80 to 97.5, ≥ 97.5: H(Y|X) = 0.000 bits, gain 0.881 bits
    >>> intervals(dt.datasets.tax_fraud(), "Taxable Income", 2, method="width").cuts
    (140.0,)
    """
    check_classes(table)
    i = table.index(name)
    column = _continuous(table, name)
    values, place = np.unique(column, return_inverse=True)
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 2 <= k <= len(values):  # noqa: PLR2004
        msg = (
            f"k={k!r} must be a whole number from 2 to {len(values)}: {name!r} has"
            f" {plural(len(values), 'different value')}"
        )
        raise ValueError(msg)
    match method:
        case "entropy":
            n_classes = len(table.classes)
            counts = np.bincount(
                place * n_classes + table.labels, minlength=len(values) * n_classes
            )
            after = least_entropy(counts.reshape(len(values), n_classes), int(k))
            cuts = s.midpoint(values[after], values[after + 1])
        case "width":
            cuts = values[0] + (values[-1] - values[0]) / k * np.arange(1, k)
        case "frequency":
            cuts = by_frequency(np.sort(column), int(k))
        case _:
            msg = f"method={method!r} must be 'entropy', 'width' or 'frequency'"
            raise ValueError(msg)
    split = s.Intervals(i, filled(cuts, column))
    return Cut(table.attributes[i], weigh(table, split))


def _continuous(table: Table, name: str) -> Floats:
    attribute = table.attribute(name)
    if attribute.values is not None:
        msg = f"{name!r} is discrete, so it has no intervals; they are for continuous attributes"
        raise ValueError(msg)
    column: Floats = table.columns[table.index(name)]
    return column


def discretised(table: Table, cuts: Mapping[str, Sequence[float] | Cut]) -> Table:
    """The table with some continuous attributes as intervals: discrete, in increasing order.

    Parameters
    ----------
    table
        Any table; a missing value stays missing.
    cuts
        From an attribute's name to its cuts, increasing, or to what :func:`intervals` gave.

    Raises
    ------
    ValueError
        For a name that is no continuous attribute, or cuts that do not increase or are not
        finite.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> ages = dt.Table.from_columns({"Age": [5, 40, 90], "y": ["a", "b", "a"]}, target="y")
    >>> discretised(ages, {"Age": [40]}).column("Age")
    ['< 40', '≥ 40', '≥ 40']
    """
    attributes, columns = list(table.attributes), list(table.columns)
    for name, given in cuts.items():
        column, i = _continuous(table, name), table.index(name)
        asked = given.cuts if isinstance(given, Cut) else tuple(given)
        split = s.make(table, name, cuts=asked)
        attributes[i] = Attribute(name, _labels(split, attributes[i]))
        columns[i] = split.branch(column)
    return Table(tuple(attributes), table.target, tuple(columns), table.labels)


def _labels(split: s.Split, attribute: Attribute) -> tuple[str, ...]:
    said = tuple(s.answer(split, attribute, b) for b in range(split.n_branches))
    if len(set(said)) == len(said):
        return said
    return tuple(f"{text} ({b + 1})" for b, text in enumerate(said))  # six digits were too few
