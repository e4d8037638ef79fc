"""Every way into a table, and every way bad input is refused."""

from __future__ import annotations

import datetime as when
import io
import math
import re
import warnings
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from cases import each
from sklearn.datasets import load_iris

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


# -- what could be meant in two ways --------------------------------------------------------------


def every_door(columns, **said):
    """The table of each way in, by its name; a function, so that each can be tried."""
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    text = "\n".join(",".join(map(str, row)) for row in [columns, *(r.values() for r in rows)])
    return {
        "from_columns": lambda: dt.Table.from_columns(columns, "y", **said),
        "from arrays": lambda: dt.Table.from_columns(
            {k: np.array(v) for k, v in columns.items()}, "y", **said
        ),
        "from_rows": lambda: dt.Table.from_rows(rows, "y", **said),
        "pandas": lambda: dt.Table.from_frame(pd.DataFrame(columns), "y", **said),
        "polars": lambda: dt.Table.from_frame(pl.DataFrame(columns), "y", **said),
        "Arrow": lambda: dt.Table.from_frame(pa.table(columns), "y", **said),
        "read_csv": lambda: dt.Table.read_csv(io.StringIO(text), "y", **said),
    }


TWO = ([0, 1, 1, 0], [-1, 1, 1, -1], [2, 1, 1, 2], [0.0, 1.0, 1.0, 0.0], [7, 7, 9, 7])


def test_two_different_whole_numbers_are_classes_at_every_door_and_it_is_said():
    for labels in TWO:
        columns = {"x": [1.5, 2.5, 3.5, 4.5], "y": labels}
        said_so = every_door(columns, target_kind="discrete")
        numbers = every_door(columns, kinds={"y": "continuous"})
        for door, make in every_door(columns).items():
            with pytest.warns(dt.TableWarning) as said:
                table = make()
            (warning,) = said
            assert warning.filename == __file__, f"{door} warns of its own line"
            message = str(warning.message)
            low, high = (f"{label:.0f}" for label in sorted(set(labels)))
            assert f"'y' holds only the whole numbers {low} and {high}, taken as classes" in message
            assert "If they are numbers, say target_kind='continuous'" in message, door
            assert table.classes == tuple(sorted(set(labels))), door
            assert table.column("y") == labels, door
            assert "class to predict: y" in repr(table), door
            assert numbers[door]().target.kind == "continuous", door
            assert [type(label) for label in table.classes] == [int, int], door
            if isinstance(
                labels[0], int
            ):  # else the words of a file are 0.0 and 1.0 if one says so
                assert table.classes == said_so[door]().classes, door


def test_of_two_numbers_gaps_are_no_third_and_a_file_has_them_whole():
    text = "x,y\n1,0.0\n2,\n3,1\n4,1\n"
    frame = pd.read_csv(io.StringIO(text))
    with pytest.warns(dt.TableWarning, match="numbers 0 and 1, taken as classes"):
        file = dt.Table.read_csv(io.StringIO(text), "y", missing="drop")
    with pytest.warns(dt.TableWarning, match="numbers 0 and 1, taken as classes"):
        assert dt.Table.from_frame(frame, "y", missing="drop").column("y") == [0, 1, 1]
    assert list(map(repr, file.column("y"))) == ["0", "1", "1"]


@each("labels", [[80, 100], [0.5, 1.5, 0.5], [0.0, 1.5, 0.0], [2, 2, 2], [0, 1, 2, 2]])
def test_other_numbers_stay_numbers_to_predict(labels):
    columns = {"x": [float(i) for i in range(len(labels))], "y": labels}
    for door, make in every_door(columns).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dt.TableWarning)
            assert make().target.kind == "continuous", door


def test_labels_of_few_whole_numbers_are_asked_about_at_every_door():
    for labels in ([0, 1, 2, 2], [5, 5, 7, 9], [3, 3, 3, 3]):
        columns = {"x": [1.5, 2.5, 3.5, 4.5], "y": labels}
        for door, make in every_door(columns).items():
            with pytest.warns(dt.TableWarning) as said:
                table = make()
            (warning,) = said
            assert warning.filename == __file__, f"{door} warns of its own line"
            message = str(warning.message)
            assert "the target 'y' holds only the whole number" in message, door
            assert "target_kind='discrete'" in message, door
            assert "target_kind='continuous'" in message, door
            assert table.target.kind == "continuous", f"{door}: {labels} flip without a word"
            assert "number to predict: y" in repr(table), door


