"""Generated code, run: it must answer as the tree does and hold names as data only."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from draw.shapes import HOSTILE, answered, by_sides, drawn, nasty_tree, sided
from dtree_lab.draw.words import NodeText, branch_answer
from dtree_lab.tree.splits import ByValue, Intervals, threshold
from dtree_lab.tree.tree import Branch, Leaf, Tree, flatten, walk


def function(tree):
    source = dt.draw.python(tree)
    imported = [
        n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom)
    ]
    assert not imported
    allowed = {"dict": dict, "float": float, "isinstance": isinstance, "sum": sum}
    found = {"__builtins__": allowed}
    exec(compile(source, "tree", "exec"), found)  # noqa: S102 - running it is the test
    return found["predict"]


def cells(attribute):
    if attribute.values is None:
        return st.sampled_from([None, float("nan"), -1e9, 1e9, 0, 0.5, 1, 1 / 3, 2, 3.0, 10, 20.0])
    return st.sampled_from([*attribute.values, "never seen", None])


def rows(tree):
    return st.fixed_dictionaries({a.name: cells(a) for a in tree.attributes})


LEAVES = st.sampled_from(["mean", "vote", "line"])


@settings(max_examples=120)
@given(
    tables(gaps=True) | number_tables(gaps=True),
    st.sampled_from([dt.id3, dt.cart, dt.c45]),
    LEAVES,
    st.data(),
)
def test_the_function_predicts_as_the_tree_does(table, grower, leaf, data):
    tree = data.draw(sided(grower(table, leaf="mean" if table.target.values else leaf)))
    predict = function(tree)
    for row in [*table.rows(), *data.draw(st.lists(rows(tree), max_size=10))]:
        assert predict(row) == tree.predict(row)


@settings(max_examples=100)
@given(drawn() | answered(), st.data())
def test_also_with_several_cuts_and_names_of_all_sorts(shape, data):
    root, attributes, target = shape
    named = tuple(dt.Attribute(f"{a.name}{i}", a.values) for i, a in enumerate(attributes))
    tree = data.draw(sided(Tree(named, target, flatten(root, named))))
    predict = function(tree)
    for row in data.draw(st.lists(rows(tree), min_size=1, max_size=10)):
        assert predict(row) == tree.predict(row)


def deep_tree(depth, lines=None, *, sides=False):
    """Questions by value and by cuts, one in the other, to any depth; of numbers, with lines."""
    attributes = (dt.Attribute("x"), dt.Attribute('"k"\n', ("p", "q", "r")))
    node = Leaf((1, 0))
    for i in range(depth):
        other = Leaf((0, 2 + i))
        if i % 3:
            split, children = threshold(0, float(i)), (other, node)
        elif i % 2:
            split, children = ByValue(1, ((0,), (1, 2))), (node, other)
        else:
            split, children = Intervals(0, (-1.0, float(i))), (other, other, node)
        counts = tuple(map(sum, zip(*(c.counts for c in children), strict=True)))
        node = Branch(counts, split, children)
    tree = Tree(attributes, dt.Attribute("y", ("a", "b")), flatten(node, attributes))
    if sides:
        gaps = np.where(tree.flat.attr >= 0, tree.flat.width - 1, -1).astype(np.int32)
        tree = tree.with_nodes(replace(tree.flat, gaps=gaps))
    if lines is None:
        return tree
    n = tree.n_nodes
    values = [np.arange(n) / 3, np.ones(n)] + [np.arange(n) % 5 / 7, np.arange(n) / 9] * lines
    flat = replace(
        tree.flat, counts=tree.flat.counts.sum(axis=1, keepdims=True), values=np.stack(values, 1)
    )
    return Tree(attributes, dt.Attribute("y"), flat)


@each("depth", [0, 1, 20, 21, 1200])
@each("lines", [None, 0, 1])
@each("sides", [False, True])
def test_any_depth(depth, lines, sides):
    tree = deep_tree(depth, lines, sides=sides)
    assert tree.depth == depth
    predict = function(tree)
    for x in [None, float("nan"), -2.0, 0.0, 1.0, 7.0, depth / 2, depth + 1.0]:
        for k in ["p", "q", "r", "other", None]:
            row = {"x": x, '"k"\n': k}
            assert predict(row) == tree.predict(row)


def test_every_digit_of_a_cut_is_kept():
    low, high = 0.1 + 0.2, 0.1 + 0.2 + 2**-53
    table = dt.Table.from_columns({"x": [low, high], "y": ["a", "b"]}, "y")
    predict = function(dt.id3(table))
    assert [predict({"x": low}), predict({"x": high})] == ["a", "b"]


@pytest.mark.parametrize("leaf", ["mean", "vote", "line"])
def test_every_digit_of_an_answer_is_kept(leaf):
    """Thirds and tenths, predicted for every training row and for rows that lack anything."""
    numbers = {"x": [i / 7 for i in range(60)], "z": [(i * i) % 11 / 3 for i in range(60)]}
    words = ["p", "q", None] * 20
    y = [(i % 13) / 10 + i / 3 for i in range(60)]
    table = dt.Table.from_columns({**numbers, "w": words, "y": y}, "y", missing="keep")
    tree = dt.cart(table, max_depth=3, leaf=leaf)
    predict = function(tree)
    rows = [
        {name: None if name in gone else row[name] for name in ("x", "z", "w")}
        for row in table.rows()
        for gone in ("", "x", "z", "w", "xz", "xzw")
    ]
    assert [predict(row) for row in rows] == tree.predict(rows).tolist()
    singles = np.array([[r["x"] or 0, r["z"] or 0] for r in rows], dtype=np.float32)
    assert len({predict(row) for row in rows}) > 5
    narrow = [{"x": x, "z": z, "w": "p"} for x, z in singles]
    assert [predict(row) for row in narrow] == tree.predict(narrow).tolist()


def test_classes_and_values_keep_their_sort():
    table = dt.Table.from_columns(
        {"x": [True, False, True], "k": [1, 2, 3], "y": [10, 20, 30]},
        "y",
        kinds={"k": "discrete", "y": "discrete"},
    )
    tree = dt.id3(table)
    predict = function(tree)
    assert [predict(row) for row in table.rows()] == [10, 20, 30]


def test_hostile_names_are_data():
    tree = nasty_tree()
    source = dt.draw.python(tree)
    assert source.isascii()
    constants = {n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant)}
    assert {tree.attributes[0].name} <= constants
    assert constants & set(HOSTILE)
    predict = function(tree)
    for a in HOSTILE:
        row = {HOSTILE[0]: a, HOSTILE[1]: a, HOSTILE[4]: 3.5}
        assert predict(row) == tree.predict(row)


@pytest.mark.parametrize("name", ["", "a b", "class", "x()", "1x", "f:\n  evil", None])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match="name that a Python function can have"):
        dt.draw.python(dt.stump(dt.datasets.tax_fraud()), name)


def test_the_name_is_taken():
    assert dt.draw.python(dt.stump(dt.datasets.tax_fraud()), "cheats").startswith(
        "def cheats(row):"
    )


# -- Graphviz ------------------------------------------------------------------------------------

STRING = r'"((?:[^"\\]|\\.)*)"'


def said(quoted):
    """What Graphviz shows of a quoted string: escapes, then entities."""
    text = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], quoted, flags=re.DOTALL)
    return text.replace("&amp;", "&")


@settings(max_examples=60)
@given(drawn() | answered())
def test_dot_says_each_node_and_each_edge_and_nothing_else(shape):
    root, attributes, target = shape
    tree = Tree(attributes, target, flatten(root, attributes))
    lines = dt.draw.dot(tree).split("\n")
    nodes = [
        re.fullmatch(rf"  n(\d+) \[label={STRING}((, color=\"#\w+\")?, penwidth=2)?\]", x)
        for x in lines
    ]
    edges = [re.fullmatch(rf"  n(\d+) -> n(\d+) \[label={STRING}\]", x) for x in lines]
    order, telling = list(walk(root)), NodeText.of(root, attributes, target)
    labels = [said(m[2]).split("\n")[0] for m in nodes if m]
    assert labels == [" ".join(telling.headline(n)).rstrip() for _, n in order]
    for (_, node), m in zip(order, filter(None, nodes), strict=True):
        rows = sum(node.counts) - sum(sum(c.counts) for c in getattr(node, "children", ()))
        rests = f"no value: {rows:,} stop" in said(m[2])
        assert rests == (isinstance(node, Branch) and rows > 0)
    place = {path: i for i, (path, _) in enumerate(order)}
    found = [(int(m[1]), int(m[2]), said(m[3])) for m in edges if m]
    wanted = [
        (place[path], place[(*path, b)], branch_answer(node.split, attributes, b))
        for path, node in order
        if isinstance(node, Branch)
        for b in range(len(node.children))
    ]
    assert found == wanted
    assert len(lines) == 5 + len(labels) + len(found)
    assert (lines[0], lines[-1]) == ("digraph tree {", "}")


def test_rows_without_a_value_go_where_a_tree_of_others_sends_them():
    for tree, said in by_sides():
        predict, name = function(tree), tree.attributes[0].name
        assert [predict({name: given}) for given in said] == list(said.values())
