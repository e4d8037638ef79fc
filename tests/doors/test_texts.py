"""What R and Weka wrote of their trees, read as ours: row for row what they predicted."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import j48
import numpy as np
import pytest
from cases import each
from peerfiles import kept
from peertables import tables
from recordedtables import TABLES

import dtree_lab as dt

RECORDED = Path(__file__).parent / "recorded"
FILES = sorted(path.name for path in RECORDED.glob("*.txt"))
# The same for all cases.
made, outputs = cache(tables), cache(kept)


def recorded(name):
    """A text, the table that its tree was grown on, and what the program predicted of its rows."""
    text, _, answers = (RECORDED / name).read_text(encoding="utf-8").rpartition("\nanswers: ")
    table = TABLES[name.removesuffix(".txt").split("-")[1]]()
    return text, table, answers.strip().split("; ")


@pytest.mark.filterwarnings("error")
@each("name", FILES)
def test_a_text_answers_as_its_program_did(name):
    text, table, answers = recorded(name)
    for cuts in ("exact", "middle"):
        tree = dt.Tree.from_model(text, table, cuts=cuts)
        if table.target.values is None:
            # Means are of the table, and both print them with all their digits.
            assert np.allclose(tree.predict(table), np.array(answers, dtype=float), rtol=1e-12)
        else:
            assert tree.predict(table).tolist() == answers
        assert tree.root.counts == dt.by_hand(table, {}).root.counts


@pytest.mark.filterwarnings("error")
@each("name, setting", [(name, setting) for name in made() for setting in j48.SETTINGS])
def test_what_j48_grew_is_what_we_grow(name, setting):
    """The same tree of a text and of the rows: its cuts, and parts of rows with gaps."""
    table = made()[name]
    text = outputs("j48")[j48.key(name, setting, table)]
    assert dt.Tree.from_model(text, table) == j48.grow(table, setting)


def test_the_leaves_are_those_of_the_text():
    text, table, _ = recorded("rpart-walks.txt")
    tree = dt.Tree.from_model(text, table)
    assert tree.n_leaves == sum(line.rstrip().endswith("*") for line in text.splitlines())
    text, table, _ = recorded("j48-walks-U-M1.txt")
    tree = dt.Tree.from_model(text, table)
    assert f"Number of Leaves  : \t{tree.n_leaves}\n" in text
    assert f"Size of the tree : \t{tree.n_nodes}\n" in text


def test_a_value_at_a_cut_of_j48_goes_below_it():
    text, table, _ = recorded("j48-tax-U-M1.txt")
    tree = dt.Tree.from_model(text, table)
    row = {"Refund": "No", "Marital Status": "Single", "Taxable Income": 75}
    assert tree.predict(row) == "No"
    assert tree.predict(row | {"Taxable Income": 75.01}) == "Yes"


def test_a_branch_of_j48_without_rows_is_answered_as_its_node():
    text = """
J48 pruned tree
------------------

size <= 1
|   colour = red: a (2.0)
|   colour = green: b (1.0)
|   colour = blue: a (0.0)
size > 1: b (1.0)
"""
    table = dt.Table.from_columns(
        {"size": [1, 1, 1, 2], "colour": ["red", "red", "green", "blue"], "y": [*"aabb"]},
        target="y",
    )
    tree = dt.Tree.from_model(text, table)
    assert tree.n_leaves == 3
    rows = [{"size": size, "colour": c} for size in (1, 2) for c in ("red", "green", "blue")]
    assert tree.predict(rows).tolist() == [*"ababbb"]


def test_rounded_cuts_are_told():
    table = dt.Table.from_columns(
        {"x": [1000001, 1000002, 1000003, 1000004], "y": ["a", "a", "b", "b"]}, target="y"
    )
    text = """n= 4

node), split, n, loss, yval, (yprob)
      * denotes terminal node

1) root 4 2 a (0.5000000 0.5000000)
  2) x< {} 2 0 a (1.0000000 0.0000000) *
  3) x>={} 2 0 b (0.0000000 1.0000000) *
"""
    tree = dt.Tree.from_model(text.format("1000002.5", "1000002.5"), table)
    assert tree == dt.cart(table)
    with pytest.warns(
        dt.TableWarning, match=r"2 nodes held other numbers of rows, such as .* 2 and not 1"
    ):
        dt.Tree.from_model(text.format("1000002", "1000002"), table)


def test_a_text_that_is_none_is_told():
    rpart, table, _ = recorded("rpart-tax.txt")
    weka = recorded("j48-tax-U-M1.txt")[0]
    for text, words in (
        ("", "no tree that can be read"),
        (rpart.replace(" 1) root", " 9) root"), "cut off after its head"),
        (rpart.replace("  7) ", " 77) "), "node 3 of the text needs two lines below it, 6"),
        (rpart.replace("Refund", "Rebate"), "asks 'Rebate=Yes.*begins with none of 'Refund'"),
        (rpart.replace("=Married", "=Merry"), "'Merry.*for 'Marital Status', which has the values"),
        (rpart.replace("77.5", "many"), "'many' where a cut of 'Taxable Income' should be"),
        (rpart.replace("2 0 No (", "2 0 Perhaps ("), "'Perhaps' for 'Cheat'"),
        (rpart.replace("Marital Status=Married 4", "Marital Status=Married"), "no line of rpart's"),
        (weka.replace("|   |   Taxable Income > 75: Yes (2.0)\n", ""), "has no second branch"),
        (weka.replace("|   |   Taxable Income >", "|   Taxable Income >"), "no second branch"),
        (weka.replace("= Married", "= Merry"), "'Merry' for 'Marital Status'"),
    ):
        with pytest.raises(ValueError, match=words):
            dt.Tree.from_model(text, table)
