"""A table that is counted where it lies is the table: by DuckDB and by polars."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import recipes, tables

import dtree_lab as dt
from dtree_lab.grow.engine import counted as counting
from dtree_lab.grow.engine.counted import grow_counted
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.table import scan as scanning
from dtree_lab.table.ticks import MOST_TICKS
from dtree_lab.tree.splits import midpoint

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
    frame = pl.LazyFrame({"x": [1, 2, 3] * 4, "y": [0, 1, 2] * 4})
    with pytest.warns(dt.TableWarning, match="target_kind='discrete'"):
        table = dt.Table.scan(frame, "y")
    assert table.target.kind == "continuous"
    assert dt.cart(table).error(table) == 0


@each(("engine", "max_rows"), [(e, m) for e in ENGINES.values() for m in (0, 100)])
def test_two_whole_numbers_as_labels_are_classes_here_too(engine, max_rows):
    rows = pl.DataFrame({"x": ["a", "b", "b"] * 20, "y": [0.0, 0.0, 1.0] * 20})
    with pytest.warns(dt.TableWarning, match="target 'y' holds only .*target_kind='discrete'"):
        scan = dt.Table.scan(engine(rows), "y", max_rows=max_rows)
    with pytest.warns(dt.TableWarning):
        assert dt.cart(scan) == dt.cart(dt.Table.from_frame(rows, "y"))


@each(("engine", "max_rows"), [(e, m) for e in ENGINES.values() for m in (0, 100)])
def test_what_is_left_out_is_not_counted_and_different_rows_are_no_ids(engine, max_rows):
    words = [f"w{i % 30}" for i in range(90)]
    labels = ["no" if i % 30 < 9 else "yes" for i in range(90)]
    rows = pl.DataFrame({"id": range(90), "word": words, "y": labels})
    scan = dt.Table.scan(engine(rows), "y", drop="id", max_rows=max_rows)
    assert [a.name for a in scan.attributes] == ["word"]
    assert dt.id3(scan).error(scan) == 0
    with pytest.raises(ValueError, match="drop: no column 'di'"):
        dt.Table.scan(engine(rows), "y", drop="di")


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
        for max_rows in (0, 9):
            with pytest.raises((TypeError, ValueError), match=message):
                dt.Table.scan(engine(pl.DataFrame(columns)), "y", max_rows=max_rows)


def test_what_is_no_frame_is_told_what_would_be():
    with pytest.raises(TypeError, match=r"duckdb\.read_parquet.*got a str"):
        dt.Table.scan("rows.parquet", "y")
    with pytest.raises(ValueError, match="max_rows=-1 must be a whole number, at least 0"):
        dt.Table.scan(pl.LazyFrame({"y": ["a"]}), "y", max_rows=-1)


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
        assert isinstance(dt.Table.scan(engine(frame), "y", max_rows=50), dt.Scan)
    assert len(dt.Table.scan(engine(late), "y", max_rows=51)) == 51


def test_more_rows_than_costs_are_exact_for_are_counted_in_twos(monkeypatch):
    monkeypatch.setattr(scanning, "MOST_TICKS", 8)
    frame = pl.LazyFrame({"x": [1] * 9 + [2], "y": ["a"] * 9 + ["b"]})
    with pytest.warns(dt.TableWarning, match="10 rows .* a weight of 1 stands for 2 rows"):
        table = dt.Table.scan(frame, "y")
    assert table.weights.tolist() == [4, 1]
    assert MOST_TICKS == dt.criteria.classes.MOST_ROWS


# -- many: grown from counts --------------------------------------------------------------------


def scan_of(table, engine, **more):
    return dt.Table.scan(engine(frame_of(table)), "y", missing="keep", max_rows=0, **more)


@settings(max_examples=100)
@given(tables(gaps=True), recipes(), engines)
def test_what_is_grown_from_counts_is_what_is_grown_from_rows(table, asked, engine):
    """The law, for every recipe: also those that no grower has."""
    assert grow_counted(scan_of(table, engine), asked) == grow_tree(table, asked)


def deep():
    """Sixty rows of all kinds, with gaps, on which trees grow deep."""
    rng = np.random.default_rng(5)
    words = rng.choice(["p", "q", "r", None], 60)
    columns = {
        "word": words,
        "x": np.where(rng.random(60) < 0.1, np.nan, rng.integers(0, 40, 60) / 7),
        "truth": rng.random(60) < 0.5,
        "n": rng.integers(0, 9, 60),
        "y": rng.choice(["a", "b", "c"], 60, p=[0.2, 0.3, 0.5]),
    }
    kinds = {"n": "discrete"}
    return dt.Table.from_columns(columns, "y", missing="keep", kinds=kinds)


@each("engine", list(ENGINES.values()), ids=list(ENGINES))
def test_deep_trees_are_grown_from_counts_too(engine):
    table = deep()
    scan = scan_of(table, engine, kinds={"n": "discrete"})
    for grow, limits in (
        (dt.id3, {}),
        (dt.cart, {"max_leaves": 20}),
    ):
        tree = grow(table, **limits)
        assert tree.depth > 4
        assert grow(scan, **limits) == tree
        assert tree.error(scan) == tree.error(table)
    assert dt.prune.reduced_error(tree, scan) == dt.prune.reduced_error(tree, table)


@settings(max_examples=60)
@given(tables(gaps=True), st.sampled_from(GROWERS), engines, st.data())
def test_errors_and_pruning_count_as_they_do_in_rows(table, grow, engine, data):
    """Of other rows, too, which may have values and classes that the tree has never seen."""
    other = data.draw(tables(gaps=True))
    if not set(table.names) <= set(other.names):
        other = table
    if any(other.attribute(a.name).kind != a.kind for a in table.attributes):
        other = table
    scan, tree = scan_of(other, engine), grow(table)
    assert tree == grow(scan_of(table, engine))
    assert tree.error(scan) == tree.error(other)
    assert dt.prune.reduced_error(tree, scan) == dt.prune.reduced_error(tree, other)


def test_a_pass_counts_several_columns_where_they_have_few_combinations():
    columns = {name: [f"{name}{i % 9}" for i in range(99)] for name in "abcdefgh"}
    scan = scan_of(dt.Table.from_columns({**columns, "y": list("pq") * 49 + ["p"]}, "y"), duck)
    few, many = scan.together(1), scan.together(1000)
    assert [i for group in few for i in group] == [i for group in many for i in group]
    assert [len(group) for group in few] == [3, 3, 2]
    assert [len(group) for group in many] == [1] * 8


SKEWED = {
    "even": np.linspace(0, 1, 5000),
    "lognormal": np.exp(np.random.default_rng(1).normal(size=5000) * 3),
    "an outlier": np.append(np.linspace(0, 1, 4999), 1e15),
    "half are nought": np.append(np.zeros(2500), np.random.default_rng(2).normal(size=2500)),
    "two heaps": np.append(np.linspace(0, 1e-6, 2500), np.linspace(1e9, 1e9 + 1, 2500)),
    "all there is": np.linspace(-1, 1, 5000) * 1.7e308,
}


@pytest.mark.filterwarnings("ignore::dtree_lab.TableWarning")
@each("x", list(SKEWED.values()), ids=list(SKEWED))
def test_cells_follow_one_another_and_none_is_wide(x):
    """However numbers are spread, a cell holds few rows or one number alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "MOST_VALUES", 60)
        scan = dt.Table.scan(pl.LazyFrame({"x": x, "y": ["a", "b"] * 2500}), "y", max_rows=0)
    assert scan.coarse == ("x",)
    counted = scan.count(0, [0])
    rank, (least, most) = counted.ranks[0], counted.ends
    for r in np.unique(rank):
        here = rank == r
        inside = (x >= least[here].min()) & (x <= most[here].max())
        assert inside.sum() == counted.times[here].sum()
        assert inside.sum() <= 5000 / 50 or len(np.unique(x[inside])) == 1
    assert rank.max() < scan.n_ranks(0)
    assert most[rank == rank.min()].max() < least[rank == rank.max()].min()


