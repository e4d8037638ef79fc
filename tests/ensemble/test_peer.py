"""The out-of-bag error, beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import dtree_lab as dt
from dtree_lab.ensemble.random_forest import random_forest

SEEDS, TREES = range(20), 30
MOST = 300  # of ten classes; more rows would take long


def table_of(data, kinds=None):
    columns = {f"x{i}": data.data[:MOST, i] for i in range(data.data.shape[1])}
    return dt.Table.from_columns({**columns, "y": data.target[:MOST]}, target="y", kinds=kinds)


def assert_alike(ours, peers):
    """The means differ by at most two standard errors of their difference."""
    spread = np.sqrt((np.var(ours, ddof=1) + np.var(peers, ddof=1)) / len(ours))
    assert abs(np.mean(ours) - np.mean(peers)) <= 2 * spread


LONG = pytest.mark.thorough


@pytest.mark.parametrize(
    "load",
    [
        load_iris,
        pytest.param(load_wine, marks=LONG),
        pytest.param(load_breast_cancer, marks=LONG),
        pytest.param(load_digits, marks=LONG),
    ],
)
def test_the_out_of_bag_error_is_that_of_the_peer(load):
    data = load()
    m = int(np.sqrt(data.data.shape[1]))  # the peer rounds down
    table = table_of(data, {"y": "discrete"})
    ours = [random_forest(table, n_trees=TREES, m=m, seed=seed).oob_error for seed in SEEDS]
    peers = []
    for seed in SEEDS:
        peer = RandomForestClassifier(TREES, oob_score=True, random_state=seed)
        peers.append(1 - peer.fit(data.data[:MOST], data.target[:MOST]).oob_score_)
    assert_alike(ours, peers)


@pytest.mark.thorough
def test_the_out_of_bag_error_of_numbers_is_that_of_the_peer():
    data = load_diabetes()
    table = table_of(data)
    ours = [random_forest(table, n_trees=TREES, seed=seed).oob_error for seed in SEEDS]
    peers = []
    for seed in SEEDS:
        peer = RandomForestRegressor(TREES, max_features=3, oob_score=True, random_state=seed)
        said = peer.fit(data.data, data.target).oob_prediction_
        peers.append(np.square(said - data.target).mean())
    assert_alike(ours, peers)
