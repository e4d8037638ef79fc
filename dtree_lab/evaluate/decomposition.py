"""From predictions to noise, bias and variance: row by row, summed up, and as text.

Many training sets gave many predictions of each test row. What is known of the row's label is given
apart from them, so each loss is an expectation over both, and the terms of each decomposition add
up to it exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import floor, isfinite, log10
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural, value
from dtree_lab.base.types import Floats
from dtree_lab.populations import Chances, Numbers, Truth

T = TypeVar("T")
Method: TypeAlias = Literal["squared", "domingos", "kohavi-wolpert"]


@dataclass(frozen=True, eq=False)
class ByRow:
    """The terms at each test row; every array has the shape ``(n_rows,)``.

    Attributes
    ----------
    loss
        The expected loss, over training sets and labels.
    noise
        That of the best answer.
    bias
        The squared bias; Domingos's is 1 where the main prediction is not the best answer, else 0.
    variance
        How the predictions vary around the main one.
    net_noise, net_variance
        What noise and variance add to the loss: ``loss = net_noise + bias + net_variance``.
        They differ from noise and variance in Domingos's decomposition only.
    main
        The main prediction: the mean, or the code of the most frequent class.
    best
        The best answer: the expected number, or the code of the most probable class.
    """

    loss: Floats
    noise: Floats
    bias: Floats
    variance: Floats
    net_noise: Floats
    net_variance: Floats
    main: NDArray[Any]
    best: NDArray[Any]

    def __post_init__(self) -> None:
        for f in fields(self):
            getattr(self, f.name).flags.writeable = False


def losses(predictions: NDArray[Any], truth: Chances | Numbers) -> Floats:
    """The expected loss of each prediction, a code or a number; ``(n_repeats, n_rows)``."""
    if isinstance(truth, Numbers):
        found: Floats = truth.variance + (truth.mean - predictions) ** 2
        return found
    missed: Floats = 1 - truth.p[np.arange(predictions.shape[1]), predictions]
    return missed


def squared(predictions: Floats, truth: Numbers) -> ByRow:
    """Noise, squared bias and variance of numbers (Geman, Bienenstock and Doursat 1992).

    The variance is estimated without bias, divided by ``n_repeats - 1``. The squared distance of
    the mean prediction from the truth is too large by the variance of that mean, which is
    subtracted; the loss remains their sum.
    """
    n = len(predictions)
    mean = predictions.mean(axis=0)
    variance = ((predictions - mean) ** 2).sum(axis=0) / (n - 1)
    bias = (mean - truth.mean) ** 2 - variance / n
    loss = losses(predictions, truth).mean(axis=0)
    noise = truth.variance.copy()
    return ByRow(loss, noise, bias, variance, noise, variance, mean, truth.mean.copy())


def domingos(predictions: NDArray[Any], truth: Chances) -> ByRow:
    """Noise, bias and variance of classes by Domingos (2000), theorems 2 and 3.

    With y* the best answer, ym the main prediction, y a prediction and t a label, the loss is
    ``c1 N + B + c2 V``. The main prediction is that of the training sets at hand, so the variance
    is a little too small when they are few.
    """
    rows = np.arange(predictions.shape[1])
    q, p = _class_shares(predictions, truth.p.shape[1]), truth.p
    main, best = q.argmax(axis=1), p.argmax(axis=1)
    noise, variance = 1 - p[rows, best], 1 - q[rows, main]
    biased = main != best
    # c1 N = P(y = y*) N - P(y = t, neither being y*): a prediction beside y* may meet the noise.
    hit = q[rows, best]
    met = (q * p).sum(axis=1) - hit * p[rows, best]
    # c2 V = V, but where the main prediction is wrong, deviating from it to y* helps.
    net = np.where(biased, -hit, variance)
    loss = losses(predictions, truth).mean(axis=0)
    wrong = biased.astype(np.float64)
    return ByRow(loss, noise, wrong, variance, hit * noise - met, net, main, best)


def kohavi_wolpert(predictions: NDArray[Any], truth: Chances) -> ByRow:
    """Kohavi and Wolpert (1996): half the squared-error terms of classes written as 0 and 1."""
    n = len(predictions)
    q, p = _class_shares(predictions, truth.p.shape[1]), truth.p
    spread = (1 - (q * q).sum(axis=1)) / 2
    bias = ((p - q) ** 2).sum(axis=1) / 2 - spread / (n - 1)
    variance = spread * (n / (n - 1))
    noise = (1 - (p * p).sum(axis=1)) / 2
    loss = losses(predictions, truth).mean(axis=0)
    return ByRow(loss, noise, bias, variance, noise, variance, q.argmax(axis=1), p.argmax(axis=1))


def _class_shares(predictions: NDArray[Any], n_classes: int) -> Floats:
    """The share of training sets that predict each class, shape ``(n_rows, n_classes)``."""
    n, rows = predictions.shape
    key = predictions + np.arange(rows) * n_classes
    counts = np.bincount(key.ravel(), minlength=rows * n_classes)
    each: Floats = counts.reshape(rows, n_classes) / n
    return each


_METHODS: dict[Method, Callable[[Any, Any], ByRow]] = {
    "squared": squared,
    "domingos": domingos,
    "kohavi-wolpert": kohavi_wolpert,
}


def method_for(name: str | None, truth: Chances | Numbers) -> Method:
    """The method that was asked for, or the usual one for the target."""
    target = truth.table.target
    fitting: tuple[Method, ...] = (
        ("squared",) if target.values is None else ("domingos", "kohavi-wolpert")
    )
    if name is None:
        return fitting[0]
    for method in fitting:
        if name == method:
            return method
    names = " or ".join(map(repr, fitting))
    msg = f"decomposition={name!r} must be {names}, as the target {target.name!r} is {target.kind}"
    raise ValueError(msg)


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


def points_text(parameter: str | None, points: Sequence[Decomposition]) -> str:
    """The text of some points, with their values in front when a keyword was varied."""
    first = points[0]
    columns = _DOMINGOS if first.method == "domingos" else _ADDITIVE
    rows = [[getattr(point, name) for name in columns.values()] for point in points]
    decimals = _decimals(max(point.loss for point in points))
    leaves = [float(np.mean(point.n_leaves)) for point in points]
    # With as many decimals in all columns, and no negative zero.
    cells = [list(columns), *([f"{x:z.{decimals}f}" for x in row] for row in rows)]
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


class Terms(Generic[T]):
    """The terms of a decomposition: numbers, or arrays with one for each value of a keyword."""

    def _each(self, name: str) -> T:
        raise NotImplementedError

    @property
    def loss(self) -> T:
        """The expected loss: the error, or the mean squared error."""
        return self._each("loss")

    @property
    def noise(self) -> T:
        """That of the best answers: the Bayes error, or the noise variance.

        By Kohavi and Wolpert half of what is left of 1 by the squared class probabilities.
        """
        return self._each("noise")

    @property
    def bias(self) -> T:
        """How far the main prediction is from the best answer (squared, but for Domingos).

        Estimated without bias where it is squared, so that it can come out below 0 when it is
        nearly nothing.
        """
        return self._each("bias")

    @property
    def variance(self) -> T:
        """How the predictions vary around the main one."""
        return self._each("variance")

    @property
    def net_noise(self) -> T:
        """What noise adds to the loss."""
        return self._each("net_noise")

    @property
    def net_variance(self) -> T:
        """What variance adds to the loss; below 0 where it makes up for bias."""
        return self._each("net_variance")


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Terms[float]):
    """Loss, noise, bias and variance of a grower, over many training sets. Shown as text.

    Always ``loss = net_noise + bias + net_variance``. For squared error and by Kohavi and Wolpert
    the net terms are `noise` and `variance`, and `bias` is squared.

    Attributes
    ----------
    value
        The keyword's value that it was measured for, or None.
    method
        ``"squared"``, ``"domingos"`` or ``"kohavi-wolpert"``.
    truth
        The test rows, their weights, and what is known about their labels.
    n_rows
        Rows of a training set.
    predictions
        For each training set the prediction of each test row, shape ``(n_repeats, n_test_rows)``:
        numbers, or codes into the target's classes.
    training_losses
        For each training set the loss on its own rows, shape ``(n_repeats,)``.
    n_leaves
        For each training set the leaves of what was grown, NaN for what has none.
    grown
        The trees, if they were to be kept, else empty.
    """

    value: Any
    method: Method
    truth: Truth
    n_rows: int
    predictions: NDArray[Any]
    training_losses: Floats
    n_leaves: Floats
    grown: tuple[Any, ...] = ()

    @cached_property
    def by_row(self) -> ByRow:
        """The terms at each test row."""
        return _METHODS[self.method](self.predictions, self.truth)

    @cached_property
    def losses(self) -> Floats:
        """For each training set the expected loss over the test rows, shape ``(n_repeats,)``."""
        return losses(self.predictions, self.truth) @ self.truth.weights

    @property
    def unbiased_variance(self) -> float:
        """Domingos's variance on rows whose main prediction is right: there it adds to the loss.

        Raises
        ------
        AttributeError
            For another decomposition, which knows no such thing.
        """
        return self._variance_where(biased=False)

    @property
    def biased_variance(self) -> float:
        """Domingos's variance on rows whose main prediction is wrong: there it helps.

        With two classes ``net_variance = unbiased_variance - biased_variance``; with more, a
        deviation helps only where it hits the best answer.

        Raises
        ------
        AttributeError
            For another decomposition, which knows no such thing.
        """
        return self._variance_where(biased=True)

    @property
    def training_loss(self) -> float:
        """The mean loss of what was grown on the rows it was grown on."""
        return float(self.training_losses.mean())

    @terminal
    def __repr__(self) -> str:
        return points_text(None, (self,))

    __str__ = __repr__

    def _each(self, name: str) -> float:
        return float(self.truth.weights @ getattr(self.by_row, name))

    def _variance_where(self, *, biased: bool) -> float:
        if self.method != "domingos":
            msg = f"only Domingos's variance is biased or unbiased; this one is {self.method!r}"
            raise AttributeError(msg)
        here = (self.by_row.main != self.by_row.best) == biased
        return float(self.truth.weights @ np.where(here, self.by_row.variance, 0.0))


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance(Terms[Floats]):
    """The decomposition for each value of a keyword, on the same training sets. Shown as text.

    ``result.bias`` and its like are arrays with one number for each value, ready to be plotted.

    Attributes
    ----------
    parameter
        The keyword.
    points
        One :class:`Decomposition` for each value.
    """

    parameter: str
    points: tuple[Decomposition, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        """The values that were tried."""
        return tuple(point.value for point in self.points)

    def at(self, value: Any) -> Decomposition:
        """The decomposition for a value.

        Raises
        ------
        ValueError
            For a value that was not tried.
        """
        for point in self.points:
            if point.value == value:
                return point
        msg = f"{self.parameter}={value!r} was not tried; the values are {list(self.values)}"
        raise ValueError(msg)

    @property
    def unbiased_variance(self) -> Floats:
        """Domingos's variance on rows whose main prediction is right, for each value."""
        return self._each("unbiased_variance")

    @property
    def biased_variance(self) -> Floats:
        """Domingos's variance on rows whose main prediction is wrong, for each value."""
        return self._each("biased_variance")

    @property
    def training_loss(self) -> Floats:
        """The mean loss on the training rows for each value."""
        return self._each("training_loss")

    @property
    def n_leaves(self) -> Floats:
        """The mean number of leaves for each value."""
        return np.array([point.n_leaves.mean() for point in self.points])

    @terminal
    def __repr__(self) -> str:
        return points_text(self.parameter, self.points)

    __str__ = __repr__

    def _each(self, name: str) -> Floats:
        return np.array([getattr(point, name) for point in self.points])
