"""What differs between two trees, against a slow oracle and worked by hand."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.tree.splits import answer, question
from dtree_lab.tree.subtrees import node_number
from dtree_lab.tree.tree import Branch, Leaf, walk

TAX = dt.datasets.tax_fraud()
LECTURE = dt.by_hand(
    TAX,
    {
        (): "Refund",
        (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
        (1, 1): ("Taxable Income", 80),
    },
)
REFUND = dt.by_hand(TAX, {(): "Refund"})


def test_a_tree_and_its_stump_by_hand():
    """The lecture's tree answers rows 5, 8 and 10 with Yes; Refund alone answers all with No."""
    found = dt.differences(LECTURE, REFUND, TAX)
    (place,) = found.places
    assert (place.kind, place.one, place.other, place.where) == (
        "one",
        (1,),
        (1,),
        ("Refund is No",),
    )
    assert place.does == ("asks Marital Status", "answers No")
    assert (place.rows, place.changed) == (7, 3)
    assert (found.n_same, found.better, found.worse, found.same) == (2, 0, 3, False)
    assert [tuple(row) for row in found.changed] == [
        (4, "Yes", "No", "Yes"),
        (7, "Yes", "No", "Yes"),
        (9, "Yes", "No", "Yes"),
    ]
    assert place.told(("mine", "yours")) == (
        "Where Refund is No: mine asks Marital Status, yours answers No."
        " 3 of 7 rows there answered differently."
    )
    assert found.told() == (
        "2 nodes alike from the root down; they part at 1 place."
        " 3 of 10 rows answered differently: the second is better on 0, worse on 3."
    )


def test_the_other_way_round():
    there, back = dt.differences(LECTURE, REFUND, TAX), dt.differences(REFUND, LECTURE, TAX)
    assert (back.better, back.worse) == (there.worse, there.better)
    assert back.places[0].kind == "other"
    assert back.places[0].does == there.places[0].does[::-1]


def test_one_attribute_with_other_branches_is_another_question():
    apart = dt.by_hand(TAX, {(): "Marital Status"})
    together = dt.by_hand(TAX, {(): ("Marital Status", [["Single", "Divorced"], ["Married"]])})
    (place,) = dt.differences(apart, together, TAX).places
    assert place.does == (
        "asks Marital Status (Single / Married / Divorced)",
        "asks Marital Status (Single or Divorced / Married)",
    )
    assert "They part at the root. Yet" in dt.differences(apart, together, TAX).told()


def test_the_order_of_branches_is_no_difference():
    groups = [["Married"], ["Single", "Divorced"]]
    one = dt.by_hand(TAX, {(): ("Marital Status", groups), (1,): "Refund"})
    other = dt.by_hand(TAX, {(): ("Marital Status", groups[::-1]), (0,): "Refund"})
    assert one != other
    assert dt.differences(one, other, TAX).same
    further = dt.by_hand(TAX, {(): ("Marital Status", groups[::-1])})
    (place,) = dt.differences(one, further, TAX).places
    assert (place.one, place.other) == ((1,), (0,))


def test_leaves_that_answer_differently():
    flipped = dt.Table.from_rows(
        [{**row, "Cheat": "Yes" if row["Refund"] == "Yes" else "No"} for row in TAX.rows()], "Cheat"
    )
    found = dt.differences(REFUND, dt.by_hand(flipped, {(): "Refund"}), TAX)
    (place,) = found.places
    assert (place.kind, place.one, place.does) == ("answers", (0,), ("answers No", "answers Yes"))
    assert (place.rows, place.changed, found.better, found.worse) == (3, 3, 0, 3)


def test_rows_that_stop_for_want_of_a_value():
    """Three rows say a, two b: without x, the first tree answers a; the other saw it otherwise."""
    x = {"x": ["u", "u", "v", "v", "v"]}
    one = dt.by_hand(dt.Table.from_columns({**x, "y": list("bbaaa")}, "y"), {(): "x"})
    other = dt.by_hand(
        dt.Table.from_columns({"x": list("uuuuv"), "y": list("bbbba")}, "y"), {(): "x"}
    )
    rows = dt.Table.from_columns({"x": ["u", None], "y": ["b", "b"]}, "y", missing="keep")
    (place,) = dt.differences(one, other, rows).places
    assert (place.kind, place.does) == ("stops", ("answers a", "answers b"))
    assert (place.rows, place.changed) == (1, 1)
    assert "for rows that stop there" in place.told()
    assert dt.differences(one, other, rows.take([0])).same


def test_trees_of_tables_with_other_values_are_compared_by_value():
    """The second table has no Divorced, and its classes come in another order."""
    single = [row for row in TAX.rows() if row["Marital Status"] != "Divorced"]
    fewer = dt.Table.from_rows(single[::-1], "Cheat", kinds={"Cheat": ["Yes", "No"]})
    assert fewer.classes != TAX.classes
    assert dt.differences(REFUND, dt.by_hand(fewer, {(): "Refund"}), TAX).same


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(ValueError, match=r"'Cheat' \(discrete\) and 'sense' \(discrete\)"):
        dt.differences(REFUND, dt.stump(dt.datasets.word_sense()), TAX)
    with pytest.raises(ValueError, match="target of the table is 'sense'"):
        dt.differences(REFUND, LECTURE, dt.datasets.word_sense())
    with pytest.raises(TypeError, match=r"tree must be a dt\.Tree"):
        dt.differences(REFUND, 7, TAX)
    with pytest.raises(ValueError, match="the text is no tree that can be read"):
        dt.differences(REFUND, "tree", TAX)
    with pytest.raises(TypeError, match=r"must be a dt\.Table"):
        dt.differences(REFUND, LECTURE, {"Refund": "No"})


