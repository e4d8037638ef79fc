"""Where others send rows without a value survives: row for row, in every way that rows are sent."""

from __future__ import annotations

import json

import numpy as np
import pytest
from cases import each
from effort import some
from sklearn.ensemble import RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import dtree_lab as dt
from dtree_lab.tree.questions import by_path, questions_of
from dtree_lab.tree.tree import Tree


def drawn(seed):
    """Numbers with gaps, a word with gaps as columns of 0 and 1, classes and numbers to predict."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(60, 200))
    x = rng.integers(0, 30, (n, 3)) / 4
    x[rng.random((n, 3)) < 0.15] = np.nan
    words = [None if rng.random() < 0.1 else str(rng.choice(["red", "blue"])) for _ in range(n)]
    columns = {f"x{i}": [None if np.isnan(v) else v for v in x[:, i]] for i in range(3)}
    columns["colour"] = words
    y = rng.choice(["no", "yes", "a bit"], n).tolist()
    z = np.where(np.isnan(x[:, 0]), 5.0, x[:, 0]) + rng.normal(size=n)
    ones = [[float(word == v) for v in ("red", "blue")] for word in words]
    tables = [
        dt.Table.from_columns({**columns, "y": t}, target="y", missing="keep") for t in (y, z)
    ]
    names = ["x0", "x1", "x2", "colour_red", "colour_blue"]
    return np.column_stack([x, ones]), names, tables


def fitted(seed):
    """Models of scikit-learn that saw gaps when they were fitted, their rows and tables."""
    x, names, (classes, numbers) = drawn(seed)
    for make, table in ((DecisionTreeClassifier, classes), (DecisionTreeRegressor, numbers)):
        model = make(min_samples_leaf=4, random_state=seed).fit(x, table.column("y"))
        model.feature_names_in_ = np.array(names, dtype=object)
        yield model, x, table


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@each("seed", some(range(20), every=4))
def test_rows_with_gaps_go_where_the_model_sends_them(seed):
    for model, x, table in fitted(seed):
        for cuts in ("exact", "middle"):
            tree = dt.Tree.from_model(model, table, cuts=cuts)
            said = model.predict(x).tolist()
            assert tree.predict(table).tolist() == said
            # One by one, as few rows go; and told in words.
            rows = list(table.rows())
            assert [tree.predict(row) for row in rows[:20]] == said[:20]
            assert [tree.explain(row).prediction for row in rows[:20]] == said[:20]
            assert tree.flat.counts[0].sum() == table.n_rows
            assert (tree.flat.counts.sum(axis=1) == model_rows(model)).all()
        assert dt.Tree.from_json(tree.to_json()) == tree
        assert dt.by_hand(table, by_path(questions_of(tree))).flat.cuts.tolist() == (
            tree.flat.cuts.tolist()
        )


def model_rows(model):
    """How many rows each node of a model had, breadth first."""
    inner, order = model.tree_, [0]
    for i in order:
        if inner.children_left[i] >= 0:
            order += [inner.children_left[i], inner.children_right[i]]
    return inner.n_node_samples[order]


def test_the_nodes_and_the_arrays_tell_the_same():
    model, _, table = next(fitted(3))
    tree = dt.Tree.from_model(model, table)
    assert (tree.flat.gaps >= 0).any()
    assert Tree.of(table, tree.root) == tree
    for i in range(tree.n_nodes):
        split = tree.flat.split(i, tree.attributes)
        if split is not None and tree.attributes[split.attribute].values is None:
            cut = split.cuts[0]
            branch = split.branch(np.array([np.nan, np.nextafter(cut, -np.inf), cut]))
            assert branch.tolist() == [int(tree.flat.gaps[i]), 0, 1]


def test_a_side_by_hand():
    table = dt.Table.from_columns(
        {"x": [1, 2, None, None, 8], "y": [*"aabbb"]}, target="y", missing="keep"
    )
    for side, counts in ((0, [[2, 2], [0, 1]]), (1, [[2, 0], [0, 3]])):
        tree = dt.by_hand(table, {(): ("x", [5], side)})
        assert tree.flat.counts[1:].tolist() == counts
    assert str(tree.explain({"x": None})).startswith("x is missing, and such rows go on (≥ 5)")
    with pytest.raises(ValueError, match="go to a branch from 0 to 1, not 2"):
        dt.by_hand(table, {(): ("x", [5], 2)})
    text = json.loads(tree.to_json())
    assert text["format"] == "dtree_lab.tree.tree/2"
    text["nodes"][0]["gaps"] = 7
    with pytest.raises(ValueError, match="node 0 has no branch 7 for rows without a value"):
        dt.Tree.from_json(json.dumps(text))
    model = tree.to_sklearn()
    del model.feature_names_in_
    assert model.predict([[np.nan], [1.0]]).tolist() == ["b", "a"]


def test_pruning_keeps_the_sides():
    model, _, table = next(fitted(5))
    tree = dt.Tree.from_model(model, table)
    pruned = dt.prune.reduced_error(tree, table)
    asks = [one for one in questions_of(pruned) if one is not None]
    assert all(one in questions_of(tree) for one in asks)
    assert any(len(one) == len(("name", "cuts", "gaps")) for one in asks)
    assert pruned.error(table) <= tree.error(table) + 1e-12


def test_another_side_is_another_question():
    table = dt.Table.from_columns(
        {"x": [1, 2, None, None, 8], "y": [*"aabbb"]}, target="y", missing="keep"
    )
    low, high, rest = (dt.by_hand(table, {(): ("x", [5], *side)}) for side in ([0], [1], []))
    for one, other in ((low, high), (low, rest)):
        found = dt.differences(one, other, table)
        assert len(found.places) == 1
        assert "x < 5 (< 5 or missing / ≥ 5)" in found.places[0].told()
    assert dt.differences(high, high, table).places == ()
    with pytest.raises(ValueError, match="in which rows without a value rest"):
        dt.prune.pessimistic(low, 0.25, raising=True, table=table)


def test_a_tree_without_gaps_has_no_sides():
    x, names, (_, numbers) = drawn(1)
    whole = ~np.isnan(x).any(axis=1)
    table = numbers.take(np.flatnonzero(whole & (numbers.columns[3] >= 0)))
    rows = x[whole & (numbers.columns[3] >= 0)]
    model = RandomForestRegressor(2, random_state=0).fit(rows, table.labels)
    model.feature_names_in_ = np.array(names, dtype=object)
    tree = dt.Tree.from_model(model, table, member=0)
    assert (tree.flat.gaps == -1).all()
