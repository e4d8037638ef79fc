"""The description-length bound against its formula, worked by hand and written out as blocks."""

from __future__ import annotations

from math import exp, log, log2, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab import theory
from dtree_lab.tree.tree import Leaf


def blocks(node):
    """The book's code of a tree over binary features: a block for each node, depth first."""
    if isinstance(node, Leaf):
        return [("answer", node.counts.index(max(node.counts)))]
    below = [block for child in node.children for block in blocks(child)]
    return [("ask", node.split.attribute), *below]


def decoded(code):
    """A tree read back from its blocks, to see that they say all of it."""
    kind, what = next(code)
    return what if kind == "answer" else (what, decoded(code), decoded(code))


def nested(node):
    if isinstance(node, Leaf):
        return node.counts.index(max(node.counts))
    return (node.split.attribute, *map(nested, node.children))


@pytest.mark.parametrize("function", ["or", "xor", "majority"])
def test_over_binary_features_it_is_the_books_code(function):
    table = dt.datasets.truth_table(function, 4)
    tree = dt.id3(table)
    code = [*blocks(tree.root), ("end", 0)]
    assert decoded(iter(code)) == nested(tree.root)
    alphabet = {("ask", i) for i in range(4)} | {("answer", 0), ("answer", 1), ("end", 0)}
    assert set(code) <= alphabet
    found = theory.description_length(tree, table)
    assert found.bits == pytest.approx(len(code) * log2(len(alphabet)))


def test_thresholds_and_values_by_hand():
    """Two discrete attributes and nine thresholds between ten incomes: 11 questions, 2 answers, and
    the end; ten nodes, and the end."""
    table = dt.datasets.tax_fraud()
    found = theory.description_length(dt.id3(table), table)
    assert found.bits == pytest.approx((10 + 1) * log2(11 + 2 + 1))


def test_a_value_without_rows_is_written_as_a_leaf():
    table = dt.Table.from_columns(
        {"c": ["u", "v", "u"], "y": ["a", "b", "a"]},
        target="y",
        kinds={"c": ("u", "v", "w")},
    )
    tree = dt.id3(table)
    assert tree.n_nodes == 3
    assert theory.description_length(tree, table).n_nodes == 4


def test_several_cuts_are_written_one_by_one():
    table = dt.datasets.tax_fraud()
    three = dt.by_hand(table, {(): ("Taxable Income", [80, 97.5])})
    two = dt.by_hand(table, {(): ("Taxable Income", 80), (1,): ("Taxable Income", 97.5)})
    assert theory.description_length(three, table) == theory.description_length(two, table)


def test_two_groups_of_three_values_are_three_questions():
    table = dt.datasets.tax_fraud()
    found = theory.description_length(dt.cart(table), table, grouped=True)
    assert found.n_questions == 1 + 3 + 9


# -- the bound -----------------------------------------------------------------------------------


def test_the_bound_by_hand():
    """Chosen so that the root is that of a square: (b ln 2 + ln(2/δ)) / 2m = 0.04."""
    delta = 2 / exp(3)
    rows, nats = 100, 8.0  # 8 = 2 · 100 · 0.04
    bound = theory.description_bound(0.1, (nats - 3) / log(2), rows, delta)
    assert bound == pytest.approx(0.1 + sqrt(0.04))


@given(
    st.floats(0, 1),
    st.floats(0, 1e4),
    st.integers(1, 10**6),
    st.floats(0.001, 0.999),
)
def test_the_bound_grows_with_bits_and_certainty_and_falls_with_rows(error, bits, rows, delta):
    bound = theory.description_bound(error, bits, rows, delta)
    assert bound > error
    assert theory.description_bound(error, bits + 1, rows, delta) > bound
    assert theory.description_bound(error, bits, rows, delta / 2) > bound
    assert theory.description_bound(error, bits, rows + 1, delta) < bound
    # The book leaves ln 2 out, which can only make the bound larger.
    assert bound <= error + sqrt((bits + log(2 / delta)) / (2 * rows)) + 1e-12


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((1.5, 10, 100), "error=1.5"),
        ((0.1, -1, 100), "bits=-1"),
        ((0.1, 10, 0), "rows=0"),
        ((0.1, 10, 100, 0), "delta=0 must be between 0 and 1"),
    ],
)
def test_arguments_out_of_range(arguments, said):
    with pytest.raises(ValueError, match=said):
        theory.description_bound(*arguments)


# -- choosing a size -----------------------------------------------------------------------------


def noisy(rows):
    return dt.populations.diagonal(noise=0.2).sample(rows, seed=5)


def test_the_choice_is_the_least_of_all_sizes():
    table = noisy(60)
    found = theory.choose_by_mdl(table, 0.1)
    full = dt.id3(table)
    assert [point.leaves for point in found.curve] == list(range(1, full.n_leaves + 1))
    for point in found.curve:
        tree = dt.id3(table, max_leaves=point.leaves)
        assert (point.error, point.nodes) == (tree.error(table), tree.n_nodes)
        bits = theory.description_length(tree, table).bits
        assert point.bound == theory.description_bound(point.error, bits, 60, 0.1)
    assert found.best.bound == min(point.bound for point in found.curve)
    assert found.tree == dt.id3(table, max_leaves=found.best.leaves)


def test_noise_is_not_written_down():
    """The labels are tossed: no tree can pay for its bits by the errors that it saves."""
    table = dt.populations.diagonal(noise=0.5).sample(400, seed=1)
    assert theory.choose_by_mdl(table, sizes=range(1, 15)).best.leaves == 1


def test_more_rows_pay_for_a_larger_tree():
    """XOR of three is worth 15 nodes, 16 · log2 6 bits, once each row has come often enough."""
    once = dt.datasets.truth_table("xor", 3)
    often = once.take(list(range(8)) * 200)
    assert theory.choose_by_mdl(once).best.leaves == 1
    assert theory.choose_by_mdl(often).best.leaves == 8


@settings(max_examples=10)
@given(st.sets(st.integers(1, 12), min_size=1, max_size=3))
def test_only_the_sizes_that_are_asked_for(sizes):
    found = theory.choose_by_mdl(noisy(40), sizes=sizes)
    assert {point.leaves for point in found.curve} <= sizes


def test_it_must_be_the_trees_table():
    table = dt.datasets.tax_fraud()
    with pytest.raises(ValueError, match="grown on other attributes"):
        theory.description_length(dt.id3(dt.datasets.word_sense()), table)
    with pytest.raises(ValueError, match="sizes is empty"):
        theory.choose_by_mdl(table, sizes=[])
