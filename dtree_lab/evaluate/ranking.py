"""How well a model's shares rank rows (ROC), and whether they are how often it happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.text import ShownTable, Tabled, amount, value
from dtree_lab.base.types import Floats
from dtree_lab.evaluate.shares import Estimate, deviations, row_weights, share_of, shares_by
from dtree_lab.table.table import Table, Value

_HALVINGS = 60


@dataclass(frozen=True, eq=False, repr=False)
class Roc(Tabled):
    """What may be found at the price of how many false alarms: the receiver's characteristic.

    Attributes
    ----------
    positive
        The class that is looked for.
    thresholds
        Falling shares from which on a row is said to be of the class; the first, infinite, says so
        of none. Shape ``(n,)``.
    false_positives, true_positives
        For each, the share of the other rows, and of the rows of the class, that it is said of;
        shape ``(n,)``, from 0 to 1.
    area
        The area under the curve: how often a row of the class gets a larger share than another row,
        half of the ties included.
    """

    positive: Value
    thresholds: Floats
    false_positives: Floats
    true_positives: Floats
    area: Estimate

    def shown_table(self) -> ShownTable:
        """What is shown."""
        columns = (self.thresholds, self.true_positives, self.false_positives)
        rows = tuple(
            ("none" if np.isinf(t) else f"{t:.3f}", f"{found:.3f}", f"{false:.3f}")
            for t, found, false in zip(*(c.tolist() for c in columns), strict=True)
        )
        caption = f"Looking for {value(self.positive)}: area {self.area.wording}"
        names = ("share from", "found (true positives)", "false alarms (false positives)")
        return ShownTable(caption, names, rows, (True, True, True))


def roc(model: Any, table: Table, positive: Any, *, confidence: float = 0.95) -> Roc:
    """The curve of true against false positives as the model's share for a class is cut lower.

    Parameters
    ----------
    model
        A tree, a forest, boosted stumps or a fitted estimator of this library: its share of the
        class, of votes or of their weight is what rows are ranked by.
    table
        Rows with labels, best such as the model was not grown on.
    positive
        The class that is looked for.
    confidence
        Of the interval of the area.

    Raises
    ------
    TypeError
        For what gives no shares, or is no table.
    ValueError
        For a class that is none of the target's, rows that are all of it or none, and a table that
        does not fit the model.

    Notes
    -----
    The interval holds the areas that lie no further off than the standard error of Hanley and
    McNeil (1982), Radiology 143, 29-36, taken at that area, allows. So it does not shrink to
    nothing at 1.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> roc(dt.id3(table, max_depth=1), table, "Yes")
    Looking for Yes: area 0.786 (95 % interval 0.397 to 0.958, 10 rows)
    share from  found (true positives)  false alarms (false positives)
          none                   0.000                           0.000
         0.500                   1.000                           0.429
         0.000                   1.000                           1.000
    """
    z = deviations(confidence)
    shares, is_positive = shares_by(model, table, positive)
    weights = row_weights(table)
    cuts, place = np.unique(-shares, return_inverse=True)
    found, false = (np.bincount(place, weights * of) for of in (is_positive, ~is_positive))
    n, m = float(found.sum()), float(false.sum())
    if not n or not m:
        there = "others" if m else "of it"
        msg = f"a curve needs rows of {positive!r} and others; all {table.n_rows:,} are {there}"
        raise ValueError(msg)
    higher = np.cumsum(found) - found
    area = float(((higher + found / 2) * false).sum()) / (n * m)
    whole = Estimate("area under the curve", area, *_area_within(area, n, m, z), n + m, confidence)
    begun = [np.concatenate([[0.0], np.cumsum(part) / part.sum()]) for part in (false, found)]
    return Roc(positive, np.concatenate([[np.inf], -cuts]), begun[0], begun[1], whole)


def _area_within(area: float, n: float, m: float, z: float) -> tuple[float, float]:
    """The areas that are at most `z` of their own standard errors away."""

    def is_far(a: float) -> bool:
        spread = 1 + (n - 1) * (1 - a) / (2 - a) + (m - 1) * a / (1 + a)
        return abs(area - a) > z * sqrt(a * (1 - a) * spread / (n * m))

    return _last_near(area, 0.0, is_far), _last_near(area, 1.0, is_far)


def _last_near(near: float, far: float, is_far: Callable[[float], bool]) -> float:
    """The border between what is near and what is far, found by halving."""
    if not is_far(far):
        return far
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        near, far = (near, middle) if is_far(middle) else (middle, far)
    return far


@dataclass(frozen=True)
class CalibrationGroup:
    """Rows that a model gives about the same share of a class: what it said, and what happened."""

    predicted: float  # their mean share
    happened: Estimate  # how many of them are of the class


@dataclass(frozen=True, repr=False)
class Calibration(Tabled):
    """Whether a model's shares are how often it happens.

    Attributes
    ----------
    positive
        The class.
    groups
        Rows by what the model says of them, from the lowest share on: ``predicted``, their mean
        share, and ``happened``, the share of them that is of the class, with its interval.
    brier
        The mean squared distance between a row's share and what it is, 0 or 1 (Brier 1950).
    """

    positive: Value
    groups: tuple[CalibrationGroup, ...]
    brier: float

    def shown_table(self) -> ShownTable:
        """What is shown."""
        rows = []
        for group in self.groups:
            one = group.happened
            numbers = (group.predicted, one.value, one.low, one.high)
            rows.append((*(f"{x:.3f}" for x in numbers), amount(one.rows)))
        names = ("said", "happened", "from", "to", "rows")
        sure = f"{100 * self.groups[0].happened.confidence:g} % intervals"
        caption = (
            f"How often it is {value(self.positive)}, with {sure}; Brier score {self.brier:.3f}"
        )
        return ShownTable(caption, names, tuple(rows), (True,) * 5)


def calibration(
    model: Any, table: Table, positive: Any, *, bins: int = 10, confidence: float = 0.95
) -> Calibration:
    """Compare what a model says of a class with how often it happens.

    Parameters
    ----------
    model, table, positive
        As for :func:`roc`.
    bins
        Rows are put together by their shares: each share by itself where a model, as a small tree,
        gives no more than so many, else in so many equal parts from 0 to 1.
    confidence
        Of the intervals, which are Wilson's.

    Raises
    ------
    TypeError, ValueError
        As :func:`roc` does, and for `bins` below 1.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> calibration(dt.id3(table, max_depth=1), table, "Yes")
    How often it is Yes, with 95 % intervals; Brier score 0.150
     said  happened   from     to  rows
    0.000     0.000  0.000  0.490     4
    0.500     0.500  0.188  0.812     6
    """
    deviations(confidence)
    bins = checked_whole("bins", bins, 1)
    shares, is_positive = shares_by(model, table, positive)
    weights = row_weights(table)
    kinds, place = np.unique(shares, return_inverse=True)
    if len(kinds) > bins:
        place = np.minimum((shares * bins).astype(np.intp), bins - 1)
    rows = np.bincount(place, weights)
    given, hits = (np.bincount(place, weights * of) for of in (shares, is_positive))
    found = tuple(
        CalibrationGroup(s / n, share_of("happened", min(h, n), n, confidence))
        for s, h, n in zip(given.tolist(), hits.tolist(), rows.tolist(), strict=True)
        if n
    )
    brier = float((weights * np.square(shares - is_positive)).sum() / weights.sum())
    return Calibration(positive, found, brier)
