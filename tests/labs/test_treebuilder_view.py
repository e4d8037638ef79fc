"""What the tree builder tells the browser, as plain data."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from functools import reduce

import numpy as np
import pytest
from cases import each
from hypothesis import given, settings
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.actions import NotPossibleError, node_id, path_of, read_action
from dtree_lab.labs.kit.cards import MOST_CARDS
from dtree_lab.labs.kit.parts import MOST_BYTES
from dtree_lab.labs.treebuilder import model
from dtree_lab.labs.treebuilder.model import update
from dtree_lab.labs.treebuilder.state import Ask, CutBack, Finish, Lock, start
from dtree_lab.labs.treebuilder.view import view as seen
from dtree_lab.tree.tree import walk

TAX = dt.datasets.tax_fraud()


class Told(dict):
    """A view as the browser is told of it, its parts by their names."""

    def part(self, id_):
        (found,) = [part for part in self["parts"] if part["id"] == id_]
        return found

    @property
    def tree(self):
        return self.part("tree")["tree"]

    @property
    def node(self):
        return self.part("questions")

    @property
    def drawers(self):
        names = ("Follow rows through the tree", "Compare with another tree")
        return [part for part in self["parts"] if part["drawer"] in names]

    def tool(self, name):
        (found,) = [tool for tool in self.part("tools")["controls"] if tool["id"] == name]
        return found


def view(state):
    return Told(seen(state).json())


def select(at):
    return kit.Select("tree", at)


def shown(*actions, table=TAX, **keywords):
    return view(reduce(tried, actions, start(table, **keywords)))


def tried(state, action):
    """The state after an action; as it was, if it cannot be done."""
    try:
        return update(state, action)
    except ValueError:
        return state


def bars(told):
    return {bar["plain"]: bar for bar in told.node["bars"]}


def test_the_bars_are_the_comparison():
    """The same numbers, in the same order, as dt.compare gives for the same rows."""
    told = shown(Ask((), "Refund"), select((1,)))
    part = TAX.take(np.flatnonzero(TAX.columns[0] == 1))
    ranked = dt.compare(part).ranked
    assert [bar["name"] for bar in told.node["bars"][:2]] == [
        one.question for one in ranked if one.candidate
    ]
    for one in ranked:
        if one.candidate:
            bar = bars(told)[one.attribute.name]
            assert bar["gain"] == f"{one.gain:.3f}"
            assert bar["left"] == f"{one.conditional_entropy:.3f}"
            assert bar["share"] == pytest.approx(one.gain / one.entropy, abs=1e-4)
    assert bars(told)["Refund"]["disabled"] == "every row here has the same value"


def test_all_that_gain_most_are_called_best():
    told = bars(shown())
    assert [name for name, bar in told.items() if bar["best"]] == [
        "Marital Status",
        "Taxable Income",
    ]


def test_what_is_shown_of_a_question_is_named_beside_what_the_node_asks():
    """The best cut of the income is at 97.5, and gains as much as the marital status."""

    def words(*acts):
        return {
            name: (bar.get("word", ""), bar.get("leads", False))
            for name, bar in bars(shown(*acts)).items()
        }

    income, status = "Taxable Income", "Marital Status"
    chosen = kit.Split("questions", 2, cut=80)
    tried = kit.Draft("questions", 2, cut=97.5)
    assert words()[income] == words()[status] == ("best", True)
    assert words(chosen)[income] == ("best, chosen < 80", True)
    assert words(chosen, kit.Draft("questions", 2, cut=80))[income] == ("chosen", False)
    assert words(chosen, tried, kit.Draft("questions", 2, cut=82))[income] == ("chosen < 80", False)
    assert words(kit.Split("questions", 1))[status] == ("best, chosen", True)
    assert words(chosen)["Refund"] == ("", False)


def test_the_ends_of_an_axis_are_written_as_python_writes_numbers():
    axis = bars(shown())["Taxable Income"]["axis"]
    assert axis["texts"] == ["60", "220", "97.5", "97.5"]
    axis = bars(shown(reveal="after"))["Taxable Income"]["axis"]
    assert axis["texts"][-1] == ""


def test_a_draft_is_weighed_and_keeps_its_place():
    """By hand: a cut at 80 leaves 0.7 of H(3/7) = 0.690 bits and gains 0.192."""
    before, after = shown(), shown(kit.Draft("questions", 2, cut=80))
    assert bars(after)["Taxable Income"]["gain"] == "0.192"
    assert [b["plain"] for b in before.node["bars"]] == [b["plain"] for b in after.node["bars"]]
    assert bars(after)["Taxable Income"]["axis"]["cut"] == 80


def test_values_can_be_taken_together():
    """By hand: Single and Divorced together leave 0.6 of H(1/2), as much as the three apart."""
    state = start(TAX)
    assert bars(view(state))["Marital Status"]["values"] == [
        {"label": "Single", "branch": 0},
        {"label": "Married", "branch": 1},
        {"label": "Divorced", "branch": 2},
    ]
    assert bars(view(state))["Refund"]["values"] is None  # two values make two branches anyway
    state = update(state, read_action({"do": "draft", "attribute": 1, "branches": [0, 1, 0]}))
    bar = bars(view(state))["Marital Status"]
    assert bar["name"] == "Marital Status: Single or Divorced / Married"
    assert (bar["gain"], bar["left"], bar["best"]) == ("0.281", "0.600", True)
    assert [group["counts"] for group in bar["groups"]] == [[3, 3], [4, 0]]
    state = update(state, read_action({"do": "split", "attribute": 1}))
    groups = [["Single", "Divorced"], ["Married"]]
    assert state.root.tree == dt.by_hand(TAX, {(): ("Marital Status", groups)})
    assert model.load(model.dump(state), TAX).root.tree == state.root.tree


def test_a_worse_grouping_is_not_called_best():
    state = start(TAX)
    state = update(state, read_action({"do": "draft", "attribute": 1, "branches": [0, 0, 1]}))
    assert not bars(view(state))["Marital Status"]["best"]
    assert bars(view(state))["Taxable Income"]["best"]


@pytest.mark.parametrize("branches", [[0, 0, 0], [0, 1], [0, 1, "2"], [0, 1, True], []])
def test_branches_that_make_no_question_are_refused(branches):
    with pytest.raises(NotPossibleError):
        update(start(TAX), read_action({"do": "draft", "attribute": 1, "branches": branches}))


def test_nothing_is_given_away_before_the_choice():
    told = shown(reveal="after")
    assert [bar["plain"] for bar in told.node["bars"]] == list(TAX.names)
    for bar in told.node["bars"]:
        assert (bar["gain"], bar["left"], bar["ratio"], bar["share"]) == ("", "", "", 0.0)
        assert not bar["best"]
        assert all(group["entropy"] == "" for group in bar["groups"])
    assert bars(told)["Taxable Income"]["axis"]["best"] is None
    assert bars(told)["Taxable Income"]["axis"]["cut"] != 97.5
    assert not told.tool("best")["enabled"]
    assert "0.281" not in json.dumps(told)


def test_the_rows_at_a_node_are_those_that_come_there():
    told = shown(Ask((), "Marital Status"), select((2,)))
    assert told.node["where"] == "Marital Status is Divorced: 2 rows, H(Y) = 1.000 bits"
    assert told.part("node-rows")["rows"] == [
        ["5", "No", "Divorced", "95", "Yes"],
        ["7", "Yes", "Divorced", "220", "No"],
    ]


def test_errors_on_training_and_validation_rows():
    training, validation = dt.evaluate.holdout(TAX, 0.3, seed=2)
    told = shown(Finish("ID3"), table=training, validation=validation)
    tree = dt.id3(training)
    wrong = round(tree.error(validation) * 3)
    assert told.part("foot")["line"].startswith(
        f"Training error: 0 of 7 rows wrong · Validation error: {wrong} of 3 rows wrong"
        f" · {tree.n_nodes} nodes, "
    )


@settings(max_examples=60)
@given(tables(max_rows=40))
def test_every_card_has_its_place_in_the_tree(table):
    told = shown(Finish("ID3"), table=table)
    cards = {card["id"]: card for card in told.tree["cards"]}
    nodes = dict(walk(dt.id3(table).root))
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    for id_, card in cards.items():
        assert card["counts"] == list(nodes[path_of(id_)].counts)
        assert [cards[child]["parent"] for child in card["children"]] == [id_] * len(
            card["children"]
        )
        assert card["kind"] in ("ask", "answer", "folded")
        assert (card["parent"] is None) == (id_ == "root")
    assert told.part("tree")["selected"] in cards
    if len(nodes) <= MOST_CARDS:
        assert {node_id(path) for path in nodes} == set(cards)


def test_a_large_tree_is_folded_around_the_selected_node():
    rng = np.random.default_rng(0)
    labels = np.where(rng.random(600) < 0.5, "a", "b")  # noise, which no small tree fits
    noise = dt.Table.from_columns({"x": rng.random(600), "z": rng.random(600), "y": labels}, "y")
    state = update(start(noise), Finish("ID3"))
    deepest = max((path for path, _ in walk(state.root.node)), key=len)
    for path in ((), deepest[:3], deepest):
        told = view(update(state, select(path)))
        ids = {card["id"] for card in told.tree["cards"]}
        assert len(ids) < MOST_CARDS + 2 * len(deepest) + 2
        near = len(path) + 1 if len(path) < 20 else 10  # of a longer way the end is drawn
        assert {node_id(path[: len(path) - n]) for n in range(near)} <= ids
        folded = [card for card in told.tree["cards"] if card["kind"] == "folded"]
        if len(path) > 20:  # so deep, all below is drawn
            continue
        assert folded
        assert all(not card["children"] for card in folded)
        unfolded = view(update(state, select(path_of(folded[0]["id"]))))
        (same,) = [c for c in unfolded.tree["cards"] if c["id"] == folded[0]["id"]]
        assert same["kind"] == "ask"
        assert same["children"]


@each(
    "message",
    [
        None,
        {},
        {"do": "fly"},
        {"do": "select", "at": "x"},
        {"do": "select", "at": "0.-1"},
        {"do": "select", "at": ["0"]},
        {"do": "split", "attribute": 99},
        {"do": "split", "attribute": "Refund"},
        {"do": "split", "attribute": 2, "cut": "80"},
        {"do": "split", "attribute": 2, "cut": float("nan")},
        {"do": "draft", "attribute": 2},
        {"do": "finish"},
    ],
)
def test_a_message_that_cannot_be_read_is_refused(message):
    with pytest.raises(NotPossibleError):
        update(start(TAX), read_action(message))


def test_a_bad_message_leaves_the_widget_as_it_was():
    builder = dt.TreeBuilder(TAX)
    before = builder.state
    builder.act({"do": "fly"})
    assert "cannot be read" in builder.view["problem"]
    assert builder.state == before
    builder.act({"do": "split", "attribute": 0})
    assert builder.view["problem"] is None
    assert builder.tree == dt.by_hand(TAX, {(): "Refund"})


# -- what stands beside the tree -------------------------------------------------------------------


def test_at_first_nothing_stands_beside_the_tree_but_choices():
    told = shown(Finish("ID3"))
    assert [part["kind"] for part in told.drawers] == ["controls", "controls"]
    assert told.part("tree")["lit"] is None
    assert not any("tag" in card for card in told.tree["cards"])


def test_all_that_is_to_be_said_stands_under_a_card():
    actions = [Finish("ID3"), kit.Press("compare-keep"), CutBack((0,)), Lock((0,))]
    told = shown(*actions, kit.Set("follow", "all training"))
    tags = {card["id"]: card["tag"] for card in told.tree["cards"]}
    assert tags["0"] == "locked · 4 rows, 2 wrong · differs"
    assert tags["1"] == "4 rows, 0 wrong"
    (other,) = [part for part in told.drawers if part["kind"] == "tree"]
    assert other["heading"] == "The kept tree"
    assert {card["id"]: card.get("tag") for card in other["tree"]["cards"]}["0"] == "only here"


def test_without_a_kernel_what_stands_beside_the_tree_stays_too():
    builder = dt.TreeBuilder(TAX)
    assert "Beside the tree" not in "".join(builder._bundle())
    for message in (
        {"do": "set", "control": "follow", "value": "one training"},
        {"do": "set", "control": "compare", "value": "CART"},
    ):
        builder.act(message)
    for kept in builder._bundle():
        assert "Follow: one training row" in kept
        assert "Row 1 of the training rows: Refund = Yes" in kept
        assert "CART" in kept
    assert builder._bundle()[1].count("<img") == 2


def test_the_kept_picture_draws_the_way_that_its_words_speak_of():
    """The edges of row 1's way, and no others, in a forest's tree and in one grown by hand."""
    builder, forest = dt.TreeBuilder(TAX), dt.ForestLab(TAX)
    builder.act({"do": "finish", "recipe": "ID3"})
    builder.act({"do": "set", "control": "follow", "value": "one training"})
    assert "The lit path is the row's." in forest._bundle()[0]
    for lab, tree in ((builder, builder.tree), (forest, forest._state.member.tree)):
        pages = [b64decode(one).decode() for one in re.findall('base64,([^"]+)', lab._bundle()[1])]
        (lit,) = [page for page in pages if 'class="dtl-edge dtl-lit"' in page]
        way = tree.explain(TAX.row(0)).steps
        assert lit.count('class="dtl-edge dtl-lit"') == len(way) > 0, type(lab)


def test_a_row_is_lit_in_both_trees():
    told = shown(Finish("ID3"), kit.Set("compare", "CART"), kit.Set("follow", "one training"))
    assert told.part("tree")["lit"] == "0.0"  # Single, with a refund
    (other,) = [part for part in told.drawers if part["kind"] == "tree"]
    tree, row = dt.cart(TAX), TAX.row(0)
    stop = int(tree.apply(row)[0])
    assert other["lit"] == node_id(dict(enumerate(path for path, _ in walk(tree.root)))[stop])


def large(n_rows, n_attributes, k=2, *, length=1, n_values=6):
    """Noise with names of a length."""
    rng = np.random.default_rng(n_rows)
    columns = {
        f"{i}" * length: rng.normal(size=n_rows).round(6).tolist()
        if i % 2
        else [f"{v}" * length for v in rng.integers(0, n_values, n_rows)]
        for i in range(n_attributes)
    }
    y = [f"{v}" * length for v in rng.integers(0, k, n_rows)]
    return dt.Table.from_columns({**columns, "y" * length: y}, "y" * length)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(large(3_000, 10), marks=pytest.mark.thorough),
        large(2_000, 10, 60),
        large(400, 150),
        large(400, 10, 5, length=300),
        large(1_000, 3, n_values=900),
    ],
    ids=["rows", "classes", "attributes", "names", "values"],
)
def test_no_message_is_large(table):
    state = start(table, validation=table)
    actions = [
        Finish("ID3"),
        kit.Set("follow", "all training"),
        kit.Set("compare", "CART"),
        kit.Set("follow", "one validation"),
        select((0,)),
    ]
    for action in actions:
        before = json.dumps(view(state), ensure_ascii=False)
        assert len(before.encode()) <= MOST_BYTES
        state = update(state, action)
    told = view(state)
    ids = {card["id"] for card in told.tree["cards"]}
    assert told.part("tree")["selected"] in ids
    assert told.part("tree")["lit"].split(".")[0] in ids
    assert all(card["parent"] in ids | {None} for card in told.tree["cards"])
    kinds = [kind["name"] for kind in told["classes"]]
    assert len(set(kinds)) == len(table.classes)
    assert {row[-1] for row in told.part("node-rows")["rows"]} <= set(kinds)


def test_of_a_very_deep_tree_the_part_around_a_node_is_drawn():
    """Labels that take turns: every question parts a single row, so that the tree is a chain."""
    turns = dt.Table.from_columns({"x": [float(i) for i in range(90)], "y": list("ab") * 45}, "y")
    state = update(start(turns), Finish("ID3"))
    deepest = max((path for path, _ in walk(state.root.node)), key=len)
    assert len(deepest) == 89
    at, seen = deepest, []
    while True:
        state = update(state, select(at))
        cards = {card["id"]: card for card in view(state).tree["cards"]}
        assert len(json.dumps(view(state))) <= MOST_BYTES
        assert node_id(at) in cards
        (top,) = [path_of(id_) for id_, card in cards.items() if card["parent"] not in cards]
        assert at[: len(top)] == top
        assert cards[node_id(top)]["level"] == len(top) + 1
        seen.append(top)
        if not top:
            break
        assert cards[node_id(top)]["tag"] == f"{len(top)} questions above"
        at = top  # the way up leads through what is seen
    assert len(seen) > 2
    long = dt.Table.from_columns({"x": [float(i) for i in range(300)], "y": list("ab") * 150}, "y")
    with pytest.raises(ValueError, match="The tree would be 299 questions deep; a tree builder gr"):
        update(start(long), Finish("ID3"))


def test_of_many_attributes_the_best_are_shown_and_the_others_counted():
    table = large(200, 80)
    told = view(start(table))
    grid, told = told.part("node-rows"), told.node
    best = [one.attribute.name for one in dt.compare(table).ranked]
    assert [bar["plain"] for bar in told["bars"]] == best[: len(told["bars"])]
    assert told["more"] == f"… {80 - len(told['bars'])} more attributes gain no more than these"
    rows = len(grid["rows"])
    assert grid["more"] == f"… {200 - rows} more rows and 68 more attributes"
    state = tried(start(table), Ask((), best[-1], None))
    asked = view(state).node
    if state.node.split:  # what was asked is among them, though it gains least
        assert [bar["plain"] for bar in asked["bars"] if bar["chosen"]] == [best[-1]]
    hidden = view(start(table, reveal="after")).node
    assert [bar["plain"] for bar in hidden["bars"]] == list(table.names[: len(hidden["bars"])])
    assert hidden["more"].endswith("cannot be chosen here")


def test_of_many_branches_the_last_line_stands_for_the_others():
    table = large(2_000, 9, n_values=100)
    for bar in view(start(table)).node["bars"]:
        if not bar["continuous"]:
            groups = bar["groups"]
            assert len(groups) < 100
            assert groups[-1]["label"] == f"… {100 - len(groups) + 1} more branches"
            assert sum(group["rows"] for group in groups) == len(table)
            totals = np.sum([group["counts"] for group in groups], axis=0)
            assert totals.tolist() == table.counts().tolist()
