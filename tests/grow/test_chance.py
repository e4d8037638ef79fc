"""Keyed chance: the same wherever it is drawn, and fair."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.base.random import bootstrap_rows, key_of, subkey, uniform

MASK = (1 << 64) - 1


def slow_mix(key, place):
    """SplitMix64's step in Python's whole numbers."""
    z = (key + (place + 1) * 0x9E3779B97F4A7C15) & MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


@given(st.integers(0, MASK), st.lists(st.integers(0, 1 << 40), min_size=1, max_size=5))
def test_the_hash_is_splitmix(key, places):
    keys = subkey(np.array([key], dtype=np.uint64), np.array(places))
    assert keys.tolist() == [slow_mix(key, place) for place in places]


def test_the_first_number_of_splitmix_is_the_published_one():
    """SplitMix64 seeded with 0 begins with this number (Vigna's reference implementation)."""
    assert subkey(0, 0).tolist() == [0xE220A8397B1DCDAF]


@given(st.integers(0, MASK), st.lists(st.integers(0, 99), max_size=4))
def test_a_key_is_the_way_to_it(seed, places):
    key = slow_mix(0, seed)
    for place in places:
        key = slow_mix(key, place)
    assert key_of(seed, *places).tolist() == [key]


@pytest.mark.parametrize("seed", [-1, 1.5, True, "a", 1 << 64, None])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(ValueError, match=r"seed=.* must be a whole number, 0 or above"):
        key_of(seed)


def test_numbers_are_uniform():
    """Each of 64 equal intervals gets its share of a million: chi-square within five sigmas."""
    n, bins = 1_000_000, 64
    drawn = uniform(subkey(key_of(0), np.arange(n)))
    assert drawn.min() >= 0
    assert drawn.max() < 1
    counts = np.bincount((drawn * bins).astype(int), minlength=bins)
    chi_square = ((counts - n / bins) ** 2 / (n / bins)).sum()
    assert abs(chi_square - (bins - 1)) < 5 * np.sqrt(2 * (bins - 1))


def test_neighbouring_keys_have_nothing_to_do_with_each_other():
    """The correlation of draws under neighbouring seeds and places is that of chance."""
    n = 100_000
    for one, other in [((0, 0), (0, 1)), ((0, 0), (1, 0)), ((5, 3), (3, 5))]:
        a, b = (uniform(subkey(key_of(*key), np.arange(n))) for key in (one, other))
        assert abs(np.corrcoef(a, b)[0, 1]) < 5 / np.sqrt(n)


def test_a_sample_draws_each_row_as_often_as_chance_has_it():
    n, trees = 50, 2000
    times = np.zeros(n)
    for tree in range(trees):
        rows = bootstrap_rows(key_of(1, tree), n)
        assert len(rows) == n
        assert (np.diff(rows) >= 0).all()
        times += np.bincount(rows, minlength=n)
    spread = np.sqrt(trees * n * (1 / n) * (1 - 1 / n))
    assert np.abs(times - trees).max() < 5 * spread
