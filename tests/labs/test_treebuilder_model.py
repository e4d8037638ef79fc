"""The tree builder's model, by folding lists of actions. No Jupyter here."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import reduce

import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.inspecting import Follow
from dtree_lab.labs.treebuilder import model
from dtree_lab.labs.treebuilder.model import update
from dtree_lab.labs.treebuilder.state import (
    Ask,
    AskBest,
    CutBack,
    Finish,
    Lock,
    Reset,
    other,
    start,
)

TAX = dt.datasets.tax_fraud()
UNDO, REDO = kit.Press("undo"), kit.Press("redo")
LECTURE = [
    Ask((), "Refund"),
    Ask((1,), "Marital Status", [["Married"], ["Single", "Divorced"]]),
    Ask((1, 1), "Taxable Income", 80),
]


def select(at):
    return kit.Select("tree", at)


def fold(actions, state=None):
    return reduce(update, actions, state or start(TAX))


def refusal(state, action):
    """What is said of an action that cannot be done."""
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the caller looks at its words
        update(state, action)
    return str(error.value)


def test_the_lectures_tree_by_hand():
    state = fold(LECTURE)
    expected = dt.by_hand(
        TAX,
        {
            (): "Refund",
            (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
            (1, 1): ("Taxable Income", 80),
        },
    )
    assert state.root.tree == expected
    assert state.root.wrong == 0


def test_undo_and_redo_go_through_all_states():
    states = [start(TAX)]
    for action in LECTURE:
        states.append(update(states[-1], action))
    back = states[-1]
    for earlier in reversed(states[:-1]):
        back = update(back, UNDO)
        assert back.root.tree == earlier.root.tree
    assert refusal(back, UNDO) == "There is nothing to undo."
    for later in states[1:]:
        back = update(back, REDO)
        assert back.root.tree == later.root.tree
    assert refusal(back, REDO) == "There is nothing to redo."


def test_a_new_step_forgets_what_was_undone():
    state = fold([*LECTURE, UNDO, UNDO, Ask((1,), "Taxable Income", 80)])
    assert state.undone == ()
    assert refusal(state, REDO) == "There is nothing to redo."


def test_an_edit_shares_what_it_does_not_touch():
    before = fold(LECTURE)
    after = update(before, CutBack((1, 1)))
    assert after.root.children[0] is before.root.children[0]
    assert after.root.children[1].children[0] is before.root.children[1].children[0]


def test_cut_turns_a_branch_into_a_leaf():
    state = fold([*LECTURE, CutBack((1,))])
    assert state.root.tree == dt.by_hand(TAX, {(): "Refund"})
    assert state.status.startswith("Cut back to a leaf: 4 nodes gone. Training error: 3 of 10")
    assert refusal(state, CutBack((1,))) == "This node is a leaf already."


def test_asking_again_replaces_the_question():
    state = fold([Ask((), "Refund"), Ask((), "Marital Status")])
    assert state.root.tree == dt.by_hand(TAX, {(): "Marital Status"})


def test_asking_the_same_again_changes_nothing():
    """Nothing that has grown below is lost, and no step is added for Undo to pass."""
    state = fold([AskBest(()), Finish("ID3")])
    for action in (Ask((), "Marital Status"), AskBest(())):
        assert refusal(state, action) == "This node asks Marital Status already."


def test_a_locked_node_and_all_below_it_stay():
    state = fold([*LECTURE, Lock((1,))])
    for action in (
        CutBack((1, 1)),
        Ask((1, 1), "Refund"),
        CutBack((1,)),
        CutBack(()),
        Ask((), "Refund"),
    ):
        assert "locked; unlock it first" in refusal(state, action)
    assert "above this one is locked" in refusal(state, Lock((1, 1)))
    assert fold([Lock((1,)), CutBack((1,))], state).root.tree.n_nodes == 3


def test_finish_grows_what_is_open_and_leaves_the_locked():
    assert fold([Finish("ID3")]).root.tree == dt.id3(TAX)
    assert fold([Finish("CART")]).root.tree == dt.cart(TAX)
    assert fold([Finish("C4.5")]).root.tree == dt.c45(TAX)
    locked = fold([Ask((), "Marital Status"), Lock((0,)), Finish("ID3")])
    assert locked.root.children[0].split is None
    assert locked.root.children[2].split is not None
    assert "Nothing is left to grow" in refusal(locked, Finish("ID3"))
    assert "There is no recipe 'C5.0'" in refusal(start(TAX), Finish("C5.0"))


def test_best_is_what_id3_asks():
    state = fold([AskBest(())])
    assert state.root.tree == dt.id3(TAX, max_depth=1)
    assert state.verdict.endswith("no question gains more.")


def test_the_verdict_says_what_a_choice_cost():
    """By hand: H(Y) = 0.8813; Refund leaves 0.6897, Marital Status 0.6."""
    verdict = fold([Ask((), "Refund")]).verdict
    assert verdict == (
        "Refund gains 0.192 bits. Marital Status would have gained 0.281:"
        " your choice cost 0.090 bits."
    )
    tied = fold([Ask((), "Taxable Income", 97.5)]).verdict
    assert "no question gains more. Marital Status would have gained as much" in tied


def test_gains_are_hidden_until_the_learner_has_chosen():
    state = start(TAX, reveal="after")
    assert state.hidden
    asked = update(state, Ask((), "Refund"))
    assert not asked.hidden
    assert update(asked, select((1,))).hidden
    assert not update(asked, UNDO).hidden  # what was seen was seen


def test_a_draft_changes_no_tree():
    state = fold([kit.Draft("questions", 2, cut=80)])
    assert state.drafts == {((), "Taxable Income"): 80}
    assert state.root.tree.n_nodes == 1
    assert "no row here has" in refusal(state, kit.Draft("questions", 2, cut=60))


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (Ask((), "Income", 80), "no attribute 'Income'"),
        (Ask((), "Taxable Income"), "say where to cut it"),
        (Ask((), "Taxable Income", 220.5), "no row here has Taxable Income ≥ 220.5"),
        (Ask((), "Refund", 3), "list of groups"),
        (Ask((0,), "Refund"), "There is no node at [0]"),
        (select((5, 1)), "There is no node at [5, 1]"),
        (CutBack((9,)), "There is no node at [9]"),
    ],
)
def test_what_cannot_be_done_is_said(action, says):
    assert says in refusal(start(TAX), action)


def test_pure_rows_need_no_question():
    said = refusal(fold([Ask((), "Refund")]), Ask((0,), "Marital Status"))
    assert said == "All rows here have one class: there is nothing left to ask."


def test_the_selection_stays_on_a_node():
    state = fold([*LECTURE, select((1, 1, 0)), UNDO])
    assert state.selected == (1, 1)
    assert fold([Reset()], state).selected == ()
    assert fold([Reset(), UNDO], state).root.tree == state.root.tree


def test_a_validation_table_must_fit():
    training, validation = dt.evaluate.holdout(TAX, 0.3, seed=1)
    assert start(training, validation=validation).validation is validation
    with pytest.raises(ValueError, match="target of the table is 'sense'"):
        start(training, validation=dt.datasets.word_sense())
    with pytest.raises(ValueError, match="reveal='later'"):
        start(TAX, reveal="later")


def test_a_finished_tree_shares_what_was_finished():
    state = fold([Ask((), "Marital Status"), Ask((0,), "Refund")])
    after = update(state, Finish("ID3"))
    assert after.root.children[1] is state.root.children[1]
    assert after.root.children[0].children[0] is state.root.children[0].children[0]
    assert after.root.tree == dt.id3(TAX)


def test_too_many_classes_are_refused():
    table = dt.Table.from_columns({"x": list(range(101)), "y": [f"c{i}" for i in range(101)]}, "y")
    with pytest.raises(ValueError, match=r"'y' has 101 classes; .* at most 100"):
        start(table)


# -- what stands beside the tree -----------------------------------------------------------------


def test_rows_are_followed_and_nodes_are_picked():
    state = fold([*LECTURE, kit.Set("follow", "one training"), kit.Set("follow-row", 8)])
    assert state.inspection.follow == Follow("one training", 7)
    assert state.root.tree.n_nodes == 7
    state = fold([kit.Set("follow", "all training"), kit.Pick("follow-nodes", 2)], state)
    assert state.selected == (1,)
    assert "nobody 'one validation'" in refusal(state, kit.Set("follow", "one validation"))


def test_the_kept_tree_stays_while_the_tree_changes():
    state = fold([*LECTURE, kit.Press("compare-keep"), CutBack((1,))])
    assert state.inspection.against == "kept"
    assert state.inspection.kept.tree == fold(LECTURE).root.tree
    state = update(state, UNDO)
    assert state.inspection.kept.tree == state.root.tree
    state = fold([CutBack((1,)), kit.Pick("compare-rows", 1)], state)
    assert state.inspection.follow == Follow("one training", 7)  # rows 5, 8 and 10 are now wrong
    assert update(state, UNDO).inspection == state.inspection


def test_an_algorithms_tree_is_what_it_grows():
    for name, grower in (("ID3", dt.id3), ("C4.5", dt.c45), ("CART", dt.cart)):
        state = fold([kit.Set("compare", name)])
        assert other(state).tree == grower(TAX)
        assert update(state, kit.Select("compare-other", (1,))).inspection.at == (1,)
    training, validation = TAX.take(range(7)), TAX.take(range(9, -1, -1))
    state = reduce(
        update,
        [
            kit.Set("compare", "CART"),
            kit.Set("compare-on", "validation"),
            kit.Pick("compare-rows", 0),
        ],
        start(training, validation=validation),
    )
    assert other(state).tree == dt.cart(training)
    assert state.inspection.follow.which == "validation"
    wrong = dt.cart(training).predict(validation) != "No"  # a single leaf, which answers No
    assert state.inspection.follow.row == wrong.tolist().index(True)


@pytest.mark.parametrize(
    ("action", "says"),
    [
        (kit.Set("compare", "kept"), "There is no 'kept' to choose; there are ID3, C4.5, CART."),
        (kit.Set("compare-on", "validation"), "There is no 'validation' to choose"),
        (kit.Select("compare-other", (0,)), "The other tree has no node at"),
        (kit.Pick("compare-rows", 0), "nothing to compare with yet"),
        (kit.Pick("follow-nodes", 0), "First choose whom to follow"),
        (kit.Press("follow-wrong"), "First choose whom to follow"),
        (kit.Set("speed", 3), "Nothing beside the tree does this"),
    ],
)
def test_what_cannot_be_done_beside_the_tree_is_said(action, says):
    assert says in refusal(fold(LECTURE), action)


def test_an_old_text_still_loads_and_a_new_one_is_as_long_as_it_must_be():
    old = model.dump(fold(LECTURE))
    assert "beside" not in old
    assert model.dump(model.load(old, TAX)) == old
    used = model.dump(fold([*LECTURE, kit.Set("follow", "all training")]))
    assert used == old[:-1] + ',"beside":{"follow":["all training",0]}}'


def test_a_text_keeps_the_kept_tree():
    state = fold(
        [*LECTURE, kit.Press("compare-keep"), Reset(), AskBest(()), kit.Set("compare", "")]
    )
    again = model.load(model.dump(state), TAX)
    assert again.inspection.kept.tree == fold(LECTURE).root.tree
    assert again.inspection.against == ""
    assert model.dump(again) == model.dump(state)


# -- the state as text ---------------------------------------------------------------------------


BESIDE = [
    *(kit.Set("follow", whom) for whom in ("", "one training", "all training", "one validation")),
    *(kit.Set("compare", name) for name in ("", "ID3", "CART", "kept")),
    kit.Press("compare-keep"),
    kit.Press("follow-wrong"),
]


@st.composite
def histories(draw):
    """A table and a state after random actions, many of them impossible."""
    table = draw(tables(max_rows=12, max_classes=3))
    state = start(table, reveal=draw(st.sampled_from(["always", "after"])))
    path = st.lists(st.integers(0, 2), max_size=3).map(tuple)
    name = st.sampled_from([*table.names, "none"])
    cut = st.one_of(st.none(), st.sampled_from([0.5, 1.25, 2.5]))
    action = st.one_of(
        st.builds(Ask, path, name, cut),
        st.builds(AskBest, path),
        st.builds(CutBack, path),
        st.builds(Lock, path),
        st.builds(select, path),
        st.sampled_from([UNDO, UNDO, REDO, Finish("ID3"), Finish("CART"), Reset()]),
        st.sampled_from(BESIDE),
        st.builds(kit.Select, st.just("compare-other"), path),
        st.builds(kit.Pick, st.sampled_from(["follow-nodes", "compare-rows"]), st.integers(0, 3)),
        st.builds(kit.Set, st.just("follow-row"), st.integers(0, 13)),
    )
    for one in draw(st.lists(action, max_size=12)):
        with suppress(ValueError):
            state = update(state, one)
    return state


@settings(max_examples=200)
@given(histories())
def test_a_text_recreates_the_state(state):
    again = model.load(model.dump(state), state.table)
    assert again.root.tree == state.root.tree
    assert (again.locked, again.steps, again.selected, again.reveal) == (
        state.locked,
        state.steps,
        state.selected,
        state.reveal,
    )
    assert model.dump(again) == model.dump(state)
    assert again.inspection.follow == state.inspection.follow or not state.inspection.follow.whom
    mine, theirs = other(state), other(again)
    assert (mine and mine.tree) == (theirs and theirs.tree)


@settings(max_examples=200)
@given(histories())
def test_every_row_is_in_one_leaf_and_every_answer_is_a_trees(state):
    leaves = [leaf for _, leaf in state.root.leaves()]
    assert sorted(row for leaf in leaves for row in leaf.rows) == list(range(len(state.table)))
    assert state.root.wrong == round(state.root.tree.error(state.table) * len(state.table))
    assert all(state.root.at(path) is not None for path in [state.selected, *state.locked])


@settings(max_examples=100)
@given(histories())
def test_undoing_everything_leads_back_to_the_start(state):
    for _ in state.steps:
        state = update(state, UNDO)
    assert state.root.tree.n_nodes == 1
    assert not state.locked


@each(
    ("changed", "says"),
    [
        (lambda t: "nonsense", "must be a text from .state"),
        (lambda t: "{}", "must be a text from .state"),
        (lambda t: t.replace('"steps"', '"step"'), "'steps' is missing"),
        (lambda t: t.replace('["ask",[],"Refund"]', '["jump"]'), "is no step"),
        (lambda t: t.replace("Refund", "Refnd"), "step 1, .*no attribute 'Refnd'"),
        (lambda t: t.replace("[1,1]", "[7]"), "no node at"),
        (lambda t: t.replace('"selected":[1,1]', '"selected":["x"]'), "is no path"),
        (lambda t: t[:-1] + ',"beside":[]}', "beside the tree .* of the wrong sort"),
        (lambda t: t[:-1] + ',"beside":{"fly":1}}', "beside the tree .* of the wrong sort"),
        (lambda t: t[:-1] + ',"beside":{"follow":["one test",0]}}', "nobody 'one test'"),
        (lambda t: t[:-1] + ',"beside":{"follow":["one training",10]}}', "between 1 and 10"),
        (lambda t: t[:-1] + ',"beside":{"follow":"all"}}', "beside the tree .* of the wrong sort"),
        (lambda t: t[:-1] + ',"beside":{"compare":["kept","training"]}}', "no 'kept'"),
        (lambda t: t[:-1] + ',"beside":{"kept":[["jump"]]}}', "is no step"),
    ],
)
def test_a_damaged_text_is_refused(changed, says):
    with pytest.raises(ValueError, match=says):
        model.load(changed(model.dump(fold(LECTURE))), TAX)


def test_an_attribute_may_be_called_as_what_a_text_may_lack():
    table = dt.Table.from_rows([("a", "no"), ("b", "yes")], "y", names=["beside", "y"])
    state = update(start(table), Ask((), "beside"))
    assert "beside" not in json.loads(model.dump(state))
    assert model.load(model.dump(state), table).root.tree == state.root.tree


def test_a_text_of_another_table_is_refused():
    with pytest.raises(ValueError, match="made on another table"):
        model.load(model.dump(fold(LECTURE)), TAX.take(range(9)))


def test_a_text_holds_the_steps():
    assert list(model.load(model.dump(fold(LECTURE)), TAX).steps) == LECTURE


def test_a_text_holds_what_was_tried_and_compared():
    """A lab made again from its text shows what the lab showed, to the letter."""
    builder = dt.TreeBuilder(TAX, validation=TAX)
    messages = [
        {"do": "best"},
        {"do": "select", "at": "0"},
        {"do": "draft", "attribute": 2, "cut": 80.0},
        {"do": "set", "control": "compare", "value": "ID3"},
        {"do": "set", "control": "compare-on", "value": "validation"},
        {"do": "select", "part": "compare-other", "at": "0"},
        {"do": "select", "at": "root"},
        {"do": "draft", "attribute": 1, "branches": [0, 1, 0]},
    ]
    for message in messages:
        builder.act(message)
        assert builder.view["problem"] is None, message
        again = dt.TreeBuilder(TAX, validation=TAX, state=builder.state)
        assert again.state == builder.state
        assert {**again.view, "status": ""} == {**builder.view, "status": "", "verdict": ""}
    builder.act({"do": "select", "at": "0"})
    again.act({"do": "select", "at": "0"})
    assert again.view == builder.view


def test_what_was_tried_at_a_node_that_is_gone_is_not_kept():
    builder = dt.TreeBuilder(TAX)
    builder.act({"do": "best"})
    builder.act({"do": "select", "at": "0"})
    builder.act({"do": "draft", "attribute": 2, "cut": 80.0})
    assert '"drafts"' in builder.state
    builder.act({"do": "cut", "at": "root"})
    assert '"drafts"' not in builder.state


@each("drafts", [7, [7], [[[0], 3, 80]], [[["x"], "Taxable Income", 80]], [[[], "Refund", "no"]]])
def test_damaged_texts_of_what_was_tried_are_refused(drafts):
    text = json.loads(dt.TreeBuilder(TAX).state) | {"beside": {"drafts": drafts}}
    with pytest.raises(ValueError, match=r"what stood beside the tree|the state is damaged"):
        dt.TreeBuilder(TAX, state=json.dumps(text))
