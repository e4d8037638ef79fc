"""Every way into a table, and every way bad input is refused."""

from __future__ import annotations

import math
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import dtree_lab as dt

GOOD = {
    "Refund": ["Yes", "No", "No"],
    "Income": [125, 100.5, 70],
    "Old": [True, False, True],
    "Cheat": ["No", "No", "Yes"],
}


def contents(table):
    return table.names, [a.kind for a in table.attributes], list(table.rows())


@pytest.mark.parametrize(
    "make",
    [
        lambda: dt.Table.from_columns(GOOD, target="Cheat"),
        lambda: dt.Table.from_columns({k: iter(v) for k, v in GOOD.items()}, target="Cheat"),
        lambda: dt.Table.from_columns({k: np.array(v) for k, v in GOOD.items()}, target="Cheat"),
        lambda: dt.Table.from_rows(
            [dict(zip(GOOD, row, strict=True)) for row in zip(*GOOD.values(), strict=True)],
            target="Cheat",
        ),
        lambda: dt.Table.from_rows(
            zip(*GOOD.values(), strict=True), target="Cheat", names=list(GOOD)
        ),
        lambda: dt.Table.from_frame(pd.DataFrame(GOOD, index=[7, 7, 9]), target="Cheat"),
        lambda: dt.Table.from_frame(pl.DataFrame(GOOD, strict=False), target="Cheat"),
        lambda: dt.Table.from_frame(pa.table(GOOD), target="Cheat"),
    ],
)
def test_every_way_in_gives_the_same_table(make):
    table = make()
    assert contents(table) == contents(dt.Table.from_columns(GOOD, target="Cheat"))
    assert table.attributes[0].values == ("No", "Yes")
    assert table.row(0) == {"Refund": "Yes", "Income": 125.0, "Old": True, "Cheat": "No"}


def test_a_csv_file(tmp_path):
    path = tmp_path / "tax.csv"
    path.write_text(
        '\ufeffRefund,Income,"Cheat, or not"\r\nYes,1e2,No\r\n"N""o",7,Yes\r\n', "utf-8"
    )
    table = dt.Table.read_csv(path, target="Cheat, or not")
    assert list(table.rows())[1] == {"Refund": 'N"o', "Income": 7.0, "Cheat, or not": "Yes"}


def test_kinds_and_their_order():
    table = dt.Table.from_columns(
        {"zip": [2, 10, 2], "size": ["M", "S", "M"], "y": [0, 1, 1]},
        target="y",
        kinds={"zip": "discrete", "size": ("S", "M", "L"), "y": "discrete"},
    )
    assert [a.values for a in (*table.attributes, table.target)] == [
        (2, 10),
        ("S", "M", "L"),
        (0, 1),
    ]
    assert table.columns[1].tolist() == [1, 0, 1]


def test_categories_keep_their_order():
    frame = pd.DataFrame(
        {"size": pd.Categorical(["M", "S"], categories=["S", "M", "L"]), "y": ["a", "b"]}
    )
    assert dt.Table.from_frame(frame, target="y").attributes[0].values == ("S", "M", "L")
    frame = pl.DataFrame({"s": ["M", "S"], "y": ["a", "b"]}, schema_overrides={"s": pl.Enum("SML")})
    assert dt.Table.from_frame(frame, target="y").attributes[0].values == ("S", "M", "L")


def test_columns_are_read_only():
    table = dt.Table.from_columns(GOOD, target="Cheat")
    with pytest.raises(ValueError, match="read-only"):
        table.columns[0][0] = 1


def test_the_callers_array_stays_the_callers():
    x = np.array([1.0, 2.0])
    table = dt.Table.from_columns({"x": x, "y": ["a", "b"]}, target="y")
    x[0] = 99
    assert table.column("x") == [1.0, 2.0]


def test_true_and_one_are_different_values():
    with pytest.raises(
        ValueError, match="row 2, column 'x' holds a number, 1, but row 1 holds a t"
    ):
        dt.Table.from_columns({"x": [True, 1], "y": ["a", "b"]}, target="y")


