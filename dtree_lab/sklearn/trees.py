"""A single tree as an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from dtree_lab.sklearn.shared import Classifier, Regressor, checked_choice, class_criterion
from dtree_lab.sklearn.single import OneTree

# ruff: noqa: N803 - scikit-learn calls the rows X


@dataclass(kw_only=True, eq=False, repr=False)
class TreeClassifier(OneTree, Classifier):
    """A decision tree that answers with a class, as a scikit-learn estimator.

    Parameters
    ----------
    algorithm
        ``"cart"``: two branches everywhere. ``"id3"``: a branch for each value of a discrete
        column. ``"c45"``: the same, attributes compared by gain ratio. Numbers are cut in two by
        all of them, so on an array ID3 and CART differ by their criterion only.
    criterion
        ``"entropy"``, which may be called ``"log_loss"``, or ``"gini"``; None for the algorithm's
        own: Gini for CART, else entropy.
    max_depth
        The most questions on any path.
    max_leaf_nodes
        The most leaves; the tree is grown best first.
    min_samples_split
        The fewest rows at which a node is still split: a number, or a share of all rows.
    min_samples_leaf
        The fewest rows in each branch of a split that is made: a number, or a share of all rows.
    min_gain
        The least gain of a split that is made, at its node, in bits or Gini.
    max_error
        The share of training rows that may stay wrong: growing stops, best first, when the whole
        tree is that good.
    min_weight_fraction_leaf
        The least that each branch of a split weighs, as a share of what all rows weigh.
    class_weight
        What rows of a class weigh, times their own weights: a dict of class to weight;
        ``"balanced"``, so that all classes weigh the same; None for 1.
    min_impurity_decrease
        The least gain of a split that is made, times the share of all rows that are at its node.
    max_features
        How many columns each node draws to choose from: a number, a share of all, ``"sqrt"``,
        ``"log2"``, or None for all of them. If none of these can split the node, more are drawn.
    random_state
        Where chance comes from: the columns that are drawn, and the rows that `prune` withholds.
        It is used for nothing else.
    ccp_alpha
        The price of a leaf in impurity, as scikit-learn has it: the tree is pruned to the one
        with the least impurity plus `ccp_alpha` for each leaf. (``dt.prune.cost_complexity``, and
        `prune`, count wrong answers unless told otherwise.)
    prune
        What prunes the tree after that: a function of a tree that gives a tree, such as
        ``partial(dt.prune.cost_complexity, alpha=0.01)``, or one of the methods of ``dt.prune``,
        or its name. ``"pessimistic"`` prunes on the training rows. ``"cost_complexity"`` counts
        wrong answers, and chooses the price by cross-validation. ``"reduced_error"`` and
        ``"grow_until"`` withhold a third of the rows, by `random_state`.

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
    None) are allowed. No chance decides a tie: the first column, then the lowest cut, wins it.
    :func:`dtree_lab.id3`, :func:`~dtree_lab.c45` and :func:`~dtree_lab.cart` have the sources.

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

    criterion: str | None = None
    class_weight: Mapping[Any, float] | str | None = None

    def _asked(self) -> dict[str, Any]:
        return {"criterion": class_criterion(self.criterion, None)}

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


@dataclass(kw_only=True, eq=False, repr=False)
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
    min_weight_fraction_leaf, min_impurity_decrease, max_features, random_state, ccp_alpha, prune
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

    criterion: str = "squared_error"
    leaf: str = "mean"

    def _asked(self) -> dict[str, Any]:
        checked_choice("criterion", self.criterion, ("squared_error", "variance"))
        return {"leaf": self.leaf}

    def predict(self, X: Any) -> NDArray[np.float64]:
        """What the leaf where a row stops answers; shape ``(n_samples,)``."""
        check_is_fitted(self)
        values = self.tree_.flat.values
        if values.shape[1] > len(("answer", "variance")):  # leaves answer with lines
            answers: NDArray[np.float64] = self.tree_.predict(self._rows(X))
            return answers
        means: NDArray[np.float64] = values[:, 0].take(self.apply(X))
        return means
