"""Holding out, cross-validating and choosing."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from math import isnan

import joblib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables, weights

import dtree_lab as dt
from dtree_lab.evaluate.folds import Measure, chosen, each_fold


def coins(n):
    """As many heads as tails, and one attribute that numbers the rows."""
    return dt.Table.from_columns({"i": range(n), "y": ["H", "T"] * (n // 2)}, target="y")


class Seen:
    """A grower that keeps what it was given; its result remembers what it was measured on."""

    def __init__(self):
        self.grown, self.held = [], []

    def __call__(self, table):
        self.grown.append(table.column("i"))
        return self

    def error(self, table):
        self.held.append(table)
        return 0.0


@given(st.integers(1, 20), st.floats(0.01, 0.99), st.integers(0, 5))
def test_holdout_parts_the_rows(pairs, share, seed):
    table = coins(2 * pairs)
    training, held = dt.evaluate.holdout(table, share, seed=seed)
    assert sorted(training.column("i") + held.column("i")) == table.column("i")
    assert abs(len(held) - share * len(table)) <= 1
    again = dt.evaluate.holdout(table, share, seed=seed)
    assert again[1].column("i") == held.column("i")


@settings(max_examples=60)
@given(tables().filter(lambda table: len(table) > 1), st.data())
def test_given_the_folds_a_row_that_weighs_n_is_n_rows(table, data):
    """A weighted row lies whole in a fold; its copies, put into the same one, come to the same."""
    times = data.draw(weights(len(table)).filter(lambda times: (times > 0).sum() > 1))
    kept = np.flatnonzero(times)
    light = replace(table.take(kept), weights=times[kept].astype(np.int64))
    parts = []

    def noted(training, held):
        parts.append((training, held))
        return []

    folds = min(3, len(kept))
    each_fold(noted, light, folds=folds, seed=0, stratified=True)
    assert sum(held.n_ticks for _, held in parts) == times.sum()
    found = dt.evaluate.cross_validate(dt.cart, light, folds=folds)
    whole = [[repeated(rows) for rows in both] for both in parts]
    assert found.n_rows == tuple(len(held) for _, held in whole)
    assert found.errors == tuple(dt.cart(training).error(held) for training, held in whole)


def repeated(table):
    """Each row as often as it weighs."""
    long = table.take(np.repeat(np.arange(len(table)), table.weights))
    return replace(long, weights=None)


@pytest.mark.parametrize("share", [0, 1, -1, 2])
def test_holdout_wants_a_share(share):
    with pytest.raises(ValueError, match="share="):
        dt.evaluate.holdout(coins(4), share)


def test_holdout_wants_two_rows():
    with pytest.raises(ValueError, match="single row"):
        dt.evaluate.holdout(coins(2).take([0]))


@given(st.integers(1, 15), st.integers(2, 30), st.integers(0, 3), st.booleans())
def test_each_row_is_held_once(pairs, folds, seed, stratified):
    table = coins(2 * pairs)
    folds = min(folds, len(table))
    seen = Seen()
    result = dt.evaluate.cross_validate(seen, table, folds, seed=seed, stratified=stratified)
    held = [rows.column("i") for rows in seen.held]
    assert sorted(chain(*held)) == table.column("i")
    for grown, out in zip(seen.grown, held, strict=True):
        assert sorted(grown + out) == table.column("i")
    sizes = [len(out) for out in held]
    assert max(sizes) - min(sizes) <= 1
    assert result.n_rows == tuple(sizes)
    if stratified:
        heads = [rows.column("y").count("H") for rows in seen.held]
        assert max(heads) - min(heads) <= 1


def test_leaving_one_out_of_a_tie_is_always_wrong():
    """Without its row, a row's class is in the minority."""
    result = dt.evaluate.cross_validate(dt.id3, coins(10), folds=10, max_depth=0)
    assert result.errors == (1.0,) * 10
    assert (result.mean, result.standard_error) == (1, 0)


