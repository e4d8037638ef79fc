"""What lesson 2 says that rests on chance."""

from __future__ import annotations

import numpy as np

import dtree_lab as dt
from claims.harness import claim

_DRAWS = 300


@claim(
    "entropy/coin",
    "So a small gain on few rows says very little, and entropy, which sees only shares, cannot"
    " warn you.",
    true=200,
)
def coin(seed: int) -> bool:
    """A coin thrown for each of the eight rows gains more on average than X2 does."""
    eight = dt.datasets.two_attributes()
    labels, gains = eight.column("Y"), []
    for throw in np.random.default_rng(seed).integers(0, 2, (_DRAWS, 8)):
        sides = ["heads" if side else "tails" for side in throw]
        thrown = dt.Table.from_columns({"coin": sides, "Y": labels}, target="Y")
        gains.append(dt.information_gain(thrown, "coin"))
    return bool(np.mean(gains) > dt.information_gain(eight, "X2"))


@claim(
    "entropy/gini-agrees",
    "The two curves are so alike that they mostly agree",
    true=200,
)
def gini_agrees(seed: int) -> bool:
    """Of tables by chance with four attributes, both name the same best one in four of five.

    A tie counts as agreement where they have one of the tied attributes in common.
    """
    rng, alike = np.random.default_rng(seed), 0
    for _ in range(_DRAWS):
        n, n_labels = rng.integers(10, 41), rng.integers(2, 4)
        labels = rng.integers(0, n_labels, n)
        columns = [rng.integers(0, values, n) for values in rng.integers(2, 5, 4)]
        alike += bool(_best(columns, labels, dt.entropy) & _best(columns, labels, dt.gini))
    return alike > 0.8 * _DRAWS


def _best(columns, labels, impurity) -> set[int]:
    """Which columns leave the least of an impurity."""
    left = []
    for column in columns:
        heaps = [np.bincount(labels[column == value]) for value in np.unique(column)]
        left.append(sum(heap.sum() * impurity(heap) for heap in heaps) / len(labels))
    return {i for i, one in enumerate(left) if one <= min(left) + 1e-9}
