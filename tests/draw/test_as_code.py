"""Generated code, run: it must answer as the tree does and hold names as data only."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from draw.shapes import HOSTILE, drawn, nasty_tree
from dtree_lab.draw.words import answer, headline
from dtree_lab.splits import ByValue, Intervals, threshold
from dtree_lab.tree import Branch, Leaf, Tree, flatten, walk


def function(tree):
    source = dt.draw.python(tree)
    imported = [
        n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import | ast.ImportFrom)
    ]
    assert not imported
    found = {"__builtins__": {"dict": dict, "isinstance": isinstance, "sum": sum}}
    exec(compile(source, "tree", "exec"), found)  # noqa: S102 - running it is the test
    return found["predict"]


def cells(attribute):
    if attribute.values is None:
        return st.sampled_from([None, float("nan"), -1e9, 1e9, 0, 0.5, 1, 1 / 3, 2, 3.0, 10, 20.0])
    return st.sampled_from([*attribute.values, "never seen", None])


def rows(tree):
    return st.fixed_dictionaries({a.name: cells(a) for a in tree.attributes})


@settings(max_examples=60)
@given(tables(), st.sampled_from([dt.id3, dt.cart, dt.c45]), st.data())
def test_the_function_predicts_as_the_tree_does(table, grower, data):
    tree = grower(table)
    predict = function(tree)
    for row in [*table.rows(), *data.draw(st.lists(rows(tree), max_size=10))]:
        assert predict(row) == tree.predict(row)


@settings(max_examples=60)
@given(drawn(), st.data())
def test_also_with_several_cuts_and_names_of_all_sorts(shape, data):
    root, attributes, target = shape
    named = tuple(dt.Attribute(f"{a.name}{i}", a.values) for i, a in enumerate(attributes))
    tree = Tree(named, target, flatten(root, named))
    predict = function(tree)
    for row in data.draw(st.lists(rows(tree), min_size=1, max_size=10)):
        assert predict(row) == tree.predict(row)


def deep_tree(depth):
    """Questions by value and by cuts, one in the other, to any depth."""
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
    return Tree(attributes, dt.Attribute("y", ("a", "b")), flatten(node, attributes))


@pytest.mark.parametrize("depth", [0, 1, 20, 21, 1200])
def test_any_depth(depth):
    tree = deep_tree(depth)
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


@settings(max_examples=40)
@given(drawn())
def test_dot_says_each_node_and_each_edge_and_nothing_else(shape):
    root, attributes, target = shape
    tree = Tree(attributes, target, flatten(root, attributes))
    lines = dt.draw.dot(tree).split("\n")
    nodes = [
        re.fullmatch(rf"  n(\d+) \[label={STRING}(, color=\"#\w+\", penwidth=2)?\]", x)
        for x in lines
    ]
    edges = [re.fullmatch(rf"  n(\d+) -> n(\d+) \[label={STRING}\]", x) for x in lines]
    order = list(walk(root))
    labels = [said(m[2]).split("\n")[0] for m in nodes if m]
    assert labels == [" ".join(headline(n, attributes, target)).rstrip() for _, n in order]
    place = {path: i for i, (path, _) in enumerate(order)}
    found = [(int(m[1]), int(m[2]), said(m[3])) for m in edges if m]
    wanted = [
        (place[path], place[(*path, b)], answer(node.split, attributes, b))
        for path, node in order
        if isinstance(node, Branch)
        for b in range(len(node.children))
    ]
    assert found == wanted
    assert len(lines) == 5 + len(labels) + len(found)
    assert (lines[0], lines[-1]) == ("digraph tree {", "}")
