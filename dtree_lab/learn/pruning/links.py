"""The links of a tree in the order in which they give, found a level at a time.

At what price a node's link gives depends only on what is below it, and on when each of that gives.
So prices are found from the deepest level up, for all nodes of a level at once: a node goes along
with the cuts below it, the cheapest first, until its own link is no stronger than the next. Then it
is cut itself, and what is left below it never gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.pruning.cut import Cut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from dtree_lab.learn.pruning.standing import Standing

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Links:
    """The cuts from a tree down to its root, the weakest link first.

    Attributes
    ----------
    standing
        The tree before any cut. It is only looked at.
    node
        What is cut; shape ``(n_cuts,)``, as the others.
    price
        What a leaf costs when it gives. It never falls, and equally weak links have one price.
    rise
        What the cut adds to the cost of the whole tree; not yet told, as all in a `standing`.
    fewer
        How many leaves it removes.
    """

    standing: Standing
    node: NDArray[np.intp]
    price: Floats
    rise: NDArray[Any]
    fewer: Ints

    @classmethod
    def of(cls, standing: Standing, same: float) -> Links:
        """The links of a tree; prices that are no further apart than `same` are one."""
        found = _Found(standing)
        node = np.sort(found.from_below())
        node = node[np.argsort(found.price[node], kind="stable")]
        prices = np.array(list(_joined(found.price[node].tolist(), same)))
        return cls(standing, node, standing.told(prices), found.rise[node], found.fewer[node])

    def first(self, n: int) -> Links:
        """The first few."""
        node, price = self.node[:n], self.price[:n]
        return Links(self.standing, node, price, self.rise[:n], self.fewer[:n])

    def changes(self, costs: Standing) -> NDArray[Any]:
        """What each cut adds to other costs of the same tree, such as its errors on other rows."""
        parent = self.standing.flat.parent
        number = np.full(len(parent) + 1, -1)  # the root's parent, -1, finds the last entry
        number[self.node] = np.arange(len(self.node))
        above = parent[self.node]
        while (further := (above >= 0) & (number[above] < 0)).any():
            above = np.where(further, parent[above], above)
        # A cut and those below it bring a node to its cost as a leaf; theirs were made before.
        together: NDArray[Any] = (costs.as_leaf - costs.below)[self.node]
        changes = together.copy()
        inside = above >= 0
        np.subtract.at(changes, number[above[inside]], together[inside])
        return changes

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts one by one."""
        leaf = self.standing.as_leaf[self.node]
        told = (self.standing.told(cost).tolist() for cost in (leaf - self.rise, leaf))
        each = zip(self.node.tolist(), *told, (self.fewer + 1).tolist(), strict=True)
        return tuple(Cut(self.standing.path(node), *costs) for node, *costs in each)


def _joined(prices: list[float], same: float) -> Iterator[float]:
    price = 0.0
    for p in prices:
        if p > price + same:
            price = p
        yield price


class _Found:
    """What is found about each node while the levels are gone through; arrays as in `Links`."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.price = np.full(len(standing.as_leaf), np.inf)
        self.rise = np.zeros_like(standing.as_leaf)
        self.fewer = np.zeros_like(standing.leaves)

    def from_below(self) -> NDArray[np.intp]:
        """Find all; gives the nodes that are cut."""
        flat = self.standing.flat
        cut, above = np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.int32)
        for depth in reversed(range(int(flat.depth.max()))):
            here = np.flatnonzero((flat.depth == depth) & self.standing.asks)
            order = np.lexsort((self.price[cut], above))
            cut, place = cut[order], np.searchsorted(here, above[order])
            kept = self._give(here, cut, place)
            cut, place = cut[kept], place[kept]
            above = flat.parent[np.concatenate((here[place], here))]
            cut = np.concatenate((cut, here))
        return cut

    def _give(
        self, here: NDArray[np.intp], cut: NDArray[np.intp], place: NDArray[np.intp]
    ) -> NDArray[np.bool_]:
        """Find the nodes of a level, and which cuts are made below them before they give.

        Parameters
        ----------
        here
            The nodes.
        cut
            The cuts below them, for each node the cheapest first.
        place
            For each cut the node, by its place in `here`.
        """
        standing = self.standing
        # For each node a row of states: nothing cut yet, then after each cut.
        size = np.bincount(place, minlength=len(here)) + 1
        start = np.cumsum(size) - size
        state = np.arange(len(cut)) + place + 1
        cost = _running(standing.below[here], self.rise[cut], state, size)
        leaves = _running(standing.leaves[here], -self.fewer[cut], state, size)
        rise = np.repeat(standing.as_leaf[here], size) - cost
        link = rise / (leaves - 1)
        following = np.full(len(link), np.inf)
        following[state - 1] = self.price[cut]
        weaker = np.flatnonzero(link <= following)
        at = weaker[np.searchsorted(weaker, start)]
        # Rounding must not bring a cut before those below it.
        least = np.where(at > start, np.nextafter(following[at - 1], np.inf), 0)
        self.price[here] = np.maximum(link[at], least)
        self.rise[here] = rise[at]
        self.fewer[here] = leaves[at] - 1
        return state <= at[place]


def _running(
    first: NDArray[Any], change: NDArray[Any], state: NDArray[Any], size: NDArray[Any]
) -> NDArray[Any]:
    """Each node's first state and, change by change, those after it; `size` states each."""
    start = np.cumsum(size) - size
    steps = np.zeros(len(first) + len(change), dtype=first.dtype)
    steps[start], steps[state] = first, change
    running = np.cumsum(steps)
    running -= np.repeat(running[start] - first, size)
    return running
