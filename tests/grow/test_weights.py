"""Weighing a row n times is repeating it n times, bit for bit."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_table, number_tables, recipes, tables, weights

import dtree_lab as dt
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.prepare import measured
from dtree_lab.grow.textbook import finish, grow_by_recipe
from dtree_lab.tree.tree import flatten

GROWERS = [dt.id3, dt.c45, dt.cart, dt.stump]


def weighted(table, times, unit=1):
    """The rows that count, with so many ticks each."""
    kept = np.flatnonzero(times)
    return replace(table.take(kept), weights=times[kept].astype(np.int64), weight_unit=unit)


def repeated(table, times):
    return table.take(np.repeat(np.arange(len(table)), times))


def both_grown(table, asked):
    """By the textbook and by the engine, which have to agree; numbers are measured in ticks."""
    asked = replace(asked, unit=table.weight_unit)
    if table.target.values is None:
        table, asked = measured(table, asked)
    slow = flatten(finish(grow_by_recipe(table, asked)), table.attributes)
    assert slow == grow_tree(table, asked)
    return slow


@settings(max_examples=300)
@given(any_table(), recipes(), st.data())
def test_a_row_that_weighs_n_is_n_rows(table, asked, data):
    times = data.draw(weights(len(table)))
    assert both_grown(weighted(table, times), asked) == both_grown(repeated(table, times), asked)


@settings(max_examples=200)
@given(any_table(), recipes(), st.integers(2, 7), st.data())
def test_parts_of_a_row_are_rows_where_limits_are_as_many_times_as_high(table, asked, unit, data):
    """Weights k/7 grow what k rows do, a limit of 2 rows having become one of 14."""
    times, stop = data.draw(weights(len(table))), asked.stop

    def limit(rows, none):
        return rows if rows <= none else rows * unit

    larger = replace(
        asked,
        min_branch=limit(asked.min_branch, 1),
        stop=replace(stop, min_rows=limit(stop.min_rows, 2), min_leaf=limit(stop.min_leaf, 1)),
    )
    parts = both_grown(weighted(table, times, unit), asked)
    assert parts == both_grown(repeated(table, times), larger)


@settings(max_examples=100)
@given(any_table(), st.sampled_from(GROWERS), st.data())
def test_the_growers_give_the_same_tree_and_the_same_error(table, grow, data):
    times = data.draw(weights(len(table)))
    light, long = weighted(table, times), repeated(table, times)
    leaf = data.draw(
        st.sampled_from(["mean", "vote", "line"] if not table.target.values else ["mean"])
    )
    one, other = grow(light, leaf=leaf), grow(long, leaf=leaf)
    assert one == other
    assert one.to_json() == other.to_json()
    assert one.error(light) == other.error(long)


def test_a_nought_that_is_voted_for_has_no_sign():
    """Whichever of equal ones comes first, a row that weighs nothing among them."""
    columns = {"x": [1, 1, 1], "y": [-0.0, 0.0, -1.0]}
    table = dt.Table.from_columns(columns, target="y", target_kind="continuous")
    assert str(dt.cart(table, leaf="vote").predict({"x": 1})) == "0.0"


@settings(max_examples=100)
@given(st.one_of(tables(gaps=True), number_tables(gaps=True)), st.data())
def test_pruning_by_weighted_rows_is_pruning_by_repeated_ones(table, data):
    half = data.draw(weights(len(table)))
    held = data.draw(weights(len(table)))
    one, other = dt.cart(weighted(table, half)), dt.cart(repeated(table, half))
    light, long = weighted(table, held), repeated(table, held)
    for no_worse in (False, True):
        a, b = (
            dt.prune.reduced_error(tree, rows, no_worse=no_worse)
            for tree, rows in ((one, light), (other, long))
        )
        assert a == b
        assert a.cuts == b.cuts
    for limit in ({"max_error": 0.2}, {"patience": 1}):
        a, b = (
            dt.prune.grow_until(dt.cart, rows, on, **limit)
            for rows, on in ((weighted(table, half), light), (repeated(table, half), long))
        )
        assert a == b
    if table.target.values is not None:
        assert dt.prune.pessimistic(one).cuts == dt.prune.pessimistic(other).cuts
        a, b = dt.prune.cost_complexity_path(one), dt.prune.cost_complexity_path(other)
        assert a.cuts == b.cuts
        assert a.errors(light).tolist() == b.errors(long).tolist()


@settings(max_examples=60)
@given(tables(), st.integers(2, 7), st.data())
def test_weights_of_held_out_rows_may_be_fractions(table, unit, data):
    """What is cut does not depend on the unit, and errors are told in rows."""
    held = data.draw(weights(len(table)))
    tree = dt.id3(table)
    whole = dt.prune.reduced_error(tree, weighted(table, held))
    parts = dt.prune.reduced_error(tree, weighted(table, held, unit))
    assert whole == parts
    assert [cut.subtree / unit for cut in whole.cuts] == [cut.subtree for cut in parts.cuts]


def test_bells_are_of_rows_as_often_as_they_weigh():
    times = np.array([1, 2, 1, 3, 1, 1, 4, 1, 1, 2])
    table = dt.datasets.tax_fraud()
    one, other = (
        dt.gaussian_tree(rows) for rows in (weighted(table, times), repeated(table, times))
    )
    assert one == other
    assert one != dt.gaussian_tree(table)


def test_a_limit_of_rows_counts_what_they_weigh():
    """Three rows that weigh a half, a half and three: each side of a cut must weigh 1, or 2."""
    columns = {"x": [1, 2, 3], "y": list("abb")}
    table = dt.Table.from_columns(columns, "y", weights=[0.5, 0.5, 3])
    assert dt.cart(table).root.split.cuts == (1.5,)
    assert dt.cart(table, min_leaf=2).n_leaves == 1
    assert dt.cart(table, min_rows=4).n_leaves == 2
    assert dt.cart(table, min_rows=5).n_leaves == 1
    heavy = dt.Table.from_columns(columns, "y", weights=[2, 1, 1])
    assert dt.cart(heavy, min_leaf=2).n_leaves == 2
    assert dt.cart(heavy, min_leaf=3).n_leaves == 1


# -- the doors -----------------------------------------------------------------------------------

COLUMNS = {"x": [1, 2, 3, 4], "y": ["a", "b", "a", "b"]}


def test_weights_come_in_by_every_door():
    named = {**COLUMNS, "n": [2, 1, 0, 3]}
    rows = [dict(zip(named, values, strict=True)) for values in zip(*named.values(), strict=True)]
    text = "x,y,n\n1,a,2\n2,b,1\n3,a,0\n4,b,3\n"
    doors = [
        dt.Table.from_columns(named, "y", weights="n"),
        dt.Table.from_columns(COLUMNS, "y", weights=[2, 1, 0, 3]),
        dt.Table.from_rows(rows, "y", weights="n"),
        dt.Table.from_frame(pd.DataFrame(named), "y", weights="n"),
        dt.Table.from_frame(pd.DataFrame(COLUMNS), "y", weights=np.array([2.0, 1, 0, 3])),
        dt.Table.read_csv(io.StringIO(text), "y", weights="n"),
    ]
    for table in doors:
        assert table.names == ("x",)
        assert table.column("x") == [1, 2, 4]
        assert (table.weights.tolist(), table.weight_unit) == ([2, 1, 3], 1)
        assert table.counts().tolist() == [2, 4]
        assert table.take([2, 0]).weights.tolist() == [3, 2]
        assert not table.weights.flags.writeable


def test_the_heading_says_by_what_the_rows_are_weighted():
    table = dt.Table.from_columns({**COLUMNS, "n<": [2, 1, 1, 3]}, "y", weights="n<")
    assert repr(table).splitlines()[0].startswith("4 rows weighted by n<, 1 attribute;")
    assert "4 rows weighted by n&lt;, 1 attribute;" in table._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize(
    ("given", "ticks", "unit"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], 1),
        ([0.5, 1, 1.5, 2], [1, 2, 3, 4], 2),
        ([0.1, 0.2, 0.3, 0.7], [1, 2, 3, 7], 10),
        ([Fraction(1, 3), Fraction(1, 2), 1, 2], [2, 3, 6, 12], 6),
        ([Decimal("0.25"), Decimal(1), 1, 1], [1, 4, 4, 4], 4),
    ],
)
def test_whole_numbers_fractions_and_decimals_are_exact(given, ticks, unit):
    table = dt.Table.from_columns(COLUMNS, "y", weights=given)
    assert (table.weights.tolist(), table.weight_unit) == (ticks, unit)


@given(st.lists(st.floats(1e-6, 1e3), min_size=4, max_size=4), st.floats(1e-6, 1e2))
def test_other_numbers_are_rounded_to_a_part_of_all(listed, size):
    given_ = np.array(listed) * size / math.pi
    table = dt.Table.from_columns(COLUMNS, "y", weights=given_)
    back = table.weights / table.weight_unit
    assert table.weights.min() >= 1
    assert np.abs(back - given_).max() <= given_.sum() / 2**21
    assert table.n_ticks <= 2**24


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ([1, -2, 1, 1], ValueError, "row 2: its weight in weights is -2; a weight is at least 0"),
        ([1, 1, math.nan, 1], ValueError, "row 3: its weight in weights is nan"),
        ([1, 1, math.inf, 1], ValueError, "row 3: its weight in weights is inf"),
        ([1, True, 1, 1], TypeError, "row 2: its weight in weights is True; a weight is a number"),
        ([1, None, 1, 1], TypeError, "row 2: its weight in weights is None"),
        ([1, 1], ValueError, "weights: 2 weights for 4 rows; give one for each row"),
        ([0, 0, 0, 0], ValueError, "every weight is zero"),
        ([10**9] * 4, ValueError, "add up to 4,000,000,000, more than 80,000,000; divide them"),
        ([1e-40] * 4, ValueError, "multiply them"),
        ("m", ValueError, "weights: no column 'm'; the columns are 'x', 'y'"),
        ("y", ValueError, "weights: 'y' is the target"),
        (3, TypeError, "weights must be a column's name, or a number for each row; got 3"),
    ],
)
def test_weights_that_are_none_are_refused_by_row(given, error, says):
    with pytest.raises(error, match=says.replace("(", r"\(")):
        dt.Table.from_columns(COLUMNS, "y", weights=given)


# -- trees ---------------------------------------------------------------------------------------


def test_a_tree_of_fractions_keeps_its_unit_and_tells_rows():
    table = dt.Table.from_columns(COLUMNS, "y", weights=[0.5, 1, 1.5, 2.5])
    tree = dt.id3(table, max_depth=1)
    assert tree.weight_unit == 2
    assert tree.flat.counts[0].tolist() == [4, 7]
    back = dt.Tree.from_json(tree.to_json())
    assert back == tree
    assert back.weight_unit == 2
    assert "(2.5 of 2.5 training rows here)" in str(tree.explain({"x": 4}))
    assert tree.explain({"x": 1}).counts == {"a": 2, "b": 1}
    assert tree.error(table) == 1 / 5.5
    with pytest.raises(ValueError, match="weight_unit=0 must be a whole number, at least 1"):
        dt.Tree.from_json(tree.to_json().replace('"weight_unit": 2', '"weight_unit": 0'))
    with pytest.raises(ValueError, match="pessimistic pruning counts whole rows"):
        dt.prune.pessimistic(tree)


def test_a_tree_without_weights_does_not_speak_of_them():
    assert "weight" not in dt.id3(dt.datasets.tax_fraud()).to_json()
