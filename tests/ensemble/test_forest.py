"""A forest's answers, against what its trees say one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from cases import each
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.out_of_bag import OutOfBag
from dtree_lab.ensemble.random_forest import random_forest

TAX = {"Refund": "No", "Marital Status": "Single", "Taxable Income": 85}


@pytest.fixture(scope="module")
def iris():
    data = load_iris()
    columns = {f"x{i}": data.data[:, i] for i in range(4)}
    names = np.array(["setosa", "versicolor", "virginica"])[data.target]
    return dt.Table.from_columns({**columns, "y": names}, target="y")


def slow_votes(forest, table, *, oob=False):
    """Ask every tree about every row."""
    votes = np.zeros((len(table), len(forest.classes)), dtype=int)
    for t, tree in enumerate(forest.trees):
        for i, said in enumerate(tree.predict(table).tolist()):
            if not oob or forest.rows_drawn(t)[i] == 0:
                votes[i, forest.classes.index(said)] += 1
    return votes


@settings(max_examples=60, deadline=None)
@given(tables(), tables(gaps=True), st.integers(0, 5))
def test_votes_are_those_of_the_trees(table, other, seed):
    forest = random_forest(table, n_trees=5, seed=seed)
    votes = slow_votes(forest, table)
    assert np.array_equal(forest.votes(table), votes)
    assert np.array_equal(forest.shares(table), votes / 5)
    answers = [forest.classes[v.argmax()] for v in votes]  # argmax: the first class wins a tie
    assert forest.predict(table).tolist() == answers
    assert forest.error(table) == np.mean(np.array(answers) != np.array(table.column("y")))
    assert np.array_equal(forest.oob_votes, slow_votes(forest, table, oob=True))
    kinds = [(a.name, a.kind) for a in table.attributes]
    if set(kinds) <= {(a.name, a.kind) for a in other.attributes}:  # gaps, and values never seen
        assert np.array_equal(forest.votes(other), slow_votes(forest, other))


@settings(max_examples=40, deadline=None)
@given(tables(), st.integers(0, 5))
def test_the_out_of_bag_error_counts_trees_as_they_are_added(table, seed):
    forest = random_forest(table, n_trees=6, seed=seed)
    for n in range(1, 7):
        part = Forest(
            forest.attributes, forest.target, forest.trees[:n], forest.plan, forest.out_of_bag
        )
        votes = slow_votes(part, table, oob=True)
        known = votes.sum(axis=1) > 0
        wrong = (votes.argmax(axis=1) != table.labels)[known]
        expected = wrong.mean() if known.any() else np.nan
        assert np.isclose(forest.oob_errors[n - 1], expected, rtol=1e-12, equal_nan=True)
    assert np.array_equal(forest.oob_error, forest.oob_errors[-1], equal_nan=True)
    codes = np.where(votes.sum(axis=1) > 0, votes.argmax(axis=1), -1)
    assert np.array_equal(forest.oob_predictions, codes)


@settings(max_examples=40, deadline=None)
@given(number_tables(), st.integers(0, 5))
def test_numbers_are_averaged(table, seed):
    forest = random_forest(table, n_trees=5, seed=seed)
    said = np.stack([tree.predict(table) for tree in forest.trees])
    out = np.stack([forest.rows_drawn(t) == 0 for t in range(5)])
    scale = np.abs(table.labels).max() or 1
    assert np.allclose(forest.predict(table) / scale, said.mean(axis=0) / scale)
    error = np.square(said.mean(axis=0) - table.labels).mean()
    near = {"atol": 1e-8 * scale**2}  # which is 0 for numbers that are next to nothing
    assert np.isclose(forest.error(table), error, **near)
    for n in range(1, 6):
        mine = [
            (np.mean(said[:n, i][out[:n, i]]), y)
            for i, y in enumerate(table.labels.tolist())
            if out[:n, i].any()
        ]
        squares = [(mean - y) ** 2 for mean, y in mine]
        expected = np.mean(squares) if mine else np.nan
        assert np.isclose(forest.oob_errors[n - 1], expected, equal_nan=True, **near)
    for i, mean in enumerate(forest.oob_predictions.tolist()):
        assert np.isnan(mean) == (not out[:, i].any())


def test_the_trees_are_carts_of_their_samples():
    """With every attribute drawn, a tree is CART's on the rows that were drawn for it."""
    table = dt.datasets.tax_fraud()
    forest = random_forest(table, n_trees=10, m=3, seed=4)
    for t, tree in enumerate(forest.trees):
        routing = np.repeat(np.arange(10), forest.rows_drawn(t))
        assert tree == dt.cart(table.take(routing))
        assert tree.error(table.take(routing)) == 0  # fully grown: no two rows are alike


