"""The bootstrap: the forest's own samples, and the share of rows that they leave out."""

from __future__ import annotations

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab.ensemble.bagging import bootstrap
from dtree_lab.ensemble.random_forest import random_forest


def numbered(n):
    return dt.Table.from_columns({"x": list(range(n)), "y": ["a", "b"] * (n // 2)}, target="y")


def test_it_is_the_sample_that_a_tree_of_the_forest_is_grown_on():
    table = numbered(20)
    forest = random_forest(table, n_trees=5, seed=7)
    for t in range(5):
        drawn = bootstrap(table, seed=7, tree=t)
        assert drawn.times.tolist() == forest.rows_drawn(t).tolist()
        assert dt.cart(drawn.sample) == forest.trees[t]  # of one attribute, it is always drawn


def test_a_sample_and_the_rest_are_the_table():
    table = numbered(30)
    drawn = bootstrap(table, seed=3)
    inside = [int(x) for x in drawn.sample.column("x")]
    outside = [int(x) for x in drawn.rest.column("x")]
    assert len(inside) == 30
    assert inside == drawn.rows.tolist()
    assert outside == drawn.out_of_bag.tolist()
    assert set(inside) | set(outside) == set(range(30))
    assert not set(inside) & set(outside)
    assert drawn.times.tolist() == [inside.count(i) for i in range(30)]
    assert drawn.distinct_share == len(set(inside)) / 30


@pytest.mark.parametrize("n", [2, 10, 200])
def test_the_share_of_distinct_rows_is_the_law(n):
    """Its mean over 500 samples is 1 - (1 - 1/n)^n within four standard errors.

    A row is left out with probability q1 = (1 - 1/n)^n and two rows with q2 = (1 - 2/n)^n, so the
    number left out has the variance n q1 + n (n - 1) q2 - (n q1)^2.
    """
    table = numbered(n)
    shares = [bootstrap(table, seed=s).distinct_share for s in range(500)]
    q1, q2 = (1 - 1 / n) ** n, (1 - 2 / n) ** n
    variance = (n * q1 + n * (n - 1) * q2 - (n * q1) ** 2) / n**2
    assert abs(np.mean(shares) - (1 - q1)) <= 4 * np.sqrt(variance / 500) + 1e-12


def test_bad_input_is_named():
    table = numbered(2)
    with pytest.raises(TypeError, match=r"dt\.Table; got a str"):
        bootstrap("table")
    with pytest.raises(ValueError, match="tree=-1 must be a whole number"):
        bootstrap(table, tree=-1)
    with pytest.raises(ValueError, match="seed='x' must be a whole number"):
        bootstrap(table, seed="x")
    whole = next(b for s in range(99) if not len((b := bootstrap(table, seed=s)).out_of_bag))
    with pytest.raises(ValueError, match="no rows to take"):
        _ = whole.rest
