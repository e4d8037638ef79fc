"""What is said of a table's columns: a hostile table, column by column, and clean ones."""

from __future__ import annotations

import html
import io
import re
import warnings
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from cases import each
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

import dtree_lab as dt

N = 60
# A column of 60 cells by its name, how it is written in a file, and what has to be said of it: the
# kind of the finding, words of it, and its cure in a file.
HOSTILE = {
    "nr": (range(1, N + 1), "row numbers", "only counts the rows", "drop='nr'"),
    "Position": (range(N), "row numbers", "only counts the rows", "drop='Position'"),
    "client_id": ([7 * i % 61 for i in range(1, N + 1)], "id", "called as ids are", "drop="),
    "shop_id": ([1 + i % 12 for i in range(N)], "numbered", "taken for numbers", "'discrete'}"),
    "who": ([f"P{i % 58}" for i in range(N)], "id", "58 values in 60 rows", "drop='who'"),
    "token": ([f"{i:x}-z" for i in range(N)], "id", "as many values as rows", "drop='token'"),
    "agreed": (["yes", "Yes", "NO", "no"] * 15, "case", "'NO' and 'no', 'Yes' and 'yes'", "lower"),
    "ok": (["yes", "yes ", "no"] * 20, "blanks", "'yes' and 'yes '", "strip=True"),
    "temp": ([-999, *range(15, 35)] * 2 + [20] * 18, "missing", "-999 in 2 rows", "'-999')"),
    "gain": ([99999, *range(0, 4000, 100)] + [0] * 19, "missing", "99999 in 1 row", "'99999')"),
    "work": (["?", "state", "own"] * 20, "missing", "'?' in 20 rows", "na=('', '?')"),
    "income": (["1_000", "25_500"] * 30, "numbers with underscores", "'1_000'", "drop='income'"),
    "weight": (["15 kg", "7.5 kg"] * 30, "numbers with a unit", "'15 kg'", "drop='weight'"),
    "time": (["10:30", "9:05"] * 30, "times", "'10:30'", "drop='time'"),
    "month": (["Jan 2020", "Feb 2021"] * 30, "dates", "'Feb 2021'", "drop='month'"),
    "day": (["2020-01-05", "2021-11-30"] * 30, "dates", "'2020-01-05'", "drop='day'"),
    "euro": (["€ 12", "€ 15"] * 30, "numbers with a sign", "'€ 12'", "drop='euro'"),
    "same": (["EUR"] * N, "constant", "only one value", "drop='same'"),
    "one": ([7] * N, "constant", "only one value", "drop='one'"),
    "colour": (
        ["green", "blue"] * 29 + ["blue", "gren"],
        "once",
        "'gren' in one row",
        "'green' if",
    ),
    "city": (
        ["Ulm"] * 58 + ["Bonn", "Kiel"],
        "once",
        "'Bonn' in one row only, and 1 more",
        "'other'",
    ),
    "few": ([""] * 12 + [1, 2, 3, 4] * 12, "gaps", "no value in 12 of 60 rows", "missing='drop'"),
    "most": ([""] * 56 + ["a", "a", "b", "b"], "gaps", "no value in 56 of 60 rows", "drop='most'"),
    "fault": (["no"] * 59 + ["yes"], "rare class", "'yes' in 1 row", "dt.with_priors(table, "),
}
# And columns of which nothing may be said, though each is near to one of those.
FINE = {
    "year": range(1960, 1960 + N),
    "size": ["S", "M", "L"] * 20,
    "flat": ["12a", "12b", "13a", "14c"] * 15,
    "class": ["1st", "2nd", "3rd"] * 20,
    "floors": ["2", "3", "4"] * 20,
    "age": [18, 99, 45, 70, 33] * 12,
    "celsius": [-9, 9, 0, 5] * 15,
    "sign": ["+", "-"] * 30,
    "price": [i + 0.5 for i in range(N)],
    "gapped": [*range(1, N), N + 1],
    "falling": range(N, 0, -1),
    "score": ["may", "april", "june"] * 20,
    "version": ["3.9", "3.10", "3.11"] * 20,
    "house": [f"{100 + i % 30}" for i in range(N)],
    "grid": [i % 30 for i in range(N)],
    "void": [True, False] * 30,
    "letters": [f"w{i % 30}" for i in range(N)],
    "none": ["None of these", "no", "n"] * 20,
}