def test_margins_by_hand():
    """One tree that says No everywhere, two that say Yes from 80 to 97.5: rows 5, 8 and 10."""
    table = dt.datasets.tax_fraud()
    below = dt.by_hand(table, {(): ("Taxable Income", 80)})  # No 3; No 4 Yes 3: No everywhere
    cuts = {(): ("Taxable Income", 80), (1,): ("Taxable Income", 97.5)}
    middle = dt.by_hand(table, cuts)  # No 3; Yes 3; No 4
    plan = random_forest(table, n_trees=1).plan
    votes = np.array([[2, 0], [0, 0], [1, 2]] + [[0, 1]] * 7)
    known = OutOfBag(table.labels, votes, np.zeros(0), np.zeros(3))
    forest = Forest(table.attributes, table.target, (below, middle, middle), plan, known)
    income = [125, 100, 70, 120, 95, 60, 220, 85, 75, 90]
    said_yes = [2 if 80 <= x < 97.5 else 0 for x in income]  # the last two trees say Yes there
    cheats = [y == "Yes" for y in table.column("Cheat")]
    margins = [
        (2 * yes - 3) / 3 if cheat else (3 - 2 * yes) / 3
        for yes, cheat in zip(said_yes, cheats, strict=True)
    ]
    assert np.allclose(forest.margins(table), margins)
    assert margins[4] == 1 / 3
    out = forest.margins()  # from the votes above: No, no votes, No, then two Yes among the rest
    assert np.allclose(out[[0, 2, 3, 4]], [1.0, -1 / 3, -1.0, 1.0])
    assert np.isnan(out[1])


def test_a_margin_takes_the_largest_other_class(iris):
    forest = random_forest(iris, n_trees=15, max_depth=1, m=1)
    votes = forest.votes(iris)
    for margin, mine, label in zip(forest.margins(iris), votes, iris.labels, strict=True):
        others = [v for c, v in enumerate(mine) if c != label]
        assert margin == pytest.approx((mine[label] - max(others)) / 15)


def test_a_row_rows_a_frame_and_a_table_are_predicted_alike(iris):
    forest = random_forest(iris, n_trees=9)
    routing = list(iris.rows())
    assert forest.predict(iris).tolist() == forest.predict(pd.DataFrame(routing)).tolist()
    assert forest.predict(iris).tolist() == forest.predict(routing).tolist()
    assert forest.predict(routing[0]) == forest.predict(iris)[0]
    assert isinstance(forest.predict(routing[0]), str)
    assert forest.votes(routing[0]).shape == (1, 3)


def test_a_row_with_a_gap_or_a_new_value_stops_where_its_trees_stop_it():
    table = dt.datasets.tax_fraud()
    forest = random_forest(table, n_trees=20)
    for row in (TAX | {"Taxable Income": None}, TAX | {"Marital Status": "Widowed"}):
        said = [tree.predict(row) for tree in forest.trees]
        assert forest.votes(row).tolist() == [[said.count("No"), said.count("Yes")]]


@pytest.mark.parametrize("missing", [False, True])
def test_many_rows_are_predicted_tree_by_tree_and_in_parts(iris, monkeypatch, missing):
    """What is spared where there are few rows; each part goes as its trees alone would go."""
    from dtree_lab.ensemble import predict
    from dtree_lab.tree import routing

    forest = random_forest(iris, n_trees=50)
    assert forest.grove.root[-1] > 255  # more nodes than a byte can count
    data = [
        row | {"x2": None if missing and i > 120 else row["x2"]}
        for i, row in enumerate(iris.rows())
    ]
    alone = np.stack([tree.predict(data) for tree in forest.trees], axis=1)
    expected = [[(said == c).sum() for c in forest.classes] for said in alone]
    assert forest.votes(data).tolist() == expected
    monkeypatch.setattr(predict, "_MANY", 10)
    monkeypatch.setattr(routing, "_MOST_ROWS", 40)
    assert forest.votes(data).tolist() == expected


@settings(max_examples=25, deadline=None)
@given(tables(max_rows=12), st.integers(0, 5))
def test_proximities_count_shared_leaves(table, seed):
    forest = random_forest(table, n_trees=4, seed=seed)
    stops = [tree.apply(table) for tree in forest.trees]
    out = [forest.rows_drawn(t) == 0 for t in range(4)]
    n = len(table)
    together, apart = np.zeros((n, n)), np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            same = [stop[i] == stop[j] for stop in stops]
            both = [o[i] and o[j] for o in out]
            together[i, j] = sum(same) / 4
            shared = sum(s and b for s, b in zip(same, both, strict=True))
            apart[i, j] = shared / sum(both) if any(both) else np.nan
    assert np.array_equal(forest.proximities(table), together)
    assert np.allclose(forest.proximities(table, oob=True), apart, equal_nan=True)


def test_what_a_forest_is_called():
    forest = random_forest(dt.datasets.tax_fraud(), n_trees=3, bootstrap=False)
    assert repr(forest) == "Forest(3 trees for 'Cheat')"
    assert np.isnan(forest.oob_error)
    assert forest.n_trees == 3
    assert forest.n_leaves == np.mean([tree.n_leaves for tree in forest.trees])
    assert forest.rows_drawn(-1).tolist() == [1] * 10


