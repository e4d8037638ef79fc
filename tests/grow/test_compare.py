"""Comparisons and their arithmetic, against the formulas and against rows worked by hand."""

from __future__ import annotations

import re
from itertools import pairwise
from math import log2

import pytest
from hypothesis import given, settings
from strategies import tables

import dtree_lab as dt
from dtree_lab.base import text as escape


def textbook(table, parts):
    """H(Y|X) from the definition, with the parts of the rows given as lists of labels."""
    n = len(table)

    def entropy(labels):
        shares = [labels.count(c) / len(labels) for c in set(labels)]
        return sum(-p * log2(p) for p in shares)

    return sum(len(part) / n * entropy(part) for part in parts if part)


@settings(max_examples=100)
@given(tables())
def test_the_numbers_are_the_definitions(table):
    labels = table.column("y")
    before = textbook(table, [labels])
    for attribute in table.attributes:
        name, column = attribute.name, table.column(attribute.name)
        if attribute.values is None:
            values = sorted(set(column))
            cuts = [(a + b) / 2 for a, b in pairwise(values)]
            ways = [[x < cut for x in column] for cut in cuts] or [[True] * len(column)]
        else:
            ways = [column]
        left = min(
            textbook(
                table,
                [[y for y, k in zip(labels, way, strict=True) if k == key] for key in set(way)],
            )
            for way in ways
        )
        assert dt.conditional_entropy(table, name) == pytest.approx(left, abs=1e-6)
        assert dt.information_gain(table, name) == pytest.approx(before - left, abs=1e-6)


def test_the_eight_rows_to_the_last_fraction():
    table = dt.datasets.two_attributes()
    quarter = 1 / 4 * log2(4) + 3 / 4 * log2(4 / 3)
    assert dt.conditional_entropy(table, "X1") == pytest.approx(1 / 2 * 0 + 1 / 2 * quarter)
    assert dt.conditional_entropy(table, "X2") == pytest.approx(1 / 2 * quarter + 1 / 2 * 1)
    assert [one.attribute.name for one in dt.compare(table).ranked] == ["X1", "X2"]


def test_the_tax_table_ties():
    """Marital Status and Income < 97.5 leave 0.6 bits each; the earlier column comes first."""
    comparison = dt.compare(dt.datasets.tax_fraud())
    assert [one.question for one in comparison.ranked] == [
        "Marital Status",
        "Taxable Income < 97.5",
        "Refund",
    ]
    assert comparison["Marital Status"].conditional_entropy == pytest.approx(0.6)
    assert comparison["Taxable Income"].conditional_entropy == pytest.approx(0.6)
    assert comparison.best.gain_ratio == pytest.approx(
        comparison.best.gain / (0.4 * log2(1 / 0.4) * 2 + 0.2 * log2(5))
    )
    with pytest.raises(ValueError, match=r"no attribute 'Income'.*Taxable Income"):
        comparison["Income"]


def test_a_cut_and_groups_can_be_named():
    table = dt.datasets.tax_fraud()
    assert dt.conditional_entropy(table, "Taxable Income", 80) == pytest.approx(
        0.7 * (4 / 7 * log2(7 / 4) + 3 / 7 * log2(7 / 3))
    )
    groups = [["Married"], ["Single", "Divorced"]]
    assert dt.conditional_entropy(table, "Marital Status", groups) == pytest.approx(0.6)
    with pytest.raises(ValueError, match="no row here has Taxable Income < 10"):
        dt.information_gain(table, "Taxable Income", 10)


def test_an_attribute_that_parts_nothing_gains_nothing():
    table = dt.datasets.tax_fraud().take([1, 2, 4])  # no refund in any of them
    assert dt.information_gain(table, "Refund") == 0
    assert dt.gain_ratio(table, "Refund") == 0
    assert dt.conditional_entropy(table, "Refund") == dt.entropy([2, 1])
    assert "asking it changes nothing" in dt.compare(table).arithmetic("Refund")


def test_a_comparison_needs_attributes_and_classes():
    with pytest.raises(ValueError, match="no attribute to compare"):
        dt.compare(dt.Table.from_columns({"y": ["a", "b"]}, "y"))
    with pytest.raises(ValueError, match="'y' is continuous"):
        dt.compare(dt.Table.from_columns({"x": ["u", "v"], "y": [1.5, 2.5]}, "y"))


@settings(max_examples=60)
@given(tables(max_attributes=2))
def test_every_line_of_the_arithmetic_adds_up(table):
    """Each ``a/b·log2(b/a) + … = …·… = x bits`` is worked again from the fractions in it."""
    if not table.attributes:
        return
    comparison = dt.compare(table)
    for one in comparison.ranked:
        for line in comparison.arithmetic(one.attribute.name).splitlines():
            if "log2" not in line:
                continue
            logs, _, result = line.split(" = ", 1)[1].split(" = ")
            terms = re.findall(r"(\d+)/(\d+)·log2\((\d+)/(\d+)\)", logs)
            assert logs == " + ".join(f"{a}/{b}·log2({c}/{d})" for a, b, c, d in terms)
            assert all((a, b) == (d, c) for a, b, c, d in terms)
            total = sum(int(a) / int(b) * log2(int(c) / int(d)) for a, b, c, d in terms)
            assert float(result.removesuffix(" bits")) == pytest.approx(total, abs=0.00051)


HOSTILE = ["a_b^c~d", "\\end{aligned}", "100 %", "$x$ & #1", "{", "é", "line\nbreak", "\x07"]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_cannot_break_a_formula(name):
    """In LaTeX only \\text{…} holds user text, and in it nothing is left that LaTeX reads."""
    table = dt.Table.from_columns({name: ["u", "v"], "y": ["a", "b"]}, "y")
    formula = dt.compare(table).latex(name)
    assert formula.startswith("\\begin{aligned}\n")
    assert formula.count("\\begin") == formula.count("\\end{aligned}") == 1
    inner = escape.latex(name)
    assert inner in formula
    text = re.sub(r"\}\{\\(backslash|wedge|sim)\}\\text\{", "", inner)
    text = re.sub(r"\\[{}$&#_%]", "", text.removeprefix("\\text{").removesuffix("}"))
    assert not set(text) & set("\\{}$&#_%^~\n\x07")
