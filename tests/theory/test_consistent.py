"""All trees of a small table against plain recursion, and ID3's place among them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice, pairwise, product
from math import prod

import pytest
from effort import some
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab import theory
from dtree_lab.tree.tree import Leaf


def plain_count(rows, names):
    """How many trees fit, by recursion over lists of rows: no sets, nothing remembered."""
    if len({row["y"] for row in rows}) < 2:
        return 1
    total = 0
    for name in names:
        values = sorted({row[name] for row in rows})
        if isinstance(values[0], str):
            if len(values) > 1:
                parts = [[row for row in rows if row[name] == v] for v in values]
                total += prod(plain_count(part, names) for part in parts)
            continue
        for low, _ in pairwise(values):
            below = [row for row in rows if row[name] <= low]
            above = [row for row in rows if row[name] > low]
            total += plain_count(below, names) * plain_count(above, names)
    return total or 1


small = tables(max_rows=6, max_attributes=3, max_classes=3)


@settings(max_examples=60)
@given(small)
def test_the_count_is_that_of_plain_recursion(table):
    assert theory.count_consistent(table) == plain_count(list(table.rows()), table.names)


@settings(max_examples=40)
@given(small)
def test_all_trees_are_different_fit_as_well_as_any_and_id3s_is_one(table):
    n = theory.count_consistent(table)
    assume(n <= 400)
    trees = list(theory.all_trees(table))
    assert len({tree.to_json() for tree in trees}) == len(trees) == n
    grown = dt.id3(table)
    assert grown in trees
    assert {tree.error(table) for tree in trees} == {grown.error(table)}
    assert theory.spectrum(table) == Counter(measured(tree, table) for tree in trees)


def measured(tree, table):
    """A tree's size, by sending each row through it in words."""

    def nodes(node):
        return 1 if isinstance(node, Leaf) else 1 + sum(map(nodes, node.children))

    def depth(node):
        return 0 if isinstance(node, Leaf) else 1 + max(map(depth, node.children))

    asked = sum(len(tree.explain(row).steps) for row in table.rows()) if table.names else 0
    return nodes(tree.root), depth(tree.root), asked


@settings(max_examples=40)
@given(small, st.sampled_from(["nodes", "leaves", "depth", "questions"]))
def test_the_smallest_is_the_smallest_of_all(table, measure):
    assume(theory.count_consistent(table) <= 400)

    def size(tree):
        nodes, depth, questions = measured(tree, table)
        return {"leaves": tree.n_leaves, "nodes": nodes, "depth": depth, "questions": questions}

    trees = list(theory.all_trees(table))
    found = theory.smallest(table, measure)
    assert found in trees
    assert size(found)[measure] == min(size(tree)[measure] for tree in trees)


def lean(tree):
    """Whether a written tree asks nothing where the answer is known."""
    if isinstance(tree, str):
        return True
    _, low, high = tree
    return not (isinstance(low, str) and low == high) and lean(low) and lean(high)


def written(node, tree):
    if isinstance(node, Leaf):
        return tree.target.values[node.counts.index(max(node.counts))]
    name = tree.attributes[node.split.attribute].name
    return (name, *(written(child, tree) for child in node.children))


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("function", ["or", "and", "xor", "majority"])
def test_a_truth_tables_trees_are_the_lean_ones_of_its_concept(function, n):
    table = dt.datasets.truth_table(function, n)
    concept = "".join(table.column(function))
    expected = {
        tree
        for tree in theory.written_trees(n)
        if lean(tree) and theory.concept_of(tree, n) == concept
    }
    found = [written(tree.root, tree) for tree in theory.all_trees(table)]
    assert len(found) == len(expected)
    assert set(found) == expected


@pytest.mark.parametrize("n", range(1, 7))
def test_or_needs_a_line_and_xor_a_full_tree_whatever_is_tried(n):
    line, full = (theory.smallest(dt.datasets.truth_table(name, n)) for name in ("or", "xor"))
    assert (line.n_leaves - 1, line.depth) == (n, n)
    assert (full.n_leaves - 1, full.depth) == (2**n - 1, n)


def test_how_many_trees_or_and_xor_have():
    """OR: any order of the line, n!. XOR: X(n) = n X(n-1)², so 1, 2, 12, 576."""
    assert [theory.count_consistent(dt.datasets.truth_table("or", n)) for n in (1, 2, 3, 4)] == [
        1,
        2,
        6,
        24,
    ]
    assert [theory.count_consistent(dt.datasets.truth_table("xor", n)) for n in (1, 2, 3, 4)] == [
        1,
        2,
        12,
        576,
    ]