def sheet(columns):
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return io.StringIO("\n".join(",".join(map(str, row)) for row in rows) + "\n")


def quietly(make, *given, **said):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dt.TableWarning)
        return make(*given, **said)


def hostile_file():
    columns = {name: column for name, (column, *_) in HOSTILE.items()}
    return quietly(dt.Table.read_csv, sheet(columns), "fault", missing="keep")


def hostile_frame():
    columns = {
        name: [None if cell == "" else cell for cell in column]
        for name, (column, *_) in HOSTILE.items()
    }
    return quietly(dt.Table.from_frame, pd.DataFrame(columns), "fault", missing="keep")


@each("make", [hostile_file, hostile_frame])
def test_of_each_column_what_is_wrong_with_it_is_said_and_nothing_else(make):
    report = make().report()
    assert [column.name for column in report.columns] == list(HOSTILE)
    for name, (_, kind, words, cure) in HOSTILE.items():
        (finding,) = report[name].findings
        assert (finding.column, finding.kind) == (name, kind)
        assert words in finding.text, name
        if make is hostile_file:
            assert cure in finding.cure, name
        else:
            assert not re.search(r"\b(na|strip)=", finding.cure), "no such keyword there"


def test_a_row_that_weighs_three_is_seen_as_three_rows():
    columns = {
        name: [None if cell == "" else cell for cell in column]
        for name, (column, *_) in HOSTILE.items()
    }
    thrice = {name: [cell for cell in column for _ in "abc"] for name, column in columns.items()}
    make = partial(quietly, dt.Table.from_columns, target="fault", missing="keep")
    weighed, repeated = make(columns, weights=[3] * N).report(), make(thrice).report()
    assert weighed.findings == repeated.findings
    assert [c.gaps for c in weighed.columns] == [c.gaps for c in repeated.columns]
    assert {"id", "row numbers", "once"}.isdisjoint(finding.kind for finding in weighed.findings)


@each("door", ["file", "frame"])
def test_of_columns_that_only_come_near_nothing_is_said(door):
    columns = FINE | {"y": ["a", "b"] * 30}
    if door == "file":
        table = dt.Table.read_csv(sheet(columns), "y")
    else:
        table = dt.Table.from_frame(pd.DataFrame(columns), "y")
    assert table.report().findings == ()
    assert "Nothing looks suspicious." in repr(table.report())


CLEAN = {
    "tax_fraud": dt.datasets.tax_fraud,
    "word_sense": dt.datasets.word_sense,
    "two_attributes": dt.datasets.two_attributes,
    "penguins": lambda: dt.datasets.penguins("drop"),
    **{
        f"{name} {n}": lambda name=name, n=n: dt.datasets.truth_table(name, n)
        for name, n in product(("or", "and", "xor", "majority"), (1, 3, 5))
    },
}


@each("name", CLEAN)
def test_nothing_is_said_of_the_course_s_tables(name):
    assert CLEAN[name]().report().findings == ()


def test_of_the_penguins_nothing_but_their_gaps_is_said():
    table = dt.datasets.penguins()
    report = table.report()
    assert {finding.kind for finding in report.findings} == {"gaps"}
    gaps = {column.name: column.gaps for column in report.columns if column.findings}
    assert gaps == {
        name: table.column(name).count(None) for name in table.names if None in table.column(name)
    }


@each("load", [load_iris, load_wine, load_breast_cancer, load_diabetes])
def test_nothing_but_labels_that_are_numbers_is_said_of_well_kept_tables(load):
    table = quietly(dt.Table.from_frame, load(as_frame=True).frame, "target")
    assert {finding.kind for finding in table.report().findings} <= {"labels"}


