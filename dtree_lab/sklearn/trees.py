"""A single tree as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.sklearn.shared import Classifier, OneTree, Regressor, checked_choice

# ruff: noqa: N803 - scikit-learn calls the rows X

# What a criterion is when none is named.
_OWN = {"id3": "entropy", "c45": "entropy", "cart": "gini"}


class TreeClassifier(OneTree, Classifier):
    """A decision tree that answers with a class, as a scikit-learn estimator.

    Parameters
    ----------
    algorithm
        ``"cart"``: two branches everywhere. ``"id3"``: a branch for each value of a discrete
        column. ``"c45"``: the same, attributes compared by gain ratio. Numbers are cut in two by
        all of them, so on an array ID3 and CART differ by their criterion only.
    criterion
        ``"entropy"`` or ``"gini"``; None for the algorithm's own: Gini for CART, else entropy.
    max_depth
        The most questions on any path.
    max_leaf_nodes
        The most leaves; the tree is grown best first.
    min_samples_split
        The fewest rows at which a node is still split: a number, or a share of all rows.
    min_samples_leaf
        The fewest rows in each branch of a split that is made: a number, or a share of all rows.
    min_gain
        The least gain of a split that is made, at its node, in bits or Gini. This is not
        scikit-learn's ``min_impurity_decrease``, which is weighted by the node's share of rows.
    max_error
        The share of training rows that may stay wrong: growing stops, best first, when the whole
        tree is that good.
    min_weight_fraction_leaf
        The least that each branch of a split weighs, as a share of what all rows weigh.
    class_weight
        What rows of a class weigh, times their own weights: a dict of class to weight;
        ``"balanced"``, so that all classes weigh the same; None for 1.

    Attributes
    ----------
    classes_
        The labels, sorted; shape ``(n_classes,)``.
    n_classes_
        How many.
    tree_
        The :class:`dtree_lab.Tree`: it is drawn where it is shown, and ``tree_.explain(row)``
        tells why.
    feature_importances_
        Each column's share of the decrease in impurity; shape ``(n_features_in_,)``.
    n_features_in_, feature_names_in_
        The number of columns, and the names of a data frame's.

    Raises
    ------
    ValueError, TypeError
        By ``fit``, for a parameter out of range and for data that no tree can be grown on; by what
        predicts, for columns that differ from those that were fitted.

    Notes
    -----
    `X` is a 2-D array of numbers or a data frame (pandas, polars, Arrow). Missing values (NaN,
    None) are allowed. There is no chance in it, hence no ``random_state``: the first column, then
    the lowest cut, wins a tie. :func:`dtree_lab.id3`, :func:`~dtree_lab.c45` and
    :func:`~dtree_lab.cart` have the sources.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(max_leaf_nodes=3).fit(X, y)
    >>> print(model.tree_.explain(dict(X.loc[0])))
    petal length (cm) is 1.4, < 2.45
    so target = 0 (50 of 50 training rows here)
    >>> model.predict_proba(X[:1])
    array([[1., 0., 0.]])
    """

    def __init__(  # noqa: PLR0913 - keywords are a contract
        self,
        *,
        algorithm: str = "cart",
        criterion: str | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        max_error: float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        class_weight: Mapping[Any, float] | str | None = None,
    ) -> None:
        self.algorithm = algorithm
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_error = max_error
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X
            Rows of columns, shape ``(n_samples, n_features)``.
        y
            The class of each row, shape ``(n_samples,)``.
        sample_weight
            What each row weighs, shape ``(n_samples,)``; as often as that it counts, for limits in
            rows as well.
        """
        criterion = checked_choice("criterion", self.criterion, (None, *CRITERIA))
        self._grow(self._training(X, y, sample_weight), criterion)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The majority class where each row stops; shape ``(n_samples,)``."""
        stops = self.apply(X)
        answers = self.classes_[self.tree_.flat.majority]
        predicted: NDArray[Any] = answers.take(stops)
        return predicted

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class where a row stops; shape ``(n_samples, n_classes)``."""
        stops = self.apply(X)
        return self.tree_.shares_at(stops)


class TreeRegressor(OneTree, Regressor):
    """A decision tree that answers with a number, as a scikit-learn estimator.

    Parameters
    ----------
    algorithm, max_depth, max_leaf_nodes, min_samples_split, min_samples_leaf
        As for :class:`TreeClassifier`.
    criterion
        ``"squared_error"``, scikit-learn's name, or ``"variance"``: the same.
    min_gain
        The least gain of a split that is made, at its node, in the target's unit squared.
    max_error
        The mean squared error at which growing stops, best first.
    leaf
        What a leaf answers: ``"mean"``; ``"vote"``, its most frequent number; or ``"line"``, a
        linear function of the continuous columns.
    min_weight_fraction_leaf
        As for :class:`TreeClassifier`.

    Attributes
    ----------
    tree_, feature_importances_, n_features_in_, feature_names_in_
        As of :class:`TreeClassifier`.

    Raises
    ------
    ValueError, TypeError
        As :class:`TreeClassifier` does.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(6.0).reshape(-1, 1)
    >>> TreeRegressor(max_depth=1).fit(X, [1, 1, 1, 5, 6, 7]).predict([[0], [9]])
    array([1., 6.])
    """

    def __init__(  # noqa: PLR0913 - keywords are a contract
        self,
        *,
        algorithm: str = "cart",
        criterion: str = "squared_error",
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_gain: float = 0.0,
        max_error: float | None = None,
        leaf: str = "mean",
        min_weight_fraction_leaf: float = 0.0,
    ) -> None:
        self.algorithm = algorithm
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_gain = min_gain
        self.max_error = max_error
        self.leaf = leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the tree.

        Parameters
        ----------
        X
            Rows of columns, shape ``(n_samples, n_features)``.
        y
            The number of each row, shape ``(n_samples,)``.
        sample_weight
            As for :class:`TreeClassifier`.
        """
        checked_choice("criterion", self.criterion, ("squared_error", "variance"))
        self._grow(self._training(X, y, sample_weight), None, leaf=self.leaf)
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """What the leaf where a row stops answers; shape ``(n_samples,)``."""
        check_is_fitted(self)
        values = self.tree_.flat.values
        if values.shape[1] > len(("answer", "variance")):  # leaves answer with lines
            answers: NDArray[np.float64] = self.tree_.predict(self._rows(X))
            return answers
        means: NDArray[np.float64] = values[:, 0].take(self.apply(X))
        return means
