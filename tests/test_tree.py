"""What a tree says: predictions, explanations, errors, and its text."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import recipes, tables

import dtree_lab as dt
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.tree.arrays import trimmed
from dtree_lab.tree.splits import ByValue, Intervals, midpoint
from dtree_lab.tree.tree import Branch, Leaf, Tree, flatten, unflatten, walk


def tax_tree():
    return dt.id3(dt.datasets.tax_fraud())


def slow_walk(tree, row):
    """Follow one row through the nested nodes, in plain Python; the node where it stops."""
    node = tree.root
    while isinstance(node, Branch):
        attribute = tree.attributes[node.split.attribute]
        given_value = row[attribute.name]
        branch = None
        if isinstance(node.split, ByValue):
            for i, group in enumerate(node.split.groups):
                if given_value in [attribute.values[code] for code in group]:
                    branch = i
        elif given_value is not None:
            branch = len([cut for cut in node.split.cuts if not given_value < cut])
        if branch is None:
            break
        node = node.children[branch]
    return node


@settings(max_examples=150)
@given(tables(), recipes(), st.data())
def test_predictions_are_those_of_a_slow_walk(table, asked, data):
    """On training rows, on rows mixed from them, with values unseen and missing."""
    tree = Tree(table.attributes, table.target, grow_tree(table, asked))
    mixed = []
    for _ in range(5):
        row = {}
        for attribute in table.attributes:
            options = [*table.column(attribute.name), None]
            options.append(-7.5 if attribute.values is None else "never seen")
            row[attribute.name] = data.draw(st.sampled_from(options))
        mixed.append(row)
    for row in [*table.rows(), *mixed]:
        counts = slow_walk(tree, row).counts
        expected = table.classes[counts.index(max(counts))]
        assert tree.predict(row) == expected
        assert tree.explain(row).prediction == expected
    assert tree.predict(mixed).tolist() == [tree.predict(row) for row in mixed]
    assert tree.predict(table).tolist() == [tree.predict(row) for row in table.rows()]


@settings(max_examples=100)
@given(tables(), recipes())
def test_json_round_trip(table, asked):
    tree = Tree(table.attributes, table.target, grow_tree(table, asked))
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert again.predict(table).tolist() == tree.predict(table).tolist()
    assert flatten(unflatten(tree.flat, tree.attributes), tree.attributes) == tree.flat


def test_json_keeps_the_sorts_of_values():
    table = dt.Table.from_columns(
        {"old": [True, False], "n": [1, 2], "é\n": ["", '"'], "y": [0, 1]},
        target="y",
        kinds={"n": "discrete", "y": "discrete"},
    )
    tree = Tree.from_json(dt.id3(table).to_json())
    assert [a.values for a in tree.attributes] == [(False, True), (1, 2), ("", '"')]
    assert tree.predict({"old": True, "n": 1, "é\n": ""}) == 0


def test_sizes():
    tree = tax_tree()
    nodes = list(walk(tree.root))
    assert tree.n_nodes == len(nodes) == 10
    assert tree.n_leaves == sum(isinstance(node, Leaf) for _, node in nodes) == 6
    assert tree.depth == max(len(path) for path, _ in nodes) == 3


def test_a_chain_a_thousand_deep_breaks_nothing():
    """Every second row differs, and only the lowest cut is ever as good as any other."""
    n = 3000
    root = Leaf((1, 0))
    for i in range(n, 0, -1):
        root = Branch((1, n - i + 1), Intervals(0, (float(i),)), (Leaf((0, 1)), root))
    table = dt.Table.from_columns({"x": [1.0, 2.0], "y": ["a", "b"]}, target="y")
    tree = Tree(table.attributes, table.target, flatten(root, table.attributes))
    assert tree.depth == n
    assert Tree.from_json(tree.to_json()) == tree
    assert tree.predict({"x": n + 0.5}) == "a"
    assert len(tree.explain({"x": n + 0.5}).steps) == n


def test_a_tree_of_one_leaf():
    table = dt.Table.from_columns({"y": ["a", "b", "b"]}, target="y")
    tree = dt.id3(table)
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (1, 1, 0)
    assert tree.predict({}) == "b"
    assert tree.predict(table).tolist() == ["b", "b", "b"]
    assert tree.error(table) == 1 / 3


def test_a_tie_in_a_leaf_goes_to_the_first_class():
    table = dt.Table.from_columns({"y": ["b", "a"]}, target="y")
    assert dt.id3(table).predict({}) == "a"


def test_what_is_unseen_or_missing_is_answered_where_the_row_stops():
    tree = tax_tree()
    widowed = tree.explain({"Refund": "No", "Marital Status": "Widowed", "Taxable Income": 85})
    assert str(widowed).splitlines() == [
        (
            "Marital Status is Widowed, which no training row here had,"
            " so the 10 training rows at this node decide"
        ),
        "so Cheat = No (7 of 10 training rows here)",
    ]
    unknown = {"Refund": None, "Marital Status": "Single", "Taxable Income": 85}
    assert str(tree.explain(unknown)).splitlines() == [
        "Marital Status is Single",
        "Refund is missing, so the 4 training rows at this node decide",
        "so Cheat = No (2 of 4 training rows here)",
    ]
    assert tree.predict(unknown | {"Refund": float("nan")}) == "No"


@each(
    ("row", "error", "says"),
    [
        (
            {"Refund": "No", "Marital Status": "Single"},
            ValueError,
            "the row has no 'Taxable Income'",
        ),
        (
            {"Refund": "No", "marital status": "Single", "Taxable Income": 85},
            ValueError,
            "no 'Marital Status'.*Did you mean 'marital status'",
        ),
        (
            {"Refund": "No", "Marital Status": "Single", "Taxable Income": "85K"},
            TypeError,
            "'Taxable Income' takes a number; got '85K'",
        ),
        (
            {"Refund": 0, "Marital Status": "Single", "Taxable Income": 85},
            TypeError,
            "'Refund' takes a value such as 'Yes'; got 0",
        ),
        (
            {"Refund": "No", "Marital Status": "Single", "Taxable Income": float("inf")},
            ValueError,
            "'Taxable Income' is infinite",
        ),
        ("No", TypeError, "got a str"),
        ([1, 2], TypeError, "row 1 is an int"),
        (5, TypeError, "got an int"),
        (pd.Series({"Refund": "No"}), TypeError, r"dict\(frame.iloc\[0\]\)"),
    ],
)
def test_rows_that_cannot_be_predicted_are_named(row, error, says):
    with pytest.raises(error, match=says):
        tax_tree().predict(row)


def test_explain_takes_one_row():
    with pytest.raises(TypeError, match="one row"):
        tax_tree().explain(dt.datasets.tax_fraud())


def test_predict_takes_frames_and_other_codings():
    """A table whose values come in another order has other codes; values decide, not codes."""
    tree, table = tax_tree(), dt.datasets.tax_fraud()
    names = (*table.names, "Cheat")
    frame = pd.DataFrame({name: table.column(name) for name in names})
    recoded = dt.Table.from_frame(frame, target="Cheat")
    assert recoded.attribute("Refund").values == ("No", "Yes")
    expected = table.column("Cheat")
    for data in (frame, recoded, recoded.take([3, 1, 4, 1, 5])):
        wanted = expected if len(data) == 10 else [expected[i] for i in (3, 1, 4, 1, 5)]
        assert tree.predict(data).tolist() == wanted
    assert tree.error(recoded) == 0


def test_error_needs_the_same_target_and_attributes():
    other = dt.datasets.word_sense()
    with pytest.raises(ValueError, match=r"predicts 'Cheat' .*the target of the table is 'sense'"):
        tax_tree().error(other)
    table = dt.datasets.tax_fraud()
    narrow = dt.Table(table.attributes[:2], table.target, table.columns[:2], table.labels)
    with pytest.raises(ValueError, match="the table has no 'Taxable Income'"):
        tax_tree().error(narrow)
    numbers = dt.Table.from_columns(
        {"Refund": [1.0], "Marital Status": ["Single"], "Taxable Income": [1], "Cheat": ["No"]},
        target="Cheat",
    )
    with pytest.raises(ValueError, match="'Refund' is discrete in the tree but continuous"):
        tax_tree().error(numbers)


def test_error_takes_a_table():
    with pytest.raises(TypeError, match=r"must be a dt\.Table.*got a list"):
        tax_tree().error([{"Refund": "No"}])


def test_a_cut_is_told_with_the_digits_it_needs():
    """At 100000.5 the tree must not say that 100000 is below 100000."""
    table = dt.Table.from_columns({"x": [100_000, 100_001, 52], "y": ["a", "b", "b"]}, "y")
    tree = dt.by_hand(table, {(): ("x", 100_000.5)})
    assert str(tree.explain({"x": 100_000})).startswith("x is 100000, < 100000.5")
    tree = dt.by_hand(table, {(): ("x", 60.0000001)})
    assert "x < 60.0000001?" in repr(tree)


def test_a_class_the_tree_never_saw_is_an_error_of_it():
    table = dt.Table.from_columns({"x": ["u"], "y": ["never"]}, target="y")
    tree = dt.id3(dt.Table.from_columns({"x": ["u"], "y": ["a"]}, target="y"))
    assert tree.error(table) == 1


def broken(**changes):
    data = json.loads(tax_tree().to_json())
    data.update(changes)
    return json.dumps(data)


@each(
    "text",
    [
        "",
        "[]",
        "{}",
        broken(format="other"),
        broken(nodes=[]),
        broken(nodes=[{"counts": [7, 3], "ask": "Refund", "groups": [["Yes"], ["No"]]}]),
        broken(nodes=[{"counts": [7, 3], "ask": "Nothing"}]),
        broken(nodes=[{"counts": [7]}]),
        broken(nodes=[{"counts": [7, -3]}]),
        broken(nodes=[{"counts": [7, "3"]}]),
        broken(nodes=[{}]),
        broken(attributes=3),
        broken(target={"name": "Cheat", "values": "No"}),
        broken(target={"name": None, "values": ["No", "Yes"]}),
        broken(target={"name": "Cheat", "values": [["No"], ["Yes"]]}),
        broken(nodes=[*json.loads(tax_tree().to_json())["nodes"][:-1], {"counts": [9, 9]}]),
        "[" * 100_000,
        broken(target=None),
        None,
    ],
)
def test_a_text_that_is_no_tree_is_refused(text):
    with pytest.raises(ValueError, match=r"not a tree|no value|discrete|groups"):
        Tree.from_json(text)


@settings(max_examples=100)
@given(tables(), st.data())
def test_trimming_keeps_what_stays_open(table, data):
    """Against the nested nodes, cut by hand."""
    tree = dt.id3(table)
    opened = np.array(
        data.draw(st.lists(st.booleans(), min_size=tree.n_nodes, max_size=tree.n_nodes))
    )
    number = {path: i for i, (path, _) in enumerate(walk(tree.root))}

    def cut(node, path):
        if isinstance(node, Leaf) or not opened[number[path]]:
            return Leaf(node.counts)
        children = tuple(cut(child, (*path, i)) for i, child in enumerate(node.children))
        return Branch(node.counts, node.split, children)

    expected = flatten(cut(tree.root, ()), table.attributes)
    assert trimmed(tree.flat, opened, [a.n_values for a in table.attributes]) == expected


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_a_midpoint_parts_its_neighbours(a, b):
    if a == b:
        return
    low, high = min(a, b), max(a, b)
    cut = midpoint(np.array([low]), np.array([high]))[0]
    assert low < cut <= high
    assert Intervals(0, (cut,)).branch(np.array([low, high])).tolist() == [0, 1]


def test_more_than_one_cut():
    table = dt.Table.from_columns({"age": [5, 40, 60, 90], "y": list("abcc")}, target="y")
    tree = dt.by_hand(table, {(): ("age", [40, 90])})
    assert [tree.predict({"age": x}) for x in (39.9, 40, 89, 90, 200)] == ["a", "b", "b", "c", "c"]
    assert "age is 60, 40 to 90" in str(tree.explain({"age": 60}))
    assert Tree.from_json(tree.to_json()) == tree
