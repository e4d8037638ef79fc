"""What was measured: the terms for one way to grow, or for each value of a keyword."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.decompose.said import said
from dtree_lab.learn.decompose.terms import losses, terms
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.learn.decompose.terms import ByRow, Method
    from dtree_lab.populations import Truth

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition:
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
        return terms(self.method, self.predictions, self.truth)

    @cached_property
    def losses(self) -> Floats:
        """For each training set the expected loss over the test rows, shape ``(n_repeats,)``."""
        each: Floats = losses(self.predictions, self.truth) @ self.truth.weights
        return each

    @property
    def loss(self) -> float:
        """The expected loss: the error, or the mean squared error."""
        return self._mean(self.by_row.loss)

    @property
    def noise(self) -> float:
        """That of the best answers: the Bayes error, or the noise variance.

        By Kohavi and Wolpert half of what is left of 1 by the squared class probabilities.
        """
        return self._mean(self.by_row.noise)

    @property
    def bias(self) -> float:
        """How far the main prediction is from the best answer (squared, but for Domingos).

        Estimated without bias where it is squared, so that it can come out below 0 when it is
        nearly nothing.
        """
        return self._mean(self.by_row.bias)

    @property
    def variance(self) -> float:
        """How the predictions vary around the main one."""
        return self._mean(self.by_row.variance)

    @property
    def net_noise(self) -> float:
        """What noise adds to the loss."""
        return self._mean(self.by_row.net_noise)

    @property
    def net_variance(self) -> float:
        """What variance adds to the loss; below 0 where it makes up for bias."""
        return self._mean(self.by_row.net_variance)

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
        return said(None, (self,))

    __str__ = __repr__

    def _mean(self, each: Floats) -> float:
        return float(self.truth.weights @ each)

    def _variance_where(self, *, biased: bool) -> float:
        if self.method != "domingos":
            msg = f"only Domingos's variance is biased or unbiased; this one is {self.method!r}"
            raise AttributeError(msg)
        here = (self.by_row.main != self.by_row.best) == biased
        return self._mean(np.where(here, self.by_row.variance, 0.0))


@dataclass(frozen=True, eq=False, repr=False)
class BiasVariance:
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
    def loss(self) -> Floats:
        """The expected loss for each value."""
        return self._each("loss")

    @property
    def noise(self) -> Floats:
        """The noise for each value; it is the same for all."""
        return self._each("noise")

    @property
    def bias(self) -> Floats:
        """The bias for each value (squared, but for Domingos)."""
        return self._each("bias")

    @property
    def variance(self) -> Floats:
        """The variance for each value."""
        return self._each("variance")

    @property
    def net_noise(self) -> Floats:
        """What noise adds to the loss for each value."""
        return self._each("net_noise")

    @property
    def net_variance(self) -> Floats:
        """What variance adds to the loss for each value."""
        return self._each("net_variance")

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
        return said(self.parameter, self.points)

    __str__ = __repr__

    def _each(self, name: str) -> Floats:
        return np.array([getattr(point, name) for point in self.points])
