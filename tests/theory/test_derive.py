"""One more attribute, and what it does to a tree."""

from __future__ import annotations

import pytest

import dtree_lab as dt
from dtree_lab import theory


def trues(row):
    return sum(v == "T" for v in row.values())


@pytest.mark.parametrize("n", range(1, 8))
def test_the_sum_mod_2_makes_xor_one_question(n):
    xor = dt.datasets.truth_table("xor", n)
    found = theory.effect_of(xor, "sum mod 2", lambda row: trues(row) % 2)
    assert (found.before.n_nodes, found.after.n_nodes) == (2 ** (n + 1) - 1, 3)
    assert found.after.error(found.table) == 0


def test_the_new_attribute_is_computed_from_the_row_alone():
    table = dt.datasets.tax_fraud()
    seen = []

    def rich(row):
        seen.append(set(row))
        return row["Taxable Income"] > 100

    found = theory.derived(table, "rich", rich)
    assert set(map(frozenset, seen)) == {frozenset(table.names)}
    assert found.names == (*table.names, "rich")
    assert found.column("rich") == [x > 100 for x in table.column("Taxable Income")]
    assert found.column("Cheat") == table.column("Cheat")
    assert found.attribute("Marital Status") == table.attribute("Marital Status")


def test_its_kind_can_be_said():
    table = dt.datasets.truth_table("xor", 3)
    assert theory.derived(table, "s", trues).attribute("s").kind == "continuous"
    assert theory.derived(table, "s", trues, kind="discrete").attribute("s").kind == "discrete"
    ordered = theory.derived(table, "s", trues, kind=(3, 2, 1, 0))
    assert ordered.attribute("s").values == (3, 2, 1, 0)


def test_a_missing_value_stays_missing():
    found = theory.derived(
        dt.datasets.two_attributes(), "gap", lambda row: None if row["X1"] == "T" else "x"
    )
    assert found.has_missing


def test_what_goes_wrong_is_named():
    table = dt.datasets.truth_table("or", 2)
    with pytest.raises(ValueError, match="has a column 'a1' already"):
        theory.derived(table, "a1", trues)
    with pytest.raises(ValueError, match="has a column 'or' already"):
        theory.derived(table, "or", trues)
    with pytest.raises(KeyError) as caught:
        theory.derived(table, "b", lambda row: row["or"])  # the label is not to be seen
    assert caught.value.__notes__ == ["while computing 'b' for row 1 (labelled F)"]


def test_rows_keep_what_they_weigh():
    table = dt.Table.from_columns({"x": [1, 2], "y": ["a", "b"]}, "y", weights=[1, 3])
    richer = theory.derived(table, "double", lambda row: 2 * row["x"])
    assert richer.counts().tolist() == [1, 3]
