"""Shares with their intervals: how many of some rows are right, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import erfc, exp, fsum, isnan, lgamma, log, nan, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import ShownTable, Tabled, amount, plural, value
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Attribute, Table, Value, value_key


@dataclass(frozen=True, repr=False)
class Estimate(Tabled):
    """A measure on some rows, and the interval that the measure on all such rows is likely in.

    It can be used as a number: ``float(estimate)``.

    Attributes
    ----------
    name
        What is measured.
    value
        The measure on these rows; NaN where there are none.
    low, high
        The ends of the interval.
    rows
        How many rows it is of, by their weights.
    confidence
        How often such an interval holds the measure on all rows, such as 0.95.
    """

    name: str
    value: float
    low: float
    high: float
    rows: float
    confidence: float = 0.95

    def __float__(self) -> float:
        return self.value

    @terminal
    def __repr__(self) -> str:
        return f"{self.name} {self.wording}"

    @property
    def wording(self) -> str:
        """The number and its interval in words."""
        if isnan(self.value):
            return "unknown (no rows)"
        sure = f"{100 * self.confidence:g} %"
        interval = f"{sure} interval {self.low:.3f} to {self.high:.3f}"
        return f"{self.value:.3f} ({interval}, {plural(self.rows, 'row')})"

    def shown_table(self) -> ShownTable:
        """What is shown."""
        return Estimates((self,)).shown_table()


@dataclass(frozen=True, repr=False)
class Estimates(Tabled):
    """Several estimates, such as one for each class; got by name, ``estimates["Yes"]``.

    Attributes
    ----------
    each
        The estimates, in order.
    """

    each: tuple[Estimate, ...]

    def __getitem__(self, name: str) -> Estimate:
        for one in self.each:
            if one.name == name:
                return one
        msg = f"there is no {name!r}; there are {', '.join(repr(one.name) for one in self.each)}"
        raise KeyError(msg)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def shown_table(self) -> ShownTable:
        """What is shown."""
        rows = tuple(
            (one.name, *map(decimals, (one.value, one.low, one.high)), amount(one.rows))
            for one in self.each
        )
        sure = f"{100 * self.each[0].confidence:g} %" if self.each else ""
        names = ("", "measured", "from", "to", "rows")
        numeric = (False, True, True, True, True)
        return ShownTable(f"With {sure} intervals", names, rows, numeric)


def decimals(x: float) -> str:
    """A share with three decimals; ``none`` where there are no rows."""
    return "none" if isnan(x) else f"{x:.3f}"


def deviations(confidence: float) -> float:
    """How many standard deviations to either side hold so much of a normal distribution."""
    if not is_real(confidence) or not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence!r} must lie between 0 and 1, for instance 0.95")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def share_of(name: str, hits: float, rows: float, confidence: float) -> Estimate:
    """A share with Wilson's interval (1927), which holds for few rows and at 0 and 1, too."""
    z = deviations(confidence)
    if not rows:
        return Estimate(name, nan, 0.0, 1.0, 0, confidence)
    share = hits / rows
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * sqrt(share * (1 - share) / rows + (z / (2 * rows)) ** 2)
    # At an end of the scale the interval ends there; it is only rounding that says otherwise.
    low = 0.0 if hits == 0 else max(middle - half, 0.0)
    high = 1.0 if hits == rows else min(middle + half, 1.0)
    return Estimate(name, share, low, high, rows, confidence)


def learned(model: Any) -> Any:
    """What predicts: a tree or forest, also that of a fitted estimator of this library."""
    for name in ("tree_", "forest_", "boosted_"):
        model = getattr(model, name, model)
    if not callable(getattr(model, "predict", None)):
        raise TypeError(f"model must have a predict(table), as a dt.Tree has; got {model!r:.60}")
    return model


def check_rows(model: Any, table: Any) -> None:
    """Raise for what is no table with the classes that the model predicts."""
    target: Any = getattr(model, "target", getattr(table, "target", None))
    labels_for(target, table, "the model")
    if table.target.values is None:
        msg = f"{table.target.name!r} is continuous; this counts classes. See model.error(table)"
        raise ValueError(msg)


def shares_by(model: Any, table: Table, positive: Any) -> tuple[NDArray[np.float64], Any]:
    """The model's share of one class for each row, and which rows are of it."""
    model = learned(model)
    check_rows(model, table)
    target: Attribute = getattr(model, "target", table.target)
    named, own = target.named(positive), table.target.named(positive)
    if named < 0:
        known = ", ".join(repr(v) for v in target.values or ())
        raise ValueError(f"positive={positive!r} must be a class of {target.name!r}: {known}")
    for name in ("shares", "scores", "votes"):
        if callable(method := getattr(model, name, None)):
            found = np.asarray(method(table), dtype=np.float64)
            whole = 1.0 if name == "shares" else found.sum(axis=1)
            return found[:, named] / whole, table.labels == own
    raise TypeError(f"the model gives no shares of classes; got a {type(model).__name__}")


