"""Importances, against sums by hand, a slow oracle, and what is known of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.grow.engine.sampling import shuffled
from dtree_lab.tree.tree import Branch, walk


def impurity(counts, criterion):
    return dt.gini(counts) if criterion == "gini" else dt.entropy(counts)


@settings(max_examples=50, deadline=None)
@given(tables(gaps=True), st.integers(0, 5), st.sampled_from(["gini", "entropy"]))
def test_impurity_importance_sums_up_gains(table, seed, criterion):
    forest = random_forest(table, n_trees=4, seed=seed, criterion=criterion)
    shares = []
    for tree in forest.trees:
        gained = dict.fromkeys(table.names, 0.0)
        for _, node in walk(tree.root):
            if isinstance(node, Branch):
                below = [child.counts for child in node.children]  # others rest, and gain nothing
                here = [tuple(np.sum(below, axis=0).tolist()), *below]
                cost = [sum(counts) * impurity(counts, criterion) for counts in here]
                gained[table.names[node.split.attribute]] += cost[0] - sum(cost[1:])
        total = sum(gained.values())
        if total > 1e-6:
            shares.append([gained[name] / total for name in table.names])
    expected = np.mean(shares, axis=0) if shares else np.zeros(len(table.names))
    found = forest.impurity_importance()
    assert found.names == table.names
    assert np.allclose(found.values, expected, atol=1e-6)
    assert found.errors is None


@settings(max_examples=30, deadline=None)
@given(number_tables(max_rows=15, gaps=True), st.integers(0, 5))
def test_impurity_importance_of_numbers_sums_up_variance(table, seed):
    forest = random_forest(table, n_trees=1, seed=seed)
    (tree,) = forest.trees
    scale = np.abs(table.labels).max() or 1.0
    rows = np.repeat(np.arange(len(table)), forest.rows_drawn(0))
    gained = np.zeros(len(table.names))
    held = {(): rows}
    for path, node in walk(tree.root):
        mine = held.pop(path)
        if isinstance(node, Branch):
            a = node.split.attribute
            branch = node.split.branch(table.columns[a][mine])
            parts = [mine[branch == b] for b in range(2)]
            held |= {(*path, b): part for b, part in enumerate(parts)}
            mine = mine[branch >= 0]
            gained[a] += len(mine) * (table.labels[mine] / scale).var()
            gained[a] -= sum(len(part) * (table.labels[part] / scale).var() for part in parts)
    total = gained.sum()
    found = forest.impurity_importance().values
    if total > 1e-9:
        assert np.allclose(found, gained / total, atol=1e-6)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "variance"])
def test_impurity_importance_is_that_of_the_peer(criterion):
    """One tree with all rows and attributes, and no ties: scikit-learn's tree is the same."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 5))
    score = x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=300)
    columns = {f"x{i}": x[:, i] for i in range(5)}
    if criterion == "variance":
        peer = DecisionTreeRegressor(max_depth=3, random_state=0).fit(x, score)
        table = dt.Table.from_columns({**columns, "y": score}, target="y")
    else:
        y = (score > 0).astype(int)
        peer = DecisionTreeClassifier(criterion=criterion, max_depth=3, random_state=0).fit(x, y)
        table = dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": "discrete"})
    forest = random_forest(table, n_trees=1, bootstrap=False, m=5, criterion=criterion, max_depth=3)
    assert forest.trees[0].n_nodes == peer.tree_.node_count
    assert np.allclose(forest.impurity_importance().values, peer.feature_importances_, atol=1e-4)


def slow_permutation(forest, table, seed, repeats):
    """Shuffle each column within each bag and predict again, tree by tree."""
    worse = {name: [] for name in table.names}
    for t, tree in enumerate(forest.trees):
        out = np.flatnonzero(forest.rows_drawn(t) == 0)
        if not len(out):
            continue
        bag = table.take(out)
        right = bag.labels
        for a, name in enumerate(table.names):
            losses = []
            for repeat in range(repeats):
                columns = list(bag.columns)
                columns[a] = columns[a][shuffled(len(out), seed, t, a, repeat)]
                again = dt.Table(bag.attributes, bag.target, tuple(columns), right)
                losses.append(tree.error(again) - tree.error(bag))
            worse[name].append(np.mean(losses))
    return [worse[name] for name in table.names]


