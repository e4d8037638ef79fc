"""The expressiveness lab's model and view, without Jupyter."""

from __future__ import annotations

import json
import unicodedata
from contextlib import suppress
from functools import reduce
from math import comb, log2

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab import theory
from dtree_lab.labs.expressiveness import model
from dtree_lab.labs.expressiveness.model import (
    FUNCTIONS,
    MOST_LISTED,
    MOST_N,
    fewest,
    known_function,
    start,
    update,
    way,
    worked,
)
from dtree_lab.labs.expressiveness.view import big, view
from dtree_lab.labs.kit.actions import NotPossibleError, Pick, Press, Select, Set
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.model import still_html, still_text


def fold(state, *actions):
    return reduce(update, actions, state)


def part(state, id_):
    return next(one for one in view(state).parts if one.id == id_)


def said(state, id_):
    return " ".join(part(state, id_).lines)


def sizes(state):
    """What the table of sizes says, by row: internal nodes, leaves, nodes, depth."""
    return {name: [int(n) for n in rest] for name, *rest in part(state, "sizes").rows}


# -- the laws --------------------------------------------------------------------------------------


def test_the_laws_as_in_the_lecture():
    """OR is linear, XOR a full tree; majority of 3: a1, then a2 twice, then a3 twice."""
    assert [fewest("or", n) for n in (1, 2, 3, 8)] == [1, 2, 3, 8]
    assert [fewest("and", n) for n in (1, 2, 3, 8)] == [1, 2, 3, 8]
    assert [fewest("xor", n) for n in (1, 2, 3, 8)] == [1, 3, 7, 255]
    assert [fewest("majority", n) for n in (1, 2, 3, 4)] == [1, 2, 5, 9]
    assert worked("xor", 3) == "2³\N{NO-BREAK SPACE}-\N{NO-BREAK SPACE}1 = 7"
    assert worked("majority", 3) == "C(4, 2) - 1 = 5"


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_laws_hold_for_the_smallest_of_all_trees(function):
    found = [theory.smallest(dt.datasets.truth_table(function, n)) for n in range(1, 7)]
    assert [tree.n_leaves - 1 for tree in found] == [fewest(function, n) for n in range(1, 7)]
    assert [tree.depth for tree in found] == list(range(1, 7))


@each("function", FUNCTIONS)
@each("n", range(1, MOST_N + 1))
def test_id3_grows_the_smallest_tree_and_the_lab_says_so(function, n):
    state = start(n=n, function=function)
    tree = dt.id3(dt.datasets.truth_table(function, n))
    assert state.grown.tree == tree
    counted = [tree.n_nodes - tree.n_leaves, tree.n_leaves, tree.n_nodes, tree.depth]
    assert sizes(state) == {"ID3's tree": counted, "the smallest possible": counted}
    assert f"n = {n}: {counted[0]}" in json.dumps(part(state, "growth").json())


# -- the derived attribute -------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 8])
def test_the_sum_mod_2_makes_the_tree_for_xor_collapse(n):
    state = update(start(n=n), Set("feature", "parity"))
    assert sizes(state)["with sum mod 2"] == [1, 2, 3, 1]
    assert sizes(state)["without it"][0] == 2**n - 1
    assert state.status == f"With sum mod 2: 1 internal node instead of {2**n - 1}."
    assert "collapses" in said(state, "verdict")
    expected = theory.effect_of(
        dt.datasets.truth_table("xor", n),
        "sum mod 2",
        lambda row: str(list(row.values()).count("T") % 2),
        kind=("0", "1"),
    )
    assert state.grown.tree == expected.after
    assert state.grown.table.column("sum mod 2") == expected.table.column("sum mod 2")


@pytest.mark.parametrize("function", ["or", "and", "majority"])
def test_the_sum_mod_2_does_not_help_where_parity_is_not_asked(function):
    state = update(start(n=4, function=function), Set("feature", "parity"))
    found = sizes(state)
    assert found["with sum mod 2"] == found["without it"]
    assert "does not help" in said(state, "verdict")
    assert state.status.endswith("as without it.")


@pytest.mark.parametrize(
    ("function", "internal"), [("or", 1), ("and", 1), ("majority", 1), ("xor", 5)]
)
def test_the_sum_takes_one_cut_for_each_time_the_label_changes(function, internal):
    """From 0 to 5 ones the label of XOR changes five times, that of the others once."""
    state = update(start(n=5, function=function), Set("feature", "sum"))
    assert sizes(state)["with sum"][0] == internal