def test_a_forest_can_be_sent_elsewhere(iris):
    import pickle

    forest = random_forest(iris, n_trees=3)
    again = pickle.loads(pickle.dumps(forest))  # noqa: S301 - our own
    assert again.trees == forest.trees
    assert np.array_equal(again.votes(iris), forest.votes(iris))


@each(
    ("keywords", "message"),
    [
        ({"m": 0}, r"m=0 must be a whole number from 1 to 3"),
        ({"m": 4}, r"m=4 must be a whole number from 1 to 3"),
        ({"m": 1.5}, r"m=1.5 must be a whole number"),
        ({"m": True}, r"m=True must be a whole number"),
        ({"n_trees": 0}, r"n_trees=0 must be a whole number, at least 1"),
        ({"seed": -1}, r"seed=-1 must be a whole number, 0 or above"),
        ({"criterion": "variance"}, r"criterion='variance' must be one of 'entropy', 'gini'"),
        ({"max_depth": -1}, r"max_depth=-1 must be a whole number, at least 0"),
        ({"max_error": 2}, r"max_error=2 must be a share"),
    ],
)
def test_bad_keywords_are_named(keywords, message):
    for grow in (random_forest, lambda *a, **k: list(dt.steps(random_forest, *a, **k))):
        with pytest.raises(ValueError, match=message):
            grow(dt.datasets.tax_fraud(), **keywords)


def test_what_cannot_be_grown_on_is_refused(iris):
    with pytest.raises(TypeError, match=r"a tree is grown on a dt\.Table; got a list"):
        random_forest([1])
    with pytest.raises(TypeError, match="bootstrap='no' must be True or False"):
        random_forest(iris, bootstrap="no")


def test_a_row_without_a_value_rests_and_is_answered_there():
    """One tree, all rows: 1 and 2 are parted, and the three rows at the root have most "u"."""
    columns = {"a": [1.0, 1.0, 2.0, None, None], "y": list("uuvuv")}
    table = dt.Table.from_columns(columns, target="y", missing="keep")
    forest = random_forest(table, n_trees=1, bootstrap=False)
    assert [forest.predict({"a": a}) for a in (1, 2, None)] == ["u", "v", "u"]
    assert forest.votes(table).tolist() == [[1, 0], [1, 0], [0, 1], [1, 0], [1, 0]]
    assert forest.impurity_importance()["a"] == 1


def test_questions_that_make_no_sense_are_refused(iris):
    forest = random_forest(iris, n_trees=3)
    tax = dt.datasets.tax_fraud()
    with pytest.raises(TypeError, match="got a list"):
        forest.error([1])
    with pytest.raises(ValueError, match=r"the forest predicts 'y' .*the table is 'Cheat'"):
        forest.error(tax)
    with pytest.raises(IndexError, match="no tree 3: the forest has 3 trees"):
        forest.rows_drawn(3)
    with pytest.raises(ValueError, match=r"needs the 150 rows .* got 10 rows"):
        forest.proximities(iris.take(range(10)), oob=True)
    with pytest.raises(ValueError, match="got 150 rows with other labels"):
        forest.proximities(iris.take(list(range(149, -1, -1))), oob=True)
    numbers = dt.Table.from_columns({"x": [1.0, 2.0, 3.0], "y": [1.5, 2.5, 9.0]}, target="y")
    forest = random_forest(numbers, n_trees=3)
    for ask in (forest.votes, forest.shares, forest.margins):
        with pytest.raises(ValueError, match="'y' is continuous: its predictions are averaged"):
            ask(numbers)
    with pytest.raises(ValueError, match="averaged"):
        _ = forest.oob_votes


@pytest.mark.parametrize(
    ("n_attributes", "of_classes", "of_numbers"), [(1, 1, 1), (2, 1, 1), (7, 3, 2), (13, 4, 4)]
)
def test_without_m_it_is_the_usual_number(n_attributes, of_classes, of_numbers):
    """The square root, rounded to the nearest; a third, rounded down; never none."""
    columns = {f"x{i}": [1.0, 2.0, 3.0] for i in range(n_attributes)}
    classes = dt.Table.from_columns({**columns, "y": list("aab")}, target="y")
    numbers = dt.Table.from_columns({**columns, "y": [1.0, 2.0, 5.0]}, target="y")
    assert random_forest(classes, n_trees=1).plan.m == of_classes
    assert random_forest(numbers, n_trees=1).plan.m == of_numbers


def test_without_attributes_every_tree_is_a_leaf():
    table = dt.Table.from_columns({"y": ["a", "b", "b"]}, target="y")
    forest = random_forest(table, n_trees=5)
    assert forest.n_leaves == 1
    assert forest.votes(table).sum() == 15
