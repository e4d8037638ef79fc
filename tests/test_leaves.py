"""What one asks of a tree, against counting row by row: shares, leaves and importance."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.tree.tree import Branch, walk

# The row that rests lies far from the others.
RESTING = dt.Table.from_columns(
    {"a": [1, 2, 1, 2, 1, 1], "b": [1, 1, 2, 2, 3, None], "y": [1, 2, 3, 4.5, 5, 60]},
    target="y",
    missing="keep",
    target_kind="continuous",
)
growers = st.sampled_from([dt.id3, dt.c45, dt.cart])


def stopped(tree, table):
    """The table's rows by the node where they stop."""
    nodes = tree.apply(table)
    return {int(n): table.take(np.flatnonzero(nodes == n)) for n in np.unique(nodes)}


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True), growers, st.sampled_from([0, 1, 0.5]))
def test_shares_are_those_of_the_training_rows_at_the_node(table, grow, laplace):
    tree = grow(table, max_depth=2)
    found = tree.shares(table, laplace=laplace)
    for row, shares in zip(table.rows(), found.tolist(), strict=True):
        counts = tree.explain(row).counts
        assert list(counts) == list(tree.classes)
        added = [Fraction(n) + Fraction(laplace) for n in counts.values()]
        assert shares == pytest.approx([float(n / sum(added)) for n in added])


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True), growers)
def test_leaves_of_a_table_hold_its_rows_once_and_tell_their_errors(table, grow):
    tree = grow(table, max_depth=2)
    rows = table.take(np.arange(0, table.n_rows, 2))
    by_node = stopped(tree, rows)
    leaves = tree.leaves(rows)
    assert sum(leaf.rows for leaf in leaves) == rows.n_rows
    for leaf in leaves:
        here = by_node.pop(leaf.node, None)
        assert leaf.rows == (0 if here is None else here.n_rows)
        if here is None:
            assert np.isnan(leaf.error)
            assert not leaf.above
            continue
        assert set(tree.predict(here).tolist()) == {leaf.answer}
        assert leaf.error == tree.error(here)
    assert not by_node
    assert [leaf.node for leaf in tree.leaves() if not leaf.above] == [
        leaf.node for leaf in leaves if not leaf.above
    ]


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True), growers)
def test_the_training_rows_leaves_need_no_table(table, grow):
    tree = grow(table, max_depth=2)
    alone, asked = tree.leaves(), tree.leaves(table)
    assert alone.leaves == asked.leaves
    assert repr(alone).replace("training rows", "rows").split() == repr(asked).split()


@settings(max_examples=40, deadline=None)
@given(number_tables(gaps=True))
def test_of_numbers_the_error_is_the_mean_square(table):
    tree = dt.cart(table, max_depth=2)
    by_node = stopped(tree, table)
    for alone, leaf in zip(tree.leaves(), tree.leaves(table), strict=True):
        assert (alone.node, alone.rows) == (leaf.node, leaf.rows)
        right = by_node[leaf.node].labels
        assert leaf.error == pytest.approx(float(np.square(right - leaf.answer).mean()))
        assert np.isnan(alone.error) if leaf.above else alone.error == pytest.approx(leaf.error)


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True), growers, st.sampled_from(["gini", "entropy"]))
def test_importance_sums_up_what_questions_gain(table, grow, criterion):
    measure = {"gini": dt.gini, "entropy": dt.entropy}[criterion]
    tree = grow(table, criterion=criterion)
    gained = dict.fromkeys(table.names, 0.0)
    for _, node in walk(tree.root):
        if isinstance(node, Branch):
            below = [child.counts for child in node.children]
            here = tuple(np.sum(below, axis=0).tolist())  # others rest, and gain nothing
            gained[table.names[node.split.attribute]] += sum(here) * measure(here) - sum(
                sum(counts) * measure(counts) for counts in below
            )
    total = sum(gained.values())
    worth = tree.importance()
    assert worth.names == table.names
    if total > 1e-6:
        assert worth.values == pytest.approx([gained[name] / total for name in table.names])


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["mean", "vote", "line"]).flatmap(
        lambda leaf: st.tuples(number_tables(gaps=leaf == "mean"), st.just(leaf))
    )
)
@example((RESTING, "mean"))
def test_of_numbers_importance_is_of_the_squares_of_rows_that_go_on(asked):
    table, leaf = asked
    tree = dt.cart(table, leaf=leaf)
    gained = np.zeros(len(table.attributes))
    nodes = {0: table}
    for i in range(tree.n_nodes):
        here, split = nodes[i], tree.flat.split(i, table.attributes)
        if split is None:
            continue
        branch = split.branch(here.columns[split.attribute])
        here, branch = here.take(np.flatnonzero(branch >= 0)), branch[branch >= 0]
        squares = here.n_rows * here.labels.var()
        for b in range(split.n_branches):
            part = here.take(np.flatnonzero(branch == b))
            nodes[int(tree.flat.first[i]) + b] = part
            squares -= part.n_rows * part.labels.var()
        gained[split.attribute] += squares
    if gained.sum() > 1e-6 * max(1.0, float(np.square(table.labels).sum())):
        assert tree.importance().values == pytest.approx(gained / gained.sum(), abs=1e-6)


def test_a_weighted_row_counts_as_often_in_shares_and_leaves():
    columns = {"x": [1, 2, 3, 4], "y": ["a", "b", "b", "a"]}
    weighed = dt.Table.from_columns(columns | {"n": [2, 1, 3, 1]}, target="y", weights="n")
    repeated = {
        name: [v for v, n in zip(c, [2, 1, 3, 1], strict=True) for _ in range(n)]
        for name, c in columns.items()
    }
    rows = dt.Table.from_columns(repeated, target="y")
    one, other = dt.stump(weighed), dt.stump(rows)
    assert one.leaves(weighed).leaves == other.leaves(rows).leaves
    row = {"x": 3}
    assert one.shares(row, laplace=1).tolist() == other.shares(row, laplace=1).tolist()


def test_what_cannot_be_asked_is_said():
    numbers = dt.Table.from_columns({"x": [1, 2], "y": [0.5, 1.5]}, target="y")
    with pytest.raises(ValueError, match="'y' is continuous: a tree of numbers has no classes"):
        dt.cart(numbers).shares(numbers)
    with pytest.raises(ValueError, match="laplace=-1 must be a number, at least 0"):
        dt.id3(dt.datasets.tax_fraud()).shares(dt.datasets.tax_fraud(), laplace=-1)
    with pytest.raises(TypeError, match="a Table or a data frame; got a str"):
        dt.id3(dt.datasets.tax_fraud()).leaves("tax.csv")


def test_leaves_are_a_table_where_they_are_shown():
    table = dt.Table.from_columns(
        {"<b>": ["x", "y", None], "y": ["<i>", "b", "b"]}, target="y", missing="keep"
    )
    leaves = dt.id3(table).leaves(table)
    page = leaves._repr_mimebundle_()["text/html"]
    assert "&lt;b&gt; is missing or another value" in page
    assert "<i>" not in page
    assert repr(leaves).splitlines()[1].split() == ["y", "rows", "share", "wrong", "where"]
    assert len(leaves) == len(list(leaves)) == 3
    assert (leaves[0].above, leaves[0].rows) == (True, 1)
