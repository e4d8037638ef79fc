"""Bias and variance measured: draw training sets, grow on each, predict the same test rows.

:func:`bias_variance` is what people call; :mod:`dtree_lab.evaluate.decomposition` says what the
predictions come to.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.parallel import parallel_map
from dtree_lab.base.random import key_of
from dtree_lab.base.terminal import terminal
from dtree_lab.ensemble.bagging import bagged as bagging
from dtree_lab.ensemble.bagging import chance_of
from dtree_lab.evaluate.decomposition import BiasVariance, Decomposition, Method, method_for
from dtree_lab.grow.leaf_values import checked_predictions, loss
from dtree_lab.grow.steps import narrates
from dtree_lab.populations import Population, Truth, resampled
from dtree_lab.table.table import Table

# What is drawn under a seed: the test rows, each training set, and the chance within growing.
TEST, _TRAINING, _GROWING = range(3)


@dataclass(frozen=True)
class Setting:
    """One thing to measure: a grower and its keywords, and the rows of a training set."""

    value: Any
    grower: Callable[..., Any]
    keywords: dict[str, Any]
    n_rows: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Resampled:
    """A training set was drawn, and something grown on it.

    Attributes
    ----------
    repeat
        Which training set, from 0.
    value
        The keyword's value, or None.
    training
        Its rows.
    tree
        What was grown.
    predictions
        For each test row a number, or the code of a class; shape ``(n_test_rows,)``.
    training_loss
        The loss on its own rows.
    """

    repeat: int
    value: Any
    training: Table
    tree: Any
    predictions: NDArray[Any]
    training_loss: float

    @terminal
    def __repr__(self) -> str:
        return f"Resampled(repeat={self.repeat}, value={self.value!r})"


@dataclass(frozen=True, eq=False)
class Decomposed:
    """All training sets for a value have been drawn: the terms."""

    value: Any
    decomposition: Decomposition


Event: TypeAlias = Resampled | Decomposed


@dataclass(frozen=True, eq=False)
class TrialOutcome:
    """What is kept of a training set for one setting."""

    predictions: NDArray[Any]
    training_loss: float
    n_leaves: float
    n_rows: int
    tree: Any

    @classmethod
    def of(cls, event: Resampled, *, keep: bool) -> TrialOutcome:
        """The short form of an event."""
        leaves = float(getattr(event.tree, "n_leaves", float("nan")))
        tree = event.tree if keep else None
        n_rows = event.training.n_rows
        return cls(event.predictions, event.training_loss, leaves, n_rows, tree)


@dataclass(frozen=True)
class TrialWork:
    """The work for one training set: it is drawn once, and every setting grows on it."""

    source: Population
    truth: Truth
    settings: tuple[Setting, ...]
    seed: int
    keep: bool

    def __call__(self, repeat: int) -> list[TrialOutcome]:
        """What is kept of a training set, for each setting."""
        return [TrialOutcome.of(event, keep=self.keep) for event in self.each(repeat)]

    def each(self, repeat: int) -> Iterator[Resampled]:
        """What every setting makes of a training set, one after the other."""
        drawn: dict[int | None, Table] = {}
        for setting in self.settings:
            if setting.n_rows not in drawn:
                rng = np.random.default_rng(int(key_of(self.seed, _TRAINING, repeat)[0]))
                drawn[setting.n_rows] = self.source.sample(setting.n_rows, seed=rng)
            yield self._grown(repeat, setting, drawn[setting.n_rows])

    def _grown(self, repeat: int, setting: Setting, training: Table) -> Resampled:
        # A grower with chance in it must not throw the same dice for each training set.
        chance = chance_of(setting.grower, self.seed, _GROWING, repeat)
        tree = setting.grower(training, **(chance | setting.keywords))
        target = self.truth.table.target
        predictions = checked_predictions(tree, self.truth.table, target)
        own = loss(checked_predictions(tree, training, target), target, training.labels)
        return Resampled(repeat, setting.value, training, tree, predictions, own)


@dataclass(frozen=True)
class Trials:
    """All that is to be measured."""

    work: TrialWork
    repeats: int
    method: Method

    def run(self) -> tuple[Decomposition, ...]:
        """Measure, on as many cores as joblib is told to use."""
        turns = [(repeat,) for repeat in range(self.repeats)]
        return self._result(parallel_map(self.work, turns, what="growing on training sets"))

    def narrated(self) -> Generator[Event, None, tuple[Decomposition, ...]]:
        """Measure, telling each training set and in the end the terms."""
        outcomes: list[list[TrialOutcome]] = []
        for repeat in range(self.repeats):
            outcomes.append([])
            for event in self.work.each(repeat):
                yield event
                outcomes[-1].append(TrialOutcome.of(event, keep=self.work.keep))
        result = self._result(outcomes)
        for one in result:
            yield Decomposed(one.value, one)
        return result

    def _result(self, outcomes: list[list[TrialOutcome]]) -> tuple[Decomposition, ...]:
        by_setting = zip(self.work.settings, zip(*outcomes, strict=True), strict=True)
        return tuple(self._point(setting, each) for setting, each in by_setting)

    def _point(self, setting: Setting, each: tuple[TrialOutcome, ...]) -> Decomposition:
        return Decomposition(
            setting.value,
            self.method,
            self.work.truth,
            each[0].n_rows,
            np.stack([one.predictions for one in each]),
            np.array([one.training_loss for one in each]),
            np.array([one.n_leaves for one in each]),
            tuple(one.tree for one in each) if self.work.keep else (),
        )


@overload
def bias_variance(
    source: Population | Table,
    grower: Callable[..., Any],
    *,
    parameter: None = None,
    **settings: Any,
) -> Decomposition: ...
@overload
def bias_variance(
    source: Population | Table,
    grower: Callable[..., Any],
    *,
    parameter: str,
    values: Sequence[Any],
    **settings: Any,
) -> BiasVariance: ...
def bias_variance(  # noqa: PLR0913 - what to draw, how often, what to vary and how to tell
    source: Population | Table,
    grower: Callable[..., Any],
    *,
    n_rows: int | None = None,
    repeats: int = 100,
    parameter: str | None = None,
    values: Sequence[Any] | None = None,
    bagged: int | None = None,
    test: int | Table | None = None,
    decomposition: str | None = None,
    seed: int = 0,
    keep: bool = False,
    **keywords: Any,
) -> Decomposition | BiasVariance:
    r"""Part a grower's expected loss into noise, bias and variance, over many training sets.

    Many training sets are drawn, a tree is grown on each, and all of them predict the same test
    rows. *Bias* is how far their main prediction is from the best answer, *variance* how they
    scatter around it, *noise* what even the best answer gets wrong.

    Parameters
    ----------
    source
        Where training sets come from. A population (:mod:`dtree_lab.populations`) is drawn from
        afresh each time and knows the truth. Of a table a third is held out to measure on, and
        training sets are bootstrap samples of the rest; its noise is not known and is told with
        the bias. (:func:`dtree_lab.populations.resampled` draws halves instead.)
    grower
        :func:`dtree_lab.id3`, or any function of a table whose result has a ``predict(table)``. If
        it takes a `seed`, each training set gives it another.
    n_rows
        Rows of a training set; the source's usual number (100 for a population) if not given.
    repeats
        How many training sets, at least 2.
    parameter, values
        A keyword to vary and the values to give it, such as ``"max_depth"`` and ``range(1, 11)``.
        All values see the same training sets. ``"n_rows"`` and ``"bagged"`` can be varied too.
    bagged
        Grow so many trees on bootstrap samples of each training set and let them answer together
        (:func:`dtree_lab.bagged`).
    test
        How many test rows, or a table of them, such as a grid. Else the source's usual ones: 1,000
        drawn rows, all rows of a finite population, or a held-out third.
    decomposition
        ``"squared"`` for a continuous target. For a discrete one ``"domingos"``, the usual, or
        ``"kohavi-wolpert"``.
    seed
        The same seed draws the same rows.
    keep
        Keep the trees, to lay their boundaries over one another.
    **keywords
        Passed to the grower.

    Returns
    -------
    Decomposition or BiasVariance
        The terms; with a `parameter`, those for each of its values.

    Raises
    ------
    TypeError
        For a source that is neither population nor table, or a grower whose result cannot predict.
    ValueError
        For a number out of range, a decomposition that does not suit the target, a table with
        weights, `values` without `parameter` or the reverse, and as the source and the grower do.

    Notes
    -----
    Squared error (Geman, Bienenstock and Doursat 1992, Neural networks and the bias/variance
    dilemma, Neural Computation 4, 1-58), with :math:`\bar y` the mean prediction:

    .. math:: E[(t - y)^2] = Var[t] + (E[t] - \bar y)^2 + E[(y - \bar y)^2]

    0-1 loss by Domingos (2000, A unified bias-variance decomposition for zero-one and squared
    loss, AAAI, 564-569): the main prediction is the most frequent one; bias is 1 where it is not
    the best answer, else 0; variance is how often a prediction differs from it. With two classes
    :math:`E[loss] = c_1 N + B + c_2 V`, where :math:`c_1 = 2 P(y = y^*) - 1` and :math:`c_2` is 1
    on unbiased rows and -1 on biased ones, where variance helps. With more classes the factors of
    his theorem 3 are used, and the terms still add up.

    0-1 loss by Kohavi and Wolpert (1996, Bias plus variance decomposition for zero-one loss
    functions, ICML, 275-283), for any number of classes:

    .. math::
        E[loss] = \tfrac12 (1 - \sum P(t)^2) + \tfrac12 \sum (P(t) - P(y))^2
        + \tfrac12 (1 - \sum P(y)^2)

    The expectation over labels is exact. That over training sets is estimated, without bias for
    squared error and for Kohavi and Wolpert: the variance is divided by one less than `repeats`,
    and what the main prediction owes to chance is taken out of the squared bias. Domingos's main
    prediction is that of the training sets at hand. In each case the terms add up to the loss.

    The training sets go through joblib, so ``joblib.parallel_config`` says where they are grown on;
    the result is the same.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> from dtree_lab.populations import wave
    >>> result = bias_variance(
    ...     wave(noise=0.1), dt.id3, repeats=20, parameter="max_depth", values=[1, 8]
    ... )
    >>> shallow, deep = result.points
    >>> shallow.bias > deep.bias, shallow.variance < deep.variance
    (True, True)
    """
    settings = {
        "n_rows": n_rows,
        "repeats": repeats,
        "parameter": parameter,
        "values": values,
        "bagged": bagged,
        "test": test,
        "decomposition": decomposition,
        "seed": seed,
        "keep": keep,
    }
    return _shaped(parameter, _plan(source, grower, settings, keywords).run())


@narrates(bias_variance)
def _events(
    source: Population | Table, grower: Callable[..., Any], **given: Any
) -> Generator[Event, None, Decomposition | BiasVariance]:
    """The training sets of :func:`bias_variance`, one after the other, and then the terms."""
    usual: dict[str, Any] = bias_variance.__kwdefaults__ or {}
    asked = {name: given.get(name, default) for name, default in usual.items()}
    keywords = {name: value for name, value in given.items() if name not in usual}
    points = yield from _plan(source, grower, asked, keywords).narrated()
    return _shaped(asked["parameter"], points)


def _shaped(
    parameter: str | None, points: tuple[Decomposition, ...]
) -> Decomposition | BiasVariance:
    return points[0] if parameter is None else BiasVariance(parameter, points)


def _plan(
    source: Any, grower: Any, settings: Mapping[str, Any], keywords: dict[str, Any]
) -> Trials:
    """What is asked for, checked."""
    repeats = checked_whole("repeats", settings["repeats"], 2)  # one training set has no variance
    test_key = int(key_of(settings["seed"], TEST)[0])
    pool, truth = _population(source).parted(settings["test"], seed=test_key)
    method = method_for(settings["decomposition"], truth)
    if not callable(grower):
        raise TypeError(f"grower must be a function of a table, such as dt.id3; got {grower!r}")
    varied = tuple(_settings(grower, settings, keywords))
    return Trials(
        TrialWork(pool, truth, varied, settings["seed"], settings["keep"]), repeats, method
    )


def _population(source: Any) -> Population:
    if isinstance(source, Population):
        return source
    if isinstance(source, Table):
        return resampled(source)
    raise TypeError(
        "source must be a population, such as dtree_lab.populations.wave(), or a dt.Table; got"
        f" a {type(source).__name__}"
    )


def _settings(grower: Any, given: Mapping[str, Any], keywords: dict[str, Any]) -> Iterator[Setting]:
    """What is grown for each value of the keyword that is varied."""
    parameter, values = given["parameter"], given["values"]
    if (parameter is None) != (values is None):
        lacks, has = ("parameter", "values") if parameter is None else ("values", "parameter")
        raise ValueError(f"{has}= needs {lacks}=, as in parameter='max_depth', values=[1, 2, 4]")
    tried = [None] if values is None else list(values)
    if not tried:
        msg = f"values is empty; give what to try for {parameter!r}, for instance [1, 2, 4]"
        raise ValueError(msg)
    own = {"n_rows": given["n_rows"], "bagged": given["bagged"]}
    if parameter in keywords or own.get(parameter) is not None:
        msg = f"{parameter!r} is varied over values, so it cannot be given as {parameter}= too"
        raise ValueError(msg)
    for value in tried:
        varied = {} if parameter is None else {parameter: value}
        here = own | {name: v for name, v in varied.items() if name in own}
        for name, n in here.items():
            if n is not None:
                here[name] = checked_whole(name, n, 1)
        inner = grower if here["bagged"] is None else bagging(grower, here["bagged"])
        to_grower = keywords | {name: v for name, v in varied.items() if name not in own}
        yield Setting(value, inner, to_grower, here["n_rows"])
