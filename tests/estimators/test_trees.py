"""Trees as estimators, against the library's own trees, slow counting and scikit-learn."""

# ruff: noqa: N803, N806 - scikit-learn calls the rows X

from __future__ import annotations

from statistics import pvariance

import numpy as np
import polars as pl
import pytest
from cases import each
from estimators.slow import decreases, labels_at, slow_path
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.sklearn import TreeClassifier, TreeRegressor

ALGORITHMS = {"id3": dt.id3, "c45": dt.c45, "cart": dt.cart}
IMPURITIES = {"entropy": dt.entropy, "gini": dt.gini}


def frame_of(table):
    """The attributes of a table as a data frame."""
    columns = {name: table.column(name) for name in table.names}
    types = {a.name: pl.Float64 if a.values is None else pl.String for a in table.attributes}
    return pl.DataFrame(columns, schema=types)


def table_of(X, y, kind="discrete"):
    columns = {f"x{i}": X[:, i] for i in range(X.shape[1])}
    return dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": kind})


# -- the same trees ------------------------------------------------------------------------------


@settings(max_examples=40)
@given(tables(gaps=True).filter(lambda t: t.attributes), st.sampled_from(list(ALGORITHMS)))
def test_a_data_frame_gives_the_librarys_own_tree(table, algorithm):
    frame = frame_of(table)
    labels = np.array(table.column("y"))
    model = TreeClassifier(algorithm=algorithm).fit(frame, labels)
    whole = dt.Table.from_frame(frame.with_columns(y=pl.Series(labels)), "y", missing="keep")
    tree = ALGORITHMS[algorithm](whole)
    assert model.tree_ == tree
    np.testing.assert_array_equal(model.predict(frame), tree.predict(whole))
    np.testing.assert_array_equal(model.apply(frame), tree.apply(whole))


@each("algorithm", ALGORITHMS)
@each("criterion", [None, "entropy", "gini"])
def test_an_array_gives_the_librarys_own_tree(algorithm, criterion):
    X, y = load_wine(return_X_y=True)
    limits = {"max_depth": 4, "min_gain": 0.01, "max_error": 0.02}
    model = TreeClassifier(
        algorithm=algorithm, criterion=criterion, max_leaf_nodes=7, min_samples_split=5, **limits
    ).fit(X, y)
    tree = ALGORITHMS[algorithm](
        table_of(X, y), criterion=criterion, max_leaves=7, min_rows=5, **limits
    )
    assert model.tree_ == tree
    assert (model.get_depth(), model.get_n_leaves()) == (tree.depth, tree.n_leaves)
    if criterion is None:  # then the importances are counted by the algorithm's own
        own = {"id3": "entropy", "c45": "entropy", "cart": "gini"}[algorithm]
        named = clone(model).set_params(criterion=own).fit(X, y)
        np.testing.assert_array_equal(model.feature_importances_, named.feature_importances_)


@pytest.mark.parametrize("leaf", ["mean", "vote", "line"])
@pytest.mark.parametrize("criterion", ["squared_error", "variance"])
def test_a_regressor_is_the_librarys_own_tree(leaf, criterion):
    X, y = load_diabetes(return_X_y=True)
    model = TreeRegressor(criterion=criterion, leaf=leaf, max_leaf_nodes=12).fit(X, y)
    tree = dt.cart(table_of(X, y, "continuous"), leaf=leaf, max_leaves=12)
    assert model.tree_ == tree
    np.testing.assert_array_equal(model.predict(X), tree.predict(table_of(X, y)))


@pytest.mark.parametrize(
    ("least", "n_leaves"), [(7, 3), (0.77, 3), (8, 2), (0.78, 2), (1.0, 2), (0.001, 3)]
)
def test_the_rows_that_a_node_needs_may_be_a_share(least, n_leaves):
    """Two of nine rows are cut off; 0.78 is 7.02 rows, so the other seven are not split again."""
    X, y = np.arange(9.0)[:, None], [0, 0, 1, 1, 1, 1, 1, 1, 2]
    peer = DecisionTreeClassifier(min_samples_split=least).fit(X, y)
    mine = TreeClassifier(min_samples_split=least).fit(X, y)
    assert mine.get_n_leaves() == peer.get_n_leaves() == n_leaves


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_predictions_are_those_of_scikit_learn(criterion):
    """On numbers without ties the trees are the same; here until nodes have few rows."""
    X, y = load_digits(return_X_y=True)
    few = {"criterion": criterion, "min_samples_split": 200}
    mine = TreeClassifier(**few).fit(X, y)
    for seed in range(4):  # a tie would be broken differently by some of them
        peer = DecisionTreeClassifier(random_state=seed, **few).fit(X, y)
        np.testing.assert_array_equal(mine.predict(X), peer.predict(X))
        np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X))
        np.testing.assert_allclose(mine.feature_importances_, peer.feature_importances_, atol=1e-8)


