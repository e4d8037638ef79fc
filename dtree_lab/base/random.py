"""Chance by place, not by order: the same draws in any engine, on any machine, in any order.

A draw is a hash of *where* it is made: of the seed, the tree, the branches that lead to a node, and
what is drawn there. Nothing is used up by drawing, so it does not matter who draws first.

The hash is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014, Fast splittable pseudorandom
number generators): numpy works it out for a whole level of nodes at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtree_lab.base.checks import is_whole

Keys = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def subkey(key: ArrayLike, place: ArrayLike) -> Keys:
    """The key of a place within the place of another key; both may be arrays that fit together."""
    z = np.atleast_1d(np.asarray(key, dtype=np.uint64))
    z = z + (np.atleast_1d(np.asarray(place)).astype(np.uint64) + np.uint64(1)) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))


def key_of(seed: int, *places: int) -> Keys:
    """The key, shape ``(1,)``, of a place: first the seed, then the way to it."""
    key = subkey(0, checked_seed(seed))
    for place in places:
        key = subkey(key, place)
    return key


def checked_seed(seed: Any) -> np.uint64:
    """A seed as it is hashed; raises a ValueError for what is none."""
    if not is_whole(seed) or not 0 <= int(seed) < 1 << 64:
        raise ValueError(f"seed={seed!r} must be a whole number, 0 or above")
    return np.uint64(int(seed))


def uniform(keys: Keys) -> NDArray[np.float64]:
    """Each key as a number in [0, 1), of 53 bits."""
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53


def bootstrap_rows(key: Keys, n_rows: int, n_places: int | None = None) -> NDArray[np.intp]:
    """`n_rows` rows drawn with replacement, in order, among as many or among `n_places`."""
    most = n_rows if n_places is None else n_places
    return np.sort((uniform(subkey(key, np.arange(n_rows))) * most).astype(np.intp))
