"""Forests as estimators, against the library's own, slow counting and scikit-learn."""

# ruff: noqa: N803, N806 - scikit-learn calls the rows X

from __future__ import annotations

from statistics import pvariance

import numpy as np
import pandas as pd
import pytest
from cases import each
from estimators.slow import decreases
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.metrics import balanced_accuracy_score, mean_absolute_error, r2_score
from sklearn.model_selection import GridSearchCV, KFold

import dtree_lab as dt
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.sklearn import ForestClassifier, ForestRegressor, TreeClassifier, TreeRegressor

WINE = load_wine(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def table_of(X, y, kind="discrete"):
    columns = {f"x{i}": X[:, i] for i in range(X.shape[1])}
    return dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": kind})


# -- the same forest -----------------------------------------------------------------------------


def test_it_is_the_librarys_own():
    X, y = WINE
    model = ForestClassifier(
        n_estimators=9,
        criterion="entropy",
        max_features=2,
        max_depth=5,
        max_leaf_nodes=8,
        min_samples_split=6,
        random_state=3,
    ).fit(X, y)
    own = random_forest(
        table_of(X, y),
        n_trees=9,
        criterion="entropy",
        m=2,
        max_depth=5,
        max_leaves=8,
        min_rows=6,
        seed=3,
    )
    assert model.estimators_ == list(own.trees)
    np.testing.assert_array_equal(model.predict(X), own.predict(table_of(X, y)))
    np.testing.assert_array_equal(model.predict_proba(X), own.shares(table_of(X, y)))


def test_a_regressor_is_the_librarys_own():
    X, y = DIABETES
    table = table_of(X, y, "continuous")
    model = ForestRegressor(n_estimators=6, random_state=1).fit(X, y)
    own = random_forest(table, n_trees=6, seed=1)
    assert model.estimators_ == list(own.trees)
    np.testing.assert_array_equal(model.predict(X), own.predict(table))
    by_hand = np.mean([tree.predict(table) for tree in own.trees], axis=0)
    np.testing.assert_allclose(model.predict(X), by_hand)


def test_all_rows_and_all_columns_give_the_single_tree():
    whole = {"n_estimators": 2, "bootstrap": False, "max_features": None}
    for forest, tree, (X, y) in (
        (ForestClassifier(**whole), TreeClassifier(), WINE),
        (ForestRegressor(**whole, max_depth=5), TreeRegressor(max_depth=5), DIABETES),
    ):
        np.testing.assert_array_equal(forest.fit(X, y).predict(X), tree.fit(X, y).predict(X))
        assert [one.flat for one in forest.estimators_] == [tree.tree_.flat] * 2
        np.testing.assert_allclose(forest.feature_importances_, tree.feature_importances_)


def test_shares_are_votes_counted_one_by_one():
    frame = pd.DataFrame({"n": [1.0, 2, 3, 4, 5, 6], "w": list("aabbab")})
    labels = np.array(["no", "no", "yes", "perhaps", "yes", "no"])
    model = ForestClassifier(n_estimators=11, random_state=0).fit(frame, labels)
    asked = frame.assign(w=list("abcabc"))
    shares = model.predict_proba(asked)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for i, row in enumerate(asked.to_dict("records")):
        said = [tree.predict(row) for tree in model.estimators_]
        assert shares[i].tolist() == [said.count(c) / 11 for c in model.classes_]
        assert model.predict(asked)[i] == max(model.classes_, key=said.count)
        stops = [tree.apply(row)[0] for tree in model.estimators_]
        assert model.apply(asked)[i].tolist() == stops


# -- importances ---------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_importances_are_the_mean_of_the_trees_counted_slowly(criterion):
    X, y = load_iris(return_X_y=True)
    table = table_of(X, y)
    model = ForestClassifier(n_estimators=4, criterion=criterion, random_state=0).fit(X, y)
    measure = {"gini": dt.gini, "entropy": dt.entropy}[criterion]
    each = []
    for i, tree in enumerate(model.estimators_):
        sample = table.take(np.repeat(np.arange(len(y)), model.forest_.rows_drawn(i)))
        gained, total = decreases(
            tree, sample, lambda rows: measure([rows.count(c) for c in set(rows)])
        )
        each.append(gained / total)
    np.testing.assert_allclose(model.feature_importances_, np.mean(each, axis=0), atol=1e-8)


def test_importances_for_numbers_are_the_mean_of_the_trees_counted_slowly():
    X, y = (part[:60] for part in DIABETES)
    table = table_of(X, y, "continuous")
    model = ForestRegressor(n_estimators=3, max_depth=4, random_state=0).fit(X, y)
    each = []
    for i, tree in enumerate(model.estimators_):
        sample = table.take(np.repeat(np.arange(len(y)), model.forest_.rows_drawn(i)))
        gained, total = decreases(tree, sample, pvariance)
        each.append(gained / total)
    np.testing.assert_allclose(model.feature_importances_, np.mean(each, axis=0))


def test_trees_that_ask_nothing_have_no_say_in_importances():
    model = ForestClassifier(n_estimators=3, max_depth=0).fit(*WINE)
    assert model.feature_importances_.tolist() == [0] * 13
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6, 2)), np.array([0, 0, 0, 0, 0, 1])
    some = ForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    assert {tree.n_leaves > 1 for tree in some.estimators_} == {True, False}
    assert some.feature_importances_.sum() == pytest.approx(1)


