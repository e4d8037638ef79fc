"""What a forest draws is fair, and the same for one node as for many."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.base.random import key_of, subkey
from dtree_lab.grow.engine.sampling import Urns, attributes_drawn, root_key, rows_of_tree, shuffled


@given(st.integers(0, 99), st.integers(1, 9), st.integers(1, 5))
def test_many_nodes_draw_as_one_does(seed, n_attributes, n_nodes):
    keys = subkey(key_of(seed), np.arange(n_nodes))
    urns = Urns(keys, n_attributes)
    drawn = np.stack([urns.draw(np.arange(n_nodes)) for _ in range(n_attributes)], axis=1)
    for key, mine in zip(keys, drawn.tolist(), strict=True):
        assert list(attributes_drawn(key[None], n_attributes)) == mine
        assert sorted(mine) == list(range(n_attributes))


def test_some_nodes_can_draw_while_others_wait():
    keys = subkey(key_of(1), np.arange(3))
    urns = Urns(keys, 4)
    one = urns.draw(np.array([0, 2])).tolist()
    two = urns.draw(np.array([2])).tolist()
    three = urns.draw(np.array([0, 1])).tolist()
    orders = [list(attributes_drawn(key[None], 4)) for key in keys]
    assert one == [orders[0][0], orders[2][0]]
    assert two == [orders[2][1]]
    assert three == [orders[0][1], orders[1][0]]


def test_every_order_is_drawn_equally_often():
    """All 24 orders of four attributes, each within five standard deviations of its share."""
    n = 24_000
    urns = Urns(subkey(key_of(0), np.arange(n)), 4)
    drawn = np.stack([urns.draw(np.arange(n)) for _ in range(4)], axis=1)
    _, times = np.unique(drawn, axis=0, return_counts=True)
    assert len(times) == 24
    spread = np.sqrt(n * (1 / 24) * (23 / 24))
    assert np.abs(times - n / 24).max() < 5 * spread


def test_trees_and_seeds_have_keys_of_their_own():
    keys = {int(root_key(seed, tree)[0]) for seed in range(20) for tree in range(20)}
    rows = {
        tuple(rows_of_tree(seed, tree, 30, 30).tolist()) for seed in range(20) for tree in range(20)
    }
    assert len(keys) == len(rows) == 400


def test_without_bootstrap_all_rows_are_taken_once():
    forest = dt.random_forest(dt.datasets.tax_fraud(), n_trees=1, bootstrap=False)
    assert forest.rows_drawn(0).tolist() == [1] * 10
    assert forest.plan.rows(0, 10).tolist() == list(range(10))


@given(st.integers(1, 30), st.integers(0, 99))
def test_what_is_shuffled_is_kept(n, seed):
    assert sorted(shuffled(n, seed, 1, 2).tolist()) == list(range(n))
