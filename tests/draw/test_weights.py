"""A tree of rows that weigh fractions: pictures and texts tell what rows weigh, not ticks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import dtree_lab as dt

TABLE = dt.datasets.tax_fraud()


def grown(times, unit=1):
    return dt.id3(replace(TABLE, weights=np.asarray(times), weight_unit=unit))


def test_a_multiple_of_the_unit_is_told_as_rows():
    """Three ticks a row, each row three ticks: all is told as without weights."""
    whole, parts = dt.id3(TABLE), grown([3] * 10, 3)
    assert parts.flat.counts[0].tolist() == [21, 9]
    for told in (repr, dt.draw.rules, dt.draw.dot, dt.draw.svg):
        assert str(told(parts)) == str(told(whole))
    row = TABLE.row(8)
    assert str(parts.explain(row)) == str(whole.explain(row))


def test_fractions_are_told_as_they_are():
    """Row i weighs i tenths: those with No weigh 3.2, those with Yes 0.5 + 0.8 + 1.0."""
    tree = grown(np.arange(1, 11), 10)
    assert repr(tree).startswith("Marital Status? · 5.5 rows (3.2 No, 2.3 Yes) · ")
    assert "Married: Cheat = No · 2.1 rows · 0.000 bits" in repr(tree)
    assert "then Cheat = Yes (0.5 of 0.5 training rows)" in dt.draw.rules(tree)
    assert ">5.5 rows · 0.981 bits<" in dt.draw.svg(tree)
    leaves = [line for line in repr(tree).splitlines() if "Cheat =" in line]
    assert len(leaves) == tree.n_leaves
    assert all(line.endswith("0.000 bits") for line in leaves)  # they are pure
