"""What Python and the browser both know, as a hand is faster than a message: one file of cases.

Each case was worked by hand. ``tests/js/twins.test.mjs`` holds the browser to the same file.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab.base.text import number, plural
from dtree_lab.draw import card
from dtree_lab.grow.api import make_split
from dtree_lab.labs.kit import cards, marks
from dtree_lab.labs.kit.actions import NotPossibleError, node_id, path_of, typed
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.wall import laid_out
from dtree_lab.tree.splits import midpoint
from dtree_lab.tree.tree import walk

CASES = json.loads((Path(__file__).parents[1] / "js/cases.json").read_text(encoding="utf-8"))


def test_columns_are_shared_between_two_tables():
    for case in CASES["columns"]:
        right = case["columns"] and tuple(case["columns"])
        assert marks.columns(case["held"], case["room"]) == right, case


def test_numbers_are_written():
    for x, text in CASES["written"]:
        assert number(float(x)) == text, x


def test_what_is_typed_is_read():
    for text, x in CASES["typed"]:
        if x is None:
            with pytest.raises(NotPossibleError):
                typed(text, "It")
        else:
            assert typed(text, "It") == x, text


def test_a_cut_that_leaves_a_branch_empty_is_refused():
    table = dt.Table.from_columns({"Income": [60.0, 97.5, 220.0], "y": list("aab")}, "y")
    for text, why in CASES["refused"]:
        ask = ("Income", typed(text, "It"))
        if why is None:
            assert make_split(table, ask).n_branches == 2, text
        else:
            with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
                make_split(table, ask)


def test_the_middle_of_two_neighbours_parts_them():
    for (low, high), middle in CASES["middles"]:
        assert midpoint(np.array([low]), np.array([high])).tolist() == [middle], (low, high)


def test_a_text_is_written_as_code_that_python_reads():
    for text, code in CASES["literals"]:
        assert ast.literal_eval(code) == text


def test_things_are_counted():
    for n, word, text in CASES["plurals"]:
        assert plural(n, word) == text


def test_nodes_are_named_by_their_branches():
    for case in CASES["ids"]:
        path, above = tuple(case["path"]), case["above"]
        assert (node_id(path), path_of(case["id"])) == (case["id"], path)
        assert above == (node_id(path[:-1]) if path else None)
        for one in case["within"]:
            assert path[: len(path_of(one))] == path_of(one), one
        for one in case["without"]:
            assert path[: len(path_of(one))] != path_of(one), one


def test_a_large_tree_is_told_in_short():
    tree = dt.id3(dt.datasets.tax_fraud())
    right = CASES["far"]["told"]
    short = marks.for_browser(tree, marks.far_tree(tree, tree.root), 6)
    for name in right.keys() - {"x", "slots"}:  # which are as wide as words are
        assert short[name] == right[name], name
    for id_, above, _, rows, cls, mix, _, below in CASES["far"]["nodes"]:
        node = node_at(tree.root, path_of(id_))
        assert above == (node_id(path_of(id_)[:-1]) if path_of(id_) else None)
        assert (rows, cls) == (sum(node.counts), np.argmax(node.counts)), id_
        assert mix == card.mix(node.counts), id_
        assert not below or below == len(list(walk(node))) - 1, id_


def test_a_branch_is_as_wide_as_its_rows():
    for share, wide in CASES["breadths"]:
        edge = card.Edge((0,), 0.0, 0.0, 0.0, 0.0, "", "", 0.0, 0.0, share)
        assert card.breadth(edge) == wide, share


def test_cards_have_one_size():
    own = {
        **{name: getattr(card, name) for name in ("PAD", "LINE", "STRIP", "TIE", "BEND")},
        "FOOT": card.ABOVE_STRIP + card.UNDER,
        "MARK": card.LEAD,
        "LABEL": card.VALUE,
        "BINS": cards.HISTOGRAM,
        "UNDER": cards.UNDER,
        "APART": marks.APART,
    }
    assert own == CASES["sizes"]


def test_a_small_tree_is_laid_out():
    def flat(knot):
        own = [knot.x, knot.y, knot.rows, knot.cls, knot.folded]
        return [own, *(line for below in knot.below for line in flat(below))]

    for case in CASES["shapes"]:
        knots = flat(laid_out(case["shape"]))
        assert np.array(knots, dtype=object)[:, 2:].tolist() == [one[2:] for one in case["knots"]]
        places = [one[:2] for one in knots]
        np.testing.assert_allclose(places, [one[:2] for one in case["knots"]], atol=1e-12)
