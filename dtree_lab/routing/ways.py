"""Two ways to take a step: a short one where there are only thresholds, and one for all trees.

A node's next node is looked up for all rows at once. The shorter the formula, the faster; nearly
all of the time goes into looking up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.routing.nodes import Asked, Floats, Ints, Nodes
    from dtree_lab.routing.rows import Cells

# So many nodes, four levels, are asked of all rows at once. Their children's numbers fit in a byte.
_TOP = 15


@dataclass(frozen=True)
class Halves:
    """Steps where every question has one cut and every number is there.

    Looking up is what takes the time, so what a node says stands in few words: its first child and
    its column share one.

    Attributes
    ----------
    word
        The first child of each node, a leaf having itself, times ``2**bits``; and where its
        column begins among the values.
    cut
        The cut of each node; NaN at a leaf, which no number reaches.
    bits
        How many bits the column has of a word.
    """

    word: Ints
    cut: Floats
    bits: int

    @classmethod
    def of(cls, nodes: Nodes, place: Ints) -> Halves:
        """Of a tree, or of several; `place` is where the column of each node begins."""
        asks = nodes.attr >= 0
        first = np.where(asks, nodes.first, np.arange(len(asks))).astype(np.intp)
        cut = np.where(asks, nodes.cuts[nodes.start], np.nan)
        bits = int(place.max()).bit_length()
        return cls((first << bits) | place, cut, bits)

    def top(self, numbers: Floats, root: int, size: int) -> NDArray[np.uint8]:
        """Where rows are once they have passed the first nodes, which most rows meet.

        To compare a whole column with one cut takes a tenth of the time in which each row looks up
        its own question, so these are asked of all rows, and what does not concern a row is
        dropped.

        Parameters
        ----------
        numbers
            The values of some rows, those of a column next to one another.
        root, size
            The number of a tree's root, and how many nodes the tree has.

        Returns
        -------
        numpy.ndarray
            Numbers of nodes, counted from the root; shape ``(n_rows,)``.
        """
        # For a node that asks, where each row would get from there; children come before parents.
        found: dict[int, Any] = {}
        room = numbers.strides[0] // numbers.itemsize
        for node in reversed(range(min(_TOP, size))):
            word = int(self.word[root + node])
            no = (word >> self.bits) - root
            if no != node:
                below, above = (found.pop(i, np.uint8(i)) for i in (no, no + 1))
                column = (word & ((1 << self.bits) - 1)) // room
                yes = numbers[column] >= self.cut[root + node]
                all_bits = np.negative(yes.view(np.uint8))
                found[node] = below ^ ((below ^ above) & all_bits)
        reached: NDArray[np.uint8] = found.get(0, np.zeros(1, dtype=np.uint8))
        return reached

    def step(self, at: Ints, cells: Cells) -> Ints:
        """The next node of each row."""
        word = self.word.take(at, mode="wrap")
        x = cells.read(word & ((1 << self.bits) - 1))
        above = x >= self.cut.take(at, mode="wrap")
        word >>= self.bits
        word += above.view(np.uint8)
        return word


@dataclass(frozen=True)
class Slots:
    """Steps in any tree.

    A node has a slot for each way on. The first, for rows without a value, leads back to the node;
    the others belong to the intervals of a continuous attribute or to the values of a discrete one.

    Attributes
    ----------
    place
        Where the column of each node begins among the values.
    slot
        The first slot of each node.
    goal
        The node that each slot leads to.
    cuts
        Arrays of a cut for each node, NaN where it has no more; the first is below every number.
    discrete
        -1, all bits set, at nodes that ask a discrete attribute, else 0; None if no node asks a
        continuous one.
    """

    place: Ints
    slot: Ints
    goal: Ints
    cuts: list[Floats]
    discrete: NDArray[np.int64] | None

    @classmethod
    def of(cls, nodes: Nodes, asked: Asked, n_rows: int) -> Slots:
        """Of a tree, with room for some rows in each column of the values."""
        by_value = asked.n_values > 0
        by_cut = (nodes.attr >= 0) & ~by_value
        ways = np.where(by_value, asked.n_values, np.where(by_cut, nodes.width, 0)) + 1
        slot = np.cumsum(ways) - ways
        node = np.repeat(np.arange(len(ways)), ways)
        branch = np.arange(len(node)) - slot[node] - 1
        codes = np.flatnonzero(by_value[node] & (branch >= 0))
        branch[codes] = nodes.routes[nodes.start[node[codes]] + branch[codes]]
        goal = np.where(branch < 0, node, nodes.first[node] + branch).astype(np.intp)
        discrete = -by_value.astype(np.int64) if asked.n_continuous else None
        cuts = _padded(nodes, by_cut) if asked.n_continuous else []
        return cls(asked.column * n_rows, slot.astype(np.intp), goal, cuts, discrete)

    def step(self, at: Ints, cells: Cells) -> Ints:
        """The next node of each row."""
        x = cells.read(self.place.take(at, mode="wrap"))
        slot: Ints = self.slot.take(at, mode="wrap")
        for cut in self.cuts:
            slot += (x >= cut.take(at, mode="wrap")).view(np.uint8)
        codes = x.view(np.int64)
        slot += codes if self.discrete is None else codes & self.discrete.take(at, mode="wrap")
        goal: Ints = self.goal.take(slot, mode="wrap")
        return goal


def _padded(nodes: Nodes, by_cut: NDArray[np.bool_]) -> list[Floats]:
    """Of each node a cut below every number, then its first cut, its second, …; NaN for none."""
    cuts = [np.where(by_cut, -np.inf, np.nan)]
    for i in range(int(nodes.width[by_cut].max()) - 1):
        has = np.flatnonzero(by_cut & (nodes.width > i + 1))
        cuts.append(np.full(len(by_cut), np.nan))
        cuts[-1][has] = nodes.cuts[nodes.start[has] + i]
    return cuts