def test_each_door_is_told_which_way_it_is():
    columns = {"x": [1.5, 2.5, 3.5, 4.5], "y": [0, 1, 1, 10]}
    for said, kind, answers in [
        ({"target_kind": "discrete"}, "discrete", (0, 1, 10)),
        ({"kinds": {"y": "discrete"}}, "discrete", (0, 1, 10)),
        ({"target_kind": "discrete", "kinds": {"y": (10, 1, 0)}}, "discrete", (10, 1, 0)),
        ({"target_kind": "continuous"}, "continuous", None),
        ({"kinds": {"y": "continuous"}}, "continuous", None),
    ]:
        for door, make in every_door(columns, **said).items():
            table = make()  # and a warning would be an error
            assert (table.target.kind, table.target.values) == (kind, answers), (door, said)
            assert table.column("y") == columns["y"], (door, said)
            what = "class to predict: y" if answers else "number to predict: y"
            assert what in repr(table), (door, said)
            assert what in table._repr_mimebundle_()["text/html"], (door, said)


def test_numbers_that_are_no_set_of_labels_are_not_asked_about():
    for labels in ([0.5, 1, 1, 0], list(range(1, 12)) * 2, [3, 4, 6, 5], [True, False, True, True]):
        columns = {"x": [float(i) for i in range(len(labels))], "y": labels}
        for door, make in every_door(columns).items():
            if not isinstance(labels[0], bool) or door != "read_csv":  # to which it is text
                assert make().n_rows == len(labels), door


def test_the_commonest_frame_of_all():
    frame = load_iris(as_frame=True).frame
    with pytest.warns(dt.TableWarning, match="whole numbers 0, 1 and 2, taken as numbers"):
        dt.Table.from_frame(frame, "target")
    table = dt.Table.from_frame(frame, "target", target_kind="discrete")
    assert dt.id3(table).predict(dict(frame.iloc[0])) == 0


def test_words_for_missing_are_asked_about():
    columns = {"x": ["u", "NA", "?", "NA"], "y": ["a", "b", "b", "a"]}
    for door, make in every_door(columns).items():
        with pytest.warns(dt.TableWarning, match="'x' holds '\\?' in 1 row and 'NA' in 2 rows"):
            make()
        for make_it in every_door(columns, kinds={"x": "discrete"}).values():
            assert make_it().column("x") == columns["x"], door
    with pytest.warns(dt.TableWarning, match="'x' holds '\\?' in 1 row beside numbers.*as numbers"):
        dt.Table.from_columns({"x": ["39", "?", "50"], "y": list("aba")}, "y")
    with pytest.warns(dt.TableWarning, match="column 'y' holds 'n/a' in 1 row"):
        dt.Table.from_columns({"x": [1, 2], "y": ["a", "n/a"]}, "y")
    signs = dt.Table.from_columns({"x": ["none", "no"], "y": ["+", "-"]}, "y")
    assert signs.classes == ("+", "-")
    assert dt.Table.from_columns({"x": [1, 2], "y": ["-", "-"]}, "y").classes == ("-",)


def test_values_that_differ_by_blanks_are_asked_about():
    columns = {"x": [1.5, 2.5], "y": ["no", "no "]}
    for make in every_door(columns).values():
        with pytest.warns(dt.TableWarning, match="'no' and 'no ': they differ by blanks only"):
            assert make().classes == ("no", "no ")


def test_a_tree_knows_whole_numbers_and_their_digits_as_the_same_names():
    text = "zip,y\n2,a\n10,b\n"
    known = dt.Table.read_csv(io.StringIO(text), "y", kinds={"zip": "discrete"})
    assert known.attributes[0].values == (2, 10)
    tree = dt.id3(known)
    assert tree.predict([{"zip": 10}, {"zip": "10"}, {"zip": 2}]).tolist() == ["b", "b", "a"]
    as_text = dt.Table.read_csv(io.StringIO(text), "y", kinds={"zip": ("10", "2")})
    assert tree.error(as_text) == 0
    assert dt.id3(as_text).error(known) == 0
    assert dt.id3(as_text).predict({"zip": 10}) == "b"
    with pytest.raises(TypeError, match="takes a value such as 2; got 'ten'"):
        tree.predict({"zip": "ten"})


