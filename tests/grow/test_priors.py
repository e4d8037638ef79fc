"""Priors and costs, against repeated rows, rpart's words and the cheapest answer found slowly."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True, max_classes=3), st.data(), st.sampled_from([dt.id3, dt.cart]))
def test_a_prior_is_how_often_rows_of_a_class_are_repeated(table, data, grow):
    k = len(table.classes)
    times = data.draw(st.lists(st.integers(1, 4), min_size=k, max_size=k))
    counts = table.counts().tolist()
    assume(0 not in counts)
    repeated = table.take(np.repeat(np.arange(table.n_rows), np.array(times)[table.labels]))
    shares = [t * n for t, n in zip(times, counts, strict=True)]
    even = dt.with_priors(table, dict(zip(table.classes, shares, strict=True)))
    # All together weigh as before, so a row weighs as often as it is repeated, times one number.
    assert even.n_ticks == table.n_rows * even.weight_unit
    one, other = grow(even, max_depth=3), grow(repeated, max_depth=3)
    assert [one.flat.split(i, table.attributes) for i in range(one.n_nodes)] == [
        other.flat.split(i, table.attributes) for i in range(other.n_nodes)
    ]
    scale = Fraction(even.n_ticks, repeated.n_rows)
    assert [
        [n * scale for n in row] for row in other.flat.counts.tolist()
    ] == one.flat.counts.tolist()


def test_each_class_has_its_share_of_all_weight_and_own_weights_count_within_it():
    columns = {"x": list("abcd"), "y": list("nnyy"), "w": [1, 3, 1, 1]}
    table = dt.Table.from_columns(columns, target="y", weights="w")
    even = dt.with_priors(table, {"n": 1, "y": 2})
    weights = [Fraction(w, even.weight_unit) for w in even.weights.tolist()]
    assert weights == [Fraction(1, 2), Fraction(3, 2), Fraction(2), Fraction(2)]
    assert "weighted by priors" in repr(even)


@settings(max_examples=60, deadline=None)
@given(tables(gaps=True, max_classes=4), st.data())
def test_with_costs_the_cheapest_answer_is_given(table, data):
    tree = dt.cart(table, max_depth=2)
    pairs = [(a, b) for a in table.classes for b in table.classes]
    chosen = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    costs = {pair: data.draw(st.integers(0, 9)) for pair in chosen}
    said = tree.predict(table, costs=costs).tolist()
    for row, answer in zip(table.rows(), said, strict=True):
        counts = tree.explain(row).counts
        expected = {
            b: sum(n * costs.get((a, b), a != b) for a, n in counts.items()) for b in table.classes
        }
        assert answer == min(expected, key=expected.__getitem__)
        assert tree.predict(row, costs=costs) == answer
    assert tree.predict(table, costs={}).tolist() == tree.predict(table).tolist()


def test_what_cannot_be_a_prior_or_a_cost_is_said():
    table = dt.datasets.tax_fraud()
    tree = dt.id3(table)
    numbers = dt.Table.from_columns({"x": [1, 2], "y": [0.5, 1.5]}, target="y")
    for priors in ({"No": 1}, {"No": 1, "Yes": 0}, {"No": 1, "Yes": 1, "Maybe": 1}, {"No": "a"}):
        with pytest.raises(ValueError, match="must give each class of 'Cheat' a share above 0"):
            dt.with_priors(table, priors)
    with pytest.raises(ValueError, match="no classes: it is continuous"):
        dt.with_priors(numbers, {0.5: 1})
    for costs, words in (
        ({("Yes", "Maybe"): 2}, "'Cheat' has no class 'Maybe'; it has 'No', 'Yes'"),
        ({"Yes": 2}, r"as in \{\('No', 'Yes'\): 5\}; got 'Yes'"),
        ({("Yes", "No"): -1}, "costs -1; a cost is a number, at least 0"),
    ):
        with pytest.raises(ValueError, match=words):
            tree.predict(table, costs=costs)
    with pytest.raises(ValueError, match="'y' is continuous: costs are of mistaken classes"):
        dt.cart(numbers).predict(numbers, costs={})


def test_what_is_no_mapping_is_told_what_one_is():
    table = dt.datasets.tax_fraud()
    with pytest.raises(TypeError, match=r"as in \{'No': 0.5, 'Yes': 0.5\}; got \[0.5, 0.5\]"):
        dt.with_priors(table, [0.5, 0.5])
    with pytest.raises(TypeError, match=r"as in \{\('No', 'Yes'\): 5\}; got \[\[0, 1\], \[9, 0\]"):
        dt.id3(table).predict(table, costs=[[0, 1], [9, 0]])
