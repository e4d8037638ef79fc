"""Boosted stumps as an estimator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.types import Floats
from dtree_lab.ensemble.adaboost import adaboost, measures
from dtree_lab.ensemble.boosted import Boosted, highest_class
from dtree_lab.sklearn.shared import Classifier
from dtree_lab.tree.importance import impurity_shares

# ruff: noqa: N803 - scikit-learn calls the rows X


@dataclass(kw_only=True, eq=False, repr=False)
class AdaBoostStumpClassifier(Classifier):
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

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Boost.

        Parameters
        ----------
        X
            Rows of columns, shape ``(n_samples, n_features)``.
        y
            The class of each row, shape ``(n_samples,)``.
        sample_weight
            What each row weighs at the beginning, shape ``(n_samples,)``.
        """
        rounds = checked_whole("n_estimators", self.n_estimators, 1)
        table = self._training(X, y, sample_weight)
        self.boosted_ = adaboost(
            table,
            n_stumps=rounds,
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
        return self

    def _grown(self) -> Boosted:
        return self.boosted_

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with most weight of votes, the first in a tie; shape ``(n_samples,)``."""
        rows = self._rows(X)
        predicted: NDArray[Any] = self.classes_[highest_class(self.boosted_.scores(rows))]
        return predicted

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """What :meth:`predict` says after one round, after two, and so on."""
        for scores in self.boosted_.staged(self._rows(X).columns):
            yield self.classes_[highest_class(scores)]

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