# -- rows out of the bag -------------------------------------------------------------------------


def others(model, i):
    """The trees that were not grown on a row."""
    drawn = [model.forest_.rows_drawn(t) for t in range(len(model.estimators_))]
    return [tree for tree, rows in zip(model.estimators_, drawn, strict=True) if not rows[i]]


def test_out_of_bag_shares_are_counted_one_by_one():
    X, y = WINE
    model = ForestClassifier(n_estimators=40, oob_score=True, random_state=2).fit(X, y)
    table = table_of(X, y)
    for i in range(0, len(y), 10):
        said = [tree.predict(table.row(i)) for tree in others(model, i)]
        shares = [said.count(c) / len(said) for c in range(3)]
        assert model.oob_decision_function_[i].tolist() == shares
    predicted = model.oob_decision_function_.argmax(axis=1)
    assert model.oob_score_ == np.mean(predicted == y)
    assert model.oob_score_ == pytest.approx(1 - model.forest_.oob_error)


def test_out_of_bag_means_are_taken_one_by_one():
    X, y = (part[:80] for part in DIABETES)
    model = ForestRegressor(n_estimators=30, oob_score=True, random_state=2).fit(X, y)
    table = table_of(X, y, "continuous")
    means = [np.mean([t.predict(table.row(i)) for t in others(model, i)]) for i in range(80)]
    np.testing.assert_allclose(model.oob_prediction_, means)
    assert model.oob_score_ == pytest.approx(r2_score(y, means))


def test_a_function_may_judge_what_is_out_of_the_bag():
    X, y = load_breast_cancer(return_X_y=True)
    words = np.where(y == 1, "benign", "malignant")
    asked = {"n_estimators": 25, "random_state": 0}
    model = ForestClassifier(oob_score=balanced_accuracy_score, **asked).fit(X, words)
    said = model.classes_[model.oob_decision_function_.argmax(axis=1)]
    assert model.oob_score_ == balanced_accuracy_score(words, said)
    numbers = ForestRegressor(oob_score=mean_absolute_error, **asked).fit(*DIABETES)
    assert numbers.oob_score_ == mean_absolute_error(DIABETES[1], numbers.oob_prediction_)


@pytest.mark.parametrize("forest", [ForestClassifier, ForestRegressor])
def test_rows_in_every_bag_have_no_out_of_bag_prediction(forest):
    X, y = load_iris(return_X_y=True)
    model = forest(n_estimators=2, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match="of 150 rows are in every tree's sample"):
        model.fit(X, y)
    known = np.array([bool(others(model, i)) for i in range(150)])
    said = getattr(model, "oob_decision_function_", None)
    said = model.oob_prediction_[:, None] if said is None else said
    np.testing.assert_array_equal(np.isnan(said).all(axis=1), ~known)
    if forest is ForestRegressor:
        assert model.oob_score_ == r2_score(y[known], model.oob_prediction_[known])
    else:
        assert model.oob_score_ == np.mean(said[known].argmax(axis=1) == y[known])
    with pytest.warns(UserWarning, match="1 of 1 rows"):
        assert np.isnan(forest(n_estimators=2, oob_score=True).fit([[1.0]], [1]).oob_score_)


def test_nothing_is_judged_unless_asked():
    model = ForestClassifier(n_estimators=2).fit(*WINE)
    assert not hasattr(model, "oob_score_")
    assert not hasattr(model, "oob_decision_function_")


# -- chance and keywords -------------------------------------------------------------------------


def test_a_whole_number_is_the_seed_and_jobs_change_nothing():
    X, y = WINE

    def trees(**keywords):
        return ForestClassifier(n_estimators=5, **keywords).fit(X, y).estimators_

    assert trees(random_state=7) == trees(random_state=7, n_jobs=2)
    assert trees(random_state=7) != trees(random_state=8)
    assert trees(random_state=np.int64(7)) == trees(random_state=7)
    assert trees(random_state=np.random.RandomState(7)) == trees(
        random_state=np.random.RandomState(7)
    )
    assert trees() != trees()
    chance = np.random.RandomState(7)
    assert trees(random_state=chance) != trees(random_state=chance)  # it was moved on


@each("asked", [None, "sqrt", "log2", 1, 3, 8, 50, 0.01, 0.3, 0.85, 1.0])
@each("n_features", [1, 2, 8, 10])
def test_columns_are_drawn_as_scikit_learn_has_it(asked, n_features):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, n_features)), rng.integers(0, 2, 30)
    few = {"n_estimators": 1, "max_features": asked}
    peer = RandomForestClassifier(**few).fit(X, y).estimators_[0].max_features_
    assert ForestClassifier(**few).fit(X, y).forest_.plan.m == min(peer, n_features)
    peer = RandomForestRegressor(**few).fit(X, y).estimators_[0].max_features_
    assert ForestRegressor(**few).fit(X, y).forest_.plan.m == min(peer, n_features)


