r"""Gaussian thresholds: where a bell curve for each class says that the answer changes.

At a node, fit a normal density to the attribute's values in each class, and cut where

.. math:: \frac{P(X_i = x \mid Y = 1)\,P(Y = 1)}{P(X_i = x \mid Y = -1)\,P(Y = -1)} = \tau

The logarithm of the ratio is a quadratic function of x: with equal variances it is linear, so there
is one crossing; with unequal ones there are none, one or two. With more than two classes the line
falls into the intervals in which each class has the largest P(X=x|Y=k) P(Y=k): the highest of
several parabolas. :func:`gaussian_tree` is the textbook grower again, with these thresholds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from dtree_lab.base.checks import is_real
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import number, value
from dtree_lab.base.types import Floats
from dtree_lab.continuous.intervals import nonempty_cuts
from dtree_lab.grow.prepare import check_classes
from dtree_lab.grow.recipe import Candidate, Recipe, Stop, recipe
from dtree_lab.grow.steps import narrates
from dtree_lab.grow.textbook import Growth, best_split, finish, grow_by_recipe, weigh
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Tree


@dataclass(frozen=True)
class Bell:
    """The normal density of one class at a node."""

    value: Value
    rows: int  # that it was fitted to
    mean: float  # mean and variance are those of maximum likelihood
    sd: float  # root of the mean squared distance from the mean
    prior: float  # P(Y = value)
    # `sd` is that of all classes together: asked for, or because this class has no spread.
    pooled: bool = False

    def density(self, x: Any) -> Any:
        """P(X=x | Y=value), per unit of x; with an `sd` of 0, infinite at the mean, else 0."""
        x = np.asarray(x, dtype=np.float64)
        if self.sd == 0:
            return np.where(x == self.mean, np.inf, 0.0)
        z = (x - self.mean) / self.sd
        return np.exp(-z * z / 2) / (self.sd * np.sqrt(2 * np.pi))


@dataclass(frozen=True, repr=False)
class GaussianFit:
    """Bell curves for the classes of some rows, and the regions in which each class wins.

    Attributes
    ----------
    attribute
        The continuous attribute.
    bells
        One for each class that has rows here, in the order of the target's classes.
    crossings
        Where the answer changes, increasing.
    winners
        The answer in each region, one more than there are crossings.
    split
        The question: the crossings that leave rows in each branch; None when that is no crossing.
    tau
        What the ratio is compared with, for two classes.
    positive
        The class in the ratio's numerator; None when the target has not two classes.
    """

    attribute: Attribute
    bells: tuple[Bell, ...]
    crossings: tuple[float, ...]
    winners: tuple[Value, ...]
    split: Intervals | None
    tau: float
    positive: Value | None

    @property
    def regions(self) -> tuple[tuple[float, float, Value], ...]:
        """Each region as (from, below, winner); the outer ones reach to infinity."""
        ends = (-np.inf, *self.crossings, np.inf)
        return tuple(zip(ends[:-1], ends[1:], self.winners, strict=True))

    def bell(self, value: Value) -> Bell:
        """The bell of a class; a KeyError for one that has no rows here."""
        for one in self.bells:
            if one.value == value:
                return one
        raise KeyError(value)

    def log_ratio(self, x: Any) -> Any:
        """The logarithm of the likelihood ratio with priors, in bits; it crosses log2(tau).

        Raises
        ------
        ValueError
            When there are not two classes with rows and a spread to compare.
        """
        if self.positive is None or len(self.bells) != 2 or not all(b.sd for b in self.bells):  # noqa: PLR2004
            msg = "a ratio compares two classes, both with rows here, of which one has a spread"
            raise ValueError(msg)
        above = self.bell(self.positive)
        below = next(b for b in self.bells if b is not above)
        with np.errstate(divide="ignore"):
            return (_log_joint(above, x) - _log_joint(below, x)) / np.log(2)

    @terminal
    def __repr__(self) -> str:
        lines = [
            f"{value(b.value)}: mean {number(b.mean)}, sd {number(b.sd)}, prior {number(b.prior)}"
            for b in self.bells
        ]
        said = [f"{value(w)} from {number(lo)} to {number(hi)}" for lo, hi, w in self.regions]
        return "\n".join([self.attribute.name, *lines, "; ".join(said)])


def _log_joint(bell: Bell, x: Any) -> Any:
    z = (np.asarray(x, dtype=np.float64) - bell.mean) / bell.sd
    return np.log(bell.prior) - np.log(bell.sd) - z * z / 2


_SAME = 1e-12  # how much equal precisions may differ by rounding, relative to themselves
_FAR = 1e100  # so many spreads away, squares are no longer finite


@dataclass(frozen=True)
class LogDensity:
    """``log(prior) - log(sd) - (x - mean)² / (2 sd²)``: the logarithm of a joint density."""

    mean: float
    sd: float  # 0 for all scores or for none
    weight: float  # the logarithm of the prior, and what else is constant


def regions(scores: Sequence[LogDensity]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Where the highest score changes, and which, the first of equals, is it in each region."""
    if any(score.sd == 0 for score in scores):
        return _nearest(scores)
    means, sds = np.array([s.mean for s in scores]), np.array([s.sd for s in scores])
    centre, scale = float(means.mean()), max(float(sds.max()), float(np.ptp(means)))
    d, sd = (means - centre) / scale, sds / scale
    weight = np.array([s.weight for s in scores]) - np.log(sd)
    pairs = combinations(range(len(scores)), 2)
    roots = [r for i, j in pairs for r in _roots(d[[i, j]], sd[[i, j]], weight[[i, j]])]
    ends = np.unique(np.array(roots) * scale + centre)
    # Beyond the outermost roots nothing changes, so any place there will do.
    inside = (ends - centre) / scale
    low, high = (inside[0], inside[-1]) if len(inside) else (0.0, 0.0)
    outer = [low - max(1, abs(low)), *inside, high + max(1, abs(high))]
    places = np.array([(a + b) / 2 for a, b in pairwise(outer)])
    heights = weight[:, None] - ((places - d[:, None]) / sd[:, None]) ** 2 / 2
    winners = heights.argmax(axis=0)
    # Neighbouring regions with one winner are one.
    change = winners[1:] != winners[:-1]
    kept = winners[np.concatenate([[True], change])]
    return tuple(ends[change].tolist()), tuple(kept.tolist())


