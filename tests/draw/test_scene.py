"""The laws of the picture, on random trees with hostile names."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from draw.shapes import SHAPES, drawn, mirrored
from dtree_lab.draw.inside import route
from dtree_lab.draw.measure import width
from dtree_lab.draw.scene import layout
from dtree_lab.draw.style import DETAIL, LABEL, TITLE
from dtree_lab.draw.words import unframed
from dtree_lab.splits import ByValue, threshold
from dtree_lab.table import Attribute
from dtree_lab.tree import Branch, Leaf, walk

HAIR = 0.03  # coordinates are rounded to hundredths


def box(card):
    return card.x, card.y, card.x + card.w, card.y + card.h


def value_box(edge, scale=1.0):
    half = width(edge.label, LABEL) * scale / 2
    return edge.lx - half, edge.ly - 11 * scale, edge.lx + half, edge.ly + 4 * scale


def apart(a, b):
    return a[2] <= b[0] + HAIR or b[2] <= a[0] + HAIR or a[3] <= b[1] + HAIR or b[3] <= a[1] + HAIR


def middle(card):
    return card.x + card.w / 2


@given(drawn())
def test_nothing_overlaps_and_all_is_within(tree):
    scene = layout(*tree)
    boxes = [*map(box, scene.cards), *map(value_box, scene.edges)]
    for i, a in enumerate(boxes):
        assert all(apart(a, b) for b in boxes[:i])
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= scene.width
        assert 0 <= top < bottom <= scene.height


@given(drawn())
def test_edges_run_between_the_cards_and_never_cross(tree):
    scene = layout(*tree)
    across = {}
    for edge in scene.edges:
        points = route(edge, 1)
        for (x1, y1), (x2, y2) in pairwise(points):
            line = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
            assert all(apart(line, box(card)) for card in scene.cards)
        turn = (min(edge.x1, edge.x2), max(edge.x1, edge.x2))
        across.setdefault(len(edge.path), {}).setdefault(edge.path[:-1], []).append(turn)
    for level in across.values():
        spans = sorted(
            (min(a for a, _ in turns), max(b for _, b in turns)) for turns in level.values()
        )
        assert all(a[1] < b[0] for a, b in pairwise(spans))


@given(drawn())
def test_parents_stand_over_the_middle_and_children_in_order(tree):
    scene = layout(*tree)
    at = {card.path: card for card in scene.cards}
    for path, node in walk(tree[0]):
        if isinstance(node, Branch):
            children = [at[(*path, i)] for i in range(len(node.children))]
            ends = (middle(children[0]) + middle(children[-1])) / 2
            assert middle(at[path]) == pytest.approx(ends, abs=HAIR)
            assert all(a.x + a.w < b.x for a, b in pairwise(children))
            assert len({child.y for child in children}) == 1
            assert children[0].y > at[path].y + at[path].h
    for edge in scene.edges:
        parent, child = at[edge.path[:-1]], at[edge.path]
        assert edge.x1 == pytest.approx(middle(parent), abs=HAIR)
        assert edge.y1 == pytest.approx(parent.y + parent.h, abs=HAIR)
        assert edge.x2 == pytest.approx(middle(child), abs=HAIR)
        assert edge.y2 < edge.ly < child.y


discrete = drawn().filter(
    lambda tree: all(
        isinstance(n.split, ByValue) for _, n in walk(tree[0]) if isinstance(n, Branch)
    )
)


@given(discrete)
def test_the_mirror_image_is_drawn_as_the_mirror_image(tree):
    root, attributes, target = tree
    scene, other = layout(*tree), layout(mirrored(root), attributes, target)
    assert scene.width == pytest.approx(other.width, abs=HAIR)

    def flipped(path):
        node, out = root, []
        for i in path:
            out.append(len(node.children) - 1 - i)
            node = node.children[i]
        return tuple(out)

    there = {card.path: card for card in other.cards}
    for card in scene.cards:
        image = there[flipped(card.path)]
        assert image.title == card.title
        assert image.x == pytest.approx(scene.width - card.x - card.w, abs=HAIR)


@given(drawn(), drawn(), st.integers(0, 2))
def test_a_subtree_is_drawn_the_same_wherever_it_is(tree, beside, i):
    root, attributes, target = tree
    k = len(root.counts)
    other = Leaf((1,) * k)
    for depth, _ in walk(beside[0]):  # something of another shape in between
        if len(depth) > 2:
            other = Branch((2,) * k, ByValue(0, ((0,), (1,))), (other, Leaf((1,) * k)))
    top = Branch((9,) * k, ByValue(i, ((0,), (1,), (2,))), (root, other, root))
    scene = layout(top, attributes, target)
    at = {card.path: card for card in scene.cards}
    for path, _ in walk(root):
        one, two = at[(0, *path)], at[(2, *path)]
        assert one.x - at[0,].x == pytest.approx(two.x - at[2,].x, abs=HAIR)
        assert (one.y, one.w, one.h, one.title) == (two.y, two.w, two.h, two.title)


@given(drawn(), st.sampled_from([0.5, 1.4, 3.0]))
def test_scale_multiplies_everything(tree, scale):
    one, many = layout(*tree), layout(*tree, scale=scale)
    assert many.width == pytest.approx(one.width * scale, abs=HAIR)
    assert many.height == pytest.approx(one.height * scale, abs=HAIR)
    for a, b in zip(one.cards, many.cards, strict=True):
        assert b.title == a.title
        assert [b.x, b.y, b.w, b.h] == pytest.approx(
            [v * scale for v in (a.x, a.y, a.w, a.h)], abs=HAIR
        )


@given(drawn())
def test_what_a_card_says_fits_into_it_and_is_cut_only_when_it_must(tree):
    scene = layout(*tree)
    for card in scene.cards:
        lead = 18 if card.kind == "answer" else 0
        assert 1 <= len(card.title) <= 2
        for line in card.title:
            assert width(line, TITLE, bold=True) + lead <= card.w - 20
        assert width(card.detail, DETAIL) <= card.w - 20
        if "…" not in "".join(card.title):
            said = " ".join(map(unframed, card.title))
            whole = re.sub("(\u0301{3})\u0301+", r"\1", card.full)  # towers of accents are cut
            assert said.replace(" ", "") == whole.replace(" ", "")
        assert sum(share.count for share in card.shares) == sum(card.counts)
        for share in card.shares:
            assert share.w / (card.w - 22) == pytest.approx(
                share.count / sum(card.counts), abs=0.001
            )


@given(drawn(SHAPES.filter(bool)), st.data())
def test_a_folded_branch_is_one_card_that_counts_what_it_hides(tree, data):
    root = tree[0]
    inner = [path for path, node in walk(root) if isinstance(node, Branch)]
    fold = data.draw(st.sampled_from(inner))
    scene = layout(*tree, folded={fold, (99,)})
    hidden = [path for path, _ in walk(root) if path[: len(fold)] == fold and path != fold]
    shown = {card.path: card for card in scene.cards}
    assert set(shown) == {path for path, _ in walk(root)} - set(hidden)
    assert shown[fold].kind == "folded"
    assert f"{len(hidden)} nodes below" in shown[fold].detail
    assert f"{len(hidden)} nodes folded" in shown[fold].label
    assert [card.path for card in scene.cards if card.kind == "folded"] == [fold]


def test_the_tax_tree_fits_a_notebook_and_is_named_for_screen_readers():
    tree = dt.id3(dt.datasets.tax_fraud())
    scene = layout(tree.root, tree.attributes, tree.target)
    assert scene.width <= 700
    assert len(scene.cards) == 10
    assert all("…" not in "".join(card.title) for card in scene.cards)
    by_path = {card.path: card for card in scene.cards}
    assert by_path[()].label == "Marital Status, 10 rows, entropy 0.881 bits"
    assert by_path[()].title == ("Marital Status?",)
    income = by_path[0, 1]
    assert income.title == ("Taxable Income", "< 77.5?")
    # H(1/3) = log2(3) - 2/3
    assert income.label == "Taxable Income < 77.5, 3 rows, entropy 0.918 bits"
    assert (income.level, income.position, income.siblings) == (3, 2, 2)
    leaf = by_path[0, 0]
    assert (leaf.label, leaf.kind) == ("Cheat = No, 1 row, entropy 0.000 bits", "answer")
    values = {edge.path: edge.label for edge in scene.edges}
    assert [values[i,] for i in range(3)] == ["Single", "Married", "Divorced"]
    assert [values[0, 1, i] for i in range(2)] == ["< 77.5", "≥ 77.5"]


def test_one_leaf_alone():
    scene = layout(Leaf((3, 0)), (), Attribute("y", ("a", "b")))
    assert len(scene.cards) == 1
    assert scene.edges == ()
    assert scene.width > scene.cards[0].w


def test_a_leaf_without_rows_is_drawn():
    (card,) = layout(Leaf((0, 0)), (), Attribute("y", ("a", "b"))).cards
    assert card.detail == "0 rows · 0.000 bits"
    assert card.shares == ()


def test_two_thousand_levels_and_a_thousand_answers():
    deep = Leaf((1, 0))
    for i in range(2000):
        deep = Branch((1, i + 1), threshold(0, float(i)), (Leaf((0, 1)), deep))
    scene = layout(deep, (Attribute("x"),), Attribute("y", ("a", "b")))
    assert scene.cards[-1].level == 2001
    values = tuple(f"v{i}" for i in range(1000))
    wide = Branch((1000, 0), ByValue(0, tuple((i,) for i in range(1000))), (Leaf((1, 0)),) * 1000)
    scene = layout(wide, (Attribute("x", values),), Attribute("y", ("a", "b")))
    assert [edge.label for edge in scene.edges] == list(values)


@settings(max_examples=20)
@given(st.sampled_from([0, -1, float("nan"), float("inf")]))
def test_a_scale_that_is_none_is_refused(scale):
    with pytest.raises(ValueError, match="must be a positive number"):
        layout(Leaf((1,)), (), Attribute("y", ("a",)), scale=scale)