def row_weights(table: Table) -> NDArray[np.float64]:
    """What each row weighs."""
    if table.weights is None:
        return np.ones(table.n_rows)
    return table.weights / table.weight_unit


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Tabled):
    """How many rows of each class are predicted to be of each class.

    Attributes
    ----------
    classes
        The classes, in the order of the table's target.
    counts
        Rows by their weights, shape ``(n_classes, n_classes)``: a line for each true class, a
        column for each predicted one.
    confidence
        Of the intervals of what follows from it.
    """

    classes: tuple[Value, ...]
    counts: NDArray[np.float64]
    confidence: float = 0.95

    @property
    def accuracy(self) -> Estimate:
        """The share of the rows that is predicted rightly."""
        hits, rows = float(np.trace(self.counts)), float(self.counts.sum())
        return share_of("accuracy", hits, rows, self.confidence)

    @property
    def precision(self) -> Estimates:
        """Of the rows that are said to be of a class, the share that is."""
        return self._by_class(self.counts.sum(axis=0))

    @property
    def recall(self) -> Estimates:
        """Of the rows of a class, the share that is said to be of it."""
        return self._by_class(self.counts.sum(axis=1))

    def _by_class(self, rows: NDArray[np.float64]) -> Estimates:
        each = zip(self.classes, np.diag(self.counts).tolist(), rows.tolist(), strict=True)
        return Estimates(tuple(share_of(value(c), h, n, self.confidence) for c, h, n in each))

    def shown_table(self) -> ShownTable:
        """What is shown: the counts, with precision below and recall beside them."""
        named = tuple(value(c) for c in self.classes)
        whole = np.maximum(self.counts.sum(axis=1, keepdims=True), 1e-300)
        shade = tuple(tuple(line) for line in (self.counts / whole).tolist())
        lines = zip(named, self.counts.tolist(), self.recall, strict=True)
        rows = [(name, *map(amount, line), decimals(one.value)) for name, line, one in lines]
        rows.append(("precision", *(decimals(one.value) for one in self.precision), ""))
        names = ("true class", *(f"said {name}" for name in named), "recall")
        numeric = (False, *(True for _ in named), True)
        caption = f"Right: {self.accuracy.wording}"
        return ShownTable(caption, names, tuple(rows), numeric, shade)


def confusion(model: Any, table: Table, *, confidence: float = 0.95) -> Confusion:
    """Count which classes a model takes for which.

    Parameters
    ----------
    model
        A tree, a forest, boosted stumps or a fitted estimator of this library; or anything with a
        ``predict(table)`` that answers with classes.
    table
        Rows with labels, best such as the model was not grown on.
    confidence
        Of the intervals: how often one holds the share among all rows of the kind.

    Returns
    -------
    Confusion
        Its `accuracy`, `precision` and `recall` have Wilson's intervals.

    Raises
    ------
    TypeError
        For what cannot predict, or is no table.
    ValueError
        For a continuous target, or a table that does not fit the model.

    Notes
    -----
    A row that weighs n counts as n rows, in the intervals as well.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> confusion(dt.id3(table, max_depth=1), table)
    Right: 0.700 (95 % interval 0.397 to 0.892, 10 rows)
    true class  said No  said Yes  recall
    No                7         0   1.000
    Yes               3         0   0.000
    precision     0.700      none
    """
    deviations(confidence)
    model = learned(model)
    check_rows(model, table)
    said = np.asarray(model.predict(table)).tolist()
    place = {value_key(v): code for code, v in enumerate(table.classes)}
    classes = list(table.classes)
    for v in said:
        if place.setdefault(value_key(v), len(classes)) == len(classes):
            classes.append(v)
    k = len(classes)
    at = table.labels.astype(np.intp) * k + np.array(
        [place[value_key(v)] for v in said], dtype=np.intp
    )
    ticks = np.bincount(at, table.weights, k * k).reshape(k, k)
    return Confusion(tuple(classes), ticks / table.weight_unit, confidence)


def accuracy(model: Any, table: Table, *, confidence: float = 0.95) -> Estimate:
    """The share of a table's rows that a model predicts rightly, with Wilson's interval.

    Takes and raises what :func:`confusion` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> accuracy(dt.id3(table, max_depth=1), table)
    accuracy 0.700 (95 % interval 0.397 to 0.892, 10 rows)
    """
    return confusion(model, table, confidence=confidence).accuracy


