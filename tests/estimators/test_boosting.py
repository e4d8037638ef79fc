"""Boosting as estimators, against the library's own and scikit-learn's."""

# ruff: noqa: N803, N806 - scikit-learn calls the rows X

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)

import dtree_lab as dt
from dtree_lab.ensemble.adaboost import adaboost
from dtree_lab.sklearn import (
    AdaBoostStumpClassifier,
    GradientBoostedClassifier,
    GradientBoostedRegressor,
)


def table_of(X, y):
    columns = {f"x{i}": X[:, i] for i in range(X.shape[1])}
    return dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": "discrete"})


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_on_numbers_it_is_scikit_learns(load, rate):
    X, y = load(return_X_y=True)
    asked = {"n_estimators": 12, "learning_rate": rate}
    mine = AdaBoostStumpClassifier(**asked).fit(X, y)
    for seed in range(2):  # a tie between columns would be broken differently by one of them
        peer = AdaBoostClassifier(random_state=seed, **asked).fit(X, y)
        np.testing.assert_allclose(mine.estimator_errors_, peer.estimator_errors_)
        np.testing.assert_allclose(mine.estimator_weights_, peer.estimator_weights_)
        np.testing.assert_allclose(mine.feature_importances_, peer.feature_importances_)
        np.testing.assert_allclose(mine.decision_function(X), peer.decision_function(X), atol=1e-9)
        np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X))
        staged = zip(mine.staged_predict(X), peer.staged_predict(X), strict=True)
        for one, other in staged:
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "error"])
def test_it_is_the_librarys_own(criterion):
    X, y = load_wine(return_X_y=True)
    model = AdaBoostStumpClassifier(
        n_estimators=4, criterion=criterion, max_depth=2, learning_rate=0.7
    ).fit(X, y)
    table = table_of(X, y)
    own = adaboost(table, n_stumps=4, criterion=criterion, max_depth=2, learning_rate=0.7)
    assert model.estimators_ == list(own.stumps)
    assert model.estimator_weights_.tolist() == list(own.weights)
    assert model.estimator_errors_.tolist() == list(own.errors)
    np.testing.assert_array_equal(model.predict(X), own.predict(table))
    for n, said in enumerate(model.staged_predict(X), start=1):
        np.testing.assert_array_equal(said, own.after(n).predict(table))
    assert n == own.n_stumps


def test_a_stump_has_all_importance_in_the_column_that_it_asks():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 4)), rng.integers(0, 2, 80)
    model = AdaBoostStumpClassifier(n_estimators=9).fit(X, y)
    by_column = np.zeros(4)
    for stump, weight in zip(model.estimators_, model.estimator_weights_, strict=True):
        by_column[stump.root.split.attribute] += weight
    np.testing.assert_allclose(model.feature_importances_, by_column / by_column.sum())


def test_a_single_class_and_rows_that_nothing_parts():
    model = AdaBoostStumpClassifier().fit([[1.0], [2.0]], ["a", "a"])
    assert model.predict([[9.0]]).tolist() == ["a"]
    assert model.predict_proba([[9.0]]).tolist() == [[1.0]]
    assert model.decision_function([[9.0]]).tolist() == [[0.0]]
    alike = AdaBoostStumpClassifier().fit([[1.0], [1.0]], ["a", "b"])
    assert alike.predict([[1.0]]).tolist() == ["a"]
    assert alike.feature_importances_.tolist() == [0]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n_estimators": 0}, "n_estimators=0 must be a whole number, at least 1"),
        ({"learning_rate": 0}, "learning_rate=0 must be a number above 0"),
        ({"criterion": "log_loss"}, "criterion='log_loss' must be one of"),
        ({"max_depth": 0}, "max_depth=0 must be a whole number, at least 1"),
    ],
)
def test_a_parameter_out_of_range_is_named(asked, message):
    with pytest.raises(ValueError, match=message):
        AdaBoostStumpClassifier(**asked).fit([[1.0], [2.0]], [0, 1])


