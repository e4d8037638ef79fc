"""The dangers of forests: the evidence shows what the lecture says, beyond chance."""

from __future__ import annotations

import numpy as np
import pytest

import dtree_lab as dt
from dtree_lab.theory.dangers import coins, mean_and_error


def beyond_chance(repeats):
    """How many standard errors a mean lies above 0."""
    mean, error = mean_and_error(np.asarray(repeats))
    return mean / error


@pytest.fixture(scope="module")
def noisy():
    return dt.theory.noisy_labels([0.0, 0.3], n_trees=30, repeats=10)


@pytest.fixture(scope="module")
def levels():
    return dt.theory.many_levels([2, 8, 32], n_trees=30, repeats=12)


def test_full_forests_learn_noise_by_heart_and_small_trees_do_better(noisy):
    assert beyond_chance(noisy.overfitting[:, 1]) > 3
    assert beyond_chance(noisy.overfitting[:, 1] - noisy.overfitting[:, 0]) > 3
    # Nine in ten labels that were turned over are learned by heart.
    assert noisy.training[:, 1].mean() < 0.1 * noisy.noise[1]


def test_no_forest_beats_the_noise(noisy):
    """The noise is the Bayes error: a test error is below it by chance only, on 2,000 rows."""
    spread = np.sqrt(noisy.noise * (1 - noisy.noise) / 2000)
    for errors in (noisy.test, noisy.limited):
        assert (errors >= noisy.noise - 4 * spread).all()


def test_importance_by_impurity_grows_with_values_and_by_permutation_does_not(levels):
    for fewer, more in ((0, 1), (1, 2)):
        assert beyond_chance(levels.impurity[:, more] - levels.impurity[:, fewer]) > 3
    assert all(abs(beyond_chance(levels.permutation[:, i])) < 3 for i in range(3))


def test_shares_of_importance_add_up(levels):
    assert levels.impurity.sum(axis=1) == pytest.approx(np.ones(12), abs=1e-12)


def test_the_evidence_is_told_in_a_table(noisy, levels):
    head, *lines = str(noisy).splitlines()
    assert head.split() == ["noise", "training", "test", "small", "trees", "overfitting"]
    assert [float(line.split()[0]) for line in lines] == [0.0, 0.3]
    assert [int(line.split()[0]) for line in str(levels).splitlines()[1:]] == [2, 8, 32]


def test_coins_are_fair_and_independent():
    table = coins([2, 5], 20_000, seed=3)
    for sides, column in ((2, table.labels), (2, table.columns[0]), (5, table.columns[1])):
        counts = np.bincount(column, minlength=sides)
        spread = np.sqrt(20_000 * (1 / sides) * (1 - 1 / sides))
        assert (np.abs(counts - 20_000 / sides) < 4 * spread).all()
    assert abs(np.corrcoef(table.columns[1], table.labels)[0, 1]) < 4 / np.sqrt(20_000)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: dt.theory.noisy_labels([0.6]), r"noise=\[0.6\] must be some shares"),
        (lambda: dt.theory.noisy_labels([]), r"noise=\[\] must be some shares"),
        (lambda: dt.theory.noisy_labels(repeats=1), "repeats=1 must be a whole number"),
        (lambda: dt.theory.many_levels([1]), r"levels=\[1\] must be some whole numbers"),
        (lambda: dt.theory.many_levels(repeats=True), "repeats=True must be a whole number"),
    ],
)
def test_a_number_out_of_range_is_named(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_next_to_nothing_is_told_without_a_sign():
    even = np.zeros((2, 1))
    less = np.full((2, 1), 1e-5)
    told = dt.theory.NoisyLabels(np.array([0.0]), even, even, even, less)
    assert str(told).endswith("0.000 ± 0.000")
    assert "-0" not in str(told)