@each("asked", [None, 1, 7, 30, 0.01, 0.5, 0.99, 1.0])
@pytest.mark.filterwarnings("ignore:Using the fractional value")
def test_a_sample_has_as_many_rows_as_scikit_learns(asked):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 2)), rng.integers(0, 2, 30)
    for ours, its in (
        (ForestClassifier, RandomForestClassifier),
        (ForestRegressor, RandomForestRegressor),
    ):
        model = ours(n_estimators=3, max_samples=asked, random_state=0).fit(X, y)
        peer = its(n_estimators=3, max_samples=asked).fit(X, y)
        for i, tree in enumerate(model.estimators_):
            assert model.forest_.rows_drawn(i).sum() == len(peer.estimators_samples_[i])
            assert tree.flat.counts[0].sum() == len(peer.estimators_samples_[i])


def test_a_grid_search_picks_what_a_loop_picks():
    X, y = WINE
    folds, table = KFold(3, shuffle=True, random_state=0), table_of(X, y)
    model = ForestClassifier(n_estimators=5, random_state=4)
    search = GridSearchCV(model, {"max_features": [1, 3, 13]}, cv=folds).fit(X, y)
    scores = {}
    for m in (1, 3, 13):
        scores[m] = np.mean(
            [
                1 - random_forest(table.take(train), n_trees=5, m=m, seed=4).error(table.take(test))
                for train, test in folds.split(X)
            ]
        )
    assert search.best_params_ == {"max_features": max(scores, key=scores.get)}
    assert search.best_score_ == pytest.approx(max(scores.values()))


@each(
    ("estimator", "message"),
    [
        (ForestClassifier(n_estimators=0), "n_estimators=0 must be a whole number, at least 1"),
        (ForestClassifier(n_estimators=2.0), "n_estimators=2.0 must be a whole number"),
        (ForestClassifier(criterion="variance"), "criterion='variance' must be one of 'entropy',"),
        (ForestClassifier(max_features=0), "max_features=0 must be None, 'sqrt'"),
        (ForestClassifier(max_features="auto"), "max_features='auto' must be None"),
        (ForestClassifier(max_features=1.5), "max_features=1.5 must be None"),
        (ForestClassifier(max_features=True), "max_features=True must be None"),
        (ForestClassifier(max_leaf_nodes=0), "max_leaf_nodes=0 must be a whole number"),
        (ForestClassifier(min_samples_split=0.0), "min_samples_split=0.0 must be"),
        (ForestClassifier(bootstrap="yes"), "bootstrap='yes' must be True or False"),
        (ForestClassifier(oob_score="yes"), "oob_score='yes' must be True or False"),
        (ForestClassifier(oob_score=True, bootstrap=False), "oob_score needs bootstrap=True"),
        (ForestClassifier(max_samples=3), "max_samples=3 must be None, a whole number of"),
        (ForestClassifier(max_samples=1.1), "from 1 to 2, or a share of them"),
        (ForestClassifier(max_samples=1, bootstrap=False), "max_samples=1 needs bootstrap=True"),
        (ForestClassifier(random_state=-1), "[Ss]eed must be|expected"),
        (ForestRegressor(criterion="gini"), "criterion='gini' must be one of 'squared_error'"),
        (ForestRegressor(oob_score=2), "oob_score=2 must be True or False"),
    ],
    ids=str,
)
def test_a_parameter_out_of_range_is_named(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit([[1.0], [2.0]], [0, 1])


@pytest.mark.parametrize("forest", [ForestClassifier, ForestRegressor])
def test_gaps_are_taken_and_so_are_unseen_values(forest):
    """From a frame and from an array: the library's own forest on the table with gaps."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 3))
    y = (x[:, 0] > 0).astype(int) if forest is ForestClassifier else x[:, 0].copy()
    x[rng.random(x.shape) < 0.3] = np.nan
    kind = "discrete" if forest is ForestClassifier else "continuous"
    columns = {f"x{i}": x[:, i] for i in range(3)}
    table = dt.Table.from_columns({**columns, "y": y}, target="y", target_kind=kind, missing="keep")
    own = random_forest(table, n_trees=5, m=2, seed=0)
    for X in (x, pd.DataFrame(columns)):
        model = forest(n_estimators=5, max_features=2, random_state=0).fit(X, y)
        assert [tree.flat for tree in model.estimators_] == [tree.flat for tree in own.trees]
        assert np.array_equal(model.predict(X), own.predict(table))
        assert np.allclose(model.feature_importances_, own.impurity_importance().values)
    frame = pd.DataFrame({"w": ["a", "b", None], "x": [1.0, None, 2.0]})
    model = forest(n_estimators=3, random_state=0).fit(frame, [0, 1, 1])
    assert model.predict(pd.DataFrame({"w": ["c"], "x": [1.0]})).shape == (1,)
