"""Pruning as the program of C4.5 does it: its limits, its slack, and subtree raising."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables, telling_tables, weights

import dtree_lab as dt
from dtree_lab.tree.subtrees import path_to
from dtree_lab.tree.tree import walk


def noisy():
    """The first word says nothing, the second everything; two of three v's are t's."""
    return dt.Table.from_columns(
        {"w": ["u"] * 12 + ["v"] * 3, "b": list("ttttttffffffttf"), "y": list("yyyyyynnnnnnyyn")},
        target="y",
    )


def test_a_branch_that_does_better_on_all_rows_is_raised():
    table = noisy()
    tree = dt.by_hand(table, {(): "w", (0,): "b"})
    raised = dt.prune.pessimistic(tree, raising=True, table=table)
    assert raised == dt.by_hand(table, {(): "b"})
    # Without: a leaf of 12 is expected to err far more than two of 6, and one of 15 than all.
    assert dt.prune.pessimistic(tree, raising=False) == tree


def test_a_value_that_is_new_to_a_raised_branch_gets_a_leaf():
    """All u's are b or c, a v is an a: J48's empty leaf for a is reached once b is raised."""
    table = dt.Table.from_columns(
        {"w": ["u"] * 12 + ["v"] * 2, "b": list("bbbbbbccccccab"), "y": list("yyyyyynnnnnnyy")},
        target="y",
    )
    tree = dt.by_hand(table, {(): "w", (0,): "b"})
    raised = dt.prune.pessimistic(tree, raising=True, table=table)
    assert raised == dt.by_hand(table, {(): "b"})


def test_limits_are_those_of_a_normal_distribution():
    """Of 1 in 16, worked by hand: z = 0.6745, f = 1.5 / 16, U = 0.15914 / 1.02843."""
    table = dt.Table.from_columns(
        {"x": ["u"] * 6 + ["v"] * 9 + ["w"], "y": ["a"] * 15 + ["b"]}, target="y"
    )
    (cut,) = dt.prune.pessimistic(dt.id3(table), raising=False).cuts
    assert cut.leaf == pytest.approx(16 * 0.15914 / 1.02843, abs=0.001)
    # Without errors they are exact, as in the book (section 4.2).
    assert cut.subtree == pytest.approx(6 * 0.206 + 9 * 0.143 + 0.750, abs=0.01)


def test_below_one_error_limits_lie_between_those_of_none_and_of_one():
    """Of 0.4 in 3.4, by hand: none 1.1384 rows, one 3.4 * 0.61884 = 2.1040, so 0.4 of the way."""
    table = dt.Table.from_columns(
        {"x": ["u", "u", "v"], "y": ["a", "b", "a"]}, target="y", weights=[3, 0.4, 1]
    )
    (cut,) = dt.prune.pessimistic(dt.by_hand(table, {(): "x"}), raising=False).cuts
    assert cut.subtree == pytest.approx(1.1384 + 0.4 * (2.1040 - 1.1384) + 0.75, abs=0.001)


def test_a_leaf_may_be_a_tenth_of_a_row_worse():
    """Three a's, and five b's with four a's: 1.110 and 5.487 against 6.661 for 5 wrong of 12."""
    table = dt.Table.from_columns(
        {"x": ["u"] * 3 + ["v"] * 9, "y": list("aaa" + "bbbbbaaaa")}, target="y"
    )
    (cut,) = dt.prune.pessimistic(dt.id3(table), raising=False).cuts
    assert (cut.subtree, cut.leaf) == (
        pytest.approx(1.110 + 5.487, abs=0.001),
        pytest.approx(6.661, abs=0.001),
    )


@settings(max_examples=150)
@given(
    st.one_of(tables(), tables(gaps=True), telling_tables()),
    st.sampled_from([dt.id3, dt.c45, dt.cart, partial(dt.c45, release=8)]),
    st.data(),
)
def test_nodes_count_the_rows_that_come_and_weights_are_repeated_rows(table, grower, data):
    times = data.draw(weights(len(table)))
    repeated = table.take(np.repeat(np.arange(len(table)), times))
    kept = np.flatnonzero(times)
    weighted = replace(table.take(kept), weights=times[kept].astype(np.int64))
    trees = []
    for rows in (repeated, weighted):
        tree = grower(rows)
        trees.append(dt.prune.pessimistic(tree, raising=True, table=rows))
        assert type(trees[-1]) is dt.Tree
    assert trees[0] == trees[1]
    if trees[0].parts_rows:  # tests/grow/test_parts.py counts these
        return
    stops = [path_to(trees[0].flat, node) for node in trees[0].apply(repeated).tolist()]
    for path, node in walk(trees[0].root):
        come = [i for i, stop in enumerate(stops) if stop[: len(path)] == path]
        assert repeated.take(come).counts().tolist() == list(node.counts)


@pytest.mark.parametrize("other", [None, "fewer"])
def test_raising_asks_for_the_training_rows(other):
    table = noisy()
    rows = table.take(range(14)) if other else None
    with pytest.raises(ValueError, match="the tree's training rows"):
        dt.prune.pessimistic(dt.id3(table), raising=True, table=rows)