def test_mean_and_standard_error_by_hand():
    """Folds of 2, 2 and 1 rows with 1, 0 and 1 wrong: 2 of 5; errors 0.5, 0, 1 spread by 0.5."""
    result = dt.evaluate.CrossValidation((0.5, 0.0, 1.0), (2, 2, 1))
    assert result.mean == pytest.approx(2 / 5)
    assert result.standard_error == pytest.approx(0.5 / 3**0.5)
    assert repr(result) == "error 0.4000, standard error 0.2887 (3 folds)"


@settings(max_examples=40)
@given(tables(max_rows=20).filter(lambda t: len(t) > 3), st.integers(2, 4), st.booleans())
def test_choose_is_cross_validation_of_each(table, folds, one_se):
    values = [4, 1, 2]
    choice = dt.evaluate.choose(
        dt.cart, table, "max_leaves", values, folds=folds, seed=1, one_se=one_se, min_rows=3
    )
    results = [
        dt.evaluate.cross_validate(dt.cart, table, folds, seed=1, max_leaves=n, min_rows=3)
        for n in values
    ]
    assert choice.errors == tuple(r.mean for r in results)
    assert choice.standard_errors == tuple(r.standard_error for r in results)
    assert choice.value in values
    if not one_se:
        found = choice.errors[values.index(choice.value)]
        assert found == pytest.approx(min(choice.errors))


def test_one_standard_error_by_hand():
    """The best errs 0.2 with a standard error of 0.1, so 0.3 is allowed and 0.31 is not."""
    by_fold = [
        [Measure(0.1, 9, 10), Measure(0.3, 4, 10), Measure(0.31, 1, 10)],
        [Measure(0.3, 9, 10), Measure(0.3, 4, 10), Measure(0.31, 1, 10)],
    ]
    assert chosen("k", ("a", "b", "c"), by_fold, one_se=False).value == "a"
    choice = chosen("k", ("a", "b", "c"), by_fold, one_se=True)
    assert choice.value == "b"
    assert choice.standard_errors[0] == pytest.approx(0.1)
    assert choice.n_leaves == (9, 4, 1)


def test_of_equals_the_smallest_then_the_first():
    even = [[Measure(0.2, leaves, 10) for leaves in (5, 3, 3)]] * 2
    assert chosen("k", ("a", "b", "c"), even, one_se=False).value == "b"
    unsized = [[Measure(0.2, float("nan"), 10)] * 2] * 2
    choice = chosen("k", ("a", "b"), unsized, one_se=True)
    assert choice.value == "a"
    assert isnan(choice.n_leaves[0])


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_joblib_says_where_and_not_what(backend):
    table = dt.datasets.truth_table("majority", 5)
    alone = dt.evaluate.cross_validate(dt.id3, table, 4)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert dt.evaluate.cross_validate(dt.id3, table, 4) == alone
        shared = dt.prune.choose_alpha(dt.id3, table, folds=4)
    assert shared == dt.prune.choose_alpha(dt.id3, table, folds=4)


@pytest.mark.parametrize("folds", [0, 1, 11, 2.5, True, None])
def test_folds_are_checked(folds):
    with pytest.raises(ValueError, match="folds="):
        dt.evaluate.cross_validate(dt.id3, dt.datasets.tax_fraud(), folds)


def test_what_it_does_not_take():
    table = dt.datasets.tax_fraud()
    with pytest.raises(TypeError, match=r"table must be a dt\.Table"):
        dt.evaluate.cross_validate(dt.id3, np.zeros((3, 2)))
    with pytest.raises(TypeError, match="gave a int"):
        dt.evaluate.cross_validate(len, table)
    with pytest.raises(ValueError, match="values is empty"):
        dt.evaluate.choose(dt.id3, table, "max_leaves", [])
    with pytest.raises(ValueError, match="cannot be given as max_leaves="):
        dt.evaluate.choose(dt.id3, table, "max_leaves", [2], max_leaves=3)