def test_labels_from_a_file_are_those_from_a_frame():
    text = "x,y\n1,0\n2,1\n3,10\n"
    file = dt.Table.read_csv(io.StringIO(text), "y", target_kind="discrete")
    frame = dt.Table.from_frame(pd.read_csv(io.StringIO(text)), "y", target_kind="discrete")
    assert file.classes == frame.classes == (0, 1, 10)
    assert [type(v) for v in file.classes] == [type(v) for v in frame.classes]
    for label in ("007", "1.0", "+1", "1e3", " 1", "-0", "9007199254740993"):
        kept = dt.Table.read_csv(io.StringIO(f"x,y\n1,2\n2,{label}\n"), "y", target_kind="discrete")
        assert kept.column("y") == ["2", label], "written as a number, it would be another text"


# -- what frames and arrays bring ------------------------------------------------------------------


def test_what_is_masked_is_missing():
    labels = ["a", "b", "a"]
    for masked in (
        np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0]),
        np.ma.array([1, 2, 3], mask=[0, 1, 0]),
        [1, np.ma.masked, 3],
    ):
        table = dt.Table.from_columns({"x": masked, "y": labels}, "y", missing="keep")
        assert table.column("x") == [1.0, None, 3.0]
    words = np.ma.array(["u", "v", "w"], mask=[0, 1, 0])
    table = dt.Table.from_columns({"x": words, "y": labels}, "y", missing="keep")
    assert table.column("x") == ["u", None, "w"]
    whole = np.ma.array([1, 2, 3])
    assert dt.Table.from_columns({"x": whole, "y": labels}, "y").column("x") == [1.0, 2.0, 3.0]


def test_columns_without_any_value_are_of_the_kind_that_their_type_or_the_caller_says():
    labels = ["a", "b"]
    nothing = [None, None]
    frames = {
        "numpy": {"x": np.array([np.nan, np.nan]), "y": labels},
        "pandas": pd.DataFrame({"x": [math.nan, math.nan], "y": labels}),
        "pandas Int64": pd.DataFrame({"x": pd.array(nothing, dtype="Int64"), "y": labels}),
        "polars": pl.DataFrame({"x": pl.Series(nothing, dtype=pl.Float64), "y": labels}),
        "Arrow": pa.table({"x": pa.array(nothing, pa.float64()), "y": labels}),
    }
    for name, frame in frames.items():
        door = dt.Table.from_columns if isinstance(frame, dict) else dt.Table.from_frame
        table = door(frame, "y", missing="keep")
        assert (table.attributes[0].kind, table.column("x")) == ("continuous", nothing), name
        assert dt.id3(table).n_nodes == 1, name
    plain = {"x": nothing, "y": labels}
    for kind in ("continuous", "discrete", ("u", "v")):
        table = dt.Table.from_columns(plain, "y", kinds={"x": kind}, missing="keep")
        assert table.column("x") == nothing
        assert table.attributes[0].kind == (kind if isinstance(kind, str) else "discrete")
        assert dt.id3(table).n_nodes == 1


def test_frames_of_every_make_give_the_right_value():
    words, y = ["u", "v", "u"], ["a", "b", "a"]
    arrow = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    made = {
        "Arrow dictionary": (pa.table({"x": pa.array(words).dictionary_encode(), "y": y}), words),
        "pandas over an Arrow dictionary": (
            pd.DataFrame({"x": pd.Series(words, dtype=arrow), "y": y}),
            words,
        ),
        "polars Int128": (
            pl.DataFrame({"x": pl.Series([1, 2, 3], dtype=pl.Int128), "y": y}),
            [1.0, 2.0, 3.0],
        ),
        "polars decimal": (
            pl.DataFrame({"x": pl.Series(["1.5", "2", "3"]).cast(pl.Decimal(9, 2)), "y": y}),
            [1.5, 2.0, 3.0],
        ),
        "Arrow decimal": (
            pa.table({"x": pa.array([Decimal("1.5"), None, Decimal(3)]), "y": y}),
            [1.5, None, 3.0],
        ),
        "pandas decimal": (
            pd.DataFrame({"x": [Decimal("1.5"), Decimal("NaN"), None], "y": y}),
            [1.5, None, None],
        ),
        "long floats": (
            pd.DataFrame({"x": np.array([1, 2, 3], dtype=np.longdouble), "y": y}),
            [1.0, 2.0, 3.0],
        ),
    }
    for name, (frame, wanted) in made.items():
        table = dt.Table.from_frame(frame, "y", missing="keep")
        assert table.column("x") == wanted, name
        if None not in wanted:  # the same frame is read to predict
            assert dt.id3(table).predict(frame).tolist() == y, name
    decimals = {"x": [Decimal(2), Decimal("0.5"), Decimal("sNaN")], "y": y}
    table = dt.Table.from_columns(decimals, "y", missing="keep")
    assert table.column("x") == [2.0, 0.5, None]
    classes = {"x": [1, 2], "y": [Decimal(0), Decimal(1)]}
    assert dt.Table.from_columns(classes, "y", target_kind="discrete").classes == (0, 1)


