"""The law: the textbook's forest and the fast one grow the same trees, exactly."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from strategies import any_table, number_tables, recipes, stops, tables
from traces import replay, trace

import dtree_lab as dt
from dtree_lab.ensemble import predict
from dtree_lab.ensemble.random_forest import forest_events, random_forest
from dtree_lab.ensemble.settings import ForestSettings
from dtree_lab.ensemble.textbook import Added, Drew, InTree, Sampled, tree_growth
from dtree_lab.grow.engine import discrete, packed
from dtree_lab.grow.engine.grow import Drawing, grow_trees
from dtree_lab.grow.engine.packed import PackedColumns
from dtree_lab.grow.engine.sampling import root_key
from dtree_lab.grow.prepare import measured
from dtree_lab.grow.recipe import recipe
from dtree_lab.grow.textbook import Considered, finish
from dtree_lab.tree.tree import Leaf, flatten, unflatten

# Ways of the fast forest that small tables do not take by themselves.
WAYS = [
    {},
    {"cells": 0},  # no costs from a table
    {"sixty-four": True, "narrow": True},  # wide numbers, narrow blocks
    {"cells": 0, "sixty-four": True, "counting": True, "narrow": True},
    {"counting": True},  # sorted by counting
    {"repacked": True},  # rows drawn more often than there is room for
]


def forced(way):
    """The fast forest made to take a way."""
    stack = ExitStack()
    if way.get("cells") == 0:
        stack.enter_context(patch.object(packed, "digits_base", lambda _: 0))
    if way.get("sixty-four"):
        stack.enter_context(patch.object(packed, "_NARROW", 0))
    if way.get("counting"):
        stack.enter_context(patch.object(packed, "_WIDE", 0))
        stack.enter_context(patch.object(packed, "_BY_COUNTING", 0))
    if way.get("narrow"):
        stack.enter_context(patch.object(packed, "_KEYS_AT_A_TIME", 8))
        stack.enter_context(patch.object(packed, "_FILLED_UP", 0))
        stack.enter_context(patch.object(discrete, "_AT_A_TIME", 8))
        stack.enter_context(patch.object(predict, "_ROWS_AT_A_TIME", 3))
    if way.get("repacked"):
        stack.enter_context(patch.object(packed, "WEIGHT_BITS", 1))
    return stack


def assert_same(one, other):
    assert len(one.trees) == len(other.trees)
    for a, b in zip(one.trees, other.trees, strict=True):
        assert a == b
    assert np.array_equal(one.oob_errors, other.oob_errors, equal_nan=True)
    assert np.array_equal(one.out_of_bag.votes, other.out_of_bag.votes)
    assert np.array_equal(one.out_of_bag.total, other.out_of_bag.total)


SAMPLES = st.sampled_from([None, 1, 0.3, 0.75, 1.0])


@st.composite
def keywords(draw, table, criteria):
    n_attributes = len(table.attributes)
    return {
        "n_trees": draw(st.integers(1, 4)),
        "m": draw(st.integers(1, n_attributes)) if n_attributes else None,
        "criterion": draw(st.sampled_from(criteria)),
        "bootstrap": (bootstrap := draw(st.booleans())),
        "max_samples": draw(SAMPLES) if bootstrap else None,
        "seed": draw(st.integers(0, 9)),
        **vars(draw(stops())),
    }


@settings(max_examples=150, deadline=None)
@given(tables() | tables(gaps=True), st.data(), st.sampled_from(WAYS))
def test_both_engines_grow_the_same_forest(table, data, way):
    asked = data.draw(keywords(table, [None, "gini", "entropy"]))
    with forced(way):
        fast = random_forest(table, **asked)
    assert_same(fast, finish(forest_events(table, **asked)))


@settings(max_examples=100, deadline=None)
@given(number_tables() | number_tables(gaps=True), st.data(), st.sampled_from(WAYS))
def test_both_engines_grow_the_same_regression_forest(table, data, way):
    asked = data.draw(keywords(table, [None]))
    with forced(way):
        fast = random_forest(table, **asked)
    assert_same(fast, finish(forest_events(table, **asked)))


@settings(max_examples=300, deadline=None)
@given(any_table(), recipes(), st.data(), st.sampled_from(WAYS))
def test_both_engines_grow_the_same_trees_by_any_recipe(table, asked, data, way):
    """A forest is CART's; its engine knows all that a recipe can ask for, and gaps, too."""
    if table.target.values is None:
        table, asked = measured(table, asked)
    m = data.draw(st.integers(1, max(len(table.attributes), 1)))
    bootstrap, seed = data.draw(st.booleans()), data.draw(st.integers(0, 9))
    plan = ForestSettings(asked, m, bootstrap, seed)
    assert_same_trees(table, plan, data.draw(st.integers(1, 3)), way)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_row_without_a_value_counts_for_nothing_there(way):
    """Were they counted, "a" would tell more than "b", and its branches would hold other rows."""
    columns = {"a": [1, 1, 1, 2, None, None, None], "b": list("ssttttt"), "y": list("1122221")}
    table = dt.Table.from_columns(columns, target="y", missing="keep")
    plan = ForestSettings(recipe("id3"), m=2, bootstrap=False, seed=0)
    assert_same_trees(table, plan, 1, way)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_many_rows_without_a_value_count_for_nothing_there(way):
    """Were they counted, one side of a cut would have fewer rows than none."""
    draw = Random(40).choices  # noqa: S311
    columns = {name: draw([None, None, 0, 1, 2, 5, 13], k=40) for name in "abc"}
    columns["y"] = draw(["c0", "c1", "c2"], k=40)
    table = dt.Table.from_columns(columns, target="y", missing="keep")
    plan = ForestSettings(recipe("cart"), m=2, bootstrap=True, seed=3)
    assert_same_trees(table, plan, 2, way)