def test_the_next_thing_is_the_collapse_and_then_one_attribute_more():
    state, seen = start(n=6), []
    for _ in range(5):
        state = update(state, Press("next"))
        seen.append((state.n, state.feature, state.grown.internal))
    assert seen == [
        (6, "parity", 1),
        (7, "none", 127),
        (7, "parity", 1),
        (8, "none", 255),
        (8, "parity", 1),
    ]
    with pytest.raises(NotPossibleError, match="up to 8"):
        update(state, Press("next"))
    assert update(state, Press("reset")).n == 6


# -- how much can be said --------------------------------------------------------------------------


def test_concepts_and_trees_are_counted():
    """Two binary attributes: 4 instances, 16 concepts, 74 trees, 2 of which say XOR."""
    lines = said(start(n=2), "concepts")
    for words in ("2² = 4 instances", "2^(2²) = 2⁴ = 16 concepts", "path: 74", "2 of them say"):
        assert words in lines
    assert "2²⁵⁶ = about 1.2 · 10⁷⁷ concepts" in said(start(n=8), "concepts")


@given(st.integers(0, 10**400))
def test_a_large_number_is_told_roughly_and_a_small_one_exactly(n):
    told = big(n)
    if n < 10**12:
        assert told == f"{n:,}"
    else:
        lead, high = told.removeprefix("about ").split(" · 10")
        power = unicodedata.normalize("NFKC", high)  # its digits stand high
        assert float(lead) == pytest.approx(n / 10 ** int(power), rel=0.06)
        assert 1 <= float(lead) <= 10


# -- rows and nodes --------------------------------------------------------------------------------


@pytest.mark.parametrize("feature", ["none", "parity", "sum"])
def test_a_row_is_followed_to_the_leaf_that_answers_it(feature):
    state = fold(start(n=4, function="majority"), Set("feature", feature))
    table, tree = state.grown.table, state.grown.tree
    for row in range(16):
        followed = update(state, Pick("rows", row))
        at = way(followed, row)
        given_ = {k: v for k, v in table.row(row).items() if k != "majority"}
        assert len(at) == len(tree.explain(given_).steps)
        leaf = node_at(tree.root, at)
        assert table.target.values[int(np.argmax(leaf.counts))] == table.row(row)["majority"]
        assert part(followed, "tree").lit == at
        assert update(followed, Pick("rows", row)).row is None
    with pytest.raises(NotPossibleError, match="no row 17"):
        update(state, Pick("rows", 16))


def test_a_way_belongs_to_its_tree():
    """Another n has other rows; another attribute, the same rows and another tree."""
    state = fold(start(n=4), Pick("rows", 3))
    assert len(part(state, "tree").lit) == 4
    with_it = update(state, Set("feature", "parity"))
    assert with_it.row == 3
    assert part(with_it, "tree").lit in {(0,), (1,)}
    assert update(state, Set("n", 5)).row is None


def test_a_node_is_chosen_if_there_is_one():
    state = update(start(), Select("tree", (0, 1)))
    assert state.selected == (0, 1)
    with pytest.raises(NotPossibleError, match="no node"):
        update(state, Select("tree", (0, 0, 0, 0)))
    assert update(state, Set("feature", "parity")).selected == ()


def test_the_truth_table_is_listed_up_to_a_limit():
    grid = part(start(n=3), "rows")
    assert [row[1:] for row in grid.rows] == [
        [*("FT"[i >> k & 1] for k in (2, 1, 0)), "FT"[i.bit_count() % 2]] for i in range(8)
    ]
    assert part(start(n=5), "sizes").more == ""
    assert len(part(start(n=5), "tree").json()["tree"]["cards"]) == 63
    assert (
        part(start(n=8), "sizes").more
        == "Arrow keys walk the nodes around the chosen one; choose one further away to come to it."
    )
    many = part(start(n=8), "rows")
    assert len(many.rows) == MOST_LISTED == 64
    assert many.more == "… 192 more rows"


# -- the figure ------------------------------------------------------------------------------------


