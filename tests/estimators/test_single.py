"""What the estimators of one tree have beyond growing: pruning, drawn columns, ways down."""

# ruff: noqa: N806 - scikit-learn calls the rows X

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pytest
from cases import each
from effort import some
from estimators.slow import slow_path
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtree_lab as dt
from dtree_lab.ensemble.settings import ForestSettings
from dtree_lab.ensemble.textbook import tree_growth
from dtree_lab.grow.prepare import ready
from dtree_lab.grow.textbook import finish
from dtree_lab.sklearn import TreeClassifier, TreeRegressor
from dtree_lab.tree.subtrees import node_number
from dtree_lab.tree.tree import flatten

PAIRS = {
    "gini": (TreeClassifier(), DecisionTreeClassifier()),
    "log_loss": (
        TreeClassifier(criterion="log_loss"),
        DecisionTreeClassifier(criterion="log_loss"),
    ),
    "squared_error": (TreeRegressor(), DecisionTreeRegressor()),
}


def without_ties(criterion, seed):
    """Rows with weights, or numbers to predict, that no two groups of rows have in common."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    noise = rng.normal(size=60)
    if criterion == "squared_error":
        return X, X[:, 0] + noise, np.ones(60)
    return X, (X[:, 0] + noise > 0) + (noise > 1) * 1, rng.integers(1000, 9999, 60)


def pair(criterion, **asked):
    return (clone(one).set_params(**asked) for one in PAIRS[criterion])


# -- pruning as scikit-learn has it --------------------------------------------------------------


@each("criterion", PAIRS)
@each("seed", some(range(6), every=3))
def test_the_path_and_its_trees_are_those_of_scikit_learn(criterion, seed):
    X, y, w = without_ties(criterion, seed)
    ours, its = (one.cost_complexity_pruning_path(X, y, w) for one in pair(criterion))
    np.testing.assert_allclose(ours.ccp_alphas, its.ccp_alphas, rtol=0, atol=1e-12)
    np.testing.assert_allclose(ours.impurities, its.impurities, rtol=0, atol=1e-12)
    assert len(its.ccp_alphas) > 5
    between = (its.ccp_alphas[1:] + its.ccp_alphas[:-1]) / 2
    for alpha in [*between[::4], its.ccp_alphas[-1] + 1]:
        one, other = (model.fit(X, y, w) for model in pair(criterion, ccp_alpha=alpha))
        assert one.get_n_leaves() == other.get_n_leaves()
        np.testing.assert_allclose(one.predict(X), other.predict(X))
    some = [next(pair(criterion, ccp_alpha=alpha)) for alpha in ours.ccp_alphas[::-4]]
    leaves = [one.fit(X, y, w).get_n_leaves() for one in some]
    assert len(set(leaves)) == len(leaves)
    assert leaves[0] == 1


def test_a_path_is_that_of_the_tree_before_any_pruning():
    X, y = load_iris(return_X_y=True)
    cut = TreeClassifier(ccp_alpha=0.1, prune="pessimistic")
    paths = [one.cost_complexity_pruning_path(X, y) for one in (cut, TreeClassifier())]
    np.testing.assert_array_equal(paths[0].ccp_alphas, paths[1].ccp_alphas)
    assert cut.ccp_alpha == 0.1
    assert not hasattr(cut, "tree_")


@each("criterion", PAIRS)
@each("limits", [{}, {"max_leaf_nodes": 6}, {"max_depth": 4}], ids=str)
def test_splits_that_gain_too_little_are_not_made(criterion, limits):
    for seed in some(range(4), every=2):
        X, y, w = without_ties(criterion, seed)
        leaves = set()
        for least in (0.0, 0.004, 0.01, 0.03, 0.1, 9.0):
            asked = {"min_impurity_decrease": least, **limits}
            one, other = (model.fit(X, y, w) for model in pair(criterion, **asked))
            np.testing.assert_allclose(one.predict(X), other.predict(X))
            assert one.get_n_leaves() == other.get_n_leaves()
            leaves.add(one.get_n_leaves())
        assert len(leaves) > 2
        assert 1 in leaves


# -- pruning as we have it -----------------------------------------------------------------------

X, Y = load_iris(return_X_y=True)
TABLE = dt.Table.from_columns(
    {**{f"x{i}": X[:, i] for i in range(4)}, "y": Y}, target="y", kinds={"y": "discrete"}
)


def by_hand(name):
    whole = dt.cart(TABLE)
    rest, held = dt.evaluate.holdout(TABLE, seed=3)
    match name:
        case "pessimistic":
            return dt.prune.pessimistic(whole)
        case "cost_complexity":
            alpha = dt.prune.choose_alpha(dt.cart, TABLE, seed=3).value
            return dt.prune.cost_complexity(whole, alpha)
        case "reduced_error":
            return dt.prune.reduced_error(dt.cart(rest), held)
    return dt.prune.grow_until(dt.cart, rest, held)


@each("name", ["pessimistic", "cost_complexity", "reduced_error", "grow_until"])
def test_any_of_our_methods_prunes(name):
    for how in (name, getattr(dt.prune, name)):
        model = TreeClassifier(prune=how, random_state=3).fit(X, Y)
        assert model.tree_ == by_hand(name)
        assert model.feature_importances_.sum() == pytest.approx(1)
    assert model.get_n_leaves() < TreeClassifier().fit(X, Y).get_n_leaves()


def test_a_function_prunes():
    half = partial(dt.prune.cost_complexity, alpha=0.2)
    assert TreeClassifier(prune=half).fit(X, Y).tree_ == half(dt.cart(TABLE))
    with pytest.raises(TypeError, match=r"prune=.* must give a dt.Tree; it gave a int"):
        TreeClassifier(prune=lambda _: 3).fit(X, Y)


@each("leaf", ["mean", "vote", "line"])
def test_a_regression_tree_is_pruned(leaf):
    numbers, target = X[:, :3], X[:, 3]
    columns = {f"x{i}": numbers[:, i] for i in range(3)}
    table = dt.Table.from_columns({**columns, "y": target}, target="y")
    model = TreeRegressor(prune="reduced_error", leaf=leaf, random_state=3).fit(numbers, target)
    rest, held = dt.evaluate.holdout(table, seed=3)
    assert model.tree_ == dt.prune.reduced_error(dt.cart(rest, leaf=leaf), held)
    assert model.feature_importances_.sum() == pytest.approx(1)
    with pytest.raises(ValueError, match="pessimistic pruning counts wrong rows"):
        TreeRegressor(prune="pessimistic").fit(numbers, target)


# -- columns that are drawn ----------------------------------------------------------------------


@each("algorithm", ["id3", "c45", "cart"])
@each("weights", [None, Y + 1])
def test_nodes_draw_columns_as_the_textbook_tells_it(algorithm, weights):
    model = TreeClassifier(algorithm=algorithm, max_features=2, random_state=5)
    model.fit(X, Y, sample_weight=weights)
    table = dt.Table.from_columns(
        {**{name: TABLE.column(name) for name in TABLE.names}, "y": Y},
        target="y",
        target_kind="discrete",
        weights=weights,
    )
    in_ticks, recipe = ready(algorithm, table)
    root = finish(tree_growth(in_ticks, ForestSettings(recipe, 2, bootstrap=False, seed=5), 0))
    assert model.tree_.flat == flatten(root, table.attributes)
    assert model.max_features_ == 2


def test_a_tree_that_draws_is_that_of_a_forest():
    target = X[:, 3]
    table = dt.Table.from_columns({**{f"x{i}": X[:, i] for i in range(3)}, "y": target}, target="y")
    forest = dt.random_forest(table, n_trees=1, m=1, bootstrap=False, seed=4, min_leaf=3)
    model = TreeRegressor(max_features=1, random_state=4, min_samples_leaf=3).fit(X[:, :3], target)
    assert model.tree_ == forest.trees[0]
    assert TreeRegressor(max_features=1.0).fit(X[:, :3], target).tree_ == dt.cart(table)


def test_chance_is_used_only_where_it_is_asked_for():
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - what scikit-learn's None means
    TreeClassifier(ccp_alpha=0.01, prune="pessimistic").fit(X, Y)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    trees = [TreeClassifier(max_features=1).fit(X, Y).tree_ for _ in range(3)]
    assert trees[0] != trees[1] or trees[0] != trees[2]


# -- ways down -----------------------------------------------------------------------------------


def test_a_decision_path_is_walked_question_by_question():
    frame = pd.DataFrame(
        {"n": [1.0, 2, None, 4, 5, 6, 7, 8], "w": ["a", "b", "a", None, "c", "c", "b", "a"]}
    )
    model = TreeClassifier(algorithm="id3").fit(frame, list("uvuvwwvu"))
    asked = pd.concat([frame, pd.DataFrame({"n": [3.5, None], "w": ["never seen", "a"]})])
    told = model.decision_path(asked)
    assert told.shape == (10, model.tree_.n_nodes)
    assert told.has_sorted_indices
    for i, row in enumerate(asked.to_dict("records")):
        plain = {name: None if pd.isna(v) else v for name, v in row.items()}
        path = slow_path(model.tree_, plain)
        nodes = [node_number(model.tree_.flat, path[:length]) for length in range(len(path) + 1)]
        assert told[[i]].indices.tolist() == nodes
        assert told[[i]].data.tolist() == [1] * len(nodes)


@each(
    ("asked", "message"),
    [
        ({"ccp_alpha": -0.1}, "ccp_alpha=-0.1 must be a number, at least 0.0"),
        ({"ccp_alpha": float("nan")}, "ccp_alpha=nan must be a number"),
        ({"min_impurity_decrease": "a"}, "min_impurity_decrease='a' must be a number"),
        ({"max_features": 0}, "max_features=0 must be None, 'sqrt'"),
        ({"max_features": 1, "random_state": -1}, "[Ss]eed must be|expected"),
        ({"prune": "reduced"}, "prune='reduced' must be one of None, 'cost_complexity', 'grow_"),
    ],
    ids=str,
)
def test_what_no_tree_can_be_asked_for_is_named(asked, message):
    for model in (TreeClassifier(**asked), TreeRegressor(**asked)):
        with pytest.raises(ValueError, match=message):
            model.fit(X, Y)