def test_gaps_are_taken_and_so_are_unseen_values():
    """x parts 1 from 2, and of all rows most are 0: so are those without a value."""
    x, y = [[1.0], [1.0], [2.0], [np.nan], [np.nan]], [0, 0, 1, 0, 1]
    model = AdaBoostStumpClassifier(n_estimators=1).fit(x, y)
    assert model.predict(x).tolist() == [0, 0, 1, 0, 0]
    frame = pd.DataFrame({"x": [1.0, 2.0, None], "w": ["a", "b", "b"]})
    model = AdaBoostStumpClassifier().fit(frame, [0, 1, 1])
    assert model.predict(frame).tolist() == [0, 1, 1]
    assert model.predict(pd.DataFrame({"x": [1.0], "w": ["c"]})).shape == (1,)


def close(mine, peer):
    np.testing.assert_allclose(mine, peer, rtol=1e-7, atol=1e-9)


def test_by_gradients_numbers_are_scikit_learns():
    X, y = load_diabetes(return_X_y=True)
    asked = {"n_estimators": 20, "learning_rate": 0.3, "max_depth": 2, "min_samples_leaf": 0.02}
    mine = GradientBoostedRegressor(**asked).fit(X, y)
    peer = GradientBoostingRegressor(random_state=0, **asked).fit(X, y)
    close(mine.predict(X), peer.predict(X))
    close(mine.feature_importances_, peer.feature_importances_)
    for one, other in zip(mine.staged_predict(X), peer.staged_predict(X), strict=True):
        close(one, other)


def test_by_gradients_classes_are_scikit_learns():
    """With stumps: deeper two questions are a tie, for which they draw lots."""
    X, y = load_breast_cancer(return_X_y=True)
    asked = {"n_estimators": 12, "learning_rate": 0.5, "max_depth": 1}
    mine = GradientBoostedClassifier(**asked).fit(X, y)
    peer = GradientBoostingClassifier(random_state=0, **asked).fit(X, y)
    close(mine.decision_function(X), peer.decision_function(X))
    close(mine.predict_proba(X), peer.predict_proba(X))
    close(mine.feature_importances_, peer.feature_importances_)
    np.testing.assert_array_equal(mine.predict(X), peer.predict(X))
    for one, other in zip(mine.staged_predict(X), peer.staged_predict(X), strict=True):
        np.testing.assert_array_equal(one, other)


def test_by_gradients_rows_are_withheld_as_the_library_does():
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostedRegressor(
        n_iter_no_change=3, validation_fraction=0.25, random_state=7, learning_rate=0.5
    ).fit(X, y)
    columns = {f"x{i}": X[:, i] for i in range(X.shape[1])}
    table = dt.Table.from_columns({**columns, "y": y}, target="y", target_kind="continuous")
    training, withheld = dt.evaluate.holdout(table, 0.25, seed=7)
    own = dt.gradient_boosting(training, rate=0.5, withheld=withheld, patience=3)
    assert model.n_estimators_ == own.n_trees < 100
    assert model.estimators_ == list(own.trees)
    np.testing.assert_array_equal(model.predict(X), own.predict(table))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n_estimators": 0}, "n_estimators=0 must be a whole number, at least 1"),
        ({"learning_rate": 1.5}, "learning_rate=1.5 must be a number above 0, up to 1"),
        ({"max_depth": 0}, "max_depth=0 must be a whole number, at least 1"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0 must be a whole number of rows"),
        ({"n_iter_no_change": 0}, "n_iter_no_change=0 must be a whole number, at least 1"),
        ({"validation_fraction": 0}, "validation_fraction=0 must be a number above 0"),
    ],
)
def test_by_gradients_a_parameter_out_of_range_is_named(asked, message):
    for kind in (GradientBoostedClassifier, GradientBoostedRegressor):
        with pytest.raises(ValueError, match=message):
            kind(**asked).fit([[1.0], [2.0], [3.0]], [0, 1, 1])
