"""The order in which links give, replayed cut by cut: each time the weakest of all goes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.prune.reduced import SubtreeErrors
from dtree_lab.prune.weakest_link import Links, weakest_first

trees = st.builds(
    lambda table, grower: grower(table), tables(max_rows=60), st.sampled_from([dt.id3, dt.cart])
)


def strengths(standing):
    """Of each node that asks, as a fraction of whole numbers."""
    return {
        node: Fraction(
            int(standing.as_leaf[node]) - int(standing.below[node]), int(standing.leaves[node]) - 1
        )
        for node in np.flatnonzero(standing.asks).tolist()
    }


@settings(max_examples=150)
@given(trees)
def test_the_weakest_link_gives_each_time(tree):
    """Counted in wrong rows: the first breadth first among equals, down to the root."""
    links = weakest_first(tree, "error")
    standing, rows = links.standing, sum(tree.root.counts)
    for i, node in enumerate(links.node.tolist()):
        links_now = strengths(standing)
        weakest = min(links_now.values())
        assert node == min(n for n, strength in links_now.items() if strength == weakest)
        assert links.price[i] == float(weakest) / rows
        assert links.fewer[i] == standing.leaves[node] - 1
        assert links.rise[i] == standing.as_leaf[node] - standing.below[node]
        standing.cut(node)
    assert not standing.asks.any()


@settings(max_examples=100)
@given(trees, st.sampled_from(["gini", "entropy"]))
def test_impurities_give_in_order_up_to_rounding(tree, measure):
    links = weakest_first(tree, measure)
    standing, near = links.standing, links.standing.per * 1e-8
    for i, node in enumerate(links.node.tolist()):
        links_now = strengths(standing)
        assert links_now[node] <= min(links_now.values()) + near
        assert abs(links.price[i] * standing.per - max(links_now[node], 0)) <= near
        standing.cut(node)
    assert not standing.asks.any()
    assert (np.diff(links.price) >= 0).all()


@settings(max_examples=100)
@given(trees, st.sampled_from(["error", "gini"]))
def test_cuts_are_what_stood_there(tree, measure):
    links = weakest_first(tree, measure)
    cuts = links.cuts
    for node, cut in zip(links.node.tolist(), cuts, strict=True):
        assert cut == links.standing.candidate(node)
        links.standing.cut(node)


@settings(max_examples=100)
@given(trees, st.integers(0, 1 << 32))
def test_what_each_cut_changes_about_other_costs(tree, seed):
    """Any costs of the nodes, with some that inner nodes have of their own."""
    rng = np.random.default_rng(seed)
    as_leaf, own = rng.integers(0, 50, (2, tree.n_nodes))
    other = SubtreeErrors(tree.flat, as_leaf, own)
    links = weakest_first(tree, "error")
    for node, change in zip(links.node.tolist(), links.changes(other).tolist(), strict=True):
        before = other.cost
        other.cut(node)
        assert other.cost - before == change


def test_by_hand():
    """XOR, each row twice. As leaves the lower nodes get 2 wrong for one leaf more: 2 each.

    The root as a leaf gets 4 wrong for three leaves more, 4/3 each, so it gives first.
    """
    table = dt.datasets.truth_table("xor", 2)
    twice = table.take([0, 0, 1, 1, 2, 2, 3, 3])
    links = weakest_first(dt.id3(twice), "error")
    assert links.node.tolist() == [0]
    assert links.price.tolist() == [pytest.approx(4 / 3 / 8)]
    assert (links.rise.tolist(), links.fewer.tolist()) == ([4], [3])


def test_a_leaf_has_no_link():
    links = weakest_first(dt.id3(dt.datasets.tax_fraud(), max_leaves=1), "error")
    assert (len(links.node), links.cuts, links.changes(links.standing).tolist()) == (0, (), [])


@settings(max_examples=100)
@given(trees, st.integers(0, 1 << 32))
def test_rounding_never_brings_a_cut_before_those_below_it(tree, seed):
    """Costs beyond what a float holds exactly, all links worth nearly the same."""
    rng = np.random.default_rng(seed)
    leaves = SubtreeErrors(tree.flat, np.zeros(tree.n_nodes, dtype=np.int64)).leaves
    as_leaf = (2 * leaves - 1) * ((1 << 57) // 3) + rng.integers(-9, 10, tree.n_nodes)
    standing = SubtreeErrors(tree.flat, as_leaf)
    for node in Links.of(standing, same=0).node.tolist():
        assert standing.asks[node]
        standing.cut(node)
    assert not standing.asks.any()


@settings(max_examples=50)
@given(tables(max_rows=30), st.sampled_from([0.0, 0.05, 1.0]))
def test_the_rounds_are_those_of_the_tree(table, alpha):
    """What is told round by round: the cuts, and the training error of the tree after each."""
    tree = dt.id3(table)
    pruned = dt.prune.cost_complexity(tree, alpha)
    events = dt.steps(dt.prune.cost_complexity, tree, alpha)
    told = [event for event in events if isinstance(event, dt.prune.Pruned)]
    assert tuple(event.cut for event in told) == pruned.cuts
    for n, event in enumerate(told):
        assert event.before == pytest.approx(pruned.after(n).error(table))
        assert event.after == pytest.approx(pruned.after(n + 1).error(table))
