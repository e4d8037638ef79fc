"""Our trees are those that rpart and J48 grew: what they said is recorded beside this file.

``make peers`` runs the programs themselves; with ``ARGS=--record`` it writes the recordings anew.
"""

from __future__ import annotations

import j48
import rpart
from beside import beside_j48, beside_rpart
from peerfiles import kept
from peertables import number_tables, tables

import dtree_lab as dt


def test_j48s_tree_is_ours_line_by_line():
    """Parts of rows included; of the larger tables with gaps but for the last digit of counts."""
    compared = list(beside_j48(kept("j48")))
    assert len(compared) == len(j48.SETTINGS) * len(tables())
    differ = {one.name: one.why for one in compared if not one.same}
    assert {name.split()[0] for name in differ} <= {"mixed-gaps-3", "many-gaps"}
    assert all("last digit" in why for why in differ.values())


def test_rparts_tree_is_ours_node_by_node_or_a_tie_or_another_grouping():
    compared = {one.name: one for one in beside_rpart(kept("rpart"))}
    assert compared.keys() == (tables() | number_tables()).keys()
    differ = {name: one.why for name, one in compared.items() if not one.same}
    assert differ.keys() == {"digits", "mixed-3", "mixed-74"}
    assert "ties" in differ["digits"]
    assert all("every grouping of words" in differ[name] for name in ("mixed-3", "mixed-74"))


def test_pruning_by_j48_tells_raising_from_cutting():
    """Or the recordings would not hold raising to anything."""
    recorded = kept("j48")
    cut, raised = (
        j48.read(recorded[j48.key("mixed-1", setting, tables()["mixed-1"])])[0]
        for setting in ("-C 0.25 -S -M 2", "-C 0.25 -M 2")
    )
    assert cut.lines != raised.lines


def test_another_tree_is_told_apart():
    table = tables()["iris"]
    theirs, _ = j48.read(kept("j48")[j48.key("iris", "-U -M 2", table)])
    other = dt.c45(table, release=8, max_depth=2)
    assert j48.write(other, table) != theirs
    node = rpart.read(kept("rpart")[rpart.key("iris", table)])
    assert rpart.write(dt.cart(table, min_rows=20, min_leaf=8), table) != node


def test_a_recording_is_of_the_very_table():
    table = tables()["golf"]
    assert j48.key("golf", "-U -M 2", table) in kept("j48")
    assert j48.key("golf", "-U -M 2", table.take(range(13))) not in kept("j48")
