"""Random forests as estimators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, r2_score  # type: ignore[import-untyped]

from dtree_lab.base.types import Floats
from dtree_lab.sklearn.shared import (
    Classifier,
    ManyTrees,
    Regressor,
    checked_choice,
    class_criterion,
)
from dtree_lab.table.table import Table

# ruff: noqa: N803 - scikit-learn calls the rows X


@dataclass(kw_only=True, eq=False, repr=False)
class ForestClassifier(ManyTrees, Classifier):
    """A random forest that answers with a class, as a scikit-learn estimator.

    Parameters
    ----------
    n_estimators
        How many trees.
    criterion
        ``"gini"`` or ``"entropy"``, which may be called ``"log_loss"``.
    max_features
        How many columns each node draws to choose from: a number, a share of all, ``"sqrt"``,
        ``"log2"``, or None for all of them.
    max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        Where each tree stops, as in :class:`~dtree_lab.sklearn.TreeClassifier`; by default it is
        fully grown.
    bootstrap
        Give each tree a sample of the rows, drawn with replacement; else all rows.
    oob_score
        Whether to judge the forest by its out-of-bag predictions: by accuracy, or by a function
        ``score(y_true, y_pred)``.
    n_jobs
        How many processes `fit` grows trees in, this one among them; None leaves it to
        ``joblib.parallel_config``, -1 takes as many as there are cores. The forest is the same,
        however many. The work begins here, and others are started only if what is left takes
        longer than starting them, so it can always be given.
    random_state
        A whole number is the ``seed`` of :func:`dtree_lab.random_forest`. A ``RandomState`` draws
        one, and so does None, another one each time.
    class_weight
        As for :class:`TreeClassifier`.
    max_samples
        How many rows a tree's sample has, if fewer than the table: a number, or a share, rounded
        down. Of rows with whole weights, these count.

    Attributes
    ----------
    classes_, n_classes_, n_features_in_, feature_names_in_
        As of :class:`~dtree_lab.sklearn.TreeClassifier`.
    estimators_
        The trees, each a :class:`dtree_lab.Tree`.
    forest_
        The forest that they make up, with margins, proximities and more.
    feature_importances_
        The mean of the trees' importances; shape ``(n_features_in_,)``.
    oob_score_, oob_decision_function_
        With `oob_score`: the score, and for each row the share of votes for each class among the
        trees that did not see it, NaN if all did; shape ``(n_samples, n_classes)``.

    Raises
    ------
    ValueError, TypeError
        By ``fit``, for a parameter out of range; by what predicts, for
        columns that differ from those that were fitted.

    Notes
    -----
    `X` is a 2-D array of numbers or a data frame; discrete columns are split into two groups of
    values. Trees vote (Breiman 2001, Random forests, Machine Learning 45, 5-32), while
    scikit-learn averages the shares in their leaves: the same, as long as leaves are pure.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ForestClassifier(n_estimators=25, oob_score=True, random_state=0).fit(X, y)
    >>> model.oob_score_ == 1 - model.forest_.oob_error
    True
    """

    criterion: str = "gini"
    max_features: str | float | None = "sqrt"
    class_weight: Mapping[Any, float] | str | None = None

    def _asked(self) -> str:
        asked: str = class_criterion(self.criterion)
        return asked

    def _judge(self, table: Table) -> None:
        votes = self.forest_.oob_votes
        times = votes.sum(axis=1, keepdims=True)
        self.oob_decision_function_ = votes / np.where(times, times, np.nan)
        said = self.classes_[votes.argmax(axis=1)]
        self._judged(self.classes_[table.labels], said, accuracy_score)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with most votes, the first in a tie; shape ``(n_samples,)``."""
        rows = self._rows(X)
        predicted: NDArray[Any] = self.classes_[self.forest_.votes(rows).argmax(axis=1)]
        return predicted


@dataclass(kw_only=True, eq=False, repr=False)
class ForestRegressor(ManyTrees, Regressor):
    """A random forest that answers with a number, as a scikit-learn estimator.

    Parameters
    ----------
    n_estimators, max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        As for :class:`ForestClassifier`.
    bootstrap, n_jobs, random_state, max_samples
        As for :class:`ForestClassifier`.
    criterion
        ``"squared_error"``, scikit-learn's name, or ``"variance"``: the same.
    max_features
        As for :class:`ForestClassifier`; by default a third, as :func:`dtree_lab.random_forest`
        has it, where scikit-learn takes all columns.
    oob_score
        Whether to judge the forest by its out-of-bag predictions: by R², or by a function
        ``score(y_true, y_pred)``.

    Attributes
    ----------
    estimators_, forest_, feature_importances_, n_features_in_, feature_names_in_
        As of :class:`ForestClassifier`.
    oob_score_, oob_prediction_
        With `oob_score`: the score, and for each row the mean answer of the trees that did not see
        it, NaN if all did; shape ``(n_samples,)``.

    Raises
    ------
    ValueError, TypeError
        As :class:`ForestClassifier` does.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ForestRegressor(n_estimators=25, random_state=0).fit(X, y)
    >>> model.predict(X).shape
    (442,)
    """

    criterion: str = "squared_error"
    max_features: str | float | None = 1 / 3

    def _asked(self) -> None:
        checked_choice("criterion", self.criterion, ("squared_error", "variance"))

    def _judge(self, table: Table) -> None:
        self.oob_prediction_ = self.forest_.oob_predictions
        self._judged(table.labels, self.oob_prediction_, r2_score)

    def predict(self, X: Any) -> Floats:
        """The mean of what the trees answer; shape ``(n_samples,)``."""
        rows = self._rows(X)
        answers: Floats = self.forest_.predict(rows)
        return answers