def test_the_recipe_for_what_a_table_cannot_hold_makes_what_it_can():
    day, span = date(2020, 1, 31), when.timedelta(hours=3)
    columns = {
        "dates": [day, day + span * 24],
        "times within a day": pl.Series(
            [when.datetime(2020, 1, 31, h, tzinfo=when.UTC) for h in (3, 15)]
        ),
        "a gap": [None, day],
        "pandas' gap": pd.to_datetime(["2020-01-31", None]),
        "times of day": [when.time(3, 30), when.time(4)],
        "spans": [span, 2 * span],
        "NumPy's dates": np.array(["2020-01-31", "2020-02-01"], dtype="datetime64[ns]"),
        "NumPy's spans": np.array([1, 2], dtype="timedelta64[ns]"),
        "pandas' dates": pd.to_datetime(["2020-01-31", "2020-02-01"]),
        "pandas' periods": pd.period_range("2020", periods=2, freq="Y"),
        "pandas' intervals": pd.cut([1, 5], 2),
        "polars' dates": pl.Series([day, day + span * 24]),
        "lists": [[1], [2]],
        "bytes": [b"u", b"v"],
        "complex numbers": [1j, 2j],
    }
    for name, column in columns.items():
        with pytest.raises(TypeError, match=r"column 'x' holds an?.*so turn it into") as told:
            dt.Table.from_columns({"x": column, "y": ["a", "b"]}, "y", missing="keep")
        recipe = re.search(r"\[[^\[]* for v in column\]", str(told.value))[0]
        made = eval(recipe, {"column": column})  # noqa: S307 - the advice, followed
        table = dt.Table.from_columns({"x": made, "y": ["a", "b"]}, "y", missing="keep")
        assert len(set(table.column("x"))) == table.n_rows == 2, name


def test_a_frames_row_is_refused_with_what_to_give():
    frame = pd.DataFrame({"x": [1.5, 2.5], "y": ["a", "b"]})
    tree = dt.id3(dt.Table.from_frame(frame, "y"))
    for row in (frame.iloc[0], pl.Series([1.5])):
        with pytest.raises(TypeError, match=r"got a Series; a row is.*dict\(frame.iloc\[0\]\)"):
            tree.predict(row)
    assert tree.predict(dict(frame.iloc[0])) == "a"
    assert tree.predict([dict(frame.iloc[1])]).tolist() == ["b"]


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
    ({"x": 3, "y": ["a"]}, {}, TypeError, "column 'x' must be a sequence of values; got an int"),
    ({"x": np.eye(2), "y": ["a", "b"]}, {}, ValueError, "'x' must have one dimension"),
    ({"x": {"u", "v"}, "y": ["a", "b"]}, {}, TypeError, "'x' is a set, whose values have no order"),
    ({3: [1], "y": ["a"]}, {}, TypeError, "column 1 is named 3"),
    ({"x": ["u"], "y": ["a"]}, {"x": "continuous"}, ValueError, "row 1, column 'x' holds text"),
    ({"x": ["u"], "y": ["a"]}, {"x": "category"}, ValueError, r"kinds\['x'\] is 'category'"),
    ({"x": ["u"], "y": ["a"]}, {"z": "discrete"}, ValueError, "kinds: no column 'z'"),
    ({"x": ["u"], "y": ["a"]}, {"x": ("v",)}, ValueError, "row 1, column 'x' holds 'u', which is"),
    ({"x": ["u"], "y": ["a"]}, {"x": ("u", "u")}, ValueError, "names a value twice"),
]


@each(("columns", "kinds", "error", "says"), BAD)
def test_bad_columns_are_named(columns, kinds, error, says):
    with pytest.raises(error, match=says):
        dt.Table.from_columns(columns, target="y", kinds=kinds)