@pytest.mark.parametrize("least", [40, 0.05])
def test_a_smallest_leaf_is_that_of_scikit_learn(least):
    """In numbers of rows and as a share; on numbers without ties the trees are the same."""
    X = np.random.default_rng(1).normal(size=(800, 4))
    y = (np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + X[:, 3] > 0.3).astype(int)
    few = {"criterion": "entropy", "min_samples_leaf": least}
    peer = DecisionTreeClassifier(random_state=0, **few).fit(X, y)
    mine = TreeClassifier(**few).fit(X, y)
    assert mine.get_n_leaves() == peer.get_n_leaves() > 8
    np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X))
    X, y = load_diabetes(return_X_y=True)
    mine, peer = (
        TreeRegressor(min_samples_leaf=least),
        DecisionTreeRegressor(min_samples_leaf=least),
    )
    np.testing.assert_allclose(mine.fit(X, y).predict(X), peer.fit(X, y).predict(X))


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_numbers_are_predicted_as_by_scikit_learn(depth):
    X, y = load_diabetes(return_X_y=True)
    mine = TreeRegressor(max_depth=depth).fit(X, y)
    peer = DecisionTreeRegressor(max_depth=depth).fit(X, y)
    np.testing.assert_allclose(mine.predict(X), peer.predict(X))
    np.testing.assert_allclose(mine.feature_importances_, peer.feature_importances_)


def test_importances_on_breast_cancer_are_those_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    few = {"criterion": "entropy", "min_samples_split": 200}
    mine = TreeClassifier(**few).fit(X, y).feature_importances_
    for seed in range(4):
        peer = DecisionTreeClassifier(random_state=seed, **few).fit(X, y)
        np.testing.assert_allclose(mine, peer.feature_importances_, atol=1e-8)


# -- shares and importances, counted slowly ------------------------------------------------------


@settings(max_examples=40)
@given(tables(gaps=True).filter(lambda t: t.attributes), st.sampled_from(list(ALGORITHMS)))
def test_shares_are_those_of_the_rows_where_a_row_stops(table, algorithm):
    frame, labels = frame_of(table), np.array(table.column("y"))
    model = TreeClassifier(algorithm=algorithm, max_depth=2).fit(frame, labels)
    shares = model.predict_proba(frame)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    came = labels_at(model.tree_, table)
    for row, found in zip(table.rows(), shares, strict=True):
        here = came[slow_path(model.tree_, row)]
        assert found.tolist() == [here.count(c) / len(here) for c in model.classes_]
    np.testing.assert_allclose(np.exp(model.predict_log_proba(frame)), shares)


@settings(max_examples=40)
@given(
    tables(gaps=True).filter(lambda t: t.attributes),
    st.sampled_from(list(ALGORITHMS)),
    st.sampled_from(list(IMPURITIES)),
)
def test_importances_are_the_decrease_counted_slowly(table, algorithm, criterion):
    frame, labels = frame_of(table), np.array(table.column("y"))
    model = TreeClassifier(algorithm=algorithm, criterion=criterion).fit(frame, labels)

    def impurity(rows):
        return IMPURITIES[criterion]([rows.count(c) for c in set(rows)])

    gained, total = decreases(model.tree_, table, impurity)
    expected = gained / total if total > 1e-6 else 0 * gained
    np.testing.assert_allclose(model.feature_importances_, expected, atol=1e-6)


@settings(max_examples=40)
@given(
    st.one_of(
        st.tuples(number_tables(gaps=True), st.just("mean")),
        # With gaps these are of the answers: see tree/importance.py.
        st.tuples(number_tables(), st.sampled_from(["vote", "line"])),
    ).filter(lambda drawn: drawn[0].attributes)
)
def test_importances_for_numbers_are_the_decrease_counted_slowly(drawn):
    table, leaf = drawn
    frame, numbers = frame_of(table), np.array(table.column("y"))
    model = TreeRegressor(leaf=leaf, max_depth=3).fit(frame, numbers)
    gained, total = decreases(model.tree_, table, pvariance)
    spread = len(numbers) * pvariance(numbers.tolist())
    shares = model.feature_importances_
    if total > 1e-9 * spread:
        np.testing.assert_allclose(shares, gained / total, atol=1e-6)
    else:  # what is gained by rounding alone may have a share, or none
        assert shares.sum() in (0, pytest.approx(1))


