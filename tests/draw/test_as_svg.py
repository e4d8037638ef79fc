"""The picture as SVG: well-formed, self-contained, readable, and safe in any page."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from draw.shapes import HOSTILE, answered, drawn, nasty_tree
from dtree_lab.draw.as_text import tree_text
from dtree_lab.draw.layout import layout
from dtree_lab.draw.words import plain, unframed
from dtree_lab.tree.tree import Tree, flatten

SVG = "{http://www.w3.org/2000/svg}"


def parsed(tree, **how):
    return fromstring(dt.draw.svg(tree, **how))  # noqa: S314 - our own


def texts(picture):
    return [unframed("".join(node.itertext())) for node in picture.iter(f"{SVG}text")]


def by_class(picture, name):
    return [node for node in picture.iter() if name in node.get("class", "").split()]


@settings(max_examples=50)
@given(drawn() | answered())
def test_any_tree_is_well_formed_and_says_all_the_scene_says(shape):
    root, attributes, target = shape
    tree = Tree(attributes, target, flatten(root, attributes))
    picture = parsed(tree)
    scene = layout(root, attributes, target)
    shown = texts(picture)
    for card in scene.cards:
        assert card.detail in shown
        assert all(unframed(line) in shown for line in (*card.title, *card.notes))
    for edge in scene.edges:
        assert any(unframed(edge.label) in text for text in shown)
    assert len(by_class(picture, "dtl-card")) == len(scene.cards)
    assert len(by_class(picture, "dtl-edge")) == len(scene.edges)


@pytest.mark.parametrize("how", [{}, {"numbers": True}, {"numbers": True, "leaf": "line"}])
def test_hostile_names_are_text_and_nothing_else(how):
    tree = nasty_tree(**how)
    picture = parsed(tree)
    known = {"svg", "title", "desc", "style", "rect", "g", "path", "text"}
    assert {node.tag.removeprefix(SVG) for node in picture.iter()} == known
    assert not [a for node in picture.iter() for a in node.attrib if a.startswith("on")]
    everything = unframed("\n".join(picture.itertext()))
    for name in HOSTILE[:4]:
        assert plain(name)[:20] in everything
    assert "\x00" not in everything
    assert "\u202e" not in everything


def test_it_has_a_title_and_its_text_and_names_itself_by_them():
    tree = dt.id3(dt.datasets.tax_fraud())
    picture = parsed(tree)
    assert picture[0].tag == f"{SVG}title"
    assert picture[0].text == "Decision tree for Cheat: 10 nodes, 6 of them leaves, depth 3"
    assert picture[1].text == tree_text(tree)
    assert picture.get("role") == "img"
    assert picture.get("aria-labelledby").split() == [picture[0].get("id"), picture[1].get("id")]


def test_ids_are_stable_and_differ_between_pictures():
    trees = [dt.id3(dt.datasets.tax_fraud()), dt.stump(dt.datasets.tax_fraud())]
    pictures = [dt.draw.svg(t, theme=theme) for t in trees for theme in ("auto", "dark")]
    ids = [re.findall(r' id="([^"]+)"', picture) for picture in pictures]
    assert len({i for some in ids for i in some}) == sum(map(len, ids))
    assert dt.draw.svg(trees[0]) == pictures[0]


def test_it_needs_nothing_from_outside_and_its_style_stays_inside():
    picture = dt.draw.svg(nasty_tree())
    root = fromstring(picture)  # noqa: S314 - our own
    assert "url(" not in picture
    assert not any(a.endswith("href") for node in root.iter() for a in node.attrib)
    assert re.findall(r'"https?://[^"]+"', picture) == ['"http://www.w3.org/2000/svg"']
    css = re.sub(r"@media[^{]+\{(.*?\})\s*\}", r"\1", root.find(f"{SVG}style").text)
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", css):
        assert all(".dtl" in selector for selector in selectors.split(","))


def test_a_class_has_its_colour_and_its_mark_in_strip_leaf_and_legend():
    picture = parsed(dt.by_hand(dt.datasets.tax_fraud(), {(): "Refund"}))
    (root, yes, no) = by_class(picture, "dtl-card")
    for card, widths in ((root, [7, 3]), (yes, [3, 0]), (no, [4, 3])):
        fills = [node for node in card if re.fullmatch(r"dtl-c\d", node.get("class", ""))]
        strip = {node.get("class"): float(node.get("width")) for node in fills}
        total = sum(strip.values())
        for k, n in enumerate(widths):
            # A hair's breadth of one share is the line between the two.
            assert strip.get(f"dtl-c{k}", 0) / total == pytest.approx(n / sum(widths), abs=0.01)
        inside = [n for n in card if n.tag == f"{SVG}path" and n.get("class").startswith("dtl-i")]
        assert len(inside) == sum(n > 0 for n in widths)
    assert [len(by_class(card, "dtl-mark")) for card in (root, yes, no)] == [0, 1, 1]
    (legend,) = by_class(picture, "dtl-legend")
    assert [node.get("class") for node in by_class(legend, "dtl-mark")] == [
        "dtl-mark dtl-c0",
        "dtl-mark dtl-c1",
    ]
    assert texts(legend) == ["Cheat:", "No", "Yes"]


def test_pure_tied_and_mixed_leaves_look_different_and_branches_are_as_wide_as_their_rows():
    """By hand: of 12 rows 4 are pure, 4 come out even, 4 are mixed; a branch has a third of 7."""
    rows = [("p", "a")] * 4 + [("t", "a"), ("t", "b")] * 2 + [("m", "a")] * 3 + [("m", "b")]
    table = dt.Table.from_columns({"x": [x for x, _ in rows], "y": [y for _, y in rows]}, "y")
    picture = parsed(dt.by_hand(table, {(): "x"}))
    _, *leaves = by_class(picture, "dtl-card")
    looks = [
        (
            box.get("class").split()[1],
            len(by_class(leaf, "dtl-mark")),
            len(by_class(leaf, "dtl-equal")),
        )
        for leaf in leaves
        for box in by_class(leaf, "dtl-box")
    ]
    assert looks == [("dtl-mixed", 1, 0), ("dtl-pure", 1, 0), ("dtl-tie", 2, 1)]
    assert [len(by_class(leaf, "dtl-tint")) for leaf in leaves] == [0, 1, 0]
    widths = [edge.get("style") for edge in by_class(picture, "dtl-edge")]
    assert widths == ["stroke-width: 2.33px"] * 3


def numbers(path):
    return [float(n) for n in re.findall(r"-?[\d.]+", path.get("d"))]


def test_a_number_has_a_dot_and_a_bar_on_its_axis_and_the_legend_says_what_they_are():
    """Means 2 and 8, deviations 1 and 0; of all 5 and, with 1 3 8 8, sqrt(9.5). 1 to 8.09 …"""
    columns = {"x": [1, 2, 3, 4], "y": [1, 3, 8, 8]}
    table = dt.Table.from_columns(columns, "y", target_kind="continuous")
    picture = parsed(dt.stump(table))
    cards = by_class(picture, "dtl-card")
    for card, low, at, high in zip(
        cards, [5 - 9.5**0.5, 1, 8], [5, 2, 8], [5 + 9.5**0.5, 3, 8], strict=True
    ):
        *title, dot = by_class(card, "dtl-dot")
        assert len(title) == ("dtl-answer" in card.get("class"))
        (axis,), (bar,) = by_class(card, "dtl-axis"), by_class(card, "dtl-spread")
        left, _, right, *ends = numbers(axis)
        assert [ends[0], ends[3]] == [left, right]

        def place(y, left=left, right=right):
            return left + (right - left) * (y - 1) / (8.5 - 1)

        xs = numbers(dot)[::2]
        assert (min(xs) + max(xs)) / 2 == pytest.approx(place(at), abs=0.02)
        x, w = float(bar.get("x")), float(bar.get("width"))
        assert [x, x + w] == pytest.approx([place(low), place(high)], abs=0.02)
    (legend,) = by_class(picture, "dtl-legend")
    said = ["y:", "answer", "± standard deviation (SD)", "axis from 1 to 8.5"]
    assert texts(legend) == said
    signs = [len(by_class(legend, name)) for name in ("dtl-dot", "dtl-spread", "dtl-axis")]
    assert signs == [1, 1, 1]
    assert not [n for n in picture.iter() if re.match("dtl-[ci][0-9]", n.get("class", ""))]


def test_a_tree_of_classes_knows_nothing_of_axes():
    picture = dt.draw.svg(dt.id3(dt.datasets.tax_fraud()))
    assert not re.search("dtl-(axis|dot|spread)", picture)


def test_cut_titles_are_there_in_full_for_a_pointer():
    tree = dt.stump(dt.Table.from_columns({"n" * 60: [1, 2], "y": ["a", "b"]}, "y"))
    tips = [node.text for node in parsed(tree).iter(f"{SVG}title")]
    assert "n" * 60 + " < 1.5?" in tips


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_themes(theme):
    tree = dt.stump(dt.datasets.tax_fraud())
    picture = dt.draw.svg(tree, theme=theme)
    assert ("prefers-color-scheme" in picture) == (theme == "auto")
    assert (f"dtl-{theme}" in fromstring(picture).get("class")) == (theme != "auto")  # noqa: S314 - our own


def test_scale_is_the_pictures_and_its_fonts():
    tree = dt.id3(dt.datasets.tax_fraud())
    one, two = parsed(tree), parsed(tree, scale=2)
    for size in ("width", "height"):
        assert float(two.get(size)) == pytest.approx(2 * float(one.get(size)), abs=0.1)
    assert (one.get("style"), two.get("style")) == ("font-size: 14px", "font-size: 28px")


def test_bad_arguments_are_named():
    tree = dt.stump(dt.datasets.tax_fraud())
    with pytest.raises(ValueError, match="'auto', 'light', 'dark'"):
        dt.draw.svg(tree, theme="sepia")
    with pytest.raises(ValueError, match="positive"):
        dt.draw.svg(tree, scale=0)


@settings(max_examples=40)
@given(tables(max_classes=5, gaps=True) | number_tables(gaps=True), st.data())
def test_grown_trees_are_drawn(table, data):
    kinds = ["mean"] if table.target.values else ["mean", "vote", "line"]
    tree = dt.id3(table, leaf=data.draw(st.sampled_from(kinds)))
    assert len(by_class(parsed(tree), "dtl-card")) == tree.n_nodes


def test_forty_classes():
    columns = {"x": [str(i) for i in range(40)], "y": [f"class {i}" for i in range(40)]}
    picture = parsed(dt.id3(dt.Table.from_columns(columns, "y")))
    (legend,) = by_class(picture, "dtl-legend")
    assert len(by_class(legend, "dtl-mark")) == 40
    assert len({node.get("class") for node in by_class(legend, "dtl-mark")}) == 8
