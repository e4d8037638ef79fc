"""C4.5 as the last release of its program does it: the law, and what its rules say by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log2
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import stops, tables, telling_tables, weights
from traces import replay, trace

import dtree_lab as dt
from dtree_lab.grow.engine import columns, thresholds
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.prepare import ready
from dtree_lab.grow.textbook import finish, grow_by_recipe
from dtree_lab.tree.splits import just_above
from dtree_lab.tree.tree import flatten

SORTED = patch.multiple(thresholds, _FEW_CELLS=0, _CELLS_PER_ROW=0)


def weighing(table, times, unit=1):
    """The rows that count, with so many ticks each."""
    kept = np.flatnonzero(times)
    return replace(table.take(kept), weights=times[kept].astype(np.int64), weight_unit=unit)


def slow(table, asked):
    return flatten(finish(grow_by_recipe(table, asked)), table.attributes)


@settings(max_examples=300)
@given(st.one_of(telling_tables(), tables(gaps=True)), stops())
def test_textbook_and_engine_grow_the_same_tree(table, stop):
    grown_on, asked = ready("c45", table, None, stop, 8)
    by_the_book = slow(grown_on, asked)
    assert by_the_book == grow_tree(grown_on, asked)
    with SORTED:
        assert by_the_book == grow_tree(grown_on, asked)
    with patch.object(columns, "AT_A_TIME", 1), patch.object(columns, "FEW", 1):
        assert by_the_book == grow_tree(grown_on, asked)


@settings(max_examples=200)
@given(st.one_of(telling_tables(), tables(gaps=True)), stops(), st.data())
def test_weighing_a_row_is_repeating_it(table, stop, data):
    times = data.draw(weights(len(table)))
    repeated = table.take(np.repeat(np.arange(len(table)), times))
    by_the_book = slow(*ready("c45", repeated, None, stop, 8))
    weighted = weighing(table, times)
    assert by_the_book == slow(*ready("c45", weighted, None, stop, 8))
    assert by_the_book == grow_tree(*ready("c45", weighted, None, stop, 8))
    with SORTED:
        assert by_the_book == grow_tree(*ready("c45", weighted, None, stop, 8))


@settings(max_examples=100)
@given(telling_tables(), stops())
def test_a_trace_tells_the_tree(table, stop):
    events, root = trace(grow_by_recipe(*ready("c45", table, None, stop, 8)))
    assert replay(events) == root


@settings(max_examples=60)
@given(telling_tables(), st.data())
def test_rows_may_weigh_fractions(table, data):
    weighted = weighing(table, data.draw(weights(len(table))), 2)
    grown_on, asked = ready("c45", weighted, release=8)
    assert slow(grown_on, asked) == grow_tree(grown_on, asked)


def sunny(weights=None):
    """Golf on Quinlan's sunny days: two humid enough to play, three not."""
    return dt.Table.from_columns(
        {"humidity": [70, 90, 85, 95, 70], "y": ["play", "stay", "stay", "stay", "play"]},
        target="y",
        weights=weights,
    )


def test_a_cut_pays_for_being_one_of_several():
    """Two rows on either side leave two cuts, above 70 and above 85: log2(2) bits for five rows.

    Rows that weigh one and a half are seven and a half, and one of them is still too few.
    """
    entropy = -(0.4 * log2(0.4) + 0.6 * log2(0.6))
    for weight in (1, 1.5):
        table = sunny([weight] * 5)
        (candidate,) = dt.steps(dt.c45, table, release=8)[0].candidates
        assert candidate.gain == pytest.approx(entropy - log2(2) / (5 * weight), abs=1e-9)
        assert candidate.gain_ratio == pytest.approx(candidate.gain / entropy, abs=1e-9)


def test_a_threshold_is_the_largest_value_of_the_whole_table_up_to_the_midpoint():
    """Among sunny days 70 and 85 are neighbours; an overcast day has 75, and 78 is too much."""
    table = dt.Table.from_columns(
        {
            "outlook": ["sunny"] * 5 + ["overcast"] * 4,
            "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75],
            "y": ["play", "stay", "stay", "stay", "play", *["play"] * 4],
        },
        target="y",
    )
    tree = dt.c45(table, release=8)
    assert "humidity ≤ 75" in str(tree)
    at = [tree.predict({"outlook": "sunny", "humidity": x}) for x in (75, 75.01)]
    assert at == ["play", "stay"]
    assert dt.c45(table).predict({"outlook": "sunny", "humidity": 77}) == "play"