@settings(max_examples=30, deadline=None)
@given(tables(gaps=True), st.integers(0, 5), st.integers(1, 2))
def test_permutation_importance_is_that_of_the_oracle(table, seed, repeats):
    forest = random_forest(table, n_trees=4, seed=seed)
    if all(forest.rows_drawn(t).min() > 0 for t in range(4)):
        with pytest.raises(ValueError, match="no row is out of bag"):
            forest.permutation_importance(table)
        return
    found = forest.permutation_importance(table, seed=seed, repeats=repeats)
    worse = slow_permutation(forest, table, seed, repeats)
    assert np.allclose(found.values, [np.mean(w) for w in worse])
    n = len(worse[0]) if worse else 0
    if n > 1:
        assert np.allclose(found.errors, [np.std(w, ddof=1) / np.sqrt(n) for w in worse])
    else:
        assert np.isnan(found.errors).all()


def test_permutation_importance_of_numbers_is_that_of_the_oracle():
    rng = np.random.default_rng(2)
    columns = {"a": rng.normal(size=60), "b": rng.choice(list("uvw"), 60), "c": rng.normal(size=60)}
    y = columns["a"] + (columns["b"] == "u")
    table = dt.Table.from_columns({**columns, "y": y}, target="y")
    forest = random_forest(table, n_trees=8)
    found = forest.permutation_importance(table, seed=3)
    worse = slow_permutation(forest, table, 3, 1)
    assert np.allclose(found.values, np.mean(worse, axis=1))
    assert found.ranked()[0][0] == "a"


def test_jobs_change_nothing():
    table = dt.datasets.tax_fraud()
    forest = random_forest(table, n_trees=10)
    one = forest.permutation_importance(table, n_jobs=1)
    two = forest.permutation_importance(table, n_jobs=2)
    assert np.array_equal(one.values, two.values)
    assert np.array_equal(one.errors, two.errors)


def test_impurity_favours_many_values_and_permutation_does_not():
    """Attributes that say nothing (Strobl et al. 2007), one with two values, one with thirty.

    By impurity the second seems to matter several times as much; shuffled, neither does.
    """
    rng = np.random.default_rng(0)
    n = 200
    table = dt.Table.from_columns(
        {
            "two": rng.choice(list("ab"), n),
            "many": rng.choice([f"v{i:02}" for i in range(30)], n),
            "y": rng.choice(["no", "yes"], n),
        },
        target="y",
    )
    forest = random_forest(table, n_trees=60, m=1)
    by_impurity = forest.impurity_importance()
    assert by_impurity["many"] > 3 * by_impurity["two"]
    shuffled_away = forest.permutation_importance(table, repeats=3)
    # The trees share their rows, so the luck of the 200 labels stays: 0.5 / sqrt(n).
    assert np.abs(shuffled_away.values).max() < 2 * 0.5 / np.sqrt(n)


def test_importance_is_told_in_order():
    forest = random_forest(dt.datasets.tax_fraud(), n_trees=10)
    found = forest.impurity_importance()
    lines = repr(found).splitlines()
    assert [line.split("  ")[0].strip() for line in lines] == [name for name, _ in found.ranked()]
    assert found[found.ranked()[0][0]] == found.values.max()
    assert np.isclose(found.values.sum(), 1)
    assert "±" in repr(forest.permutation_importance(dt.datasets.tax_fraud()))


def test_bad_questions_are_refused():
    table = dt.datasets.tax_fraud()
    forest = random_forest(table, n_trees=3)
    with pytest.raises(ValueError, match="needs the 10 rows"):
        forest.permutation_importance(table.take([0, 1]))
    with pytest.raises(ValueError, match="repeats=0 must be a whole number"):
        forest.permutation_importance(table, repeats=0)
    with pytest.raises(ValueError, match="grow the forest with bootstrap=True"):
        random_forest(table, n_trees=3, bootstrap=False).permutation_importance(table)
