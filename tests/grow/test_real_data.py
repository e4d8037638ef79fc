"""On real tables we grow what scikit-learn, a peer of its own making, grows: or better."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtree_lab as dt

CLASSES = [load_iris, load_wine, load_breast_cancer, load_digits]
CRITERIA = [(dt.id3, "entropy"), (dt.cart, "gini")]


def table_of(data, *, discrete):
    columns = {f"x{i}": data.data[:, i] for i in range(data.data.shape[1])}
    kinds = {"y": "discrete"} if discrete else {}
    return dt.Table.from_columns({**columns, "y": data.target}, target="y", kinds=kinds)


def shape_of(rows, y, criterion):
    """The impurity of some rows, from the formula."""
    if criterion == "variance":
        return float(np.var(y[rows]))
    p = np.unique(y[rows], return_counts=True)[1] / len(rows)
    return float(-(p * np.log2(p)).sum() if criterion == "entropy" else 1 - (p * p).sum())


def nodes_of_ours(tree, table):
    """The rows of each node, and the rows of its children, found by following splits."""
    held, found = {0: np.arange(table.n_rows)}, {}
    for i in range(tree.n_nodes):
        split = tree.flat.split(i, tree.attributes)
        if split is None:
            continue
        branch = split.branch(table.columns[split.attribute][held[i]])
        children = [held[i][branch == b] for b in range(split.n_branches)]
        held.update({int(tree.flat.first[i]) + b: rows for b, rows in enumerate(children)})
        found[tuple(held[i])] = children
    return found


def nodes_of_theirs(model, x):
    """The same of scikit-learn's tree, from the rows that pass each node."""
    passed = model.decision_path(x).toarray().astype(bool)
    left, right = model.tree_.children_left, model.tree_.children_right
    return {
        tuple(np.flatnonzero(passed[:, i])): [
            np.flatnonzero(passed[:, left[i]]),
            np.flatnonzero(passed[:, right[i]]),
        ]
        for i in np.flatnonzero(left >= 0)
    }


def left_over(children, y, criterion):
    n = sum(map(len, children))
    return sum(len(rows) / n * shape_of(rows, y, criterion) for rows in children)


@pytest.mark.parametrize("load", CLASSES)
@pytest.mark.parametrize(("grower", "criterion"), CRITERIA)
def test_full_growth_errs_as_little(load, grower, criterion):
    data = load()
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(data.data, data.target)
    ours = grower(table_of(data, discrete=True))
    assert ours.error(table_of(data, discrete=True)) == 1 - theirs.score(data.data, data.target)


@pytest.mark.parametrize("load", CLASSES)
@pytest.mark.parametrize(("grower", "criterion"), CRITERIA)
def test_no_node_that_both_have_is_split_worse(load, grower, criterion):
    """Where ties led both to the same rows, what our split leaves over is no more than theirs."""
    data = load()
    theirs = DecisionTreeClassifier(criterion=criterion, max_depth=5, random_state=0)
    theirs.fit(data.data, data.target)
    table = table_of(data, discrete=True)
    mine = nodes_of_ours(grower(table, max_depth=5), table)
    peers = nodes_of_theirs(theirs, data.data)
    root = tuple(range(table.n_rows))
    shared = mine.keys() & peers.keys()
    assert root in shared
    for rows in shared:
        ours_left = left_over(mine[rows], data.target, criterion)
        assert ours_left <= left_over(peers[rows], data.target, criterion) + 1e-12
    assert left_over(mine[root], data.target, criterion) == pytest.approx(
        left_over(peers[root], data.target, criterion), abs=1e-12
    )


def test_a_regression_tree_of_real_numbers():
    data = load_diabetes()
    table = table_of(data, discrete=False)
    theirs = DecisionTreeRegressor(max_depth=5, random_state=0).fit(data.data, data.target)
    mine = nodes_of_ours(dt.cart(table, max_depth=5), table)
    peers = nodes_of_theirs(theirs, data.data)
    shared = mine.keys() & peers.keys()
    assert tuple(range(table.n_rows)) in shared
    for rows in shared:
        theirs_left = left_over(peers[rows], data.target, "variance")
        assert left_over(mine[rows], data.target, "variance") <= theirs_left + 1e-9
    full = DecisionTreeRegressor(random_state=0).fit(data.data, data.target)
    assert dt.cart(table).error(table) == np.square(full.predict(data.data) - data.target).mean()


def mixed(seed):
    """A table of words and numbers with rows that differ in their label only."""
    rng = np.random.default_rng(seed)
    n = 300
    columns = {
        "colour": rng.choice(["red", "green", "blue"], n),
        "size": rng.integers(0, 6, n).astype(float),
        "shape": rng.choice(list("abcdef"), n),
        "weight": rng.integers(0, 4, n) / 4,
    }
    return columns, rng.choice(["no", "yes", "maybe"], n), rng.integers(0, 9, n).astype(float)


@pytest.mark.parametrize("seed", range(5))
def test_mixed_tables_are_learned_as_well_as_encoded_ones(seed):
    """Encoded a column for each value, the peer can tell the same rows apart."""
    columns, classes, numbers = mixed(seed)
    encoded = np.stack(
        [columns[name] == v for name in ("colour", "shape") for v in np.unique(columns[name])]
        + [columns["size"], columns["weight"]],
        axis=1,
    ).astype(float)
    table = dt.Table.from_columns({**columns, "y": classes}, target="y")
    theirs = DecisionTreeClassifier(random_state=0).fit(encoded, classes)
    for grower in (dt.id3, dt.cart):  # C4.5 does not single out rows
        assert grower(table).error(table) == pytest.approx(1 - theirs.score(encoded, classes))
    table = dt.Table.from_columns({**columns, "y": numbers}, target="y", target_kind="continuous")
    off = DecisionTreeRegressor(random_state=0).fit(encoded, numbers).predict(encoded) - numbers
    for grower in (dt.id3, dt.cart):
        assert grower(table).error(table) == pytest.approx(np.square(off).mean(), rel=1e-12)