@each(
    ("rows", "names", "error", "says"),
    [
        ([], None, ValueError, "the table is empty"),
        ([(1, "a")], None, TypeError, "need names="),
        ([(1, "a"), (2,)], ["x", "y"], ValueError, "row 2 has 1 value for 2 columns"),
        ([(1, "a"), (2, "b", 3)], ["x", "y"], ValueError, "row 2 has 3 values for 2 columns"),
        ([{"x": 1, "y": "a"}, {"y": "b"}], None, ValueError, "row 2 has no 'x'"),
        ([{"x": 1, "y": "a"}, {"x": 1, "y": "b", "z": 3}], None, ValueError, "row 2 has 'z'"),
        ([(1, "a")], ["y", "y"], ValueError, "two columns are named 'y'"),
        (["ab"], ["x", "y"], TypeError, "row 1 is a str"),
        ([5], ["x", "y"], TypeError, "row 1 is an int"),
    ],
)
def test_ragged_rows_are_named(rows, names, error, says):
    with pytest.raises(error, match=says):
        dt.Table.from_rows(rows, target="y", names=names)


@pytest.mark.parametrize(
    ("frame", "error", "says"),
    [
        (pd.DataFrame([[1, 2, "a"]], columns=["x", "x", "y"]), ValueError, "two columns are"),
        (pd.DataFrame({"x": [1.0, None], "y": ["a", "b"]}), ValueError, "row 2, column 'x' has no"),
        (pl.DataFrame({"x": [1, None], "y": ["a", "b"]}), ValueError, "row 2, column 'x' has no"),
        (
            pd.DataFrame({"x": pd.to_datetime(["2020-01-01"]), "y": ["a"]}),
            TypeError,
            "row 1, column",
        ),
        (pd.DataFrame({0: [1], "y": ["a"]}), TypeError, r"1 is named 0.*\.rename\(columns=str\)"),
        ("nonsense", TypeError, "must be a pandas, polars or Arrow data frame"),
        (pd.Series([1, 2], name="y"), TypeError, "got a Series, which is one column"),
        (pl.Series("y", [1, 2]), TypeError, "got a Series, which is one column"),
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
        ("x,y\n1,a\n2\n", "bad.csv, line 3: row 2 has 1 value for 2 columns"),
        ("x,x,y\n1,2,a\n", "two columns are named 'x'"),
        (
            "x,y\n1,a\nn/a,b\n",
            r"row 2, column 'x' holds 'n/a', which is not a number.*na=\('', 'n/a'",
        ),
        ("x,y\n1,a\n,b\n", "row 2, column 'x' has no value"),
        ("x,y\n1,a\ninf,b\n", "row 2, column 'x' is infinite"),
        ('x,y\n1,"a\n', "not a CSV file"),
        ("x;y\n1;a\n", "a single name, 'x;y'.*say delimiter=';'"),
        ('x,y\n"1,5",a\n"2,5",b\n', "row 1, column 'x' holds '1,5', as all its rows do"),
        ('x,y\n"1,000",a\n', "thousands=','"),
    ],
)
def test_bad_csv_files_are_named(tmp_path, text, says):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=says):
        dt.Table.read_csv(path, target="y")


