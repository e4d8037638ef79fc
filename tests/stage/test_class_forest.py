"""A forest whose trees ask first what a class has chosen, and its vote."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import numpy as np
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.grow.engine.sampling import attributes_drawn, root_key
from dtree_lab.labs.forest.growth import best_alone
from dtree_lab.stage.checking import tried
from dtree_lab.stage.export import played
from dtree_lab.stage.reading import parse
from dtree_lab.stage.telling import told_audience
from stage.talks import HEAD, a_scene

TABLE = dt.datasets.tax_returns(80, seed=3)
NAMES = list(TABLE.names)
ASKS = (
    "lab: forest\ntable: tax_fraud\nsettings: {trees: 1}\nreveal: [[errors, first]]\n"
    'steps: [class]\nask: "What do you ask first?"\n'
    "options: [Refund, Marital Status, Taxable Income]\n---\n# A forest of ours\n"
)


def a_lab(*roots, **more):
    """A forest of a class, all of it grown."""
    lab = dt.ForestLab(TABLE, trees=1, **more)
    lab.act({"do": "class", "answers": list(roots)})
    return lab


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=12))
def test_each_tree_asks_its_answer_first_and_is_grown_on_its_own_sample(roots):
    lab = a_lab(*roots)
    trees = lab.forest.trees
    assert Counter(NAMES[tree.root.split.attribute] for tree in trees) == Counter(roots)
    for i, tree in enumerate(trees):
        # Its first question is the best one of this attribute on its rows, as a stump finds it.
        sample = TABLE.take(np.repeat(np.arange(TABLE.n_rows), lab.forest.rows_drawn(i)))
        name = NAMES[tree.root.split.attribute]
        own = {one: sample.column(one) for one in (name, TABLE.target.name)}
        stump = dt.cart(dt.Table.from_columns(own, target=TABLE.target.name), max_depth=1)
        assert np.isclose(impurity(tree), impurity(stump))


def impurity(tree):
    """How mixed what the first question makes is, by its rows."""
    return sum(
        n - sum(k * k for k in one.counts) / n
        for one in tree.root.children
        if (n := sum(one.counts))
    )


def test_where_the_chosen_questions_are_those_drawn_first_it_is_the_random_forest():
    n = 8
    drawn = [next(attributes_drawn(root_key(0, [i]), len(NAMES))) for i in range(n)]
    plain = dt.random_forest(TABLE, n_trees=n, m=1, seed=0)
    # A class is put in the table's order, so trees are compared one by one where that is theirs.
    for i, attribute in enumerate(drawn):
        lab = a_lab(*[NAMES[attribute]] * n, m=1)
        assert lab.forest.trees[i] == plain.trees[i]


def test_the_vote_is_counted_on_rows_that_trees_have_not_seen():
    lab = a_lab(*NAMES, *NAMES, NAMES[0])
    forest = lab.forest
    wrong = asked = alone = judged = 0
    for row in range(TABLE.n_rows):
        says = [
            tree.predict(TABLE.row(row))
            for i, tree in enumerate(forest.trees)
            if not forest.rows_drawn(i)[row]
        ]
        label = TABLE.classes[TABLE.labels[row]]
        if says:
            votes = Counter(says)
            won = max(TABLE.classes, key=lambda one: votes[one])
            wrong, asked = wrong + (won != label), asked + 1
        alone += sum(one != label for one in says)
        judged += len(says)
    best = best_alone(lab._state.growth, 7)
    assert np.isclose(forest.oob_error, wrong / asked)
    (words,) = [part for part in lab.view["parts"] if part["id"] == "first"]
    told = json.dumps(words)
    for share in (wrong / asked, alone / judged, best):
        assert f"{100 * share:.1f} %" in told
    counts = Counter(NAMES[tree.root.split.attribute] for tree in forest.trees)
    for name, n in counts.items():
        assert f"{name} {n}" in told


def test_the_single_tree_beside_it_asks_the_best_question_each_time():
    lab = a_lab(*[NAMES[0]] * 5)
    plain = dt.random_forest(TABLE, n_trees=5, m=len(NAMES), seed=0)
    wrong = judged = 0
    for i, tree in enumerate(plain.trees):
        out = np.flatnonzero(plain.rows_drawn(i) == 0)
        wrong += int(
            (tree.predict(TABLE.take(out)) != np.array(TABLE.classes)[TABLE.labels[out]]).sum()
        )
        judged += len(out)
    assert np.isclose(best_alone(lab._state.growth, 5), wrong / judged)


def test_it_comes_back_by_its_text_and_others_have_no_word_of_a_class():
    lab = a_lab("Refund", "Taxable Income")
    again = dt.ForestLab(TABLE, state=lab.state)
    assert [tree.root.split for tree in again.forest.trees] == [
        tree.root.split for tree in lab.forest.trees
    ]
    assert again.view["parts"] == lab.view["parts"]
    lab.act({"do": "reset"})
    assert "roots" not in lab.state
    assert lab.forest.trees == dt.ForestLab(TABLE, trees=1).forest.trees


def test_more_trees_ask_what_the_class_asks_by_turns():
    lab = a_lab("Refund", "Taxable Income")
    lab.act({"do": "next"})
    first = [NAMES[tree.root.split.attribute] for tree in lab.forest.trees]
    assert first == ["Refund", "Taxable Income"] * 2 + ["Refund"]


def test_of_a_large_class_as_many_trees_grow_as_there_is_room_for_each_by_its_share():
    lab = a_lab(*["Refund"] * 300, *["Taxable Income"] * 100)
    assert Counter(lab._state.settings.roots) == {
        NAMES.index("Refund"): 150,
        NAMES.index("Taxable Income"): 50,
    }


@each("answers", [[], ["Refunds"], [1], [["Refund"]], [None]])
def test_what_is_no_attribute_is_refused(answers):
    lab = dt.ForestLab(TABLE, trees=1)
    before = lab.state
    lab.act({"do": "class", "answers": answers})
    assert lab.state == before
    assert "must be an attribute of the table" in lab.view["problem"]


def test_hands_and_phones_of_a_class_make_its_forest():
    async def run():
        show = await a_scene(ASKS)
        assert not told_audience(show)["lab"]
        show.tapped("a", 0)
        show.tapped("b", 2)
        show.votes[0] = show.vote.counted(2, 3)
        for _ in range(4):
            await show.on()
        lab = show.kernel.kernel.opened.lab
        names = list(lab.table.names)
        asked = [names[i] for i in lab._state.settings.roots]
        assert asked == ["Refund", *["Taxable Income"] * 4]
        assert told_audience(show)["panel"] == ["errors", "first"]

    asyncio.run(run())


def test_a_check_knows_the_attributes_and_an_export_goes_without_a_class():
    assert tried(parse(HEAD + ASKS)) == []
    wrong = tried(parse(HEAD + ASKS.replace("options: [Refund", "options: [Refunds")))
    told = "must be an attribute of the table; got ['Refunds']. Did you mean 'Refund'?"
    assert any(told in one.what for one in wrong)
    told = played(parse(HEAD + ASKS))
    assert [one["lab"] for one in told] == [False, False, True]
