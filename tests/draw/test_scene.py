"""The laws of the picture, on random trees with hostile names."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from draw.shapes import SHAPES, answered, drawn, mirrored
from dtree_lab.draw import card as inside
from dtree_lab.draw.card import route
from dtree_lab.draw.layout import layout
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import DETAIL, LABEL, TITLE
from dtree_lab.draw.words import unframed
from dtree_lab.table.table import Attribute
from dtree_lab.tree.splits import ByValue, Intervals, threshold
from dtree_lab.tree.tree import Branch, Leaf, walk

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


@given(drawn() | answered())
def test_nothing_overlaps_and_all_is_within(tree):
    scene = layout(*tree)
    boxes = [*map(box, scene.cards), *map(value_box, scene.edges)]
    for i, a in enumerate(boxes):
        assert all(apart(a, b) for b in boxes[:i])
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= scene.width
        assert 0 <= top < bottom <= scene.height


@given(drawn() | answered())
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


@given(drawn() | answered())
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


discrete = (drawn() | answered()).filter(
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


@given(drawn() | answered(), st.sampled_from([0.5, 1.4, 3.0]))
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


@given(drawn(SHAPES.filter(bool)) | answered(SHAPES.filter(bool)), st.data())
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


# -- regression trees, and gaps ------------------------------------------------------------------


@given(answered())
def test_what_a_card_of_numbers_says_fits_into_it_and_no_number_is_cut(tree):
    scene, nodes = layout(*tree), dict(walk(tree[0]))
    noise = Decimal(max(abs(node.values[0]) for node in nodes.values())) / 10**12
    for card in scene.cards:
        node, lead = nodes[card.path], 18 if card.kind == "answer" else 0
        room = card.w - 20 - lead
        assert 1 <= len(card.title) <= 2
        assert all(width(line, TITLE, bold=True) <= room for line in card.title)
        assert all(width(line, DETAIL) <= room for line in card.notes)
        assert width(card.detail, DETAIL) <= card.w - 20
        assert card.shares == ()
        said = unframed(" ".join(card.title))
        if card.kind == "answer":
            shown = Decimal(said.rpartition(" = ")[2])
            half = Decimal(1).scaleb(shown.as_tuple().exponent) / 2
            assert abs(shown - Decimal(node.values[0])) <= half + noise
        elif isinstance(node.split, Intervals) and len(node.split.cuts) == 1:
            assert said.endswith(f"< {node.split.cuts[0]:g}?")


@given(drawn() | answered())
def test_the_lines_of_a_card_stand_one_below_the_other(tree):
    for card in layout(*tree).cards:
        lines = [*inside.title_bases(card, 1), *inside.note_bases(card, 1)]
        sizes = [TITLE] * len(card.title) + [DETAIL] * len(card.notes)
        assert lines[0] >= sizes[0]
        for above, below, size in zip(lines, lines[1:], sizes[1:], strict=False):
            assert below - above >= size
        top = inside.strip_top(card, 1)
        assert lines[-1] + 4 <= top  # what hangs below a line
        assert top + inside.STRIP + DETAIL <= inside.detail_base(card, 1) + 2
        assert inside.detail_base(card, 1) + 4 <= card.h


@given(answered(), st.sampled_from([1.0, 1.4]))
def test_the_dot_is_where_the_answer_lies_on_the_axis_and_the_bar_around_it(tree, scale):
    scene, nodes = layout(*tree, scale=scale), dict(walk(tree[0]))
    low, high = map(float, scene.axis.ends)
    for card in scene.cards:
        gauge, (x, variance) = card.gauge, nodes[card.path].values[:2]
        assert 11 * scale <= gauge.left < gauge.right <= card.w - 11 * scale
        assert gauge.left <= gauge.low <= gauge.at <= gauge.high <= gauge.right
        if low == high:
            continue

        def place(y, gauge=gauge):
            return gauge.left + (gauge.right - gauge.left) * (y - low) / (high - low)

        sd = math.sqrt(variance)
        wanted = [place(x - sd), place(x), place(x + sd)]
        assert [gauge.low, gauge.at, gauge.high] == pytest.approx(wanted, abs=0.05)


@given(answered())
def test_rows_without_a_value_are_counted_where_they_stop(tree):
    scene = layout(*tree)
    rows = {card.path: sum(card.counts) for card in scene.cards}
    for card in scene.cards:
        below = [n for path, n in rows.items() if path[:-1] == card.path and path]
        stay = rows[card.path] - sum(below) if below else 0
        notes = [note for note in card.notes if note.startswith("no value: ")]
        word = "stops" if stay == 1 else "stop"
        assert notes == ([f"no value: {stay:,} {word} here"] if stay else [])
        assert (" without a value stop" in card.label) == bool(stay)


def line_leaf(n_terms):
    """A leaf that answers 2 + x0 + 2 x1 + …, its means being 10, 11, …"""
    values = [2.0, 4.0]
    for i in range(n_terms):
        values += [i + 1.0, i + 10.0]
    return Leaf((9,), tuple(values)), tuple(Attribute(f"x{i}") for i in range(n_terms))


@pytest.mark.parametrize(
    ("n_terms", "notes"),
    [
        (1, ["+ 1·(x0 − 10)"]),
        (3, ["+ 1·(x0 − 10)", "+ 2·(x1 − 11)", "+ 3·(x2 − 12)"]),
        (12, ["+ 1·(x0 − 10)", "+ 2·(x1 − 11)", "+ 10 more terms"]),
    ],
)
def test_a_line_has_its_first_terms_on_the_card_and_all_in_its_name(n_terms, notes):
    leaf, attributes = line_leaf(n_terms)
    (card,) = layout(leaf, attributes, Attribute("y")).cards
    assert card.title == ("y = 2",)
    assert list(card.notes) == notes
    terms = " ".join(f"+ {i + 1}·(x{i} − {i + 10})" for i in range(n_terms))
    assert card.full == f"y = 2 {terms}"
    assert card.label == f"y = 2 {terms}, 9 rows, standard deviation 2"


def test_a_tree_of_numbers_by_hand():
    """Means 2 and 11 of 1 2 3 and 10 12: deviations sqrt(2/3) and 1; of all 5.6, sqrt(20.24)."""
    table = dt.Table.from_columns({"x": [1, 2, 3, 4, 5], "y": [1, 2, 3, 10, 12]}, "y")
    tree = dt.stump(table)
    root, low, high = layout(tree.root, tree.attributes, tree.target).cards
    assert root.title == ("x < 3.5?",)
    assert root.detail == "5 rows · SD 4.499"
    assert (low.title, low.detail) == (("y = 2",), "3 rows · SD 0.816")
    assert high.label == "y = 11, 2 rows, standard deviation 1"
    alone = dt.id3(table).root.children[1].children[0]
    (card,) = layout(alone, tree.attributes, tree.target).cards
    assert (card.title, card.detail, card.label) == (("y = 10",), "1 row", "y = 10, 1 row")


def test_rows_at_rest_are_told_for_classes_too():
    table = dt.Table.from_columns(
        {"x": ["a", "a", "b", None], "y": ["p", "p", "q", "q"]}, "y", missing="keep"
    )
    tree = dt.id3(table)
    root, *_ = layout(tree.root, tree.attributes, tree.target).cards
    assert root.notes == ("no value: 1 stops here",)
    assert root.label == "x, 4 rows, entropy 1.000 bits, 1 row without a value stops here"
    assert sum(share.count for share in root.shares) == 4


def test_a_tree_that_has_no_answers_yet_is_drawn():
    root = Branch((3,), threshold(0, 1.5), (Leaf((1,)), Leaf((2,))))
    scene = layout(root, (Attribute("x"),), Attribute("y"))
    assert [card.title for card in scene.cards] == [("x < 1.5?",), ("y = ?",), ("y = ?",)]
    assert [card.detail for card in scene.cards] == ["3 rows", "1 row", "2 rows"]
    assert scene.axis is None


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
