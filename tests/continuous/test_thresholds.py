"""Two threshold searches against each other, the grower's, and exact fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from strategies import tables, weights

import dtree_lab as dt
from dtree_lab.continuous.thresholds import naive_search, sorted_search


def continuous_only(table):
    """The table without its discrete attributes, or None when no threshold is left."""
    kept = [i for i, a in enumerate(table.attributes) if a.values is None]
    if not any(len(set(table.columns[i].tolist())) > 1 for i in kept):
        return None
    attributes = tuple(table.attributes[i] for i in kept)
    columns = tuple(table.columns[i] for i in kept)
    return dt.Table(attributes, table.target, columns, table.labels)


@settings(max_examples=60)
@given(tables(max_rows=40), st.sampled_from(["entropy", "gini"]))
def test_both_searches_find_the_same(table, criterion):
    assume(continuous_only(table) is not None)
    assert naive_search(table, criterion=criterion) == sorted_search(table, criterion=criterion)


@settings(max_examples=60)
@given(tables(max_rows=30))
def test_it_is_the_threshold_that_id3_would_take(table):
    assume(len(set(table.labels.tolist())) > 1)
    numbers = continuous_only(table)
    assume(numbers is not None)
    asked = dt.id3(numbers, max_depth=1).root.split
    assert sorted_search(numbers).split == asked


@settings(max_examples=50)
@given(tables(max_rows=16, max_attributes=3))
def test_it_is_the_cheapest_of_all_in_exact_arithmetic(table):
    """Sum n H(Y) orders as minus the logarithm of a product of whole numbers' powers."""
    numbers = continuous_only(table)
    assume(numbers is not None)
    best = None
    for name in numbers.names:
        pairs = list(zip(numbers.column(name), numbers.column("y"), strict=True))
        for low, high in pairwise(sorted({x for x, _ in pairs})):
            sides = [[y for x, y in pairs if x <= low], [y for x, y in pairs if x > low]]
            purity = Fraction(1)
            for side in sides:
                counts = [side.count(y) for y in set(side)]
                purity *= Fraction(prod(n**n for n in counts), len(side) ** len(side))
            if best is None or purity > best[0]:
                best = purity, name, low, high
    found = naive_search(numbers)
    assert (found.attribute, best[2] < found.cut <= best[3]) == (best[1], True)


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_real_tables(load):
    data = load(as_frame=True)
    table = dt.Table.from_frame(data.frame, target="target", kinds={"target": "discrete"})
    naive, by_sorting = naive_search(table), sorted_search(table)
    assert naive == by_sorting
    assert naive.operations > by_sorting.operations
    best = dt.compare(table).best
    assert (naive.attribute, naive.remaining) == (best.attribute.name, best.conditional_entropy)


def test_operations_are_counted():
    """Four rows, three different values: 2 cuts of 4 rows; or 4·log2 4 = 8 and 4 rows moved."""
    table = dt.Table.from_columns({"x": [1, 2, 2, 3], "y": ["a", "b", "a", "b"]}, target="y")
    assert (naive_search(table).operations, sorted_search(table).operations) == (8, 12)


def test_neighbours_without_room_between_them():
    low = 1.0
    high = 1.0000000000000002
    table = dt.Table.from_columns({"x": [low, high], "y": ["a", "b"]}, target="y")
    assert naive_search(table) == sorted_search(table)
    assert naive_search(table).cut == high


def test_there_must_be_something_to_search():
    table = dt.Table.from_columns({"x": [1.0, 1.0], "c": ["u", "v"], "y": ["a", "b"]}, target="y")
    for search in (naive_search, sorted_search):
        with pytest.raises(ValueError, match="no continuous attribute has two values"):
            search(table)
        with pytest.raises(ValueError, match="criterion='error'"):
            search(dt.datasets.tax_fraud(), criterion="error")


@settings(max_examples=60)
@given(tables(max_rows=20), st.data())
def test_a_row_that_weighs_n_is_searched_as_n_rows(table, data):
    times = data.draw(weights(len(table)))
    long = table.take(np.repeat(np.arange(len(table)), times))
    kept = np.flatnonzero(times)
    light = replace(table.take(kept), weights=times[kept].astype(np.int64))
    assume(continuous_only(long) is not None)
    found = naive_search(long)
    assert naive_search(light) == sorted_search(light) == found
    assert dt.steps(dt.sorted_search, light)[-1].search == found