def assert_same_trees(table, plan, n_trees, way):
    """A forest's trees are those that the textbook grows."""
    trees = range(n_trees)
    times = plan.times(trees, len(table))
    with forced(way):
        drawing = Drawing(plan.m, root_key(plan.seed, trees))
        fast = grow_trees(table, PackedColumns.of(table), plan.recipe, times, drawing)
    for t in trees:
        sample = table.take(plan.rows(t, len(table)))
        assert flatten(finish(tree_growth(sample, plan, t)), table.attributes) == fast[t]


def test_a_branch_may_hold_as_many_rows_as_asked_for_and_no_fewer():
    table = dt.Table.from_columns({"x": [1, 2, 3, 4], "y": list("aabb")}, target="y")
    n_leaves = [
        random_forest(table, n_trees=1, m=1, bootstrap=False, min_leaf=least).trees[0].n_leaves
        for least in (1, 2, 3)
    ]
    assert n_leaves == [2, 2, 1]


@settings(max_examples=60, deadline=None)
@given(st.one_of(tables(), number_tables()), st.data())
def test_every_leaf_holds_as_many_rows_as_asked_for(table, data):
    """Rows that a sample holds twice count twice."""
    asked = data.draw(keywords(table, [None])) | {"min_leaf": data.draw(st.integers(2, 6))}
    for tree in random_forest(table, **asked).trees:
        assert all(
            sum(leaf.counts) >= asked["min_leaf"] for leaf in leaves_of(tree) if tree.n_leaves > 1
        )


def leaves_of(tree):
    """The leaves of a tree."""
    open_nodes = [tree.root]
    while open_nodes:
        node = open_nodes.pop()
        if isinstance(node, Leaf):
            yield node
        else:
            open_nodes += node.children


def real(load, kinds=None, rows=120):
    data = load()
    some = np.random.default_rng(0).permutation(len(data.target))[:rows]  # the slow one is slow
    columns = {f"x{i}": data.data[some, i] for i in range(data.data.shape[1])}
    return dt.Table.from_columns({**columns, "y": data.target[some]}, target="y", kinds=kinds)


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_both_engines_agree_on_real_tables(load, criterion):
    table = real(load, {"y": "discrete"})
    for limits in ({}, {"max_leaves": 7}):
        asked = {"n_trees": 2, "criterion": criterion, "seed": 1, **limits}
        assert_same(random_forest(table, **asked), finish(forest_events(table, **asked)))