def test_a_midpoint_that_is_a_value_but_for_rounding_is_that_value():
    """The word b has the value between: 1.07 is above the midpoint by the last bit alone."""
    assert 1.0 / 2 + 1.14 / 2 < 1.07
    table = dt.Table.from_columns(
        {
            "x": [0.9, 1.0, 1.14, 1.2, 0.9, 1.07, 1.2] * 4,
            "w": list("aaaabbb") * 4,
            "y": list("ppqqrrr") * 4,
        },
        target="y",
    )
    asked = {node.split.cuts for node in every(dt.c45(table, release=8).root) if cut(node)}
    assert (float(just_above(np.array(1.07))),) in asked


def every(node):
    """A node and all below it."""
    return [node, *(one for child in getattr(node, "children", ()) for one in every(child))]


def cut(node):
    """Whether a node asks for a number."""
    return hasattr(getattr(node, "split", None), "cuts")


@pytest.mark.parametrize(
    ("n", "least"), [(30, 2), (100, 5), (1000, 25)], ids=["two", "a tenth", "twenty-five"]
)
def test_a_side_of_a_cut_holds_a_tenth_of_the_mean_rows_of_a_class(n, least):
    """The lowest rows are of one class, as many as a side must hold, and one fewer."""
    for lowest in (least, least - 1):
        y = ["a"] * lowest + ["b"] * (n - lowest)
        table = dt.Table.from_columns({"x": list(range(n)), "y": y}, target="y")
        sides = [
            int(one.counts.sum(axis=1).min())
            for one in dt.steps(dt.c45, table, release=8)[0].candidates
        ]
        assert sides == [lowest] if lowest == least else all(side >= least for side in sides)


def test_a_question_that_gains_nothing_is_not_asked():
    twice = dt.datasets.truth_table("xor", 2).take([0, 1, 2, 3] * 2)
    assert dt.c45(twice).n_leaves == 4
    assert dt.c45(twice, release=8).n_leaves == 1
    told = dt.steps(dt.c45, twice, release=8)[-1].reason
    assert told == "no question gains more than it costs to say"


def test_a_subtree_that_gets_no_more_rows_right_is_a_leaf():
    """The word tells more than nothing, but most rows of either value are of one class."""
    table = dt.Table.from_columns(
        {"w": ["u"] * 6 + ["v"] * 6, "y": list("pppppq" + "ppppqq")}, target="y"
    )
    assert dt.c45(table).n_leaves == 2
    assert dt.c45(table, release=8).n_leaves == 1
    told = [getattr(event, "reason", None) for event in dt.steps(dt.c45, table, release=8)]
    assert told[-1] == "the questions below it got no more rows right"


def test_to_get_a_thousandth_of_a_row_more_right_is_not_enough():
    """Of the v's 4 are p; what is more than that of q is what asking for the word spares."""
    for weight, leaves in ((4.001, 1), (4.002, 2)):
        table = dt.Table.from_columns(
            {"w": list("uuvv"), "y": list("pqpq")}, target="y", weights=[5, 1, 4, weight]
        )
        assert dt.c45(table, release=8).n_leaves == leaves


def test_words_with_very_many_values_do_not_lift_the_average():
    """A name for each pair of rows gains most; the average is of the others alone."""
    names = [f"n{i}" for i in range(6)] * 2
    w = list("uuuuuuuvvvvv")
    y = list("ppppqqppqqqq")
    table = dt.Table.from_columns({"name": names, "w": w, "y": y}, target="y")
    _, asked = ready("c45", table, release=8)
    assert asked.release8.averaged == (False, True)
    only_names = dt.Table.from_columns({"name": names, "y": y}, target="y")
    assert ready("c45", only_names, release=8)[1].release8.averaged == (True,)


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"release": 7}, "release=7 must be 8"),
        ({"release": 8, "criterion": "gini"}, "its criterion 'entropy'"),
    ],
)
def test_what_it_cannot_do_is_an_error(keywords, told):
    with pytest.raises(ValueError, match=told):
        dt.c45(sunny(), **keywords)


def test_numbers_to_predict_are_an_error():
    table = dt.Table.from_columns({"x": [1, 2, 3], "y": [1.5, 2.5, 4.5]}, target="y")
    with pytest.raises(ValueError, match="its target is discrete"):
        dt.c45(table, release=8)


def test_only_a_cut_that_is_a_value_of_the_data_is_told_as_one():
    # The middle of these is rounded to the float above 44.65.
    values = [44.2, 45.1] * 4
    table = dt.Table.from_columns({"x": values, "y": list("abababab")}, target="y")
    middle, of_data = dt.c45(table), dt.c45(table, release=8)
    assert middle.root.split.cuts[0] > 44.65
    assert repr(middle).startswith("x < 44.65?")
    assert repr(of_data).startswith("x ≤ 44.2?")
    assert of_data.predict([{"x": 44.2}, {"x": 45.1}]).tolist() == ["a", "b"]
