"""Cost-complexity: against all prunings in exact fractions, and against scikit-learn."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier
from strategies import tables

import dtree_lab as dt
from dtree_lab.tree.splits import threshold
from dtree_lab.tree.tree import Branch, Leaf


def all_prunings(node):
    """Every tree that some cuts leave."""
    found = [Leaf(node.counts)]
    if isinstance(node, Branch):
        several = product(*map(all_prunings, node.children))
        found.extend(Branch(node.counts, node.split, children) for children in several)
    return found


def leaves(node):
    if isinstance(node, Leaf):
        return [node.counts]
    return [counts for child in node.children for counts in leaves(child)]


def cost(node, measure):
    """R(T) of all rows together, as a fraction."""
    if measure == "error":
        return Fraction(sum(sum(counts) - max(counts) for counts in leaves(node)))
    return sum(
        sum(counts) - Fraction(sum(c * c for c in counts), sum(counts)) for counts in leaves(node)
    )


def weakest_links(root, measure):
    """The book's definition in fractions: prices and trees, cut by cut and never fast."""
    rows, steps = sum(root.counts), []
    while isinstance(root, Branch):
        links = {}

        def visit(node, path, links=links):
            if isinstance(node, Branch):
                rise = cost(Leaf(node.counts), measure) - cost(node, measure)
                links[path] = rise / (len(leaves(node)) - 1) / rows
                for i, child in enumerate(node.children):
                    visit(child, (*path, i))

        visit(root, ())
        weakest = min(links.values())

        def cut(node, path, weakest=weakest, links=links):
            if isinstance(node, Leaf) or links[path] == weakest:
                return Leaf(node.counts)
            children = [cut(child, (*path, i)) for i, child in enumerate(node.children)]
            return Branch(node.counts, node.split, tuple(children))

        root = cut(root, ())
        if steps and steps[-1][0] == weakest:
            steps.pop()
        steps.append((weakest, root))
    return steps


small_trees = st.builds(
    lambda table, grower, most: grower(table, max_leaves=most),
    tables(max_rows=20),
    st.sampled_from([dt.id3, dt.cart]),
    st.integers(1, 7),
)


@settings(max_examples=150)
@given(small_trees, st.sampled_from(["error", "gini"]))
def test_the_path_is_that_of_the_book_in_fractions(tree, measure):
    path = dt.prune.cost_complexity_path(tree, measure=measure)
    expected = [(Fraction(0), tree.root), *weakest_links(tree.root, measure)]
    if len(expected) > 1 and expected[1][0] == 0:
        del expected[0]
    assert [path[k].root for k in range(len(path))] == [root for _, root in expected]
    np.testing.assert_allclose(path.alphas, [float(price) for price, _ in expected], atol=1e-9)
    rows = sum(tree.root.counts)
    costs = [float(cost(root, measure) / rows) for _, root in expected]
    np.testing.assert_allclose(path.costs, costs, atol=1e-9)
    assert path.n_leaves.tolist() == [len(leaves(root)) for _, root in expected]


def test_links_that_are_equal_on_paper_give_together():
    """Gini costs 4/3 rows for (1, 2) with one leaf to save, and 8/3 for (4, 2) with two.

    In binary neither is exact, and they round differently. The root costs 9 - 25/9 with four
    leaves to save, which is more for each.
    """
    leaves = {"F1": "A", "F2": "BB", "T1": "CC", "T2": "CC", "T3": "DD"}
    rows = [(*where, label) for where, labels in leaves.items() for label in labels]
    table = dt.Table.from_rows(rows, target="y", names=["a", "c", "y"])
    tree = dt.by_hand(table, {(): "a", (0,): "c", (1,): "c"})
    path = dt.prune.cost_complexity_path(tree, measure="gini")
    assert path.n_leaves.tolist() == [5, 2, 1]
    assert path.alphas[1] == pytest.approx(4 / 3 / 9)


@settings(max_examples=100)
@given(small_trees)
def test_each_is_the_smallest_of_the_cheapest_of_all_prunings(tree):
    """At each price and between them, with all prunings counted out in fractions."""
    prices = [price for price, _ in weakest_links(tree.root, "error")]
    between = [(a + b) / 2 for a, b in pairwise([Fraction(0), *prices, Fraction(1)])]
    rows = sum(tree.root.counts)
    candidates = all_prunings(tree.root)
    for alpha in [Fraction(0), *between]:
        best = min(
            candidates,
            key=lambda root: (
                cost(root, "error") / rows + alpha * len(leaves(root)),
                len(leaves(root)),
            ),
        )
        assert dt.prune.cost_complexity(tree, float(alpha)).root == best


@settings(max_examples=100)
@given(small_trees, st.sampled_from(["error", "gini", "entropy"]))
def test_laws(tree, measure):
    path = dt.prune.cost_complexity_path(tree, measure=measure)
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert path[len(path) - 1].n_nodes == 1
    for k, alpha in enumerate(path.alphas.tolist()):
        assert path[k] == dt.prune.cost_complexity(tree, alpha, measure=measure)
        assert path.at(alpha) == k
        assert len(path[k].cuts) == path.n_cuts[k]
    for before, after in pairwise(range(len(path))):
        kept = {cut.path for cut in path[before].cuts}
        assert kept < {cut.path for cut in path[after].cuts}