def _roots(d: Floats, sd: Floats, weight: Floats) -> list[float]:
    """Where two parabolas meet, the quadratic solved without cancellation."""
    p = 1 / sd**2
    # Equal spreads are seldom equal to the last bit, and would meet again absurdly far away.
    a = 0.0 if abs(p[1] - p[0]) <= _SAME * p.max() else (p[1] - p[0]) / 2
    b = d[0] * p[0] - d[1] * p[1]
    c = weight[0] - weight[1] - (d[0] ** 2 * p[0] - d[1] ** 2 * p[1]) / 2
    if a == 0:
        found = [-c / b] if b else []
    else:
        square = b * b - 4 * a * c
        if square < 0:
            return []
        # b and the root have the same sign, so nothing cancels; the other root is c / (a root).
        q = -(b + np.copysign(np.sqrt(square), b)) / 2
        found = [q / a] + ([c / q] if q else [])
    return [float(x) for x in found if abs(x) < _FAR]


def _nearest(scores: Sequence[LogDensity]) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The limit of spreads that go to 0: the nearest mean wins, halfway is a crossing."""
    best: dict[float, int] = {}
    for i, score in enumerate(scores):
        rival = best.setdefault(score.mean, i)
        if score.weight > scores[rival].weight:
            best[score.mean] = i
    means = sorted(best)
    crossings = tuple(low / 2 + high / 2 for low, high in pairwise(means))
    return crossings, tuple(best[mean] for mean in means)


@dataclass(frozen=True)
class GaussianModel:
    """How Gaussian thresholds are chosen; the parameters of :func:`gaussian_thresholds`."""

    equal_variance: bool = False
    tau: float = 1.0
    priors: Mapping[Any, float] | None = None
    positive: Value | None = None

    def check(self, table: Table) -> None:
        """Raise a ValueError that names a parameter which these classes do not allow."""
        if not is_real(self.tau) or not 0 < self.tau < np.inf:
            raise ValueError(f"tau={self.tau!r} must be a positive number")
        two = len(table.classes) == 2  # noqa: PLR2004 - a ratio has two sides
        if not two and (self.tau != 1 or self.positive is not None):
            n = len(table.classes)
            raise ValueError(f"tau and positive are for two classes; {table.target.name!r} has {n}")
        if self.positive is not None and table.target.code(self.positive) < 0:
            raise ValueError(f"positive={self.positive!r} is no class; there are {table.classes}")
        if self.priors is None:
            return
        if set(self.priors) != set(table.classes):
            msg = f"priors must name each class once, {table.classes}; got {tuple(self.priors)}"
            raise ValueError(msg)
        for name, p in self.priors.items():
            if not isinstance(p, int | float | np.number) or not 0 < p < np.inf:
                raise ValueError(f"the prior of {name!r} must be a positive number; got {p!r}")


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
    model = GaussianModel(equal_variance, tau, priors, positive)
    check_classes(table)
    model.check(table)
    if table.attribute(name).values is not None:
        raise ValueError(f"{name!r} is discrete; Gaussian thresholds are for continuous attributes")
    return gaussian_fit(table, table.index(name), model)


def gaussian_fit(table: Table, i: int, model: GaussianModel) -> GaussianFit:
    """The fit for attribute `i` of a checked table; see :func:`gaussian_thresholds`."""
    column = table.columns[i]
    bells = _bells(table, column, model)
    positive = model.positive
    if positive is None and len(table.classes) == 2:  # noqa: PLR2004 - a ratio has two sides
        positive = table.classes[-1]
    scores = [
        LogDensity(
            b.mean, b.sd, np.log(b.prior) - (np.log(model.tau) if b.value == positive else 0)
        )
        for b in bells
    ]
    crossings, winners = regions(scores)
    cuts = nonempty_cuts(np.array(crossings), column)
    split = Intervals(i, cuts) if cuts else None
    answers = tuple(bells[w].value for w in winners)
    attribute = table.attributes[i]
    return GaussianFit(attribute, bells, crossings, answers, split, model.tau, positive)


def _bells(table: Table, column: Floats, model: GaussianModel) -> tuple[Bell, ...]:
    classes = table.classes
    # Bells are of rows as often as they weigh.
    times = 1 if table.weights is None else table.weights
    column, labels = np.repeat(column, times), np.repeat(table.labels, times)
    parts = [column[labels == k] for k in range(len(classes))]
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


def gaussian_tree(  # noqa: PLR0913 - the growers' keywords, and those of the thresholds
    table: Table,
    *,
    criterion: str = "entropy",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows: int = 2,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    max_error: float | None = None,
    equal_variance: bool = False,
    tau: float = 1.0,
    priors: Mapping[Any, float] | None = None,
    positive: Value | None = None,
) -> Tree:
    """Grow as ID3 does, but cut continuous attributes where the classes' bell curves cross.

    At each node :func:`dtree_lab.gaussian_thresholds` is asked for each continuous attribute; its
    regions become the branches, two or more. Then the attribute that gains most is chosen, the
    first in a tie. Discrete attributes branch on every value.

    Parameters
    ----------
    table
        Rows with a discrete target.
    criterion, max_depth, max_leaves, min_rows, min_leaf, min_gain, max_error
        As for :func:`dtree_lab.id3`.
    equal_variance, tau, priors, positive
        As for :func:`dtree_lab.gaussian_thresholds`.

    Raises
    ------
    ValueError
        As both do.

    Notes
    -----
    Bell curves see less than all midpoints: a node whose curves do not cross between its rows
    stays a leaf, even though a threshold might part it. Trees are smaller, and training errors
    may remain.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns(
    ...     {"x": [-1, 1, 3, 5], "y": ["a", "a", "b", "b"]}, target="y"
    ... )
    >>> gaussian_tree(table).root.split.cuts
    (2.0,)
    """
    stop = Stop(max_depth, max_leaves, min_rows, min_gain, max_error, min_leaf)
    model = GaussianModel(equal_variance, tau, priors, positive)
    return Tree.of(table, finish(_growth(table, criterion, stop, model)), criterion)


@narrates(gaussian_tree)
def gaussian_growth(table: Table, *, criterion: str = "entropy", **keywords: Any) -> Growth:
    """The textbook's growth of :func:`gaussian_tree`."""
    own = {f.name: keywords.pop(f.name) for f in fields(GaussianModel) if f.name in keywords}
    return _growth(table, criterion, Stop(**keywords), GaussianModel(**own))


def _growth(table: Table, criterion: str, stop: Stop, model: GaussianModel) -> Growth:
    check_classes(table)
    model.check(table)
    asked = recipe("id3", criterion, stop)
    return grow_by_recipe(table, replace(asked, propose=partial(_proposals, model=model)))


def _proposals(table: Table, recipe: Recipe, model: GaussianModel) -> list[Candidate]:
    """Each attribute's split of these rows: Gaussian for a continuous one, else by value."""
    found: list[Candidate] = []
    for i, attribute in enumerate(table.attributes):
        if attribute.values is not None:
            candidate = best_split(table, i, recipe)
        else:
            split = gaussian_fit(table, i, model).split
            candidate = None if split is None else weigh(table, split, recipe.criterion)
        if candidate is not None:
            found.append(candidate)
    return found
