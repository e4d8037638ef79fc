"""Trees, tables and comparisons as text, against the trees and tables themselves."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from draw.shapes import answered, drawn, nasty_tree
from dtree_lab.base.text import number as shown_number
from dtree_lab.draw.measure import terminal_columns
from dtree_lab.tree.splits import threshold
from dtree_lab.tree.tree import Branch, Leaf, Tree, flatten, walk


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
    assert max(terminal_columns(line) for line in repr(nasty_tree()).split("\n")) < 500


@pytest.mark.parametrize("how", [{}, {"numbers": True}, {"numbers": True, "leaf": "line"}])
def test_names_cannot_break_out_of_their_line(how):
    tree = nasty_tree(**how)
    assert len(dt.draw.text(tree, most=None).split("\n")) == tree.n_nodes
    gaps = "numbers" in how  # then each question has a rule too
    assert len(dt.draw.rules(tree).split("\n")) == (tree.n_nodes if gaps else tree.n_leaves)
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


# -- regression trees, and gaps ------------------------------------------------------------------


def bikes():
    """Numbers to predict, some rows lacking a word, some a number."""
    columns = {
        "word": [None if i % 11 == 3 else "pqr"[i % 3] for i in range(60)],
        "x": [None if i % 9 == 4 else i / 7 for i in range(60)],
        "y": [i % 3 * 100 - i * i / 9 for i in range(60)],
    }
    return dt.Table.from_columns(columns, "y", missing="keep")


def test_a_tree_of_numbers_by_hand():
    """Means 2 and 11 of 1 2 3 and 10 12: deviations sqrt(2/3) and 1; of all 5.6, sqrt(20.24)."""
    table = dt.Table.from_columns(
        {"x": [1, 2, 3, 4, 5, None], "y": [1, 2, 3, 10, 12, 5.6]}, "y", missing="keep"
    )
    assert repr(dt.stump(table)).split("\n") == [
        "x < 3.5? · 6 rows around 5.6 · SD 4.107 · 1 row without a value stops here",
        "├── < 3.5: y = 2 · 3 rows · SD 0.816",
        "└── ≥ 3.5: y = 11 · 2 rows · SD 1",
    ]


@settings(max_examples=80)
@given(answered())
def test_each_line_of_a_tree_of_numbers_says_its_rows_and_how_many_stop(shape):
    root, attributes, target = shape
    tree = Tree(attributes, target, flatten(root, attributes))
    lines = dt.draw.text(tree, most=None).split("\n")
    assert len(lines) == tree.n_nodes
    count = r"([\d,]+) rows?"
    found = [
        re.search(
            rf" · {count}( around \S+)?( · SD \S+)?( · {count} without a value stops? here)?$", x
        )
        for x in lines
    ]
    rows = sorted(sum(node.counts) for _, node in walk(root))
    assert sorted(number(m[1]) for m in found) == rows
    assert sum(m[2] is not None for m in found) == tree.n_nodes - tree.n_leaves
    leaves = sum(node.counts[0] for _, node in walk(root) if isinstance(node, Leaf))
    assert sum(number(m[5]) for m in found if m[5]) == root.counts[0] - leaves


def test_a_line_is_told_in_full_unless_the_text_is_to_be_short():
    columns = {f"x{k}": [float((i * (k + 3)) % 17) for i in range(80)] for k in range(7)}
    y = [sum((k + 1) * columns[f"x{k}"][i] for k in range(7)) for i in range(80)]
    tree = dt.cart(dt.Table.from_columns({**columns, "y": y}, "y"), max_depth=0, leaf="line")
    level, *slopes = tree.flat.values[0, [0, *range(2, 16, 2)]]
    told = dt.draw.text(tree, most=None)
    found = re.findall(r"([+−]) (\S+?)·\((\w+) − (\S+)\)", told)
    assert [name for _, _, name, _ in found] == [f"x{k}" for k in range(7)]
    said = [float(n) * (1 if sign == "+" else -1) for sign, n, _, _ in found]
    assert said == pytest.approx(slopes, rel=1e-3)
    assert [float(mean) for *_, mean in found] == pytest.approx(
        [float(np.mean(columns[f"x{k}"])) for k in range(7)], abs=0.005
    )
    assert float(re.match(r"y = (\S+) ", told)[1]) == pytest.approx(level, abs=0.05)
    short = repr(tree)
    assert "x3 − " in short
    assert "x4" not in short
    assert "+ 3 more terms" in short


def meant(rule, row, rules):
    """Whether a rule is for a row, read like a person does."""
    before = ""
    for condition in filter(None, rule.rpartition(" then ")[0].removeprefix("if ").split(" and ")):
        name, said = condition.split(" ", 1)
        value = row[name]
        if said.startswith("is missing"):
            # What the rules beside this one say of the same attribute.
            beside = rf"if {re.escape(before)}{name} is (\w+( or \w+)*) (and|then) "
            told = {v for r in rules if (m := re.match(beside, r)) for v in m[1].split(" or ")}
            fits = value is None or ("else" in said and value not in told)
        elif said.startswith("is "):
            fits = value in said[3:].split(" or ")
        else:
            sign, cut = said.split(" ")
            fits = value is not None and (value < float(cut)) == (sign == "<")
        if not fits:
            return False
        before += f"{condition} and "
    return True


def answered_by(rule, row):
    """The number that a rule gives a row: that of its line, where what is missing adds nothing."""
    said = re.search(r"y = (.*) \(\d+ training", rule)[1]
    terms = re.findall(r"([+−]) (\S+?)·\((\w+) ([+−]) (\S+)\)", said)
    total = float(said.split(" ")[0])
    for sign, slope, name, plus, mean in terms:
        if row[name] is not None:
            apart = row[name] + float(mean) * (1 if plus == "+" else -1)
            total += (1 if sign == "+" else -1) * float(slope) * apart
    return total


@pytest.mark.parametrize("leaf", ["mean", "vote", "line"])
def test_where_values_are_missing_one_rule_and_no_other_answers_each_row_as_the_tree_does(leaf):
    table = bikes()
    tree = dt.id3(table, max_depth=3, leaf=leaf)
    rules = dt.draw.rules(tree).split("\n")
    assert len(rules) == tree.n_nodes
    for row in table.rows():
        for asked in (
            row,
            row | {"word": None},
            row | {"x": None},
            row | {"word": "new", "x": None},
        ):
            said = [answered_by(rule, asked) for rule in rules if meant(rule, asked, rules)]
            assert said == pytest.approx([tree.predict(asked)], rel=1e-8)


def test_rules_of_classes_tell_who_stops():
    table = dt.Table.from_columns(
        {"x": ["p", "p", "q", None, "q"], "y": ["a", "a", "b", "b", "b"]}, "y", missing="keep"
    )
    assert dt.draw.rules(dt.id3(table)).split("\n") == [
        "if x is p then y = a (2 of 2 training rows)",
        "if x is q then y = b (2 of 2 training rows)",
        "if x is missing or anything else then y = b (3 of 5 training rows, 1 of them stops here)",
    ]


def test_an_explanation_works_out_the_line():
    table = dt.Table.from_columns(
        {"x": [float(i) for i in range(40)], "y": [3.0 * i + 1 for i in range(40)]}, "y"
    )
    tree = dt.cart(table, max_depth=0, leaf="line")  # y = 59.5 + 3 (x - 19.5)
    assert str(tree.explain({"x": 20.5})).split("\n") == [
        "y is about 59.5 + 3·(x − 19.5) here",
        "so y = 62.5 (40 training rows here, standard deviation 34.63)",
    ]
    lines = str(tree.explain({"x": None})).split("\n")
    assert lines[0] == "y is about 59.5 + 0 (x is missing) here"
    assert lines[1].startswith("so y = 59.5 (")
    assert dt.cart(table, max_depth=1).explain({"x": 1.0}).line == ""


# -- tables --------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(tables())
def test_a_table_shows_its_first_ten_rows_aligned(table):
    caption, names, kinds, *rows = dt.draw.text(table).split("\n")
    shown = min(10, table.n_rows)
    what = "number" if table.target.values is None else "class"
    assert caption.endswith(f"; {what} to predict: y")
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
        terminal_columns(line[: line.rindex(word)])
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
