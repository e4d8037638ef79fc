"""A row has one number in all parts of a lab, and is told by the values of the given table."""

from __future__ import annotations

import json

import pytest

import dtree_lab as dt
from dtree_lab.labs.kit.taking import row_words, taken

TAX = dt.datasets.tax_fraud()
INCOME = "Taxable Income"


def view(lab, *acts):
    for act in acts:
        lab.act(act)
    return json.loads(lab.told)


def part(told, id_):
    return next(one for one in told["parts"] if one.get("id") == id_)


def marks(picture):
    """Of each mark of a row: its number, and where it is along the x axis, in its units."""
    frame = picture["frame"]
    low, high = frame["x"]
    share = (high - low) / (frame["right"] - frame["left"])

    def found(element):
        name, attributes, *children = element
        if name == "marks" and attributes["rows"]:
            at = attributes["at"]
            for i in range(0, len(at), 4):
                yield at[i + 3], low + (at[i] - frame["left"]) * share
        for child in children:
            if isinstance(child, list):
                yield from found(child)

    return list(found(picture["element"]))


def test_each_mark_is_the_row_that_lies_there():
    """The rows of the tax table by their incomes, or by their places in the table."""
    acts = [{"do": "set", "control": "algorithm", "value": "threshold"}]
    acts += [{"do": "set", "control": "step", "value": 4}]
    boosting = [{"do": "set", "control": "algorithm", "value": "adaboost"}]
    boosting += [{"do": "set", "control": "step", "value": 2}]
    each = (
        (part(view(dt.ThresholdLab(TAX, INCOME)), "points"), lambda row: TAX.row(row)[INCOME]),
        (part(view(dt.StepThrough(TAX), *acts), "curve"), lambda row: TAX.row(row)[INCOME]),
        (part(view(dt.StepThrough(TAX), *boosting), "weights"), lambda row: row + 1),
    )
    for picture, place in each:
        found = marks(picture)
        assert sorted(row for row, _ in found) == list(range(10)), picture["id"]
        for row, x in found:
            assert x == pytest.approx(place(row), abs=0.5), picture["id"]


def test_rows_that_are_alike_have_marks_of_their_own():
    """Seven rows with one value and one class: none hides another."""
    table = dt.Table.from_rows(
        [{"x": float(i // 7), "y": "ab"[i // 7]} for i in range(14)], target="y"
    )
    lab = dt.StepThrough(table)
    acts = [{"do": "set", "control": "algorithm", "value": "threshold"}]
    picture = part(view(lab, *acts, {"do": "set", "control": "step", "value": 1}), "curve")
    (at,) = [
        one[1]["at"] for one in walk(picture["element"]) if one[0] == "marks" and one[1]["rows"]
    ]
    places = {(at[i], at[i + 1]) for i in range(0, len(at), 4)}
    assert len(places) == 14


def walk(element):
    yield element
    for child in element[2:]:
        if isinstance(child, list):
            yield from walk(child)


def test_a_point_of_the_plane_is_the_same_in_picture_and_list():
    told = view(dt.PlaneLab())
    where = dict(marks(part(told, "plane")))
    listed = part(told, "points")
    assert len(listed["keys"]) == len(listed["rows"]) > 10
    for key, (number, x, *_) in zip(listed["keys"], listed["rows"], strict=True):
        assert str(key) == number
        assert where[key] == pytest.approx(float(x), abs=0.002)


def test_rows_of_tables_have_the_numbers_of_their_rows():
    """Rows to measure with count down; rows with gaps keep the numbers of the given table."""
    lab = dt.TreeBuilder(TAX)
    told = view(
        lab,
        {"do": "split", "part": "questions", "attribute": 0},
        {"do": "select", "part": "tree", "at": "0"},
        {"do": "set", "control": "compare", "value": "ID3"},
    )
    for id_ in ("node-rows", "compare-rows"):
        grid = part(told, id_)
        assert grid["keys"]
        assert [str(key + 1) for key in grid["keys"]] == [row[0] for row in grid["rows"]]
    held = TAX.take([3, 4, 5, 8, 9])
    lab = dt.TreeBuilder(TAX, validation=held)
    told = view(
        lab,
        {"do": "set", "control": "compare", "value": "ID3"},
        {"do": "set", "control": "compare-on", "value": "validation"},
    )
    grid = part(told, "compare-rows")
    assert grid["keys"]
    assert [str(-key) for key in grid["keys"]] == [row[0] for row in grid["rows"]]


def test_words_are_those_of_the_given_table():
    """The penguins have rows with gaps, which a lab leaves out: numbers are the given table's."""
    given = dt.datasets.penguins()
    table = taken(given)
    told = row_words(table)
    assert told is not None
    assert len(told["numbers"]) == len(table) < len(given)
    for row in (0, 3, 100, len(table) - 1):
        whole = given.row(told["numbers"][row] - 1)
        for name, (texts, cells) in zip(told["names"], told["columns"], strict=True):
            assert (texts[cells[row]] if texts else cells[row]) == whole[name], (row, name)


def test_gaps_are_told_as_missing_and_long_tables_not_at_all():
    rows = [{"x": 1.5, "k": "a", "y": "n"}, {"x": None, "k": None, "y": "p"}]
    told = row_words(dt.Table.from_rows(rows, target="y", missing="keep"))
    assert told is not None
    assert told["columns"] == [[None, [1.5, None]], [["a"], [0, -1]], [["n", "p"], [0, 1]]]
    many = dt.Table.from_rows([{"x": float(i), "y": "np"[i % 2]} for i in range(601)], target="y")
    assert row_words(many) is None
    assert row_words(many.take(range(600))) is not None
