"""Rows as marks in a tree: each at the node where it rests, or grains that stand for as many."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.labs.kit.cards import drawn, node_at
from dtree_lab.labs.kit.marks import APART, MOST_MARKS, TreeRows, worth
from dtree_lab.labs.kit.taking import taken
from dtree_lab.tree.tree import Branch, walk


def read(picture):
    """The marks of a picture as ``{key: (node, class)}``, and the pile of each card."""
    marks = picture["marks"]
    ids = _ids(picture)
    first, second = marks["n"]
    assert len(marks["at"]) == 2 * (first + second)
    wide = len(marks["cls"]) // (first + second)
    found = {}
    for i in range(first + second):
        at, cls = marks["at"][2 * i : 2 * i + 2], marks["cls"][wide * i : wide * (i + 1)]
        key = i if i < first else first - 1 - i
        found[key] = (
            None if at == "--" else ids[int(at, 36)],
            None if "-" in cls else int(cls, 36),
        )
    return found


def _ids(picture):
    """The nodes as the browser numbers them."""
    ids = []
    if "far" in picture:
        ids = [picture["far"]["top"]]
        for i, kids in enumerate(picture["far"]["kids"]):
            stem = "" if ids[i] == "root" else f"{ids[i]}."
            ids += [f"{stem}{branch}" for branch in range(max(0, kids))]
    known = set(ids)
    return [*ids, *(card["id"] for card in picture["cards"] if card["id"] not in known)]


def rests(tree, table, row):
    """Where a row stops, question by question."""
    node, path = tree.root, ()
    while isinstance(node, Branch):
        column = table.columns[node.split.attribute][[row]]
        branch = int(node.split.branch(column)[0])
        if branch < 0:
            break
        node, path = node.children[branch], (*path, branch)
    return path


@given(tables(gaps=True))
def test_each_row_lies_where_it_comes_when_it_is_asked_question_by_question(table):
    tree = dt.id3(table)
    found = read(drawn(tree, rows=TreeRows.of(tree, table)))
    assert len(found) == table.n_rows
    for row, (at, cls) in found.items():
        assert at == node_id(rests(tree, table, row))
        assert cls == table.labels[row]


def test_the_marks_of_a_leaf_are_its_rows_counted_by_hand():
    table = dt.datasets.tax_fraud()
    tree = dt.id3(table)
    picture = drawn(tree, table=table, rows=TreeRows.of(tree, table))
    found = read(picture)
    for card in picture["cards"]:
        here = Counter(cls for at, cls in found.values() if at == card["id"])
        asks = card["kind"] == "ask"
        assert [here[k] for k in range(2)] == ([0, 0] if asks else card["counts"])
        assert ("pile" in card) == (not asks)


def test_validation_rows_count_down_and_lie_beside():
    table = dt.datasets.tax_fraud()
    tree, held = dt.id3(table), table.take([3, 0, 7])
    picture = drawn(tree, rows=TreeRows.of(tree, table, held))
    found = read(picture)
    assert sorted(found) == list(range(-3, 10))
    for key, row in ((-1, 3), (-2, 0), (-3, 7)):
        assert found[key] == found[row]
    (leaf,) = (card for card in picture["cards"] if card["id"] == found[-1][0])
    assert min(leaf["pile"]["across"]) > 0
    assert "Hollow" in picture["marks"]["said"]


def noise(rows, seed=0):
    rng = np.random.default_rng(seed)
    numbers = {"x": rng.random(rows), "z": rng.random(rows)}
    labels = np.array(["a", "b", "c"])[rng.choice(3, rows, p=[0.6, 0.3, 0.1])]
    return dt.Table.from_columns({**numbers, "y": labels}, "y")


@pytest.mark.parametrize("rows", [599, 600, 601, 1_500, 10_000])
def test_grains_stand_for_the_rows_of_a_leaf_within_one(rows):
    table = noise(rows)
    tree = dt.cart(table, max_depth=4)
    lie = TreeRows.of(tree, table)
    each = worth(rows)
    assert lie.each == each
    assert len(lie.at) <= MOST_MARKS + 3
    assert abs(len(lie.at) * each - rows) <= 3 * each
    for path, node in walk(tree.root):
        if isinstance(node, Branch):
            continue
        for cls, count in enumerate(node.counts):
            here = [
                lie.places[at] == path and k == cls
                for at, k in zip(lie.at, lie.classes, strict=True)
            ]
            assert abs(sum(here) - count / each) < 1


@given(st.integers(601, 3_000), st.integers(0, 9))
@example(2_999, 0)  # a question at a node of 16 rows, none of them a grain
def test_a_question_parts_the_grains_of_its_node_and_moves_no_other(rows, seed):
    table = noise(rows, seed)
    small, large = (dt.cart(table, max_leaves=n) for n in (3, 4))
    before, after = (read(drawn(tree, rows=TreeRows.of(tree, table))) for tree in (small, large))
    asked = {node_id(path) for path, node in walk(large.root) if isinstance(node, Branch)}
    assert set(before) == set(after)
    moved = 0
    for key, (at, cls) in before.items():
        assert after[key][1] == cls
        if at in asked:
            moved += 1
            stem = "" if at == "root" else f"{at}."
            assert after[key][0].startswith(stem)
            assert after[key][0] != at
        else:
            assert after[key][0] == at
    # Of so many rows of a class in a row at least one is a grain.
    was = {path for path, node in walk(small.root) if isinstance(node, Branch)}
    new = [n for path, n in walk(large.root) if isinstance(n, Branch) and path not in was]
    assert moved or all(max(node.counts) < worth(rows) for node in new)


def test_where_a_tree_is_told_from_afar_the_marks_lie_at_nodes_that_are_told():
    table = noise(4_000)
    tree = dt.cart(table)
    assert tree.n_nodes > 1_000
    deep = max((path for path, _ in walk(tree.root)), key=len)
    for way in ((), deep):
        picture = drawn(tree, way, table=table, rows=TreeRows.of(tree, table))
        assert len(json.dumps(picture["marks"])) < 3_000
        for at, cls in read(picture).values():
            if at is None:
                continue  # above what is drawn of a very deep tree
            node = node_at(tree.root, () if at == "root" else tuple(map(int, at.split("."))))
            assert node.counts[cls] > 0


def test_piles_fit_into_their_cards_and_cards_into_their_levels():
    table = taken(dt.datasets.penguins())
    for tree in (dt.id3(table, max_depth=0), dt.id3(table, max_depth=2), dt.id3(table)):
        picture = drawn(tree, table=table, rows=TreeRows.of(tree, table))
        r, found = picture["marks"]["r"], Counter(at for at, _ in read(picture).values())
        tops = sorted({(card["level"], card["y"]) for card in picture["cards"]})
        below = {level: y for (level, _), (_, y) in pairwise(tops)}
        for card in picture["cards"]:
            assert card["y"] + card["h"] < below.get(card["level"], picture["height"] + 0.1)
            if "pile" in card:
                pile, pitch = card["pile"], APART * r
                (first, second), up = pile["across"], pile["up"]
                assert (first + second) * pitch <= card["w"] - 22 + 0.1
                # Under the title and the histogram, above the strip or in its place.
                title = 11 + 18 * len(card["title"]) + 30 * ("hist" in card)
                assert card["h"] - up >= title - 0.1
                tall = -(-found[card["id"]] // first) * pitch
                assert up - tall >= (26 if pile["whole"] else 42) - 0.1
