"""Intervals against brute force, and repeated attributes against what rows can still be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables, weights

import dtree_lab as dt
from dtree_lab.continuous.intervals import discretised, intervals, repeated
from dtree_lab.tree.tree import Branch, walk

columns = st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abc")), min_size=2, max_size=14)


def table_of(pairs):
    return dt.Table.from_columns(
        {"x": [x for x, _ in pairs], "y": [y for _, y in pairs]}, target="y"
    )


def purity(groups):
    """Larger is purer: minus the logarithm of this product is the sum of n H(Y), exactly."""
    total = Fraction(1)
    for group in groups:
        counts = [group.count(y) for y in set(group)]
        total *= Fraction(prod(n**n for n in counts), len(group) ** len(group))
    return total


def grouped(pairs, cuts):
    edges = [-np.inf, *cuts, np.inf]
    return [[y for x, y in pairs if low <= x < high] for low, high in pairwise(edges)]


@settings(max_examples=80)
@given(columns, st.integers(2, 5))
def test_the_exact_cut_is_as_pure_as_the_best_of_all(pairs, k):
    values = sorted({x for x, _ in pairs})
    assume(len(values) >= k)
    found = intervals(table_of(pairs), "x", k)
    groups = grouped(pairs, found.cuts)
    assert len(groups) == k
    assert all(groups)
    middles = [(a + b) / 2 for a, b in pairwise(values)]
    best = max(purity(grouped(pairs, cuts)) for cuts in combinations(middles, k - 1))
    assert purity(groups) == best


@settings(max_examples=60)
@given(columns, st.integers(2, 5), st.sampled_from(["entropy", "width", "frequency"]))
def test_every_interval_has_rows_and_the_counts_are_theirs(pairs, k, method):
    assume(len({x for x, _ in pairs}) >= k)
    found = intervals(table_of(pairs), "x", k, method=method)
    groups = grouped(pairs, found.cuts)
    assert len(groups) <= k
    assert all(groups)
    classes = sorted({y for _, y in pairs})
    assert found.candidate.counts.tolist() == [[g.count(c) for c in classes] for g in groups]


def test_two_intervals_are_id3s_threshold():
    table = dt.datasets.tax_fraud()
    assert intervals(table, "Taxable Income", 2).cuts == (97.5,)


def test_the_lectures_ages():
    """0-90 in two equal stretches is cut at 45; the best cut is where the label changes, at 40."""
    ages = list(range(0, 91, 10))
    labels = ["young" if age < 40 else "old" for age in ages]
    table = dt.Table.from_columns({"Age": ages, "y": labels}, target="y")
    assert intervals(table, "Age", 2, method="width").cuts == (45.0,)
    assert intervals(table, "Age", 2).cuts == (35.0,)
    assert intervals(table, "Age", 2).conditional_entropy == 0


def test_equal_frequency_keeps_equal_values_together():
    pairs = [(1, "a")] * 5 + [(2, "b"), (3, "a"), (4, "b")]
    assert intervals(table_of(pairs), "x", 2, method="frequency").cuts == (1.5,)
    assert [len(g) for g in grouped(pairs, (1.5,))] == [5, 3]
    even = [(i, "ab"[i % 2]) for i in range(9)]
    assert intervals(table_of(even), "x", 3, method="frequency").cuts == (2.5, 5.5)


def test_stretches_without_rows_are_joined():
    """Three equal stretches of 0 to 9 are cut at 3 and 6; nothing lies between."""
    found = intervals(table_of([(0, "a"), (1, "b"), (2, "a"), (9, "b")]), "x", 3, method="width")
    assert found.cuts == (6.0,)


def test_asking_intervals_by_hand():
    table = dt.datasets.tax_fraud()
    cut = intervals(table, "Taxable Income", 3)
    tree = dt.by_hand(table, {(): ("Taxable Income", cut.cuts)})
    assert (tree.n_leaves, tree.error(table)) == (3, 0)


@settings(max_examples=60)
@given(columns, st.lists(st.integers(-2, 11), min_size=1, max_size=4, unique=True).map(sorted))
def test_discretised_values_say_where_the_number_lies(pairs, cuts):
    table = table_of(pairs)
    found = discretised(table, {"x": cuts})
    attribute = found.attributes[0]
    assert attribute.n_values == len(cuts) + 1
    for (x, _), said in zip(pairs, found.column("x"), strict=True):
        assert attribute.values.index(said) == sum(cut <= x for cut in cuts)


def test_discretised_by_the_best_cut_gains_the_same():
    table = dt.datasets.tax_fraud()
    cut = intervals(table, "Taxable Income", 3)
    found = discretised(table, {"Taxable Income": cut})
    assert found.attribute("Taxable Income").values == ("< 80", "80 to 97.5", "≥ 97.5")
    assert dt.conditional_entropy(found, "Taxable Income") == cut.conditional_entropy == 0


def test_what_cannot_be_cut_is_named():
    table = dt.datasets.tax_fraud()
    with pytest.raises(ValueError, match="'Refund' is discrete"):
        intervals(table, "Refund", 2)
    with pytest.raises(ValueError, match="k=1 must be a whole number from 2 to 10"):
        intervals(table, "Taxable Income", 1)
    with pytest.raises(ValueError, match="method='best'"):
        intervals(table, "Taxable Income", 2, method="best")
    with pytest.raises(ValueError, match="must increase"):
        discretised(table, {"Taxable Income": [90, 40]})
    with pytest.raises(ValueError, match="'Refund' is discrete"):
        discretised(table, {"Refund": [40]})


# -- attributes that are asked again -------------------------------------------------------------


@settings(max_examples=60)
@given(tables(max_rows=25), st.sampled_from([dt.id3, dt.cart]))
def test_repeats_are_all_the_attributes_met_before_and_growers_repeat_usefully(table, grower):
    tree = grower(table)
    expected = []
    for path, node in walk(tree.root):
        if isinstance(node, Branch):
            above, met = tree.root, set()
            for branch in path:
                met.add(above.split.attribute)
                above = above.children[branch]
            if node.split.attribute in met:
                expected.append((path, table.names[node.split.attribute]))
    found = repeated(tree)
    assert sorted((r.path, r.attribute.name) for r in found) == sorted(expected)
    # A grower parts its rows at each node, so each question it repeats has two answers left.
    assert all(r.useful for r in found)
    if grower is dt.id3:
        assert all(r.attribute.kind == "continuous" for r in found)


def test_the_same_question_twice_is_useless():
    """Built as nodes, for no grower would: the second answer is known from the first."""
    from dtree_lab.tree.splits import ByValue, threshold
    from dtree_lab.tree.tree import Leaf, Tree

    table = dt.datasets.tax_fraud()
    leaf = Leaf((1, 1))
    ask, again = threshold(2, 80), threshold(2, 80)
    root = Branch((7, 3), ask, (leaf, Branch((4, 3), again, (leaf, leaf))))
    (found,) = repeated(Tree.of(table, root))
    assert (found.path, found.asked, found.useful) == ((1,), ("Taxable Income ≥ 80",), False)
    values = ByValue(0, ((0,), (1,)))
    root = Branch((7, 3), values, (leaf, Branch((4, 3), values, (leaf, leaf))))
    (found,) = repeated(Tree.of(table, root))
    assert (found.question, found.useful) == ("Refund (Yes, No)", False)


def test_intervals_narrow_what_is_left():
    table = dt.Table.from_columns({"x": range(8), "y": list("aabbaabb")}, target="y")
    tree = dt.by_hand(table, {(): ("x", [2, 6]), (1,): ("x", 4)})
    (found,) = repeated(tree)
    assert (found.asked, found.question, found.useful) == (("x is 2 to 6",), "x < 4", True)


@settings(max_examples=60)
@given(columns, st.integers(2, 4), st.sampled_from(["entropy", "width", "frequency"]), st.data())
def test_a_row_that_weighs_n_is_cut_as_n_rows(pairs, k, method, data):
    table = table_of(pairs)
    times = data.draw(weights(len(table)))
    long = table.take(np.repeat(np.arange(len(table)), times))
    kept = np.flatnonzero(times)
    light = replace(table.take(kept), weights=times[kept].astype(np.int64))
    assume(len(set(long.columns[0].tolist())) >= k)
    one, other = (intervals(rows, "x", k, method=method) for rows in (light, long))
    assert one.cuts == other.cuts
    assert (one.gain, one.gain_ratio) == (other.gain, other.gain_ratio)
