"""Trees, tables and comparisons as text, against the trees and tables themselves."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from draw.shapes import drawn, nasty_tree
from dtree_lab.draw.measure import columns
from dtree_lab.shown import number as shown_number
from dtree_lab.splits import threshold
from dtree_lab.tree import Branch, Leaf, Tree, flatten


def number(text):
    return int(text.replace(",", ""))


@settings(max_examples=50)
@given(drawn())
def test_all_of_a_tree_has_a_line_for_each_node_indented_by_its_depth(shape):
    root, attributes, target = shape
    tree = Tree(attributes, target, flatten(root, attributes))
    lines = dt.draw.text(tree, most=None).split("\n")
    assert len(lines) == tree.n_nodes
    depths = [len(re.match("(│   |    |├── |└── )*", line)[0]) // 4 for line in lines]
    assert sorted(depths) == sorted(tree.flat.depth.tolist())
    assert all(re.search(r" · [\d,]+ rows?( \(.*\))? · \d\.\d{3} bits$", line) for line in lines)


def test_the_tax_tree():
    assert dt.draw.text(dt.id3(dt.datasets.tax_fraud())).split("\n")[:4] == [
        "Marital Status? · 10 rows (7 No, 3 Yes) · 0.881 bits",
        "├── Single: Refund? · 4 rows (2 No, 2 Yes) · 1.000 bits",
        "│   ├── Yes: Cheat = No · 1 row · 0.000 bits",
        "│   └── No: Taxable Income < 77.5? · 3 rows (2 Yes, 1 No) · 0.918 bits",
    ]


@settings(max_examples=60)
@given(drawn(), st.integers(5, 30))
def test_what_a_short_text_leaves_out_is_counted(shape, most):
    root, attributes, target = shape
    tree = Tree(attributes, target, flatten(root, attributes))
    lines = dt.draw.text(tree, most=most).split("\n")
    below = [re.search(r"bits · … ([\d,]+) nodes? below$", line) for line in lines]
    beside = [re.search(r"└── … [\d,]+ more answers, ([\d,]+) nodes?$", line) for line in lines]
    told = sum(number(found[1]) for found in [*below, *beside] if found)
    assert len(lines) - sum(found is not None for found in beside) + told == tree.n_nodes
    assert len(lines) <= max(most, 1 + len(getattr(root, "children", ())))


def test_a_large_tree_takes_few_lines_and_few_columns():
    deep = Leaf((1, 0))
    for i in range(1500):
        deep = Branch((1, i + 1), threshold(0, float(i)), (Leaf((0, 1)), deep))
    attributes = (dt.Attribute("x"),)
    tree = Tree(attributes, dt.Attribute("y", ("a", "b")), flatten(deep, attributes))
    assert len(repr(tree).split("\n")) <= 60
    values = [f"{i:04}" for i in range(1000)]
    wide = dt.id3(dt.Table.from_columns({"x": values, "y": values}, "y"))
    assert len(repr(wide).split("\n")) <= 60
    assert max(columns(line) for line in repr(nasty_tree()).split("\n")) < 500


def test_names_cannot_break_out_of_their_line():
    tree = nasty_tree()
    assert len(dt.draw.text(tree, most=None).split("\n")) == tree.n_nodes
    assert len(dt.draw.rules(tree).split("\n")) == tree.n_leaves
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", repr(tree))


def test_rules_say_what_the_tree_predicts():
    table = dt.datasets.word_sense()
    tree = dt.id3(table)
    rules = [line.split(" then ") for line in dt.draw.rules(tree).split("\n")]
    assert len(rules) == tree.n_leaves
    for row in table.rows():
        true = [f"{name} is {value}" for name, value in row.items()]
        fits = [then for when, then in rules if all(c in true for c in when[3:].split(" and "))]
        assert len(fits) == 1
        assert fits[0].startswith(f"sense = {tree.predict(row)} (")


def test_the_rule_of_a_single_leaf_has_no_condition():
    tree = dt.id3(dt.datasets.tax_fraud(), max_depth=0)
    assert dt.draw.rules(tree) == "Cheat = No (7 of 10 training rows)"


# -- tables --------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(tables())
def test_a_table_shows_its_first_ten_rows_aligned(table):
    caption, names, kinds, *rows = dt.draw.text(table).split("\n")
    shown = min(10, table.n_rows)
    assert caption.endswith("to predict: y")
    assert names.split() == [*table.names, "y"]
    assert kinds.split() == [*(a.kind for a in table.attributes), "target"]
    for i, line in enumerate(rows[:shown]):
        cells = [shown_number(v) if isinstance(v, float) else str(v) for v in table.row(i).values()]
        assert line.split() == [str(i + 1), *cells]
    hidden = table.n_rows - shown
    plural = "s" if hidden > 1 else ""
    assert rows[shown:] == ([f"… {hidden} more row{plural}"] if hidden else [])


def test_columns_are_aligned_with_wide_characters():
    table = dt.Table.from_columns({"木": ["日本", "x"], "y": ["a", "b"]}, "y")
    starts = [
        columns(line[: line.rindex(word)])
        for line, word in zip(
            dt.draw.text(table).split("\n")[1:], ["y", "target", "a", "b"], strict=True
        )
    ]
    assert len(set(starts)) == 1


def test_a_missing_value_is_said_to_be_missing():
    table = dt.Table.from_columns(
        {"x": [1.5, None], "y": ["a", "b"]}, "y", missing="keep", kinds={"x": "continuous"}
    )
    assert dt.draw.text(table).split("\n")[4].split() == ["2", "missing", "b"]


# -- comparisons ---------------------------------------------------------------------------------


@settings(max_examples=50)
@given(tables(max_attributes=4).filter(lambda table: table.attributes))
def test_a_comparison_shows_every_number_and_bars_by_gain(table):
    comparison = dt.compare(table)
    head, _, *lines = repr(comparison).split("\n")
    assert f"H(Y) = {comparison.entropy:.3f} bits" in head.replace("-0.000", "0.000")
    lengths = [sum("█▉▊▋▌▍▎▏".find(c) < 8 for c in line if c in "█▉▊▋▌▍▎▏") for line in lines]
    assert lengths == sorted(lengths, reverse=True)
    for one, line in zip(comparison.ranked, lines, strict=True):
        assert line.startswith(one.question)
        found = [float(n) for n in re.findall(r" (\d\.\d{3})(?= |$)", line)]
        wanted = [one.gain, one.conditional_entropy, one.gain_ratio]
        assert found == pytest.approx(wanted, abs=0.00051)