ODD_ARGUMENTS = [
    ({"delimiter": None}, ValueError, "delimiter=None must be one character"),
    ({"delimiter": "||"}, ValueError, r"delimiter='\|\|' must be one character"),
    ({"delimiter": ""}, ValueError, "delimiter='' must be one character"),
    ({"delimiter": "\n"}, ValueError, "must be one character"),
    ({"decimal": ""}, ValueError, "decimal='' must be one character"),
    ({"decimal": ",", "thousands": ","}, ValueError, "decimal=',' and thousands=',' must differ"),
    ({"thousands": 3}, ValueError, "thousands=3 must be one character"),
    ({"encoding": "nope"}, ValueError, "encoding='nope' is none that Python knows"),
    ({"encoding": "base64"}, ValueError, "encoding='base64' is none that Python knows"),
    ({"encoding": None}, ValueError, "encoding=None is none that Python knows"),
    ({"na": 7}, TypeError, "na=7 must be a text"),
    ({"na": ("", None)}, TypeError, "must be a text, or a sequence of texts"),
    ({"strip": "yes"}, TypeError, "strip='yes' must be True or False"),
    ({"drop": "z"}, ValueError, "drop: no column 'z'; the columns are 'x', 'y'"),
    ({"drop": ["x", "y"]}, ValueError, "drop: 'y' is the target"),
    ({"columns": "z"}, ValueError, "columns: no column 'z'; the columns are 'x', 'y'"),
    ({"columns": 3}, TypeError, "columns=3 must be a text, or a sequence of texts"),
    (
        {"names": ["y"]},
        ValueError,
        r"1 column \('y'\); all rows have as many: give a name for each",
    ),
    ({"names": ["y", "y"]}, ValueError, r"two columns are named 'y'; .*see names="),
    ({"rows": 0}, ValueError, "rows=0 must be how many rows to read, at least 1"),
    ({"rows": True}, ValueError, "rows=True must be how many rows to read"),
    ({"sep": ";", "delimiter": "|"}, ValueError, r"sep=';' and delimiter='\|' mean the same"),
    ({"sep": ";;"}, ValueError, "delimiter=';;' must be one character"),
    ({"kinds": ["x"]}, TypeError, "kinds must map columns to kinds"),
    ({"kinds": {"x": [1, "a"]}}, ValueError, "values must be all text, all truth values or all n"),
    ({"kinds": {"x": [[1]]}}, ValueError, "values must be all text, all truth values or all n"),
    ({"target_kind": "number"}, ValueError, "target_kind='number' is not one of 'discrete'"),
    (
        {"target_kind": "discrete", "kinds": {"y": "continuous"}},
        ValueError,
        "target_kind='discrete' and kinds={'y': 'continuous'} contradict each other",
    ),
    ({"target_kind": "continuous", "kinds": {"y": ("a", "b")}}, ValueError, "contradict"),
]


def test_arguments_that_no_file_is_written_like_are_named():
    for arguments, error, says in ODD_ARGUMENTS:
        with pytest.raises(error, match=says):  # whose message tells the case
            dt.Table.read_csv(io.StringIO("x,y\n1,a\n2,b\n"), "y", **arguments)


def test_what_is_no_file_is_named(tmp_path):
    for path, error, says in [
        (None, TypeError, "path must be a file's name or an open file; got a NoneType"),
        ("x,y\n1,a\n", ValueError, "io.StringIO"),
        ("https://example.org/x.csv", ValueError, "is an address, not a file; download it"),
        (tmp_path, OSError, tmp_path.name),
        (tmp_path / "none.csv", FileNotFoundError, "none.csv"),
    ]:
        with pytest.raises(error, match=says):
            dt.Table.read_csv(path, "y")


