"""What a forest draws: the rows of each tree, and at each node the attributes to choose from.

Every draw is keyed by its place (:mod:`dtree_lab.base.random`): the rows by the seed and the tree,
the attributes by these and the branches that lead to the node. So the textbook's forest and the
fast one draw the same, whatever the order in which they get there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.random import Keys, bootstrap_rows, key_of, subkey, uniform
from dtree_lab.base.types import Ints

# Places beyond those of a sample's rows, and beyond those of a node's branches.
_ROOT, _ATTRIBUTE = 1 << 40, 1 << 32


def rows_of_tree(
    seed: int, tree: int, n_rows: int, draws: int, weights: Ints | Sequence[int] | None = None
) -> NDArray[np.intp]:
    """The rows of a tree's sample, in increasing order, as often as each was drawn.

    Rows with weights lie end to end, each as long as it weighs, and places are drawn on them:
    where weights are whole, the same places as on the rows repeated.
    """
    if weights is None:
        return bootstrap_rows(key_of(seed, tree), draws, n_rows)
    ends = np.cumsum(weights)
    places = bootstrap_rows(key_of(seed, tree), draws, int(ends[-1]))
    return np.searchsorted(ends, places, side="right")


def times_drawn(seed: int, trees: Sequence[int], n_rows: int, draws: int | None = None) -> Ints:
    """How often each row was drawn for each of some trees, shape ``(n_trees, n_rows)``."""
    keys = subkey(key_of(seed), np.asarray(trees))[:, None]
    rows = bootstrap_rows(keys, n_rows if draws is None else draws, n_rows)
    shape = len(trees), n_rows
    first = np.arange(len(trees))[:, None] * n_rows
    return np.bincount((rows + first).ravel(), minlength=len(trees) * n_rows).reshape(shape)


def root_key(seed: int, tree: int | Sequence[int]) -> Keys:
    """The key of each tree's root; that of a child is ``mix(key, branch)``."""
    return subkey(subkey(key_of(seed), np.asarray(tree)), _ROOT)


def attributes_drawn(key: Keys, n_attributes: int) -> Iterator[int]:
    """All attributes in the order in which the node of a key draws them, without replacement."""
    left = list(range(n_attributes))
    for drawn in range(n_attributes):
        i = drawn + int(uniform(subkey(key, _ATTRIBUTE + drawn))[0] * (n_attributes - drawn))
        left[drawn], left[i] = left[i], left[drawn]
        yield left[drawn]


def shuffled(n: int, *places: int) -> NDArray[np.intp]:
    """The numbers below `n` in the order that is drawn at a place: a seed, and the way from it."""
    return np.argsort(subkey(key_of(*places), np.arange(n)), kind="stable")


class Urns:
    """The attributes that many nodes have still to draw: :func:`attributes_drawn` for each."""

    def __init__(self, keys: Keys, n_attributes: int) -> None:
        self.n_attributes = n_attributes
        self.drawn = np.zeros(len(keys), dtype=np.intp)
        self._keys = keys
        small = np.uint16 if n_attributes <= 1 << 16 else np.int32
        self._left = np.tile(np.arange(n_attributes, dtype=small), len(keys))

    def draw(self, nodes: Ints) -> Ints:
        """The next attribute of each of some nodes, none of them named twice, none at its end."""
        drawn = self.drawn[nodes]
        chance = uniform(subkey(self._keys[nodes], _ATTRIBUTE + drawn))
        here = nodes * self.n_attributes + drawn
        there = here + (chance * (self.n_attributes - drawn)).astype(np.intp)
        found = self._left[there]
        self._left[there] = self._left[here]
        self._left[here] = found
        self.drawn[nodes] += 1
        return found.astype(np.intp)