# -- the law: places account for all that differs --------------------------------------------------


def parting(one, other, i=(), j=()):
    """Paths where two trees part, found by walking the nested nodes."""
    mine, theirs = dict(walk(one.root))[i], dict(walk(other.root))[j]
    if isinstance(mine, Leaf) and isinstance(theirs, Leaf):
        if said(one, mine) != said(other, theirs):
            yield i, j
        return
    if isinstance(mine, Leaf) or isinstance(theirs, Leaf) or asks(one, mine) != asks(other, theirs):
        yield i, j
        return
    there = ways(other, theirs)
    for b, way in enumerate(ways(one, mine)):
        yield from parting(one, other, (*i, b), (*j, there.index(way)))


def said(tree, leaf):
    return leaf.values[0] if leaf.values else tree.classes[leaf.counts.index(max(leaf.counts))]


def ways(tree, node):
    attribute = tree.attributes[node.split.attribute]
    return [answer(node.split, attribute, b) for b in range(len(node.children))]


def asks(tree, node):
    words = question(node.split, tree.attributes[node.split.attribute])
    # Two cuts may be neighbours, which are told alike.
    return words, set(ways(tree, node)), getattr(node.split, "cuts", None)


@st.composite
def two_trees(draw, makers):
    table = draw(st.one_of(makers))
    part = table.take(draw(st.lists(st.integers(0, len(table) - 1), min_size=1, unique=True)))
    numbers = table.target.values is None
    growers = [dt.id3, dt.cart, *([] if numbers else [dt.c45])]
    depth = st.one_of(st.none(), st.integers(0, 3))
    one = draw(st.sampled_from(growers))(table, max_depth=draw(depth))
    other = draw(st.sampled_from(growers))(draw(st.sampled_from([table, part])))
    return one, other, table


@settings(max_examples=300)
@given(two_trees([tables(max_rows=25), number_tables(max_rows=25)]))
def test_places_and_rows_are_those_that_a_slow_walk_finds(case):
    one, other, table = case
    found = dt.differences(one, other, table)
    places = [place for place in found.places if place.kind != "stops"]
    assert {(p.one, p.other) for p in places} == set(parting(one, other))
    mine, theirs = (list(tree.predict(table)) for tree in (one, other))
    rows = [row for row, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    assert found.rows.tolist() == rows
    assert sum(place.changed for place in found.places) == len(rows)
    assert [(c.one, c.other) for c in found.changed] == [(mine[r], theirs[r]) for r in rows]
    truths = table.column("y")
    off = [
        abs(a - t) if isinstance(a, float) else a != t for a, t in zip(mine, truths, strict=True)
    ]
    on = [
        abs(a - t) if isinstance(a, float) else a != t for a, t in zip(theirs, truths, strict=True)
    ]
    assert found.better == sum(b < a for a, b in zip(off, on, strict=True))
    assert found.worse == sum(b > a for a, b in zip(off, on, strict=True))


@settings(max_examples=100)
@given(two_trees([tables(max_rows=25)]))
def test_the_rows_of_a_place_come_there_in_both_trees(case):
    one, other, table = case
    for place in dt.differences(one, other, table).places:
        for tree, path in ((one, place.one), (other, place.other)):
            top = node_number(tree.flat, path)
            above = tree.apply(table)
            while (above > top).any():
                above = np.where(above > top, tree.flat.parent[above], above)
            assert (above == top).sum() >= place.rows
            if place.kind != "stops":
                assert (above == top).sum() == place.rows
        assert isinstance(dict(walk(one.root))[place.one], Branch) == place.does[0].startswith(
            "asks"
        ) or (place.kind == "stops")


@settings(max_examples=60)
@given(tables(max_rows=25))
def test_a_tree_is_the_same_as_itself(table):
    found = dt.differences(dt.id3(table), dt.id3(table), table)
    assert found.same
    assert (found.n_same, found.changed, found.better) == (dt.id3(table).n_nodes, (), 0)


# -- shown -----------------------------------------------------------------------------------------


def test_it_is_text_in_a_terminal_and_a_table_on_a_page():
    found = dt.differences(LECTURE, REFUND, TAX)
    lines = repr(found).splitlines()
    assert lines[0] == found.told()
    assert lines[1] == found.places[0].told()
    assert re.fullmatch(r"row +first +second +Cheat", lines[2].strip())
    assert lines[3].split() == ["5", "Yes", "No", "Yes"]
    page = found._repr_mimebundle_()["text/html"]
    assert "<li>Where Refund is No" in page
    assert page.count("<tr>") == 1 + 3


def test_names_are_text_and_nothing_else():
    name, cell = "<img src=x onerror=alert(1)>", "<b>"
    table = dt.Table.from_columns(
        {name: [cell, "b", cell], "</script>": ["1", "2", "1"]}, "</script>"
    )
    found = dt.differences(dt.id3(table), dt.id3(table, max_depth=0), table)
    page = found._repr_mimebundle_()["text/html"]
    assert not re.search(r"<(img|b|/script)>", page)
    assert "&lt;img src=x" in page


def test_what_is_many_is_counted_rather_than_listed():
    table = dt.Table.from_columns({"x": [float(i) for i in range(200)], "y": list("ab") * 100}, "y")
    found = dt.differences(dt.id3(table), dt.id3(table, max_depth=0), table)
    assert len(found.rows) == 100
    assert "… 80 more rows" in repr(found)
    assert "… 80 more rows" in found._repr_mimebundle_()["text/html"]
    assert len(dt.draw.text(found, most=None).splitlines()) == 2 + 1 + 100
