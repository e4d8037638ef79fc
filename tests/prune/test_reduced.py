"""Reduced-error pruning: by hand, and every round against brute force that predicts again."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import recipes, tables

import dtree_lab as dt
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.tree.tree import Branch, Leaf, flatten, walk


def cut_at(node, path):
    """The nodes with a leaf at a path."""
    if not path:
        return Leaf(node.counts)
    children = list(node.children)
    children[path[0]] = cut_at(children[path[0]], path[1:])
    return Branch(node.counts, node.split, tuple(children))


def is_pruning(small, large):
    """Whether one tree of nodes is the other with some nodes made leaves."""
    if small.counts != large.counts:
        return False
    if isinstance(small, Leaf):
        return True
    return (
        isinstance(large, Branch)
        and small.split == large.split
        and all(map(is_pruning, small.children, large.children))
    )


def n_wrong(root, tree, rows):
    """Rows that the nodes answer wrongly, each predicted by itself."""
    asked = dt.Tree(tree.attributes, tree.target, flatten(root, tree.attributes))
    name = tree.target.name
    return sum(asked.predict(row) != row[name] for row in rows.rows())


@st.composite
def grown_and_withheld(draw):
    """A tree, and rows that it was not grown on, some of them with values left out."""
    table = draw(tables(max_rows=24).filter(lambda t: len(t) > 1))
    n = draw(st.integers(1, len(table) - 1))
    training, withheld = table.take(range(n)), table.take(range(n, len(table)))
    columns = []
    for column in withheld.columns:
        gaps = draw(st.lists(st.sampled_from([False] * 5 + [True]), min_size=1, max_size=5))
        at = np.resize(gaps, len(column))
        gap = np.nan if column.dtype.kind == "f" else -1
        columns.append(np.where(at, gap, column).astype(column.dtype))
    rows = dt.Table(table.attributes, table.target, tuple(columns), withheld.labels.copy())
    flat = grow_tree(training, draw(recipes()))
    return dt.Tree(table.attributes, table.target, flat), rows


@settings(max_examples=150)
@given(grown_and_withheld(), st.booleans())
def test_every_round_is_that_of_brute_force(pair, no_worse):
    tree, rows = pair
    events = dt.steps(dt.prune.reduced_error, tree, rows, no_worse=no_worse)
    root, turn = tree.root, 1
    while True:
        wrong = n_wrong(root, tree, rows)
        inner = [path for path, node in walk(root) if isinstance(node, Branch)]
        then = {path: n_wrong(cut_at(root, path), tree, rows) for path in inner}
        measured = events.pop(0)
        assert (measured.round, measured.cost) == (turn, wrong)
        assert [c.path for c in measured.candidates] == inner
        assert {c.path: c.reduction for c in measured.candidates} == {
            path: wrong - after for path, after in then.items()
        }
        best = min(inner, key=lambda path: then[path], default=None)  # the first of the best
        if best is None or then[best] > wrong or (then[best] == wrong and not no_worse):
            break
        cut = events.pop(0)
        assert (cut.cut.path, cut.before, cut.after) == (best, wrong, then[best])
        root, turn = cut_at(root, best), turn + 1
    (finished,) = events
    assert (finished.n_cuts, finished.cost) == (turn - 1, wrong)
    assert dt.prune.reduced_error(tree, rows, no_worse=no_worse).root == root


@settings(max_examples=100)
@given(grown_and_withheld(), st.booleans())
def test_laws(pair, no_worse):
    tree, rows = pair
    pruned = dt.prune.reduced_error(tree, rows, no_worse=no_worse)
    assert pruned.original is tree
    trees = [pruned.after(k) for k in range(len(pruned.cuts) + 1)]
    assert trees[0] == tree
    assert trees[-1] == pruned
    for before, after in pairwise(trees):
        assert is_pruning(after.root, before.root)
        assert after.n_nodes < before.n_nodes
        fewer = before.error(rows) - after.error(rows)
        assert fewer > 0 or (no_worse and fewer == 0)
    # With the upper of two equal nodes first, no cut is ever inside a later one.
    paths = [cut.path for cut in pruned.cuts]
    assert not any(a != b and b == a[: len(b)] for a in paths for b in paths)


@settings(max_examples=60)
@given(grown_and_withheld(), st.data())
def test_any_cut_can_be_taken_back(pair, data):
    """Also where cuts are inside one another, as the weakest links are."""
    tree, rows = pair
    for pruned in (
        dt.prune.reduced_error(tree, rows, no_worse=True),
        dt.prune.cost_complexity(tree, 1),
    ):
        paths = [cut.path for cut in pruned.cuts]
        back = set(data.draw(st.lists(st.sampled_from(paths)))) if paths else set()
        others = sorted({path for path in paths if path not in back}, key=len, reverse=True)
        root = tree.root
        for path in others:  # the longest first, so that each is still there
            root = cut_at(root, path)
        assert pruned.without(*back).root == root
        assert pruned.without(*paths) == tree


def table_of(groups):
    """Rows of two attributes from ``{"FT": "NNY"}``: three rows with a=F, b=T, and their labels."""
    rows = [(*where, label) for where, labels in groups.items() for label in labels]
    kinds = {"a": ("F", "T"), "b": ("F", "T"), "y": ("N", "Y")}
    return dt.Table.from_rows(rows, target="y", names=["a", "b", "y"], kinds=kinds)


def two_levels():
    """A asks first, b in both branches. a=F: 3 N and 1 Y; a=T: 1 N and 4 Y; in all 4 N, 5 Y."""
    training = table_of({"FF": "NNN", "FT": "Y", "TF": "N", "TT": "YYYY"})
    return dt.by_hand(training, {(): "a", (0,): "b", (1,): "b"})


def test_worked_by_hand():
    """Wrong rows of the subtree against those of the leaf, node by node.

    a=F: b=F is N, right; b=T is NNY where the tree says Y, 2 wrong. As a leaf, N: 1 wrong.
    a=T: b=F is YYY where the tree says N, 3 wrong; b=T is YN, 1 wrong. As a leaf, Y: 1 wrong.
    The root: 6 wrong below; as a leaf, Y: the 4 N are wrong.
    """
    validation = table_of({"FF": "N", "FT": "NNY", "TF": "YYY", "TT": "YN"})
    one, first, two, second, three, end = dt.steps(dt.prune.reduced_error, two_levels(), validation)
    assert [(c.path, c.subtree, c.leaf) for c in one.candidates] == [
        ((), 6, 4),
        ((0,), 2, 1),
        ((1,), 4, 1),
    ]
    assert (first.cut.path, first.before, first.after) == ((1,), 6, 3)
    assert [(c.path, c.subtree, c.leaf) for c in two.candidates] == [((), 3, 4), ((0,), 2, 1)]
    assert (second.cut.path, second.before, second.after) == ((0,), 3, 2)
    assert [(c.path, c.subtree, c.leaf) for c in three.candidates] == [((), 2, 4)]
    assert (end.n_cuts, end.cost) == (2, 2)


def test_highest_first_is_greedy():
    """Each branch could lose 3 errors, the root 4. It goes first, and 3 of 7 stay instead of 1."""
    validation = table_of({"FF": "Y", "FT": "NNN", "TF": "YYY"})
    tree = two_levels()
    measured = dt.steps(dt.prune.reduced_error, tree, validation)[0]
    assert [c.reduction for c in measured.candidates] == [4, 3, 3]
    pruned = dt.prune.reduced_error(tree, validation)
    assert (pruned.n_nodes, round(pruned.error(validation) * 7)) == (1, 3)
    both = cut_at(cut_at(tree.root, (0,)), (1,))
    assert n_wrong(both, tree, validation) == 1


def test_a_node_goes_before_an_equal_one_below_it():
    """Both the root and a=F would lose one error."""
    tree = dt.by_hand(table_of({"FF": "NN", "FT": "Y", "TT": "N"}), {(): "a", (0,): "b"})
    validation = table_of({"FT": "N"})
    measured, cut, *_ = dt.steps(dt.prune.reduced_error, tree, validation)
    assert [c.reduction for c in measured.candidates] == [1, 1]
    assert cut.cut.path == ()


def test_no_worse_cuts_what_no_row_reaches():
    validation = table_of({"TT": "YY", "FT": "NNN", "FF": "N"})
    tree = two_levels()
    assert dt.prune.reduced_error(tree, validation).n_leaves == 3  # a=T brings neither good nor bad
    assert dt.prune.reduced_error(tree, validation, no_worse=True).n_leaves == 2


def test_a_question_whose_branches_answer_the_same_reduces_no_squared_error():
    """All answers are 1. As sums are rounded, the same squares need not add up to the same."""

    def numbers(g, y):
        return dt.Table.from_columns({"g": g, "y": y}, "y", target_kind="continuous")

    tree = dt.by_hand(numbers([*"aabb"], [0, 2, 0, 2]), {(): "g"})
    drawn = np.random.default_rng(0)
    for withheld in ([1, 1, 1], [1, 2, 3], *drawn.normal(size=(20, 15)).tolist()):
        validation = numbers(["ab"[i % 2] for i in range(len(withheld))], withheld)
        assert dt.prune.reduced_error(tree, validation).n_leaves == 2
        assert dt.prune.reduced_error(tree, validation, no_worse=True).n_leaves == 1


def test_a_class_that_the_tree_does_not_know_is_wrong_everywhere():
    validation = dt.Table.from_columns(
        {"a": ["F", "T"], "b": ["T", "F"], "y": ["Z", "Z"]}, target="y"
    )
    measured, end = dt.steps(dt.prune.reduced_error, two_levels(), validation)
    assert {(c.subtree, c.leaf) for c in measured.candidates} == {(2, 2), (1, 1)}
    assert end.cost == 2


def test_what_it_does_not_take():
    table, tree = dt.datasets.tax_fraud(), dt.id3(dt.datasets.tax_fraud())
    with pytest.raises(TypeError, match=r"validation must be a dt\.Table"):
        dt.prune.reduced_error(tree, [1, 2])
    with pytest.raises(TypeError, match=r"tree must be a dt\.Tree"):
        dt.prune.reduced_error(table, table)
    with pytest.raises(ValueError, match=r"predicts 'Cheat' .*the target of validation is 'Y'"):
        dt.prune.reduced_error(tree, dt.datasets.two_attributes())
    fewer = dt.Table.from_columns({"Refund": ["Yes"], "Cheat": ["No"]}, target="Cheat")
    with pytest.raises(ValueError, match="Marital Status"):
        dt.prune.reduced_error(tree, fewer)
    with pytest.raises(ValueError, match="the steps of len are not known"):
        dt.steps(len, table)
    pruned = dt.prune.reduced_error(two_levels(), table_of({"TF": "YY"}))
    with pytest.raises(ValueError, match="n_cuts=9"):
        pruned.after(9)
    with pytest.raises(ValueError, match="no cut was made"):
        pruned.without((0, 0))


def test_a_pruned_tree_is_a_tree():
    tree = dt.id3(dt.datasets.tax_fraud())
    pruned = dt.prune.reduced_error(tree, dt.datasets.tax_fraud().take([4]), no_worse=True)
    assert dt.Tree.from_json(pruned.to_json()) == pruned
    assert repr(pruned) == repr(dt.Tree(pruned.attributes, pruned.target, pruned.flat))
