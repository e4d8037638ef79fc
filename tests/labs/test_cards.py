"""A tree for the browser: cards where they belong, the rest in short, and histograms of cuts."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.labs.kit.cards import MOST_CARDS, drawn, histograms, node_at
from dtree_lab.labs.kit.marks import far_tree, for_browser
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Branch, walk


def read(far):
    """The nodes of a tree told in short, as ``{id: (x, rows, cls, purity, words, untold)}``."""
    ids, at, found = [far["top"]], 0, {}
    for i, kids in enumerate(far["kids"]):
        at += far["x"][i]
        says = far["words"][far["asks"][i]] if far["asks"][i] >= 0 else None
        cls = far["cls"][i] if far["cls"] else -1
        found[ids[i]] = (at, far["rows"][i], cls, int(far["pure"][i]), says, max(0, -kids))
        stem = "" if ids[i] == "root" else f"{ids[i]}."
        ids += [f"{stem}{branch}" for branch in range(max(0, kids))]
    return found


@given(tables(), st.integers(3, 400))
def test_a_tree_told_in_short_is_the_tree(table, most):
    """Against the nodes themselves: rows, class, purity; each has its parent, none is forgotten."""
    tree = dt.id3(table)
    far = for_browser(tree, far_tree(tree, tree.root), most)
    nodes = {node_id(path): node for path, node in walk(tree.root)}
    seen = read({**far, "top": "root"})
    assert len(seen) <= max(most, 1)
    assert sum(1 + untold for *_, untold in seen.values()) == len(nodes)
    for id_, (_, rows, cls, pure, says, untold) in seen.items():
        counts = nodes[id_].counts
        assert rows == sum(counts)
        assert counts[cls] == max(counts)
        assert (pure == 9) == (0 < max(counts) == sum(counts))
        assert (pure == 0) == (counts.count(max(counts)) > 1 and max(counts) > 0)
        assert bool(says) == isinstance(nodes[id_], Branch)
        below = nodes[id_].children if isinstance(nodes[id_], Branch) else ()
        stem = "" if id_ == "root" else f"{id_}."
        assert untold or all(f"{stem}{b}" in seen for b in range(len(below)))


def test_no_two_nodes_of_a_level_stand_on_each_other_and_cards_stand_where_marks_do():
    tree = dt.id3(dt.datasets.truth_table("xor", 8))
    deep = (0, 1, 0, 1, 1)
    for way in ((), deep):
        picture = drawn(tree, way)
        assert len(picture["cards"]) < MOST_CARDS
        seen = read(picture["far"])
        assert len(seen) == tree.n_nodes == 511
        rows = {}
        for id_, (x, *_) in seen.items():
            rows.setdefault(0 if id_ == "root" else id_.count(".") + 1, []).append(x)
        slots = picture["far"]["slots"]
        for level, xs in rows.items():
            assert np.diff(xs).min(initial=1e9) >= slots[level == 8]
        for card in picture["cards"]:
            assert card["x"] + card["w"] / 2 == pytest.approx(seen[card["id"]][0], abs=0.6)
            assert card["w"] <= slots[card["kind"] == "answer"] + 0.1
            assert card["y"] == picture["far"]["tops"][card["level"] - 1]
            assert card["y"] + card["h"] <= picture["far"]["tops"][card["level"]]
        assert seen == read(drawn(tree, ())["far"])  # wherever one looks


def test_a_tree_of_thousands_of_nodes_fits_into_a_message():
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(9_000) < 0.5, "a", "b")  # noise
    table = dt.Table.from_columns(
        {"x": rng.random(9_000), "z": rng.random(9_000), "y": labels}, "y"
    )
    tree = dt.cart(table)
    assert tree.n_nodes > 5_000
    picture = drawn(tree, table=table)
    assert len(json.dumps(picture)) < 40_000
    seen = read(picture["far"])
    told_of = [rows for _, rows, *_ in seen.values()]
    untold = [rows for _, rows, *_, n in seen.values() if n]
    assert untold  # the largest nodes are those that are told
    assert sum(n + 1 for *_, n in seen.values()) == tree.n_nodes
    assert sorted(told_of)[len(told_of) // 2] >= sorted(untold)[len(untold) // 2] / 2


def test_small_trees_have_cards_only():
    tree = dt.id3(dt.datasets.truth_table("xor", 5))
    picture = drawn(tree)
    assert len(picture["cards"]) == tree.n_nodes == MOST_CARDS
    assert "far" not in picture


@given(tables(gaps=True))
def test_a_histogram_has_the_rows_of_its_node_on_either_side_of_its_cut(table):
    """By sending each row down the tree one by one."""
    tree = dt.id3(table)
    paths = [path for path, _ in walk(tree.root)]
    found = histograms(tree.root, table, paths)
    k = len(table.classes)
    for path, bins in found.items():
        node = node_at(tree.root, path)
        assert isinstance(node.split, Intervals)
        heights = np.array([int(c, 36) for c in bins["bins"]]).reshape(-1, k)
        xs, ys = _rows_at(tree, table, path, node)
        assert (heights.sum(axis=0) > 0).tolist() == [k_ in ys for k_ in range(k)]
        assert heights[0].sum() > 0  # the least value is in the first bin, the greatest in the last
        assert heights[-1].sum() > 0
        low, high = min(xs), max(xs)
        cuts = [(cut - low) / (high - low) for cut in node.split.cuts]
        assert bins["at"] == pytest.approx(cuts, abs=1e-3)


def _rows_at(tree, table, path, node):
    """The values and classes of the rows that come to a node."""
    xs, ys = [], []
    for row in range(table.n_rows):
        at = tree.root
        for branch in path:
            value = table.columns[at.split.attribute][[row]]
            if at.split.branch(value)[0] != branch:
                break
            at = at.children[branch]
        else:
            x = float(table.columns[node.split.attribute][row])
            if not np.isnan(x):
                xs.append(x)
                ys.append(int(table.labels[row]))
    return xs, ys


def test_only_questions_about_numbers_have_one_and_it_makes_their_cards_higher():
    table = dt.datasets.tax_fraud()
    tree = dt.id3(table)
    plain = {card["id"]: card for card in drawn(tree)["cards"]}
    cards = {card["id"]: card for card in drawn(tree, table=table)["cards"]}
    (income,) = (id_ for id_, card in cards.items() if "hist" in card)
    assert cards[income]["title"][0] == "Taxable Income"
    assert cards[income]["h"] > plain[income]["h"]
    for id_, card in cards.items():
        below = [cards[child] for child in card["children"]]
        assert all(child["y"] > card["y"] + card["h"] for child in below), id_
    # By hand: 70 No, and 85 and 90 Yes; the cut is at 77.5.
    heights = cards[income]["hist"]["bins"]
    assert [i for i in range(0, 32, 2) if heights[i] != "0"] == [0]
    assert [i // 2 for i in range(1, 32, 2) if heights[i] != "0"] == [12, 15]
    assert cards[income]["hist"]["at"] == [pytest.approx(7.5 / 20, abs=1e-3)]


@given(tables())
def test_a_card_tells_its_class_and_how_mixed_it_is(table):
    """By sorting the counts; what could as well be answered are the next three with as many."""
    for card in drawn(dt.id3(table))["cards"]:
        most, *others = sorted(card["counts"], reverse=True)
        best = [k for k, count in enumerate(card["counts"]) if count == most]
        mix = "pure" if not sum(others) else "tie" if others[0] == most else "mixed"
        assert card.get("mix", "mixed") == mix
        assert [card["cls"], *card.get("tied", [])] == best[:4]


def test_a_question_is_told_in_halves_whatever_its_name_looks_like():
    columns = {"a < b": [1, 2, 3, 4], "y": list("aabb")}
    tree = dt.cart(dt.Table.from_columns(columns, target="y"), criterion="entropy")
    root = drawn(tree)["cards"][0]
    assert root["title"] == ["a < b < 2.5?"]
    assert root["halves"] == ["a < b", "< 2.5?"]
    assert for_browser(tree, far_tree(tree, tree.root), 9)["words"] == [["a < b", "< 2.5?"]]
    long = dt.cart(dt.Table.from_columns({"x" * 50: [1, 2, 3, 4], "y": list("aabb")}, target="y"))
    ((name, asks),) = for_browser(long, far_tree(long, long.root), 9)["words"]
    assert (len(f"{name} {asks}"), name[-1], asks) == (24, "…", "< 2.5?")


def test_a_branch_tells_what_holds_on_it_whatever_names_and_values_look_like():
    """The browser says a row's way with these, and never reads words that were made for people."""
    columns = {
        "a < b": [1, 2, 3, 4, 5, 6],
        "income": ["<=50K", ">50K", "<=50K", "≥ 1", ">50K", "≥ 1"],
        "y": list("aabbcc"),
    }
    table = dt.Table.from_columns(columns, target="y")

    def conditions(tree):
        edges = drawn(tree)["edges"]
        return {(one["attribute"], one["op"], one["value"]) for one in edges}

    asked = conditions(dt.cart(table, criterion="entropy"))
    assert asked <= {("a < b", op, cut) for op in "<≥" for cut in ("2.5", "4.5")}
    assert len(asked) == 4
    words = dt.Table.from_columns({k: columns[k] for k in ("income", "y")}, target="y")
    assert conditions(dt.id3(words)) == {("income", "=", v) for v in columns["income"]}
