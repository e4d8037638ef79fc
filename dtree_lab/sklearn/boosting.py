"""Boosted stumps, and trees boosted by gradients, as estimators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole, is_real
from dtree_lab.base.types import Floats
from dtree_lab.criteria.classes import ENTROPY
from dtree_lab.ensemble.adaboost import adaboost, measures
from dtree_lab.ensemble.boosted import Boosted, highest_class
from dtree_lab.ensemble.gradient import GradientBoosted, gradient_boosting
from dtree_lab.evaluate import holdout
from dtree_lab.sklearn.shared import Classifier, Regressor, Tabular, least_rows, state_seed
from dtree_lab.table.table import Table
from dtree_lab.tree.importance import impurity_shares, question_gains

# ruff: noqa: N803 - scikit-learn calls the rows X


@dataclass(kw_only=True, eq=False, repr=False)
class Boosting(Tabular):
    """An estimator whose answer is that of trees which were grown one after the other."""

    _first = 0  # which of the stages is the first with a tree
    n_estimators: int = 100
    boosted_: Any = field(init=False)

    def _asked(self) -> int:
        """How many rounds."""
        return checked_whole("n_estimators", self.n_estimators, 1)

    def _grown(self) -> Any:
        return self.boosted_

    def _answers(self, scores: Floats) -> NDArray[Any]:
        """What scores come to: numbers are themselves what is answered."""
        return scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The number, or the class with the highest score, the first in a tie; ``(n_samples,)``."""
        rows = self._rows(X)
        return self._answers(self.boosted_.scores(rows))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """What :meth:`predict` says after one round, after two, and so on."""
        rows = self._rows(X)
        yield from map(self._answers, islice(self.boosted_.staged(rows.columns), self._first, None))


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostStumpClassifier(Boosting, Classifier):
    """AdaBoost over stumps, as a scikit-learn estimator.

    Parameters
    ----------
    n_estimators
        The most rounds; boosting ends earlier at a stump that makes no mistake, or one that is no
        better than chance.
    learning_rate
        What the weight of each vote is multiplied by.
    criterion
        What a stump is chosen by: ``"gini"``, ``"entropy"``, or ``"error"``, the weight of the
        wrong rows itself.
    max_depth
        The most questions on any path; 1 is a stump.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_
        As of :class:`~dtree_lab.sklearn.TreeClassifier`.
    estimators_
        The stumps, each a :class:`dtree_lab.Tree`, whose counts are millionths of all weight.
    estimator_weights_
        The weight of each stump's vote; shape ``(n_stumps,)``.
    estimator_errors_
        The weight of the rows that each got wrong, between 0 and 1; shape ``(n_stumps,)``.
    boosted_
        The :class:`~dtree_lab.ensemble.boosted.Boosted` that they make up.
    feature_importances_
        Those of the stumps, averaged by the weights of their votes; shape ``(n_features_in_,)``.

    Raises
    ------
    ValueError, TypeError
        By ``fit``, for a parameter out of range; by what predicts, for
        columns that differ from those that were fitted.

    Notes
    -----
    `X` is a 2-D array of numbers or a data frame. There is no chance in it, hence no
    ``random_state``. The algorithm is SAMME, with its sources in
    :func:`dtree_lab.adaboost`.

    Examples
    --------
    >>> X = [[0], [1], [2], [3], [4], [5]]
    >>> model = AdaBoostStumpClassifier(n_estimators=3).fit(X, list("aabbaa"))
    >>> model.predict(X).tolist()
    ['a', 'a', 'b', 'b', 'a', 'a']
    """

    n_estimators: int = 50
    learning_rate: float = 1.0
    criterion: str = "gini"
    max_depth: int = 1
    boosted_: Boosted = field(init=False)

    def _learn(self, table: Table, settings: int) -> None:
        self.boosted_ = adaboost(
            table,
            n_stumps=settings,
            criterion=self.criterion,
            max_depth=self.max_depth,
            learning_rate=self.learning_rate,
        )
        self.estimators_ = list(self.boosted_.stumps)
        self.estimator_weights_ = np.array(self.boosted_.weights)
        self.estimator_errors_ = np.array(self.boosted_.errors)
        n, measure = self.n_features_in_, measures()[self.criterion]
        each = [impurity_shares(stump.flat, n, measure) for stump in self.estimators_]
        self.feature_importances_ = np.average(each, axis=0, weights=self.estimator_weights_)

    def _answers(self, scores: Floats) -> NDArray[Any]:
        predicted: NDArray[Any] = self.classes_[highest_class(scores)]
        return predicted

    def decision_function(self, X: Any) -> Floats:
        """The weight of the votes for each class less that of those against it.

        As scikit-learn has it: votes against a class count 1/(K - 1), all weights sum up to 1.

        Returns
        -------
        numpy.ndarray
            Shape ``(n_samples, n_classes)``; ``(n_samples,)`` for two classes, where a positive
            number speaks for the second.
        """
        rows = self._rows(X)
        if self.n_classes_ == 1:
            return np.zeros((len(rows), 1))
        share = self.boosted_.scores(rows) / self.estimator_weights_.sum()
        spoken: Floats = share - (1 - share) / (self.n_classes_ - 1)
        return spoken[:, 1] - spoken[:, 0] if self.n_classes_ == 2 else spoken  # noqa: PLR2004

    def predict_proba(self, X: Any) -> Floats:
        """The decision function as shares, shape ``(n_samples, n_classes)``.

        They rank classes and sum up to 1; they are not how often a class occurs.
        """
        spoken = self.decision_function(X)
        if spoken.ndim == 1:
            spoken = np.stack([-spoken, spoken], axis=1) / 2
        elif self.n_classes_ > 1:
            spoken = spoken / (self.n_classes_ - 1)
        powers = np.exp(spoken - spoken.max(axis=1, keepdims=True))
        shares: Floats = powers / powers.sum(axis=1, keepdims=True)
        return shares