@each(
    ("column", "words"),
    [
        ({"Nr": range(20)}, "column 'Nr' only counts the rows.*drop='Nr'"),
        ({"Name": [f"n{i}" for i in range(20)]}, "'Name' has as many values as rows.*drop='Name'"),
        ({"zone": ["n", "N", "s", "s"] * 5}, "'zone' holds 'N' and 'n': they differ by capitals"),
        ({"Id": range(20), "key": range(20)}, r"'Id' only.*'key' only.*drop=\['Id', 'key'\] to"),
    ],
)
def test_the_worst_is_a_warning_where_a_file_is_read_once_and_in_the_report_s_own_words(
    column, words
):
    columns = column | {"x": [1.5, 2.5, 0.5, 4] * 5, "y": ["a", "b"] * 10}
    with pytest.warns(dt.TableWarning, match=words) as several:
        table = dt.Table.read_csv(sheet(columns), "y")
    (warning,) = several
    assert warning.filename == __file__
    for finding in table.report().findings:
        assert finding.text in str(warning.message)
    kinds = {name: table.attribute(name).kind for name in column}
    assert f"say kinds={kinds!r}" in str(warning.message)
    kept = dt.Table.read_csv(sheet(columns), "y", kinds=kinds)  # a warning would be an error
    assert kept.report().findings == ()


def test_the_only_attribute_and_a_letter_as_in_a_formula_may_count_or_name_the_rows():
    for column in (range(40), [f"n{i}" for i in range(40)]):
        for columns in ({"dose": column}, {"x": column, "z": [1.5, 2] * 20}):
            table = dt.Table.from_columns({**columns, "y": ["a", "b"] * 20}, "y")
            assert table.report().findings == ()


@each("cure", [1, 2, 3])
def test_cures_said_one_after_the_other_leave_nothing_to_say(cure):
    """Of a file's findings those that are arguments are given, as somebody would copy them."""
    names = {1: ["nr", "who", "work"], 2: ["temp", "agreed"], 3: ["ok", "gain", "same"]}[cure]
    columns = {name: HOSTILE[name][0] for name in names} | {"y": ["a", "b"] * 30}
    said = {"missing": "keep"}
    for _ in range(5):
        table = quietly(dt.Table.read_csv, sheet(columns), "y", **said)
        open_ = [f for f in table.report().findings if f.kind not in ("gaps", "case")]
        if not open_:
            break
        argument, value = re.fullmatch(r"(\w+)=(.*)", open_[0].cure).groups()
        value = eval(value)  # noqa: S307 - what the library says
        said[argument] = [*said.get("drop", []), value] if argument == "drop" else value
    assert open_ == []
    assert table.has_missing == any(name in names for name in ("work", "temp", "gain"))


def test_code_for_a_column_makes_it_anew():
    frame = hostile_frame()
    for name, wanted in {
        "agreed": {"yes", "no"},
        "ok": {"yes", "no"},
        "temp": {None, *range(15, 35)},
        "work": {None, "state", "own"},
        "colour": {"green", "blue"},
        "city": {"Ulm", "other"},
    }.items():
        (finding,) = frame.report()[name].findings
        column = frame.column(name)
        assert set(eval(finding.cure, {"column": column})) == wanted, name  # noqa: S307


def test_code_for_a_column_of_words_leaves_the_gaps_of_a_pandas_column_alone():
    for words in (["yes", "Yes", None], ["yes", "yes ", None]):
        frame = pd.DataFrame({"w": words * 9, "y": ["u", "v", "u"] * 9})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dt.TableWarning)
            table = dt.Table.from_frame(frame, "y", missing="keep")
        cure = table.report()["w"].findings[0].cure
        anew = pd.Series(eval(cure, {"column": frame["w"]}))  # noqa: S307
        assert anew.isna().sum() == 9
        assert set(anew.dropna()) == {"yes"}


def test_numbers_as_text_are_told_of_frames_and_are_no_ids():
    frame = pd.DataFrame(
        {"size": [f"{i / 4}" for i in range(N)], "n": [1, 2] * 30, "y": list("ab") * 30}
    )
    with pytest.warns(dt.TableWarning, match=r"'size' holds numbers as text such as '0\.0'.*float"):
        table = dt.Table.from_frame(frame, "y")
    (finding,) = table.report()["size"].findings
    assert finding.kind == "numbers as text"
    assert dt.Table.from_frame(frame, "y", kinds={"size": "discrete"}).report().findings == ()
    assert dt.Table.from_frame(frame.astype({"size": float}), "y").report().findings == ()