def test_both_engines_agree_on_real_numbers():
    table = real(load_diabetes)
    asked = {"n_trees": 2, "seed": 1}
    assert_same(random_forest(table, **asked), finish(forest_events(table, **asked)))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_both_engines_agree_on_wide_nodes(criterion):
    """Enough rows for blocks that are sorted by counting, and costs that no table holds."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(1500, 3))
    y = (x[:, 0] * x[:, 1] + rng.normal(size=1500) > 0).astype(int)
    columns = {f"x{i}": x[:, i] for i in range(3)}
    table = dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": "discrete"})
    asked = {"n_trees": 1, "criterion": criterion, "max_depth": 4, "m": 2}
    assert_same(random_forest(table, **asked), finish(forest_events(table, **asked)))


@pytest.mark.parametrize("n_jobs", [1, 2, 3, -1, None])
def test_the_number_of_jobs_and_the_size_of_batches_change_nothing(n_jobs):
    table = real(load_wine, {"y": "discrete"})
    whole = random_forest(table, n_trees=10, seed=5, n_jobs=1)
    with patch.object(predict, "_ROWS_IN_STEP", 300):
        assert_same(random_forest(table, n_trees=10, seed=5, n_jobs=n_jobs), whole)


def test_every_tree_is_in_one_batch():
    for n_trees in (1, 2, 7, 100):
        for n_rows in (1, 1000, 10**6):
            for jobs in (1, 2, 5):
                made = predict.batches(n_trees, n_rows, jobs)
                assert [t for trees in made for t in trees] == list(range(n_trees))
                assert all(made)


@settings(max_examples=40, deadline=None)
@given(tables(max_rows=15), st.integers(0, 5))
def test_a_trace_tells_the_whole_forest(table, seed):
    events, forest = trace(forest_events(table, n_trees=2, seed=seed))
    kinds = (Sampled, Drew, InTree, Added)
    assert all(isinstance(event, kinds) for event in events)
    for t, tree in enumerate(forest.trees):
        (sampled,) = (e for e in events if isinstance(e, Sampled) and e.tree == t)
        times = np.bincount(sampled.rows, minlength=len(table))
        assert np.array_equal(times, forest.rows_drawn(t))
        assert sampled.out_of_bag == tuple(np.flatnonzero(times == 0).tolist())
        told = [e.event for e in events if isinstance(e, InTree) and e.tree == t]
        assert replay(told) == unflatten(tree.flat, table.attributes)
        (added,) = (e for e in events if isinstance(e, Added) and e.tree == t)
        assert added.n_leaves == tree.n_leaves
        assert np.array_equal(added.oob_error, forest.oob_errors[t], equal_nan=True)


@settings(max_examples=60, deadline=None)
@given(tables(), st.data())
def test_a_node_draws_m_attributes_and_more_only_if_none_can_split(table, data):
    m = data.draw(st.integers(1, max(len(table.attributes), 1))) if table.attributes else None
    events, _ = trace(forest_events(table, n_trees=1, m=m))
    drawn = {e.path: e.attributes for e in events if isinstance(e, Drew)}
    for event in (e.event for e in events if isinstance(e, InTree)):
        if isinstance(event, Considered) and event.path in drawn:
            mine, could = drawn[event.path], [c.split.attribute for c in event.candidates]
            assert len(set(mine)) == len(mine)
            assert set(could) <= set(mine)
            if len(mine) == m:
                assert could or m == len(table.attributes)
            else:  # one by one, until the first that can split, or to the end
                assert len(mine) > m
                assert could == [mine[-1]] or (not could and len(mine) == len(table.attributes))
            assert could == sorted(could)


@pytest.mark.parametrize("kind", ["discrete", "continuous"])
def test_an_estimate_never_hides_the_cheapest_cut(kind):
    """Cuts of large nodes are estimated: many that tie, or nearly, are told apart."""
    rng = np.random.default_rng(0)
    for seed in range(6):
        x = np.arange(2000.0)
        y = (np.arange(2000) // 10 % 2) ^ (rng.random(2000) < 0.02 * seed)
        table = dt.Table.from_columns({"x": x, "y": y}, target="y", kinds={"y": kind})
        asked = {"n_trees": 1, "bootstrap": False, "max_depth": 2}
        assert_same(random_forest(table, **asked), finish(forest_events(table, **asked)))


def test_of_two_equal_cuts_through_numbers_the_lower_is_made():
    """Numbers that read the same from both ends: the cut from either end costs the same."""
    rng = np.random.default_rng(1)
    for n in range(5, 45):
        half = rng.integers(0, 9, n)
        y = np.concatenate([half, half[::-1]]).astype(float)
        table = dt.Table.from_columns(
            {"x": np.arange(2.0 * n), "y": y}, target="y", target_kind="continuous"
        )
        forest = random_forest(table, n_trees=1, bootstrap=False, max_depth=1)
        assert forest.trees[0] == dt.cart(table, max_depth=1)
        assert forest.trees[0].flat.attr[0] < 0 or forest.trees[0].flat.cuts[0] < n


@pytest.mark.parametrize("m", [1, 2, 3])
def test_a_split_without_gain_is_made(m):
    """Parity: no single attribute tells anything, and yet fully grown trees make no mistake."""
    table = dt.datasets.truth_table("xor", 3)
    asked = {"n_trees": 5, "bootstrap": False, "m": m}
    forest = random_forest(table, **asked)
    assert forest.error(table) == 0
    assert all(tree.n_leaves == 8 for tree in forest.trees)
    assert_same(forest, finish(forest_events(table, **asked)))


def test_ties_go_to_the_first_attribute_whatever_the_order_of_drawing():
    """Equal columns: whichever is drawn first, the lower of the two drawn is asked."""
    column = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    table = dt.Table.from_columns({"a": column, "b": column, "y": list("001101")}, target="y")
    forest = random_forest(table, n_trees=20, m=2)
    assert all(set(tree.flat.attr.tolist()) <= {0, -1} for tree in forest.trees)