# -- labels, searches ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        np.array([-3, 7, 7, -3, 100]),
        np.array([0.5, 1.5, 1.5, 0.5, -2.0]).round(),
        np.array(["run 1", "", "", "run 1", "läuft"]),
        np.array(["b", "a", "a", "b", "c"], dtype=object),
        np.array([True, False, False, True, True]),
        np.array([2, 1, 1, 2, 3], dtype=np.uint8),
        ["z", "y", "y", "z", "x"],
    ],
    ids=lambda labels: str(np.asarray(labels).dtype),
)
def test_any_labels_come_back_as_they_were(labels):
    X = np.arange(5.0)[:, None]
    model = TreeClassifier().fit(X, labels)
    np.testing.assert_array_equal(model.classes_, np.unique(labels))
    assert model.n_classes_ == len(np.unique(labels))
    assert model.predict(X).dtype == np.asarray(labels).dtype
    np.testing.assert_array_equal(model.predict(X), labels)


def test_a_grid_search_picks_what_a_loop_picks():
    X, y = load_wine(return_X_y=True)
    folds = KFold(4, shuffle=True, random_state=0)
    grid = {"max_depth": [1, 2, 3], "algorithm": ["id3", "cart"]}
    search = GridSearchCV(TreeClassifier(), grid, cv=folds).fit(X, y)
    table, scores = table_of(X, y), {}
    for depth in grid["max_depth"]:
        for algorithm in grid["algorithm"]:
            grow = ALGORITHMS[algorithm]
            parts = [
                1 - grow(table.take(train), max_depth=depth).error(table.take(test))
                for train, test in folds.split(X)
            ]
            scores[algorithm, depth] = np.mean(parts)
    best = search.best_params_
    assert scores[best["algorithm"], best["max_depth"]] == max(scores.values())
    assert search.best_score_ == pytest.approx(max(scores.values()))


# -- what is refused -----------------------------------------------------------------------------


@each(
    ("estimator", "message"),
    [
        (TreeClassifier(algorithm="ID3"), r"algorithm='ID3' must be one of 'id3', 'c45', 'cart'"),
        (
            TreeClassifier(criterion="variance"),
            "criterion='variance' must be one of None, 'ent",
        ),
        (TreeClassifier(criterion=[1]), r"criterion=\[1\] must be one of"),
        (TreeClassifier(max_depth=-1), "max_depth=-1 must be a whole number, at least 0"),
        (TreeClassifier(max_depth=2.5), "max_depth=2.5 must be a whole number"),
        (TreeClassifier(max_depth=True), "max_depth=True must be a whole number"),
        (TreeClassifier(max_leaf_nodes=0), "max_leaf_nodes=0 must be a whole number, at least 1"),
        (TreeClassifier(min_samples_split=1), "min_samples_split=1 must be"),
        (TreeClassifier(min_samples_split=1.5), "min_samples_split=1.5 must be"),
        (TreeClassifier(min_samples_split="2"), "min_samples_split='2' must be"),
        (
            TreeClassifier(min_samples_leaf=0),
            "min_samples_leaf=0 must be a whole number of rows, at",
        ),
        (TreeClassifier(min_samples_leaf=0.0), "min_samples_leaf=0.0 must be"),
        (TreeClassifier(min_gain=-0.1), "min_gain=-0.1 must be a number, at least 0"),
        (TreeClassifier(min_gain=float("nan")), "min_gain=nan must be a number"),
        (TreeClassifier(max_error=1.1), "max_error=1.1 must be a share of the rows"),
        (TreeRegressor(criterion="gini"), "criterion='gini' must be one of 'squared_error', 'vari"),
        (TreeRegressor(max_error=-1), "max_error=-1 must be a number, at least 0"),
        (TreeRegressor(leaf="median"), "leaf='median' must be one of 'mean', 'vote', 'line'"),
    ],
    ids=str,
)
def test_a_parameter_out_of_range_is_named(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit([[1.0], [2.0]], [0, 1])


def test_a_regressors_error_may_be_above_one():
    X, y = load_diabetes(return_X_y=True)
    model = TreeRegressor(max_error=3000.0).fit(X, y)
    assert np.square(model.predict(X) - y).mean() <= 3000
    assert model.tree_ == dt.cart(table_of(X, y, "continuous"), max_error=3000.0)