def precision(model: Any, table: Table, *, confidence: float = 0.95) -> Estimates:
    """Of the rows that are said to be of a class, the share that is; for each class.

    Takes and raises what :func:`confusion` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> float(precision(dt.id3(table, max_leaves=2), table)["No"])
    0.7
    """
    return confusion(model, table, confidence=confidence).precision


def recall(model: Any, table: Table, *, confidence: float = 0.95) -> Estimates:
    """Of the rows of a class, the share that is said to be of it; for each class.

    Takes and raises what :func:`confusion` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> float(recall(dt.id3(table, max_depth=1), table)["No"])
    1.0
    """
    return confusion(model, table, confidence=confidence).recall


@dataclass(frozen=True, repr=False)
class Paired(Tabled):
    """How much better one model is than another on the same rows.

    Attributes
    ----------
    difference
        The error of the first minus that of the second, above 0 where the second is better, with
        its interval.
    better, worse
        How many rows the second gets right and the first wrong, and the other way round; of
        numbers, how many it comes nearer to, and how many less near.
    p_value
        How often rows would speak as clearly against equality if the two were equally good; NaN
        where no row differs.
    """

    difference: Estimate
    better: float
    worse: float
    p_value: float

    def shown_table(self) -> ShownTable:
        """What is shown."""
        rows = (
            ("error of the first minus that of the second", self.difference.wording),
            ("rows where the second is better", amount(self.better)),
            ("rows where the first is better", amount(self.worse)),
            ("p", "none" if isnan(self.p_value) else f"{self.p_value:.2g}"),
        )
        return ShownTable("Two models on the same rows", ("", ""), rows, (False, False))


def paired(first: Any, second: Any, table: Table, *, confidence: float = 0.95) -> Paired:
    """The difference of two models' errors, on the same rows.

    Rows that both get right or wrong say nothing of the difference, so it is far surer than the
    intervals of the two errors let one think.

    Parameters
    ----------
    first, second
        Two models as :func:`confusion` takes them.
    table
        Rows with labels, best such as neither was grown on.
    confidence
        Of the interval.

    Returns
    -------
    Paired
        Shown as a table and a picture of the interval.

    Raises
    ------
    TypeError, ValueError
        As :func:`confusion` does.

    Notes
    -----
    Of classes the interval is that of Agresti and Min (2005), Statistics in Medicine 24, 729-740,
    and p that of McNemar's exact test. Of numbers both are normal approximations for the mean of
    the rows' differences of squared errors. A row that weighs n counts as n rows, in McNemar's test
    rounded to whole ones.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()
    >>> paired(dt.id3(table, max_depth=1), dt.id3(table), table)
    Two models on the same rows
    error of the first minus that of the second  0.300 (95 % interval -0.044 to 0.544, 10 rows)
    rows where the second is better              3
    rows where the first is better               0
    p                                            0.25
    """
    z = deviations(confidence)
    weights = row_weights(table)
    before, after = (_losses(learned(model), table) for model in (first, second))
    off, rows = before - after, float(weights.sum())
    better, worse = float(weights[off > 0].sum()), float(weights[off < 0].sum())
    mean = float((off * weights).sum() / rows)
    if table.target.values is None:
        spread = float((np.square(off - mean) * weights).sum() / max(rows - 1, 1))
        half = z * sqrt(spread / rows)
        sure = mean, mean - half, mean + half
        p = erfc(abs(mean) / sqrt(2 * spread / rows)) if spread else nan
    else:
        # Half a row is added to each of the four cells.
        n, d, b = rows + 2, better - worse, better + worse + 1
        half = z * sqrt(b - d * d / n) / n
        sure = mean, max(d / n - half, -1.0), min(d / n + half, 1.0)
        p = _sign_test(better, worse)
    difference = Estimate("difference", *sure, rows, confidence)
    return Paired(difference, better, worse, p)


def _losses(model: Any, table: Table) -> NDArray[np.float64]:
    """Each row's error: 0 or 1, or of numbers the squared distance."""
    target = getattr(model, "target", table.target)
    labels = labels_for(target, table, "the model")
    said = np.asarray(model.predict(table))
    if target.values is None:
        return np.square(np.asarray(said - labels, dtype=np.float64))
    right = [v == table.classes[k] for v, k in zip(said.tolist(), table.labels, strict=True)]
    return 1.0 - np.array(right, dtype=np.float64)


def _sign_test(better: float, worse: float) -> float:
    """How often a fair coin falls at least as unevenly; McNemar's exact test."""
    n, least = round(better + worse), round(min(better, worse))
    if not n:
        return nan
    ways = (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) for k in range(least + 1))
    return min(1.0, 2 * fsum(exp(w - n * log(2)) for w in ways))