def test_trees_are_made_as_they_are_asked_for():
    """XOR of six attributes has more trees than could ever be listed."""
    table = dt.datasets.truth_table("xor", 6)
    with pytest.raises(ValueError, match="more than limit=100,000"):
        theory.all_trees(table)
    first = list(islice(theory.all_trees(table, limit=None), 3))
    assert [tree.error(table) for tree in first] == [0, 0, 0]
    assert first[0] != first[1] != first[2]


def test_a_table_that_is_too_large(monkeypatch):
    """XOR has n 3^(n-1) questions: one attribute is asked, each other is F, T, or not yet known."""
    monkeypatch.setattr("dtree_lab.theory.consistent._MOST_QUESTIONS", 5 * 3**4)
    assert theory.count_consistent(dt.datasets.truth_table("xor", 5)) > 0
    with pytest.raises(ValueError, match="more than 405 different questions"):
        theory.count_consistent(dt.datasets.truth_table("xor", 6))


# -- preference ----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(small)
def test_ranks_are_counted_over_all_trees(table):
    assume(theory.count_consistent(table) <= 400)
    found = theory.preference(table)
    sizes = [measured(tree, table) for tree in theory.all_trees(table)]
    mine = measured(dt.id3(table), table)
    assert found.n_trees == len(sizes)
    assert found.size == mine
    for i, measure in enumerate(["nodes", "depth", "questions"]):
        standing = found[measure]
        assert standing.better == sum(size[i] < mine[i] for size in sizes)
        assert standing.equal == sum(size[i] == mine[i] for size in sizes)
        assert standing.worse == sum(size[i] > mine[i] for size in sizes)
        assert standing.rank == standing.better + 1


def test_id3_prefers_short_trees_on_the_tables_of_the_course():
    """Of all trees that fit, by any measure, none is smaller."""
    for table in (dt.datasets.two_attributes(), dt.datasets.word_sense()):
        found = theory.preference(table)
        assert [standing.rank for standing in found.standings] == [1, 1, 1]


def test_but_not_on_the_tax_returns():
    """Two cuts of the income fit all ten: below 80 No, up to 97.5 Yes, above it No. That is 5 nodes
    with 3 + 7 · 2 or 4 + 6 · 2 questions (cut at 80 or 97.5 first), and ID3 asks the status."""
    table = dt.datasets.tax_fraud()
    found = theory.preference(table)
    by_hand = dt.by_hand(table, {(): ("Taxable Income", 97.5), (0,): ("Taxable Income", 80)})
    assert (by_hand.n_nodes, by_hand.error(table)) == (5, 0)
    assert theory.size_of(by_hand, table) == (5, 2, 4 + 6 * 2)
    assert theory.smallest(table).n_nodes == min(found["nodes"].trees) == 5
    assert found["nodes"].better > 0


def test_a_trap_for_the_greedy_by_hand():
    """XOR of a2 and a3 where a1 = F, and a fifth row that agrees with it."""
    rows = [list(row) for row in ("FFFF", "FFTT", "FTFT", "FTTF", "TFFF")]
    table = dt.Table.from_rows(rows, "y", names=["a1", "a2", "a3", "y"])
    gains = {name: dt.information_gain(table, name) for name in table.names}
    before = dt.entropy([3, 2])
    assert gains["a1"] == pytest.approx(before - 4 / 5)
    one_third = dt.entropy([1, 2])  # a2: F has F, T, F; T has T, F
    assert gains["a2"] == gains["a3"] == pytest.approx(before - 3 / 5 * one_third - 2 / 5)
    found = theory.preference(table)
    assert table.names[found.tree.root.split.attribute] == "a1"
    assert (found.size.nodes, theory.smallest(table).n_nodes) == (9, 7)
    assert found["nodes"].better == 2  # a2 then a3, a3 then a2


def test_no_smaller_table_is_a_trap_without_a_tie():
    """Lesson 4's claim, by trying: below five rows ID3 misses only where gains are equal."""
    instances = list(product("FT", repeat=3))
    names = ["a1", "a2", "a3", "y"]
    kinds = dict.fromkeys(names, ("F", "T"))
    for m in (2, 3, 4):
        for rows in some(combinations(instances, m), every=3):
            for labels in product("FT", repeat=m - 1):
                listed = [[*row, y] for row, y in zip(rows, ("F", *labels), strict=True)]
                table = dt.Table.from_rows(listed, "y", names=names, kinds=kinds)
                if dt.id3(table).n_nodes > theory.smallest(table).n_nodes:
                    first, second = dt.compare(table).ranked[:2]
                    assert first.gain == second.gain


def test_unknown_measures_are_named():
    with pytest.raises(ValueError, match="measure='size' must be one of 'nodes'"):
        theory.smallest(dt.datasets.two_attributes(), "size")
    with pytest.raises(KeyError):
        theory.preference(dt.datasets.two_attributes())["size"]