@pytest.mark.filterwarnings("ignore::dtree_lab.TableWarning")
@settings(max_examples=60)
@given(tables(gaps=True), recipes(), engines)
def test_coarse_numbers_grow_the_tree_of_their_cells_cut_between_their_rows(table, asked, engine):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "MOST_VALUES", 30)  # for words
        patch.setattr(scanning, "_CELLS", 2)
        scan = scan_of(table, engine)
        cut = [i for i, a in enumerate(table.attributes) if a.values is None]
        patch.setattr(scanning, "MOST_VALUES", 2)
        cut = [i for i in cut if len(np.unique(known(table.columns[i]))) > 2]
        ends = [known(table.columns[i]) if i in cut else x for i, x in enumerate(scan.numbers)]
        names = tuple(table.names[i] for i in cut)
        scan = replace(
            scan,
            coarse=names,
            numbers=tuple(
                np.unique(x)[[0, len(np.unique(x)) // 2, -1]] if i in cut else x
                for i, x in enumerate(ends)
            ),
        )
        tree = grow_counted(scan, asked)
        columns = list(table.columns)
        for i in cut:
            counted = scan.count(0, [i])
            rank, (least, most) = counted.ranks[i], counted.ends
            columns[i] = np.full(len(table), np.nan)
            for r in set(rank[rank >= 0]):
                here = rank == r
                low, high = least[here].min(), most[here].max()
                columns[i][(table.columns[i] >= low) & (table.columns[i] <= high)] = r
    in_cells = grow_tree(replace(table, columns=tuple(columns)), asked)
    for field in ("attr", "first", "width", "start", "routes", "counts"):
        assert np.array_equal(getattr(tree, field), getattr(in_cells, field)), field
    # The cuts are those between neighbours among the rows of the node, as ever.
    rows = {0: np.arange(len(table))}
    for node in range(tree.n_nodes):
        split = tree.split(node, table.attributes)
        if split is None:
            continue
        column = table.columns[split.attribute][rows[node]]
        branch = split.branch(column)
        for b in range(split.n_branches):
            rows[int(tree.first[node]) + b] = rows[node][branch == b]
        if split.attribute in cut:
            low, high = column[branch == 0].max(), column[branch == 1].min()
            assert split.cuts == tuple(midpoint(np.array([low]), np.array([high])))


def known(column):
    return column[~np.isnan(column)]


@settings(max_examples=60)
@given(tables(gaps=True), recipes())
def test_more_rows_than_costs_are_exact_for_are_counted_in_threes(table, asked):
    """A tree has the rows' own counts; what it asks is asked of a third of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "MOST_TICKS", 2 * len(table))
        threefold = table.take(np.repeat(np.arange(len(table)), 3))
        tree = grow_counted(scan_of(threefold, pl.DataFrame.lazy), asked)
    third = grow_tree(table, replace(asked, unit=Fraction(1, 3)))
    assert replace(third, counts=3 * third.counts) == tree


def test_a_scan_says_what_it_cannot_do():
    frame = pl.LazyFrame({"x": range(40), "w": [f"w{i}" for i in range(40)], "y": list("ab") * 20})
    scan = dt.Table.scan(frame, "y", max_rows=5)
    table = dt.Table.from_frame(frame.collect(), "y")
    for call in (dt.random_forest, dt.adaboost, dt.compare, dt.id3(table).predict):
        with pytest.raises(TypeError, match=r"dt\.Scan|got a Scan"):
            call(scan)
    for ask in (lambda: list(dt.steps(dt.cart, scan)), lambda: scan.counts):
        with pytest.raises((AttributeError, TypeError), match=r"needs rows, and a dt\.Scan only"):
            ask()
    with pytest.raises(AttributeError, match="'report' needs rows"):
        _ = scan.report
    with pytest.raises(ValueError, match=r"release=8 .* needs rows"):
        dt.c45(scan, release=8)
    with pytest.raises(ValueError, match="leaf='line' is for a continuous target"):
        dt.cart(scan, leaf="line")
    with pytest.raises(ValueError, match="criterion='variance' must be one of"):
        dt.cart(scan, criterion="variance")
    cut = dt.stump(dt.Table.from_columns({"x": [1, 2], "y": ["a", "b"]}, "y"))
    with pytest.raises(ValueError, match="the table has no 'x'; it has 'w'"):
        cut.error(dt.Table.scan(frame.drop("x"), "y", max_rows=0))
    words = dt.Table.scan(frame, "y", kinds={"x": "discrete"}, max_rows=0)
    with pytest.raises(ValueError, match="'x' is continuous in the tree but discrete in the table"):
        cut.error(words)
    with pytest.raises(ValueError, match="the target 'x' holds numbers"):
        dt.Table.scan(frame, "x", max_rows=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "MOST_VALUES", 39)
        with pytest.raises(ValueError, match="column 'w' has more than 39 different values"):
            dt.Table.scan(frame, "y", max_rows=5)
        with pytest.raises(ValueError, match=r"the target 'w' holds .* very many different values"):
            dt.Table.scan(frame.drop("y"), "w", max_rows=5)
        with pytest.warns(dt.TableWarning, match="^'x': more than 39 different numbers"):
            dt.Table.scan(frame.drop("w"), "y", max_rows=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_MOST_NODES", 1)
        with pytest.raises(ValueError, match=r"2 nodes are open at depth 1, .* say max_depth="):
            dt.id3(dt.Table.scan(frame_of(dt.datasets.tax_fraud()), "Cheat", max_rows=0))