BAD = [
    ({"x": [1, 2], "y": ["a"]}, {}, ValueError, "'y' has 1 values and column 'x' has 2"),
    ({"x": [], "y": []}, {}, ValueError, "the table is empty"),
    ({}, {}, ValueError, "no column 'y'; there are no columns"),
    ({"x": [1], "Y": ["a"]}, {}, ValueError, "no column 'y'; the columns are 'x', 'Y'. Did you"),
    ({"x": [1, 2], "y": ["a", None]}, {}, ValueError, "row 2, column 'y' has no label"),
    ({"x": [1, math.nan], "y": ["a", "b"]}, {}, ValueError, "row 2, column 'x' has no value"),
    ({"x": ["u", None], "y": ["a", "b"]}, {}, ValueError, "row 2, column 'x' has no value"),
    ({"x": [1, math.inf], "y": ["a", "b"]}, {}, ValueError, "row 2, column 'x' is infinite"),
    ({"x": [1, "2"], "y": ["a", "b"]}, {}, ValueError, "row 2, column 'x' holds text, '2', but"),
    ({"x": [1, 2j], "y": ["a", "b"]}, {}, TypeError, "row 2, column 'x' holds a complex"),
    ({"x": [[1], [2]], "y": ["a", "b"]}, {}, TypeError, "row 1, column 'x' holds a list"),
    ({"x": [date(2020, 1, 1)], "y": ["a"]}, {}, TypeError, "column 'x' holds a date"),
    ({"x": [2**53 + 1], "y": ["a"]}, {}, ValueError, "row 1, column 'x' holds 9007199254740993"),
    ({"x": "abc", "y": ["a"]}, {}, TypeError, "column 'x' must be a sequence of values; got a str"),
    ({"x": 3, "y": ["a"]}, {}, TypeError, "column 'x' must be a sequence of values; got a int"),
    ({"x": np.eye(2), "y": ["a", "b"]}, {}, ValueError, "'x' must have one dimension"),
    ({"x": {"u", "v"}, "y": ["a", "b"]}, {}, TypeError, "'x' is a set, whose values have no order"),
    ({3: [1], "y": ["a"]}, {}, TypeError, "column 1 is named 3"),
    ({"x": ["u"], "y": ["a"]}, {"x": "continuous"}, ValueError, "row 1, column 'x' holds text"),
    ({"x": ["u"], "y": ["a"]}, {"x": "category"}, ValueError, r"kinds\['x'\] is 'category'"),
    ({"x": ["u"], "y": ["a"]}, {"z": "discrete"}, ValueError, "kinds: no column 'z'"),
    ({"x": ["u"], "y": ["a"]}, {"x": ("v",)}, ValueError, "row 1, column 'x' holds 'u', which is"),
    ({"x": ["u"], "y": ["a"]}, {"x": ("u", "u")}, ValueError, "names a value twice"),
]


@pytest.mark.parametrize(("columns", "kinds", "error", "says"), BAD)
def test_bad_columns_are_named(columns, kinds, error, says):
    with pytest.raises(error, match=says):
        dt.Table.from_columns(columns, target="y", kinds=kinds)


@pytest.mark.parametrize(
    ("rows", "names", "error", "says"),
    [
        ([], None, ValueError, "the table is empty"),
        ([(1, "a")], None, TypeError, "need names="),
        ([(1, "a"), (2,)], ["x", "y"], ValueError, "row 2 has 1 values for 2 columns"),
        ([(1, "a"), (2, "b", 3)], ["x", "y"], ValueError, "row 2 has 3 values for 2 columns"),
        ([{"x": 1, "y": "a"}, {"y": "b"}], None, ValueError, "row 2 has no 'x'"),
        ([{"x": 1, "y": "a"}, {"x": 1, "y": "b", "z": 3}], None, ValueError, "row 2 has 'z'"),
        ([(1, "a")], ["y", "y"], ValueError, "two columns are named 'y'"),
        (["ab"], ["x", "y"], TypeError, "row 1 is a str"),
        ([5], ["x", "y"], TypeError, "row 1 is a int"),
    ],
)
def test_ragged_rows_are_named(rows, names, error, says):
    with pytest.raises(error, match=says):
        dt.Table.from_rows(rows, target="y", names=names)


