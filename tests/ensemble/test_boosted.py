"""What boosting makes: its votes, counted one by one."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.ensemble.adaboost import adaboost


def votes_one_by_one(boosted, row):
    """For each class the weights of the stumps that say it."""
    weights = defaultdict(float)
    for tree, weight in zip(boosted.stumps, boosted.weights, strict=True):
        weights[tree.predict(row)] += weight
    return weights


@settings(max_examples=40, deadline=None)
@given(tables(max_rows=15), st.integers(1, 2))
def test_votes_scores_margins_and_errors(table, depth):
    boosted = adaboost(table, n_stumps=7, max_depth=depth)
    whole = sum(boosted.weights)
    scores, margins = boosted.scores(table), boosted.margins(table)
    wrong = 0
    for i, row in enumerate(table.rows()):
        label = row.pop("y")
        votes = votes_one_by_one(boosted, row)
        assert scores[i].tolist() == pytest.approx([votes[c] for c in table.classes])
        assert sum(votes.values()) == pytest.approx(whole)
        others = [votes[c] for c in table.classes if c != label]
        assert margins[i] == pytest.approx((votes[label] - max(others, default=0)) / whole)
        said = boosted.predict(row)
        assert votes[said] == pytest.approx(max(votes.values()))
        assert said == boosted.predict(table)[i]
        wrong += said != label
    assert boosted.error(table) == pytest.approx(wrong / len(table))
    assert (np.abs(margins) <= 1 + 1e-12).all()


@settings(max_examples=25, deadline=None)
@given(tables())
def test_staged_errors_are_those_of_fewer_rounds(table):
    boosted = adaboost(table, n_stumps=6)
    staged = boosted.staged_error(table)
    for n in range(1, boosted.n_stumps + 1):
        first = boosted.after(n)
        assert staged[n - 1] == first.error(table)
        if boosted.errors[-1] > 0:
            assert first == adaboost(table, n_stumps=n)


def test_the_first_class_wins_a_tie():
    """Two trees of equal weight that disagree."""
    table = dt.Table.from_columns({"x": [0, 1], "y": ["a", "b"]}, target="y")
    a, b = (dt.Tree.of(table, dt.Leaf(counts)) for counts in ((1, 0), (0, 1)))
    boosted = adaboost(table)
    for stumps in ((a, b), (b, a)):
        # What is equal on paper need not be in floats.
        tied = type(boosted)(
            table.attributes, table.target, 2, stumps, (0.1 + 0.2, 0.3), (0.4, 0.4)
        )
        assert tied.predict({"x": 0}) == "a"


def test_any_data_that_a_tree_takes():
    table = dt.datasets.tax_fraud()
    boosted = adaboost(table, n_stumps=5)
    said = boosted.predict(table).tolist()
    rows = [{k: v for k, v in row.items() if k != "Cheat"} for row in table.rows()]
    assert boosted.predict(rows).tolist() == said
    assert boosted.predict(pd.DataFrame(rows)).tolist() == said
    assert [boosted.predict(row) for row in rows] == said
    assert isinstance(boosted.predict(rows[0]), str)
    with pytest.raises(ValueError, match="has no 'Taxable Income'"):
        boosted.predict({"Refund": "No", "Marital Status": "Single"})
    with pytest.raises(TypeError, match="takes a number"):
        boosted.predict({**rows[0], "Taxable Income": "much"})


@pytest.mark.parametrize("depth", [1, 2])
def test_a_row_without_a_value_is_answered_by_all_the_weight(depth):
    table = dt.Table.from_columns({"x": range(6), "y": list("aabbaa")}, target="y")
    boosted = adaboost(table, n_stumps=3, max_depth=depth)
    for tree in boosted.stumps:
        assert (
            tree.predict({"x": None}) == tree.classes[tree.root.counts.index(max(tree.root.counts))]
        )
    votes = votes_one_by_one(boosted, {"x": None})
    assert boosted.scores({"x": None})[0].tolist() == pytest.approx([votes["a"], votes["b"]])


def test_stumps_can_be_drawn_asked_and_kept():
    boosted = adaboost(dt.datasets.tax_fraud(), n_stumps=4)
    for tree in boosted.stumps:
        assert tree.n_nodes == 3
        assert "1,000,000 rows" in dt.draw.text(tree)
        assert dt.draw.svg(tree).startswith("<svg")
        assert dt.Tree.from_json(tree.to_json()) == tree


def test_shown_as_a_list_of_questions():
    boosted = adaboost(dt.datasets.tax_fraud(), n_stumps=12)
    head, *lines = repr(boosted).splitlines()
    assert head == "12 stumps for Cheat, by weight of the vote:"
    assert [float(line.split()[0]) for line in lines[:10]] == pytest.approx(
        boosted.weights[:10], abs=5e-4
    )
    assert lines[10].split() == ["…", "2", "more"]
    assert "no question" in repr(adaboost(dt.Table.from_columns({"y": ["a", "b"]}, target="y")))


def test_tables_that_it_cannot_be_measured_on():
    table = dt.datasets.tax_fraud()
    boosted = adaboost(table, n_stumps=2)
    for method in (boosted.error, boosted.staged_error, boosted.margins):
        with pytest.raises(TypeError, match="got a list"):
            method([])
        with pytest.raises(ValueError, match=r"predicts 'Cheat' .*the table is 'sense'"):
            method(dt.datasets.word_sense())
    for n in (0, 3, 1.0, True):
        with pytest.raises(ValueError, match="must be a whole number from 1 to 2"):
            boosted.after(n)


def test_a_class_that_training_did_not_know_is_always_wrong():
    table = dt.Table.from_columns({"x": [0, 1], "y": ["a", "b"]}, target="y")
    new = dt.Table.from_columns({"x": [0, 1], "y": ["c", "b"]}, target="y")
    boosted = adaboost(table)
    assert boosted.error(new) == 0.5
    assert boosted.margins(new).tolist() == [-1, 1]


def test_it_can_be_cross_validated():
    found = dt.evaluate.cross_validate(adaboost, dt.datasets.tax_fraud(), folds=5, n_stumps=5)
    assert len(found.errors) == 5
