"""A table that is counted where it lies is the table: by DuckDB and by polars."""

from __future__ import annotations

import datetime
from collections import Counter

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.table import scan as scanning
from dtree_lab.table.ticks import MOST_TICKS

GROWERS = [dt.id3, dt.c45, dt.cart, dt.stump]


def duck(frame):
    """A relation with a connection of its own, as DuckDB would read a file."""
    return duckdb.connect().from_arrow(frame.to_arrow())


ENGINES = {"polars": pl.DataFrame.lazy, "duckdb": duck}
engines = st.sampled_from(list(ENGINES.values()))


def frame_of(table):
    """The table's rows as a data frame, each row as often as it weighs."""
    names = [*table.names, table.target.name]
    return pl.DataFrame({name: table.column(name) for name in names}, strict=False)


def same(one, other):
    """Whether two tables are one, bit for bit."""
    pairs = zip(
        (*one.columns, one.labels, one.weights),
        (*other.columns, other.labels, other.weights),
        strict=True,
    )
    return (one.attributes, one.target) == (other.attributes, other.target) and all(
        np.array_equal(a, b, equal_nan=True) for a, b in pairs
    )


# -- few different rows: a table with weights ---------------------------------------------------


@settings(max_examples=100)
@given(tables(gaps=True), st.integers(1, 3), engines, st.randoms())
def test_a_scan_counts_each_different_row_once(table, times, engine, random):
    rows = list(table.rows()) * times
    random.shuffle(rows)
    scanned = dt.Table.scan(engine(pl.DataFrame(rows, strict=False)), "y", missing="keep")
    counted = Counter(tuple(row.items()) for row in rows)
    found = zip((tuple(row.items()) for row in scanned.rows()), scanned.weights, strict=True)
    assert dict(found) == counted


@settings(max_examples=60)
@given(tables(gaps=True), st.sampled_from(GROWERS), engines)
def test_a_scan_grows_the_trees_of_its_rows(table, grow, engine):
    scanned = dt.Table.scan(engine(frame_of(table)), "y", missing="keep")
    tree = grow(table)
    assert grow(scanned) == tree
    assert tree.error(scanned) == tree.error(table)


@settings(max_examples=60)
@given(tables(gaps=True), st.randoms())
def test_a_scan_is_the_same_table_in_whatever_order_rows_lie_and_by_every_engine(table, random):
    frame = frame_of(table)
    order = list(range(len(frame)))
    random.shuffle(order)
    first, *others = [
        dt.Table.scan(engine(rows), "y", missing="keep")
        for engine in ENGINES.values()
        for rows in (frame, frame[order])
    ]
    assert all(same(first, one) for one in others)


def test_rows_stand_in_the_order_of_their_values_with_gaps_last():
    frame = pl.DataFrame({"a": ["v", None, "u", "u"], "x": [1, 0, None, 2], "y": list("jjnj")})
    table = dt.Table.scan(frame.lazy(), "y", missing="keep")
    assert [tuple(row.values()) for row in table.rows()] == [
        ("u", 2.0, "j"),
        ("u", None, "n"),
        ("v", 1.0, "j"),
        (None, 0.0, "j"),
    ]


@each("engine", list(ENGINES.values()), ids=list(ENGINES))
def test_nan_and_null_are_one_gap_and_minus_nought_is_nought(engine):
    frame = pl.DataFrame({"x": [float("nan"), None, -0.0, 0.0], "y": ["a", "a", "b", "b"]})
    table = dt.Table.scan(engine(frame), "y", missing="keep")
    assert [row["x"] for row in table.rows()] == [0.0, None]
    assert table.weights.tolist() == [2, 2]


@each("engine", list(ENGINES.values()), ids=list(ENGINES))
def test_what_columns_are_is_ruled_as_by_the_other_doors(engine):
    frame = pl.DataFrame(
        {
            "size": pl.Series(["L", "S", "M", "S"], dtype=pl.Enum(["S", "M", "L"])),
            "word": pl.Series(["q", "p", "q", "q"], dtype=pl.Categorical),
            "truth": [True, False, True, None],
            "whole": [3, 1, 1, 3],
            "small": pl.Series([0.1, 0.2, 0.1, 0.3], dtype=pl.Float32),
            "y": [1, 0, 1, 0],
        }
    )
    options = {"missing": "keep", "target_kind": "discrete", "kinds": {"whole": "discrete"}}
    source = engine(frame)
    if engine is duck:  # which reads an enumeration of polars as text
        size = "size::ENUM ('S', 'M', 'L') AS size"
        source = source.project(f"{size}, word, truth, whole, small, y")
    scanned = dt.Table.scan(source, "y", **options)
    read = dt.Table.from_frame(frame.with_columns(pl.col("word").cast(pl.String)), "y", **options)
    assert scanned.attributes == read.attributes
    assert scanned.target == read.target
    assert scanned.attributes[0].values == ("S", "M", "L")
    assert Counter(map(str, scanned.rows())) == Counter(map(str, read.rows()))


