"""The costs of a tree's nodes as they stand while cuts are made, and the making of the cuts.

A method is an order of cuts. It looks at a :class:`Standing`, names a node, and goes on once the
node has been made a leaf. Around any such order :func:`narrate` tells what happens as a generator
of events, and :func:`run` only gives the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.pruning.arrays import children_from, stretches_below, summed_up
from dtree_lab.learn.pruning.cut import Cut, Finished, Measured, Pruned, PrunedTree, pruned

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from dtree_lab.flat import Flat
    from dtree_lab.learn.pruning.cut import Event
    from dtree_lab.tree import Path, Tree


class Standing:
    """The costs of a tree's nodes while cuts are made. It changes: one for each run.

    Parameters
    ----------
    flat
        The tree before any cut.
    as_leaf
        Each node's cost as a leaf, shape ``(n_nodes,)``; whole numbers stay exact.
    own
        What an internal node costs by itself, above what its children cost; 0 if not given.
    per
        What costs are divided by where they are told.

    Attributes
    ----------
    asks
        Which nodes still stand and ask; a node that was cut, or is below a cut, does not.
    below
        The cost of what stands at and below each node that asks.
    leaves
        How many leaves stand there.
    """

    def __init__(
        self, flat: Flat, as_leaf: NDArray[Any], own: NDArray[Any] | None = None, per: float = 1
    ) -> None:
        self.flat, self.as_leaf, self.per = flat, as_leaf, per
        self.asks = flat.attr >= 0
        here = np.zeros_like(as_leaf) if own is None else own
        self.below = summed_up(flat, np.where(self.asks, here, as_leaf))
        self.leaves = summed_up(flat, (~self.asks).astype(np.int64))
        self._children = children_from(flat)
        # Lists, because one number at a time is read from them, which is slow in an array.
        self._parent = flat.parent.tolist()
        self._branch = (np.arange(flat.n_nodes) - flat.first[flat.parent]).tolist()

    @property
    def cost(self) -> float:
        """That of the whole tree."""
        whole: float = self.told(self.below[0]).item()
        return whole

    def cost_after(self, node: int) -> float:
        """That of the whole tree, were a node cut."""
        whole: float = self.told(self.below[0] - self.below[node] + self.as_leaf[node]).item()
        return whole

    def told(self, cost: Any) -> Any:
        """Costs in the unit in which they are told; whole numbers stay whole if that is 1."""
        return cost if self.per == 1 else cost / self.per

    def path(self, node: int) -> Path:
        """The branches from the root to a node."""
        path = []
        while node:
            path.append(self._branch[node])
            node = self._parent[node]
        return tuple(reversed(path))

    def cut(self, node: int) -> tuple[list[int], list[slice]]:
        """Make a node a leaf; gives the nodes above it, and the stretches of those below."""
        gone = stretches_below(node, self._children)
        for stretch in gone:
            self.asks[stretch] = False
        more, fewer = self.as_leaf[node] - self.below[node], self.leaves[node] - 1
        above, up = [], self._parent[node]
        while up >= 0:
            above.append(up)
            up = self._parent[up]
        here = [node, *above]
        self.asks[node] = False
        self.below[here] += more
        self.leaves[here] -= fewer
        return above, gone

    def candidate(self, node: int) -> Cut:
        """The cut that could be made at a node."""
        subtree, leaf = self.told(self.below[node]).item(), self.told(self.as_leaf[node]).item()
        return Cut(self.path(node), subtree, leaf, int(self.leaves[node]))

    def measured(self, turn: int) -> Measured:
        """All cuts that could be made in a round."""
        at = np.flatnonzero(self.asks)
        subtree, leaf = self.told(self.below[at]), self.told(self.as_leaf[at])
        return Measured(turn, self.cost, self.flat, at, subtree, leaf, self.leaves[at])


def run(tree: Tree, standing: Standing, order: Iterator[int]) -> PrunedTree:
    """Make the cuts of an order."""
    return pruned(tree, tuple(standing.candidate(node) for node in order))


def narrate(
    tree: Tree, standing: Standing, order: Iterator[int]
) -> Generator[Event, None, PrunedTree]:
    """Make the cuts of an order, telling each round."""
    cuts: list[Cut] = []
    for node in order:  # the order waits here, with the cut not yet made
        cut = standing.candidate(node)
        yield standing.measured(len(cuts) + 1)
        cuts.append(cut)
        yield Pruned(len(cuts), cut, standing.cost, standing.cost_after(node))
    yield standing.measured(len(cuts) + 1)
    yield Finished(len(cuts), standing.cost)
    return pruned(tree, tuple(cuts))
