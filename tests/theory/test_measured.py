"""Measured depths against rows sent through the tree, and against what no tree can undercut."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab import theory


@pytest.mark.parametrize(
    "make", [theory.noisy_diagonal, lambda n: theory.noisy_diagonal(n, noise=0.5)]
)
def test_depths_are_those_of_the_rows(make):
    for found in theory.measured_depth([10, 30, 100], make):
        table = make(found.rows)
        tree = dt.id3(table)
        asked = [len(tree.explain(row).steps) for row in table.rows()]
        assert found.mean_tests == pytest.approx(np.mean(asked))
        assert (found.depth, found.leaves) == (max(asked), tree.n_leaves)
        assert found.log2_rows == log2(found.rows)


def test_no_tree_asks_less_than_the_entropy_of_its_leaves():
    """Two branches at a node: the mean number of questions is a code's mean length (Shannon)."""
    for n in (20, 200, 1_000):
        table = theory.noisy_diagonal(n, noise=0.5)
        (found,) = theory.measured_depth([n], lambda n: theory.noisy_diagonal(n, noise=0.5))
        _, rows_of_leaf = np.unique(dt.id3(table).apply(table), return_counts=True)
        assert found.mean_tests >= dt.entropy(rows_of_leaf.tolist())


def test_all_rows_in_leaves_of_their_own_cannot_beat_log_n():
    """Labels that alternate along a line: N leaves, so at least log2 N questions on average."""

    def alternating(n):
        return dt.Table.from_columns({"x": range(n), "y": [*"ab"] * (n // 2)}, target="y")

    for found in theory.measured_depth([8, 64, 256], alternating):
        assert found.leaves == found.rows
        assert found.mean_tests >= found.log2_rows


def test_the_diagonal_is_as_it_says():
    table = theory.noisy_diagonal(500, noise=0, seed=2)
    x1, x2 = table.column("x1"), table.column("x2")
    sides = ["above" if a + b > 1 else "below" for a, b in zip(x1, x2, strict=True)]
    assert table.column("side") == sides
    turned = theory.noisy_diagonal(500, noise=1, seed=2)
    assert all(a != b for a, b in zip(turned.column("side"), sides, strict=True))


def test_efforts_count_what_the_searches_count():
    from dtree_lab.continuous.thresholds import naive_search, sorted_search

    table = theory.noisy_diagonal(200)
    small, large = theory.search_effort(table, [50, 200])
    assert (small.rows, large.rows) == (50, 200)
    assert large.naive_operations == naive_search(table).operations == 2 * 199 * 200
    assert large.sorted_operations == sorted_search(table).operations == 2 * (200 * 8 + 200)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: theory.measured_depth([0]), "each of sizes=0"),
        (lambda: theory.measured_depth([2.5]), "each of sizes=2.5"),
        (lambda: theory.noisy_diagonal(10, noise=2), "noise=2"),
        (lambda: theory.noisy_diagonal(0), "rows=0"),
        (lambda: theory.search_effort(dt.datasets.tax_fraud(), [11]), "from 2 to 10"),
    ],
)
def test_numbers_out_of_range(call, said):
    with pytest.raises(ValueError, match=said):
        call()
