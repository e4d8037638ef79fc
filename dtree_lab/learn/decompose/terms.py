"""From predictions to noise, bias and variance, row by row.

Many training sets gave many predictions of each test row. What is known of the row's label is given
apart from them, so each loss is an expectation over both, and the terms of each decomposition add
up to it exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from dtree_lab.populations import Chances, Numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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
    """The expected loss of each prediction, shape ``(n_repeats, n_rows)``.

    Parameters
    ----------
    predictions
        Codes or numbers, shape ``(n_repeats, n_rows)``.
    truth
        Of the rows.
    """
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
    q, p = shares(predictions, truth.p.shape[1]), truth.p
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
    """Noise, squared bias and variance of classes by Kohavi and Wolpert (1996).

    It is the squared-error decomposition of the classes written as vectors of 0 and 1, halved.
    As there, the variance is estimated without bias, and the squared bias rid of its share of it.
    """
    n = len(predictions)
    q, p = shares(predictions, truth.p.shape[1]), truth.p
    spread = (1 - (q * q).sum(axis=1)) / 2
    bias = ((p - q) ** 2).sum(axis=1) / 2 - spread / (n - 1)
    variance = spread * (n / (n - 1))
    noise = (1 - (p * p).sum(axis=1)) / 2
    loss = losses(predictions, truth).mean(axis=0)
    return ByRow(loss, noise, bias, variance, noise, variance, q.argmax(axis=1), p.argmax(axis=1))


def shares(predictions: NDArray[Any], n_classes: int) -> Floats:
    """The share of training sets that predict each class, shape ``(n_rows, n_classes)``."""
    n, rows = predictions.shape
    key = predictions + np.arange(rows) * n_classes
    counts = np.bincount(key.ravel(), minlength=rows * n_classes)
    each: Floats = counts.reshape(rows, n_classes) / n
    return each


def terms(method: Method, predictions: NDArray[Any], truth: Chances | Numbers) -> ByRow:
    """The terms by a method; raises a ValueError for one that does not suit the target."""
    return _METHODS[method](predictions, truth)


_METHODS: dict[Method, Callable[[Any, Any], ByRow]] = {
    "squared": squared,
    "domingos": domingos,
    "kohavi-wolpert": kohavi_wolpert,
}


def method_for(asked: str | None, truth: Chances | Numbers) -> Method:
    """The method that was asked for, or the usual one for the target.

    Raises
    ------
    ValueError
        For a method that there is none of, or that does not suit the target.
    """
    target = truth.table.target
    fitting: tuple[Method, ...] = (
        ("squared",) if target.values is None else ("domingos", "kohavi-wolpert")
    )
    if asked is None:
        return fitting[0]
    for method in fitting:
        if asked == method:
            return method
    names = " or ".join(map(repr, fitting))
    msg = f"decomposition={asked!r} must be {names}, as the target {target.name!r} is {target.kind}"
    raise ValueError(msg)
