"""Following rows through a tree, by hand and against a walk row by row."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Press, Set
from dtree_lab.labs.kit.inspecting import (
    MOST_NODES,
    Follow,
    Passed,
    follow_parts,
    next_follow,
    node_paths,
    picked,
    stopping_path,
)
from dtree_lab.labs.kit.parts import Controls, Grid, Words
from dtree_lab.tree.subtrees import node_number
from dtree_lab.tree.tree import Branch, walk

TAX = dt.datasets.tax_fraud()
TREE = dt.id3(TAX)
REFUND = dt.by_hand(TAX, {(): "Refund"})
BOTH = {"training": TAX, "validation": TAX.take([4, 0, 7])}


def test_nobody_is_followed_at_first():
    seen = follow_parts(TREE, BOTH, Follow())
    assert (seen.tags, seen.lit) == ({}, None)
    (controls,) = seen.parts
    assert [words for _, words in controls.controls[0].options] == [
        "nothing",
        "one training row",
        "one validation row",
        "all training rows",
        "all validation rows",
    ]


def test_the_way_of_one_row_with_its_reasons():
    """Row 8: no refund, Single, 85: the tree asks for the status first."""
    seen = follow_parts(TREE, BOTH, Follow("one training", 7))
    controls, words = seen.parts
    assert isinstance(words, Words)
    assert words.lines == [
        "Row 8 of the training rows: Refund = No, Marital Status = Single, Taxable Income = 85.",
        "1. Marital Status is Single",
        "2. Refund is No",
        "3. Taxable Income is 85, ≥ 77.5",
        "So Cheat = Yes (2 of 2 training rows here). The row says Yes: right.",
    ]
    assert seen.lit == (0, 1, 1)
    assert seen.tags == {(0, 1, 1): "row 8, right"}
    assert isinstance(controls, Controls)
    choice, slider, button = controls.controls
    assert (choice.value, slider.value, slider.high, button.enabled) == (
        "one training",
        8,
        10,
        False,
    )


def test_a_row_that_comes_out_wrong_says_so():
    seen = follow_parts(REFUND, BOTH, Follow("one validation", 2))
    assert seen.parts[1].lines[-1].endswith("The row says Yes: wrong.")
    assert seen.tags == {(1,): "row 3, wrong"}
    assert seen.parts[0].controls[-1].enabled


def test_the_next_wrong_row_goes_round():
    """With Refund alone, rows 5, 8 and 10 come out wrong."""
    follow = Follow("one training", 0)
    found = []
    for _ in range(4):
        follow = next_follow(follow, Press("follow-wrong"), BOTH, REFUND)
        found.append(follow.row + 1)
    assert found == [5, 8, 10, 5]
    with pytest.raises(NotPossibleError, match="gets all of 10 rows right"):
        next_follow(follow, Press("follow-wrong"), BOTH, TREE)


def test_all_rows_by_hand():
    """Three rows have a refund and none cheats; of the seven others three do."""
    seen = follow_parts(REFUND, BOTH, Follow("all training"))
    assert seen.tags == {
        (): "10 rows, 3 wrong",
        (0,): "3 rows, 0 wrong",
        (1,): "7 rows, 3 wrong",
    }
    grid = seen.parts[1]
    assert isinstance(grid, Grid)
    assert grid.heading == "10 training rows, 3 of them come out wrong"
    assert [list(row) for row in grid.rows] == [
        ["the root", "asks Refund", "10", "3", "3"],
        ["Refund is Yes", "answers No", "3", "0", "0"],
        ["Refund is No", "answers No", "7", "3", "3"],
    ]
    deeper = follow_parts(TREE, BOTH, Follow("all validation")).parts[1]
    assert deeper.heading == "3 validation rows, none comes out wrong"
    # Were the root a leaf, it would answer No: wrong for rows 5 and 8.
    assert list(deeper.rows[0]) == ["the root", "asks Marital Status", "3", "0", "2"]
    assert "… Refund is No" in [row[0] for row in deeper.rows]


def test_a_node_is_picked_from_the_list():
    all_rows = Follow("all training")
    lines = follow_parts(TREE, BOTH, all_rows).parts[1].rows
    for i, line in enumerate(lines):
        path = picked(all_rows, Pick("follow-nodes", i), BOTH, TREE)
        node = dict(walk(TREE.root))[path]
        assert line[1].startswith("asks") == isinstance(node, Branch)
        assert line[2] == str(sum(node.counts))
    for action in (Pick("follow-nodes", len(lines)), Pick("follow-nodes", -1)):
        with pytest.raises(NotPossibleError, match="has no line"):
            picked(all_rows, action, BOTH, TREE)
    assert picked(all_rows, Pick("other", 0), BOTH, TREE) is None
    assert picked(all_rows, Press("follow"), BOTH, TREE) is None


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (Set("follow", "one test"), "nobody 'one test' to follow; there are one training"),
        (Set("follow-row", 11), "between 1 and 10"),
        (Set("follow-row", 1.5), "a whole number"),
        (Set("follow-row", "1"), "a whole number"),
    ],
)
def test_whom_one_cannot_follow_is_said(action, says):
    with pytest.raises(NotPossibleError, match=says):
        next_follow(Follow("one training"), action, BOTH, TREE)


def test_what_is_about_something_else_is_left_alone():
    for action in (Set("speed", 3), Press("next"), Pick("follow-nodes", 0)):
        assert next_follow(Follow(), action, BOTH, TREE) is None
    with pytest.raises(NotPossibleError, match="First choose whom"):
        next_follow(Follow(), Set("follow-row", 1), BOTH, TREE)


def test_the_row_is_kept_within_a_table_and_begins_anew_in_another():
    follow = next_follow(Follow("one training", 7), Set("follow", "all training"), BOTH, TREE)
    assert follow == Follow("all training", 7)
    follow = next_follow(follow, Set("follow", "one validation"), BOTH, TREE)
    assert follow == Follow("one validation", 0)
    assert next_follow(follow, Set("follow", ""), BOTH, TREE) == Follow()


def test_of_many_values_those_that_are_asked_are_told():
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.normal(size=40).round(3).tolist() for i in range(30)}
    table = dt.Table.from_columns({**columns, "y": list("ab") * 20}, "y")
    tree = dt.by_hand(table, {(): ("x29", float(np.median(columns["x29"])))})
    said = follow_parts(tree, {"training": table}, Follow("one training", 3)).parts[1].lines[0]
    assert f"x29 = {columns['x29'][3]:g}" in said
    assert said.endswith("and 22 more values.")


def test_the_worst_nodes_are_listed_and_the_others_counted():
    rng = np.random.default_rng(1)
    columns = {"x": rng.random(300), "z": rng.random(300)}
    table = dt.Table.from_columns({**columns, "y": np.where(rng.random(300) < 0.5, "a", "b")}, "y")
    tree = dt.id3(table)
    rows = {"validation": table.take(rng.integers(0, 300, 200))}
    flipped = dt.Table.from_columns(
        {**columns, "y": np.where(rng.random(300) < 0.5, "a", "b")}, "y"
    )
    for name, data in (*rows.items(), ("other", flipped)):
        grid = follow_parts(tree, {name: data}, Follow(f"all {name}")).parts[1]
        assert len(grid.rows) == MOST_NODES
        assert grid.more == f"… {tree.n_nodes - MOST_NODES} more nodes with fewer wrong rows"
    least = min(int(row[3]) for row in grid.rows)
    wrong = sorted(Passed.of(tree, flipped).wrong.tolist(), reverse=True)
    assert least == wrong[MOST_NODES - 1]


# -- against walks row by row ----------------------------------------------------------------------


def way_of(tree, row):
    """The path of a row, question by question."""
    node, path = tree.root, ()
    while isinstance(node, Branch):
        attribute = tree.attributes[node.split.attribute]
        given = row[attribute.name]
        if given is None:
            break
        column = np.array([given if attribute.values is None else attribute.code(given)])
        branch = int(node.split.branch(column)[0])
        if branch < 0:
            break
        node, path = node.children[branch], (*path, branch)
    return path


@given(tables(max_rows=25), st.data())
def test_every_node_counts_the_rows_whose_way_leads_through_it(table, data):
    n = len(table)
    part = table.take(data.draw(st.lists(st.integers(0, n - 1), min_size=1, unique=True)))
    tree = dt.cart(part, max_depth=data.draw(st.one_of(st.none(), st.integers(0, 3))))
    passed = Passed.of(tree, table)
    ways = [way_of(tree, row) for row in table.rows()]
    wrong = [tree.predict(row) != row["y"] for row in table.rows()]
    assert passed.rows_wrong.tolist() == [i for i, w in enumerate(wrong) if w]
    every = node_paths(tree)
    assert every == [path for path, _ in walk(tree.root)]
    assert [node_number(tree.flat, path) for path in every] == list(range(tree.n_nodes))
    for i, (path, node) in enumerate(walk(tree.root)):
        through = [row for row, way in enumerate(ways) if way[: len(path)] == path]
        assert passed.rows[i] == len(through)
        assert passed.wrong[i] == sum(wrong[row] for row in through)
        majority = tree.classes[node.counts.index(max(node.counts))]
        assert passed.as_leaf[i] == sum(table.row(row)["y"] != majority for row in through)
    for row, way in enumerate(ways):
        assert stopping_path(tree, table, row) == way
        seen = follow_parts(tree, {"training": table}, Follow("one training", row))
        assert seen.lit == way
        reasons = [line for line in seen.parts[1].lines if line[0].isdigit()]
        assert len(reasons) in (len(way), len(way) + 1)  # one more where it stops above a leaf
        verdict = "wrong" if wrong[row] else "right"
        assert seen.tags == {way: f"row {row + 1}, {verdict}"}


@given(tables(max_rows=20, gaps=True), st.data())
def test_rows_without_values_are_followed_as_far_as_they_go(table, data):
    whole = [i for i, row in enumerate(table.rows()) if None not in row.values()]
    if not whole:
        return
    tree = dt.id3(table.take(whole))
    row = data.draw(st.integers(0, len(table) - 1))
    seen = follow_parts(tree, {"training": table}, Follow("one training", row))
    assert seen.lit == way_of(tree, table.row(row))
    assert json.loads(json.dumps([part.json() for part in seen.parts]))
    assert (
        follow_parts(tree, {"training": table}, Follow("all training"))
        .tags[()]
        .startswith(f"{len(table)} row")
    )
