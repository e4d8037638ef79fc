"""A forest on weighted rows is that on the rows repeated, in their order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables, weights

import dtree_lab as dt
from dtree_lab.ensemble.bagging import bagged
from dtree_lab.ensemble.random_forest import forest_events
from dtree_lab.grow.textbook import finish


def weighted(table, times, unit=1):
    kept = np.flatnonzero(times)
    return replace(table.take(kept), weights=times[kept].astype(np.int64), weight_unit=unit)


SAMPLES = [{"bootstrap": False}, {}, {"max_samples": 1}, {"max_samples": 0.5}]
EVERY = st.one_of(tables(), number_tables(), tables(gaps=True), number_tables(gaps=True))
SOME = EVERY.filter(lambda table: table.attributes)


@settings(max_examples=60)
@given(SOME, st.sampled_from(SAMPLES), st.integers(0, 99), st.data())
def test_trees_are_those_of_repeated_rows(table, samples, seed, data):
    times = data.draw(weights(len(table)))
    long = table.take(np.repeat(np.arange(len(table)), times))
    one, other = (
        dt.random_forest(rows, n_trees=3, seed=seed, **samples)
        for rows in (weighted(table, times), long)
    )
    assert list(one.trees) == list(other.trees)


@settings(max_examples=60)
@given(SOME, st.sampled_from(SAMPLES), st.integers(0, 99), st.data())
def test_out_of_bag_a_row_is_its_copies_together(table, samples, seed, data):
    times = data.draw(weights(len(table)))
    place = np.repeat(np.arange(len(table)), times)
    one, other = (
        dt.random_forest(rows, n_trees=4, seed=seed, **samples)
        for rows in (weighted(table, times), table.take(place))
    )
    np.testing.assert_array_equal(one.oob_errors, other.oob_errors)
    copies = np.zeros((len(table), other.out_of_bag.votes.shape[1]), dtype=np.int64)
    np.add.at(copies, place, other.out_of_bag.votes)
    assert one.out_of_bag.votes.tolist() == copies[times > 0].tolist()
    again = type(one).from_json(one.to_json())
    np.testing.assert_array_equal(again.out_of_bag.votes, one.out_of_bag.votes)


def test_a_row_that_weighs_a_fraction_is_out_of_bag_as_one_row():
    table = dt.Table.from_columns({"x": [1, 2, 3], "y": list("aab")}, "y", weights=[0.5, 1, 2.5])
    forest = dt.random_forest(table, n_trees=9, seed=2)
    drawn = np.array([forest.rows_drawn(t) for t in range(9)])
    assert (forest.oob_votes.sum(axis=1) == (drawn == 0).sum(axis=0)).all()


@settings(max_examples=60)
@given(SOME, st.sampled_from(SAMPLES), st.sampled_from([1, 3]), st.data())
def test_the_textbook_grows_the_same_forest(table, samples, unit, data):
    rows = weighted(table, data.draw(weights(len(table))), unit)
    fast = dt.random_forest(rows, n_trees=3, min_leaf=2, **samples)
    slow = finish(forest_events(rows, n_trees=3, min_leaf=2, **samples))
    assert list(fast.trees) == list(slow.trees)
    np.testing.assert_array_equal(fast.out_of_bag.votes, slow.out_of_bag.votes)
    np.testing.assert_array_equal(fast.oob_errors, slow.oob_errors)


def test_fractions_are_drawn_by_their_shares():
    """Of rows that weigh 0.1, 0.2 and 0.7, three are drawn a tree, each by its share."""
    table = dt.Table.from_columns({"x": [1, 2, 3], "y": list("abc")}, "y", weights=[0.1, 0.2, 0.7])
    forest = dt.random_forest(table, n_trees=3000, seed=1)
    drawn = forest.plan.times(range(3000), 3)
    assert (drawn.sum(axis=1) == 3).all()
    shares = drawn.mean(axis=0) / 3
    # Five standard deviations of 9000 draws.
    np.testing.assert_allclose(shares, [0.1, 0.2, 0.7], atol=5 * 0.5 / np.sqrt(9000))


@settings(max_examples=30)
@given(tables(max_classes=2).filter(lambda table: table.attributes), st.data())
def test_the_error_counts_weights(table, data):
    times = data.draw(weights(len(table)))
    light, long = weighted(table, times), table.take(np.repeat(np.arange(len(table)), times))
    forest, boosted = dt.random_forest(table, n_trees=3), dt.adaboost(table, n_stumps=3)
    assert forest.error(light) == forest.error(long)
    assert boosted.error(light) == boosted.error(long)
    np.testing.assert_array_equal(boosted.staged_error(light), boosted.staged_error(long))


@settings(max_examples=40)
@given(SOME, st.integers(0, 99), st.data())
def test_a_bootstrap_sample_is_that_of_repeated_rows(table, seed, data):
    times = data.draw(weights(len(table)))
    long = table.take(np.repeat(np.arange(len(table)), times))
    one, other = (dt.bootstrap(rows, seed=seed, tree=1) for rows in (weighted(table, times), long))
    assert one.sample.weights is None
    assert list(one.sample.rows()) == list(other.sample.rows())
    grown = bagged(dt.cart, 2)
    light, repeated = grown(weighted(table, times), seed=seed), grown(long, seed=seed)
    assert light.trees == repeated.trees
    assert light.error(weighted(table, times)) == light.error(long)


def test_a_row_of_fractions_is_drawn_by_its_share():
    table = dt.Table.from_columns({"x": [1, 2], "y": list("ab")}, "y", weights=[0.1, 0.9])
    times = sum(dt.bootstrap(table, seed=seed).times for seed in range(2000))
    # Five standard deviations of 4000 draws.
    np.testing.assert_allclose(times / 4000, [0.1, 0.9], atol=5 * 0.5 / np.sqrt(4000))


@settings(max_examples=30)
@given(tables(gaps=True).filter(lambda table: table.attributes), st.data())
def test_words_are_filled_in_as_among_repeated_rows(table, data):
    words = [i for i, a in enumerate(table.attributes) if a.values is not None]
    table = replace(
        table,
        attributes=tuple(table.attributes[i] for i in words),
        columns=tuple(table.columns[i] for i in words),
    )
    assume(words and all((column >= 0).any() for column in table.columns))
    times = data.draw(weights(len(table)))
    rows = np.repeat(np.arange(len(table)), times)
    assume(all((column[rows] >= 0).any() for column in table.columns))
    one, other = (
        dt.fill_by_proximity(given, rounds=2, n_trees=3)
        for given in (weighted(table, times), table.take(rows))
    )
    place = np.repeat(np.arange(len(one)), one.weights)
    for mine, theirs in zip(one.columns, other.columns, strict=True):
        assert mine[place].tolist() == theirs.tolist()


def test_a_gap_is_filled_by_what_weighs_most():
    columns = {"x": [1, 5, None], "w": ["a", "b", None], "y": ["n", "n", "n"]}
    for times, x, word in (([3, 1, 1], 1.0, "a"), ([1, 3, 1], 5.0, "b"), ([1, 1, 1], 3.0, "a")):
        table = dt.Table.from_columns(columns, "y", missing="keep", weights=times)
        filled = dt.fill_by_proximity(table, rounds=0)
        assert (filled.row(2)["x"], filled.row(2)["w"]) == (x, word)
    # All rows share the one leaf, so that all are as near: the mean by weight.
    table = dt.Table.from_columns(columns, "y", missing="keep", weights=[3, 1, 1])
    assert dt.fill_by_proximity(table, rounds=1, n_trees=2).row(2)["x"] == (3 * 1 + 5) / 4


@settings(max_examples=60)
@given(
    tables(gaps=True).filter(lambda table: table.attributes),
    st.sampled_from(["gini", "entropy", "error"]),
    st.data(),
)
def test_boosting_is_that_of_repeated_rows(table, criterion, data):
    times = data.draw(weights(len(table)))
    rows = np.repeat(np.arange(len(table)), times)
    # What each row weighs at the beginning, beside how often it is there.
    own = np.array(data.draw(st.lists(st.floats(0.1, 9), min_size=len(table), max_size=len(table))))
    asked = {"n_stumps": 4, "criterion": criterion, "max_depth": 2}
    one = dt.adaboost(weighted(table, times), weights=own[times > 0], **asked)
    assert one == dt.adaboost(table.take(rows), weights=own[rows], **asked)
