"""Two trees side by side, as any lab shows them; what differs is told by dt.differences."""

from __future__ import annotations

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab.labs.kit import inspecting
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Press
from dtree_lab.labs.kit.inspecting import MOST_PLACES, MOST_ROWS
from dtree_lab.tree.differences import differences

TAX = dt.datasets.tax_fraud()
NAMES = ("your tree", "ID3's tree")
REFUND = dt.by_hand(TAX, {(): "Refund"})
FULL = dt.by_hand(TAX, {(): "Refund", (1,): "Marital Status", (1, 0): ("Taxable Income", 80)})


def noise(seed, n=400):
    """Labels that no attribute tells anything about, so that the tree grows large."""
    rng = np.random.default_rng(seed)
    columns = {name: rng.random(n) for name in "abcdefg"}
    return dt.Table.from_columns({**columns, "y": np.where(rng.random(n) < 0.5, "u", "v")}, "y")


def test_one_tree_goes_on_where_the_other_ends():
    """Below Refund is No, only the second asks: rows 5, 8 and 10 are better there."""
    seen = inspecting.comparison_of(differences(REFUND, FULL, TAX), NAMES)
    assert seen.tags == ({(1,): "differs"}, {(1,): "only here"})
    words, grid = seen.parts
    assert words.lines == [
        (
            "2 nodes alike from the root down; they part at 1 place. 3 of 10 rows answered"
            " differently: ID3's tree is better on 3, worse on 0."
        ),
        (
            "Where Refund is No: your tree answers No, ID3's tree asks Marital Status."
            " 3 of 7 rows there answered differently."
        ),
    ]
    head = ["row", "Refund", "Marital Status", "Taxable Income", "Your tree", "ID3's tree"]
    assert grid.head == [*head, "Cheat", ""]
    assert grid.rows[0] == ["5", "No", "Divorced", "95", "No", "Yes", "Yes", "better"]
    assert [row[0] for row in grid.rows] == ["5", "8", "10"]
    assert grid.head[grid.classes] == "Cheat"


def test_other_questions_differ_in_both():
    seen = inspecting.comparison_of(differences(REFUND, dt.id3(TAX), TAX), NAMES)
    assert seen.tags == ({(): "differs"}, {(): "differs"})


def test_the_same_tree_has_nothing_to_show():
    seen = inspecting.comparison_of(differences(FULL, FULL, TAX), NAMES)
    assert seen.tags == ({}, {})
    (words,) = seen.parts
    assert words.lines == ["Your tree and ID3's tree are the same tree."]


@pytest.mark.parametrize(
    ("truth", "says"), [("Yes", "better"), ("No", "worse"), ("Maybe", "both wrong")]
)
def test_who_is_right_is_said_in_words(truth, says):
    row = {"Refund": "No", "Marital Status": "Divorced", "Taxable Income": 95, "Cheat": truth}
    table = dt.Table.from_rows([row], "Cheat")
    assert (
        inspecting.comparison_of(differences(REFUND, FULL, table), NAMES).parts[1].rows[0][-1]
        == says
    )


def test_a_row_is_picked_from_the_list():
    found = differences(REFUND, FULL, TAX)
    assert [inspecting.row_picked(found, Pick("compare-rows", i)) for i in range(3)] == [4, 7, 9]
    assert inspecting.row_picked(found, Press("compare-rows")) is None
    assert inspecting.row_picked(found, Pick("other", 0)) is None
    for i in (3, -1):
        with pytest.raises(NotPossibleError, match="has no line"):
            inspecting.row_picked(found, Pick("compare-rows", i))


def test_pictures_of_both_trees():
    seen = inspecting.comparison_of(differences(REFUND, FULL, TAX), NAMES)
    one, other = (inspecting.compared_picture(seen, i, (1,), lit=(0,)) for i in (0, 1))
    assert (one.id, other.id) == ("compare-one", "compare-other")
    assert (one.heading, other.heading) == ("Your tree", "ID3's tree")
    assert (one.tree, other.tree) == (REFUND, FULL)
    tags = {card["id"]: card.get("tag") for card in other.json()["tree"]["cards"]}
    assert [id_ for id_, tag in tags.items() if tag] == ["1"]
    assert tags["1"] == "only here"


def test_what_is_too_much_is_counted():
    table = noise(0)
    pruned = dt.id3(table, max_depth=8)
    found = differences(dt.id3(table), pruned, table)
    words, grid = inspecting.comparison_of(found, NAMES).parts
    assert len(found.places) > MOST_PLACES
    assert len(words.lines) == 1 + MOST_PLACES + 1
    assert words.lines[-1].startswith(f"… {len(found.places) - MOST_PLACES} more places")
    told = sorted((p.changed for p in found.places), reverse=True)[:MOST_PLACES]
    assert sum(int(line.split(". ")[1].split(" of ")[0]) for line in words.lines[1:-1]) == sum(told)
    assert len(grid.rows) == MOST_ROWS
    assert grid.more == f"… {len(found.rows) - MOST_ROWS} more rows; 3 more attributes not shown"
    seen = inspecting.comparison_of(found, NAMES)
    assert (
        len(inspecting.compared_picture(seen, 0).json()["tree"]["cards"])
        <= inspecting.MOST_CARDS + 2
    )