@settings(max_examples=60)
@given(tables(max_rows=24).filter(lambda t: len(t) > 2), st.sampled_from(["error", "gini"]))
def test_errors_are_those_of_each_tree(table, measure):
    half = len(table) // 2
    path = dt.prune.cost_complexity_path(dt.id3(table.take(range(half))), measure=measure)
    rows = table.take(range(half, len(table)))
    errors = [path[k].error(rows) for k in range(len(path))]
    assert path.errors(rows).tolist() == errors
    best = max(k for k, error in enumerate(errors) if error == min(errors))
    assert path.best(rows) == path.alphas[best]


def from_sklearn(model, table):
    """The same tree, node by node; pruning asks for its shape and counts only."""
    t = model.tree_
    counts = np.rint(t.value[:, 0, :] * t.n_node_samples[:, None]).astype(int)

    def build(i):
        here = tuple(counts[i].tolist())
        if t.children_left[i] < 0:
            return Leaf(here)
        cut = threshold(int(t.feature[i]), np.nextafter(t.threshold[i], np.inf))
        return Branch(here, cut, (build(t.children_left[i]), build(t.children_right[i])))

    return dt.Tree.of(table, build(0))


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_scikit_learn_has_the_same_path(load, criterion):
    data = load()
    columns = {f"x{i}": data.data[:, i] for i in range(data.data.shape[1])}
    table = dt.Table.from_columns(
        {**columns, "y": data.target}, target="y", kinds={"y": "discrete"}
    )
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    theirs = model.cost_complexity_pruning_path(data.data, data.target)
    tree = from_sklearn(model.fit(data.data, data.target), table)
    ours = dt.prune.cost_complexity_path(tree, measure=criterion)
    for alpha in theirs.ccp_alphas:
        assert np.abs(ours.alphas - alpha).min() < 1e-9
    for alpha in ours.alphas:
        assert np.abs(theirs.ccp_alphas - alpha).min() < 1e-9
    middles = (ours.alphas[:-1] + ours.alphas[1:]) / 2
    last = np.searchsorted(theirs.ccp_alphas, middles, side="right") - 1
    np.testing.assert_allclose(theirs.impurities[last], ours.costs[:-1], atol=1e-9)
    for k in range(0, len(middles), max(len(middles) // 4, 1)):
        pruned = DecisionTreeClassifier(
            criterion=criterion, random_state=0, ccp_alpha=float(middles[k])
        ).fit(data.data, data.target)
        assert pruned.get_n_leaves() == ours[k].n_leaves


def test_rounds_are_told():
    """Tax fraud: three leaves saved for three wrong rows of ten, so each is worth a tenth."""
    tree = dt.cart(dt.datasets.tax_fraud())
    measured, cut, _, end = dt.steps(dt.prune.cost_complexity, tree, 0.1)
    assert min(c.strength for c in measured.candidates) == pytest.approx(0.1)
    assert (cut.cut.path, cut.cut.n_leaves, end.n_cuts) == ((), 4, 1)


@pytest.mark.parametrize("alpha", [-0.1, float("nan"), True, "0.1", None])
def test_a_price_must_be_a_number_of_at_least_0(alpha):
    with pytest.raises(ValueError, match="alpha="):
        dt.prune.cost_complexity(dt.id3(dt.datasets.tax_fraud()), alpha)


def test_what_it_does_not_take():
    tree = dt.id3(dt.datasets.tax_fraud())
    with pytest.raises(ValueError, match="measure='mse' must be one of 'error', 'entropy', 'gini'"):
        dt.prune.cost_complexity_path(tree, measure="mse")
    with pytest.raises(TypeError, match=r"tree must be a dt\.Tree"):
        dt.prune.cost_complexity_path(dt.datasets.tax_fraud())


def test_choose_alpha_is_the_slow_way_round():
    """Each fold: grow on the rest, prune at the geometric middles, count the wrong rows."""
    rng = np.random.default_rng(1)
    x, flipped = rng.random((120, 2)), rng.random(120) < 0.25
    label = np.where((x[:, 0] > 0.5) ^ flipped, "yes", "no")
    noisy = dt.Table.from_columns({"a": x[:, 0], "b": x[:, 1], "y": label}, target="y")
    choice = dt.prune.choose_alpha(dt.cart, noisy, folds=4, seed=2)
    prices = dt.prune.cost_complexity_path(dt.cart(noisy)).alphas
    assert choice.values == tuple(prices.tolist())
    middles = [*np.sqrt(prices[:-1] * prices[1:]).tolist(), float("inf")]

    for k, alpha in enumerate(middles):

        def grow(rows, alpha=alpha):
            return dt.prune.cost_complexity(dt.cart(rows), alpha)

        again = dt.evaluate.cross_validate(grow, noisy, 4, seed=2)
        assert choice.errors[k] == pytest.approx(again.mean)
        assert choice.standard_errors[k] == pytest.approx(again.standard_error)
    lowest = min(choice.errors)
    assert choice.errors[choice.values.index(choice.value)] == pytest.approx(lowest)
