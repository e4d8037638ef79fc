"""A tree that was grown elsewhere, opened in a lab: looked at, cut, grown on, kept as text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import each
from sklearn.tree import DecisionTreeClassifier

import dtree_lab as dt
from dtree_lab.labs.stepthrough.view import view
from dtree_lab.labs.treebuilder.model import dump, load
from dtree_lab.sklearn import TreeClassifier, TreeRegressor
from dtree_lab.tree.questions import by_path, questions_of
from dtree_lab.tree.subtrees import path_to

TAX = dt.datasets.tax_fraud()
BIRDS = dt.datasets.penguins(missing="drop")
GROWERS = (dt.id3, dt.c45, dt.cart)


@each("table", [TAX, BIRDS, dt.datasets.word_sense()])
def test_a_tree_opens_as_it_is_and_its_text_brings_it_back(table):
    for grow in GROWERS:
        tree = grow(table, criterion=None)
        builder = dt.TreeBuilder(table, tree=tree)
        assert builder.tree == tree
        assert builder.tree.criterion == tree.criterion
        again = dt.TreeBuilder(table, state=builder.state)
        assert again.tree == tree
        assert again.state == builder.state


def test_to_open_a_tree_is_one_step():
    builder = dt.TreeBuilder(TAX, tree=dt.cart(TAX))
    builder.act({"do": "undo"})
    assert builder.tree.n_nodes == 1
    builder.act({"do": "redo"})
    assert builder.tree == dt.cart(TAX)


def test_what_is_opened_is_cut_back_and_grown_on():
    whole = dt.id3(BIRDS)
    builder = dt.TreeBuilder(BIRDS, tree=whole)
    branch = next(i for i, node in enumerate(whole.root.children) if hasattr(node, "children"))
    builder.act({"do": "select", "at": [branch]})
    builder.act({"do": "cut"})
    assert builder.tree.n_nodes < whole.n_nodes
    builder.act({"do": "finish", "option": "ID3"})
    assert builder.tree == whole


def test_a_fitted_estimator_opens_in_both_labs_and_is_compared():
    frame = {name: BIRDS.column(name) for name in (*BIRDS.names, BIRDS.target.name)}
    rows = pd.DataFrame(frame)
    fitted = TreeClassifier(max_depth=2).fit(rows[list(BIRDS.names)], rows[BIRDS.target.name])
    builder = dt.TreeBuilder(BIRDS, tree=fitted)
    assert builder.tree.predict(BIRDS).tolist() == fitted.predict(rows[list(BIRDS.names)]).tolist()
    lab = dt.PruningLab(BIRDS, BIRDS, tree=fitted)
    assert lab.full.predict(BIRDS).tolist() == builder.tree.predict(BIRDS).tolist()
    assert dt.differences(builder.tree, lab.full, BIRDS).places == ()


def test_the_pruning_lab_prunes_the_tree_that_it_is_given():
    training, validation = dt.evaluate.holdout(BIRDS, seed=3)
    tree = dt.cart(training, min_leaf=3)
    lab = dt.PruningLab(training, validation, tree=tree)
    assert lab.full == tree
    lab.act({"do": "all"})
    assert lab.tree == dt.prune.reduced_error(tree, validation)
    again = dt.PruningLab(training, validation, state=lab.state)
    assert (again.full, again.tree) == (tree, lab.tree)
    assert "questions" not in dt.PruningLab(training, validation).state


def test_other_rows_fill_the_same_questions():
    """Each node then counts the rows that come there, as the slow way does."""
    part = BIRDS.take(range(0, BIRDS.n_rows, 2))
    tree = dt.id3(BIRDS, max_depth=1)
    opened = dt.TreeBuilder(part, tree=tree).tree
    stops = tree.apply(part)
    for node in range(1, tree.n_nodes):
        assert opened.flat.counts[node].sum() == (stops == node).sum()


def test_a_model_of_scikit_learn_opens_in_each_lab():
    numbers = {name: BIRDS.column(name) for name in BIRDS.names if not BIRDS.attribute(name).values}
    birds = dt.Table.from_columns({**numbers, "species": BIRDS.column("species")}, "species")
    x = np.column_stack([birds.column(name) for name in birds.names])
    model = DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, birds.column("species"))
    said = model.predict(x).tolist()
    built = dt.TreeBuilder(birds, tree=model)
    assert built.tree.predict(birds).tolist() == said
    pruning = dt.PruningLab(birds, birds, tree=model)
    assert pruning.full == built.tree
    walked = dt.StepThrough(birds, tree=model)
    assert walked.events
    assert len(dt.differences(model, built.tree, birds).changed) == 0
    assert dt.PruningLab(birds, birds, state=pruning.state).full == built.tree
    text = "J48 pruned tree\n---\n\nRefund = Yes: No (3.0)\nRefund = No: No (7.0/3.0)\n"
    plain = dt.TreeBuilder(TAX, tree=text)
    assert plain.tree.n_leaves == 2


REFUSED = [
    (5, TypeError, "tree must be a dt.Tree"),
    (dt.id3(BIRDS), ValueError, "no attribute"),
    (dt.id3(dt.populations.sine(noise=0.1).sample(20)), ValueError, "predicts numbers"),
    (TreeRegressor(), TypeError, "fitted"),
]


@each(("thing", "kind", "says"), REFUSED)
def test_what_cannot_be_opened_is_refused_with_the_reason(thing, kind, says):
    for lab in (dt.TreeBuilder, dt.PruningLab):
        with pytest.raises(kind, match=says):
            lab(TAX, tree=thing)


@each(
    "questions",
    [
        [],
        [["Refund", [["Yes"], ["No"]]]],
        [None, None],
        [["Refund", []]],
        ["Refund"],
        [{"a": 1}],
    ],
)
def test_a_damaged_list_of_questions_is_refused(questions):
    with pytest.raises(ValueError, match=r"question|asks"):
        by_path(questions)
    text = dt.TreeBuilder(TAX, tree=dt.id3(TAX)).state
    damaged = text.replace(text[text.index("[", text.index('"open",')) :], "")
    with pytest.raises(ValueError, match="state"):
        dt.TreeBuilder(TAX, state=damaged)


def test_questions_and_paths_are_those_of_the_tree():
    tree = dt.cart(TAX)
    assert dt.by_hand(TAX, by_path(questions_of(tree))) == tree
    assert load(dump(dt.TreeBuilder(TAX, tree=tree)._state), TAX).root.tree == tree


def test_rows_are_stepped_through_a_tree_as_it_explains_them():
    tree = dt.cart(BIRDS, max_leaves=5)
    rows = BIRDS.take(range(0, 60, 3))
    walk = dt.StepThrough(BIRDS, tree=tree, validation=rows)
    assert (walk.algorithm, walk.tree) == ("prediction", tree)
    assert walk.tree.criterion == "gini"
    events = iter(walk.events)
    for row, label in zip(rows.rows(), rows.column("species"), strict=True):
        told = tree.explain(row)
        stop = path_to(tree.flat, int(tree.apply(row)[0]))
        for n, asked in enumerate(told.steps, 1):
            went = next(events)
            assert (went.reason, went.path) == (asked.reason, stop[:n])
        answered = next(events)
        assert (answered.explanation, answered.label) == (told, label)
    assert next(events, None) is None
    walk.level, walk.cursor = "round", len(walk.events)
    assert walk.step == len(rows)
    again = dt.StepThrough(BIRDS, validation=rows, state=walk.state)
    assert (again.tree, again.cursor) == (tree, walk.cursor)


def test_a_step_of_a_prediction_lights_the_row_s_way_and_counts_what_is_right():
    tree = dt.stump(TAX)
    walk = dt.StepThrough(TAX, tree=tree)
    right = sum(a == b for a, b in zip(tree.predict(TAX), TAX.column("Cheat"), strict=True))
    walk.cursor = len(walk.events)
    parts = {getattr(part, "id", ""): part for part in view(walk._state).parts}
    assert parts["judged"].rows == [["right", f"{right}"], ["wrong", f"{len(TAX) - right}"]]
    last = tree.explain(TAX.row(len(TAX) - 1))
    assert parts["tree"].lit == walk.events[-1].path
    assert len(walk.events[-1].path) == len(last.steps)
    assert [row[0] for row in parts["values"].rows] == list(TAX.names)


def test_a_tree_that_does_not_fit_is_refused_by_the_walk():
    with pytest.raises(TypeError, match="tree must be a dt"):
        dt.StepThrough(TAX, tree=3)
    with pytest.raises(ValueError, match="no attribute"):
        dt.StepThrough(TAX, tree=dt.id3(dt.datasets.word_sense()))
