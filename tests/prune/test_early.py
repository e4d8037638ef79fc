"""Growing until the held-out error is low enough: against trees opened one node after another."""

from __future__ import annotations

import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.tree.tree import Branch, Leaf, walk


def opened(node, keep, path=()):
    """The nodes of which only those at some paths ask."""
    if isinstance(node, Leaf) or path not in keep:
        return Leaf(node.counts)
    children = (opened(child, keep, (*path, i)) for i, child in enumerate(node.children))
    return Branch(node.counts, node.split, tuple(children))


def breadth_first(tree, table, rows):
    """Each tree with one more node opened: its depth so far, its nodes, its wrong rows."""
    order = [path for path, node in walk(tree.root) if isinstance(node, Branch)]
    found = []
    for k in range(len(order) + 1):
        root = opened(tree.root, set(order[:k]))
        found.append((root, round(dt.Tree.of(table, root).error(rows) * len(rows))))
    return order, found


@st.composite
def halves(draw):
    table = draw(tables(max_rows=24).filter(lambda t: len(t) > 1))
    half = len(table) // 2
    return table.take(range(half)), table.take(range(half, len(table)))


growers = st.sampled_from([dt.id3, dt.cart])


@settings(max_examples=100)
@given(halves(), growers, st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8, 1.0]))
def test_low_enough_is_the_first_tree_that_is(pair, grower, share):
    table, rows = pair
    order, found = breadth_first(grower(table), table, rows)
    first = next(
        (k for k, (_, wrong) in enumerate(found) if wrong <= share * len(rows)), len(order)
    )
    tree = dt.prune.grow_until(grower, table, rows, max_error=share)
    assert tree.root == found[first][0]
    *events, end = dt.steps(dt.prune.grow_until, grower, table, rows, max_error=share)
    grew = [event for event in events if isinstance(event, dt.prune.Grew)]
    assert [event.path for event in grew] == order[:first]
    assert [(e.before, e.after) for e in grew] == [
        (found[k][1], found[k + 1][1]) for k in range(first)
    ]
    assert (end.n_nodes, end.wrong) == (tree.n_nodes, found[first][1])


@settings(max_examples=100)
@given(halves(), growers, st.sampled_from([None, 1, 2, 3]))
def test_patience_goes_back_to_the_last_level_that_helped(pair, grower, patience):
    table, rows = pair
    order, found = breadth_first(grower(table), table, rows)
    depths = sorted({len(path) for path in order})
    at = [0, *(sum(len(path) <= depth for path in order) for depth in depths)]
    kept, in_vain = 0, 0
    for end in at[1:]:
        if found[end][1] < found[kept][1]:
            kept, in_vain = end, 0
        else:
            in_vain += 1
        if in_vain == (patience or 1):
            break
    limits = {} if patience is None else {"patience": patience}
    assert dt.prune.grow_until(grower, table, rows, **limits).root == found[kept][0]
    levels = [
        (event.depth, event.wrong)
        for event in dt.steps(dt.prune.grow_until, grower, table, rows, **limits)
        if isinstance(event, dt.prune.LevelGrown)
    ]
    assert (
        levels
        == [(depth, found[end][1]) for depth, end in zip(depths, at[1:], strict=True)][
            : len(levels)
        ]
    )


def test_short_sighted_on_xor():
    """Of three inputs the first two levels tell nothing: 4 of 8 wrong, 4, 4, and then none."""
    table = dt.datasets.truth_table("xor", 3)
    *events, end = dt.steps(dt.prune.grow_until, dt.id3, table, table, patience=2)
    assert [e.wrong for e in events if isinstance(e, dt.prune.LevelGrown)] == [4, 4]
    assert (end.n_nodes, end.reason) == (
        1,
        "2 levels brought no lower error on the held-out rows",
    )
    assert dt.prune.grow_until(dt.id3, table, table, patience=3).error(table) == 0
    assert dt.prune.grow_until(dt.id3, table, table, max_error=0).error(table) == 0


def test_keywords_reach_the_grower():
    table = dt.datasets.tax_fraud()
    tree = dt.prune.grow_until(dt.id3, table, table, max_error=0, max_depth=1)
    assert tree == dt.id3(table, max_depth=1)


@each(
    ("limit", "value"),
    [("max_error", v) for v in (-0.1, 1.1, float("nan"), True, "0")]
    + [("patience", v) for v in (0, -1, 1.5, True)],
)
def test_limits_are_checked(limit, value):
    table = dt.datasets.tax_fraud()
    with pytest.raises(ValueError, match=f"{limit}="):
        dt.prune.grow_until(dt.id3, table, table, **{limit: value})


def test_what_it_does_not_take():
    table = dt.datasets.tax_fraud()
    with pytest.raises(TypeError, match=r"must be a dt\.Tree"):
        dt.prune.grow_until(lambda _: None, table, table)