@pytest.mark.parametrize(
    ("frame", "error", "says"),
    [
        (pd.DataFrame([[1, 2, "a"]], columns=["x", "x", "y"]), ValueError, "two columns|unique"),
        (pd.DataFrame({"x": [1.0, None], "y": ["a", "b"]}), ValueError, "row 2, column 'x' has no"),
        (pl.DataFrame({"x": [1, None], "y": ["a", "b"]}), ValueError, "row 2, column 'x' has no"),
        (
            pd.DataFrame({"x": pd.to_datetime(["2020-01-01"]), "y": ["a"]}),
            TypeError,
            "row 1, column",
        ),
        (pd.DataFrame({0: [1], "y": ["a"]}), TypeError, "column 1 is named 0"),
        ("nonsense", TypeError, "must be a pandas, polars or Arrow data frame"),
    ],
)
def test_bad_frames_are_named(frame, error, says):
    with pytest.raises(error, match=says):
        dt.Table.from_frame(frame, target="y")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty"),
        ("x,y\n", "at least one row"),
        ("x,y\n1,a\n2\n", "row 2 has 1 values for 2 columns"),
        ("x,x,y\n1,2,a\n", "two columns are named 'x'"),
        (
            "x,y\n1,a\nn/a,b\n",
            r"row 2, column 'x' holds 'n/a', which is not a number.*na=\('', 'n/a'",
        ),
        ("x,y\n1,a\n,b\n", "row 2, column 'x' has no value"),
        ("x,y\n1,a\ninf,b\n", "row 2, column 'x' is infinite"),
        ('x,y\n1,"a\n', "not a CSV file"),
        ("x;y\n1;a\n", "a single name, 'x;y'.*say delimiter=';'"),
        ('x,y\n"1,5",a\n"2,5",b\n', "row 1, column 'x' holds '1,5', as do all its rows"),
        ('x,y\n"1,000",a\n', "without commas between thousands"),
    ],
)
def test_bad_csv_files_are_named(tmp_path, text, says):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=says):
        dt.Table.read_csv(path, target="y")


def test_what_only_looks_like_a_number_stays_text(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("code,y\n01067,a\n04109,b\n")
    assert dt.Table.read_csv(path, target="y").column("code") == ["01067", "04109"]
    path.write_text("x,y\n0,a\n0.5,b\n-0.25,b\n 7,b\n")
    assert dt.Table.read_csv(path, target="y").column("x") == [0.0, 0.5, -0.25, 7.0]


def test_a_file_in_another_encoding_says_so(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes("x,y\nä,a\n".encode("latin-1"))
    with pytest.raises(ValueError, match="not utf-8-sig text"):
        dt.Table.read_csv(path, target="y")
    assert dt.Table.read_csv(path, target="y", encoding="latin-1").column("x") == ["ä"]


def test_what_missing_can_mean(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("x,w,y\n1,u,a\nNA,v,b\n3,NA,b\n")
    dropped = dt.Table.read_csv(path, "y", na=("", "NA"), missing="drop")
    assert list(dropped.rows()) == [{"x": 1.0, "w": "u", "y": "a"}]
    kept = dt.Table.read_csv(path, "y", na=("", "NA"), missing="keep")
    assert kept.has_missing
    assert kept.row(1) == {"x": None, "w": "v", "y": "b"}
    with pytest.raises(ValueError, match="missing='guess' is not one of"):
        dt.Table.from_columns(GOOD, "Cheat", missing="guess")
    with pytest.raises(ValueError, match="leaves no row"):
        dt.Table.from_columns({"x": [None], "y": ["a"]}, "y", missing="drop")


def test_a_name_that_is_no_attribute_is_answered_with_those_that_are():
    table = dt.Table.from_columns(GOOD, target="Cheat")
    with pytest.raises(ValueError, match=r"no attribute 'refund'.*Did you mean 'Refund'"):
        table.index("refund")
    with pytest.raises(ValueError, match="It is the target"):
        table.index("Cheat")
    with pytest.raises(IndexError, match="no row 3"):
        table.row(3)


@pytest.mark.parametrize(
    ("rows", "error", "says"),
    [
        ([], ValueError, "no rows to take"),
        (np.zeros(10, dtype=bool), ValueError, "no rows to take"),
        ([99], IndexError, "no row 99: the table has 10 rows"),
        ([0, -11], IndexError, "no row -11"),
    ],
)
def test_rows_that_cannot_be_taken(rows, error, says):
    with pytest.raises(error, match=says):
        dt.datasets.tax_fraud().take(rows)


def test_taking_rows_keeps_all_values():
    table = dt.datasets.tax_fraud().take([0])
    assert table.attribute("Marital Status").values == ("Single", "Married", "Divorced")
    assert table.counts().tolist() == [1, 0]


@pytest.mark.parametrize(
    ("function", "trues"), [("or", 7), ("and", 1), ("xor", 4), ("majority", 4)]
)
def test_truth_tables(function, trues):
    table = dt.datasets.truth_table(function, 3)
    assert table.n_rows == 8
    assert table.column(function).count("T") == trues


def test_truth_tables_refuse_what_they_are_not():
    with pytest.raises(ValueError, match="function='nand'"):
        dt.datasets.truth_table("nand", 2)
    with pytest.raises(ValueError, match="n=0"):
        dt.datasets.truth_table("or", 0)
