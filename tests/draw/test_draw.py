"""The face of the package: what is shown as what, and what loads when."""

from __future__ import annotations

import subprocess
import sys

import pytest

import dtree_lab as dt
from dtree_lab.draw.layout import layout

THINGS = {
    "table": dt.datasets.tax_fraud,
    "tree": lambda: dt.id3(dt.datasets.tax_fraud()),
    "numbers": lambda: dt.id3(dt.Table.from_columns({"x": [1, 2, 3], "y": [1.5, 2, 7]}, "y")),
    "comparison": lambda: dt.compare(dt.datasets.tax_fraud()),
}


@pytest.mark.parametrize("name", THINGS)
def test_what_is_shown_is_text_in_a_terminal_and_a_part_of_a_page(name):
    thing = THINGS[name]()
    bundle = thing._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"}
    assert bundle["text/plain"] == repr(thing) == dt.draw.text(thing)
    assert "<table" in bundle["text/html"] or "<figure" in bundle["text/html"]


@pytest.mark.parametrize("thing", [None, "text", 3, [THINGS["tree"]]])
@pytest.mark.parametrize("show", [dt.draw.text, dt.draw.mimebundle])
def test_nothing_else_can_be_shown(show, thing):
    with pytest.raises(TypeError, match=f"got a {type(thing).__name__}"):
        show(thing)


def test_every_public_name_is_there():
    for name in dt.draw.__all__:
        assert callable(getattr(dt.draw, name))
        assert getattr(dt.draw, name).__doc__
    assert set(dt.draw.__all__) <= set(dir(dt.draw))
    with pytest.raises(AttributeError, match="no attribute 'png'"):
        _ = dt.draw.png


def test_showing_loads_no_matplotlib():
    code = (
        "import sys, dtree_lab as dt; t = dt.id3(dt.datasets.tax_fraud());"
        "repr(t), t._repr_mimebundle_(), dt.draw.svg(t), dt.draw.python(t), dt.draw.dot(t);"
        "dt.draw.rules(t), dt.draw.alt_text(t), dt.draw.css_variables();"
        "print('matplotlib' in sys.modules, 'IPython' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize("name", ["svg", "plot", "rules", "dot", "python"])
def test_what_draws_a_tree_needs_one(name):
    with pytest.raises(TypeError, match=r"tree must be a dt\.Tree; got a NoneType"):
        getattr(dt.draw, name)(None)


def test_every_picture_says_where_rows_without_a_value_go():
    table = dt.Table.from_columns(
        {"x": [1, 2, None, 8], "pos": ["noun", "verb", None, "verb"], "y": [*"aabb"]},
        "y",
        missing="keep",
    )
    below = {(): ("x", [5], 0), (0,): ("pos", [["noun"], ["verb"]], 1)}
    tree = dt.by_hand(table, below)
    assert dt.draw.text(tree).split("\n")[1:] == [
        "├── < 5 or missing: pos? · 3 rows (2 a, 1 b) · 0.918 bits",
        "│   ├── noun: y = a · 1 row · 0.000 bits",
        "│   └── verb or missing: y = a · 2 rows (1 a, 1 b) · 1.000 bits",
        "└── ≥ 5: y = b · 1 row · 0.000 bits",
    ]
    for written in (dt.draw.svg(tree), dt.draw.dot(tree), tree._repr_mimebundle_()["text/html"]):
        assert "5 or missing" in written
        assert "verb or missing" in written
    assert dt.draw.rules(tree).split("\n")[1] == (
        "if x < 5 (or missing) and pos is verb (or missing) then y = a (1 of 2 training rows)"
    )
    assert [leaf.where for leaf in tree.leaves()][1] == (
        "x < 5 (or missing)",
        "pos is verb (or missing)",
    )


def test_what_is_cut_short_still_says_that_gaps_go_there():
    words = [f"a rather long word {i}" for i in range(6)]
    table = dt.Table.from_columns({"word": [*words, None], "y": [*"aaabbbb"]}, "y", missing="keep")
    tree = dt.by_hand(table, {(): ("word", [words[:3], words[3:]], 1)})
    scene = layout(tree.root, tree.attributes, tree.target)
    assert scene.edges[1].label.endswith("… or missing")
    assert scene.edges[1].full.endswith("long word 5 or missing")