def test_labels_that_are_numbers_are_numbers_with_the_doors_warning():
    frame = pl.LazyFrame({"x": [1, 2] * 5, "y": [0, 1] * 5})
    with pytest.warns(dt.TableWarning, match="target_kind='discrete'"):
        table = dt.Table.scan(frame, "y")
    assert table.target.kind == "continuous"
    assert dt.cart(table).error(table) == 0


def test_any_data_frame_is_counted_as_well():
    frame = pd.DataFrame({"x": [1.5, 1.5], "y": ["a", "a"]})
    assert dt.Table.scan(frame, "y").weights.tolist() == [2]


@each("engine", list(ENGINES.values()), ids=list(ENGINES))
def test_names_may_be_any_text(engine):
    frame = pl.DataFrame({'a "b".c': ["u", "v"], "c1": [1, 2], "label`s": ["a", "b"]})
    assert dt.Table.scan(engine(frame), "label`s").names == ('a "b".c', "c1")


@pytest.mark.parametrize("engine", list(ENGINES.values()), ids=list(ENGINES))
def test_what_no_table_holds_is_refused_by_column_and_without_a_row(engine):
    day = datetime.date(2024, 2, 29)
    wrong = {
        "column 'when' holds Date; a table holds text": {"when": [day], "y": ["a"]},
        r"column 'l' holds List": {"l": [[1, 2]], "y": ["a"]},
        "^column 'x' is infinite": {"x": [1.0, float("inf")], "y": ["a", "b"]},
        "^column 'x' has no value; fill it in": {"x": [1.0, None], "y": ["a", "b"]},
        "^column 'y' has no label": {"x": [1.0, 2.0], "y": ["a", None]},
        r"^column 'x' holds 9007199254740993, too large": {"x": [2**53 + 1], "y": ["a"]},
        "no column 'y'; the columns are 'x'": {"x": [1]},
        "the table is empty": {
            "x": pl.Series([], dtype=pl.Int64),
            "y": pl.Series([], dtype=pl.String),
        },
    }
    for message, columns in wrong.items():
        with pytest.raises((TypeError, ValueError), match=message):
            dt.Table.scan(engine(pl.DataFrame(columns)), "y")


def test_what_is_no_frame_is_told_what_would_be():
    with pytest.raises(TypeError, match=r"duckdb\.read_parquet.*got a str"):
        dt.Table.scan("rows.parquet", "y")
    with pytest.raises(ValueError, match="max_rows=0 must be a whole number, at least 1"):
        dt.Table.scan(pl.LazyFrame({"y": ["a"]}), "y", max_rows=0)


def test_rows_that_lack_a_value_are_left_out_where_that_is_said():
    frame = pl.LazyFrame({"x": [1.0, None, 2.0, 2.0], "y": ["a", "a", "b", None]})
    table = dt.Table.scan(frame, "y", missing="drop")
    assert list(table.rows()) == [{"x": 1.0, "y": "a"}, {"x": 2.0, "y": "b"}]


@each("engine", list(ENGINES.values()), ids=list(ENGINES))
def test_too_many_different_rows_are_not_fetched(engine):
    """Neither where the first rows tell nor where only all of them do."""
    apart = pl.DataFrame({"x": np.arange(1000), "y": ["a"] * 1000})
    late = pl.DataFrame({"x": np.repeat(np.arange(51), [900, *[2] * 50]), "y": ["a"] * 1000})
    for frame in (apart, late):
        with pytest.raises(ValueError, match="more than 50 rows differ; leave out"):
            dt.Table.scan(engine(frame), "y", max_rows=50)
    assert len(dt.Table.scan(engine(late), "y", max_rows=51)) == 51


def test_more_rows_than_costs_are_exact_for_are_counted_in_twos(monkeypatch):
    monkeypatch.setattr(scanning, "MOST_TICKS", 8)
    frame = pl.LazyFrame({"x": [1] * 9 + [2], "y": ["a"] * 9 + ["b"]})
    with pytest.warns(dt.TableWarning, match="10 rows .* a weight of 1 stands for 2 rows"):
        table = dt.Table.scan(frame, "y")
    assert table.weights.tolist() == [4, 1]
    assert MOST_TICKS == dt.criteria.classes.MOST_ROWS
