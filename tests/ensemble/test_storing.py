"""Forests and boosted trees as JSON: what is read back answers all that was answered before."""

from __future__ import annotations

import json

import numpy as np
import pytest
from cases import each

import dtree_lab as dt
from dtree_lab.ensemble.boosted import Boosted
from dtree_lab.ensemble.forest import Forest

PENGUINS = dt.datasets.penguins()
COLUMNS = {name: PENGUINS.column(name) for name in PENGUINS.names}
SPECIES = PENGUINS.column("species")
MASS = [i for i, mass in enumerate(COLUMNS["body_mass_g"]) if mass is not None]
WEIGHTS = [1 + i % 4 / 4 for i in range(PENGUINS.n_rows)]
HEAVY = dt.Table.from_columns(
    {name: [v[i] for i in MASS] for name, v in {**COLUMNS, "species": SPECIES}.items()},
    target="body_mass_g",
    missing="keep",
)
WEIGHED = dt.Table.from_columns(
    {**COLUMNS, "species": SPECIES, "w": WEIGHTS}, target="species", weights="w", missing="keep"
)
TAX = dt.datasets.tax_fraud()
FORESTS = {
    "classes": (PENGUINS, {}),
    "numbers": (HEAVY, {"min_leaf": 3, "max_depth": 6}),
    "weights": (WEIGHED, {"criterion": "entropy", "max_samples": 0.5}),
    "weights, no samples": (WEIGHED, {"bootstrap": False, "min_gain": 0.01}),
    "words alone": (dt.datasets.word_sense(), {"m": 2, "seed": 2**63}),
    "few": (TAX, {}),
}


@each("name", FORESTS)
def test_a_forest_comes_back_whole(name):
    table, keywords = FORESTS[name]
    forest = dt.random_forest(table, n_trees=7, **keywords)
    text = forest.to_json()
    again = Forest.from_json(text)
    assert again.trees == forest.trees
    assert again.plan == forest.plan
    assert again.to_json() == text
    assert again.predict(table).tolist() == forest.predict(table).tolist()
    assert np.array_equal(again.oob_errors, forest.oob_errors, equal_nan=True)
    assert np.array_equal(again.oob_predictions, forest.oob_predictions, equal_nan=True)
    assert again.impurity_importance().ranked() == forest.impurity_importance().ranked()
    assert np.array_equal(again.rows_drawn(3), forest.rows_drawn(3))
    if forest.plan.bootstrap:
        mine, other = (one.permutation_importance(table) for one in (forest, again))
        assert mine.ranked() == other.ranked()
        near = (one.proximities(table, oob=True) for one in (forest, again))
        assert np.array_equal(*near, equal_nan=True)


def test_boosted_trees_come_back_whole():
    for table in (PENGUINS, TAX, dt.datasets.two_attributes()):
        boosted = dt.adaboost(table, n_stumps=5)
        again = Boosted.from_json(boosted.to_json())
        assert again == boosted
        assert np.array_equal(again.scores(table), boosted.scores(table))
        assert again.after(2).error(table) == boosted.after(2).error(table)


def edited(text, path, value):
    """A text with something else at one place."""
    data = json.loads(text)
    within = data
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = value
    return json.dumps(data)


def test_what_a_forest_cannot_be_is_told():
    text = dt.random_forest(TAX, n_trees=2).to_json()
    numbers = dt.random_forest(HEAVY, n_trees=2, max_depth=1).to_json()
    for damaged, words in (
        ("{", "not a forest: not JSON"),
        (dt.id3(TAX).to_json(), "must hold 'format': 'dtree_lab.ensemble.forest/1'"),
        (edited(text, ["trees"], []), "trees must be a list with at least one tree"),
        (edited(text, ["trees", 1, "nodes", 0, "ask"], "Rebate"), "tree 1 is not a tree: node 0"),
        (edited(text, ["plan", "m"], 4), "m must be a whole number from 1 to 3"),
        (edited(text, ["plan", "criterion"], "luck"), "not a forest: criterion='luck' must be"),
        (edited(text, ["plan", "stop", "min_rows"], 0), "not a forest: min_rows=0"),
        (edited(text, ["plan", "stop", "min_leaf"], [1, 0]), "not a forest: "),
        (edited(text, ["plan", "weights"], [1]), "weights must be a number of ticks for each"),
        (edited(text, ["plan", "bootstrap"], 1), "bootstrap must be true or false"),
        (edited(text, ["out_of_bag", "labels", 0], 2), "labels must be codes of classes, from 0"),
        (edited(text, ["out_of_bag", "votes", 0], [1]), "votes must be 2 numbers of trees"),
        (edited(text, ["out_of_bag", "errors"], []), "errors must be a number or null"),
        (edited(numbers, ["out_of_bag", "total"], []), "total must be a number for each row"),
        (edited(numbers, ["out_of_bag", "labels", 0], 1e200), "labels must be numbers"),
        (edited(numbers, ["plan", "criterion"], "gini"), "criterion must be 'variance'"),
        (edited(text, ["out_of_bag"], None), "a part is missing or of the wrong sort"),
    ):
        with pytest.raises(ValueError, match=words):
            Forest.from_json(damaged)
    text = dt.adaboost(TAX, n_stumps=2).to_json()
    for path, value, words in (
        (["weights"], [1.0], "weights must be 2 numbers, one for each tree"),
        (["errors", 0], -1, "errors must be 2 numbers"),
        (["n_classes"], 3, "n_classes must be a whole number from 1 to 2"),
        (["target", "values"], None, "not a vote of boosted trees: "),
    ):
        with pytest.raises(ValueError, match=words):
            Boosted.from_json(edited(text, path, value))