@each("door", ["frame", "file"])
def test_names_that_are_taken_for_a_row_are_told(door):
    columns = {"a": ["colour", *["red", "blue"] * 12], "b": ["size", *["S", "M", "L"] * 8]}
    columns["y"] = ["ripe", *["yes", "no", "no"] * 8]

    def read(columns, **said):
        if door == "frame":
            return dt.Table.from_frame(pd.DataFrame(columns), "y", **said)
        lines = "\n".join(",".join(row) for row in zip(*columns.values(), strict=True))
        return dt.Table.read_csv(io.StringIO(lines), "y", names=list(columns), **said)

    with pytest.warns(dt.TableWarning, match="'y' holds 'ripe' in its first row only") as several:
        table = read(columns)
    assert len(several) == 1
    assert table.report()["y"].findings[0].kind == "names"
    for kept in (
        {name: cells[1:] for name, cells in columns.items()},
        columns | {"b": ["S", *columns["b"][1:]]},
        columns | {"y": ["no", *columns["y"][1:]]},
    ):
        assert "names" not in {finding.kind for finding in read(kept).report().findings}
    assert read(columns, target_kind="discrete").n_rows == 25


def test_two_labels_and_more_are_reported_with_the_other_way_to_have_them():
    x = {"x": [1.5, 2.5, 3.5, 4.5]}
    for labels, taken_for, cure in (
        ([0, 1, 1, 0], "classes", ("discrete", "continuous")),
        ([0, 1, 2, 0], "numbers", ("continuous", "discrete")),
    ):
        report = quietly(dt.Table.from_columns, {**x, "y": labels}, "y").report()
        assert report["y"].taken_for == taken_for
        right, other = cure
        said = f"target_kind={right!r} if that is right, else target_kind={other!r}"
        assert [finding.cure for finding in report.findings] == [said]


def test_an_empty_column_and_classes_that_name_the_rows():
    columns = {"x": [None] * N, "z": ["u", "v"] * 30, "y": [f"k{i}" for i in range(N)]}
    report = dt.Table.from_columns(columns, "y", missing="keep").report()
    texts = {finding.column: finding.text for finding in report.findings}
    assert texts == {"x": "has no value in 60 of 60 rows", "y": "has 60 classes in 60 rows"}


def test_a_report_is_a_table_with_what_each_column_was_taken_for():
    columns = {"n": [1.5, None, 3], "w": [" a", "b", "b"], "t": [True, True, False], "y": [*"uvu"]}
    columns["zip"] = [10, 20, 10]
    table = dt.Table.from_columns(columns, "y", missing="keep", kinds={"zip": "discrete"})
    report = table.report()
    rows = [(c.name, c.taken_for, c.different, c.gaps, c.values) for c in report.columns]
    assert rows == [
        ("n", "numbers", 2, 1, "1.5 to 3"),
        ("w", "words", 2, 0, "' a', b"),
        ("t", "truth values", 2, 0, "False, True"),
        ("zip", "names in numbers", 2, 0, "10, 20"),
        ("y", "classes", 2, 0, "u, v"),
    ]
    with pytest.raises(ValueError, match="no column 'ny'; the columns are 'n', 'w'"):
        report["ny"]


def test_a_report_is_shown_with_every_cure_in_a_terminal_and_in_a_page_without_its_styles():
    table = hostile_file()
    report = table.report()
    bundle = report._repr_mimebundle_()
    page = re.sub(r"<style>.*?</style>| (class|style)=\"[^\"]*\"", "", bundle["text/html"])
    lines = [html.unescape(re.sub(r"<[^>]+>", "", line)) for line in re.split(r"<br>|<li>", page)]
    for finding in report.findings:
        assert f"{finding.column}: {finding.text}." in repr(report).split("\n")
        assert f"    {finding.cure}" in repr(report).split("\n")
        assert f"{finding.column} {finding.text}." in [line.strip() for line in lines]
        assert finding.cure in [line.replace("</ul>", "").strip() for line in lines]
    evil = {"<b>": ["<i>", "<I>"] * 30, "z": ["u", "v"] * 30, "y": ["a", "b"] * 30}
    shown = quietly(dt.Table.from_columns, evil, "y").report()._repr_mimebundle_()["text/html"]
    assert "<b>" not in shown
    assert "<i>" not in shown.lower()


def test_rows_that_are_taken_keep_what_was_said_of_them():
    table = hostile_file()
    part = table.take(np.arange(N // 2))
    assert part.report()["nr"].findings[0].cure == "drop='nr'"