@dataclass(kw_only=True, eq=False, repr=False)
class GradientTrees(Boosting):
    """An estimator whose answer is a sum of trees."""

    _first = 1
    learning_rate: float = 0.1
    max_depth: int = 3
    min_samples_leaf: float = 1
    n_iter_no_change: int | None = None
    validation_fraction: float = 0.1
    random_state: Any = None
    boosted_: GradientBoosted = field(init=False)

    def _learn(self, table: Table, settings: int) -> None:
        for name in ("learning_rate", "validation_fraction"):
            part = getattr(self, name)
            if not is_real(part) or not 0 < part <= 1:
                raise ValueError(f"{name}={part!r} must be a number above 0, up to 1")
        n_rows, stopping = Fraction(table.n_ticks, table.weight_unit), dict[str, Any]()
        if self.n_iter_no_change is not None:
            patience = checked_whole("n_iter_no_change", self.n_iter_no_change, 1)
            seed = state_seed(self.random_state)
            table, withheld = holdout(table, self.validation_fraction, seed=seed)
            stopping = {"withheld": withheld, "patience": patience}
        self.boosted_ = gradient_boosting(
            table,
            rounds=settings,
            rate=self.learning_rate,
            max_depth=self.max_depth,
            min_leaf=least_rows("min_samples_leaf", self.min_samples_leaf, 1, n_rows),
            **stopping,
        )
        self.estimators_, self.n_estimators_ = list(self.boosted_.trees), self.boosted_.n_trees
        gains = np.zeros(self.n_features_in_)
        for flat in (tree.flat for tree in self.estimators_):
            asked = flat.attr[flat.attr >= 0]
            gains += np.bincount(asked, question_gains(flat, ENTROPY), len(gains))
        self.feature_importances_ = gains / (gains.sum() or 1.0)


@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostedClassifier(GradientTrees, Classifier):
    """Gradient boosting of two classes, as a scikit-learn estimator.

    Parameters
    ----------
    n_estimators
        The most rounds; boosting ends earlier where nothing is left over.
    learning_rate
        What part of each tree's answer is added, above 0 and up to 1.
    max_depth
        The most questions on any path.
    min_samples_leaf
        The fewest rows in each branch of a question: a number, or a share of all, rounded up.
    n_iter_no_change, validation_fraction
        Withhold such a share of the rows, and end when their loss has not fallen for so many
        rounds; the trees up to its least are kept, where scikit-learn keeps those after it too.
        None withholds no rows.
    random_state
        Draws the withheld rows: a whole number is the ``seed`` of ``dt.evaluate.holdout``. A
        ``RandomState`` draws one, and so does None, another one each time.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_
        As of :class:`~dtree_lab.sklearn.TreeClassifier`.
    estimators_, n_estimators_
        The trees that are kept, each a :class:`dtree_lab.Tree`, and how many.
    boosted_
        The :class:`~dtree_lab.ensemble.gradient.GradientBoosted` that they make up.
    feature_importances_
        What the questions take away of the squares of what is left, as shares; shape
        ``(n_features_in_,)``.

    Raises
    ------
    ValueError, TypeError
        By ``fit``, for other than two classes or a parameter out of range; by what predicts, for
        columns that differ from those that were fitted.

    Notes
    -----
    `X` is a 2-D array of numbers or a data frame. The algorithm has its source in
    :func:`dtree_lab.gradient_boosting`.

    Examples
    --------
    >>> X = [[0], [1], [2], [3], [4], [5]]
    >>> model = GradientBoostedClassifier(n_estimators=5).fit(X, list("aabbaa"))
    >>> model.predict(X).tolist()
    ['a', 'a', 'b', 'b', 'a', 'a']
    """

    def __sklearn_tags__(self) -> Any:
        """Two classes are told apart."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _learn(self, table: Table, settings: int) -> None:
        if self.n_classes_ != 2:  # noqa: PLR2004
            n = f"{self.n_classes_} class{'es' * (self.n_classes_ > 1)}"
            raise ValueError(f"Only binary classification is supported. There is {n} in y")
        super()._learn(table, settings)

    def _answers(self, scores: Floats) -> NDArray[Any]:
        predicted: NDArray[Any] = self.classes_[np.intp(scores > 0)]
        return predicted

    def decision_function(self, X: Any) -> Floats:
        """The logarithm of the odds of the second class, shape ``(n_samples,)``."""
        rows = self._rows(X)
        return self.boosted_.scores(rows)


@dataclass(kw_only=True, eq=False, repr=False)
class GradientBoostedRegressor(GradientTrees, Regressor):
    """Gradient boosting of numbers, as a scikit-learn estimator.

    Parameters
    ----------
    n_estimators, learning_rate, max_depth, min_samples_leaf
        As for :class:`GradientBoostedClassifier`.
    n_iter_no_change, validation_fraction, random_state
        As for :class:`GradientBoostedClassifier`.

    Attributes
    ----------
    estimators_, n_estimators_, boosted_, feature_importances_, n_features_in_, feature_names_in_
        As of :class:`GradientBoostedClassifier`.

    Raises
    ------
    ValueError, TypeError
        As :class:`GradientBoostedClassifier` does.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostedRegressor(n_iter_no_change=5, random_state=0).fit(X, y)
    >>> model.n_estimators_ < 100
    True
    """