def test_open_files_are_read_like_named_ones(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,y\nä,a\n", "utf-8")
    wanted = list(dt.Table.read_csv(path, "y").rows())
    with path.open("rb") as file:
        assert list(dt.Table.read_csv(file, "y").rows()) == wanted
    with path.open(encoding="utf-8") as file:
        assert list(dt.Table.read_csv(file, "y").rows()) == wanted


def test_one_word_for_missing_is_one_word():
    text = "x,y\nY,a\nN,b\nNA,b\n"
    table = dt.Table.read_csv(io.StringIO(text), "y", na="NA", missing="keep")
    assert table.column("x") == ["Y", "N", None]


ADULT = "39, State-gov, no\n50, Private, yes\n\n38, ?, no\n"


def test_a_file_without_names_is_given_them():
    with pytest.raises(ValueError, match=r"say names=\[\.\.\.\].*there seem to be 3"):
        dt.Table.read_csv(io.StringIO(ADULT), "y")
    said = {"names": ["age", "work", "y"], "na": "?", "missing": "keep"}
    table = dt.Table.read_csv(io.StringIO(ADULT), "y", **said)
    assert table.column("age") == [39.0, 50.0, 38.0]
    assert table.column("work") == ["State-gov", "Private", None]
    assert table.column("y") == ["no", "yes", "no"]


@pytest.mark.parametrize("text", ["x,w,y\n1,u,a\n2,v,b\n3,u,a\n", 'x,w,y\n1,u,a\n\n2,"v",b\nc\n'])
def test_the_first_rows_are_read_and_no_others(text):
    table = dt.Table.read_csv(io.StringIO(text), "y", rows=2)
    assert list(table.rows()) == [{"x": 1.0, "w": "u", "y": "a"}, {"x": 2.0, "w": "v", "y": "b"}]


def test_some_columns_are_read_with_what_is_needed():
    text = "x;w;n;y\n1;u;2;a\n2;v;1;b\n"
    table = dt.Table.read_csv(io.StringIO(text), "y", sep=";", columns=["w"], weights="n")
    assert table.names == ("w",)
    assert table.counts().tolist() == [2, 1]


def test_every_door_can_leave_out_columns():
    columns = {"id": [[1], [2]], "x": [1, 2], "y": ["a", "b"]}  # which no table could hold
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    doors = {
        "from_columns": columns,
        "from_rows": rows,
        "from_frame": pd.DataFrame(columns),
        "read_csv": io.StringIO("id,x,y\n01,1,a\n1,2,b\n"),
    }
    for door, data in doors.items():
        assert getattr(dt.Table, door)(data, "y", drop="id").names == ("x",)
    for door in ("from_columns", "from_rows", "from_frame"):
        with pytest.raises(ValueError, match=r"drop: no column 'Id'.*Did you mean 'id'"):
            getattr(dt.Table, door)(doors[door], "y", drop="Id")
        with pytest.raises(ValueError, match="drop: 'y' is the target"):
            getattr(dt.Table, door)(doors[door], "y", drop=["y"])


def test_the_columns_with_most_gaps_are_named_where_no_row_is_left():
    columns = {"a": [1, None], "c": [None, None], "y": ["n", "j"]}
    with pytest.raises(ValueError, match=r"missing in 'c', 2 of 2 rows: .* drop='c'"):
        dt.Table.from_columns(columns, "y", missing="drop")
    assert dt.Table.from_columns(columns, "y", missing="drop", drop="c").column("a") == [1.0]
    with pytest.raises(ValueError, match=r"leaves no row$"):
        dt.Table.from_columns({"a": [1, 2], "y": [None, None]}, "y", missing="drop")


def test_a_frame_of_any_make_is_answered_as_its_rows_are():
    columns = {"w": ["u", "v", None, "new"] * 3, "x": [1, None, 3, 4] * 3, "y": ["n", "j", "j"] * 4}
    tree = dt.id3(
        dt.Table.from_columns({n: c[:3] for n, c in columns.items()}, "y", missing="keep")
    )
    rows = [
        dict(zip("wx", cells, strict=True)) for cells in zip(*map(columns.get, "wx"), strict=True)
    ]
    alone = [tree.predict(row) for row in rows]
    polars = pl.DataFrame(columns)
    words = pd.DataFrame(columns)
    others = pl.Series(["z", "new", "u"], dtype=pl.Categorical)  # whose codes polars shares
    makes = [
        *(polars, polars.with_columns(pl.col("w").cast(pl.Categorical)), polars.to_arrow()),
        polars.with_columns(pl.col("w").cast(pl.Enum(["z", "new", "v", "u"]))),
        *(words, words.astype({"w": object}), words.astype({"w": "category", "x": "Int64"})),
        words.astype(object),
    ]
    assert others.n_unique() == 3
    for frame in makes:
        assert tree.predict(frame).tolist() == alone
    with pytest.raises(TypeError, match="row 2: 'x' takes a number; got 'u'"):
        tree.predict(pl.DataFrame({"w": ["u", "v"], "x": [None, "u"]}))


def test_names_that_are_numbers_or_truth_values_are_answered_in_any_make():
    columns = {"zip": [7, 8, 9] * 4, "on": [True, False, True] * 4, "y": ["n", "j", "j"] * 4}
    tree = dt.id3(dt.Table.from_columns(columns, "y", kinds={"zip": "discrete"}))
    for zips in ([7, 9, 8, 10] * 3, [7, None, 8, 9] * 3, ["7", "9", None, "8"] * 3):
        asked = {"zip": zips, "on": [True, True, False, None] * 3}
        rows = [dict(zip(asked, cells, strict=True)) for cells in zip(*asked.values(), strict=True)]
        alone = [tree.predict(row) for row in rows]
        for frame in (pd.DataFrame(asked), pd.DataFrame(asked, dtype=object), pl.DataFrame(asked)):
            assert tree.predict(frame).tolist() == tree.predict(rows).tolist() == alone
    odd = pd.DataFrame({"zip": [7.0] * 10, "on": [True] * 9 + [1.0]})
    with pytest.raises(TypeError, match=r"row 10: 'on' takes a value such as False; got 1\.0"):
        tree.predict(odd)


@each(
    "cells",
    [
        *([1, 2, 3], [1, None, 2], [1.5, 2, None], [3.0, 2.0, math.nan], [0.5, None, math.nan]),
        *([2**53 + 1, None, 0.5], [2**53 + 1, 1, 2], [0.5, math.inf, 1], [True, False, None]),
        *([True, 1.0, 2], [1.5, "a", 2], [Decimal("1.5"), 2, 1], [2**70, 1, 2], ["a", None, 1]),
    ],
)
def test_a_column_of_objects_is_read_as_its_values_are(cells):
    def read(door, x, kind):
        kinds = {} if kind is None else {"x": kind}
        columns = {"x": x, "y": ["n", "j", "j"]}
        try:
            table = door(columns, "y", kinds=kinds, missing="keep")
        except (TypeError, ValueError) as error:
            return str(error)
        values = table.attributes[0].values
        whole = [] if 1.5 in cells else list(map(type, values or ()))  # 2 may be 2.0 there
        return values, table.columns[0].tobytes(), whole

    def framed(columns, target, **said):
        return dt.Table.from_frame(pd.DataFrame(columns), target, **said)

    objects = pd.Series(cells, dtype=object)
    for kind in (None, "discrete", "continuous"):
        assert read(framed, objects, kind) == read(dt.Table.from_columns, cells, kind)


def test_batches_of_arrow_are_frames():
    batch = pa.record_batch({"x": [1, 2, None], "w": ["a", None, "b"], "y": ["n", "j", "n"]})
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch])
    for frame, times in ((batch, 1), (reader, 2)):
        table = dt.Table.from_frame(frame, "y", missing="keep")
        assert table.column("x") == [1.0, 2.0, None] * times
        assert table.column("w") == ["a", None, "b"] * times


