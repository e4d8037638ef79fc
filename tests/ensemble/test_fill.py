"""Gaps filled by proximity, against rounds worked by hand and by a slow oracle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.ensemble import imputation
from dtree_lab.ensemble.imputation import fill_by_proximity
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.table.table import missing_of


def gappy():
    return dt.Table.from_columns(
        {
            "colour": ["red", "red", None, "blue", "blue"],
            "size": [1.0, 2.0, 4.0, 8.0, None],
            "y": ["n", "n", "n", "y", "y"],
        },
        target="y",
        missing="keep",
    )


def test_the_rough_beginning_is_medians_and_most_frequent_values():
    filled = fill_by_proximity(gappy(), rounds=0)
    assert filled.column("size") == [1.0, 2.0, 4.0, 8.0, 3.0]  # between 2 and 4
    # blue and red are two each: the first of the values wins.
    assert filled.column("colour") == ["red", "red", "blue", "blue", "blue"]


class FourTrees:
    """A forest that is not grown: where the five rows stop in each of four trees."""

    def stops(self, table):
        yield np.array(
            [
                # of rows 1 to 5
                [1, 1, 2, 2, 2],
                [1, 2, 1, 2, 2],
                [1, 2, 1, 3, 2],
                [1, 1, 1, 2, 2],
            ]
        )


def test_one_round_by_hand(monkeypatch):
    """What rows 3 and 5 share leaves with, tree by tree.

    Row 3 with row 1 in trees 2, 3 and 4, with row 2 in tree 4, with rows 4 and 5 in tree 1: red has
    weight 3 + 1, blue 1 + 1. Row 5 with row 2 in trees 2 and 3, with row 3 in tree 1, with row 4 in
    trees 1, 2 and 4: its size is (2 * 2 + 1 * 4 + 3 * 8) / 6.
    """
    monkeypatch.setattr(imputation, "random_forest", lambda *_, **__: FourTrees())
    filled = fill_by_proximity(gappy(), rounds=1)
    assert filled.column("colour") == ["red", "red", "red", "blue", "blue"]
    assert filled.column("size") == [1.0, 2.0, 4.0, 8.0, pytest.approx(32 / 6)]


class Lonely:
    """A tree in which no two rows meet."""

    def stops(self, table):
        yield np.arange(len(table))[None, :]


def test_a_row_that_is_near_to_none_keeps_what_it_has(monkeypatch):
    monkeypatch.setattr(imputation, "random_forest", lambda *_, **__: Lonely())
    assert fill_by_proximity(gappy(), rounds=3).column("size")[4] == 3.0


def slow_round(table, filled, forest):
    """Each gap from all known values of its column, weighted by the shares of common leaves."""
    stops = [tree.apply(filled) for tree in forest.trees]
    columns = [column.copy() for column in filled.columns]
    for i, column in enumerate(table.columns):
        gaps = missing_of(column)
        known = np.flatnonzero(~gaps)
        for row in np.flatnonzero(gaps):
            near = [sum(stop[row] == stop[k] for stop in stops) for k in known]
            if not sum(near):
                continue
            if table.attributes[i].values is None:
                columns[i][row] = np.average(column[known], weights=near)
            else:
                sums = [0.0] * table.attributes[i].n_values
                for k, weight in zip(known, near, strict=True):
                    sums[column[k]] += weight
                columns[i][row] = int(np.argmax(sums))
    return dt.Table(table.attributes, table.target, tuple(columns), table.labels)


@settings(max_examples=40, deadline=None)
@given(tables(gaps=True, max_rows=15), st.integers(0, 3))
def test_rounds_are_those_of_the_oracle(table, seed):
    assume(table.has_missing)
    filled = fill_by_proximity(table, rounds=0)
    for rounds in (1, 2):
        filled = slow_round(table, filled, random_forest(filled, n_trees=3, seed=seed))
        found = fill_by_proximity(table, rounds=rounds, n_trees=3, seed=seed)
        for mine, expected in zip(found.columns, filled.columns, strict=True):
            assert np.allclose(mine, expected)
        filled = found


@settings(max_examples=30, deadline=None)
@given(tables(gaps=True))
def test_gaps_are_filled_and_nothing_else_is_touched(table):
    filled = fill_by_proximity(table, rounds=2, n_trees=3)
    assert not filled.has_missing
    assert filled.attributes == table.attributes
    assert np.array_equal(filled.labels, table.labels)
    for before, after in zip(table.columns, filled.columns, strict=True):
        known = ~missing_of(before)
        assert np.array_equal(before[known], after[known])
        if before.dtype.kind == "f" and not known.all():  # a mean lies between the extremes
            assert after.min() >= before[known].min() - 1e-9
            assert after.max() <= before[known].max() + 1e-9


def test_numbers_are_predicted_from_too():
    table = dt.Table.from_columns(
        {"a": [1.0, 2.0, None, 8.0, 9.0], "y": [1.0, 1.1, 1.2, 5.0, 5.1]},
        target="y",
        missing="keep",
    )
    assert not fill_by_proximity(table, n_trees=10).has_missing


def test_the_rounds_are_told():
    table = gappy()
    events = dt.steps(fill_by_proximity, table, rounds=4, n_trees=20)
    filled = fill_by_proximity(table, rounds=4, n_trees=20)
    assert [event.round for event in events] == list(range(len(events)))
    for event in events:
        assert [(f.row, f.name) for f in event.fills] == [(2, "colour"), (4, "size")]
        assert event.n_changed == sum(f.before != f.value for f in event.fills)
    assert events[0].forest is None
    assert [f.before for f in events[0].fills] == [None, None]
    for earlier, later in pairwise(events):
        assert [f.value for f in earlier.fills] == [f.before for f in later.fills]
        assert later.forest.n_trees == 20
    last = [filled.column("colour")[2], filled.column("size")[4]]
    assert [f.value for f in events[-1].fills] == last
    assert len(events) == 5 or not events[-1].n_changed


def test_nothing_is_done_where_nothing_is_missing():
    table = dt.datasets.tax_fraud()
    assert fill_by_proximity(table).columns == table.columns
    assert len(dt.steps(fill_by_proximity, table)) == 1


def test_bad_input_is_named():
    with pytest.raises(TypeError, match=r"dt\.Table; got a list"):
        fill_by_proximity([])
    with pytest.raises(ValueError, match="rounds=-1 must be a whole number"):
        fill_by_proximity(gappy(), rounds=-1)
    table = gappy()
    empty = dt.Table(
        table.attributes, table.target, (table.columns[0], np.full(5, np.nan)), table.labels
    )
    with pytest.raises(ValueError, match="column 'size' has no value in any row"):
        fill_by_proximity(empty)
