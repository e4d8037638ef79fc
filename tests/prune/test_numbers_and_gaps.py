"""Pruning regression trees, and trees whose training rows may rest above the leaves."""

from __future__ import annotations

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeRegressor
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.prune.pruned import Cut, pruned
from dtree_lab.tree.subtrees import errors_on, path_to


def cut_at(tree, nodes):
    """The tree with some nodes made leaves, by number."""
    return pruned(tree, tuple(Cut(path_to(tree.flat, i), 0, 0, 0) for i in nodes))


def prunings(tree):
    """Every set of internal nodes of a small tree, as cuts."""
    inner = np.flatnonzero(tree.flat.attr >= 0).tolist()
    return chain.from_iterable(combinations(inner, n) for n in range(len(inner) + 1))


@st.composite
def grown(draw, some):
    """A small tree and rows to prune it by, of one table, some with gaps."""
    table = draw(some)
    grower = draw(st.sampled_from([dt.id3, dt.cart]))
    tree = grower(table.take(range(0, len(table), 2)), max_depth=draw(st.sampled_from([2, 4])))
    return tree, table.take(range(len(table) // 2, len(table)))


@settings(max_examples=60)
@given(grown(number_tables(gaps=True)))
def test_squared_errors_are_those_of_the_tree_cut_there(made):
    tree, rows = made
    as_leaf, own = errors_on(tree, rows)
    # Walked slowly: each row, at each node that it passes.
    slow_leaf, slow_own = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for r, y in enumerate(rows.labels):
        node = int(tree.apply(rows.take([r]))[0])
        slow_own[node] += (tree.flat.values[node, 0] - y) ** 2
        while node >= 0:
            slow_leaf[node] += (tree.flat.values[node, 0] - y) ** 2
            node = int(tree.flat.parent[node])
    assert as_leaf == pytest.approx(slow_leaf, rel=1e-9, abs=1e-9 * slow_leaf.max(initial=0))
    assert own == pytest.approx(slow_own, rel=1e-9, abs=1e-9 * slow_leaf.max(initial=0))


@settings(max_examples=60)
@given(st.one_of(grown(number_tables(gaps=True)), grown(tables(gaps=True))))
def test_each_round_of_reduced_error_takes_the_best_cut(made):
    """Brute force: of all nodes that still ask, none reduces the error more; and no more does."""
    tree, rows = made
    found = dt.prune.reduced_error(tree, rows)
    done: list[int] = []
    slack = 1e-9 * (1 + float(np.square(rows.labels.astype(float)).mean()))
    numbers = {path_to(tree.flat, i): i for i in range(tree.n_nodes)}
    for cut in (*found.cuts, None):
        standing = cut_at(tree, done)
        paths = {path_to(standing.flat, i) for i in np.flatnonzero(standing.flat.attr >= 0)}
        now = standing.error(rows)
        each = {path: now - cut_at(tree, [*done, numbers[path]]).error(rows) for path in paths}
        if cut is None:
            assert max(each.values(), default=0) <= slack
        else:
            assert each[cut.path] >= max(each.values()) - slack
            done.append(numbers[cut.path])
    assert found.error(rows) <= tree.error(rows) + slack


@settings(max_examples=60)
@given(grown(tables(gaps=True)), st.sampled_from([0.0, 0.02, 0.1, 0.3]))
def test_cost_complexity_is_the_best_of_all_prunings_with_gaps(made, alpha):
    """The training error is that of all rows, also of those that rest above the leaves."""
    tree, _ = made
    training = int(tree.flat.counts[0].sum())

    def wrong(pruning):
        """Rows at each node, less those below it, less the majority's share of them."""
        flat = pruning.flat
        below = np.zeros_like(flat.counts)
        np.add.at(below, flat.parent[1:], flat.counts[1:])
        stopped = flat.counts - below
        return sum(
            int(stopped[i].sum() - stopped[i, flat.counts[i].argmax()]) for i in range(flat.n_nodes)
        )

    def price(pruning):
        return wrong(pruning) / training + alpha * pruning.n_leaves

    if np.count_nonzero(tree.flat.attr >= 0) <= 6:
        least = min(price(cut_at(tree, nodes)) for nodes in prunings(tree))
        assert price(dt.prune.cost_complexity(tree, alpha)) == pytest.approx(least, abs=1e-9)


def test_the_path_of_a_regression_tree_is_the_peers():
    data = load_diabetes()
    columns = {f"x{i}": data.data[:, i] for i in range(data.data.shape[1])}
    table = dt.Table.from_columns({**columns, "y": data.target}, target="y")
    path = dt.prune.cost_complexity_path(dt.cart(table, max_depth=4), measure="variance")
    model = DecisionTreeRegressor(max_depth=4, random_state=0)
    theirs = model.cost_complexity_pruning_path(data.data, data.target)
    assert path.alphas == pytest.approx(theirs.ccp_alphas, rel=1e-6, abs=1e-6)
    assert path.costs == pytest.approx(theirs.impurities, rel=1e-6)


def test_growing_until_the_squared_error_is_low_enough():
    x = [float(i) for i in range(16)]
    table = dt.Table.from_columns(
        {"x": x, "y": [i // 4 * 10.0 for i in range(16)]}, target="y", target_kind="continuous"
    )
    # As one leaf: variance of 0, 10, 20, 30 is 125. Halved: that of two neighbours, 25. Then 0.
    sizes = {
        limit: dt.prune.grow_until(dt.cart, table, table, max_error=limit).n_leaves
        for limit in (125, 124, 25, 0)
    }
    assert sizes == {125: 1, 124: 2, 25: 2, 0: 4}
    with pytest.raises(ValueError, match=r"max_error=-1 must be a mean squared error"):
        dt.prune.grow_until(dt.cart, table, table, max_error=-1)


def test_what_does_not_suit_numbers():
    table = dt.Table.from_columns({"x": [1, 2, None], "y": [1.0, 2, 3]}, "y", missing="keep")
    tree = dt.cart(table)
    with pytest.raises(ValueError, match=r"predicts 'y', a number; pessimistic pruning counts"):
        dt.prune.pessimistic(tree)
    with pytest.raises(ValueError, match=r"measure='gini' must be 'error' or 'variance'"):
        dt.prune.cost_complexity(tree, 1, measure="gini")
    with pytest.raises(ValueError, match=r"some training rows .* rest above its leaves"):
        dt.prune.cost_complexity(tree, 1)