def test_a_zero_byte_among_text_is_no_utf_16():
    for data in (b"x,y\n1,a\n2,\0b\n", b"x,y\n1,a\n2,\0\n\n"):
        with pytest.raises(ValueError, match="save it again as text"):
            dt.Table.read_csv(io.BytesIO(data), "y")
    with pytest.raises(ValueError, match=r"open it with open\(path, 'rb'\)"):
        dt.Table.read_csv(io.StringIO("x\0,\0y\0"), "y")


def test_columns_that_are_dropped_are_not_read():
    text = "id,x,y\n1,1,a\n?,2,b\n"
    for drop in ("id", ["id"], ("id",)):
        table = dt.Table.read_csv(io.StringIO(text), "y", drop=drop)
        assert list(table.rows()) == [{"x": 1.0, "y": "a"}, {"x": 2.0, "y": "b"}]


def test_what_only_looks_like_a_number_stays_text(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("code,y\n01067,a\n04109,b\n")
    assert dt.Table.read_csv(path, target="y").column("code") == ["01067", "04109"]
    path.write_text("x,y\n0,a\n0.5,b\n-0.25,b\n 7,b\n")
    assert dt.Table.read_csv(path, target="y").column("x") == [0.0, 0.5, -0.25, 7.0]


def test_a_file_in_another_encoding_says_so(tmp_path):
    path = tmp_path / "latin.csv"
    path.write_bytes("x,y\nä,a\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"not UTF-8 text.*encoding='cp1252'"):
        dt.Table.read_csv(path, target="y")
    for encoding in ("latin-1", "cp1252"):
        assert dt.Table.read_csv(path, target="y", encoding=encoding).column("x") == ["ä"]
    path.write_bytes("x,y\n“x”,a\n".encode("cp1252"))
    with pytest.warns(dt.TableWarning, match="hardly latin-1 text.*encoding='cp1252'"):
        dt.Table.read_csv(path, target="y", encoding="latin-1")


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
    unlabelled = {"x": [1, None, 3, 4], "y": ["a", "b", None, "c"]}
    assert dt.Table.from_columns(unlabelled, "y", missing="drop").column("x") == [1.0, 4.0]
    for missing in ("error", "keep"):
        with pytest.raises(ValueError, match=r"row 3, column 'y' has no label.*missing='drop'"):
            dt.Table.from_columns(unlabelled, "y", missing=missing)


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


def test_points_between_thousands_want_another_sign_for_decimals(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("x;y\n1.234;a\n2.500;b\n")
    with pytest.raises(ValueError, match="say decimal=',' as well"):
        dt.Table.read_csv(path, "y", delimiter=";", thousands=".")
    table = dt.Table.read_csv(path, "y", delimiter=";", thousands=".", decimal=",")
    assert table.column("x") == [1234.0, 2500.0]
