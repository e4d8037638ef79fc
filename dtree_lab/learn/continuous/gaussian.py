r"""Gaussian thresholds: where a bell curve for each class says that the answer changes.

At a node, fit a normal density to the attribute's values in each class, and cut where

.. math:: \frac{P(X_i = x \mid Y = 1)\,P(Y = 1)}{P(X_i = x \mid Y = -1)\,P(Y = -1)} = \tau

The logarithm of the ratio is a quadratic function of x: with equal variances it is linear, so there
is one crossing; with unequal ones there are none, one or two. With more than two classes the line
falls into the intervals in which each class has the largest P(X=x|Y=k) P(Y=k).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.continuous.bells import Bell, GaussianFit
from dtree_lab.learn.continuous.crossings import Score, regions
from dtree_lab.learn.continuous.interval_search import filled
from dtree_lab.learn.ready import check_classes
from dtree_lab.splits import Intervals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from dtree_lab.table import Table, Value

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Model:
    """How Gaussian thresholds are chosen; the parameters of :func:`gaussian_thresholds`."""

    equal_variance: bool = False
    tau: float = 1.0
    priors: Mapping[Any, float] | None = None
    positive: Value | None = None

    def check(self, table: Table) -> None:
        """Raise a ValueError that names a parameter which these classes do not allow."""
        number_like = (int, float, np.integer, np.floating)
        right = isinstance(self.tau, number_like) and not isinstance(self.tau, bool)
        if not right or not 0 < self.tau < np.inf:
            msg = f"tau={self.tau!r} must be a positive number"
            raise ValueError(msg)
        two = len(table.classes) == 2  # noqa: PLR2004 - a ratio has two sides
        if not two and (self.tau != 1 or self.positive is not None):
            n = len(table.classes)
            msg = f"tau and positive are for two classes; {table.target.name!r} has {n}"
            raise ValueError(msg)
        if self.positive is not None and table.target.code(self.positive) < 0:
            msg = f"positive={self.positive!r} is no class; there are {table.classes}"
            raise ValueError(msg)
        if self.priors is not None:
            self._check_priors(self.priors, table.classes)

    @staticmethod
    def _check_priors(priors: Mapping[Any, float], classes: tuple[Value, ...]) -> None:
        if set(priors) != set(classes):
            msg = f"priors must name each class once, {classes}; got {tuple(priors)}"
            raise ValueError(msg)
        for name, p in priors.items():
            if not isinstance(p, int | float | np.number) or not 0 < p < np.inf:
                msg = f"the prior of {name!r} must be a positive number; got {p!r}"
                raise ValueError(msg)


def gaussian_thresholds(  # noqa: PLR0913 - the parameters are the model's
    table: Table,
    name: str,
    *,
    equal_variance: bool = False,
    tau: float = 1.0,
    priors: Mapping[Any, float] | None = None,
    positive: Value | None = None,
) -> GaussianFit:
    """Fit a bell curve to each class and find where the answer changes.

    Parameters
    ----------
    table
        The rows of a node, with a discrete target.
    name
        A continuous attribute.
    equal_variance
        Give all classes the pooled variance, so that two classes cross once at most.
    tau
        With two classes, what the ratio P(x|+) P(+) / (P(x|-) P(-)) must exceed for the positive
        class to be the answer.
    priors
        From each class to its weight, divided by their sum; without it, the shares of the rows.
    positive
        Which of two classes is in the numerator; without it, the last one.

    Returns
    -------
    GaussianFit
        Its `split` is an ordinary question with a branch for each region that has rows.

    Raises
    ------
    ValueError
        For a discrete attribute, a parameter out of range, or a table that no tree can be grown
        on.

    Notes
    -----
    Special cases. A class without rows here takes no part. A class without a spread (one row, or
    one value) borrows the pooled variance, the mean squared distance of all rows from their
    class's mean. When no class has a spread, each value of x belongs to the nearest mean: the
    limit of equal variances that go to 0, in which priors and tau no longer count (except between
    classes with the same mean, where the larger prior wins, then the first class). Classes with
    equal means and variances do not cross.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns(
    ...     {"x": [-1, 1, 3, 5], "y": ["a", "a", "b", "b"]}, target="y"
    ... )
    >>> gaussian_thresholds(table, "x").crossings  # equal spread and priors: half-way
    (2.0,)
    """
    model = Model(equal_variance, tau, priors, positive)
    check_classes(table)
    model.check(table)
    if table.attribute(name).values is not None:
        msg = f"{name!r} is discrete; Gaussian thresholds are for continuous attributes"
        raise ValueError(msg)
    return fit(table, table.index(name), model)


def fit(table: Table, i: int, model: Model) -> GaussianFit:
    """The fit for attribute `i` of a checked table; see :func:`gaussian_thresholds`."""
    column = table.columns[i]
    bells = _bells(table, column, model)
    positive = model.positive
    if positive is None and len(table.classes) == 2:  # noqa: PLR2004 - a ratio has two sides
        positive = table.classes[-1]
    scores = [
        Score(b.mean, b.sd, np.log(b.prior) - (np.log(model.tau) if b.value == positive else 0))
        for b in bells
    ]
    crossings, winners = regions(scores)
    cuts = filled(np.array(crossings), column)
    split = Intervals(i, cuts) if cuts else None
    answers = tuple(bells[w].value for w in winners)
    attribute = table.attributes[i]
    return GaussianFit(attribute, bells, crossings, answers, split, model.tau, positive)


def _bells(table: Table, column: Floats, model: Model) -> tuple[Bell, ...]:
    classes = table.classes
    parts = [column[table.labels == k] for k in range(len(classes))]
    weights = [model.priors[c] for c in classes] if model.priors else [len(part) for part in parts]
    fitted = [_mean_and_squares(part) if len(part) else (0.0, 0.0) for part in parts]
    pooled = float(np.sqrt(sum(squares for _, squares in fitted) / len(column)))
    bells = []
    for k, (part, (mean, squares)) in enumerate(zip(parts, fitted, strict=True)):
        if not len(part):
            continue
        together = model.equal_variance or squares == 0
        sd = pooled if together else float(np.sqrt(squares / len(part)))
        prior = float(weights[k] / sum(weights))
        bells.append(Bell(classes[k], len(part), mean, sd, prior, together))
    return tuple(bells)


def _mean_and_squares(part: Floats) -> tuple[float, float]:
    """The mean, and the sum of squared distances from it; exactly 0 for equal values."""
    if part.min() == part.max():
        return float(part[0]), 0.0
    mean = part.mean()
    return float(mean), float(((part - mean) ** 2).sum())
