"""What rows and classes weigh, in the estimators."""

# ruff: noqa: N806 - scikit-learn calls the rows X

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from dtree_lab.sklearn import (
    AdaBoostStumpClassifier,
    ForestClassifier,
    ForestRegressor,
    TreeClassifier,
    TreeRegressor,
)

ESTIMATORS = [
    TreeClassifier(),
    TreeClassifier(algorithm="c45"),
    TreeClassifier(min_samples_split=9, min_samples_leaf=4),
    TreeClassifier(min_samples_leaf=0.1),
    TreeClassifier(min_weight_fraction_leaf=0.1),
    TreeClassifier(class_weight="balanced"),
    TreeClassifier(class_weight={0: 2, 1: 0.5, 2: 1}),
    TreeClassifier(max_features=1, random_state=0),
    TreeClassifier(ccp_alpha=0.01, min_impurity_decrease=0.005),
    TreeClassifier(prune="pessimistic"),
    TreeRegressor(max_features=3, random_state=0, leaf="vote", ccp_alpha=9.0),
    TreeRegressor(min_samples_leaf=5),
    TreeRegressor(leaf="vote", max_depth=3),
    ForestClassifier(n_estimators=5, random_state=0),
    ForestClassifier(n_estimators=5, random_state=0, bootstrap=False, class_weight="balanced"),
    ForestRegressor(n_estimators=5, random_state=0),
]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
def test_fitted_with_weights_is_fitted_with_repeated_rows(estimator):
    load = load_iris if hasattr(estimator, "class_weight") else load_diabetes
    X, y = load(return_X_y=True)
    times = np.random.default_rng(1).integers(0, 4, len(y))
    once = sklearn.clone(estimator).fit(X, y, sample_weight=times)
    long = sklearn.clone(estimator).fit(X.repeat(times, axis=0), y.repeat(times))
    np.testing.assert_array_equal(once.predict(X), long.predict(X))
    for tree, other in zip(_trees(once), _trees(long), strict=True):
        assert tree == other
    np.testing.assert_array_equal(once.feature_importances_, long.feature_importances_)


def _trees(fitted):
    return [fitted.tree_] if hasattr(fitted, "tree_") else fitted.estimators_


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_boosted_by_scikit_learn_ours_does_what_its_own_does(criterion):
    X, y = load_breast_cancer(return_X_y=True)
    ours, its = (
        AdaBoostClassifier(base(max_depth=1, criterion=criterion), n_estimators=10).fit(X, y)
        for base in (TreeClassifier, DecisionTreeClassifier)
    )
    np.testing.assert_allclose(ours.estimator_weights_, its.estimator_weights_, rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(X), its.predict(X))


def test_balanced_classes_weigh_the_same():
    """Of four rows three are a: each a weighs 4/(2·3), the b weighs 4/2."""
    X, y = [[1], [2], [3], [3]], list("aaab")
    tree = TreeClassifier(class_weight="balanced").fit(X, y).tree_
    assert [Fraction(n, tree.weight_unit) for n in tree.flat.counts[0].tolist()] == [2, 2]
    own = TreeClassifier(class_weight={"a": 1, "b": 2.5}, max_depth=0).fit(X, y)
    np.testing.assert_allclose(own.predict_proba([[0]]), [[3 / 5.5, 2.5 / 5.5]])


def test_a_leaf_weighs_at_least_its_share():
    """Six rows weigh 1 in all, the first a half: only below it are at least two fifths."""
    X, y = [[1], [2], [3], [4], [5], [6]], list("abbabb")
    w = [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]
    tree = TreeClassifier(min_weight_fraction_leaf=0.4).fit(X, y, sample_weight=w).tree_
    assert tree.root.split.cuts == (1.5,)
    assert tree.n_leaves == 2
    its = DecisionTreeClassifier(min_weight_fraction_leaf=0.4).fit(X, y, sample_weight=w)
    assert its.tree_.threshold[0] == 1.5
    assert its.get_n_leaves() == 2
    with pytest.raises(ValueError, match=r"min_weight_fraction_leaf=0.7 must be a number from 0.0"):
        TreeClassifier(min_weight_fraction_leaf=0.7).fit(X, y)


def test_weights_are_routed():
    X, y = load_iris(return_X_y=True)
    w = np.where(y == 0, 0, 1)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = (
            TreeClassifier()
            .set_fit_request(sample_weight=True)
            .set_score_request(sample_weight=True)
        )
        search = GridSearchCV(asked, {"max_depth": [2]}, cv=3).fit(X, y, sample_weight=w)
    assert search.best_estimator_.tree_.flat.counts[0].tolist() == [0, 50, 50]


@pytest.mark.parametrize("class_weight", ["even", 3, [1, 2]])
def test_a_class_weight_that_is_none_is_refused(class_weight):
    with pytest.raises(ValueError, match="must be None, 'balanced' or a dict"):
        TreeClassifier(class_weight=class_weight).fit([[1], [2]], [0, 1])


def test_boosting_begins_with_the_weights():
    """Of three rows the one that weighs most is right from the first round on."""
    X, y = [[1], [1], [2]], list("abb")
    for heavy, answer in ((5, "a"), (0.5, "b")):
        model = AdaBoostStumpClassifier(n_estimators=1).fit(X, y, sample_weight=[heavy, 1, 1])
        assert model.predict([[1]])[0] == answer
