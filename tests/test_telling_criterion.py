"""A tree says how mixed its rows are by the measure that it was grown by."""

from __future__ import annotations

import json
import pickle
import re
from fractions import Fraction

import matplotlib as mpl
import pytest

import dtree_lab as dt
from dtree_lab.draw.words import NodeText
from dtree_lab.tree.tree import Leaf, walk

TAX = dt.datasets.tax_fraud()


def gini(counts):
    """By its definition: how often two draws differ."""
    n = sum(counts)
    return float(1 - sum(Fraction(c, n) ** 2 for c in counts))


def says(tree):
    """All that is said of a tree, by every way to show it."""
    mpl.use("agg")
    axes = dt.draw.plot(tree)
    plotted = " ".join(text.get_text() for text in axes.findobj(mpl.text.Text))
    mpl.pyplot.close(axes.figure)
    return {
        "text": str(tree),
        "svg": dt.draw.svg(tree),
        "dot": dt.draw.dot(tree),
        "matplotlib": plotted,
        "html": tree._repr_mimebundle_()["text/html"],
    }


def test_every_picture_says_the_measure_of_the_tree():
    for tree, unit, other in ((dt.cart(TAX), "Gini 0.420", "bits"), (dt.id3(TAX), "bits", "Gini")):
        for how, text in says(tree).items():
            assert unit in text, how
            assert other not in text.replace("Gini impurity", "" if unit == "bits" else "Gini"), how


def test_the_impurities_are_those_of_the_definition():
    tree = dt.cart(TAX)
    nodes = [node for _, node in walk(tree.root)]
    told = NodeText.of_tree(tree).spreads(nodes)
    for node, spread in zip(nodes, told, strict=True):
        assert float(spread.short.removeprefix("Gini ")) == pytest.approx(
            gini(node.counts), abs=5e-4
        )
        assert spread.spoken == spread.short.replace("Gini", "Gini impurity")
    scene = dt.draw.layout(tree.root, tree.attributes, tree.target, criterion=tree.criterion)
    assert "Gini impurity 0.420" in scene.cards[0].label


NUMBERS = dt.Table.from_columns({"x": [1.0, 2, 3, 4], "y": [1.0, 2, 3.5, 9]}, "y")


def test_who_grew_a_tree_decides():
    from dtree_lab.sklearn import TreeClassifier

    gini, entropy = "gini", "entropy"
    rows = [[0.0], [1.0], [2.0]]
    cases = [
        (dt.id3(TAX), entropy),
        (dt.c45(TAX), entropy),
        (dt.cart(TAX), gini),
        (dt.cart(TAX, criterion="entropy"), entropy),
        (dt.id3(TAX, criterion="gini", max_leaves=3), gini),
        (dt.stump(TAX), entropy),
        (dt.cart(NUMBERS), "variance"),
        (dt.by_hand(TAX, {(): "Refund"}), entropy),
        (dt.gaussian_tree(TAX, criterion="gini"), gini),
        (dt.prune.reduced_error(dt.cart(TAX), TAX), gini),
        (dt.prune.reduced_error(dt.cart(TAX), TAX).after(0), gini),
        (dt.prune.cost_complexity(dt.id3(TAX), 0.1), entropy),
        (dt.prune.grow_until(dt.cart, TAX, TAX, patience=2), gini),
        (dt.random_forest(TAX, n_trees=2).trees[1], gini),
        (dt.random_forest(TAX, n_trees=2, criterion="entropy").trees[0], entropy),
        (dt.adaboost(TAX).stumps[0], gini),
        (dt.adaboost(TAX, criterion="entropy").stumps[0], entropy),
        (TreeClassifier().fit(rows, [0, 1, 0]).tree_, gini),
        (TreeClassifier(criterion="entropy").fit(rows, [0, 1, 0]).tree_, entropy),
    ]
    for i, (tree, criterion) in enumerate(cases):
        assert tree.criterion == criterion, i
        again = dt.Tree.from_json(tree.to_json())
        assert (again.criterion, str(again)) == (criterion, str(tree)), i
        assert pickle.loads(pickle.dumps(tree)).criterion == criterion  # noqa: S301 - ours


def test_trees_are_equal_by_what_they_ask():
    tree = dt.cart(TAX)
    data = json.loads(tree.to_json())
    assert data.pop("criterion") == "gini"
    older = dt.Tree.from_json(json.dumps(data))  # as texts were before trees knew it
    assert older == tree
    assert older.criterion == "entropy"
    assert re.search(r"0\.881 bits", str(older))
    for odd in ("error", None, [], "variance"):
        with pytest.raises(ValueError, match="its criterion must be 'entropy' or 'gini'"):
            dt.Tree.from_json(json.dumps({**data, "criterion": odd}))


def test_a_tree_that_a_person_grows_is_told_by_who_asked_last():
    builder = dt.TreeBuilder(TAX)
    builder.act({"do": "finish", "recipe": "CART"})
    assert builder.tree.criterion == "gini"
    (tree,) = [part for part in builder.view["parts"] if part["kind"] == "tree"]
    for card in tree["tree"]["cards"]:
        assert "Gini impurity" in card["label"]
    assert dt.TreeBuilder(TAX, state=builder.state).tree.criterion == "gini"
    builder.act({"do": "cut", "at": "0"})
    assert builder.tree.criterion == "gini"
    builder.act({"do": "best", "at": "0"})
    assert builder.tree.criterion == "entropy"
    builder.act({"do": "undo"})
    assert builder.tree.criterion == "gini"
    builder.act({"do": "undo"})
    builder.act({"do": "undo"})
    assert builder.tree.criterion == "entropy"


def test_a_node_without_rows_is_not_mixed():
    """No table leaves one, but a tree from elsewhere may have it."""
    empty = [Leaf((0, 0))]
    for criterion, says_ in (("gini", "Gini 0.000"), ("entropy", "0.000 bits")):
        telling = NodeText.of(empty[0], TAX.attributes, TAX.target, criterion)
        assert [spread.short for spread in telling.spreads(empty)] == [says_]


def test_a_criterion_that_nobody_knows_here_is_told_as_entropy():
    """A tree that was pickled where somebody had added one."""
    tree = dt.Tree.of(TAX, dt.cart(TAX).root, "somebody's")
    assert "0.881 bits" in str(tree)
