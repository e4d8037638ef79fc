"""Pessimistic pruning: the book's numbers, the defining equation, SciPy, and a slow recursion."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from strategies import recipes, tables

import dtree_lab as dt
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.tree.tree import Branch, Leaf

factors = st.sampled_from([0.5, 0.25, 0.1, 0.01, 1e-6])


def test_the_numbers_of_the_book():
    """Quinlan (1993), 4.2: U25%(0,6) = 0.206, U25%(0,9) = 0.143, U25%(0,1) = 0.750."""
    said = [round(dt.prune.upper_limit(0, n), 3) for n in (6, 9, 1)]
    assert said == [0.206, 0.143, 0.75]


@settings(max_examples=200)
@given(st.integers(1, 40), st.data(), factors)
def test_the_limit_solves_its_equation(rows, data, cf):
    errors = data.draw(st.integers(0, rows - 1))
    p = Fraction(dt.prune.upper_limit(errors, rows, cf))
    chance = sum(comb(rows, i) * p**i * (1 - p) ** (rows - i) for i in range(errors + 1))
    assert float(chance) == pytest.approx(cf, rel=1e-9)
    assert errors / rows <= p < 1


@settings(max_examples=200)
@given(st.integers(1, 500_000), st.data(), factors)
def test_scipy_agrees(rows, data, cf):
    errors = data.draw(st.integers(0, rows))
    expected = 1.0 if errors == rows else beta.ppf(1 - cf, errors + 1, rows - errors)
    assert dt.prune.upper_limit(errors, rows, cf) == pytest.approx(expected, rel=1e-8)


BITS = 80


@cache
def exact_limit(wrong, rows, cf):
    """The limit, cut after 80 binary digits, by whole numbers alone."""
    asked, low, high = Fraction(cf), 0, 2**BITS
    while high - low > 1:
        p = (low + high) // 2
        chance = sum(comb(rows, i) * p**i * (2**BITS - p) ** (rows - i) for i in range(wrong + 1))
        if chance * asked.denominator > asked.numerator << (BITS * rows):
            low = p
        else:
            high = p
    return Fraction(high, 2**BITS)


def expected_errors(counts, cf):
    rows = sum(counts)
    return rows * exact_limit(rows - max(counts), rows, cf) if rows else Fraction(0)


def slowly_pruned(node, cf):
    """A node after pruning, and what it is expected to get wrong."""
    as_leaf = expected_errors(node.counts, cf)
    if isinstance(node, Leaf):
        return node, as_leaf
    children, below = zip(*(slowly_pruned(child, cf) for child in node.children), strict=True)
    if as_leaf - sum(below) < Fraction(1, 2**64):  # no two costs that differ are that near
        return Leaf(node.counts), as_leaf
    return Branch(node.counts, node.split, children), sum(below)


def is_pruned_as_the_recursion_prunes(tree, cf):
    root, cost = slowly_pruned(tree.root, cf)
    pruned = dt.prune.pessimistic(tree, cf)
    assert pruned.root == root
    events = dt.steps(dt.prune.pessimistic, tree, cf)
    assert events[-1].cost == pytest.approx(float(cost))
    assert events[-1].n_cuts == len(pruned.cuts)
    # From the leaves up: a later cut is never inside an earlier one.
    paths = [cut.path for cut in pruned.cuts]
    assert not any(b[: len(a)] == a for i, a in enumerate(paths) for b in paths[i + 1 :])


@settings(max_examples=150)
@given(
    tables(max_rows=40, max_classes=3),
    recipes(),
    factors | st.floats(1e-6, 0.5),
)
def test_pruning_is_that_of_the_recursion(table, asked, cf):
    tree = dt.Tree(table.attributes, table.target, grow_tree(table, asked))
    is_pruned_as_the_recursion_prunes(tree, cf)


@settings(max_examples=150)
@given(
    st.lists(
        st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any), min_size=2, max_size=6
    )
)
@example([[1, 1, 0], [0, 1, 1]])
@example([[3, 0, 0], [1, 1, 1], [0, 1, 0]])  # 3 (1 - U(2, 3)) + 3 U(2, 3) + 1/2 is 7 U(3, 7)
def test_at_one_half_ties_are_cut(groups):
    """A leaf for each group: many medians are halves, or make a whole together."""
    rows = [
        (f"g{i}", label)
        for i, group in enumerate(groups)
        for label, n in zip("abc", group, strict=True)
        for _ in range(n)
    ]
    table = dt.Table.from_rows(rows, target="y", names=["g", "y"])
    is_pruned_as_the_recursion_prunes(dt.by_hand(table, {(): "g"}), 0.5)


def test_three_medians_are_as_bad_as_one():
    """The root's 9 U(4, 9) is 4.5, and so are its three leaves' 3 U(1, 3)."""
    columns = {"a": [5, 1, 6, 3, 4, 0, 2, 7, 8], "y": [*"111133333"]}
    tree = dt.id3(dt.Table.from_columns(columns, target="y"), min_leaf=3)
    assert tree.n_leaves == 3
    assert dt.prune.pessimistic(tree, 0.5).n_leaves == 1


def votes():
    """The book's subtree: 6, 9 and 1 rows, all of one class but the last."""
    rows = [("n", "democrat")] * 6 + [("y", "democrat")] * 9 + [("u", "republican")]
    return dt.Table.from_rows(rows, target="party", names=["education spending", "party"])


def test_the_subtree_of_the_book():
    """Its leaves are expected to err 6 U(0,6) + 9 U(0,9) + U(0,1) = 3.273 times, a leaf fewer."""
    tree = dt.id3(votes())
    _, cut, _, end = dt.steps(dt.prune.pessimistic, tree)
    below = 6 * (1 - 0.25 ** (1 / 6)) + 9 * (1 - 0.25 ** (1 / 9)) + 0.75
    assert cut.cut.subtree == pytest.approx(below)
    assert round(below, 3) == 3.273
    # The book's program approximates 16 U(1,16) as 2.512; the exact limit gives 2.554.
    assert 2.512 < cut.cut.leaf < 2.56
    assert end.n_cuts == 1
    assert dt.prune.pessimistic(tree).n_nodes == 1


def test_a_subtree_that_is_expected_to_err_as_often_as_a_leaf_is_cut():
    """All rows take one branch: its leaf is expected to err as often as one in its place."""
    data = json.loads(dt.id3(votes()).to_json())
    one, *others = data["nodes"][1:]
    one["counts"] = data["nodes"][0]["counts"]
    for other in others:
        other["counts"] = [0, 0]
    tree = dt.Tree.from_json(json.dumps(data))
    assert tree.n_nodes == 4
    assert dt.prune.pessimistic(tree).n_nodes == 1


@pytest.mark.parametrize("cf", [0, -0.1, 0.6, 1, float("nan"), True, "0.25"])
def test_the_factor_is_checked(cf):
    with pytest.raises(ValueError, match="cf="):
        dt.prune.pessimistic(dt.id3(votes()), cf)
    with pytest.raises(ValueError, match="cf="):
        dt.prune.upper_limit(1, 2, cf)


def test_counts_are_checked():
    for errors, rows in ((-1, 2), (3, 2), (0, 0)):
        with pytest.raises(ValueError, match="errors="):
            dt.prune.upper_limit(errors, rows)
    with pytest.raises(TypeError, match=r"rows=2\.5"):
        dt.prune.upper_limit(1, 2.5)
    assert dt.prune.upper_limit(np.int64(2), np.int64(2)) == 1