def test_a_logarithmic_scale_makes_xor_nearly_straight():
    from dtree_lab.labs.expressiveness.view import _law

    for state in (start(), update(start(), Set("scale", "plain"))):
        heights = [y for _, y in _law("xor", state)]
        expected = [log2(2**n - 1) if state.scale == "log" else 2**n - 1 for n in range(1, 9)]
        assert heights == pytest.approx(expected)
    lines = part(start(n=3), "growth").text
    assert lines[0].endswith("the tree shown has 7 with n = 3.")
    assert lines[3] == "n = 3: or 3, and 3, xor 7, majority 5"


# -- a table of one's own --------------------------------------------------------------------------


def test_a_given_truth_table_is_a_function_like_the_others():
    columns = {"rain": ["no", "no", "yes", "yes"], "sun": ["yes", "no", "yes", "no"]}
    table = dt.Table.from_columns({**columns, "rainbow": ["no", "no", "yes", "no"]}, "rainbow")
    state = start(table)
    assert state.concept.trues == {"rain": "yes", "sun": "yes"}
    assert sizes(state) == {"ID3's tree": [2, 3, 5, 2]}
    lines = said(state, "concepts")
    assert "4 instances; the rows show 4" in lines
    assert "2⁴ = 16 concepts" in lines
    assert "rain = yes, sun = yes" in lines
    with_sum = update(state, Set("feature", "sum"))
    assert sizes(with_sum)["with sum"] == [1, 2, 3, 1]
    assert with_sum.grown.table.column("sum") == [1.0, 0.0, 2.0, 1.0]
    with pytest.raises(NotPossibleError, match="given table has"):
        update(state, Set("n", 4))
    assert fold(state, Set("function", "or"), Set("n", 4)).grown.internal == 4
    assert fold(state, Set("function", "or"), Press("reset")).function == "own"


def test_another_function_keeps_the_derived_attribute():
    """Whoever has chosen the sum, and then majority, has both; the line says what it does."""
    state = fold(start(n=5), Set("feature", "sum"), Set("function", "majority"))
    assert (state.function, state.feature, state.grown.internal) == ("majority", "sum", 1)
    # Without it a question is asked until one side has three votes: once for every way to come to
    # a standing with at most two votes on either side.
    plain = sum(comb(yes + no, yes) for yes in range(3) for no in range(3))
    assert state.status == f"With sum: 1 internal node instead of {plain}."
    assert model.load(model.dump(state)).feature == "sum"


def test_a_table_that_has_no_sum_says_so_when_it_is_chosen():
    tax = start(dt.datasets.tax_fraud())
    state = fold(tax, Set("function", "or"), Set("feature", "sum"), Set("function", "own"))
    assert (state.function, state.feature) == ("own", "none")
    assert "No derived attribute here" in state.status


