"""The same picture by matplotlib: nothing clipped, nothing read as a formula."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from cases import each

import dtree_lab as dt
from draw.shapes import nasty_tree
from dtree_lab.draw.layout import layout
from dtree_lab.draw.mpl import covered
from dtree_lab.draw.style import LIGHT

mpl.use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def boxes(ax):
    """Each text and where it really is, in the picture's pixels, y downwards."""
    ax.figure.draw_without_rendering()
    back = ax.transData.inverted()
    for text in ax.texts:
        (x0, y0), (x1, y1) = back.transform(text.get_window_extent().get_points())
        yield text.get_text(), (x0, min(y0, y1), x1, max(y0, y1))


TREES = {
    "tax": lambda: dt.id3(dt.datasets.tax_fraud()),
    "words": lambda: dt.id3(dt.datasets.word_sense()),
    "leaf": lambda: dt.id3(dt.datasets.tax_fraud(), max_depth=0),
    "hostile": nasty_tree,
    "numbers": lambda: dt.cart(numbers(), max_leaves=5),
    "lines": lambda: dt.cart(numbers(), max_leaves=3, leaf="line"),
    "hostile numbers": lambda: nasty_tree(numbers=True),
    "hostile lines": lambda: nasty_tree(numbers=True, leaf="line"),
}


def numbers():
    """A table of numbers with gaps."""
    x = [None if i % 7 == 0 else i / 3 for i in range(40)]
    columns = {
        "x": x,
        "word": ["a", "b"] * 20,
        "a long name of a target": [i**3 for i in range(40)],
    }
    return dt.Table.from_columns(columns, "a long name of a target", missing="keep")


@each("name", TREES)
@each("scale", [1.0, 1.4])
def test_no_text_leaves_the_picture_or_its_card(name, scale):
    tree = TREES[name]()
    ax = dt.draw.plot(tree, scale=scale)
    scene = layout(tree.root, tree.attributes, tree.target, scale=scale)
    shift = (ax.get_xlim()[1] - scene.width) / 2
    found = list(boxes(ax))
    for _, (x0, y0, x1, y1) in found:
        assert -1 <= x0 <= x1 <= ax.get_xlim()[1] + 1
        assert -1 <= y0 <= y1 <= ax.get_ylim()[0] + 1
    for card in scene.cards:
        inside = [
            (text, b)
            for text, b in found
            if card.x + shift <= b[0] <= card.x + shift + card.w
            and card.y <= b[1] <= card.y + card.h
        ]
        assert len(inside) >= 1 + len(card.title) + len(card.notes)
        assert all(b[2] <= card.x + shift + card.w and b[3] <= card.y + card.h for _, b in inside)


def test_it_says_what_the_scene_says():
    tree = TREES["tax"]()
    said = {text.get_text() for text in dt.draw.plot(tree).texts}
    scene = layout(tree.root, tree.attributes, tree.target)
    assert {card.detail for card in scene.cards} <= said
    assert {line for card in scene.cards for line in card.title} <= said
    assert {edge.label for edge in scene.edges} | {"Cheat:", "No", "Yes"} <= said


def test_of_numbers_it_says_and_shows_what_the_scene_does():
    tree = TREES["lines"]()
    ax = dt.draw.plot(tree)
    said = {text.get_text() for text in ax.texts}
    scene = layout(tree.root, tree.attributes, tree.target)
    assert any("no value" in note for card in scene.cards for note in card.notes)
    assert any("·(x − " in note for card in scene.cards for note in card.notes)
    for card in scene.cards:
        assert {card.detail, *card.title, *card.notes} <= said
    assert {"answer", "± standard deviation (SD)"} <= said
    shift = (ax.get_xlim()[1] - scene.width) / 2
    marks = [patch for patch in ax.patches if type(patch).__name__ == "Polygon"]
    assert {mpl.colors.to_hex(mark.get_facecolor()) for mark in marks} == {LIGHT["ink"]}
    dots = [mark.get_xy() for mark in marks]
    middles = sorted((d[:, 0].min() + d[:, 0].max()) / 2 for d in dots)
    wanted = [card.x + card.gauge.at + shift for card in scene.cards]
    for at in wanted:
        assert min(abs(at - m) for m in middles) < 0.1
    leaves = sum(card.kind == "answer" for card in scene.cards)
    assert len(dots) == len(scene.cards) + leaves + 1  # each gauge, each leaf's title, the legend


def test_in_axes_of_another_size_it_is_fitted_in():
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    assert dt.draw.plot(TREES["tax"](), ax=left) is left
    dt.draw.plot(TREES["words"](), ax=right)
    for ax in (left, right):
        for _, (x0, y0, x1, y1) in boxes(ax):
            assert -1 <= x0 <= x1 <= ax.get_xlim()[1] + 1
            assert -1 <= y0 <= y1 <= ax.get_ylim()[0] + 1
    assert figure.axes == [left, right]


def test_dollars_are_dollars_and_what_the_font_lacks_is_replaced():
    table = dt.Table.from_columns({"$x^2$": [1, 2], "y": ["$\\alpha", "日"]}, "y")
    ax = dt.draw.plot(dt.id3(table))
    ax.figure.canvas.draw()  # a missing character would be a warning, and so an error
    said = {text.get_text() for text in ax.texts}
    assert "$x^2$ < 1.5?" in said
    assert "y = $\\alpha" in said
    assert covered("a日b") == "a\ufffdb"


@pytest.mark.thorough
def test_a_very_wide_tree_can_still_be_saved(tmp_path):
    values = [f"{i:04}" for i in range(600)]
    tree = dt.id3(dt.Table.from_columns({"x": values, "y": values[:300] * 2}, "y"))
    ax = dt.draw.plot(tree)
    assert max(ax.figure.get_size_inches()) * ax.figure.dpi < 2**16
    ax.figure.savefig(tmp_path / "wide.svg")
    assert (tmp_path / "wide.svg").stat().st_size > 0


def test_a_bad_scale_is_refused():
    with pytest.raises(ValueError, match="positive"):
        dt.draw.plot(TREES["tax"](), scale=-1)
