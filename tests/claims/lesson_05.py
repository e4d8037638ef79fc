"""Lesson 5: what is said of drawn points. (Penguins, incomes and counts are fixed tables.)"""

from __future__ import annotations

from itertools import pairwise

import dtree_lab as dt
from claims.harness import claim

SQUARE = dt.populations.diagonal(noise=0)


@claim(
    "thresholds/staircase",
    "The more the tree sees, the finer its **staircase**, as a rule",
    true=200,
)
def finer_staircase(seed: int) -> bool:
    """Leaves of ID3 on points beside a slanting line, with four times as many rows at each step."""
    leaves = [dt.id3(SQUARE.sample(m, seed=seed)).n_leaves for m in (25, 100, 400, 1600)]
    return all(few < many for few, many in pairwise(leaves))


@claim(
    "thresholds/same-cut",
    "costs $O(dm \\log m)$ and finds the same",
    true=200,
)
def sorted_finds_the_same(seed: int) -> bool:
    """The cut of the search that counts afresh, and of the one that sorts once."""
    rows = SQUARE.sample(100, seed=seed)
    return bool(dt.naive_search(rows) == dt.sorted_search(rows))


@claim(
    "thresholds/hundred-times",
    "Ten times as many rows again, 1,000 instead of 100.",
    true=200,
)
def a_hundred_times(seed: int) -> bool:
    """The guess that follows: some hundred times as many operations naively, within 5."""
    few, many = (dt.naive_search(SQUARE.sample(m, seed=seed)).operations for m in (100, 1000))
    return abs(many / few - 100.9) <= 5