def test_noughts_and_ones_are_a_truth_table_too():
    xor = dt.Table.from_columns(
        {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": ["0", "1", "1", "0"]}, "y"
    )
    state = update(start(xor), Set("feature", "parity"))
    assert state.concept.trues == {"a": 1.0, "b": 1.0}
    assert sizes(state) == {"without it": [3, 4, 7, 2], "with sum mod 2": [1, 2, 3, 1]}
    assert state.concept.instances == 4


def test_a_derived_attribute_takes_a_free_name():
    table = dt.Table.from_columns(
        {"sum": ["T", "F"], "sum mod 2": ["F", "T"], "y": ["a", "b"]}, "y"
    )
    state = update(start(table), Set("feature", "sum"))
    assert state.grown.table.names == ("sum", "sum mod 2", "sum*")


def test_what_cannot_be_shown_of_a_table_is_said():
    tax = start(dt.datasets.tax_fraud())
    assert "no fixed number of instances" in said(tax, "concepts")
    assert "here one has not" in said(tax, "concepts")
    assert [c.id for c in part(tax, "function").controls] == ["function", "reset"]
    with pytest.raises(NotPossibleError, match="two values"):
        update(tax, Set("feature", "parity"))
    with pytest.raises(NotPossibleError, match="all there is"):
        update(tax, Press("next"))
    torn = dt.Table.from_columns({"x": ["T", "T", "F"], "y": ["a", "b", "a"]}, "y")
    assert "1 instance comes with several labels" in said(start(torn), "concepts")
    assert still_text(view(tax))
    assert still_html(view(tax))


def test_of_very_many_rows_the_first_are_used():
    n = 6_000
    table = dt.Table.from_columns({"x": ["T", "F"] * (n // 2), "y": ["a", "b"] * (n // 2)}, "y")
    state = start(table)
    assert state.grown.table.n_rows == 5_000
    assert "first 5,000 rows are used, 1,000 are not" in said(state, "concepts")


def test_many_instances_are_counted_without_writing_their_concepts_out():
    values = [f"v{i}" for i in range(40)]
    columns = {f"x{i}": values for i in range(4)}
    kinds = dict.fromkeys(columns, "discrete")
    state = start(dt.Table.from_columns({**columns, "y": ["a", "b"] * 20}, "y", kinds=kinds))
    assert "2,560,000 instances; the rows show 40" in said(state, "concepts")
    assert "2^(2,560,000) concepts" in said(state, "concepts")


@pytest.mark.parametrize(
    ("n", "function"), [(0, "or"), (9, "or"), (2.5, "or"), (3, "nor"), (True, "or")]
)
def test_what_is_no_function_is_refused(n, function):
    with pytest.raises(ValueError, match="must be"):
        start(n=n, function=function)


def test_a_table_of_numbers_is_refused():
    with pytest.raises(ValueError, match="continuous"):
        start(dt.Table.from_columns({"x": ["a", "b"], "y": [1.0, 2.0]}, "y"))


@pytest.mark.parametrize("long", ["\N{EVERGREEN TREE}" * 300, "\N{EVERGREEN TREE}" * 9, "n" * 38])
def test_the_message_stays_small_with_any_names(long):
    rng = np.random.default_rng(0)
    columns = {f"{long}{i}": [f"{long}{v}" for v in rng.integers(0, 2, 300)] for i in range(20)}
    state = start(
        dt.Table.from_columns({**columns, "": [f"{long}{v}" for v in rng.integers(0, 2, 300)]}, "")
    )
    for feature in ("none", "sum"):
        shown = update(state, Set("feature", feature))
        assert len(json.dumps(view(shown).json(), ensure_ascii=False).encode()) < 62_000


# -- states ----------------------------------------------------------------------------------------

ACTIONS = st.one_of(
    st.builds(Set, st.just("n"), st.integers(-1, 6)),
    st.builds(Set, st.just("function"), st.sampled_from([*FUNCTIONS, "own", "nor"])),
    st.builds(Set, st.just("feature"), st.sampled_from(["none", "parity", "sum", "product"])),
    st.builds(Set, st.just("scale"), st.sampled_from(["log", "plain", "x"])),
    st.builds(Pick, st.just("rows"), st.integers(-1, 20)),
    st.builds(Select, st.just("tree"), st.lists(st.integers(0, 1), max_size=4).map(tuple)),
    st.builds(Press, st.sampled_from(["next", "back", "reset"])),
)


@settings(max_examples=60)
@given(st.none() | tables(max_rows=12), st.lists(ACTIONS, max_size=8))
def test_whatever_is_done_the_text_recreates_it(table, actions):
    state = start(table)
    for action in actions:
        with suppress(NotPossibleError):
            state = update(state, action)
        shown = view(state).json()
        assert json.loads(json.dumps(shown)) == shown
        assert node_at(state.grown.tree.root, state.selected) is not None
    again = model.load(model.dump(state), table)
    assert model.dump(again) == model.dump(state)
    assert again.grown.tree == state.grown.tree
    reset = update(again, Press("reset"))
    assert (reset.function, reset.n) == state.begun


@each(
    "change",
    [
        {"n": 0},
        {"n": "3"},
        {"begun": []},
        {"begun": ["own", 3]},
        {"begun": ["or", 99]},
        {"function": "own"},
        {"feature": "x"},
        {"scale": "x"},
        {"row": 8},
        {"selected": "5"},
    ],
)
def test_a_damaged_text_is_refused(change):
    data = {**json.loads(model.dump(start())), **change}
    with pytest.raises(ValueError, match=r"damaged|must be|must lie|Nothing here|no (row|node)"):
        model.load(json.dumps(data))


def test_the_widget_answers_messages_and_can_be_read_in_the_next_cell():
    lab = dt.ExpressivenessLab(n=4)
    assert lab.tree == dt.id3(dt.datasets.truth_table("xor", 4))
    lab.act({"do": "set", "control": "feature", "value": "parity"})
    assert lab.tree.n_nodes == 3
    assert lab.table.names[-1] == "sum mod 2"
    assert dt.ExpressivenessLab(state=lab.state).state == lab.state
    lab.act({"do": "set", "control": "n", "value": 9})
    assert "between 1 and 8" in lab.view["problem"]
    assert known_function("xor", 4).grown().internal == 15
